// SDL's disk driver writes what a device would play to a file: the samples themselves are compared.
#include "present/audio_output.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include "present/sample_ring.hpp"

namespace weft::present {
namespace {

// Sample n of the timeline, never zero, exact in float.
float left(int64_t n) {
    return static_cast<float>(n % 30000 + 1) / 65536.0f;
}
float right(int64_t n) {
    return -left(n);
}

// A timeline of `length` samples.
struct Timeline {
    explicit Timeline(int64_t samples) : length(samples) {}
    int64_t length;
    std::atomic<int64_t> position{0};
    SoundSource source() {
        return {[this](float* out, size_t frames) {
                    for (size_t i = 0; i < frames; ++i, ++position) {
                        const int64_t n = position;
                        out[2 * i] = n < length ? left(n) : 0;
                        out[2 * i + 1] = n < length ? right(n) : 0;
                    }
                },
                [this](Rational media) { position = (media * Rational(sound_rate)).round(); },
                [this] { return position >= length; }, [] {}};
    }
};

class AudioFile : public ::testing::Test {
  protected:
    void SetUp() override {
        file_ = std::filesystem::temp_directory_path() / ("weft-audio-" + std::to_string(getpid()) + ".raw");
        setenv("SDL_AUDIODRIVER", "disk", 1);
        setenv("SDL_DISKAUDIOFILE", file_.c_str(), 1);
        setenv("SDL_DISKAUDIODELAY", "1", 1);
    }
    void TearDown() override { std::filesystem::remove(file_); }

    // One channel of what was played, from a frame on; 0 is the left one.
    std::vector<float> played(size_t channel = 0, size_t first_frame = 0) const {
        std::error_code none_yet;
        const auto size = std::filesystem::file_size(file_, none_yet);
        if (none_yet || size / 8 <= first_frame) return {};
        std::vector<float> both(2 * (size / 8 - first_frame));
        std::ifstream in(file_, std::ios::binary);
        in.seekg(static_cast<std::streamoff>(8 * first_frame));
        in.read(reinterpret_cast<char*>(both.data()), static_cast<std::streamsize>(4 * both.size()));
        std::vector<float> samples(both.size() / 2);
        for (size_t i = 0; i < samples.size(); ++i)
            samples[i] = both[2 * i + channel];
        return samples;
    }
    // Waits for the file to hold a value, at most 20 s. The file grows faster than it could be read again and
    // again from its beginning.
    void until_played(float value) const {
        const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
        size_t seen = 0;
        while (std::chrono::steady_clock::now() < deadline) {
            const auto samples = played(0, seen);
            if (std::find(samples.begin(), samples.end(), value) != samples.end()) return;
            seen += samples.size();
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
        FAIL() << "never played";
    }
    static std::vector<float> without_silence(std::vector<float> samples) {
        std::erase(samples, 0.0f);
        return samples;
    }
    std::filesystem::path file_;
    SteadyClock steady_;
    MasterClock clock_{steady_};
};

TEST_F(AudioFile, PlaysEverySampleOnceAndInOrder) {
    Timeline timeline(20000);
    {
        AudioOutput output(timeline.source(), clock_);
        ASSERT_TRUE(output.has_device());
        output.play();
        until_played(left(19999));
    }
    std::vector<float> expected_left, expected_right;
    for (int64_t n = 0; n < 20000; ++n) {
        expected_left.push_back(left(n));
        expected_right.push_back(right(n));
    }
    EXPECT_EQ(without_silence(played(0)), expected_left);
    EXPECT_EQ(without_silence(played(1)), expected_right);
}

TEST_F(AudioFile, ASeekGoesOnExactlyThere) {
    Timeline timeline(20000);
    {
        AudioOutput output(timeline.source(), clock_);
        output.seek(std::chrono::milliseconds(250)); // sample 12000
        output.play();
        until_played(left(19999));
    }
    std::vector<float> expected;
    for (int64_t n = 12000; n < 20000; ++n)
        expected.push_back(left(n));
    EXPECT_EQ(without_silence(played()), expected);
}

TEST_F(AudioFile, VolumeGoesByTheCubeAndMuteIsSilence) {
    Timeline timeline(1'000'000'000);
    AudioOutput output(timeline.source(), clock_);
    output.set_volume(50);
    output.play();
    // An eighth of a sample that at full loudness is never that small.
    until_played(0.125f * left(20000));
    output.set_mute(true);
    for (int i = 0; i < 1000 && !(played().size() > 1000 && played().back() == 0.0f); ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT_EQ(played().back(), 0.0f);
}

// At twice the speed half as many samples sound, and what is heard tells media time.
TEST_F(AudioFile, AnotherSpeedIsHeardFaster) {
    Timeline timeline(1'000'000'000);
    {
        AudioOutput output(timeline.source(), clock_);
        output.set_speed(2);
        output.seek(Nanoseconds(0));
        output.play();
        for (int i = 0; i < 1000 && without_silence(played()).size() < 96000; ++i)
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    const size_t sounded = without_silence(played()).size();
    ASSERT_GT(sounded, 48000U);
    // Mixed ahead is a quarter of a second, which is half a second of the timeline.
    EXPECT_NEAR(static_cast<double>(timeline.position), 2.0 * static_cast<double>(sounded), 48000);
}

TEST_F(AudioFile, TheClockIsBroughtToWhatIsHeard) {
    setenv("SDL_DISKAUDIODELAY", "21", 1);
    Timeline timeline(1'000'000'000);
    AudioOutput output(timeline.source(), clock_);
    clock_.seek(std::chrono::hours(1)); // far from the sound's beginning
    clock_.start();
    output.play();
    for (int i = 0; i < 1000 && clock_.media_time() > std::chrono::minutes(30); ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT_LT(clock_.media_time(), std::chrono::minutes(30));
    ASSERT_TRUE(output.heard());
    EXPECT_LT(*output.heard(), std::chrono::minutes(30));
    output.pause();
    EXPECT_FALSE(output.heard());
}

TEST(AudioOutput, WithoutADeviceTheClockRunsOnAlone) {
    setenv("SDL_AUDIODRIVER", "no such driver", 1);
    Timeline timeline(1000);
    SteadyClock steady;
    MasterClock clock(steady);
    AudioOutput output(timeline.source(), clock);
    EXPECT_FALSE(output.has_device());
    clock.seek(std::chrono::hours(1));
    clock.start();
    output.play();
    output.seek(Nanoseconds(0));
    output.pause();
    EXPECT_FALSE(output.heard());
    EXPECT_GE(clock.media_time(), std::chrono::hours(1));
}

TEST(SampleRing, KeepsOrderAcrossItsEnd) {
    SampleRing ring(5);
    std::vector<float> got(2 * 5);
    float next_in = 1, next_out = 1;
    for (int round = 0; round < 20; ++round) {
        const size_t count = 1 + static_cast<size_t>(round) % 5;
        std::vector<float> in;
        for (size_t i = 0; i < count; ++i) {
            in.push_back(next_in);
            in.push_back(-next_in++);
        }
        ASSERT_GE(ring.room(), count);
        ring.write(in.data(), count);
        EXPECT_EQ(ring.waiting(), count);
        ASSERT_EQ(ring.read(got.data(), 5), count);
        for (size_t i = 0; i < count; ++i) {
            EXPECT_EQ(got[2 * i], next_out);
            EXPECT_EQ(got[2 * i + 1], -next_out++);
        }
    }
    EXPECT_EQ(ring.read(got.data(), 5), 0u);
}

} // namespace
} // namespace weft::present
