// What needs no FFmpeg; tests/media/pixel_format_test.cpp compares the table with libavutil's.
#include "colour/pixel_format.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace weft::colour {
namespace {

TEST(PixelFormat, UnknownNamesSuggestTheNearest) {
    try {
        pixel_format("yuv420p10lee");
        FAIL();
    } catch (const Error& e) {
        EXPECT_EQ(e.kind(), ErrorKind::unsupported);
        EXPECT_NE(e.message().find("'yuv420p10lee'"), std::string::npos) << e.message();
        EXPECT_NE(e.message().find("'yuv420p10le'"), std::string::npos) << e.message();
    }
}

TEST(PixelFormat, TheByteOrderMayBeLeftOut) {
    EXPECT_EQ(pixel_format("yuv420p10").name, "yuv420p10le");
    EXPECT_EQ(pixel_format("p010").name, "p010le");
    EXPECT_TRUE(has_device_loader("gray16"));
}

TEST(PixelFormat, BayerBitsAndBigEndianHaveNoLoader) {
    for (const char* name : {"bayer_bggr8", "monob", "gray16be", "xyz12le", "rgb565le", ""})
        EXPECT_FALSE(has_device_loader(name)) << name;
    for (const std::string& name : pixel_format_names())
        EXPECT_TRUE(has_device_loader(name));
}

TEST(PixelFormat, ComponentSizesRoundUp) {
    const PixelFormat yuv = pixel_format("yuv420p");
    EXPECT_EQ(yuv.component_width(0, 7), 7);
    EXPECT_EQ(yuv.component_width(1, 7), 4);
    EXPECT_EQ(yuv.component_height(2, 5), 3);
    EXPECT_EQ(pixel_format("yuv410p").component_width(1, 5), 2);
    EXPECT_EQ(pixel_format("gbrp").component_width(1, 7), 7);
}

TEST(PixelFormat, PlaneSizes) {
    const PixelFormat p010 = pixel_format("p010le");
    EXPECT_EQ(p010.plane_line_bytes(0, 7), 14);
    EXPECT_EQ(p010.plane_line_bytes(1, 7), 16);
    EXPECT_EQ(p010.plane_lines(1, 5), 3);
    EXPECT_EQ(p010.sample_bytes(), 2);
    EXPECT_EQ(pixel_format("yuyv422").plane_line_bytes(0, 7), 16);
    EXPECT_EQ(pixel_format("rgb24").plane_line_bytes(0, 7), 21);
    EXPECT_EQ(pixel_format("pal8").plane_line_bytes(1, 7), 1024);
    EXPECT_EQ(pixel_format("pal8").plane_lines(1, 7), 1);
    EXPECT_EQ(pixel_format("gbrpf32le").plane_line_bytes(2, 7), 28);
}

} // namespace
} // namespace weft::colour
