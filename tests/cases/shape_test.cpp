// Sizes, rotation, pitch and sample positions.
#include "cases/cases.hpp"

using namespace weft::test;

namespace {

// Left half red, right half blue, then turned by the file's display matrix.
const std::vector<std::string> left_and_right{"-f",
                                              "lavfi",
                                              "-i",
                                              "color=red:s=160x180:r=25:d=0.2",
                                              "-f",
                                              "lavfi",
                                              "-i",
                                              "color=blue:s=160x180:r=25:d=0.2",
                                              "-filter_complex",
                                              "hstack",
                                              "-c:v",
                                              "libx264",
                                              "lr.mp4"};

} // namespace

// FFmpeg counts a display matrix anti-clockwise: -90 is what a phone held upright writes.
TEST_F(Cases, APortraitClipIsTurnedOnce) {
    ffmpeg(left_and_right);
    ffmpeg({"-i", "lr.mp4", "-c", "copy", "rot90.mp4"});
    turn_upright("rot90.mp4");
    ASSERT_TRUE(has(ffprobe("rot90.mp4", "stream_side_data=rotation"), "-90"));
    const Shown out = shown({"rot90.mp4"}, 180, 320);
    EXPECT_RGB(out.at(2, 90, 20), ({254, 0, 0}), 3);
    EXPECT_RGB(out.at(2, 90, 300), ({0, 0, 255}), 3);
    ASSERT_EQ(weft({"render", "rot90.mp4", "-o", "out.mp4"}).status, 0);
    EXPECT_EQ(ffprobe("out.mp4", "stream=width,height"), "180\n320\n");
    EXPECT_EQ(ffprobe("out.mp4", "stream_side_data=rotation"), "");
    const Shown exported = decoded("out.mp4", 180, 320);
    EXPECT_RGB(exported.at(2, 90, 20), ({254, 0, 0}), 4);
    EXPECT_RGB(exported.at(2, 90, 300), ({0, 0, 255}), 4);
}

TEST_F(Cases, AnOddPitchLeansNothing) {
    ffmpeg_clip(
        "stripe.mp4",
        "color=black:s=173x101:r=25:d=0.2,format=yuv444p,geq=lum='if(lt(X,86),81,41)':cb='if(lt(X,86),90,"
        "240)':cr='if(lt(X,86),240,110)'",
        {"-c:v", "libx264", "-qp", "0"});
    const Shown out = shown({"stripe.mp4"}, 173, 101);
    EXPECT_EQ(out.frames(), 5);
    for (int frame = 0; frame < out.frames(); ++frame) {
        EXPECT_RGB(out.at(frame, 85, 50), ({254, 0, 0}), 2);
        EXPECT_RGB(out.at(frame, 86, 50), ({0, 0, 255}), 2);
        const std::string picture = out.picture(frame);
        for (size_t row = 1; row < 101; ++row)
            EXPECT_EQ(picture.substr(row * 173 * 3, 173 * 3), picture.substr(0, 173 * 3)) << "row " << row;
    }
}

// Mirror-symmetric in, mirror-symmetric out: a shift of half a pixel would show as tens of levels.
TEST_F(Cases, ScalingShiftsNothing) {
    const std::string wave = "'128+100*cos((X-359.5)/7)'";
    ffmpeg_clip("sym.mkv",
                "color=black:s=720x64:r=25:d=0.04,format=gbrp,geq=r=" + wave + ":g=" + wave + ":b=" + wave,
                {"-c:v", "ffv1"});
    for (const int width : {711, 360, 1440, 173}) {
        const Shown out =
            shown({pipeline("canvas: {size: " + std::to_string(width) +
                            "x64}\ninputs: {a: {url: sym.mkv}}\nlayers: [{from: a, fit: fill}]\n")},
                  width, 64);
        for (int x = 0; x < width; ++x)
            EXPECT_LE(std::abs(out.at(0, x, 32).g - out.at(0, width - 1 - x, 32).g), 1)
                << x << " of " << width;
    }
}

// The rule: 4:2:0 of odd size repeats its last line or column, and this is said.
TEST_F(Cases, AnOddSizeIsPaddedForTheEncoder) {
    ffmpeg_clip("853.mkv", "testsrc2=s=853x480:r=25:d=0.2,format=yuv444p", {"-c:v", "ffv1"});
    const Result result = weft({"render", "853.mkv", "-o", "out.mp4"});
    ASSERT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(ffprobe("out.mp4", "stream=width,height,nb_read_frames"), "854\n480\n5\n");
    EXPECT_TRUE(has(result.err, "854x480")) << result.err;
    const Result scaled = weft({"render", "853.mkv", "--size", "426x240", "-o", "small.mp4"});
    ASSERT_EQ(scaled.status, 0) << scaled.err;
    EXPECT_EQ(ffprobe("small.mp4", "stream=width,height,nb_read_frames"), "426\n240\n5\n");
}

TEST_F(Cases, TheSizeMayChangeInMidStream) {
    ffmpeg_clip("r1.ts", "color=red:s=320x240:r=25:d=1", {"-c:v", "libx264", "-muxdelay", "0"});
    ffmpeg_clip("r2.ts", "color=blue:s=640x480:r=25:d=1",
                {"-c:v", "libx264", "-muxdelay", "0", "-output_ts_offset", "1"});
    write_file(at("rc.ts"), read_file(at("r1.ts")) + read_file(at("r2.ts")));
    const Shown out = shown({"rc.ts"}, 320, 240);
    ASSERT_EQ(out.frames(), 50);
    for (int frame = 0; frame < 50; ++frame)
        for (const auto& [x, y] : std::vector<std::pair<int, int>>{{2, 2}, {317, 2}, {2, 237}, {317, 237}})
            EXPECT_PRED3(near, out.at(frame, x, y), (frame < 25 ? Rgb{254, 0, 0} : Rgb{0, 0, 255}), 4)
                << frame << " at " << x << "," << y;
}

// As ffmpeg -vf crop: the file is as large as what is kept.
TEST_F(Cases, ACropMakesASmallerFile) {
    ffmpeg_clip("a.mkv", "testsrc2=s=640x360:r=25:d=0.2,format=yuv444p", {"-c:v", "ffv1"});
    const Result result = weft({"render", "a.mkv", "--filter", "crop=320:180:40:20", "--format", "raw",
                                "--pix-fmt", "yuv444p", "-o", "weft.raw"});
    ASSERT_EQ(result.status, 0) << result.err;
    ffmpeg({"-i", "a.mkv", "-vf", "crop=320:180:40:20", "-f", "rawvideo", "ffmpeg.raw"});
    EXPECT_EQ(read_file(at("weft.raw")), read_file(at("ffmpeg.raw")));
}
