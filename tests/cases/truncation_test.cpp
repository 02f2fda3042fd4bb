// Files cut off in the middle, as a full disk or a broken download leaves them: what there is comes out, and
// what the container declares beyond that is counted. Where each packet lies is ffprobe's word on the whole
// file.
#include <regex>

#include "cases/cases.hpp"

using namespace weft::test;

namespace {

struct Container {
    std::string name;
    std::vector<std::string> codecs;
};
std::ostream& operator<<(std::ostream& out, const Container& container) {
    return out << container.name;
}

class Truncated : public Cases {
  protected:
    // Fifty pictures, and sound that is over a little before; the first `share` of the bytes.
    void make(const Container& container, double share) {
        Words words{"-f", "lavfi", "-i", "testsrc2=s=96x64:r=25:d=2",
                    "-f", "lavfi", "-i", "sine=440:d=1.9:r=48000"};
        words.insert(words.end(), container.codecs.begin(), container.codecs.end());
        words.push_back("whole." + container.name);
        ffmpeg(words);
        cut("whole." + container.name, "cut." + container.name, share);
    }
    void cut(const std::string& whole, const std::string& part, double share) {
        const std::string bytes = read_file(at(whole));
        bytes_ = static_cast<int64_t>(share * static_cast<double>(bytes.size()));
        write_file(at(part), bytes.substr(0, static_cast<size_t>(bytes_)));
    }
    // Packets of the video of the whole file that the part does not hold whole.
    int packets_beyond(const std::string& whole) {
        const Result result = Child({"ffprobe", "-v", "error", "-select_streams", "v:0", "-show_entries",
                                     "packet=pos,size", "-of", "csv=p=0", whole},
                                    folder_)
                                  .wait();
        std::istringstream lines(result.out);
        int beyond = 0;
        int64_t size = 0, place = 0;
        for (char comma = 0; lines >> size >> comma >> place; lines.ignore(100, '\n'))
            if (place + size > bytes_) ++beyond;
        return beyond;
    }
    static int missing(const Result& result) {
        std::smatch found;
        const std::regex line("warning: input 1: ([0-9]+) pictures? missing");
        return std::regex_search(result.err, found, line) ? std::stoi(found[1]) : 0;
    }
    int64_t bytes_ = 0; // of the part
};

const std::vector<std::string> h264{"-c:v", "libx264", "-bf", "0", "-c:a", "aac"};

std::vector<std::string> with(std::vector<std::string> words, std::initializer_list<std::string> more) {
    words.insert(words.end(), more);
    return words;
}

} // namespace

class Declares : public Truncated, public testing::WithParamInterface<Container> {};

TEST_P(Declares, WhatIsMissingIsCounted) {
    const std::string name = GetParam().name;
    make(GetParam(), 0.6);
    const int beyond = packets_beyond("whole." + name);
    ASSERT_GT(beyond, 10);
    ASSERT_LT(beyond, 40);
    const Result result = weft({"render", "cut." + name, "-o", "out.mkv"});
    EXPECT_EQ(result.status, 1) << result.err;
    EXPECT_TRUE(has(result.err, "warning: input 1: the file is cut short\n")) << result.err;
    EXPECT_EQ(missing(result), beyond) << result.err;
    EXPECT_FALSE(has(result.err, "damaged")) << result.err; // half a picture is none
    EXPECT_EQ(ffprobe("out.mkv", "stream=nb_read_frames"), std::to_string(50 - beyond) + "\n");
    // Nothing is missed of what is not wanted.
    EXPECT_EQ(weft({"render", "cut." + name, "--duration", "0.2s", "-o", "null:"}).status, 0);
    const Result whole = weft({"render", "whole." + name, "-o", "null:"});
    EXPECT_EQ(whole.status, 0) << whole.err;
}

// Its end is where its pictures end, for what comes behind it too.
TEST_P(Declares, ASequenceGoesOnWhereThePicturesEnd) {
    const std::string name = GetParam().name;
    make(GetParam(), 0.6);
    const int beyond = packets_beyond("whole." + name);
    const Result result =
        weft({"render", "cut." + name, "whole." + name, "--transition", "fade:0.2s", "-o", "out.mkv"});
    EXPECT_EQ(result.status, 1) << result.err;
    EXPECT_TRUE(has(result.err, "warning: input show[0]: the file is cut short\n")) << result.err;
    EXPECT_TRUE(has(result.err, "show[0]: " + std::to_string(beyond) + " pictures missing")) << result.err;
    EXPECT_EQ(ffprobe("out.mkv", "stream=nb_read_frames"), std::to_string(50 - beyond + 50 - 5) + "\n");
    // What is behind the part that is asked for is not missed.
    pipeline("inputs: {a: {url: cut." + name + "}, b: {url: whole." + name +
             "}}\ntracks: {t: [{play: a, for: 400ms}, {play: b}]}\nlayers: [{from: t}]\n");
    const Result part = weft({"render", "pipeline.yaml", "-y", "-o", "out.mkv"});
    EXPECT_EQ(part.status, 0) << part.err;
    EXPECT_EQ(ffprobe("out.mkv", "stream=nb_read_frames"), "60\n");
}

