// Frame rates, ends, fades, stills and seeking.
#include "cases/cases.hpp"

using namespace weft::test;

// FFmpeg's xfade stops with a time base mismatch.
TEST_F(Cases, ACrossfadeJoinsClipsOfDifferentRate) {
    ffmpeg_clip("a30.mp4", "color=white:s=64x64:r=30:d=2",
                {"-c:v", "libx264", "-video_track_timescale", "30"});
    ffmpeg_clip("b2997.mp4", "color=black:s=64x64:r=30000/1001:d=2",
                {"-c:v", "libx264", "-video_track_timescale", "30000"});
    const Shown out = shown({"a30.mp4", "b2997.mp4", "--transition", "fade:1s", "--rate", "30"}, 64, 64);
    EXPECT_TRUE(out.frames() == 90 || out.frames() == 91) << out.frames();
    EXPECT_NEAR(out.centre(29).r, 255, 2);
    EXPECT_NEAR(out.centre(45).r, 127, 6);
    EXPECT_NEAR(out.centre(60).r, 0, 2);
    for (int frame = 31; frame <= 60; ++frame)
        EXPECT_LT(out.centre(frame).r, out.centre(frame - 1).r) << frame;
}

// An ended input holds its last picture, which is the rule `end: hold`.
TEST_F(Cases, TheEndOfOneInputIsNotTheEndOfAll) {
    numbered_clip("code90.mp4", "30", "3");
    numbered_clip("code30.mp4", "30", "1");
    for (const bool long_first : {true, false}) {
        const Shown out = shown({long_first ? "code90.mp4" : "code30.mp4",
                                 long_first ? "code30.mp4" : "code90.mp4", "--layout", "hstack"},
                                128, 64);
        EXPECT_EQ(out.frames(), 90);
        const int whole = long_first ? 32 : 96, ended = 128 - whole;
        for (int frame = 0; frame < out.frames(); ++frame) {
            EXPECT_NEAR(out.at(frame, whole, 32).r, grey(16 + 2 * frame), 2) << frame;
            EXPECT_NEAR(out.at(frame, ended, 32).r, grey(16 + 2 * std::min(frame, 29)), 2) << frame;
        }
    }
}

// 20 pictures at 10 a second, then 60 at 30: phones and screen recorders write such files.
TEST_F(Cases, AVariableRatePlaysByItsTimes) {
    ffmpeg_clip("vfr.mp4", "color=black:s=64x64:r=30:d=4",
                {"-vf", "geq=lum='16+N':cb=128:cr=128,select='if(lt(n,60),not(mod(n,3)),1)'", "-fps_mode",
                 "vfr", "-c:v", "libx264", "-qp", "0"});
    ASSERT_EQ(ffprobe("vfr.mp4", "stream=nb_read_frames"), "80\n");
    const Shown out = shown({"vfr.mp4", "--rate", "30"}, 64, 64);
    ASSERT_EQ(out.frames(), 120);
    for (int k = 0; k < 120; ++k)
        EXPECT_NEAR(out.centre(k).r, grey(16 + (k < 60 ? 3 * (k / 3) : k)), 1) << k;
}

// High-speed cameras: FFmpeg gives no average of the last one, whose times prove it.
TEST_F(Cases, AHighRateIsItsOwn) {
    for (const auto& [rate, name] : std::vector<std::pair<std::string, std::string>>{{"120", "a.mkv"},
                                                                                     {"240", "a.mp4"},
                                                                                     {"480", "a.y4m"},
                                                                                     {"1000", "a.mkv"},
                                                                                     {"1000", "a.y4m"},
                                                                                     {"1000", "a.ts"}}) {
        ffmpeg_clip(name, "testsrc2=s=32x32:d=0.1:r=" + rate,
                    {"-c:v", name == "a.y4m" ? "wrapped_avframe" : "libx264", "-pix_fmt", "yuv420p"});
        const Result result = weft({"render", name, "-y", "-o", "out.mkv", "--vcodec", "ffv1"});
        EXPECT_EQ(result.status, 0) << result.err;
        EXPECT_TRUE(has(result.err, " at " + rate + " fps")) << name << result.err;
    }
}

