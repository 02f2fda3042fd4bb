// The colour reference against libswscale at its most accurate, over every matrix and range.
#include "colour/reference.hpp"

#include <array>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

extern "C" {
#include <libswscale/swscale.h>
}

namespace weft::colour {
namespace {

// libswscale computes with 14 to 16 bits and rounds to the 8 bits of its output, as does our side: one code.
constexpr double one_code = 1.0;

int sws_matrix(Matrix matrix) {
    switch (matrix) {
    case Matrix::bt709:
        return SWS_CS_ITU709;
    case Matrix::bt2020:
        return SWS_CS_BT2020;
    case Matrix::fcc:
        return SWS_CS_FCC;
    case Matrix::smpte240m:
        return SWS_CS_SMPTE240M;
    default:
        return SWS_CS_ITU601;
    }
}

struct Pair {
    AVPixelFormat from_id, to_id;
    PictureFormat from, to;
};

// The same bytes through libswscale.
reference::Samples swscaled(const Pair& pair, const reference::Planes& source) {
    SwsContext* context = sws_getContext(
        pair.from.width, pair.from.height, pair.from_id, pair.to.width, pair.to.height, pair.to_id,
        SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT | SWS_FULL_CHR_H_INP | SWS_BITEXACT, nullptr, nullptr, nullptr);
    const PictureFormat& ycbcr = pair.from.pixels.model == Model::rgb ? pair.to : pair.from;
    const int* table = sws_getCoefficients(sws_matrix(ycbcr.colour.matrix));
    sws_setColorspaceDetails(context, table, pair.from.colour.range == Range::full, table,
                             pair.to.colour.range == Range::full, 0, 1 << 16, 1 << 16);
    reference::Planes out = reference::write(reference::blank(pair.to));
    const HostPlanes in = source.view();
    std::array<uint8_t*, 4> data{};
    for (size_t i = 0; i < 4; ++i)
        data[i] = out.data[i].empty() ? nullptr : out.data[i].data();
    sws_scale(context, in.data.data(), in.pitch.data(), 0, pair.from.height, data.data(), out.pitch.data());
    sws_freeContext(context);
    return reference::read(out.view(), pair.to);
}

PictureFormat picture(const char* name, Matrix matrix, Range range) {
    PictureFormat out;
    out.width = 64;
    out.height = 32;
    out.pixels = pixel_format(name);
    out.colour = resolve({.matrix = matrix, .range = range}, out.pixels, out.width, out.height);
    return out;
}

// Colours well inside the cube, so that neither side clips.
reference::Samples colours(const PictureFormat& rgb) {
    reference::Samples out = reference::blank(rgb);
    std::mt19937 random(7);
    for (size_t c = 0; c < 3; ++c)
        for (double& value : out.values[c])
            value = 16 + static_cast<double>(random() % 224);
    return out;
}

void expect_near(const reference::Samples& expected, const reference::Samples& got) {
    double worst = 0;
    for (size_t c = 0; c < 3; ++c)
        for (size_t i = 0; i < expected.values[c].size(); ++i)
            worst = std::max(worst, std::abs(std::floor(expected.values[c][i] + 0.5) - got.values[c][i]));
    EXPECT_LE(worst, one_code);
}

TEST(ColourReference, AgreesWithSwscaleInBothDirections) {
    for (const Matrix matrix : {Matrix::bt601, Matrix::bt709, Matrix::bt2020, Matrix::fcc, Matrix::smpte240m})
        for (const Range range : {Range::limited, Range::full}) {
            SCOPED_TRACE(name(matrix) + " " + name(range));
            const PictureFormat rgb = picture("gbrp", Matrix::rgb, Range::full);
            const PictureFormat ycbcr = picture("yuv444p", matrix, range);
            const reference::Samples source = colours(rgb);
            const reference::Planes coded = reference::write(reference::convert(source, ycbcr));
            {
                SCOPED_TRACE("from R'G'B'");
                expect_near(
                    reference::convert(source, ycbcr),
                    swscaled({AV_PIX_FMT_GBRP, AV_PIX_FMT_YUV444P, rgb, ycbcr}, reference::write(source)));
            }
            {
                SCOPED_TRACE("to R'G'B'");
                expect_near(reference::convert(reference::read(coded.view(), ycbcr), rgb),
                            swscaled({AV_PIX_FMT_YUV444P, AV_PIX_FMT_GBRP, ycbcr, rgb}, coded));
            }
        }
}

} // namespace
} // namespace weft::colour
