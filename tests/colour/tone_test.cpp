// Tone curves against values worked out from their definitions by other means, and what holds for all of
// them.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "colour/tone.hpp"

namespace weft::colour {
namespace {

constexpr ToneMap all_maps[] = {ToneMap::bt2390, ToneMap::hable, ToneMap::reinhard, ToneMap::mobius,
                                ToneMap::clip};

// BT.2390-10, 5.4.1 by a program of its own, from cd/m2 to parts of a white of 203 cd/m2.
TEST(Tone, Bt2390) {
    const struct {
        double peak, nits, expected;
    } points[] = {{1000, 50, 0.246305},   {1000, 100, 0.489464},  {1000, 203, 0.783457},
                  {1000, 400, 0.953739},  {4000, 50, 0.244084},   {4000, 203, 0.630219},
                  {4000, 1000, 0.954169}, {4000, 2000, 0.994211}, {4000, 4000, 1}};
    for (const auto& p : points)
        EXPECT_NEAR(tone_mapped({ToneMap::bt2390, p.peak / sdr_white}, p.nits / sdr_white), p.expected, 1e-6)
            << p.nits << " of " << p.peak;
}

TEST(Tone, EveryCurveRisesFromBlackToWhite) {
    for (const ToneMap map : all_maps)
        for (const double peak : {1.0, 1.5, 1000 / sdr_white, 10000 / sdr_white}) {
            SCOPED_TRACE(name(map) + " of peak " + std::to_string(peak));
            const ToneCurve curve{map, peak};
            EXPECT_EQ(tone_mapped(curve, 0.0), 0);
            EXPECT_NEAR(tone_mapped(curve, peak), 1, 1e-9);
            EXPECT_EQ(tone_mapped(curve, peak * 3), 1);
            double before = 0;
            for (int i = 1; i <= 1000; ++i) {
                const double now = tone_mapped(curve, peak * i / 1000);
                EXPECT_GE(now, before - 1e-12);
                EXPECT_LE(now, 1 + 1e-9);
                before = now;
            }
        }
}

TEST(Tone, WhatFitsStaysAsItIs) {
    // Nothing is brighter than SDR white, so nothing needs to change.
    for (const ToneMap map : all_maps)
        for (const double light : {0.01, 0.3, 0.9})
            EXPECT_NEAR(tone_mapped({map, 1}, light), light, 1e-12) << name(map);
}

TEST(Tone, ColoursKeepTheirProportions) {
    for (const ToneMap map : all_maps) {
        const Vec3 rgb{3, 1.5, 0.3}, out = tone_mapped({map, 1000 / sdr_white}, rgb);
        EXPECT_NEAR(out[0], tone_mapped({map, 1000 / sdr_white}, 3.0), 1e-12) << name(map);
        EXPECT_NEAR(out[1] / out[0], 0.5, 1e-12);
        EXPECT_NEAR(out[2] / out[0], 0.1, 1e-12);
    }
}

TEST(Tone, PeakByMetadata) {
    EXPECT_NEAR(source_peak(Transfer::pq, 0), 1000.0 / 203, 1e-12);
    EXPECT_NEAR(source_peak(Transfer::pq, 4000), 4000.0 / 203, 1e-12);
    EXPECT_NEAR(source_peak(Transfer::pq, 60000), 10000.0 / 203, 1e-12); // more than PQ can say
    EXPECT_EQ(source_peak(Transfer::pq, 100), 1);
    EXPECT_NEAR(source_peak(Transfer::hlg, 4000), 1000.0 / 203, 1e-12);
}

// BT.709 item 3.2 and BT.2020 table 4 print these weights.
TEST(Tone, LuminanceWeights) {
    const Vec3 narrow = luminance_weights(Primaries::bt709), wide = luminance_weights(Primaries::bt2020);
    const double printed709[] = {0.2126, 0.7152, 0.0722}, printed2020[] = {0.2627, 0.6780, 0.0593};
    for (size_t i = 0; i < 3; ++i) {
        EXPECT_NEAR(narrow[i], printed709[i], 1e-4);
        EXPECT_NEAR(wide[i], printed2020[i], 1e-4);
    }
}

TEST(Tone, OutOfGamutColoursKeepTheirLuminance) {
    const Vec3 weights = luminance_weights(Primaries::bt709);
    const Mat3 gamut = convert_primaries(Primaries::bt2020, Primaries::bt709);
    const auto luminance = [&](const Vec3& v) {
        return weights[0] * v[0] + weights[1] * v[1] + weights[2] * v[2];
    };
    for (const Vec3 wide : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}, Vec3{0, 0.8, 0.9}}) {
        const Vec3 outside = gamut * wide, inside = into_gamut(outside, weights);
        ASSERT_LT(std::min({outside[0], outside[1], outside[2]}), -0.001);
        EXPECT_NEAR(std::min({inside[0], inside[1], inside[2]}), 0, 1e-12);
        EXPECT_NEAR(luminance(inside), luminance(outside), 1e-12);
    }
    const Vec3 colour{0.2, 0.5, 0.9};
    EXPECT_EQ(into_gamut(colour, weights), colour);
    const Vec3 dark = into_gamut({-0.5, 0.1, -0.2}, weights);
    EXPECT_EQ(std::max({dark[0], dark[1], dark[2]}), 0);
}

} // namespace
} // namespace weft::colour
