// Live runs against a clock that is set by hand.
#include <algorithm>
#include <thread>

#include <gtest/gtest.h>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "engine_clips.hpp"

namespace weft::engine {
namespace {

using test::code_clip;
using test::Folder;

constexpr Nanoseconds period{1000000000 / 30 + 1};

graph::PipelineSpec single(const std::string& clip) {
    return graph::parse_pipeline("weft: 1\ninputs: {a: {url: " + clip + "}}\nlayers: [{from: a}]\n",
                                 "test.yaml");
}

// A window's place: it drops, and what it does with each picture moves the clock.
class Show final : public test::PlainSink {
  public:
    explicit Show(std::function<void(int64_t)> shown) : shown_(std::move(shown)) {}
    bool drops() const override { return true; }
    void submit(OutputFrame frame) override {
        indices.push_back(frame.index);
        luma.push_back(frame.host.data[0][0]);
        frame.lease.end();
        shown_(frame.index);
    }
    std::vector<int64_t> indices;
    std::vector<int> luma;

  private:
    std::function<void(int64_t)> shown_;
};

struct Live {
    ManualClock manual;
    MasterClock master{manual};
    RunControl control;
    std::vector<std::unique_ptr<FrameSink>> sinks;

    explicit Live(std::function<void(Live&, int64_t)> shown) {
        sinks.push_back(std::make_unique<Show>([this, shown](int64_t index) { shown(*this, index); }));
    }
    const Show& show() const { return static_cast<const Show&>(*sinks.front()); }
    RunReport run(const std::string& clip) {
        RunOptions options;
        options.live = true;
        options.master = &master;
        options.control = &control;
        return test::run_with(single(clip), sinks, options);
    }
};

TEST(Live, AClockThatFollowsThePicturesLosesNone) {
    const Folder folder;
    // Two pictures behind what was shown, so that a slow decoder is never late.
    Live live([](Live& self, int64_t index) {
        self.master.start();
        if (index >= 2) self.manual.advance(period);
    });
    const RunReport report = live.run(code_clip(folder / "a.mp4", 30));
    ASSERT_EQ(live.show().indices.size(), 30u);
    for (int n = 0; n < 30; ++n) {
        EXPECT_EQ(live.show().indices[static_cast<size_t>(n)], n);
        EXPECT_EQ(live.show().luma[static_cast<size_t>(n)], 16 + 2 * n);
    }
    EXPECT_EQ(report.skipped_ticks, 0);
    EXPECT_EQ(report.inputs.at(0).late, 0);
}

TEST(Live, AStandingClockShowsTheFirstPicturesAndWaits) {
    const Folder folder;
    int shown = 0;
    // The clock never runs: the ring keeps giving what fits, and the run is stopped once that came.
    Live live([&](Live& self, int64_t index) {
        ++shown;
        if (index == 2) self.control.request_stop();
    });
    const RunReport report = live.run(code_clip(folder / "a.mp4", 30));
    EXPECT_TRUE(report.interrupted);
    EXPECT_GE(shown, 3);
    for (size_t i = 0; i < live.show().indices.size(); ++i)
        EXPECT_EQ(live.show().indices[i], static_cast<int64_t>(i));
}

TEST(Live, AClockThatJumpsSkipsTicksAndShowsWhatIsDue) {
    const Folder folder;
    Live live([](Live& self, int64_t index) {
        self.master.start();
        self.manual.advance(index == 5 ? 40 * period : period);
    });
    const RunReport report = live.run(code_clip(folder / "a.mp4", 90, "30", 1));
    EXPECT_GT(report.skipped_ticks, 20);
    int64_t before = -1;
    for (size_t i = 0; i < live.show().indices.size(); ++i) {
        const int64_t index = live.show().indices[i];
        EXPECT_GT(index, before);
        before = index;
        // Late pictures are replaced by older ones, never by newer ones.
        EXPECT_LE(live.show().luma[i], 16 + index);
    }
}

TEST(Live, ASeekShowsTheNewPlaceNext) {
    const Folder folder;
    bool sought = false;
    Live live([&](Live& self, int64_t index) {
        self.master.start();
        self.manual.advance(period);
        if (index == 20 && !sought) {
            sought = true;
            self.master.seek(Nanoseconds(0));
            self.control.request_seek(Rational(5, 30));
            self.master.seek(5 * period);
        }
    });
    live.run(code_clip(folder / "a.mp4", 40));
    ASSERT_TRUE(sought);
    const auto& indices = live.show().indices;
    const auto back =
        std::adjacent_find(indices.begin(), indices.end(), [](auto a, auto b) { return b < a; });
    ASSERT_NE(back, indices.end());
    EXPECT_EQ(*(back + 1), 5);
    // The first picture of the new place is waited for; later ones may be late, but never of the old place.
    const auto first = static_cast<size_t>(back + 1 - indices.begin());
    EXPECT_EQ(live.show().luma[first], 16 + 2 * 5);
    for (size_t i = first; i < indices.size(); ++i) {
        EXPECT_GE(live.show().luma[i], 16 + 2 * 5) << i;
        EXPECT_LE(live.show().luma[i], 16 + 2 * indices[i]) << i;
    }
}

// Luma in the middle of each half; the clock goes on once both halves were shown.
class Halves final : public test::PlainSink {
  public:
    Halves(ManualClock& manual, MasterClock& master) : manual_(manual), master_(master) {}
    bool drops() const override { return true; }
    void submit(OutputFrame frame) override {
        const uint8_t* line = frame.host.data[0] + 20 * frame.host.pitch[0];
        left.push_back(line[32]);
        right.push_back(line[96]);
        master_.start();
        // Slowly as long as something is built, so that the clip lasts for it on any machine.
        if (left.back() != changed) std::this_thread::sleep_for(std::chrono::milliseconds(100));
        if (frame.index >= 2) manual_.advance(period);
    }
    static constexpr int changed = 180;
    std::vector<int> left, right;

