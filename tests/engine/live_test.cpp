// Live runs against a clock that is set by hand.
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
class Show final : public FrameSink {
  public:
    explicit Show(std::function<void(int64_t)> shown) : shown_(std::move(shown)) {}
    std::string name() const override { return "show"; }
    bool drops() const override { return true; }
    colour::PictureFormat wanted_format(const colour::PictureFormat& canvas) override {
        colour::PictureFormat format = canvas;
        format.pixels = colour::pixel_format("yuv420p");
        return format;
    }
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

} // namespace
} // namespace weft::engine
