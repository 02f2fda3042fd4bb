#include "colour/picture_format.hpp"

#include <gtest/gtest.h>

namespace weft::colour {
namespace {

PictureFormat format(int width, int height, Rational aspect, int rotation = 0) {
    PictureFormat out;
    out.width = width;
    out.height = height;
    out.pixels = pixel_format("yuv420p");
    out.sample_aspect = aspect;
    out.rotation = rotation;
    return out;
}

void expect_display(const PictureFormat& f, int width, int height) {
    EXPECT_EQ(f.display_width(), width);
    EXPECT_EQ(f.display_height(), height);
}

TEST(PictureFormat, DisplaySizeTakesTheLongerReading) {
    expect_display(format(1920, 1080, Rational(1)), 1920, 1080);
    expect_display(format(720, 576, Rational(64, 45)), 1024, 576);  // PAL 16:9
    expect_display(format(720, 480, Rational(32, 27)), 853, 480);   // NTSC 16:9: 853.3
    expect_display(format(720, 480, Rational(8, 9)), 720, 540);     // NTSC 4:3: nothing is thrown away
    expect_display(format(1440, 1080, Rational(4, 3)), 1920, 1080); // HDV
}

TEST(PictureFormat, QuarterTurnsSwapTheAxes) {
    expect_display(format(1920, 1080, Rational(1), 1), 1080, 1920);
    expect_display(format(1920, 1080, Rational(1), 2), 1920, 1080);
    expect_display(format(720, 576, Rational(64, 45), 3), 576, 1024);
}

TEST(PictureFormat, AnAspectThatMeansNothingIsSquare) {
    expect_display(format(640, 480, Rational(0)), 640, 480);
    expect_display(format(640, 480, Rational(-4, 3)), 640, 480);
}

TEST(PictureFormat, ValidNeedsSizeAndPixels) {
    EXPECT_TRUE(format(1, 1, Rational(1)).valid());
    EXPECT_FALSE(format(0, 1, Rational(1)).valid());
    EXPECT_FALSE(PictureFormat{}.valid());
}

} // namespace
} // namespace weft::colour