INSTANTIATE_TEST_SUITE_P(
    Containers, Declares,
    testing::Values(Container{"mp4", with(h264, {"-movflags", "faststart"})},
                    Container{"mov", {"-c:v", "mjpeg", "-c:a", "pcm_s16le", "-movflags", "faststart"}},
                    Container{"mkv", h264},
                    Container{"webm",
                              {"-c:v", "libvpx", "-cpu-used", "8", "-auto-alt-ref", "0", "-lag-in-frames",
                               "0", "-c:a", "libopus"}},
                    Container{"avi", {"-c:v", "mpeg4", "-c:a", "mp2"}},
                    Container{"flv", with(h264, {"-ar", "44100"})}),
    testing::PrintToStringParamName());

class Silent : public Truncated, public testing::WithParamInterface<Container> {};

// Their containers declare no end: a part of one is a file like any other.
TEST_P(Silent, APartIsAFileOfItsOwn) {
    const std::string name = GetParam().name;
    make(GetParam(), 0.6);
    const Result result = weft({"render", "cut." + name, "-o", "out.mkv"});
    EXPECT_EQ(result.status, 0) << result.err;
    // Twice for a TS: of the stream, and of it in its programme.
    const std::string frames = ffprobe("out.mkv", "stream=nb_read_frames");
    EXPECT_EQ(ffprobe("cut." + name, "stream=nb_read_frames").rfind(frames, 0), 0U) << frames;
}

INSTANTIATE_TEST_SUITE_P(Containers, Silent,
                         testing::Values(Container{"ts", {"-c:v", "mpeg2video", "-c:a", "mp2"}},
                                         Container{"nut", {"-c:v", "ffv1", "-c:a", "pcm_s16le"}},
                                         Container{"ogv", {"-c:v", "libtheora", "-an"}}),
                         testing::PrintToStringParamName());

// FFmpeg's demuxer gives the same error for the end of a whole file as for half a packet, and marks no key
// frame.
TEST_F(Truncated, AnEndThatIsToldAsAnErrorIsOne) {
    ffmpeg_clip("whole.roq", "testsrc2=s=32x32:r=30:d=10", {"-c:v", "roqvideo"});
    const Result result = weft({"render", "whole.roq", "-o", "out.mkv"});
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(ffprobe("out.mkv", "stream=nb_read_frames"), ffprobe("whole.roq", "stream=nb_read_frames"));
    cut("whole.roq", "cut.roq", 0.95); // longer than what is looked at before
    const Result half = weft({"render", "cut.roq", "-y", "-o", "out.mkv"});
    EXPECT_EQ(half.status, 1) << half.err;
    EXPECT_TRUE(has(half.err, "warning: input 1: the file is cut short\n")) << half.err;
    EXPECT_EQ(ffprobe("out.mkv", "stream=nb_read_frames"), ffprobe("cut.roq", "stream=nb_read_frames"));
}

// Of half a JPEG a decoder makes a whole picture; of the other half nothing is known.
TEST_F(Truncated, HalfAPhotoIsTold) {
    ffmpeg_clip("whole.jpg", "testsrc2=s=320x240", {"-frames:v", "1"});
    EXPECT_EQ(weft({"render", "whole.jpg", "--duration", "0.2s", "-o", "null:"}).status, 0);
    // A film behind it, as phones put there, with whatever bytes.
    write_file(at("film.jpg"), read_file(at("whole.jpg")) + std::string("\0\0\0\x18"
                                                                        "ftyp\xFF\xDA\0\x08\xFF\xC4\x12",
                                                                        15));
    EXPECT_EQ(weft({"render", "film.jpg", "--duration", "0.2s", "-o", "null:"}).status, 0);
    cut("whole.jpg", "cut.jpg", 0.6);
    const Result result = weft({"render", "cut.jpg", "--duration", "0.2s", "-o", "null:"});
    EXPECT_EQ(result.status, 1) << result.err;
    EXPECT_TRUE(has(result.err, "warning: input 1: 1 picture damaged\n")) << result.err;
}

