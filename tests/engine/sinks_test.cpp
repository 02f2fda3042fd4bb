// Sinks beside each other: a broken one costs itself alone.
#include "engine/sinks.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "engine/md5.hpp"
#include "engine_clips.hpp"

namespace weft::engine {
namespace {

using test::code_clip;
using test::Folder;
using test::ProbeSink;

graph::PipelineSpec single(const std::string& clip) {
    return graph::parse_pipeline("weft: 1\ninputs: {a: {url: " + clip + "}}\nlayers: [{from: a}]\n",
                                 "test.yaml");
}

// Fails at one picture, or already when it is prepared.
class BrokenSink final : public FrameSink {
  public:
    explicit BrokenSink(int64_t fails_at) : fails_at_(fails_at) {}
    std::string name() const override { return "broken"; }
    colour::PictureFormat wanted_format(const colour::PictureFormat& canvas) override {
        colour::PictureFormat format = canvas;
        format.pixels = colour::pixel_format("gbrp");
        format.colour.matrix = colour::Matrix::rgb;
        format.colour.range = colour::Range::full;
        return format;
    }
    void prepare(const colour::PictureFormat&, int64_t) override {
        if (fails_at_ < 0) throw Error(ErrorKind::resource, "disk full");
    }
    void submit(OutputFrame frame) override {
        if (frame.index == fails_at_) throw Error(ErrorKind::resource, "disk full");
    }
    void finish(Ending ending) override { endings.push_back(ending); }
    std::vector<Ending> endings;

  private:
    int64_t fails_at_;
};

TEST(Sinks, AFailingSinkCostsItselfAlone) {
    const Folder folder;
    std::vector<std::unique_ptr<FrameSink>> sinks;
    sinks.push_back(std::make_unique<BrokenSink>(3));
    sinks.push_back(std::make_unique<ProbeSink>());
    const RunReport report = test::run_with(single(code_clip(folder / "a.mp4", 30)), sinks);
    EXPECT_EQ(report.sinks[0].frames, 3);
    EXPECT_NE(report.sinks[0].error.find("disk full"), std::string::npos);
    EXPECT_EQ(static_cast<const BrokenSink&>(*sinks[0]).endings, std::vector{Ending::failed});
    EXPECT_EQ(static_cast<const ProbeSink&>(*sinks[1]).left.size(), 30u);
    EXPECT_EQ(static_cast<const ProbeSink&>(*sinks[1]).endings, std::vector{Ending::complete});
    EXPECT_TRUE(report.losses());
    EXPECT_FALSE(report.failure);
}

TEST(Sinks, TheRunEndsWhenEverySinkFailed) {
    const Folder folder;
    std::vector<std::unique_ptr<FrameSink>> sinks;
    sinks.push_back(std::make_unique<BrokenSink>(1));
    const RunReport report = test::run_with(single(code_clip(folder / "a.mp4", 100)), sinks);
    EXPECT_TRUE(report.failure != nullptr);
    EXPECT_LT(report.frames, 100);
}

TEST(Sinks, ASinkThatCannotBePreparedStopsTheRunBeforeItsFirstPicture) {
    const Folder folder;
    std::vector<std::unique_ptr<FrameSink>> sinks;
    sinks.push_back(std::make_unique<ProbeSink>());
    sinks.push_back(std::make_unique<BrokenSink>(-1));
    EXPECT_THROW(test::run_with(single(code_clip(folder / "a.mp4", 5)), sinks), Error);
    EXPECT_TRUE(static_cast<const ProbeSink&>(*sinks[0]).left.empty());
    EXPECT_EQ(static_cast<const ProbeSink&>(*sinks[0]).endings, std::vector{Ending::failed});
}

// Keeps two of its three pictures until the end.
TEST(Sinks, PicturesThatASinkKeepsStayAsTheyAre) {
    class Keeper final : public FrameSink {
      public:
        std::string name() const override { return "keeper"; }
        colour::PictureFormat wanted_format(const colour::PictureFormat& canvas) override {
            colour::PictureFormat format = canvas;
            format.pixels = colour::pixel_format("yuv420p");
            return format;
        }
        void submit(OutputFrame frame) override {
            if (frame.index == 2 || frame.index == 5) kept.push_back(std::move(frame));
        }
        void finish(Ending) override {
            for (const OutputFrame& frame : kept)
                values.push_back(frame.host.data[0][0]);
            kept.clear();
        }
        std::vector<OutputFrame> kept;
        std::vector<int> values;
    };
    const Folder folder;
    std::vector<std::unique_ptr<FrameSink>> sinks;
    sinks.push_back(std::make_unique<Keeper>());
    const RunReport report = test::run_with(single(code_clip(folder / "a.mp4", 20)), sinks);
    EXPECT_EQ(report.frames, 20);
    EXPECT_EQ(static_cast<const Keeper&>(*sinks[0]).values, (std::vector<int>{16 + 2 * 2, 16 + 2 * 5}));
}

// Source : RFC 1321, A.5.
TEST(Md5, GivesTheHashesOfTheStandard) {
    const auto md5 = [](const std::string& text) {
        Md5 hash;
        hash.add(reinterpret_cast<const uint8_t*>(text.data()), text.size());
        return hash.hex();
    };
    EXPECT_EQ(md5(""), "d41d8cd98f00b204e9800998ecf8427e");
    EXPECT_EQ(md5("abc"), "900150983cd24fb0d6963f7d28e17f72");
    EXPECT_EQ(md5("abcdefghijklmnopqrstuvwxyz"), "c3fcd3d76192e4007dfb496cca67e13b");
    EXPECT_EQ(md5("12345678901234567890123456789012345678901234567890123456789012345678901234567890"),
              "57edf4a22be3c955ac49da2e2107b67a");
}

TEST(Md5, PiecesOfAnySizeGiveTheSameHash) {
    std::vector<uint8_t> data(1000);
    for (size_t i = 0; i < data.size(); ++i)
        data[i] = static_cast<uint8_t>(i * 7);
    Md5 whole;
    whole.add(data.data(), data.size());
    const std::string expected = whole.hex();
    for (const size_t piece : {1, 55, 56, 63, 64, 65, 200}) {
        Md5 hash;
        for (size_t at = 0; at < data.size(); at += piece)
            hash.add(data.data() + at, std::min(piece, data.size() - at));
        EXPECT_EQ(hash.hex(), expected) << piece;
    }
}

} // namespace
} // namespace weft::engine
