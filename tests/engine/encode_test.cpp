// Files in, files out: what is written is read back by the ffmpeg program.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "engine/run.hpp"
#include "engine_clips.hpp"

namespace weft::engine {
namespace {

using test::code_clip;
using test::Folder;
using test::run_command;

graph::PipelineSpec two_tiles(const std::string& a, const std::string& b) {
    return graph::parse_pipeline(
        "weft: 1\ncanvas: {size: 128x64}\ninputs: {a: {url: " + a + "}, b: {url: " + b +
            "}}\nlayers: [{from: a, rect: [0, 0, 64, 64]}, {from: b, rect: [64, 0, 64, "
            "64]}]\n",
        "test.yaml");
}

graph::OutputSpec lossless(const std::string& file) {
    graph::OutputSpec output;
    output.file = file;
    output.video.codec = "libx264";
    output.video.options = {{"qp", "0"}};
    output.video.preset = "ultrafast";
    return output;
}

std::vector<std::string> frame_hashes(const std::string& file) {
    const std::string text = run_command("ffmpeg -v error -i " + test::shell_quoted(file) +
                                         " -map 0:v -f framemd5 - | grep -v '^#' | sed 's/.*, *//'");
    std::vector<std::string> lines;
    std::string line;
    for (const char c : text) {
        if (c == '\n')
            lines.push_back(std::exchange(line, {}));
        else
            line += c;
    }
    return lines;
}

std::string content(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

RunReport render(const graph::PipelineSpec& spec, const graph::OutputSpec& output, RunOptions options = {}) {
    return test::run_with(spec, make_sinks({output}, options), options);
}

TEST(Encode, TwoFilesBecomeOneAndItsPicturesAreTheHashedOnes) {
    const Folder folder;
    const auto spec = two_tiles(code_clip(folder / "a.mp4", 30), code_clip(folder / "b.mp4", 45));
    const RunReport report = render(spec, lossless(folder / "out.mp4"));
    ASSERT_EQ(report.sinks.size(), 1u);
    EXPECT_EQ(report.sinks[0].frames, 45);
    EXPECT_EQ(report.sinks[0].file, folder / "out.mp4");
    EXPECT_EQ(report.sinks[0].error, "");
    EXPECT_EQ(report.sinks[0].bytes, static_cast<int64_t>(std::filesystem::file_size(folder / "out.mp4")));

    const auto hashes = frame_hashes(folder / "out.mp4");
    const auto ours = test::hashed(spec);
    ASSERT_EQ(hashes.size(), 45u);
    ASSERT_EQ(ours.lines.size(), 46u);
    for (size_t n = 0; n < hashes.size(); ++n)
        EXPECT_EQ(ours.lines[n], std::to_string(n) + " " + hashes[n]);
}

TEST(Encode, ReproducibleRunsGiveTheSameFile) {
    const Folder folder;
    const auto spec = two_tiles(code_clip(folder / "a.mp4", 12), code_clip(folder / "b.mp4", 12));
    RunOptions options;
    options.reproducible = true;
    render(spec, lossless(folder / "one.mp4"), options);
    render(spec, lossless(folder / "two.mp4"), options);
    EXPECT_FALSE(content(folder / "one.mp4").empty());
    EXPECT_EQ(content(folder / "one.mp4"), content(folder / "two.mp4"));
}

TEST(Encode, SoundIsAsLongAsThePictures) {
    const Folder folder;
    const std::string a = folder / "a.mp4";
    run_command(
        "ffmpeg -v error -y -f lavfi -i testsrc2=s=64x64:r=25:d=2 -f lavfi -i sine=440:d=2 -c:v libx264 "
        "-c:a aac " +
        a);
    const auto spec =
        graph::parse_pipeline("weft: 1\ninputs: {a: {url: " + a + "}}\nlayers: [{from: a}]\n", "test.yaml");
    graph::OutputSpec output = lossless(folder / "out.mkv");
    output.audio.codec = "pcm_s16le";
    const RunReport report = render(spec, output);
    EXPECT_EQ(report.sinks[0].error, "");
    EXPECT_EQ(
        run_command("ffprobe -v error -count_frames -select_streams v -show_entries stream=nb_read_frames "
                    "-of csv=p=0 " +
                    (folder / "out.mkv")),
        "50\n");
    // 2 s of stereo at 48 kHz and 16 bits.
    EXPECT_EQ(run_command("ffmpeg -v error -i " + (folder / "out.mkv") + " -map 0:a -f s16le - | wc -c"),
              "384000\n");
}

TEST(Encode, AStopFinishesAPlayableFileAndSaysSo) {
    const Folder folder;
    const auto spec = two_tiles(code_clip(folder / "a.mp4", 90), code_clip(folder / "b.mp4", 90));
    RunControl control;
    RunOptions options;
    options.control = &control;

    // Stops the run from its first picture.
    class Stopper final : public FrameSink {
      public:
        explicit Stopper(RunControl& control) : control_(control) {}
        std::string name() const override { return "stopper"; }
        colour::PictureFormat wanted_format(const colour::PictureFormat& canvas) override {
            colour::PictureFormat format = canvas;
            format.pixels = colour::pixel_format("yuv420p");
            return format;
        }
        void submit(OutputFrame) override { control_.request_stop(); }

      private:
        RunControl& control_;
    };
    auto sinks = make_sinks({lossless(folder / "out.mp4")}, options);
    sinks.push_back(std::make_unique<Stopper>(control));
    const RunReport report = test::run_with(spec, sinks, options);
    EXPECT_TRUE(report.interrupted);
    EXPECT_FALSE(report.sinks[0].partial);
    EXPECT_GE(report.frames, 1);
    EXPECT_LT(report.frames, 90);
    EXPECT_EQ(frame_hashes(folder / "out.mp4").size(), static_cast<size_t>(report.frames));
}

TEST(Encode, AMissingInputLeavesNothing) {
    const Folder folder;
    const auto spec = two_tiles(code_clip(folder / "a.mp4", 5), folder / "not_there.mp4");
    try {
        render(spec, lossless(folder / "out.mp4"));
        FAIL() << "a missing input was rendered";
    } catch (const Errors& errors) {
        ASSERT_EQ(errors.all().size(), 1u);
        EXPECT_NE(std::string(errors.what()).find("not_there.mp4"), std::string::npos);
    }
    std::vector<std::string> left;
    for (const auto& entry : std::filesystem::directory_iterator(folder / ""))
        left.push_back(entry.path().filename());
    EXPECT_EQ(left, std::vector<std::string>{"a.mp4"});
}

} // namespace
} // namespace weft::engine
