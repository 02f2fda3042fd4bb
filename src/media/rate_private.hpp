// The rule for a stream's pictures per second.
#pragma once

#include <vector>

#include "base/rational.hpp"

namespace weft::media {

// base    : FFmpeg's r_frame_rate, 0 when unknown;  average : avg_frame_rate, 0 when unknown
// times   : presentation times of the first pictures in order, seconds
// Result  : base if it lies within 1 % of the average; else the standard rate nearest to the median step, at
// most 60;
//           else the average; else 25. A decimal reading of an NTSC rate (29.97) becomes the fraction
//           (30000/1001).
Rational picture_rate(Rational base, Rational average, const std::vector<Rational>& times);

// Whether picture_rate needs `times`.
bool rate_is_plain(Rational base, Rational average);

} // namespace weft::media
