#include "bench/content.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "colour/reference.hpp"

namespace weft::bench {
namespace {

colour::HostPlanes planes_of(const colour::PictureFormat& format, const std::vector<uint8_t>& bytes) {
    colour::HostPlanes planes;
    const uint8_t* at = bytes.data();
    for (int p = 0; p < format.pixels.plane_count; ++p) {
        planes.data[static_cast<size_t>(p)] = at;
        planes.pitch[static_cast<size_t>(p)] = format.pixels.plane_line_bytes(p, format.width);
        at += planes.pitch[static_cast<size_t>(p)] * format.pixels.plane_lines(p, format.height);
    }
    return planes;
}

class Content : public testing::TestWithParam<const char*> {};

// Read back by the slow reference loads: every component within the codes that the content is made of.
TEST_P(Content, fills_every_component) {
    const colour::PictureFormat format = picture_format(GetParam(), 70, 66);
    const std::vector<uint8_t> bytes = content(format, 3);
    const colour::reference::Samples samples = colour::reference::read(planes_of(format, bytes), format);
    for (int c = 0; c < format.pixels.component_count; ++c) {
        const std::vector<double>& values = samples.values[static_cast<size_t>(c)];
        const double one = format.pixels.is_float
                               ? 1.0 / 255
                               : std::exp2(format.pixels.components[static_cast<size_t>(c)].depth - 8);
        const auto [least, most] = std::minmax_element(values.begin(), values.end());
        EXPECT_GE(*least, std::floor(16 * one)) << c;
        EXPECT_LE(*most, 236 * one) << c;
        EXPECT_GT(*most - *least, 40 * one) << c; // a wave of 30 or more to each side
    }
}
INSTANTIATE_TEST_SUITE_P(formats, Content,
                         testing::Values("yuv420p", "yuv422p10le", "p010le", "nv12", "yuyv422", "rgba",
                                         "gbrp", "gbrpf32le", "gray", "yuva444p12le"));

TEST(ContentOf, pictures_and_loops_differ) {
    const colour::PictureFormat format = picture_format("yuv420p", 64, 64);
    EXPECT_EQ(content(format, 1).size(), 64u * 64 * 3 / 2);
    EXPECT_EQ(content(format, 1), content(format, 1));
    EXPECT_NE(content(format, 1), content(format, 2));
    EXPECT_NE(content(format, 1, 0), content(format, 1, 1));
}

TEST(ContentOf, palettes_are_refused) {
    EXPECT_THROW(picture_format("pal8", 64, 64), Error);
}

} // namespace
} // namespace weft::bench
