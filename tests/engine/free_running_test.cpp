// One of four inputs freezes, breaks or ends: it costs only itself.
#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "base/clock.hpp"
#include "engine_clips.hpp"
#include "feeder.hpp"
#include "range_server.hpp"

namespace weft::engine {
namespace {

using test::code_clip;
using test::Feeder;
using test::Folder;

constexpr int ticks = 100, sent = 40;
constexpr Nanoseconds period{1000000000 / 30 + 1};

// Luma in the middle of each of four tiles side by side.
class Wall final : public test::PlainSink {
  public:
    bool drops() const override { return live; }
    void submit(OutputFrame frame) override {
        std::array<int, 4> row{};
        for (size_t i = 0; i < 4; ++i)
            row[i] = frame.host.data[0][20 * frame.host.pitch[0] + 16 + 64 * static_cast<ptrdiff_t>(i)];
        tiles.push_back(row);
        indices.push_back(frame.index);
        shown = frame.index;
    }
    bool live = true;
    std::vector<std::array<int, 4>> tiles;
    std::vector<int64_t> indices;
    std::atomic<int64_t> shown{-1};
};

// Time goes on a picture at a time, and waits for whoever is slow: nothing here depends on the machine's
// speed.
class SlowClock {
  public:
    explicit SlowClock(const Wall& wall) : wall_(wall), thread_([this] { run(); }) {}
    ~SlowClock() {
        over_ = true;
        thread_.join();
    }
    MasterClock& master() { return master_; }

  private:
    void run() {
        while (!over_) {
            std::this_thread::sleep_for(std::chrono::milliseconds(30));
            const int64_t shown = wall_.shown;
            if (shown < 0) continue;
            master_.start();
            if (at_ <= shown) {
                ++at_;
                manual_.advance(period);
            }
        }
    }
    const Wall& wall_;
    ManualClock manual_;
    MasterClock master_{manual_};
    int64_t at_ = 0; // periods gone: at most one beyond what was shown
    std::atomic<bool> over_{false};
    std::thread thread_;
};

struct Outcome {
    RunReport report;
    std::unique_ptr<FrameSink> owner;
    const Wall& wall() const { return static_cast<const Wall&>(*owner); }
    const InputReport& fourth() const { return report.inputs.at(3); }
    int last(size_t tile) const { return wall().tiles.back()[tile]; }
};

class FreeRunning : public testing::Test {
  protected:
    // `rules` are the fourth input's; it is fed `sent` of its pictures.
    Outcome run(const std::string& rules, Feeder::Then then, bool live = true) {
        const std::string stream = folder_ / "stream.nut", file = folder_ / "file.mp4";
        code_clip(file, ticks, "30", 2, 16);
        test::run_command("ffmpeg -v error -y -i " + file + " -c:v rawvideo " + stream);
        std::ifstream in(stream, std::ios::binary);
        std::ostringstream bytes;
        bytes << in.rdbuf();
        const Feeder feeder(bytes.str(), (sent + 0.5) / ticks, then);
        std::string text =
            "weft: 1\ncanvas: {size: 256x64, layout: 4x1, rate: 30, background: black}\ninputs:\n";
        for (const char* name : {"a", "b", "c"})
            text += std::string("  ") + name + ": {url: " + file + "}\n";
        text += "  d: {url: '" + feeder.url() + "'" + rules + "}\n";
        Outcome outcome;
        std::vector<std::unique_ptr<FrameSink>> sinks;
        sinks.push_back(std::make_unique<Wall>());
        auto& wall = static_cast<Wall&>(*sinks.front());
        wall.live = live;
        RunOptions options;
        options.live = live;
        options.buffers = 4;
        {
            SlowClock clock(wall);
            if (live) options.master = &clock.master();
            outcome.report = test::run_with(graph::parse_pipeline(text, "test.yaml"), sinks, options);
        }
        outcome.owner = std::move(sinks.front());
        // The other three lose nothing, whatever the fourth does.
        EXPECT_EQ(outcome.wall().indices.size(), static_cast<size_t>(ticks));
        for (size_t i = 0; i < outcome.wall().indices.size(); ++i) {
            EXPECT_EQ(outcome.wall().indices[i], static_cast<int64_t>(i));
            for (size_t tile = 0; tile < 3; ++tile)
                EXPECT_EQ(outcome.wall().tiles[i][tile], luma(static_cast<int>(i)))
                    << i << " in tile " << tile;
            if (i + 4 < sent) {
                EXPECT_EQ(outcome.wall().tiles[i][3], luma(static_cast<int>(i))) << i;
            }
        }
        return outcome;
    }
    static int luma(int picture) { return std::min(16 + 2 * picture, 255); }