// Pictures a millisecond apart, then none for a while: no rate of its own, and that is told.
TEST_F(Cases, AnUnbelievableRateIsTold) {
    ffmpeg_clip("a.mkv", "testsrc2=s=32x32:d=0.2:r=1000",
                {"-vf", "select='lt(mod(n,20),4)'", "-fps_mode", "vfr", "-c:v", "ffv1"});
    const Result result = weft({"render", "a.mkv", "-o", "null:"});
    EXPECT_TRUE(
        has(result.err,
            "a.mkv: read as 60 pictures a second by its times, which vary (guessed by FFmpeg: 1000, on "
            "average: "))
        << result.err;
    EXPECT_TRUE(has(result.err, "--rate")) << result.err;
    EXPECT_FALSE(
        has(weft({"render", "a.mkv", "--rate", "25", "--log", "error", "-o", "null:"}).err, "read as"));
    EXPECT_TRUE(has(weft({"probe", "a.mkv"}).out, "60 fps (variable")) << weft({"probe", "a.mkv"}).out;
    EXPECT_TRUE(has(weft({"probe", "--json", "a.mkv"}).out, "\"variable_rate\": true"));
    ffmpeg_clip("b.mkv", "testsrc2=s=32x32:d=0.2:r=25", {"-c:v", "ffv1"});
    EXPECT_TRUE(has(weft({"probe", "--json", "b.mkv"}).out, "\"variable_rate\": false"));
    EXPECT_FALSE(has(weft({"render", "b.mkv", "-o", "null:"}).err, "due at no frame"));
    const Result fewer = weft({"render", "b.mkv", "--rate", "12.5", "-o", "null:"});
    EXPECT_EQ(fewer.status, 0);
    EXPECT_TRUE(has(fewer.err, "input 1: 2 of 5 pictures due at no frame\n")) << fewer.err;
}

// Blending is of stored values, as FFmpeg's; in linear light the middle would be 188.
TEST_F(Cases, AFadeLastsAsLongAsItSays) {
    ffmpeg_clip("white.mp4", "color=white:s=64x64:r=25:d=6", {"-c:v", "libx264"});
    ffmpeg_clip("black.mp4", "color=black:s=64x64:r=25:d=6", {"-c:v", "libx264"});
    const Shown out = shown({"white.mp4", "black.mp4", "--transition", "fade:4s"}, 64, 64);
    ASSERT_EQ(out.frames(), 200);
    for (const auto& [frame, value] :
         std::vector<std::pair<int, int>>{{50, 255}, {75, 191}, {100, 127}, {125, 63}, {149, 2}, {150, 0}})
        EXPECT_NEAR(out.centre(frame).r, value, 2) << frame;
}

TEST_F(Cases, AStillLastsAsLongAsTheMovingPictures) {
    make_halo();
    ffmpeg_clip("blue.mp4", "color=blue:s=320x180:r=25:d=2", {"-c:v", "libx264"});
    const Shown logo = shown({pipeline("inputs: {blue: {url: blue.mp4}, halo: {url: halo.png}}\n"
                                       "layers: [{from: blue}, {from: halo, rect: [10, 10, 64, 64]}]\n")},
                             320, 180);
    EXPECT_EQ(logo.frames(), 50);
    for (int frame = 0; frame < logo.frames(); ++frame) {
        EXPECT_RGB(logo.at(frame, 40, 40), ({255, 255, 255}), 2) << frame;
        EXPECT_RGB(logo.at(frame, 12, 12), ({0, 0, 255}), 3) << frame;
    }
    const Shown base =
        shown({pipeline("inputs: {halo: {url: halo.png}, blue: {url: blue.mp4}}\n"
                        "canvas: {size: 64x64}\n"
                        "layers: [{from: halo}, {from: blue, rect: [0, 0, 16, 16], fit: fill}]\n")},
              64, 64);
    EXPECT_EQ(base.frames(), 50);
    EXPECT_RGB(base.at(49, 8, 8), ({0, 0, 255}), 3);
    EXPECT_RGB(base.at(49, 40, 40), ({255, 255, 255}), 2);
    const Result alone = weft({"render", "halo.png", "-o", "null:"});
    EXPECT_EQ(alone.status, 2);
    EXPECT_TRUE(has(alone.err, "needs a duration")) << alone.err;
}

