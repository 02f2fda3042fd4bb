// The same references through planner, generator and device, on planes and through RGB, fused and not.
#include <cmath>

#include <gtest/gtest.h>

#include "graph/filter_manifest.hpp"
#include "support/compare.hpp"
#include "support/plan_rig.hpp"
#include "support/reference_filters.hpp"
#include "support/temp_folder.hpp"

namespace weft::test {
namespace {

// The promise of the design: within one code of the exact result, rounded once.
constexpr double one_code = 1.0001;

const PlanShape shapes[] = {{true, true},
                            {false, true},
                            {true, false},
                            {false, false},
                            {.fuse = true, .planes = true, .gpu = true},
                            {.fuse = true, .planes = false, .gpu = true}};

std::string name(const PlanShape& shape) {
    return std::string(shape.fuse ? "fused" : "unfused") + (shape.planes ? ", planes" : ", RGB") +
           (shape.gpu ? ", for GPUs" : "");
}

void expect_planned(const graph::FilterUse& use, const Picture& in, double tolerance = one_code,
                    const Moment& moment = {}) {
    const Picture expected = reference(use, in, moment).rounded();
    for (const PlanShape& shape : shapes) {
        // Subsampled chroma and out-of-gamut codes do not survive a way through RGB; that is promised for
        // 4:4:4 only.
        if (!shape.planes && in.layout.model != colour::Model::rgb) continue;
        SCOPED_TRACE(describe(use) + " on " + in.layout.ffmpeg_name() + ", " + name(shape));
        EXPECT_PICTURES_NEAR(
            expected, run_chain({use}, in, moment, shape, expected.width(), expected.height()), tolerance);
    }
}

// Blocks that a work-item makes at once end where pictures, rows and planes need not.
TEST(Planned, sizes_that_are_no_multiple_of_a_block) {
    for (const auto& [width, height] : {std::pair{50, 31}, {7, 5}, {130, 2}})
        for (const Layout& layout : {yuv420(), yuv444(), gray()}) {
            const Picture in = noise(layout, width, height);
            SCOPED_TRACE(layout.ffmpeg_name() + " of " + std::to_string(width));
            const PlanShape shape{.gpu = true};
            EXPECT_PICTURES_NEAR(in, run_chain({}, in, {}, shape), 0.0001);
            for (const graph::FilterUse& use :
                 {picture_filter("hflip"), picture_filter("vflip"),
                  picture_filter("transpose", {{"dir", "cclock"}}),
                  picture_filter("gblur", {{"sigma", "1.5"}}), picture_filter("gblur", {{"sigma", "6"}}),
                  picture_filter("convolution", {{"matrix", "1 2 3 4 -9 6 7 8 9"}, {"rdiv", "0.03"}})}) {
                SCOPED_TRACE(describe(use));
                const Picture exact = reference(use, in).rounded();
                // Turned, chroma beside its luma is resampled: shapes agree about it.
                const bool moved = use.manifest->geometry && layout.log2_w > 0;
                const Picture expected =
                    moved ? run_chain({use}, in, {}, {}, exact.width(), exact.height()) : exact;
                EXPECT_PICTURES_NEAR(
                    expected, run_chain({use}, in, {}, shape, expected.width(), expected.height()), one_code);
            }
        }
}

// A ramp of a few codes of 16 bits for each sample is what a Gaussian leaves as it is, at any width.
TEST(Planned, wide_blurs_keep_sixteen_bits) {
    Picture in = noise(with_depth(gray(), 16), 200, 40);
    for (int y = 0; y < 40; ++y)
        for (int x = 0; x < 200; ++x)
            in.planes[0](x, y) = 0.3 + x * 3.0 / 65535;
    in = in.rounded();
    for (const bool gpu : {false, true}) {
        const Picture out = run_chain({picture_filter("gblur", {{"sigma", "8"}})}, in, {}, {.gpu = gpu});
        double worst = 0;
        for (int y = 0; y < 40; ++y)
            for (int x = 50; x < 150; ++x) // far from the edges
                worst = std::max(worst, std::fabs(out.planes[0](x, y) - in.planes[0](x, y)) * 65535);
        EXPECT_LE(worst, 1.6) << (gpu ? "blocks" : "lines");
    }
}

TEST(Planned, no_filter_is_a_copy) {
    for (const Layout& layout : {yuv420(), yuv444(), yuv444_full(), rgb(), gray(), with_alpha(rgb())}) {
        const Picture in = layout.alpha ? bars(layout, 64, 36) : noise(layout, 64, 36);
        if (layout.alpha) continue; // unpremultiplying loses codes; see the alpha tests
        SCOPED_TRACE(layout.ffmpeg_name());
        EXPECT_PICTURES_NEAR(in, run_chain({}, in), 0.0001);
    }
}

TEST(Planned, eq) {
    for (const Args& args : {Args{{"contrast", "1.2"}, {"brightness", "0.05"}, {"saturation", "1.3"}},
                             Args{{"gamma", "1.8"}, {"gamma_b", "0.8"}}, Args{{"contrast", "-1"}}})
        for (const Layout& layout : {yuv444(), yuv420(), yuv444_full()})
            expect_planned(picture_filter("eq", args), ramp(layout, 256, 32));
}

TEST(Planned, hue) {
    expect_planned(picture_filter("hue", {{"h", "40"}, {"s", "0.8"}, {"b", "0.5"}}),
                   smooth(yuv444(), 96, 64));
}

TEST(Planned, colorchannelmixer) {
    expect_planned(
        picture_filter("colorchannelmixer", {{"rr", "0.3"}, {"rg", "0.4"}, {"rb", "0.3"}, {"gb", "-0.2"}}),
        noise(rgb(), 96, 64));
    expect_planned(picture_filter("colorchannelmixer", {{"ra", "0.25"}}), noise(rgb(), 96, 64));
}

TEST(Planned, vignette) {
    for (const Layout& layout : {yuv420(), yuv444(), rgb(), gray()})
        expect_planned(picture_filter("vignette", {{"angle", "PI/4"}}), noise(layout, 160, 90));
}

TEST(Planned, negate) {
    for (const Layout& layout : {yuv420(), yuv444_full(), rgb()})
        expect_planned(picture_filter("negate"), noise(layout, 96, 64));
}

TEST(Planned, fade) {
    for (const Layout& layout : {yuv420(), rgb()})
        expect_planned(picture_filter("fade", {{"color", "white"}, {"nb_frames", "10"}}),
                       noise(layout, 96, 64), one_code, {.t = 0.16, .n = 4});
}

TEST(Planned, convolution) {
    for (const Layout& layout : {yuv420(), rgb()}) {
        const Picture in = noise(layout, 98, 66);
        for (const Args& args :
             {Args{{"matrix", "0 -1 0 -1 5 -1 0 -1 0"}}, Args{{"matrix", "1 2 1 2 4 2 1 2 1"}},
              Args{{"matrix", "-1 -1 -1 -1 8 -1 -1 -1 -1"}, {"bias", "128"}, {"rdiv", "0.5"}},
              Args{{"matrix", "1 4 6 4 1 4 16 24 16 4 6 24 36 24 6 4 16 24 16 4 1 4 6 4 1"}},
              Args{{"row", "1 2 3 2 1"}}, Args{{"column", "1 0 -1"}, {"bias", "128"}},
              Args{{"matrix", "1 2 3 4 5 6 7 8 9 1 -2 3 4 5 6 7 8 9 1 2 3 4 5 -6 7"}}})
            expect_planned(picture_filter("convolution", args), in);
    }
}

// Sums just inside and far outside what 16 bits hold, with and without a sign: a loop that adds in 16-bit
// lanes must be right about which is which.
TEST(Planned, convolution_of_large_sums) {
    const auto matrix = [](int side, auto tap) {
        std::string text;
        for (int i = 0; i < side * side; ++i)
            text += std::to_string(tap(i)) + " ";
        return text;
    };
    const auto checks = [](int size) { return [size](int i) { return i % 2 ? -size : size; }; };
    Picture white = noise(yuv420(), 66, 50);
    for (Plane& plane : white.planes)
        for (size_t i = 0; i < plane.values.size(); i += 3)
            plane.values[i] = 1;
    for (const Args& args :
         {Args{{"matrix", matrix(7, [](int) { return 5; })}},
          Args{{"matrix", matrix(5, [](int) { return 11; })}},
          Args{{"matrix", matrix(7, [](int i) { return 11 + i % 3; })}},
          Args{{"matrix", matrix(3, checks(25))}, {"rdiv", "0.01"}, {"bias", "128"}},
          Args{{"matrix", matrix(7, checks(40))}, {"rdiv", "0.001"}, {"bias", "128"}},
          Args{{"matrix", matrix(9, [](int i) { return i == 40 ? 300 : -3; })}, {"rdiv", "0.01"}},
          Args{{"matrix", matrix(13, [](int i) { return 1 + i % 7; })}}})
        expect_planned(picture_filter("convolution", args), white);
}

TEST(Planned, convolution_of_chosen_planes) {
    expect_planned(picture_filter("convolution", {{"matrix", "1 1 1 1 1 1 1 1 1"}, {"planes", "1"}}),
                   noise(yuv420(), 96, 64));
    expect_planned(
        picture_filter("convolution", {{"m0", "0 -1 0 -1 5 -1 0 -1 0"}, {"2m", "1 1 1 1 1 1 1 1 1"}}),
        noise(yuv444(), 96, 64));
}

TEST(Planned, gblur) {
    for (const char* sigma : {"0.5", "1.5", "4"})
        for (const Layout& layout : {yuv420(), rgb()})
            expect_planned(picture_filter("gblur", {{"sigma", sigma}}), noise(layout, 128, 72));
    expect_planned(picture_filter("gblur", {{"sigma", "3"}, {"sigmaV", "0"}}), edges(yuv444(), 96, 64));
}

TEST(Planned, wide_gblur) {
    // Through smaller pictures: the bell is approximated, on edges within two codes.
    for (const char* sigma : {"12", "40"})
        expect_planned(picture_filter("gblur", {{"sigma", sigma}}), edges(yuv420(), 320, 180), 2.0001);
}

TEST(Planned, unsharp) {
    expect_planned(picture_filter("unsharp"), noise(yuv420(), 96, 64));
    expect_planned(picture_filter("unsharp", {{"lx", "13"}, {"ly", "3"}, {"la", "-1"}, {"ca", "1.5"}}),
                   noise(yuv444(), 96, 64));
}

TEST(Planned, curves) {
    for (const char* preset : {"vintage", "strong_contrast", "cross_process"})
        expect_planned(picture_filter("curves", {{"preset", preset}}), ramp(rgb(), 256, 32));
    expect_planned(picture_filter("curves", {{"master", "0/0 0.3/0.5 1/1"}, {"blue", "0/1 1/0"}}),
                   ramp(rgb(), 256, 32));
}

TEST(Planned, lut3d) {
    std::string text = "LUT_3D_SIZE 9\n";
    for (int b = 0; b < 9; ++b)
        for (int g = 0; g < 9; ++g)
            for (int r = 0; r < 9; ++r)
                text += std::to_string(r * r / 64.0) + " " + std::to_string((g + b) / 16.0) + " " +
                        std::to_string(1 - b * r / 64.0) + "\n";
    const TempFolder folder;
    const std::string file = folder.write("t.cube", text);
    for (const char* interp : {"nearest", "trilinear", "tetrahedral"})
        expect_planned(picture_filter("lut3d", {{"file", file}, {"interp", interp}}), noise(rgb(), 96, 64));
}

TEST(Planned, geometry) {
    // Samples only change places. Where chroma stands to the left of luma, a mirror puts it between its old
    // places: that is for tests of siting.
    for (const Layout& layout : {yuv444(), rgb(), gray()}) {
        const Picture in = noise(layout, 48, 32);
        expect_planned(picture_filter("hflip"), in, 0.0001);
        expect_planned(picture_filter("vflip"), in, 0.0001);
        expect_planned(picture_filter("crop", {{"w", "20"}, {"h", "12"}, {"x", "6"}, {"y", "4"}}), in,
                       0.0001);
        for (const char* dir : {"cclock_flip", "clock", "cclock", "clock_flip"})
            expect_planned(picture_filter("transpose", {{"dir", dir}}), in, 0.0001);
    }
    expect_planned(picture_filter("crop", {{"w", "20"}, {"h", "12"}, {"x", "6"}, {"y", "4"}}),
                   noise(yuv420(), 48, 32), 0.0001);
    expect_planned(picture_filter("vflip"), noise(yuv420(), 48, 32), 0.0001);
}

// Squares of 16 bytes are turned at once: whole ones and the rest along both edges, of words of each size.
TEST(Planned, turned_pictures_of_any_size_and_depth) {
    for (const auto& [width, height] : {std::pair{96, 80}, {53, 37}, {17, 3}, {1, 18}})
        for (const Layout& layout :
             {yuv444(), rgb(), gray(), with_depth(yuv444(), 10), with_depth(gray(), 12)}) {
            const Picture in = noise(layout, width, height);
            for (const char* dir : {"cclock_flip", "clock", "cclock", "clock_flip"})
                expect_planned(picture_filter("transpose", {{"dir", dir}}), in, 0.0001);
        }
}

// What was cropped away is not there for a window: the edge is repeated.
TEST(Planned, a_window_behind_a_crop_ends_with_it) {
    for (const Layout& layout : {yuv444(), yuv420(), gray()}) {
        const Picture in = noise(layout, 48, 32);
        for (const Args& part : {Args{{"h", "16"}, {"y", "0"}}, Args{{"h", "16"}, {"y", "16"}},
                                 Args{{"w", "16"}, {"x", "0"}}, Args{{"w", "16"}, {"x", "32"}}}) {
            const graph::FilterUse crop = picture_filter("crop", part);
            const graph::FilterUse blur = picture_filter("gblur", {{"sigma", "1.5"}});
            const Picture expected = reference(blur, reference(crop, in)).rounded();
            for (const PlanShape& shape : shapes) {
                if (!shape.planes) continue;
                SCOPED_TRACE(describe(crop) + " on " + layout.ffmpeg_name() + ", " + name(shape));
                EXPECT_PICTURES_NEAR(
                    expected, run_chain({crop, blur}, in, {}, shape, expected.width(), expected.height()),
                    one_code);
            }
        }
    }
}

TEST(Planned, transitions) {
    for (const auto& manifest : built_in_filters().all()) {
        if (manifest->kind != graph::FilterKind::transition || manifest->param("file")) continue;
        Args args;
        if (manifest->param("softness")) args.emplace_back("softness", "0.25");
        for (const Args& more : {args, Args{}, Args{{"ease", "cubic"}}}) {
            const graph::FilterUse use = transition(manifest->name, more);
            for (const Layout& layout : {yuv444(), rgb(), yuv420()}) {
                const Picture a = noise(layout, 64, 48, 1), b = noise(layout, 64, 48, 2);
                for (const double progress : {0.0, 0.25, 0.3, 0.5, 1.0}) {
                    SCOPED_TRACE(describe(use) + " on " + layout.ffmpeg_name() + " at " +
                                 std::to_string(progress));
                    const Moment moment{.progress = progress};
                    PlanShape shape;
                    shape.gpu = progress == 0.25 || progress == 1.0;
                    const Difference d = compare(reference(use, a, b, moment).rounded(),
                                                 run_transition(use, a, b, moment, shape), one_code);
                    EXPECT_LE(d.share(), 1e-4) << d.text(); // hard thresholds may fall either way
                }
            }
        }
    }
}

TEST(Planned, luma_by_a_mask) {
    const graph::FilterUse use = transition("luma", {{"file", "mask.png"}, {"softness", "0.2"}});
    for (const Layout& layout : {yuv444(), rgb()}) {
        const Picture a = noise(layout, 64, 48, 1), b = noise(layout, 64, 48, 2);
        Plane mask(64, 48);
        for (int y = 0; y < 48; ++y)
            for (int x = 0; x < 64; ++x)
                mask(x, y) = (x * 2 + y) % 256 / 255.0;
        for (const double progress : {0.0, 0.2, 0.6, 1.0})
            EXPECT_PICTURES_NEAR(
                reference(use, a, b, {.progress = progress}, mask).rounded(),
                run_transition(use, a, b, {.progress = progress}, {.mask = &mask, .gpu = progress == 0.6}),
                one_code);
    }
}

// Deeper pictures keep their depth: within one code of theirs, a quarter of an 8-bit one.
TEST(Planned, ten_bits) {
    constexpr double one_deep_code = 1.0001 / 4;
    for (const Layout& layout : {with_depth(yuv420(), 10), with_depth(rgb(), 10)}) {
        const Picture in = noise(layout, 98, 66);
        const bool ycbcr = layout.model == colour::Model::ycbcr;
        EXPECT_PICTURES_NEAR(in, run_chain({}, in), 1e-6);
        expect_planned(picture_filter("vignette"), in, one_deep_code);
        expect_planned(picture_filter("gblur", {{"sigma", "1.5"}}), in, one_deep_code);
        expect_planned(picture_filter("convolution", {{"matrix", "0 -1 0 -1 5 -1 0 -1 0"}}), in,
                       one_deep_code);
        if (ycbcr) expect_planned(picture_filter("eq", {{"contrast", "1.3"}}), in, one_deep_code);
        if (!ycbcr) expect_planned(picture_filter("curves", {{"preset", "vintage"}}), in, one_deep_code);
    }
}

TEST(Planned, sixteen_bits) {
    // Of 16 bits float's 24 leave 8 to spare: one code of 65535 but for the longest sums.
    const Picture in = noise(with_depth(rgb(), 16), 66, 34);
    EXPECT_PICTURES_NEAR(in, run_chain({}, in), 1e-6);
    expect_planned(picture_filter("vignette"), in, 2.0 / 257);
    expect_planned(picture_filter("gblur", {{"sigma", "1.5"}}), in, 2.0 / 257);
}

// A picture weighted by its alpha, and back; colour where nothing shows is anything.
Picture weighted(Picture picture, bool forward) {
    for (size_t p = 0; p < 3; ++p)
        for (size_t i = 0; i < picture.planes[p].values.size(); ++i) {
            const double alpha = picture.planes[3].values[i];
            double& v = picture.planes[p].values[i];
            v = forward ? v * alpha : alpha > 0 ? v / alpha : 0;
        }
    return picture;
}

TEST(Planned, windows_weigh_colour_by_alpha) {
    Picture in = noise(with_alpha(rgb()), 66, 34);
    for (double& alpha : in.planes[3].values)
        alpha = std::round(150 + alpha * 105) / 255;
    const graph::FilterUse use = picture_filter("gblur", {{"sigma", "1.5"}});
    const Picture expected = weighted(reference(use, weighted(in, true)), false).rounded();
    // Lines hold 1/64 of a code, which division by 0.6 makes 1/40 at most: one code after rounding.
    EXPECT_PICTURES_NEAR(expected, run_chain({use}, in), one_code);
}

TEST(Planned, nothing_leaks_from_under_transparent_samples) {
    // White with a hole in it, and green stored under the hole: the blurred edge stays white.
    Picture in(with_alpha(rgb()), 64, 32, 1);
    for (int y = 8; y < 24; ++y)
        for (int x = 20; x < 44; ++x) {
            in.planes[0](x, y) = in.planes[2](x, y) = 0;
            in.planes[3](x, y) = 0;
        }
    const Picture out = run_chain({picture_filter("gblur", {{"sigma", "2"}})}, in);
    for (int y = 0; y < 32; ++y)
        for (int x = 0; x < 64; ++x) {
            if (out.planes[3](x, y) * 255 < 16) continue; // too faint to hold a colour in eight bits
            for (size_t p = 0; p < 3; ++p)
                ASSERT_GE(out.planes[p](x, y) * 255, 253) << x << ", " << y << " plane " << p;
        }
}

TEST(Planned, point_filters_see_straight_colour) {
    Picture in = noise(with_alpha(rgb()), 66, 34);
    for (double& alpha : in.planes[3].values)
        alpha = std::round(150 + alpha * 105) / 255;
    const graph::FilterUse use =
        picture_filter("colorchannelmixer", {{"rr", "0.5"}, {"rg", "0.5"}, {"bb", "0.8"}});
    EXPECT_PICTURES_NEAR(reference(use, in).rounded(), run_chain({use}, in), one_code);
}

TEST(Planned, transitions_weigh_colour_by_alpha) {
    Picture a = noise(with_alpha(rgb()), 66, 34, 1), b = noise(with_alpha(rgb()), 66, 34, 2);
    for (Picture* picture : {&a, &b})
        for (double& alpha : picture->planes[3].values)
            alpha = std::round(150 + alpha * 105) / 255;
    for (const char* name : {"fade", "fadeblack", "fadewhite", "slideleft", "circleopen"}) {
        SCOPED_TRACE(name);
        const graph::FilterUse use = transition(name);
        const Moment moment{.progress = 0.5};
        const Picture expected =
            weighted(reference(use, weighted(a, true), weighted(b, true), moment), false).rounded();
        EXPECT_PICTURES_NEAR(expected, run_transition(use, a, b, moment), one_code);
    }
}

} // namespace
} // namespace weft::test