  private:
    ManualClock& manual_;
    MasterClock& master_;
};

TEST(Live, WhileOneInputsNewFormIsPreparedTheOthersGoOn) {
    const Folder folder;
    const int before = 10, after = 150;
    code_clip(folder / "a.ts", before, "30", 0, 60, "64x64");
    // Another size: another plan.
    test::run_command("ffmpeg -v error -y -i " +
                      code_clip(folder / "b0.ts", after, "30", 0, Halves::changed, "128x128") +
                      " -c copy -output_ts_offset 0.333333 " + (folder / "b.ts"));
    test::run_command("cat " + (folder / "a.ts") + " " + (folder / "b.ts") + " > " + (folder / "changes.ts"));
    const std::string steady = code_clip(folder / "steady.mp4", before + after, "30", 1, 16);
    const graph::PipelineSpec spec =
        graph::parse_pipeline("weft: 1\ncanvas: {size: 128x64, layout: 2x1, rate: 30}\ninputs:\n  a: {url: " +
                                  (folder / "changes.ts") + "}\n  b: {url: " + steady + "}\n",
                              "test.yaml");
    ManualClock manual;
    MasterClock master{manual};
    std::vector<std::unique_ptr<FrameSink>> sinks;
    sinks.push_back(std::make_unique<Halves>(manual, master));
    RunOptions options;
    options.live = true;
    options.master = &master;
    options.buffers = 4;
    const RunReport report = test::run_with(spec, sinks, options);
    const auto& halves = static_cast<const Halves&>(*sinks.front());
    ASSERT_EQ(halves.left.size(), static_cast<size_t>(before + after));
    for (size_t n = 0; n < halves.right.size(); ++n)
        EXPECT_EQ(halves.right[n], 16 + static_cast<int>(n)) << n;
    EXPECT_EQ(report.inputs[1].late, 0);
    // The old picture at first, then the new ones, and nothing between.
    EXPECT_GE(report.inputs[0].late, 1);
    const auto change = std::find(halves.left.begin(), halves.left.end(), Halves::changed);
    ASSERT_NE(change, halves.left.end());
    EXPECT_EQ(change - halves.left.begin(), before + report.inputs[0].late);
    EXPECT_EQ(std::count(halves.left.begin(), change, 60), change - halves.left.begin());
    EXPECT_EQ(std::count(change, halves.left.end(), Halves::changed), halves.left.end() - change);
}

} // namespace
} // namespace weft::engine