// A broadcast recorded from the middle of a group of pictures: the sound is there at once, the first picture
// at the time of the next key frame, and before it nothing is seen.
TEST_F(Cases, NothingIsSeenBeforeTheFirstKeyFrame) {
    ffmpeg({"-f", "lavfi", "-i", "color=white:s=96x64:r=25:d=4", "-f", "lavfi", "-i", "sine=440:d=4:r=48000",
            "-c:v", "mpeg2video", "-g", "25", "-c:a", "mp2", "whole.ts"});
    const std::string bytes = read_file(at("whole.ts"));
    write_file(at("part.ts"), bytes.substr(bytes.size() * 2 / 5 / 188 * 188));
    // The first line of each: the picture that decodes first, the first packet, the first of all.
    const auto seconds = [&](const std::string& entry) { return std::stod(ffprobe("part.ts", entry)); };
    const double first = seconds("frame=best_effort_timestamp_time"), packet = seconds("stream=start_time"),
                 container = seconds("format=start_time");
    const double zero = packet - container > 0.1 ? container : packet;
    const auto black = static_cast<int>(std::ceil((first - zero) * 25 - 0.01));
    ASSERT_GT(black, 3);
    ASSERT_LT(black, 25);
    const Shown out = shown({"part.ts"}, 96, 64);
    ASSERT_GT(out.frames(), 40);
    EXPECT_RGB(out.centre(0), ({0, 0, 0}), 1);
    EXPECT_RGB(out.centre(black - 1), ({0, 0, 0}), 1);
    EXPECT_RGB(out.centre(black), ({255, 255, 255}), 2);
}

// AVI numbers packets as they are decoded: its first picture comes out later, and is the first all the same.
TEST_F(Cases, AnAviWithReorderedPicturesBeginsWithItsFirst) {
    for (const std::string delay : {"1", "4"}) {
        ffmpeg_clip(
            "a.avi", "testsrc2=s=64x48:r=25:d=1",
            {"-pix_fmt", "yuv444p", "-c:v", "libx264", "-qp", "0", "-bf", delay, "-b-pyramid", "normal"});
        const Shown out = shown({"a.avi"}, 64, 48), whole = decoded("a.avi", 64, 48);
        ASSERT_EQ(out.frames(), 25) << delay;
        ASSERT_EQ(whole.frames(), 25);
        for (int frame = 0; frame < 25; ++frame)
            EXPECT_TRUE(near(out.at(frame, 3, 40), whole.at(frame, 3, 40), 2) &&
                        near(out.centre(frame), whole.centre(frame), 2))
                << delay << ": " << frame;
    }
}

// To FFmpeg both are a row of JPEGs: a camera's stream is a video, a photo with previews and the like behind
// it is the first of them.
TEST_F(Cases, JpegsInARowAreAVideoAFewAreAPhoto) {
    ffmpeg_clip("a.mjpeg", "testsrc2=s=64x48:r=25:d=1", {"-c:v", "mjpeg", "-q:v", "2"});
    const Shown video = shown({"a.mjpeg"}, 64, 48), whole = decoded("a.mjpeg", 64, 48);
    ASSERT_EQ(video.frames(), 25);
    ASSERT_EQ(whole.frames(), 25);
    EXPECT_RGB(video.centre(24), (whole.centre(24)), 4);
    ffmpeg_clip("red.jpg", "color=red:s=64x48", {"-frames:v", "1"});
    ffmpeg_clip("blue.jpg", "color=blue:s=32x24", {"-frames:v", "1"});
    const std::string preview = read_file(at("blue.jpg"));
    write_file(at("photo.jpg"), read_file(at("red.jpg")) + preview + preview);
    const Shown photo = shown({"photo.jpg", "--duration", "0.2s"}, 64, 48);
    ASSERT_EQ(photo.frames(), 5);
    EXPECT_RGB(photo.centre(4), ({254, 0, 0}), 3);
}