// Pictures as they are: the last one is not whole.
TEST_F(Truncated, HalfARawPictureIsMissed) {
    make({"y4m", {"-an", "-pix_fmt", "yuv420p"}}, 0.61);
    const Result result = weft({"render", "cut.y4m", "-o", "out.mkv"});
    EXPECT_EQ(result.status, 1) << result.err;
    EXPECT_EQ(missing(result), 1) << result.err;
    // A head of some bytes, then FRAME, a line's end and 96 x 64 x 3 / 2 bytes each.
    EXPECT_EQ(ffprobe("out.mkv", "stream=nb_read_frames"),
              std::to_string(bytes_ / (6 + 96 * 64 * 3 / 2)) + "\n");
}

// An AVI without sound: FFmpeg takes its duration from what is there.
TEST_F(Truncated, AnAviAloneCountsItsPictures) {
    make({"avi", {"-an", "-c:v", "mpeg4"}}, 0.6);
    const int beyond = packets_beyond("whole.avi");
    const Result result = weft({"render", "cut.avi", "-o", "null:"});
    EXPECT_EQ(result.status, 1) << result.err;
    EXPECT_EQ(missing(result), beyond) << result.err;
}

// What a duration asks for beyond the end of the file is missed, no more of it.
TEST_F(Truncated, ADurationAsksForWhatIsMissed) {
    make({"mkv", with(h264, {})}, 0.6);
    const int there = 50 - packets_beyond("whole.mkv");
    ASSERT_LT(there, 40);
    for (const int pictures : {there, 40, 200}) {
        const Result result = weft(
            {"render", "cut.mkv", "--duration", std::to_string(pictures * 40) + "ms", "-y", "-o", "out.mkv"});
        EXPECT_EQ(result.status, pictures == there ? 0 : 1) << result.err;
        EXPECT_EQ(missing(result), std::min(pictures, 50) - there) << result.err;
        EXPECT_EQ(ffprobe("out.mkv", "stream=nb_read_frames"), std::to_string(there) + "\n");
    }
}

// A fragmented MP4: boxes of which each begins with its size and its name (ISO/IEC 14496-12, 4.2); a
// fragment, ten pictures here, is a moof and then an mdat. How many would follow none of them says.
TEST_F(Truncated, AFragmentedFileTellsWhereverItIsCut) {
    ffmpeg({"-f", "lavfi", "-i", "testsrc2=s=96x64:r=25:d=2", "-c:v", "libx264", "-bf", "0", "-g", "10",
            "-movflags", "frag_keyframe+empty_moov", "whole.mp4"});
    const std::string bytes = read_file(at("whole.mp4"));
    const auto number = [&](size_t place) {
        size_t value = 0;
        for (size_t i = 0; i < 4; ++i)
            value = value << 8 | static_cast<unsigned char>(bytes.at(place + i));
        return value;
    };
    std::vector<size_t> moofs;
    for (size_t place = 0; place + 8 <= bytes.size(); place += number(place))
        if (bytes.substr(place + 4, 4) == "moof") moofs.push_back(place);
    ASSERT_EQ(moofs.size(), 5U);
    const size_t moof = moofs[2], mdat = moof + number(moof), next = mdat + number(mdat);
    ASSERT_EQ(bytes.substr(mdat + 4, 4), "mdat");
    struct Cut {
        size_t bytes;
        int pictures, missing;
    };
    for (const Cut cut : {Cut{moof + 3, 20, 0}, Cut{moof + 8, 20, 0}, Cut{(moof + mdat) / 2, 20, 0},
                          Cut{mdat, 20, 10}, Cut{mdat + 4, 20, 10}, Cut{next - 1, 29, 1}}) {
        write_file(at("cut.mp4"), bytes.substr(0, cut.bytes));
        const Result result = weft({"render", "cut.mp4", "-y", "-o", "out.mkv"});
        EXPECT_EQ(result.status, 1) << cut.bytes - moof << ": " << result.err;
        EXPECT_TRUE(has(result.err, "warning: input 1: the file is cut short\n")) << result.err;
        EXPECT_EQ(missing(result), cut.missing) << cut.bytes - moof << ": " << result.err;
        EXPECT_EQ(ffprobe("out.mkv", "stream=nb_read_frames"), std::to_string(cut.pictures) + "\n");
        EXPECT_TRUE(has(weft({"probe", "cut.mp4"}).out, ", cut short\n"));
        // Nothing is missed of what is not wanted.
        EXPECT_EQ(weft({"render", "cut.mp4", "--duration", "0.8s", "-o", "null:"}).status, 0);
    }
    // Behind a fragment, and within the index at the file's end: all that is told of is there.
    for (const size_t end : {next, bytes.size() - 20, bytes.size()}) {
        write_file(at("cut.mp4"), bytes.substr(0, end));
        const Result result = weft({"render", "cut.mp4", "-y", "-o", "out.mkv"});
        EXPECT_EQ(result.status, 0) << result.err;
        EXPECT_EQ(ffprobe("out.mkv", "stream=nb_read_frames"), end == next ? "30\n" : "50\n");
        EXPECT_FALSE(has(weft({"probe", "cut.mp4"}).out, "cut short"));
    }
}

