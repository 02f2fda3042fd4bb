// The reference is itself held against numbers worked out by hand from the standards.
#include "colour/reference.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace weft::colour::reference {
namespace {

PictureFormat format(const char* pixels, int width, int height, ColourSpec tags = {}) {
    PictureFormat out;
    out.width = width;
    out.height = height;
    out.pixels = pixel_format(pixels);
    out.colour = resolve(tags, out.pixels, width, height);
    return out;
}

void expect_rgba(const Rgba& p, double r, double g, double b, double a, double tolerance) {
    EXPECT_NEAR(p.r, r, tolerance);
    EXPECT_NEAR(p.g, g, tolerance);
    EXPECT_NEAR(p.b, b, tolerance);
    EXPECT_NEAR(p.a, a, tolerance);
}

HostPlanes planes(std::initializer_list<std::pair<const uint8_t*, int>> of) {
    HostPlanes out;
    size_t i = 0;
    for (const auto& [data, pitch] : of) {
        out.data[i] = data;
        out.pitch[i++] = pitch;
    }
    return out;
}

TEST(ReferenceLoad, FindsEverySampleOfP010) { // 10 bits at the top of little-endian words, Cb and Cr in turn
    const uint8_t luma[] = {0x40, 0x00, 0xC0, 0xFF};   // 1, 1023
    const uint8_t chroma[] = {0x00, 0x80, 0x80, 0x80}; // 512, 514
    const HostPlanes host = planes({{luma, 4}, {chroma, 4}});
    const PixelFormat p010 = pixel_format("p010le");
    EXPECT_EQ(load(host, p010, 0, 0, 0), 1);
    EXPECT_EQ(load(host, p010, 0, 1, 0), 1023);
    EXPECT_EQ(load(host, p010, 1, 0, 0), 512);
    EXPECT_EQ(load(host, p010, 2, 0, 0), 514);
}

TEST(ReferenceLoad, PackedPixelsAndLinesThatGoUp) {
    const uint8_t bytes[] = {1, 2, 3, 4, 5, 6, 7, 8}; // two lines of one pixel
    const HostPlanes upside_down = planes({{bytes + 4, -4}});
    EXPECT_EQ(load(upside_down, pixel_format("argb"), 0, 0, 0), 6); // red of A R G B
    EXPECT_EQ(load(upside_down, pixel_format("argb"), 0, 0, 1), 2);
    EXPECT_EQ(load(upside_down, pixel_format("argb"), 3, 0, 1), 1); // alpha
    const uint8_t yuyv[] = {10, 20, 30, 40};
    EXPECT_EQ(load(planes({{yuyv, 4}}), pixel_format("yuyv422"), 0, 1, 0), 30);
    EXPECT_EQ(load(planes({{yuyv, 4}}), pixel_format("yuyv422"), 2, 0, 0), 40);
}

TEST(ReferenceLoad, APaletteComesOutAsRgba) {
    const uint8_t index[] = {1, 0};
    uint8_t palette[1024] = {0x01, 0x02, 0x03, 0x04, 0x30, 0x20, 0x10, 0xFF}; // words 0xAARRGGBB
    const Samples out = read(planes({{index, 2}, {palette, 1024}}), format("pal8", 2, 1));
    EXPECT_EQ(out.format.pixels.name, "rgba");
    EXPECT_EQ(out.at(0, 0, 0), 0x10);
    EXPECT_EQ(out.at(2, 0, 0), 0x30);
    EXPECT_EQ(out.at(3, 1, 0), 0x04);
}

TEST(ReferenceWrite, IsTheInverseOfReadForEveryFormat) {
    for (const std::string& name : pixel_format_names()) {
        const PictureFormat f = format(name.c_str(), 5, 3);
        if (f.pixels.is_palette) continue;
        Samples samples = blank(f);
        unsigned seed = 1;
        for (auto& plane : samples.values)
            for (double& value : plane) {
                seed = seed * 1664525u + 1013904223u;
                value = f.pixels.is_float ? (seed >> 8) / 65536.0 : (seed >> 8) % (1u << f.pixels.depth());
            }
        const Planes written = write(samples);
        EXPECT_EQ(read(written.view(), f).values, samples.values) << name;
    }
}

TEST(ReferenceWrite, RoundsHalvesUpAndClips) {
    Samples samples = blank(format("gray", 4, 1));
    samples.values[0] = {-3, 1.5, 2.4999, 300};
    EXPECT_EQ(write(samples).data[0], (std::vector<uint8_t>{0, 2, 2, 255}));
    EXPECT_THROW(write(blank(format("pal8", 4, 1))), Error);
}

TEST(ReferencePixel, LimitedCodesOfTheStandards) { // BT.601 and BT.709: pure red, 8 bit
    expect_rgba(to_rgb(format("yuv444p", 720, 480), {81, 90, 240, 0}), 1, 0, 0, 1, 0.006);
    expect_rgba(to_rgb(format("yuv444p", 1920, 1080), {63, 102, 240, 0}), 1, 0, 0, 1, 0.006);
    const Codes red = from_rgb(format("yuv444p", 1920, 1080), {1, 0, 0, 1});
    EXPECT_NEAR(red[0], 16 + 219 * 0.2126, 1e-9);
    EXPECT_NEAR(red[1], 128 - 224 * 0.2126 / 1.8556, 1e-9);
    EXPECT_NEAR(red[2], 240, 1e-9);
}

TEST(ReferencePixel, AlphaIsFullRangeWhateverTheColour) {
    const PictureFormat f = format("yuva420p", 720, 480);
    EXPECT_NEAR(to_rgb(f, {16, 128, 128, 255}).a, 1, 1e-12);
    EXPECT_NEAR(to_rgb(f, {16, 128, 128, 0}).a, 0, 1e-12);
    EXPECT_NEAR(from_rgb(f, {0, 0, 0, 0.2})[3], 51, 1e-9);
}

TEST(ReferencePixel, GreyIsLuma) {
    expect_rgba(to_rgb(format("ya8", 4, 4), {51, 255, 0, 0}), 0.2, 0.2, 0.2, 1, 1e-12);
    EXPECT_NEAR(from_rgb(format("gray", 1920, 1080), {0, 1, 0, 1})[0], 255 * 0.7152, 1e-9);
}

TEST(ReferencePixel, SixteenBitFullRangeNeutralIsNeutral) {
    const PictureFormat f = format("yuv444p16le", 720, 480, {.range = Range::full});
    expect_rgba(to_rgb(f, {65535, 32768, 32768, 0}), 1, 1, 1, 1, 1e-12);
}

TEST(ReferencePixel,
     WideGamutGoesThroughLight) { // BT.2087: BT.709 green is 0.3293, 0.9195, 0.0880 in BT.2020 light
    const ColourSpec narrow{Matrix::rgb, Range::full, Transfer::srgb, Primaries::bt709, ChromaSite::left};
    ColourSpec wide = narrow;
    wide.primaries = Primaries::bt2020;
    const Rgba green = convert(Rgba{0, 1, 0, 0.5}, narrow, wide);
    EXPECT_NEAR(to_linear(Transfer::srgb, green.r), 0.3293, 6e-5);
    EXPECT_NEAR(to_linear(Transfer::srgb, green.g), 0.9195, 6e-5);
    EXPECT_NEAR(to_linear(Transfer::srgb, green.b), 0.0880, 6e-5);
    EXPECT_EQ(green.a, 0.5);
    ColourSpec tagged = narrow;
    tagged.transfer = Transfer::bt709;
    tagged.primaries = Primaries::bt601_525;
    expect_rgba(convert(Rgba{0.1, 0.2, 0.3, 1}, tagged, narrow), 0.1, 0.2, 0.3, 1, 0); // SDR counts as equal
    ColourSpec pq = wide;
    pq.transfer = Transfer::pq;
    EXPECT_NEAR(convert(Rgba{1, 1, 1, 1}, narrow, pq).g, 0.5807, 1e-4); // white is 203 cd/m2, 58 % (BT.2408)
}

TEST(ReferenceChroma, UpsamplingFollowsTheSite) {
    PictureFormat f = format("yuv422p", 6, 1);
    f.colour.chroma = ChromaSite::left;
    Samples samples = blank(f);
    samples.values[1] = {10, 20, 40};
    EXPECT_EQ(chroma_at(samples, 1, 0, 0), 10);
    EXPECT_EQ(chroma_at(samples, 1, 1, 0), 15);
    EXPECT_EQ(chroma_at(samples, 1, 2, 0), 20);
    EXPECT_EQ(chroma_at(samples, 1, 5, 0), 40) << "the edge replicates";
    samples.format.colour.chroma = ChromaSite::centre;
    EXPECT_EQ(chroma_at(samples, 1, 0, 0), 10);
    EXPECT_EQ(chroma_at(samples, 1, 1, 0), 12.5);
    EXPECT_EQ(chroma_at(samples, 1, 2, 0), 17.5);
}

TEST(ReferenceConvert, ChromaGoesDownByItsSite) {
    const PictureFormat from = format("yuv444p", 6, 2);
    Samples samples = blank(from);
    samples.values[0].assign(12, 126);
    samples.values[1] = {0, 8, 16, 24, 32, 40, 0, 8, 16, 24, 32, 40};
    for (double& cb : samples.values[1])
        cb += 100;
    samples.values[2].assign(12, 128);
    PictureFormat to = format("yuv420p", 6, 2);
    to.colour.chroma = ChromaSite::centre;
    const Samples centred = convert(samples, to); // pairs: 4, 20, 36
    ASSERT_EQ(centred.values[1].size(), 3u);
    EXPECT_NEAR(centred.at(1, 0, 0), 104, 1e-9);
    EXPECT_NEAR(centred.at(1, 1, 0), 120, 1e-9);
    to.colour.chroma = ChromaSite::left;
    const Samples left = convert(samples, to); // 1 2 1 over 4
    EXPECT_NEAR(left.at(1, 0, 0), 102, 1e-9) << "(0 + 2*0 + 8) / 4, the edge replicated";
    EXPECT_NEAR(left.at(1, 1, 0), 116, 1e-9);
    EXPECT_NEAR(left.at(1, 2, 0), 132, 1e-9);
    EXPECT_NEAR(left.at(0, 3, 1), 126, 1e-9);
}

TEST(ReferenceConvert, ThereAndBackIsTheSamePicture) {
    Samples rgb = blank(format("rgb24", 8, 4));
    for (int y = 0; y < 4; ++y)
        for (int x = 0; x < 8; ++x) {
            rgb(0, x, y) = 20 * x;
            rgb(1, x, y) = 255 - 30 * y;
            rgb(2, x, y) = 10 * x + 20 * y;
        }
    for (const char* name : {"yuv444p", "yuv444p16le", "gbrp", "bgra64le", "gbrpf32le"}) {
        const Samples back = convert(convert(rgb, format(name, 8, 4)), rgb.format);
        for (size_t c = 0; c < 3; ++c)
            for (size_t i = 0; i < rgb.values[c].size(); ++i)
                EXPECT_NEAR(back.values[c][i], rgb.values[c][i], 1e-9);
    }
}

TEST(ReferenceConvert, PremultipliedAndStraight) {
    PictureFormat straight = format("rgba", 1, 1), weighted = straight;
    weighted.premultiplied = true;
    Samples pixel = blank(straight);
    pixel.values = {{{200}, {100}, {50}, {51}}};
    const Samples out = convert(pixel, weighted);
    EXPECT_NEAR(out.at(0, 0, 0), 40, 1e-9);
    EXPECT_NEAR(convert(out, straight).at(0, 0, 0), 200, 1e-9);
    pixel.values = {{{200}, {100}, {50}, {0}}};
    EXPECT_EQ(convert(convert(pixel, weighted), straight).at(0, 0, 0), 0) << "no alpha, no colour";
}

TEST(ReferenceConvert, SizesMustAgree) {
    EXPECT_THROW(convert(blank(format("gray", 4, 4)), format("gray", 5, 4)), Error);
}

} // namespace
} // namespace weft::colour::reference
