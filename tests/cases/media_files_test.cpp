// Files of tests/media_files against what the ffmpeg program decodes from them, and those that must be
// refused.
#include "cases/cases.hpp"

using namespace weft::test;

namespace {

struct File {
    std::string name;
    int width, height, frames; // as shown: upright, in square pixels
    std::string rate;
    std::string pixel_format; // in which both are compared
    std::string filter;       // what ffmpeg does to show the same
    // Of luma, and of chroma: a turned picture's is moved to where its new samples lie, which ffmpeg leaves.
    int tolerance = 0, chroma_tolerance = 0;
    int status = 0;                        // 1: something in it is damaged
    std::vector<std::string> decoder = {}; // ffmpeg's words before -i
};

std::ostream& operator<<(std::ostream& out, const File& file) {
    return out << file.name;
}

const std::string limited = "scale=out_range=tv:flags=accurate_rnd+full_chroma_int+bicubic";

class MediaFile : public Cases, public testing::WithParamInterface<File> {};

} // namespace

TEST_P(MediaFile, ShowsWhatFfmpegDecodes) {
    const File& file = GetParam();
    const std::string path = std::string(WEFT_SOURCE_DIR) + "/tests/media_files/" + file.name;
    const Result result = weft(
        {"render", path, "--no-audio", "--format", "raw", "--pix-fmt", file.pixel_format, "-o", "weft.raw"});
    EXPECT_EQ(result.status, file.status) << result.err;
    EXPECT_TRUE(has(result.err, std::to_string(file.width) + "x" + std::to_string(file.height) + " at " +
                                    file.rate + " fps"))
        << result.err;
    EXPECT_TRUE(
        has(result.err, std::to_string(file.frames) + (file.frames == 1 ? " frame in " : " frames in ")))
        << result.err;
    std::vector<std::string> words = file.decoder;
    words.insert(words.end(), {"-i", path, "-map", "0:v:0"});
    if (!file.filter.empty()) words.insert(words.end(), {"-vf", file.filter});
    words.insert(words.end(),
                 {"-fps_mode", "passthrough", "-f", "rawvideo", "-pix_fmt", file.pixel_format, "ffmpeg.raw"});
    ffmpeg(words);
    const std::string expected = read_file(at("ffmpeg.raw")), got = read_file(at("weft.raw"));
    ASSERT_EQ(got.size(), expected.size());
    const bool wide = has(file.pixel_format, "10le");
    const auto code = [&](const std::string& bytes, size_t i) {
        const auto byte = [&](size_t k) { return static_cast<int>(static_cast<unsigned char>(bytes[k])); };
        return wide ? byte(2 * i) + 256 * byte(2 * i + 1) : byte(i);
    };
    int worst = 0;
    size_t where = 0;
    const size_t luma = static_cast<size_t>(file.width) * static_cast<size_t>(file.height);
    const size_t picture = expected.size() / static_cast<size_t>(file.frames) / (wide ? 2 : 1);
    for (size_t i = 0; i < got.size() / (wide ? 2 : 1); ++i)
        if (const int off = std::abs(code(got, i) - code(expected, i)) -
                            (i % picture < luma ? file.tolerance : file.chroma_tolerance);
            off > worst) {
            worst = off;
            where = i;
        }
    EXPECT_EQ(worst, 0) << "sample " << where << ": expected " << code(expected, where) << ", got "
                        << code(got, where);
}

INSTANTIATE_TEST_SUITE_P(
    Files, MediaFile,
    testing::Values(File{"clip_rot90.mov", 320, 568, 3, "30", "yuv420p", "", 0, 4},
                    File{"h264_10bit_untagged.mp4", 200, 200, 30, "30", "yuv420p10le", ""},
                    File{"bt601_640x428_mixed_tags.mov", 640, 428, 30, "30000/1001", "yuv420p", ""},
                    File{"h264_444_chapters.mkv", 320, 240, 150, "30", "yuv444p", ""},
                    File{"fragmented_bogus_duration.mp4", 1080, 720, 30, "30000/1001", "yuv420p", ""},
                    File{"flv_h264_offset_start.flv", 1080, 720, 30, "30", "yuv420p", ""},
                    File{"ts_start_at_wrap_two_frames.ts", 640, 360, 2, "30000/1001", "yuv420p", ""},
                    // One full-range picture that starts 59 ms late, while the sound lasts a second.
                    File{"highfps120_rot_start59ms.mov", 1080, 1920, 1, "120", "yuv420p", limited, 1, 8}),
    [](const auto& one) {
        std::string name = one.param.name;
        std::replace_if(
            name.begin(), name.end(), [](char c) { return std::isalnum(c) == 0; }, '_');
        return name;
    });

