// How far two pictures are apart, in 8-bit codes.
#pragma once

#include <string>

#include "support/picture.hpp"

namespace weft::test {

struct Difference {
    double max = 0, rms = 0; // codes
    double psnr = 0;         // dB over 255; infinite when equal
    size_t samples = 0;
    size_t beyond = 0; // samples further apart than the tolerance asked for
    std::string worst; // "plane 1 at (3, 7): expected 128, got 130.2"
    double share() const { return samples ? static_cast<double>(beyond) / static_cast<double>(samples) : 0; }
    std::string text() const;
};

// Errors : internal when the sizes differ. Samples that are not finite count as infinitely far.
Difference compare(const Picture& expected, const Picture& got, double tolerance = 0);

} // namespace weft::test

// Both pictures, within `codes` everywhere, with a reason in a comment where it stands.
#define EXPECT_PICTURES_NEAR(expected, got, codes)                                                           \
    do {                                                                                                     \
        const ::weft::test::Difference difference_ = ::weft::test::compare(expected, got);                   \
        EXPECT_LE(difference_.max, codes) << difference_.text();                                             \
    } while (false)
