// The whole way: files through the engine into a window and to the speakers, steered by keys.
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

#include <SDL.h>
#include <gtest/gtest.h>

#include "base/data_dirs.hpp"
#include "graph/planner.hpp"
#include "media/audio_mixer.hpp"
#include "present/player.hpp"
#include "scripted_run.hpp"
#include "support/ffmpeg.hpp"
#include "support/filters.hpp"
#include "support/temp_folder.hpp"
#include "virtual_display.hpp"

namespace weft::present {
namespace {

using test::run_command;
using test::shell_quoted;
using testing::need_display;
using testing::ScriptedRun;

constexpr int width = 64, height = 48;

// Picture n has luma 16 + 2n everywhere; lossless, one key frame, so that only decoding up to a picture shows
// it.
std::string code_clip(const std::string& file, int frames, const std::string& rate) {
    run_command("ffmpeg -v error -y -f lavfi -i color=black:s=64x48:r=" + rate +
                " -vf geq=lum=16+2*N:cb=128:cr=128 -frames:v " + std::to_string(frames) +
                " -c:v libx264 -qp 0 -g 1000 -pix_fmt yuv420p " + shell_quoted(file));
    return file;
}

std::vector<char> bytes_of(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

class Live : public ::testing::Test {
  protected:
    void SetUp() override {
        need_display();
        options_.screenshot_folder = folder_.path();
        options_.status_line = false;
    }
    static graph::PipelineSpec pipeline_of(const std::string& file) {
        return graph::parse_pipeline("weft: 1\ninputs: {a: {url: " + file + "}}\nlayers: [{from: a}]\n",
                                     "test.yaml");
    }
    static std::string prelude() { return graph::load_prelude(std::string(WEFT_SOURCE_DIR) + "/kernels"); }
    PlayerReport play_file(const std::string& file) {
        return run_player(pipeline_of(file), test::built_in_filters(), prelude(), {}, run_, options_);
    }

    // The number of the picture that is shown, by a screenshot; -1 when none is there yet.
    int shown() {
        const std::string number = std::to_string(10000 + ++shots_).substr(1);
        const auto file = folder_.path() / ("weft-" + number + ".png");
        ScriptedRun::press(SDLK_s);
        for (int i = 0; i < 200 && !std::filesystem::exists(file); ++i)
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        if (!std::filesystem::exists(file)) return --shots_, -1;
        const std::string raw = folder_.file("shot.raw");
        run_command("ffmpeg -v error -y -i " + shell_quoted(file.string()) + " -pix_fmt rgba -f rawvideo " +
                    shell_quoted(raw));
        const std::vector<char> pixels = bytes_of(raw);
        EXPECT_EQ(pixels.size(), size_t{4} * width * height);
        if (pixels.empty()) return -1;
        const int grey = static_cast<uint8_t>(pixels[0]);
        for (size_t i = 0; i < pixels.size(); ++i)
            EXPECT_EQ(static_cast<uint8_t>(pixels[i]), i % 4 == 3 ? 255 : grey);
        return static_cast<int>(
            std::lround(grey * 219.0 / 255.0 / 2.0)); // BT.601, limited: Y = 16 + 219 / 255 grey
    }
    // Looks until picture n is shown, at most 20 times.
    bool comes_to(int n) {
        for (int i = 0; i < 20; ++i)
            if (shown() == n) return true;
        return false;
    }

    test::TempFolder folder_;
    engine::RunOptions run_;
    PlayerOptions options_;
    int shots_ = 0;
};

TEST_F(Live, SeeksAndStepsToTheVeryPicture) {
    const std::string clip = code_clip(folder_.file("code.mp4"), 100, "10");
    options_.paused = true;
    std::thread user([&] {
        EXPECT_TRUE(comes_to(0));
        ScriptedRun::press(SDLK_RIGHT);
        EXPECT_TRUE(comes_to(50));
        for (int i = 0; i < 3; ++i)
            ScriptedRun::type('.');
        EXPECT_TRUE(comes_to(53));
        ScriptedRun::type(',');
        EXPECT_TRUE(comes_to(52));
        ScriptedRun::press(SDLK_LEFT, KMOD_LSHIFT); // one second back
        EXPECT_TRUE(comes_to(42));
        ScriptedRun::press(SDLK_UP); // a minute on: the last
        EXPECT_TRUE(comes_to(99));
        ScriptedRun::press(SDLK_DOWN);
        EXPECT_TRUE(comes_to(0));
        ScriptedRun::press(SDLK_q);
    });
    const PlayerReport report = play_file(clip);
    user.join();
    EXPECT_TRUE(report.quit);
    EXPECT_FALSE(report.run.failure);
}

TEST_F(Live, PlaysToTheEndAndAgain) {
    const std::string clip = code_clip(folder_.file("code.mp4"), 30, "30");
    const PlayerReport report = play_file(clip);
    EXPECT_FALSE(report.quit);
    EXPECT_FALSE(report.run.interrupted);
    EXPECT_EQ(report.stats.shown + report.stats.dropped, 30);
    EXPECT_EQ(report.stats.position, (Rational(29) / Rational(30)).nanoseconds());
    EXPECT_FALSE(report.stats.device.empty());
}

// The run has shown its last picture and is about to end: it does not see the key any more.
TEST_F(Live, SeeksFromTheLastPictureWhileTheRunEnds) {
    const std::string clip = code_clip(folder_.file("code.mp4"), 10, "10");
    const graph::PipelineSpec spec = pipeline_of(clip);
    options_.paused = true;
    engine::RunControl control;
    run_.control = &control;
    std::atomic<int> runs{0};
    std::thread user([&] {
        EXPECT_TRUE(comes_to(0));
        ScriptedRun::press(SDLK_UP); // a minute on: the last
        EXPECT_TRUE(comes_to(9));
        ScriptedRun::press(SDLK_DOWN);
        EXPECT_TRUE(comes_to(0));
        ScriptedRun::press(SDLK_q);
    });
    const PlayerReport report = play(
        [&](const auto& sinks, const engine::RunOptions& options) {
            engine::RunReport ended = engine::run(spec, test::built_in_filters(), prelude(), sinks, options);
            if (++runs == 1)
                for (int i = 0; i < 1000 && !control.seek_requested() && !control.stop_requested(); ++i)
                    std::this_thread::sleep_for(std::chrono::milliseconds(10));
            return ended;
        },
        {}, run_, options_);
    user.join();
    EXPECT_TRUE(report.quit);
    EXPECT_EQ(runs, 2);
}

TEST_F(Live, StaysOnTheLastPictureWhenAsked) {
    const std::string clip = code_clip(folder_.file("code.mp4"), 10, "30");
    options_.keep_open = true;
    std::thread user([&] {
        EXPECT_TRUE(comes_to(9));
        ScriptedRun::press(SDLK_q);
    });
    const PlayerReport report = play_file(clip);
    user.join();
    EXPECT_TRUE(report.quit);
}

TEST_F(Live, SoundReachesTheDeviceSampleBySample) {
    const std::string clip = folder_.file("sound.mkv");
    // Lossless sound that is never zero: a ramp, other signs left and right.
    run_command("ffmpeg -v error -y -f lavfi -i color=gray:s=64x48:r=25:d=2 -f lavfi -i "
                "'aevalsrc=(1+mod(n\\,9973))/20000|-(1+mod(n\\,9973))/20000:s=48000:d=2' -c:v libx264 -c:a "
                "pcm_f32le " +
                shell_quoted(clip));
    const std::string played = folder_.file("played.raw"), source = folder_.file("source.raw");
    run_command("ffmpeg -v error -y -i " + shell_quoted(clip) + " -vn -f f32le " + shell_quoted(source));
    setenv("SDL_AUDIODRIVER", "disk", 1);
    setenv("SDL_DISKAUDIOFILE", played.c_str(), 1);
    setenv("SDL_DISKAUDIODELAY", "21", 1);
    std::vector<media::MixUse> uses;
    run_.ready = [&](const engine::RunPlan& plan) { uses = plan.sound; };
    options_.sound = [&]() -> std::optional<SoundSource> {
        return sound_of(std::make_shared<media::AudioMixer>(uses));
    };
    play_file(clip);
    ASSERT_EQ(uses.size(), 1u);
    const auto floats = [](const std::string& file) {
        const std::vector<char> bytes = bytes_of(file);
        std::vector<float> values(bytes.size() / sizeof(float));
        std::memcpy(values.data(), bytes.data(), values.size() * sizeof(float));
        std::erase(values, 0.0f); // silence before, and where a callback came too early
        return values;
    };
    const std::vector<float> heard = floats(played);
    std::vector<float> expected = floats(source);
    ASSERT_EQ(expected.size(), size_t{2} * 2 * 48000);
    // The window closes after the last picture; what the device still held is not played.
    ASSERT_GE(heard.size(), expected.size() / 2);
    ASSERT_LE(heard.size(), expected.size());
    expected.resize(heard.size());
    EXPECT_EQ(heard, expected);
}

} // namespace
} // namespace weft::present