    Folder folder_;
};

// Dark, but no background, and no picture of the clip that could be shown then.
constexpr int placeholder_luma = 16 + 26; // 0.12 of nominal white

TEST_F(FreeRunning, AFrozenInputHoldsItsLastPicture) {
    const Outcome outcome = run("", Feeder::Then::freeze);
    EXPECT_NEAR(outcome.last(3), luma(sent - 2), 6);
    EXPECT_GT(outcome.fourth().late, ticks / 2);
    EXPECT_TRUE(outcome.report.losses());
    EXPECT_EQ(outcome.report.inputs[0].late, 0);
}

TEST_F(FreeRunning, AFrozenInputMayBeHidden) {
    const Outcome outcome = run(", late: hide", Feeder::Then::freeze);
    EXPECT_EQ(outcome.last(3), 16);
    EXPECT_TRUE(outcome.report.losses());
}

TEST_F(FreeRunning, AFrozenInputMayBeReplaced) {
    const Outcome outcome = run(", late: placeholder", Feeder::Then::freeze);
    EXPECT_NEAR(outcome.last(3), placeholder_luma, 1);
    EXPECT_TRUE(outcome.report.losses());
}

TEST_F(FreeRunning, ABrokenInputHoldsOrIsReplaced) {
    for (const bool live : {true, false}) {
        const Outcome held = run("", Feeder::Then::reset, live);
        EXPECT_NEAR(held.last(3), luma(sent), 6);
        EXPECT_GT(held.fourth().missing, ticks / 2);
        EXPECT_NE(held.fourth().error, "");
        const Outcome replaced = run(", on_error: placeholder", Feeder::Then::reset, live);
        EXPECT_NEAR(replaced.last(3), placeholder_luma, 1);
        EXPECT_TRUE(replaced.report.losses());
    }
}

TEST_F(FreeRunning, AnEndedInputIsHidden) {
    for (const bool live : {true, false}) {
        const Outcome outcome = run(", end: hide", Feeder::Then::close, live);
        EXPECT_EQ(outcome.last(3), 16);
        EXPECT_EQ(outcome.fourth().missing, 0);
    }
}

TEST_F(FreeRunning, ABrokenInputComesBack) {
    const Outcome outcome = run(", reconnect: 100ms, on_error: placeholder", Feeder::Then::reset);
    EXPECT_TRUE(outcome.report.losses());
    EXPECT_EQ(outcome.fourth().error, "the connection was lost once");
    // Its pictures begin anew: the first one, and all that follow in order.
    const auto& tiles = outcome.wall().tiles;
    size_t first = sent;
    while (first < tiles.size() && tiles[first][3] != 16)
        ++first;
    ASSERT_LT(first, tiles.size());
    for (size_t i = first; i < tiles.size(); ++i)
        EXPECT_NEAR(tiles[i][3], luma(static_cast<int>(i - first)), 2) << i;
}

// Shows a file and what a web server sends; sends the run elsewhere, and looks at what comes of it.
class Seeker final : public test::PlainSink {
  public:
    Seeker(test::RangeServer& server, RunControl& control) : server_(server), control_(control) {}
    bool drops() const override { return true; }
    void submit(OutputFrame frame) override {
        const auto tile = [&](ptrdiff_t x) { return int{frame.host.data[0][20 * frame.host.pitch[0] + x]}; };
        const SteadyClock clock;
        if (frame.index == 5) {
            server_.fall_silent();
            asked = clock.now();
            control_.request_seek(Rational(target, 30));
        } else if (frame.index >= target && !without) {
            came = clock.now();
            without = {tile(16), tile(80)};
            server_.go_on();
        } else if (frame.index > target && tile(80) != background) {
            with = {tile(16), tile(80)};
            shown = frame.index;
            control_.request_stop();
        }
    }
    static constexpr int target = 90, background = 16;
    Nanoseconds asked{0}, came{0};
    std::optional<std::pair<int, int>> without, with; // luma of both tiles
    int64_t shown = 0;

