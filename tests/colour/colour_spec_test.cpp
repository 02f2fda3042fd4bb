// Expected numbers are printed in the recommendations named beside them.
#include "colour/colour_spec.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace weft::colour {
namespace {

constexpr double exact = 1e-12;

ColourSpec spec(Matrix matrix, Range range) {
    return {matrix, range, Transfer::bt709, Primaries::bt709, ChromaSite::left};
}

// Codes of `depth` bits, rounded, for display R'G'B'.
std::array<int, 3> codes(const ColourSpec& colour, int depth, const Vec3& rgb) {
    const Affine3 map = rgb_to_stored(colour);
    const Vec3 linear = map.m * rgb;
    std::array<int, 3> out{};
    for (size_t i = 0; i < 3; ++i) {
        const double stored = linear[i] + map.offset[i] - stored_offset(colour.range, depth, i > 0);
        out[i] = static_cast<int>(std::lround(stored / stored_unit(colour.range, depth)));
    }
    return out;
}

using Triple = std::array<int, 3>;

TEST(ColourSpec, PrimariesOfBt709AsLimitedEightBitCodes) { // BT.709-6 items 3.2 to 3.5
    const ColourSpec hd = spec(Matrix::bt709, Range::limited);
    EXPECT_EQ(codes(hd, 8, {1, 0, 0}), (Triple{63, 102, 240}));
    EXPECT_EQ(codes(hd, 8, {0, 1, 0}), (Triple{173, 42, 26}));
    EXPECT_EQ(codes(hd, 8, {0, 0, 1}), (Triple{32, 240, 118}));
    EXPECT_EQ(codes(hd, 8, {1, 1, 1}), (Triple{235, 128, 128}));
    EXPECT_EQ(codes(hd, 8, {0, 0, 0}), (Triple{16, 128, 128}));
}

TEST(ColourSpec, PrimariesOfBt601AsLimitedEightBitCodes) { // BT.601-7 clause 2.5
    const ColourSpec sd = spec(Matrix::bt601, Range::limited);
    EXPECT_EQ(codes(sd, 8, {1, 0, 0}), (Triple{81, 90, 240}));
    EXPECT_EQ(codes(sd, 8, {0, 1, 0}), (Triple{145, 54, 34}));
    EXPECT_EQ(codes(sd, 8, {0, 0, 1}), (Triple{41, 240, 110}));
}

TEST(ColourSpec, SeventyFivePercentBarsOfStandardDefinition) { // BT.1729 / EBU 100/0/75/0, 8 bit
    const ColourSpec sd = spec(Matrix::bt601, Range::limited);
    EXPECT_EQ(codes(sd, 8, {.75, .75, .75}), (Triple{180, 128, 128}));
    EXPECT_EQ(codes(sd, 8, {.75, .75, 0}), (Triple{162, 44, 142}));
    EXPECT_EQ(codes(sd, 8, {0, .75, .75}), (Triple{131, 156, 44}));
    EXPECT_EQ(codes(sd, 8, {0, .75, 0}), (Triple{112, 72, 58}));
    EXPECT_EQ(codes(sd, 8, {.75, 0, .75}), (Triple{84, 184, 198}));
    EXPECT_EQ(codes(sd, 8, {.75, 0, 0}), (Triple{65, 100, 212}));
    EXPECT_EQ(codes(sd, 8, {0, 0, .75}), (Triple{35, 212, 114}));
}

TEST(ColourSpec, SeventyFivePercentBarsOfHighDefinition) { // SMPTE RP 219-1, 10 bit
    const ColourSpec hd = spec(Matrix::bt709, Range::limited);
    EXPECT_EQ(codes(hd, 10, {.75, .75, .75}), (Triple{721, 512, 512}));
    EXPECT_EQ(codes(hd, 10, {.75, .75, 0}), (Triple{674, 176, 543}));
    EXPECT_EQ(codes(hd, 10, {0, .75, .75}), (Triple{581, 589, 176}));
    EXPECT_EQ(codes(hd, 10, {0, .75, 0}), (Triple{534, 253, 207}));
    EXPECT_EQ(codes(hd, 10, {.75, 0, .75}), (Triple{251, 771, 817}));
    EXPECT_EQ(codes(hd, 10, {.75, 0, 0}), (Triple{204, 435, 848}));
    EXPECT_EQ(codes(hd, 10, {0, 0, .75}), (Triple{111, 848, 481}));
}

TEST(ColourSpec, MatrixCoefficientsAsPrinted) {
    struct Printed {
        Matrix matrix;
        double red_cr, green_cb, green_cr, blue_cb;
    };
    constexpr double last_digit = 5e-5;
    for (const Printed& p :
         {Printed{Matrix::bt601, 1.402, -0.3441, -0.7141, 1.772},       // JFIF 1.02
          Printed{Matrix::bt709, 1.5748, -0.1873, -0.4681, 1.8556},     // BT.709-6 inverse of 3.2, 3.3
          Printed{Matrix::bt2020, 1.4746, -0.1646, -0.5714, 1.8814}}) { // BT.2020-2 table 4
        const LumaWeights weights = luma_weights(p.matrix);
        const Mat3 m = ycbcr_to_rgb(weights.kr, weights.kb);
        for (int row = 0; row < 3; ++row)
            EXPECT_EQ(m(row, 0), 1);
        EXPECT_NEAR(m(0, 2), p.red_cr, last_digit);
        EXPECT_NEAR(m(1, 1), p.green_cb, last_digit);
        EXPECT_NEAR(m(1, 2), p.green_cr, last_digit);
        EXPECT_NEAR(m(2, 1), p.blue_cb, last_digit);
        EXPECT_EQ(m(0, 1), 0);
        EXPECT_EQ(m(2, 2), 0);
    }
}

TEST(ColourSpec, ImpossibleLumaWeightsAreRefused) {
    EXPECT_THROW(ycbcr_to_rgb(0, 0.1), Error);
    EXPECT_THROW(ycbcr_to_rgb(0.3, -0.1), Error);
    EXPECT_THROW(ycbcr_to_rgb(0.5, 0.5), Error);
    EXPECT_THROW(ycbcr_to_rgb(std::nan(""), 0.1), Error);
    try {
        ycbcr_to_rgb(0.7, 0.4);
        FAIL();
    } catch (const Error& e) {
        EXPECT_EQ(e.kind(), ErrorKind::bad_input);
        EXPECT_NE(e.message().find("0.7"), std::string::npos);
    }
}

TEST(ColourSpec, CodesOfBlackWhiteAndChromaPeaks) { // BT.2100-2 table 9
    struct Printed {
        Range range;
        int depth;
        double black, white, chroma_low, chroma_zero, chroma_high;
    };
    for (const Printed& p : {Printed{Range::limited, 8, 16, 235, 16, 128, 240},
                             Printed{Range::limited, 10, 64, 940, 64, 512, 960},
                             Printed{Range::limited, 12, 256, 3760, 256, 2048, 3840},
                             Printed{Range::full, 10, 0, 1023, 0.5, 512, 1023.5},
                             Printed{Range::full, 12, 0, 4095, 0.5, 2048, 4095.5}}) {
        SCOPED_TRACE(name(p.range) + " " + std::to_string(p.depth));
        const CodeScale luma = code_scale(p.range, p.depth, false),
                        chroma = code_scale(p.range, p.depth, true);
        EXPECT_EQ(luma.offset, p.black);
        EXPECT_EQ(luma.offset + luma.scale, p.white);
        EXPECT_EQ(chroma.offset - chroma.scale / 2, p.chroma_low);
        EXPECT_EQ(chroma.offset, p.chroma_zero);
        EXPECT_EQ(chroma.offset + chroma.scale / 2, p.chroma_high);
    }
}

// Stored values mean the same at every depth: a nominal value's code, times unit, plus offset, is one number.
TEST(ColourSpec, StoredValuesDoNotDependOnDepth) {
    for (const Range range : {Range::limited, Range::full})
        for (const bool chroma : {false, true})
            for (const int depth : {8, 10, 12, 16}) {
                const CodeScale scale = code_scale(range, depth, chroma);
                const double zero =
                    scale.offset * stored_unit(range, depth) + stored_offset(range, depth, chroma);
                const double span = scale.scale * stored_unit(range, depth);
                EXPECT_NEAR(zero, chroma ? 128.0 / 255 : range == Range::limited ? 16.0 / 255 : 0, exact);
                EXPECT_NEAR(span, range == Range::full ? 1 : chroma ? 224.0 / 255 : 219.0 / 255, exact);
            }
}

TEST(ColourSpec, StoredRangeNamesTheCentreOfLumaAndOfChroma) {
    const StoredRange luma = stored_range(spec(Matrix::bt709, Range::limited), false);
    EXPECT_NEAR(luma.lo, 16.0 / 255, exact);
    EXPECT_NEAR(luma.mid, 127.5 / 255, exact);
    EXPECT_NEAR(luma.hi, 235.0 / 255, exact);
    const StoredRange chroma = stored_range(spec(Matrix::bt709, Range::limited), true);
    EXPECT_NEAR(chroma.mid, 128.0 / 255, exact);
    EXPECT_NEAR(chroma.hi, 240.0 / 255, exact);
    const StoredRange full = stored_range(spec(Matrix::rgb, Range::full), false);
    EXPECT_EQ(full.lo, 0);
    EXPECT_EQ(full.hi, 1);
}

TEST(ColourSpec, StoredAndRgbAreInverse) {
    for (const Matrix matrix :
         {Matrix::rgb, Matrix::bt601, Matrix::bt709, Matrix::bt2020, Matrix::fcc, Matrix::smpte240m})
        for (const Range range : {Range::limited, Range::full}) {
            const Affine3 to = stored_to_rgb(spec(matrix, range)), from = rgb_to_stored(spec(matrix, range));
            const Vec3 value{0.25, 0.75, 0.4};
            Vec3 rgb = to.m * value;
            for (size_t i = 0; i < 3; ++i)
                rgb[i] += to.offset[i];
            const Vec3 back = from.m * rgb;
            for (size_t i = 0; i < 3; ++i)
                EXPECT_NEAR(back[i] + from.offset[i], value[i], exact);
        }
}

TEST(ColourSpec, UntaggedVideoFollowsItsSize) {
    const PixelFormat yuv = pixel_format("yuv420p");
    EXPECT_EQ(resolve({}, yuv, 1920, 1080), (ColourSpec{Matrix::bt709, Range::limited, Transfer::bt709,
                                                        Primaries::bt709, ChromaSite::left}));
    EXPECT_EQ(resolve({}, yuv, 1280, 400).matrix, Matrix::bt709);
    EXPECT_EQ(resolve({}, yuv, 1279, 577).matrix, Matrix::bt709);
    EXPECT_EQ(resolve({}, yuv, 1279, 576).matrix, Matrix::bt601);
    EXPECT_EQ(resolve({}, yuv, 720, 576).primaries, Primaries::bt601_625);
    EXPECT_EQ(resolve({}, yuv, 720, 480).primaries, Primaries::bt601_525);
}

TEST(ColourSpec, UntaggedJpegIsFullAndCentred) {
    const ColourSpec jpeg = resolve({}, pixel_format("yuvj420p"), 640, 480);
    EXPECT_EQ(jpeg.range, Range::full);
    EXPECT_EQ(jpeg.chroma, ChromaSite::centre);
    EXPECT_EQ(jpeg.matrix, Matrix::bt601);
}

TEST(ColourSpec, UntaggedRgbIsFullSrgbAtAnySize) {
    for (const char* format : {"rgb24", "gbrp10le", "pal8"}) {
        const ColourSpec rgb = resolve({}, pixel_format(format), 320, 240);
        EXPECT_EQ(rgb,
                  (ColourSpec{Matrix::rgb, Range::full, Transfer::srgb, Primaries::bt709, ChromaSite::left}));
    }
}

TEST(ColourSpec, TagsAreKept) {
    const ColourSpec hdr{Matrix::bt2020, Range::full, Transfer::pq, Primaries::bt2020, ChromaSite::top_left};
    EXPECT_EQ(resolve(hdr, pixel_format("yuv420p10le"), 640, 480), hdr);
    EXPECT_EQ(resolve({.range = Range::limited}, pixel_format("rgb24"), 640, 480).range, Range::limited);
}

TEST(ColourSpec, MatrixTagsThatContradictTheSamplesAreIgnored) {
    EXPECT_EQ(resolve({.matrix = Matrix::bt709}, pixel_format("rgb24"), 640, 480).matrix, Matrix::rgb);
    EXPECT_EQ(resolve({.matrix = Matrix::rgb}, pixel_format("yuv444p"), 640, 480).matrix, Matrix::bt601);
}

TEST(ColourSpec, NothingStaysUnspecified) {
    for (const std::string& format : pixel_format_names()) {
        const ColourSpec all = resolve({}, pixel_format(format), 640, 360);
        EXPECT_NE(all.matrix, Matrix::unspecified);
        EXPECT_NE(all.range, Range::unspecified);
        EXPECT_NE(all.transfer, Transfer::unspecified);
        EXPECT_NE(all.primaries, Primaries::unspecified);
        EXPECT_NE(all.chroma, ChromaSite::unspecified);
    }
}

TEST(ColourSpec, ChromaSitesInLumaSamples) { // H.264 / H.273 figure of chroma sample locations
    EXPECT_EQ(chroma_offset_x(ChromaSite::left, 1), 0);
    EXPECT_EQ(chroma_offset_y(ChromaSite::left, 1), 0.5);
    EXPECT_EQ(chroma_offset_x(ChromaSite::centre, 1), 0.5);
    EXPECT_EQ(chroma_offset_x(ChromaSite::centre, 2), 1.5);
    EXPECT_EQ(chroma_offset_x(ChromaSite::top_left, 1), 0);
    EXPECT_EQ(chroma_offset_y(ChromaSite::top_left, 1), 0);
    EXPECT_EQ(chroma_offset_x(ChromaSite::top, 1), 0.5);
    EXPECT_EQ(chroma_offset_y(ChromaSite::top, 1), 0);
    EXPECT_EQ(chroma_offset_y(ChromaSite::left, 0), 0); // no subsampling, no offset
}

} // namespace
} // namespace weft::colour
