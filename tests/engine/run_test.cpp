#include "engine/run.hpp"

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

} // namespace
} // namespace weft::engine