// Cut within its first fragment a file has no picture, not for ffmpeg either.
TEST_F(Truncated, AFragmentWithoutAPictureIsRefused) {
    make({"mp4", with(h264, {"-g", "10", "-movflags", "frag_keyframe+empty_moov"})}, 1);
    const std::string bytes = read_file(at("whole.mp4"));
    write_file(at("none.mp4"), bytes.substr(0, bytes.find("moof") + 60));
    const Result none = weft({"render", "none.mp4", "-o", "null:"});
    EXPECT_EQ(none.status, 2);
    EXPECT_EQ(none.err,
              "error: none.mp4: video stream 0 (h264): no picture in it: its pixel format is unknown\n");
}

// All pictures are there; what is cut off is sound that lasts longer.
TEST_F(Truncated, SoundBehindThePicturesIsNoPicture) {
    for (const std::string name : {"a.mp4", "a.mkv"}) {
        ffmpeg({"-f", "lavfi", "-i", "testsrc2=s=96x64:r=25:d=1", "-f", "lavfi", "-i", "sine=440:d=4", "-c:v",
                "libx264", "-c:a", "aac", "-movflags", "faststart", name});
        cut(name, "cut_" + name, 0.9);
        ASSERT_EQ(packets_beyond(name), 0);
        const Result result = weft({"render", "cut_" + name, "-o", "null:"});
        EXPECT_EQ(result.status, 0) << result.err;
    }
}

// The rules of an end hold for this one too, and a loop loops what there is.
TEST_F(Truncated, ACutFileLoops) {
    make({"mp4", with(h264, {"-movflags", "faststart"})}, 0.6);
    pipeline("inputs: {a: {url: cut.mp4, end: loop}}\nlayers: [{from: a}]\n");
    const auto there = static_cast<int>(50 - packets_beyond("whole.mp4"));
    const Shown out = shown({"pipeline.yaml", "--duration", "4s"}, 96, 64, 1);
    ASSERT_EQ(out.frames(), 100);
    EXPECT_NE(out.picture(there - 1), out.picture(0));
    EXPECT_EQ(out.picture(there), out.picture(0));
    EXPECT_EQ(out.picture(there + 10), out.picture(10));
}

TEST_F(Truncated, ACutFileHides) {
    // Without pictures out of order, of which some would be missing before the last one.
    make({"mp4", with(h264, {"-bf", "0", "-movflags", "faststart"})}, 0.6);
    const int there = 50 - packets_beyond("whole.mp4");
    pipeline("inputs: {a: {url: cut.mp4, end: hide}, b: {url: whole.mp4}}\n"
             "layers: [{from: b}, {from: a, filters: [{negate: {}}]}]\n");
    const Shown out = shown({"pipeline.yaml"}, 96, 64, 1);
    ASSERT_EQ(out.frames(), 50);
    const Shown whole = decoded("whole.mp4", 96, 64);
    EXPECT_FALSE(near(out.centre(there - 1), whole.centre(there - 1), 30));
    EXPECT_TRUE(near(out.centre(there), whole.centre(there), 30));
}

TEST_F(Truncated, ProbeTellsBothLengths) {
    make({"mp4", with(h264, {"-movflags", "faststart"})}, 0.6);
    const double there = (50 - packets_beyond("whole.mp4")) / 25.0;
    const Result result = weft({"probe", "cut.mp4"});
    EXPECT_EQ(result.status, 0);
    char text[64];
    std::snprintf(text, sizeof text, "%.3f s (cut short, 2.000 s declared)", there);
    EXPECT_TRUE(has(result.out, text)) << result.out;
    EXPECT_FALSE(has(weft({"probe", "whole.mp4"}).out, "cut short"));
}
