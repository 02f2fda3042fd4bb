// The picture that stands in for one that does not come.
#include <gtest/gtest.h>

#include "engine/placeholder.hpp"

namespace weft::engine {
namespace {

colour::PictureFormat format_of(const std::string& pixels, int width, int height,
                                colour::Range range = colour::Range::limited) {
    colour::PictureFormat format;
    format.width = width;
    format.height = height;
    format.pixels = colour::pixel_format(pixels);
    format.colour.range = range;
    return format;
}

// Every format: dark, 0.12 of nominal white, in the corner; its name in 0.55.
TEST(Placeholder, IsDarkInAnyFormat) {
    for (const std::string& name : colour::pixel_format_names()) {
        const colour::PixelFormat pixels = colour::pixel_format(name);
        if (pixels.is_float || pixels.is_palette) continue;
        const auto range =
            pixels.model == colour::Model::ycbcr ? colour::Range::limited : colour::Range::full;
        const colour::PictureFormat format = format_of(name, 96, 48, range);
        const HostPlaceholder picture("CAM-1", format);
        const colour::Component& first = pixels.components[0];
        int bright = 0, other = 0;
        for (int y = 0; y < 48; ++y)
            for (int x = 0; x < 96; ++x) {
                const uint8_t* const at = picture.planes().data[first.plane] +
                                          y * picture.planes().pitch[first.plane] + x * first.step +
                                          first.offset;
                int word = 0;
                for (int i = 0; i < pixels.sample_bytes(); ++i)
                    word |= at[i] << (8 * i);
                const int code = word >> first.shift & ((1 << first.depth) - 1);
                const double unit = range == colour::Range::limited
                                        ? (code / double(1 << (first.depth - 8)) - 16) / 219
                                        : code / double((1 << first.depth) - 1);
                const bool is_dark = std::abs(unit - 0.12) < 0.5 / 31,
                           is_light = std::abs(unit - 0.55) < 0.5 / 31;
                bright += is_light ? 1 : 0;
                other += is_dark || is_light ? 0 : 1;
                if (x < 8 || y < 8) {
                    EXPECT_TRUE(is_dark) << name << " " << code << " at " << x << "," << y;
                }
            }
        EXPECT_EQ(other, 0) << name;
        // C 8 dots, A 10, M 11, - 3, 1 8: forty, each of 2 x 2 samples.
        EXPECT_EQ(bright, 40 * 4) << name;
    }
}

// The stored picture of one that is shown upright after a quarter turn clockwise.
TEST(Placeholder, StandsUprightLikeItsInput) {
    colour::PictureFormat upright = format_of("gray", 48, 96, colour::Range::full), lying = upright;
    std::swap(lying.width, lying.height);
    lying.rotation = 1;
    const HostPlaceholder a("F", upright), b("F", lying);
    for (int y = 0; y < 48; ++y)
        for (int x = 0; x < 96; ++x)
            EXPECT_EQ(b.planes().data[0][y * b.planes().pitch[0] + x],
                      a.planes().data[0][x * a.planes().pitch[0] + (47 - y)])
                << x << "," << y;
}

} // namespace
} // namespace weft::engine