// To FFmpeg AVIF is an MP4, its only picture one of a second's length; a sequence is a video.
TEST_F(Cases, AnAvifIsAStillOrAVideo) {
    ffmpeg_clip("blue.mp4", "color=blue:s=64x64:r=25:d=1.4", {"-c:v", "libx264"});
    ffmpeg_clip("red.avif", "color=red:s=32x32:r=25",
                {"-frames:v", "1", "-c:v", "libaom-av1", "-still-picture", "1"});
    ffmpeg_clip("moves.avif", "color=red:s=32x32:r=25:d=0.4", {"-c:v", "libaom-av1", "-cpu-used", "8"});
    EXPECT_TRUE(has(weft({"probe", "red.avif"}).out, "32x32, one picture\n"));
    EXPECT_TRUE(has(weft({"probe", "moves.avif"}).out, "32x32, 25 fps, 10 frames"))
        << weft({"probe", "moves.avif"}).out;
    pipeline("inputs: {blue: {url: blue.mp4}, red: {url: red.avif}}\n"
             "layers: [{from: blue}, {from: red, rect: [0, 0, 32, 32]}]\n");
    const Shown out = shown({"pipeline.yaml"}, 64, 64);
    ASSERT_EQ(out.frames(), 35);
    EXPECT_RGB(out.at(34, 16, 16), ({255, 0, 0}), 3);
    EXPECT_EQ(weft({"render", "red.avif", "-o", "null:"}).status, 2); // how long?
}

TEST_F(Cases, AnAnimatedLogoHoldsOrLoops) {
    ffmpeg_clip("blue.mp4", "color=blue:s=64x64:r=25:d=2", {"-c:v", "libx264"});
    // Twelve pictures of 40 ms; the last is the only red one.
    ffmpeg_clip("logo.gif", "color=lime:s=16x16:r=25:d=0.48",
                {"-vf", "geq=r='255*gte(N,11)':g='255*lt(N,11)':b=0"});
    for (const bool loop : {false, true}) {
        const Shown out =
            shown({pipeline(std::string("inputs: {blue: {url: blue.mp4}, logo: {url: logo.gif, end: ") +
                            (loop ? "loop" : "hold") +
                            "}}\nlayers: [{from: blue}, {from: logo, rect: [0, 0, 16, 16]}]\n")},
                  64, 64);
        EXPECT_EQ(out.frames(), 50);
        for (int frame = 0; frame < out.frames(); ++frame) {
            const bool red = loop ? frame % 12 == 11 : frame >= 11;
            EXPECT_PRED3(near, out.at(frame, 8, 8), (red ? Rgb{255, 0, 0} : Rgb{0, 255, 0}), 3)
                << frame << (loop ? " looped" : " held");
        }
    }
}

// One key frame, starts at 10 s. `ffmpeg -ss 1 -i` gives no picture at all.
TEST_F(Cases, SeekingCountsFromTheFilesFirstPicture) {
    numbered_clip("start10.ts", "25", "4", {"-output_ts_offset", "10", "-muxdelay", "0"});
    const auto check = [&](const Shown& out) {
        EXPECT_EQ(out.frames(), 75);
        EXPECT_NEAR(out.centre(0).r, grey(66), 2); // picture 25
        EXPECT_NEAR(out.centre(74).r, grey(16 + 2 * 99), 2);
    };
    check(shown({"start10.ts", "--start", "1s"}, 64, 64));
    check(shown({pipeline("inputs: {a: {url: start10.ts, start: 1s}}\n")}, 64, 64));
}
