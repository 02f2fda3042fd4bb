#include "engine/run.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "engine_clips.hpp"

namespace weft::engine {
namespace {

using test::code_clip;
using test::Folder;

graph::PipelineSpec yaml(const std::string& text) {
    return graph::parse_pipeline(text, "test.yaml");
}

std::vector<int> ramp(int frames, int step = 2, int first = 16) {
    std::vector<int> values;
    for (int n = 0; n < frames; ++n)
        values.push_back(first + step * n);
    return values;
}

TEST(Run, OneClipComesThroughFrameByFrame) {
    const Folder folder;
    const std::string clip = code_clip(folder / "a.mp4", 40);
    const auto result = test::probe(yaml("weft: 1\ninputs: {a: {url: " + clip + "}}\nlayers: [{from: a}]\n"));
    EXPECT_EQ(result.sink().left, ramp(40));
    EXPECT_EQ(result.sink().right, ramp(40));
    EXPECT_EQ(result.report.frames, 40);
    EXPECT_EQ(result.sink().endings, std::vector{Ending::complete});
    EXPECT_FALSE(result.report.losses());
    EXPECT_FALSE(result.report.failure);
}

TEST(Run, TheShorterOfTwoTilesHoldsItsLastPicture) {
    const Folder folder;
    const std::string a = code_clip(folder / "a.mp4", 90);
    const std::string b = code_clip(folder / "b.mp4", 30);
    const auto result =
        test::probe(yaml("weft: 1\ncanvas: {size: 128x64}\ninputs: {a: {url: " + a + "}, b: {url: " + b +
                         "}}\nlayers: [{from: a, rect: [0, 0, 64, 64]}, {from: b, rect: [64, "
                         "0, 64, 64]}]\n"));
    ASSERT_EQ(result.sink().left.size(), 90u);
    EXPECT_EQ(result.sink().left, ramp(90));
    std::vector<int> held = ramp(30);
    held.resize(90, 74);
    EXPECT_EQ(result.sink().right, held);
}

TEST(Run, PathsAndSlotsNeverChangeAByte) {
    const Folder folder;
    const std::string a = folder / "a.mp4", b = folder / "b.mkv";
    test::run_command("ffmpeg -v error -y -f lavfi -i testsrc2=s=98x66:r=25 -frames:v 20 -c:v libx264 " + a);
    test::run_command(
        "ffmpeg -v error -y -f lavfi -i mandelbrot=s=64x50:r=30 -frames:v 24 -pix_fmt yuv444p -c:v "
        "ffv1 " +
        b);
    const auto spec = yaml("weft: 1\ninputs: {a: {url: " + a + "}, b: {url: " + b +
                           "}}\nlayers: [{from: a}, {from: b, rect: [11, 7, 40, 40], opacity: 0.7}]\n");
    RunOptions options;
    options.upload = gpu::UploadPath::direct;
    const auto reference = test::hashed(spec, options);
    ASSERT_EQ(reference.lines.size(), 21u);
    for (const gpu::UploadPath path : {gpu::UploadPath::direct, gpu::UploadPath::pinned,
                                       gpu::UploadPath::pageable, gpu::UploadPath::automatic})
        for (const int buffers : {1, 2, 3}) {
            options.upload = path;
            options.buffers = buffers;
            EXPECT_EQ(test::hashed(spec, options).lines, reference.lines)
                << gpu::name(path) << ", " << buffers << " slots";
        }
}

// One file of 25 red pictures of 320x240 and 25 blue ones of 640x480, in one MPEG transport stream.
TEST(Run, PicturesMayChangeTheirSizeInMidStream) {
    const Folder folder;
    const std::string clip = folder / "rc.ts";
    test::run_command(
        "cd " + (folder / "") +
        " && ffmpeg -v error -f lavfi -i color=red:s=320x240:r=25:d=1 -c:v libx264 -bf 0 -muxdelay 0 r1.ts "
        "&& "
        "ffmpeg -v error -f lavfi -i color=blue:s=640x480:r=25:d=1 -c:v libx264 -bf 0 -muxdelay 0 "
        "-output_ts_offset 1 r2.ts && cat r1.ts r2.ts > rc.ts");
    const auto result = test::probe(
        yaml("weft: 1\ncanvas: {size: 320x240}\ninputs: {a: {url: " + clip + "}}\nlayers: [{from: a}]\n"));
    ASSERT_EQ(result.sink().left.size(), 50u);
    // BT.601: luma of red 81, of blue 41.
    for (size_t n = 0; n < 50; ++n) {
        EXPECT_NEAR(result.sink().left[n], n < 25 ? 81 : 41, 2) << n;
        EXPECT_NEAR(result.sink().right[n], n < 25 ? 81 : 41, 2) << n;
    }
}

TEST(Run, AnInputThatIsNotRequiredMayBeMissing) {
    const Folder folder;
    const std::string clip = code_clip(folder / "a.mp4", 10);
    const auto result =
        test::probe(yaml("weft: 1\ninputs: {a: {url: " + clip +
                         "}, b: {url: nowhere.mp4, required: false}}\nlayers: [{from: a}, {from: "
                         "b, rect: [0, 0, 32, 32]}]\n"));
    EXPECT_EQ(result.sink().right, ramp(10));
    EXPECT_FALSE(result.report.plan.notes.empty());
}

// A track of two clips with a wipe between them, a second each: the wipe's k-th of 10 pictures has progress k
// / 10.
TEST(Run, ATransitionRunsOverItsPicturesAndStreamsComeAndGo) {
    const Folder folder;
    const std::string a = code_clip(folder / "a.mp4", 30, "30", 0, 60),
                      b = code_clip(folder / "b.mp4", 30, "30", 0, 200);
    const auto result = test::probe(
        yaml("weft: 1\ncanvas: {rate: 30}\ninputs: {a: {url: " + a + "}, b: {url: " + b +
             "}}\ntracks:\n  show:\n    - {play: a}\n    - {transition: fade, duration: 10f}\n    - {play: "
             "b}\nlayers: [{from: show}]\n"));
    ASSERT_EQ(result.sink().left.size(), 50u); // 30 + 30 - 10
    for (int n = 0; n < 50; ++n) {
        const int k = std::clamp(n - 20, 0, 10);
        EXPECT_NEAR(result.sink().left[static_cast<size_t>(n)], 60 + 14 * k, 1) << n;
    }
    ASSERT_EQ(result.report.inputs.size(), 2u);
    EXPECT_EQ(result.report.inputs[1].uploaded, 30);
}

TEST(Run, AnUnknownEndOfAFileEndsTheRunWithItsPictures) {
    // Cut off in the middle, a transport stream's duration is a guess from its last packets.
    const Folder folder;
    const std::string clip = folder / "live.ts";
    test::run_command(
        "ffmpeg -v error -f lavfi -i testsrc2=s=64x64:r=25:d=2 -c:v mpeg2video -bf 0 -f mpegts - | cat > " +
        clip);
    const auto result = test::probe(yaml("weft: 1\ninputs: {a: {url: " + clip + "}}\nlayers: [{from: a}]\n"));
    EXPECT_EQ(result.sink().left.size(), 50u);
}

// A clip whose file declares less than it holds: two transport streams end to end (48 of 50 pictures), and
// NUT, which does not count the last picture's own time (4 of 5).
std::string joined(const Folder& folder) {
    const std::string one = folder / "one.ts", both = folder / "both.ts";
    test::run_command("ffmpeg -v error -f lavfi -i testsrc2=s=64x64:r=25:d=1 -c:v libx264 " + one);
    test::run_command("cat " + one + " " + one + " > " + both);
    return both;
}

TEST(Run, PicturesBeyondTheDeclaredEndAreShown) {
    const Folder folder;
    const std::string clip = folder / "a.nut";
    test::run_command("ffmpeg -v error -f lavfi -i testsrc2=s=64x64:r=25:d=0.2 -c:v rawvideo -pix_fmt nv12 " +
                      clip);
    for (const auto& [file, pictures] : {std::pair(clip, 5u), std::pair(joined(folder), 50u)}) {
        const auto result =
            test::probe(yaml("weft: 1\ninputs: {a: {url: " + file + "}}\nlayers: [{from: a}]\n"));
        EXPECT_EQ(result.sink().left.size(), pictures) << file;
        EXPECT_EQ(result.report.inputs.at(0).uploaded, pictures) << file;
    }
}

TEST(Run, WhereTheUserSaysTheEndItHolds) {
    const Folder folder;
    const std::string clip = joined(folder);
    const std::string second = code_clip(folder / "b.mp4", 100, "25");
    const auto pictures = [&](const std::string& rest) {
        return test::probe(yaml("weft: 1\n" + rest)).sink().left.size();
    };
    EXPECT_EQ(pictures("duration: 1s\ninputs: {a: {url: " + clip + "}}\nlayers: [{from: a}]\n"), 25u);
    EXPECT_EQ(pictures("inputs: {a: {url: " + clip + ", end: 1s}}\nlayers: [{from: a}]\n"), 25u);
    EXPECT_EQ(pictures("inputs: {a: {url: " + clip + "}}\nlayers: [{from: a, for: 1s}]\n"), 25u);
    EXPECT_EQ(pictures("inputs: {a: {url: " + clip + ", end: stop}, b: {url: " + second +
                       "}}\nlayers: [{from: b}, {from: a}]\n"),
              50u);
    EXPECT_EQ(pictures("inputs: {a: {url: " + clip + "}, b: {url: " + second +
                       "}}\nlayers: [{from: b}, {from: a}]\n"),
              100u);
}

} // namespace
} // namespace weft::engine
