// The rule for a stream's pictures per second.
#pragma once

#include <vector>

#include "base/rational.hpp"

namespace weft::media {

// What a container and its first packets say of a rate.
struct RateFacts {
    Rational base;               // FFmpeg's r_frame_rate, 0 when unknown
    Rational average;            // avg_frame_rate, 0 when unknown
    std::vector<Rational> times; // presentation times of the first pictures in order, seconds
    Rational unit{1, 1000};      // of time, in the container
};

// Base if it lies within 1 % of the average and is at most 240 (a duration of a millisecond that a file gives
// for all of its pictures is no rate yet), or pictures are too few to tell; else the rate that the times
// prove by being steady, whatever it is (base or a standard rate where one is within 1 %); else the standard
// rate nearest to the median step, at most 60; else the average; else 25. A decimal reading of an NTSC rate
// (29.97) becomes the fraction (30000/1001).
Rational picture_rate(const RateFacts& facts);

// Whether the pictures come at one rate: each lies within a unit of time, or a quarter of a step up to 1 ms,
// of where it would at their mean rate. False of few pictures.
bool is_steady(const RateFacts& facts);

// Whether picture_rate needs `times`.
bool rate_is_plain(Rational base, Rational average);

} // namespace weft::media
