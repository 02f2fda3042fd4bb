// The references against FFmpeg's filters of the same names, on 8-bit pictures: they mean the same.
#include <cmath>

#include <gtest/gtest.h>

#include "support/compare.hpp"
#include "support/ffmpeg.hpp"
#include "support/reference_filters.hpp"
#include "support/temp_folder.hpp"

namespace weft::test {
namespace {

// FFmpeg rounds once, to nearest, where it does not say otherwise: half a code, and one where both round.
constexpr double one_code = 1.0001;

void expect_like_ffmpeg(const graph::FilterUse& use, const Picture& in, const std::string& filter,
                        double tolerance, int border = 0) {
    SCOPED_TRACE(filter);
    const Picture expected = ffmpeg_filter(in, filter);
    EXPECT_PICTURES_NEAR(expected.inside(border), reference(use, in).rounded().inside(border), tolerance);
}

TEST(Parity, eq) {
    // Without gamma FFmpeg multiplies in 12 bits, rounds down twice and turns about 128; with gamma it takes
    // 256 v rounded down and turns chroma about 127.5.
    constexpr double truncations = 2.0001;
    expect_like_ffmpeg(
        picture_filter("eq", {{"contrast", "1.2"}, {"brightness", "0.05"}, {"saturation", "1.3"}}),
        ramp(yuv444(), 256, 16), "eq=contrast=1.2:brightness=0.05:saturation=1.3", truncations);
    expect_like_ffmpeg(picture_filter("eq", {{"contrast", "0.5"}, {"saturation", "0.3"}}),
                       ramp(yuv444(), 256, 16), "eq=contrast=0.5:saturation=0.3", truncations);
    expect_like_ffmpeg(picture_filter("eq", {{"gamma", "1.7"}}), ramp(yuv444(), 256, 16), "eq=gamma=1.7",
                       one_code);
    expect_like_ffmpeg(picture_filter("eq", {{"gamma_r", "1.4"}, {"gamma_g", "0.9"}, {"gamma_b", "1.2"}}),
                       ramp(yuv444(), 256, 16), "eq=gamma_r=1.4:gamma_g=0.9:gamma_b=1.2", one_code);
    expect_like_ffmpeg(picture_filter("eq", {{"gamma", "0.6"}, {"gamma_weight", "0.4"}, {"contrast", "1.3"}}),
                       ramp(yuv444(), 256, 16), "eq=gamma=0.6:gamma_weight=0.4:contrast=1.3", truncations);
}

TEST(Parity, hue) {
    // FFmpeg's brightness is rounded down.
    for (const auto& [args, filter] :
         std::vector<std::pair<Args, std::string>>{{{{"h", "90"}}, "hue=h=90"},
                                                   {{{"h", "-33"}, {"s", "1.5"}}, "hue=h=-33:s=1.5"},
                                                   {{{"H", "1"}, {"b", "2"}}, "hue=H=1:b=2"}})
        expect_like_ffmpeg(picture_filter("hue", args), ramp(yuv444(), 256, 64), filter, one_code);
}

TEST(Parity, colorchannelmixer) {
    expect_like_ffmpeg(
        picture_filter("colorchannelmixer",
                       {{"rr", "0.3"}, {"rg", "0.4"}, {"rb", "0.3"}, {"gb", "-0.2"}, {"br", "1.1"}}),
        ramp(rgb(), 256, 64), "colorchannelmixer=rr=.3:rg=.4:rb=.3:gb=-.2:br=1.1", one_code);
    // FFmpeg rounds each product: four of them.
    expect_like_ffmpeg(picture_filter("colorchannelmixer", {{"ra", "0.3"}, {"ar", "0.5"}, {"aa", "0.5"}}),
                       ramp(with_alpha(rgb()), 256, 64), "colorchannelmixer=ra=.3:ar=.5:aa=.5", 2.0001);
}

TEST(Parity, vignette) {
    // FFmpeg measures from the corner of a sample to whole samples, and rounds down. Its Y'CbCr version
    // darkens codes below black, so only full range is comparable.
    expect_like_ffmpeg(picture_filter("vignette"), noise(gray(), 640, 360), "vignette=dither=0", 2.0001);
    // A circle that leaves the picture ends in a step, which may stand a sample aside.
    const Picture in = noise(gray(), 640, 360);
    const Difference d =
        compare(ffmpeg_filter(in, "vignette=PI/3:w/4:3*h/4:dither=0"),
                reference(picture_filter("vignette", {{"angle", "PI/3"}, {"x0", "0.25"}, {"y0", "0.75"}}), in)
                    .rounded(),
                3);
    EXPECT_LE(d.share(), 0.005) << d.text();
}

TEST(Parity, negate) {
    expect_like_ffmpeg(picture_filter("negate"), ramp(rgb(), 256, 8), "negate", 0.0001);
    // negval of lutyuv is the negative within the limited range, where FFmpeg's negate takes 255 - v.
    const Picture in = ramp(yuv444(), 256, 8);
    Picture legal = in;
    for (size_t p = 0; p < 3; ++p)
        for (double& v : legal.planes[p].values)
            v = std::max(v, 16 / 255.0), v = std::min(v, (p ? 240 : 235) / 255.0);
    expect_like_ffmpeg(picture_filter("negate"), legal, "lutyuv=y=negval:u=negval:v=negval", 0.0001);
}

TEST(Parity, fade) {
    const std::vector<Picture> in(30, ramp(yuv444(), 256, 8));
    const struct {
        Args args;
        std::string filter;
    } cases[] = {{{{"type", "in"}, {"nb_frames", "20"}, {"start_frame", "3"}}, "fade=in:3:20"},
                 {{{"type", "out"}, {"start_time", "0.2"}, {"duration", "0.8"}}, "fade=t=out:st=0.2:d=0.8"}};
    for (const auto& [args, filter] : cases) {
        const std::vector<Picture> out = ffmpeg_filter(in, filter);
        ASSERT_EQ(out.size(), in.size());
        for (size_t n = 0; n < out.size(); ++n) {
            SCOPED_TRACE(filter + " picture " + std::to_string(n));
            const Moment moment{.t = static_cast<double>(n) / 25, .n = static_cast<double>(n)};
            const Picture got = reference(picture_filter("fade", args), in[n], moment).rounded();
            EXPECT_PICTURES_NEAR(out[n], got, one_code);
        }
    }
}

TEST(Parity, convolution) {
    const Picture in = noise(yuv420(), 96, 64);
    // FFmpeg mirrors at the edges, weft repeats: the inside is compared.
    const struct {
        Args args;
        std::string filter;
        int border;
    } cases[] = {{{{"matrix", "0 -1 0 -1 5 -1 0 -1 0"}}, "convolution=M:M:M|0 -1 0 -1 5 -1 0 -1 0", 2},
                 {{{"matrix", "1 2 1 2 4 2 1 2 1"}}, "convolution=M:M:M|1 2 1 2 4 2 1 2 1", 2},
                 {{{"matrix", "-1 -1 -1 -1 8 -1 -1 -1 -1"}, {"bias", "64"}},
                  "convolution=M:M:M:M:0:0:0:0:64:64:64:64|-1 -1 -1 -1 8 -1 -1 -1 -1",
                  2},
                 // A sum of 0 and a factor of its own are not compared: FFmpeg 5.1 takes no notice of rdiv.
                 {{{"matrix", "1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1"}, {"planes", "1"}},
                  "convolution=0m=M|1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1",
                  4}};
    for (const auto& [args, pattern, border] : cases) {
        const size_t bar = pattern.find('|');
        std::string filter;
        for (const char c : pattern.substr(0, bar))
            filter += c == 'M' ? pattern.substr(bar + 1) : std::string(1, c);
        expect_like_ffmpeg(picture_filter("convolution", args), in, filter, one_code, border);
    }
}

TEST(Parity, gblur) {
    // FFmpeg's recursive filter is a bell only in the limit of many steps; with the most it offers, waves
    // longer than the bell agree within a few codes. It pulls edges in, so they are left out.
    for (const char* sigma : {"1.5", "3"})
        expect_like_ffmpeg(picture_filter("gblur", {{"sigma", sigma}}), smooth(yuv444(), 128, 96),
                           std::string("gblur=steps=6:sigma=") + sigma, 2.0001, 16);
}

TEST(Parity, unsharp) {
    // FFmpeg rounds the blur, then the sharpened value downwards: an amount of a half each, and one.
    expect_like_ffmpeg(picture_filter("unsharp"), smooth(yuv444(), 96, 64), "unsharp", 2.0001);
    expect_like_ffmpeg(picture_filter("unsharp", {{"lx", "7"}, {"ly", "3"}, {"la", "1.5"}, {"ca", "-0.7"}}),
                       noise(yuv420(), 96, 64), "unsharp=7:3:1.5:5:5:-0.7", 2.0001);
}

TEST(Parity, curves) {
    // FFmpeg puts knots on whole codes below them, where slopes of up to four codes a code begin, and rounds
    // down.
    for (const char* preset :
         {"color_negative", "cross_process", "darker", "increase_contrast", "lighter", "linear_contrast",
          "medium_contrast", "negative", "strong_contrast", "vintage"}) {
        SCOPED_TRACE(preset);
        const Picture in = ramp(rgb(), 256, 8);
        const Difference d = compare(ffmpeg_filter(in, std::string("curves=preset=") + preset),
                                     reference(picture_filter("curves", {{"preset", preset}}), in).rounded());
        EXPECT_LE(d.max, 5.0001) << d.text();
        EXPECT_LE(d.rms, 2) << d.text();
    }
    const Picture in = ramp(rgb(), 256, 8);
    expect_like_ffmpeg(
        picture_filter("curves",
                       {{"master", "0 0 0.3 0.5 1 1"}, {"all", "0 0.1 0.6 0.5 1 0.9"}, {"blue", "0 1 1 0"}}),
        in, "curves=master='0/0 0.3/0.5 1/1':all='0/0.1 0.6/0.5 1/0.9':blue='0/1 1/0'", 3.0001);
}

std::string cube_text() {
    std::string text = "TITLE \"test\"\nLUT_3D_SIZE 5\n";
    for (int b = 0; b < 5; ++b)
        for (int g = 0; g < 5; ++g)
            for (int r = 0; r < 5; ++r)
                text += std::to_string((r * r + g) / 20.0) + " " +
                        std::to_string((4 * g - b * 0.5 + 2) / 18) + " " +
                        std::to_string(1 - (b * 3 + r * 0.7) / 15) + "\n";
    return text;
}

TEST(Parity, lut3d) {
    const TempFolder folder;
    const std::string file = folder.write("bend.cube", cube_text());
    // FFmpeg rounds down.
    for (const char* interpolation : {"trilinear", "tetrahedral"})
        expect_like_ffmpeg(picture_filter("lut3d", {{"file", file}, {"interp", interpolation}}),
                           noise(rgb(), 64, 64), "lut3d=file=" + file + ":interp=" + interpolation, one_code);
}

TEST(Parity, geometry) {
    for (const Layout& layout : {rgb(), yuv420()}) {
        const Picture in = noise(layout, 48, 32);
        expect_like_ffmpeg(picture_filter("hflip"), in, "hflip", 0);
        expect_like_ffmpeg(picture_filter("vflip"), in, "vflip", 0);
        EXPECT_PICTURES_NEAR(
            ffmpeg_filter(in, "crop=20:12:6:4", 20, 12),
            reference(picture_filter("crop", {{"w", "20"}, {"h", "12"}, {"x", "6"}, {"y", "4"}}), in), 0);
        EXPECT_PICTURES_NEAR(ffmpeg_filter(in, "crop=iw/2:in_h/2", 24, 16),
                             reference(picture_filter("crop", {{"w", "iw/2"}, {"h", "in_h/2"}}), in), 0);
        for (const char* dir : {"cclock_flip", "clock", "cclock", "clock_flip"}) {
            SCOPED_TRACE(dir);
            EXPECT_PICTURES_NEAR(ffmpeg_filter(in, std::string("transpose=") + dir, 32, 48),
                                 reference(picture_filter("transpose", {{"dir", dir}}), in), 0);
        }
        EXPECT_PICTURES_NEAR(
            ffmpeg_filter(in, "transpose=clock:passthrough=landscape"),
            reference(picture_filter("transpose", {{"dir", "clock"}, {"passthrough", "landscape"}}), in), 0);
    }
}

TEST(Parity, transitions) {
    // Eighths, and sizes that they divide: then FFmpeg's float progress is exact.
    constexpr size_t count = 8;
    for (const Layout& layout : {rgb(), yuv444_full()}) {
        const Picture a = noise(layout, 40, 32, 1), b = noise(layout, 40, 32, 2);
        const auto each = [&](const char* name, const auto& check) {
            const std::vector<Picture> out = ffmpeg_transition(a, b, name, count);
            ASSERT_GE(out.size(), count);
            for (size_t k = 0; k < count; ++k) {
                SCOPED_TRACE(std::string(name) + " picture " + std::to_string(k));
                check(out[k], reference(transition(name), a, b, {.progress = static_cast<double>(k) / count})
                                  .rounded());
            }
        };
        each("fade", [](const Picture& expected, const Picture& got) {
            EXPECT_PICTURES_NEAR(expected, got, one_code);
        });
        // FFmpeg rounds down, and its chroma has the middle 127.
        for (const char* name : {"fadeblack", "fadewhite"})
            each(name, [](const Picture& expected, const Picture& got) {
                EXPECT_PICTURES_NEAR(expected, got, 2.0001);
            });
        // FFmpeg's wipes stand a line or column further on.
        for (const char* name : {"wipeleft", "wiperight", "wipeup", "wipedown"})
            each(name, [](const Picture& expected, const Picture& got) {
                const Difference d = compare(expected, got);
                EXPECT_LE(d.share(), 1.0001 / 32) << d.text();
            });
        // At progress 0 FFmpeg's slides to the left and up show one line or column of the new picture
        // already.
        for (const char* name : {"slideleft", "slideright", "slideup", "slidedown"})
            each(name, [&](const Picture& expected, const Picture& got) {
                const Difference d = compare(expected, got);
                EXPECT_LE(d.share(), compare(a, got).max > 0 ? 0 : 1.0001 / 32) << d.text();
            });
    }
}

} // namespace
} // namespace weft::test
