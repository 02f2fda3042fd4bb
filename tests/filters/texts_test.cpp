// The point filters' texts against their definitions, on pictures that meet every code.
#include <cmath>

#include <gtest/gtest.h>

#include "support/compare.hpp"
#include "support/mini_kernel.hpp"
#include "support/reference_filters.hpp"

namespace weft::test {
namespace {

// Float has 24 bits and a chain of a dozen operations loses three or four: 2e-3 codes of 255.
constexpr double float_error = 2e-3;

void expect_as_defined(const graph::FilterUse& use, const Picture& in, const Moment& moment = {},
                       double tolerance = float_error) {
    SCOPED_TRACE(describe(use));
    EXPECT_PICTURES_NEAR(reference(use, in, moment), run_text(use, in, moment), tolerance);
}

TEST(Eq, moves_codes_about_their_middle) {
    for (const Layout& layout : {yuv444(), yuv444_full(), yuv420()})
        for (const Args& args :
             {Args{}, Args{{"contrast", "1.2"}, {"brightness", "0.05"}, {"saturation", "1.3"}},
              Args{{"contrast", "-0.7"}, {"saturation", "0"}}, Args{{"contrast", "3"}}})
            expect_as_defined(picture_filter("eq", args), ramp(layout, 256, 8));
}

TEST(Eq, bends_with_gamma) {
    for (const Args& args : {Args{{"gamma", "2.2"}}, Args{{"gamma", "0.4"}, {"contrast", "1.5"}},
                             Args{{"gamma_r", "1.6"}, {"gamma_b", "0.8"}},
                             Args{{"gamma", "3"}, {"gamma_weight", "0.3"}, {"brightness", "-0.2"}}})
        expect_as_defined(picture_filter("eq", args), ramp(yuv444(), 256, 8));
}

TEST(Eq, by_hand) {
    // (100 - 127.5) * 2 + 127.5 + 0.1 * 255 = 98; chroma (200 - 128) * 0.5 + 128 = 164.
    Picture in(yuv444(), 2, 1, 100 / 255.0);
    in.planes[1](0, 0) = 200 / 255.0;
    const Picture out =
        run_text(picture_filter("eq", {{"contrast", "2"}, {"brightness", "0.1"}, {"saturation", "0.5"}}), in);
    EXPECT_NEAR(out.planes[0](0, 0) * 255, 98, float_error);
    EXPECT_NEAR(out.planes[1](0, 0) * 255, 164, float_error);
    EXPECT_NEAR(out.planes[2](0, 0) * 255, 114, float_error);
}

TEST(Hue, turns_the_colour) {
    for (const Args& args : {Args{{"h", "90"}}, Args{{"h", "-33"}, {"s", "1.5"}},
                             Args{{"H", "1"}, {"b", "2"}}, Args{{"s", "-1"}}})
        expect_as_defined(picture_filter("hue", args), ramp(yuv444(), 256, 8));
}

TEST(Hue, by_hand) {
    // A quarter turn takes Cb - 128 = 40, Cr - 128 = 0 to 0 and 40; brightness 1 is a tenth of the codes.
    Picture in(yuv444(), 1, 1, 128 / 255.0);
    in.planes[1](0, 0) = 168 / 255.0;
    const Picture out = run_text(picture_filter("hue", {{"h", "90"}, {"b", "1"}}), in);
    EXPECT_NEAR(out.planes[0](0, 0) * 255, 153.5, float_error);
    EXPECT_NEAR(out.planes[1](0, 0) * 255, 128, float_error);
    EXPECT_NEAR(out.planes[2](0, 0) * 255, 168, float_error);
}

TEST(ColorChannelMixer, mixes_all_sixteen_ways) {
    const Args args{{"rr", "0.4"}, {"rg", "-0.3"}, {"rb", "1.2"}, {"ra", "0.1"}, {"gr", "0.7"}, {"gg", "0.2"},
                    {"gb", "0.5"}, {"ga", "-2"},   {"br", "2"},   {"bg", "-1"},  {"bb", "0"},   {"ba", "0.3"},
                    {"ar", "0.1"}, {"ag", "0.2"},  {"ab", "0.3"}, {"aa", "0.4"}};
    expect_as_defined(picture_filter("colorchannelmixer", args), ramp(with_alpha(rgb()), 256, 8));
    expect_as_defined(picture_filter("colorchannelmixer", args), ramp(rgb(), 256, 8));
}

TEST(Vignette, darkens_and_brightens) {
    for (const Layout& layout : {rgb(), yuv444(), yuv420(), gray(), with_alpha(rgb())})
        for (const Args& args : {Args{}, Args{{"angle", "1"}, {"x0", "0.2"}, {"y0", "0.7"}},
                                 Args{{"aspect", "1.6"}}, Args{{"aspect", "0.5"}, {"angle", "0.3"}}})
            expect_as_defined(picture_filter("vignette", args), noise(layout, 64, 36));
    // The way back multiplies by up to 1 / cos^4(pi / 5) = 2.3, and the error with it.
    expect_as_defined(picture_filter("vignette", {{"mode", "backward"}}), noise(rgb(), 64, 36), {},
                      3 * float_error);
}

TEST(Vignette, by_hand) {
    // In the middle nothing is lost; in the corner cos^4(pi / 4) = 1/4 is left of light, and black stays
    // black.
    Picture in(yuv444(), 1001, 501, 235 / 255.0);
    const Picture out = run_text(picture_filter("vignette", {{"angle", "0.785398163"}}), in);
    EXPECT_NEAR(out.planes[0](500, 250) * 255, 235, float_error);
    // The first sample's centre is half a sample inside the corner.
    EXPECT_NEAR(out.planes[0](0, 0) * 255, 16 + 219 * 0.25, 0.3);
    EXPECT_NEAR(run_text(picture_filter("vignette"), Picture(yuv444(), 9, 9, 16 / 255.0)).planes[0](0, 0) *
                    255,
                16, float_error);
}

TEST(Negate, turns_about_the_middle) {
    for (const Layout& layout : {rgb(), yuv444(), yuv444_full(), with_alpha(rgb())}) {
        expect_as_defined(picture_filter("negate"), ramp(layout, 256, 4));
        expect_as_defined(picture_filter("negate", {{"negate_alpha", "true"}}), ramp(layout, 256, 4));
    }
}

TEST(Fade, follows_pictures_or_seconds) {
    for (const Layout& layout : {rgb(), yuv444(), with_alpha(yuv444())})
        for (const char* type : {"in", "out"})
            for (const char* color : {"black", "white"})
                for (const double n : {0.0, 4.0, 10.0, 13.5, 30.0, 100.0}) {
                    const Moment moment{.t = n / 25, .n = n};
                    expect_as_defined(
                        picture_filter("fade", {{"type", type}, {"color", color}, {"nb_frames", "20"}}),
                        ramp(layout, 64, 4), moment);
                    expect_as_defined(
                        picture_filter("fade",
                                       {{"type", type}, {"color", color}, {"st", "0.3"}, {"d", "1.5"}}),
                        ramp(layout, 64, 4), moment);
                }
}

} // namespace
} // namespace weft::test
