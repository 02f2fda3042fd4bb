// The player with keys pressed at chosen ticks, in a real window on a real X server.
#include "present/player.hpp"

#include <algorithm>
#include <filesystem>
#include <numeric>

#include <gtest/gtest.h>
#include <unistd.h>

#include "base/error.hpp"
#include "scripted_run.hpp"
#include "virtual_display.hpp"

namespace weft::present {
namespace {

using testing::need_display;
using testing::ScriptedRun;

class PlayerTest : public ::testing::Test {
  protected:
    void SetUp() override {
        need_display();
        folder_ = std::filesystem::temp_directory_path() / ("weft player 100% " + std::to_string(getpid()));
        std::filesystem::create_directory(folder_);
        options_.screenshot_folder = folder_;
        options_.status_line = false;
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }
    PlayerReport play_it(const engine::RunOptions& options = {}) {
        return play([this](const auto& sinks, const auto& run) { return run_(sinks, run); }, {}, options,
                    options_);
    }
    ScriptedRun run_;
    PlayerOptions options_;
    std::filesystem::path folder_;
};

TEST_F(PlayerTest, ShowsEveryPictureOrCountsItAndEnds) {
    const PlayerReport report = play_it();
    EXPECT_FALSE(report.quit);
    EXPECT_FALSE(report.run.interrupted);
    EXPECT_GE(report.stats.shown, 2);
    EXPECT_EQ(report.stats.shown + report.stats.dropped, 25);
    EXPECT_EQ(report.stats.device, "scripted");
    EXPECT_EQ(report.stats.interop, "readback"); // nothing said that memory is shared
    EXPECT_EQ(report.stats.position, (Rational(24) / Rational(50)).nanoseconds());
}

TEST_F(PlayerTest, QuitsByKey) {
    run_.ticks = 100000;
    run_.after = [](int64_t n) {
        if (n == 3) ScriptedRun::press(SDLK_q);
    };
    const PlayerReport report = play_it();
    EXPECT_TRUE(report.quit);
    EXPECT_TRUE(report.run.interrupted);
}

TEST_F(PlayerTest, EndsWhenTheRunIsStoppedFromOutside) {
    engine::RunControl control;
    run_.ticks = 100000;
    run_.after = [&](int64_t n) {
        if (n == 3) control.request_stop();
    };
    engine::RunOptions options;
    options.control = &control;
    const PlayerReport report = play_it(options);
    EXPECT_FALSE(report.quit);
    EXPECT_TRUE(report.run.interrupted);
}

TEST_F(PlayerTest, ArrowsSeekFromWhereItIs) {
    run_.ticks = 5000; // 100 s
    run_.after = [&](int64_t n) {
        if (n == 10) ScriptedRun::press(SDLK_UP); // + 60 s
        if (n > 3000 && n < 4000 && run_.seeks.size() == 1) ScriptedRun::press(SDLK_LEFT, KMOD_LSHIFT);
        if (run_.seeks.size() == 2) ScriptedRun::press(SDLK_q);
    };
    const PlayerReport report = play_it();
    ASSERT_GE(run_.seeks.size(), 2u);
    EXPECT_GE(run_.seeks[0].value(), 60.0);
    EXPECT_LT(run_.seeks[0].value(), 99.0);
    EXPECT_LT(run_.seeks[1].value(), run_.seeks[0].value());
}

TEST_F(PlayerTest, ASeekStaysWithinTheLength) {
    run_.ticks = 500; // 10 s
    run_.after = [&](int64_t n) {
        if (n == 5 && run_.seeks.empty()) ScriptedRun::press(SDLK_DOWN);   // - 60 s: to 0
        if (run_.seeks.size() == 1 && n == 5) ScriptedRun::press(SDLK_UP); // + 60 s: to the last picture
    };
    const PlayerReport report = play_it();
    ASSERT_EQ(run_.seeks.size(), 2u);
    EXPECT_EQ(run_.seeks[0], Rational(0));
    EXPECT_EQ(run_.seeks[1], Rational(499) / Rational(50));
    EXPECT_EQ(run_.submitted.back(), 499);
    EXPECT_FALSE(report.quit);
}

TEST_F(PlayerTest, WhatCannotSeekPlaysOn) {
    run_.seekable = false;
    options_.loop = true;
    run_.after = [&](int64_t n) {
        if (n == 3) ScriptedRun::press(SDLK_LEFT);
        if (n == 6) ScriptedRun::type(',');
        if (n == 6) ScriptedRun::press(SDLK_SPACE); // the step back has paused it
    };
    const PlayerReport report = play_it();
    EXPECT_TRUE(run_.seeks.empty());
    EXPECT_EQ(run_.rounds, 1);
    EXPECT_EQ(run_.submitted.size(), 25u);
    EXPECT_FALSE(report.quit);
}

TEST_F(PlayerTest, StepsOnePictureAtATime) {
    run_.ticks = 5000;
    options_.paused = true; // shows tick 0 and waits
    run_.after = [&](int64_t n) {
        const bool back = !run_.seeks.empty();
        if (n < 3 && !back) ScriptedRun::type('.');
        if (n == 3 && !back) ScriptedRun::type(',');
        if (n == 2 && back) ScriptedRun::press(SDLK_q);
    };
    const PlayerReport report = play_it();
    EXPECT_EQ(run_.submitted, (std::vector<int64_t>{0, 1, 2, 3, 2}));
    EXPECT_EQ(run_.seeks, std::vector<Rational>{Rational(2) / Rational(50)});
    EXPECT_TRUE(report.stats.paused);
}

TEST_F(PlayerTest, LoopsUntilQuit) {
    run_.ticks = 5;
    options_.loop = true;
    run_.after = [&](int64_t n) {
        if (run_.rounds == 3 && n == 2) ScriptedRun::press(SDLK_q);
    };
    const PlayerReport report = play_it();
    EXPECT_EQ(run_.rounds, 3);
    EXPECT_TRUE(report.quit);
}

TEST_F(PlayerTest, SpeedVolumeAndMuteAreKept) {
    run_.ticks = 100000;
    run_.after = [&](int64_t n) {
        if (n == 2) {
            ScriptedRun::type('}');
            ScriptedRun::type('9');
            ScriptedRun::type('9');
            ScriptedRun::press(SDLK_m);
        }
        if (n == 30) ScriptedRun::press(SDLK_q);
    };
    const PlayerReport report = play_it();
    EXPECT_EQ(report.stats.speed, 2.0);
    EXPECT_EQ(report.stats.volume, 96);
    EXPECT_TRUE(report.stats.mute);
}

TEST_F(PlayerTest, AFailureBeforeTheFirstPictureIsThrown) {
    const RunFunction broken = [](const auto&, const auto&) -> engine::RunReport {
        throw Error(ErrorKind::bad_input, "nothing to see");
    };
    try {
        play(broken, {}, {}, options_);
        FAIL() << "no error";
    } catch (const Error& error) {
        EXPECT_EQ(error.message(), "nothing to see");
    }
}

TEST_F(PlayerTest, OneBrokenSoundCostsTheSoundAlone) {
    options_.sound = []() -> std::optional<SoundSource> {
        throw Error(ErrorKind::bad_input, "no such file");
    };
    const PlayerReport report = play_it();
    EXPECT_EQ(report.stats.shown + report.stats.dropped, 25);
}

// The picture of a PNG file as RGBA, by the ffmpeg program.
std::vector<uint8_t> decode(const std::filesystem::path& png) {
    const std::filesystem::path raw = png.string() + ".raw";
    const std::string command =
        "ffmpeg -v error -i '" + png.string() + "' -pix_fmt rgba -f rawvideo '" + raw.string() + "'";
    EXPECT_EQ(std::system(command.c_str()), 0);
    std::ifstream in(raw, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

TEST_F(PlayerTest, ScreenshotsAreTheSourcePictureAndTheWindow) {
    run_.ticks = 5000;
    options_.paused = true;
    options_.stats = true; // text over the picture in the window, not in the source
    run_.after = [&](int64_t n) {
        if (n == 0) ScriptedRun::type('.');
        if (n == 1) ScriptedRun::type('.');
        if (n == 2) {
            run_.until_taken();
            ScriptedRun::press(SDLK_s);
            ScriptedRun::press(SDLK_s, KMOD_LSHIFT);
            ScriptedRun::press(SDLK_q);
        }
    };
    play_it();
    const auto source = decode(folder_ / "weft-0001.png");
    std::vector<uint8_t> expected(size_t{4} * ScriptedRun::width * ScriptedRun::height, ScriptedRun::grey(2));
    for (size_t i = 3; i < expected.size(); i += 4)
        expected[i] = 255;
    EXPECT_EQ(source, expected);
    const auto window = decode(folder_ / "weft-0002.png");
    EXPECT_EQ(window.size(), expected.size()); // opened at the picture's size
    EXPECT_NE(window, expected);
}

} // namespace
} // namespace weft::present