  private:
    test::RangeServer& server_;
    RunControl& control_;
};

// After a seek there is no picture to hold. The others wait for one during two seconds, then they go on, and
// its place is empty until it comes.
TEST_F(FreeRunning, WhatShowsNothingForTwoSecondsIsLeftOut) {
    const std::string file = code_clip(folder_ / "file.mp4", ticks, "30", 2, 16), mov = folder_ / "clip.mov";
    // Large, that neither socket nor buffer holds the place that is sought.
    test::run_command("ffmpeg -v error -y -i " + file +
                      " -vf scale=256:256:flags=neighbor -c:v rawvideo -pix_fmt "
                      "uyvy422 -movflags faststart " +
                      mov);
    std::ifstream in(mov, std::ios::binary);
    std::ostringstream bytes;
    bytes << in.rdbuf();
    test::RangeServer server(bytes.str());
    RunControl control;
    std::vector<std::unique_ptr<FrameSink>> sinks;
    sinks.push_back(std::make_unique<Seeker>(server, control));
    const auto& seeker = static_cast<const Seeker&>(*sinks.front());
    RunOptions options;
    options.live = true;
    options.control = &control;
    const RunReport report = test::run_with(
        graph::parse_pipeline("weft: 1\ncanvas: {size: 128x64, layout: 2x1, rate: 30, background: "
                              "black}\ninputs: {a: {url: " +
                                  file + "}, b: {url: '" + server.url() + "'}}\n",
                              "test.yaml"),
        sinks, options);
    ASSERT_TRUE(seeker.without && seeker.with);
    EXPECT_EQ(seeker.without->first, luma(Seeker::target));
    EXPECT_EQ(seeker.without->second, Seeker::background);
    EXPECT_GE(seeker.came - seeker.asked, std::chrono::seconds(2));
    EXPECT_NEAR(seeker.with->second, luma(static_cast<int>(seeker.shown)), 2);
    EXPECT_GT(report.inputs.at(1).late, 0);
    EXPECT_TRUE(report.losses());
}

// Hears what is shown: a sample for each picture, of the moment at which it is shown.
class Listener final : public test::PlainSink {
  public:
    void offer_sound(const std::vector<media::MixUse>& uses) override { mixer.emplace(uses); }
    void submit(OutputFrame frame) override {
        std::vector<float> samples(static_cast<size_t>(2 * media::AudioMixer::sample_rate / 30));
        mixer->pull(samples.data(), samples.size() / 2);
        pictures.push_back((frame.host.data[0][0] - 16) / 2);
        heard.push_back(static_cast<int>(std::lround(256 * samples[samples.size() / 2])));
    }
    std::optional<media::AudioMixer> mixer;
    std::vector<int> pictures, heard;
};

// The sound of picture n is at the level of n: after a break it goes on with its pictures.
TEST_F(FreeRunning, ABrokenInputsSoundComesBackWithItsPictures) {
    const std::string clip = code_clip(folder_ / "clip.mp4", ticks, "30", 2, 16),
                      stream = folder_ / "sound.nut";
    test::run_command("ffmpeg -v error -y -i " + clip +
                      " -f lavfi -i \"aevalsrc='(floor(t*30)+0.01)/256|(floor(t*30)+0.01)/256:s=48000:d=" +
                      std::to_string(ticks / 30.0) + "'\" -c:v rawvideo -c:a pcm_f32le " + stream);
    std::ifstream in(stream, std::ios::binary);
    std::ostringstream bytes;
    bytes << in.rdbuf();
    const Feeder feeder(bytes.str(), (sent + 0.5) / ticks, Feeder::Then::reset);
    graph::PipelineSpec spec = graph::parse_pipeline("weft: 1\ninputs: {a: {url: '" + feeder.url() +
                                                         "', reconnect: 100ms}}\nlayers: [{from: a}]\n",
                                                     "test.yaml");
    spec.duration = Rational(2 * sent, 30);
    std::vector<std::unique_ptr<FrameSink>> sinks;
    sinks.push_back(std::make_unique<Listener>());
    RunOptions options;
    options.live = false; // each picture is waited for
    const RunReport report = test::run_with(spec, sinks, options);
    const auto& listener = static_cast<const Listener&>(*sinks.front());
    EXPECT_EQ(report.inputs.at(0).error, "the connection was lost once");
    ASSERT_EQ(listener.pictures.size(), static_cast<size_t>(2 * sent));
    const auto again =
        std::find(listener.pictures.begin() + 1, listener.pictures.end(), 0) - listener.pictures.begin();
    ASSERT_LT(again, 2 * sent - 10);
    ASSERT_GT(again, 10); // a reset may throw away some of what was sent, and sound comes behind its picture
    for (int n = 0; n < again - 5; ++n)
        EXPECT_EQ(listener.heard[static_cast<size_t>(n)], n);
    for (size_t n = static_cast<size_t>(again) + 1; n < listener.pictures.size(); ++n)
        EXPECT_NEAR(listener.heard[n], listener.pictures[n], 1) << n; // a picture's time is rounded to a tick
}

} // namespace
} // namespace weft::engine
