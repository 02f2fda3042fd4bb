// Pictures in a real window on a real X server: compared through GL and as the ffmpeg program sees the
// screen.
#include "present/window.hpp"

#include <chrono>
#include <thread>

#include <SDL.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "present/interop.hpp"
#include "present/overlay.hpp"
#include "present/painter.hpp"
#include "virtual_display.hpp"

namespace weft::present {
namespace {

using testing::grab_screen;
using testing::need_display;

// Every pixel differs from its neighbours; alpha is opaque.
OwnedPicture coloured(int width, int height) {
    OwnedPicture picture{{}, width, height};
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            picture.pixels.push_back(static_cast<uint8_t>(x * 7 + y));
            picture.pixels.push_back(static_cast<uint8_t>(y * 5 + 2 * x));
            picture.pixels.push_back(static_cast<uint8_t>((x * y) >> 3));
            picture.pixels.push_back(255);
        }
    return picture;
}

OwnedPicture plain(int width, int height, uint8_t r, uint8_t g, uint8_t b) {
    OwnedPicture picture{{}, width, height};
    for (int i = 0; i < width * height; ++i)
        picture.pixels.insert(picture.pixels.end(), {r, g, b, 255});
    return picture;
}

size_t differing(const std::vector<uint8_t>& a, const std::vector<uint8_t>& b) {
    if (a.size() != b.size()) return std::max(a.size(), b.size());
    size_t count = 0;
    for (size_t i = 0; i < a.size(); ++i)
        count += a[i] != b[i];
    return count;
}

struct Rgb {
    int r, g, b;
    friend bool operator==(const Rgb&, const Rgb&) = default;
};
Rgb pixel(const OwnedPicture& p, int x, int y) {
    const size_t i = 4 * (static_cast<size_t>(y) * static_cast<size_t>(p.width) + static_cast<size_t>(x));
    return {p.pixels[i], p.pixels[i + 1], p.pixels[i + 2]};
}

SDL_Window* sdl_window() {
    for (Uint32 id = 1; id < 100; ++id)
        if (SDL_Window* window = SDL_GetWindowFromID(id)) return window;
    return nullptr;
}

// Gives the X server time to map or resize the window: until it has the size, at most 5 s.
void settle(Window& window, PixelSize size) {
    for (int i = 0; i < 500; ++i) {
        window.poll();
        if (window.size() == size && (SDL_GetWindowFlags(sdl_window()) & SDL_WINDOW_SHOWN) != 0) {
            window.swap(); // from here on the back buffer has the size
            return;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    ADD_FAILURE() << "the window never reached " << size.width << "x" << size.height;
}

class InWindow : public ::testing::TestWithParam<InteropPath> {
  protected:
    void SetUp() override { need_display(); }
};

TEST_P(InWindow, SameSizeIsPixelExactThroughGlAndOnTheScreen) {
    Window window;
    Painter painter(window);
    const OwnedPicture picture = coloured(321, 203);
    window.open(picture.width, picture.height);
    settle(window, {321, 203});
    painter.upload(picture.view(), GetParam());
    EXPECT_EQ(painter.draw(window.size()), (Rect{0, 0, 321, 203}));
    EXPECT_EQ(differing(painter.read_drawn(window.size()).pixels, picture.pixels), 0u);
    EXPECT_EQ(differing(painter.read_picture().pixels, picture.pixels), 0u);
    // Twice: the server may have answered the first with a picture of the window before it was mapped.
    window.swap();
    painter.draw(window.size());
    window.swap();
    int x = 0, y = 0;
    SDL_GetWindowPosition(sdl_window(), &x, &y);
    EXPECT_EQ(differing(grab_screen(x, y, 321, 203), picture.pixels), 0u);
}

TEST_P(InWindow, RowsMayHaveGaps) {
    Window window;
    Painter painter(window);
    const OwnedPicture picture = coloured(50, 20);
    const int pitch = 256;
    std::vector<uint8_t> spread(pitch * 20, 99);
    for (size_t y = 0; y < 20; ++y)
        std::copy_n(picture.pixels.begin() + static_cast<ptrdiff_t>(y * 200), 200,
                    spread.begin() + static_cast<ptrdiff_t>(y * pitch));
    painter.upload({spread.data(), pitch, 50, 20}, GetParam());
    EXPECT_EQ(differing(painter.read_picture().pixels, picture.pixels), 0u);
}

TEST_P(InWindow, PicturesFollowEachOtherEvenIfTheSizeChanges) {
    Window window;
    Painter painter(window);
    for (int i = 1; i <= 8; ++i) {
        const OwnedPicture picture = coloured(20 + 13 * (i / 3), 10 + i / 4);
        OwnedPicture turned = picture;
        for (uint8_t& value : turned.pixels)
            value = static_cast<uint8_t>(value + 31 * i);
        painter.upload(turned.view(), GetParam());
        EXPECT_EQ(differing(painter.read_picture().pixels, turned.pixels), 0u) << "picture " << i;
    }
}

INSTANTIATE_TEST_SUITE_P(Paths, InWindow, ::testing::Values(InteropPath::mapped, InteropPath::readback),
                         [](const auto& test) { return name(test.param); });

TEST(Painter, LetterboxesInAResizedWindow) {
    need_display();
    Window window;
    Painter painter(window);
    window.open(160, 90);
    settle(window, {160, 90});
    painter.upload(plain(160, 90, 200, 100, 50).view(), InteropPath::mapped);
    SDL_SetWindowSize(sdl_window(), 400, 600);
    settle(window, {400, 600});
    // 400 * 90 / 160 = 225 rows, (600 - 225) / 2 = 187 rows of black above.
    EXPECT_EQ(painter.draw(window.size()), (Rect{0, 187, 400, 225}));
    const OwnedPicture drawn = painter.read_drawn(window.size());
    for (const int x : {0, 200, 399}) {
        EXPECT_EQ(pixel(drawn, x, 186), (Rgb{0, 0, 0}));
        EXPECT_EQ(pixel(drawn, x, 187), (Rgb{200, 100, 50}));
        EXPECT_EQ(pixel(drawn, x, 411), (Rgb{200, 100, 50}));
        EXPECT_EQ(pixel(drawn, x, 412), (Rgb{0, 0, 0}));
    }
    SDL_SetWindowSize(sdl_window(), 1000, 90);
    settle(window, {1000, 90});
    EXPECT_EQ(painter.draw(window.size()), (Rect{420, 0, 160, 90}));
    const OwnedPicture wide = painter.read_drawn(window.size());
    EXPECT_EQ(pixel(wide, 419, 45), (Rgb{0, 0, 0}));
    EXPECT_EQ(pixel(wide, 420, 45), (Rgb{200, 100, 50}));
    EXPECT_EQ(pixel(wide, 579, 45), (Rgb{200, 100, 50}));
    EXPECT_EQ(pixel(wide, 580, 45), (Rgb{0, 0, 0}));
}

TEST(Painter, ShrinkingAveragesEveryPixel) {
    need_display();
    Window window;
    Painter painter(window);
    // A white pixel in each 4 x 4 block of black: a quarter of the size is 255 / 16 = 15.9 everywhere.
    OwnedPicture picture = plain(400, 240, 0, 0, 0);
    for (size_t y = 1; y < 240; y += 4)
        for (size_t x = 2; x < 400; x += 4)
            for (size_t c = 0; c < 3; ++c)
                picture.pixels[4 * (y * 400 + x) + c] = 255;
    window.open(100, 60);
    settle(window, {100, 60});
    painter.upload(picture.view(), InteropPath::mapped);
    painter.draw(window.size());
    const OwnedPicture drawn = painter.read_drawn(window.size());
    for (int y = 0; y < 60; ++y)
        for (int x = 0; x < 100; ++x)
            ASSERT_NEAR(pixel(drawn, x, y).r, 255.0 / 16, 1.5) << x << "," << y;
}

TEST(Painter, RefusesAPictureLargerThanTextures) {
    need_display();
    Window window;
    Painter painter(window);
    const std::vector<uint8_t> row(4 * 300000);
    try {
        painter.upload({row.data(), 4 * 300000, 300000, 1}, InteropPath::mapped);
        FAIL() << "no error";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::device);
        EXPECT_NE(error.message().find("300000x1"), std::string::npos) << error.what();
    }
}

TEST(Window, InjectedEventsComeOutAsActions) {
    need_display();
    Window window;
    window.open(160, 90);
    settle(window, {160, 90});
    SDL_Event press{};
    press.type = SDL_KEYDOWN;
    press.key.keysym.sym = SDLK_RIGHT;
    ASSERT_EQ(SDL_PushEvent(&press), 1);
    SDL_Event typed{};
    typed.type = SDL_TEXTINPUT;
    typed.text.text[0] = '.';
    ASSERT_EQ(SDL_PushEvent(&typed), 1);
    EXPECT_EQ(window.poll(),
              (std::vector<Action>{{Command::seek, 0, Rational(5)}, {Command::step, 1, Rational(0)}}));
    EXPECT_TRUE(window.poll().empty());
}

TEST(Window, IsStaleAfterAResizeOnly) {
    need_display();
    Window window;
    window.open(160, 90);
    settle(window, {160, 90});
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    window.poll();
    while (window.take_stale()) {
    }
    window.poll();
    EXPECT_FALSE(window.take_stale());
    SDL_SetWindowSize(sdl_window(), 200, 100);
    settle(window, {200, 100});
    EXPECT_TRUE(window.take_stale());
}

TEST(Interop, BothPathsPassTheirTestOnThisDriver) {
    need_display();
    Window window;
    EXPECT_EQ(working_paths(window), (std::vector<InteropPath>{InteropPath::mapped, InteropPath::readback}));
}

TEST(Interop, TheProbeNamesTheRenderer) {
    need_display();
    const DisplayInfo info = probe_display();
    EXPECT_NE(info.renderer.find("llvmpipe"), std::string::npos)
        << info.renderer; // software GL was asked for
    EXPECT_EQ(info.working.size(), 2u);
}

TEST(Interop, MappedIsForSharedMemory) {
    const std::vector both{InteropPath::mapped, InteropPath::readback};
    EXPECT_EQ(choose_path(both, true), InteropPath::mapped);
    EXPECT_EQ(choose_path(both, false), InteropPath::readback);
    EXPECT_EQ(choose_path({InteropPath::readback}, true), InteropPath::readback);
    EXPECT_EQ(choose_path({InteropPath::mapped}, false), InteropPath::mapped);
}

TEST(Overlay, DrawsTextInItsCornerAndLeavesTheRestAlone) {
    need_display();
    Window window;
    Painter painter(window);
    Overlay overlay(window);
    window.open(480, 320);
    settle(window, {480, 320});
    painter.upload(plain(480, 320, 0, 0, 255).view(), InteropPath::mapped);
    painter.draw(window.size());
    const OwnedPicture without = painter.read_drawn(window.size());
    overlay.draw({}, "");
    EXPECT_EQ(differing(painter.read_drawn(window.size()).pixels, without.pixels), 0u);
    overlay.draw({"30.00 fps", "dropped 0"}, "");
    const OwnedPicture with = painter.read_drawn(window.size());
    int white = 0;
    for (int y = 0; y < 320; ++y)
        for (int x = 0; x < 480; ++x) {
            const bool changed = !(pixel(with, x, y) == pixel(without, x, y));
            ASSERT_TRUE(!changed || (x < 200 && y < 100)) << x << "," << y;
            white += pixel(with, x, y) == Rgb{255, 255, 255};
        }
    EXPECT_GT(white, 100); // strokes of the letters
    // Text over the next picture needs the painter's own state back.
    painter.draw(window.size());
    EXPECT_EQ(differing(painter.read_drawn(window.size()).pixels, without.pixels), 0u);
}

TEST(Window, WithoutADisplayOneErrorSaysHowToGoOn) {
    // A process of its own: the display must be missing from the start.
    const auto attempt = [] {
        unsetenv("DISPLAY");
        unsetenv("WAYLAND_DISPLAY");
        unsetenv("SDL_VIDEODRIVER");
        try {
            const Window window;
        } catch (const Error& error) {
            fputs(error.what(), stderr);
            _exit(error.kind() == ErrorKind::device ? 3 : 4);
        }
        _exit(5);
    };
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_EXIT(attempt(), ::testing::ExitedWithCode(3), "no display: .*weft render");
}

} // namespace
} // namespace weft::present