namespace {

std::string media_file(const std::string& name) {
    return std::string(WEFT_SOURCE_DIR) + "/tests/media_files/" + name;
}

} // namespace

TEST_F(Cases, OddSizesKeepTheirChroma) { // 161x121: chroma of 81x61
    const Shown out = shown({media_file("vp9_161x121.webm")}, 161, 121);
    EXPECT_EQ(out.frames(), 30);
    const Shown expected = decoded(media_file("vp9_161x121.webm"), 161, 121);
    double sum = 0;
    for (int y = 0; y < 121; ++y)
        for (int x = 0; x < 161; ++x)
            sum += std::abs(out.at(9, x, y).g - expected.at(9, x, y).g);
    EXPECT_LT(sum / (161 * 121), 1.5); // both interpolate chroma, each in its own way
}

// The first ten pictures are 160x90, then ten of 320x180: one size out, every picture whole.
TEST_F(Cases, AnAv1FileMayChangeItsSize) {
    const Shown out = shown({media_file("av1_two_sample_entries.mp4")}, 160, 90);
    ASSERT_EQ(out.frames(), 20);
    const Shown expected = decoded(media_file("av1_two_sample_entries.mp4"), 160, 90);
    ASSERT_EQ(expected.frames(), 20);
    for (const int frame : {0, 9, 10, 19}) {
        double sum = 0;
        for (int y = 0; y < 90; ++y)
            for (int x = 0; x < 160; ++x)
                sum += std::abs(out.at(frame, x, y).g - expected.at(frame, x, y).g);
        EXPECT_LT(sum / (160 * 90), 4) << frame; // ffmpeg shrinks with bicubic
    }
}

// An edit list begins the video a second after the sound: background first.
TEST_F(Cases, AnEditListDelaysThePicture) {
    const Result result =
        weft({"render", media_file("video_delayed_1s_editlist.mp4"), "--size", "192x108", "--background",
              "#00ff00", "--rate", "10", "--format", "raw", "--pix-fmt", "rgb24", "-o", "out.raw"});
    ASSERT_EQ(result.status, 0) << result.err;
    const Shown out{192, 108, read_file(at("out.raw"))};
    EXPECT_EQ(out.frames(), 100);
    EXPECT_RGB(out.centre(0), ({0, 255, 0}), 2);
    EXPECT_RGB(out.centre(9), ({0, 255, 0}), 2);
    EXPECT_FALSE(near(out.centre(10), {0, 255, 0}, 8));
}

TEST_F(Cases, APhonesHdrClipStandsUpright) {
    const Result result = weft({"render", media_file("phone_dovi_hlg_rot.MOV"), "-o", "out.mp4"});
    EXPECT_EQ(result.status, 0) << result.err;
    // 0.106667 s hold four pictures of 1/30 s (of five, one lies before the edit list).
    EXPECT_EQ(ffprobe("out.mp4", "stream=width,height,color_transfer,nb_read_frames"),
              "720\n1280\nbt709\n4\n");
}

// Profile 8 has HLG that everybody can show; of profile 5 only its metadata make colours. The record is that
// of "Dolby Vision Streams Within the ISO Base Media File Format", 3.2: seven bits of profile behind the
// version, then level and flags, then four bits that say what the base layer is.
TEST_F(Cases, DolbyVisionWithoutABaseLayerIsTold) {
    const Result eight = weft({"render", media_file("phone_dovi_hlg_rot.MOV"), "-o", "null:"});
    EXPECT_EQ(eight.status, 0);
    EXPECT_FALSE(has(eight.err, "Dolby")) << eight.err;
    std::string bytes = read_file(media_file("phone_dovi_hlg_rot.MOV"));
    const size_t record = bytes.find("dvvC") + 4;
    ASSERT_LT(record, bytes.size());
    bytes[record + 2] = static_cast<char>(5 << 1 | (bytes[record + 2] & 1));
    bytes[record + 4] = static_cast<char>(bytes[record + 4] & 0x0f);
    write_file(at("five.mov"), bytes);
    const Result five = weft({"render", "five.mov", "-o", "null:"});
    EXPECT_EQ(five.status, 0) << five.err;
    EXPECT_TRUE(has(five.err, "five.mov: video stream 0 (hevc): Dolby Vision profile 5")) << five.err;
    EXPECT_TRUE(has(five.err, "wrong colours")) << five.err;
    EXPECT_TRUE(has(weft({"probe", "five.mov"}).out, "warning: Dolby Vision profile 5"));
}

