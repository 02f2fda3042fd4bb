#include "present/letterbox.hpp"

#include <gtest/gtest.h>

namespace weft::present {
namespace {

TEST(Letterbox, SameSizeFillsTheWindow) {
    EXPECT_EQ(letterbox(1920, 1080, 1920, 1080), (Rect{0, 0, 1920, 1080}));
    EXPECT_EQ(letterbox(161, 121, 161, 121), (Rect{0, 0, 161, 121}));
}

TEST(Letterbox, BarsAboveAndBelowInATallerWindow) {
    // 16:9 in 4:3: 1024 * 9 / 16 = 576, (768 - 576) / 2 = 96.
    EXPECT_EQ(letterbox(1920, 1080, 1024, 768), (Rect{0, 96, 1024, 576}));
}

TEST(Letterbox, BarsAtTheSidesInAWiderWindow) {
    // 3:4 in 16:9: 1080 * 3 / 4 = 810, (1920 - 810) / 2 = 555.
    EXPECT_EQ(letterbox(600, 800, 1920, 1080), (Rect{555, 0, 810, 1080}));
}

TEST(Letterbox, RoundsToTheNearestPixel) {
    // 100 * 50 / 161 = 31.06, 100 * 121 / 161 = 75.16.
    EXPECT_EQ(letterbox(161, 50, 100, 100), (Rect{0, 34, 100, 31}));
    EXPECT_EQ(letterbox(161, 121, 100, 100), (Rect{0, 12, 100, 75}));
}

TEST(Letterbox, NeverVanishesAndNeverOverflows) {
    EXPECT_EQ(letterbox(10000, 1, 100, 100).height, 1);
    EXPECT_EQ(letterbox(1, 10000, 100, 100).width, 1);
    const Rect wide = letterbox(16384, 16384, 16384, 16383);
    EXPECT_EQ(wide, (Rect{0, 0, 16383, 16383}));
}

TEST(FittedWindow, KeepsTheSizeThatFits) {
    EXPECT_EQ(fitted_window(640, 360, 1280, 960), (Rect{0, 0, 640, 360}));
}

TEST(FittedWindow, ShrinksInProportion) {
    EXPECT_EQ(fitted_window(3840, 2160, 1280, 960), (Rect{0, 0, 1280, 720}));
    EXPECT_EQ(fitted_window(1080, 1920, 1280, 960), (Rect{0, 0, 540, 960}));
}

} // namespace
} // namespace weft::present