// FFmpeg's own VP9 decoder drops the alpha; libvpx's keeps it.
TEST_F(Cases, AWebmKeepsItsAlpha) {
    const Shown out =
        shown({media_file("vp9_alpha.webm"), "--background", "#00ff00", "--duration", "0.2s"}, 200, 200);
    const Shown alpha = decoded(media_file("vp9_alpha.webm"), 200, 200, {"-c:v", "libvpx-vp9"});
    ffmpeg({"-c:v", "libvpx-vp9", "-i", media_file("vp9_alpha.webm"), "-frames:v", "1", "-f", "rawvideo",
            "-pix_fmt", "yuva420p", "a.raw"});
    const std::string planes = read_file(at("a.raw"));
    int clear = 0, opaque = 0;
    for (int y = 2; y < 198; ++y)
        for (int x = 2; x < 198; ++x) {
            const auto a =
                static_cast<unsigned char>(planes[200 * 200 * 3 / 2 + static_cast<size_t>(y * 200 + x)]);
            if (a == 0) {
                ++clear;
                EXPECT_PRED3(near, out.at(0, x, y), (Rgb{0, 255, 0}), 3) << x << "," << y;
            } else if (a == 255) {
                ++opaque;
            }
        }
    EXPECT_GT(clear, 1000);
    EXPECT_GT(opaque, 100);
}

// 29 or 30 of its 30 pictures; what is lost is said.
TEST_F(Cases, ABadUnitCostsOnePictureAtMost) {
    const Result result = weft({"render", media_file("invalid_nal_in_mp4.mp4"), "-o", "out.mkv"});
    EXPECT_EQ(result.status, 1) << result.err;
    EXPECT_TRUE(has(result.err, "damaged")) << result.err;
    const int frames = std::stoi(ffprobe("out.mkv", "stream=nb_read_frames"));
    EXPECT_TRUE(frames == 29 || frames == 30) << frames;
}

TEST_F(Cases, WhatHoldsNoPictureIsRefusedInOneLine) {
    write_file(at("zero_bytes.webm"), "");
    write_file(at("text.mp4"), "This is no video.\n");
    for (const std::string& file : {media_file("no_moov.mp4"), media_file("ts_declared_video_no_frames.ts"),
                                    at("zero_bytes.webm").string(), at("text.mp4").string()}) {
        const Result result = weft({"render", file, "-o", "out.mp4"});
        EXPECT_EQ(result.status, 2) << file;
        EXPECT_EQ(result.err.rfind("error: " + file, 0), 0U) << result.err;
        EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
        EXPECT_FALSE(exists("out.mp4"));
    }
}

TEST_F(Cases, SoundAloneNeedsASize) {
    const Result bare = weft({"render", media_file("audio_only.mp4"), "-o", "out.mp4"});
    EXPECT_EQ(bare.status, 2);
    EXPECT_TRUE(has(bare.err, "--size")) << bare.err;
    const Result sized = weft({"render", media_file("audio_only.mp4"), "--size", "64x64", "-o", "out.mkv"});
    EXPECT_EQ(sized.status, 0) << sized.err;
    EXPECT_EQ(ffprobe("out.mkv", "stream=codec_type", "a:0"), "audio\n");
    EXPECT_EQ(ffprobe("out.mkv", "stream=nb_read_frames"), "27\n"); // 1.045 s at 25 a second
}

// ffmpeg writes it, and cannot read it.
TEST_F(Cases, AnAnimatedWebpIsRefusedWithAWayOut) {
    ffmpeg_clip("moves.webp", "testsrc2=s=64x48:r=10:d=0.3", {"-loop", "0"});
    for (const char* command : {"render", "probe"}) {
        std::vector<std::string> words{command, "moves.webp"};
        if (words[0] == "render") words.insert(words.end(), {"-o", "out.mp4"});
        const Result result = weft(words);
        EXPECT_EQ(result.status, 2);
        EXPECT_EQ(result.err,
                  "error: moves.webp: webp: animated WebP, which FFmpeg cannot decode: convert it to "
                  "APNG, GIF or a video first\n");
    }
    EXPECT_FALSE(exists("out.mp4"));
    ffmpeg_clip("still.webp", "testsrc2=s=64x48", {"-frames:v", "1"});
    EXPECT_EQ(weft({"render", "still.webp", "--duration", "0.2s", "-o", "null:"}).status, 0);
}
