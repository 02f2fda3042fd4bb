#include "media/video_decoder.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <set>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "clips.hpp"

namespace weft::test {
namespace {

using media::HostFrame;
using media::VideoDecoder;
using media::VideoOptions;

// Counts and checks what is borrowed; plain memory.
class CountingAllocator final : public FrameAllocator {
  public:
    explicit CountingAllocator(bool serve = true) : serve_(serve) {}
    FrameBlock acquire(size_t bytes) override {
        if (!serve_) return {};
        const std::lock_guard lock(mutex_);
        const size_t rounded = (bytes + 4095) / 4096 * 4096;
        FrameBlock block{static_cast<uint8_t*>(std::aligned_alloc(4096, rounded)), rounded, this};
        std::memset(block.data, 0xA5 + lent_, rounded); // pictures must not depend on what was there
        out_.insert(block.data);
        ++lent_;
        return block;
    }
    void release(FrameBlock block) noexcept override {
        const std::lock_guard lock(mutex_);
        if (out_.erase(block.data) != 1 || block.cookie != this) wrong_ = true;
        std::free(block.data);
    }
    size_t out() const { return out_.size(); }
    int lent() const { return lent_; }
    bool wrong() const { return wrong_; }

  private:
    bool serve_;
    std::mutex mutex_;
    std::set<uint8_t*> out_;
    int lent_ = 0;
    bool wrong_ = false;
};

size_t packed_bytes(const colour::PictureFormat& format) {
    size_t bytes = 0;
    for (int plane = 0; plane < format.pixels.plane_count; ++plane)
        bytes += static_cast<size_t>(format.pixels.plane_line_bytes(plane, format.width)) *
                 static_cast<size_t>(format.pixels.plane_lines(plane, format.height));
    return bytes;
}

// Every picture byte for byte as the ffmpeg program decodes it.
void expect_like_ffmpeg(const std::string& file, const VideoOptions& options = {},
                        const std::string& before = "") {
    VideoDecoder decoder = open_video(file, options);
    const colour::PictureFormat& format = decoder.format();
    const std::vector<Bytes> expected =
        reference_pictures(file, format.pixels.name, packed_bytes(format), before);
    ASSERT_FALSE(expected.empty()) << file;
    size_t count = 0;
    while (const auto frame = decoder.next()) {
        ASSERT_LT(count, expected.size()) << file;
        ASSERT_EQ(difference(expected[count], packed(*frame)), "") << file << " picture " << count;
        ++count;
    }
    EXPECT_EQ(count, expected.size()) << file;
    EXPECT_EQ(decoder.errors(), 0) << file;
}

class StoredFormat : public testing::TestWithParam<const char*> {};

TEST_P(StoredFormat, ComesOutAsFfmpegDecodesIt) {
    const TempFolder folder;
    const std::string name = GetParam();
    const std::string file = make_clip(
        folder, "f.mkv", "-f lavfi -i testsrc2=s=85x37:r=25:d=0.2 -pix_fmt " + name + " -c:v ffv1 -level 3");
    expect_like_ffmpeg(file);
    EXPECT_EQ(open_video(file).format().pixels.name, name);
}

INSTANTIATE_TEST_SUITE_P(OddSizes, StoredFormat,
                         testing::Values("yuv420p", "yuv422p", "yuv444p", "yuv410p", "yuv420p10le",
                                         "yuv422p10le", "yuv444p12le", "yuva420p", "yuva444p10le", "gray",
                                         "gray10le", "gray16le", "ya8", "gbrp10le", "gbrap10le", "gbrp16le",
                                         "bgra", "bgr0"));

class RawFormat : public testing::TestWithParam<const char*> {};

TEST_P(RawFormat, ComesOutAsFfmpegDecodesIt) {
    const TempFolder folder;
    const std::string name = GetParam();
    const std::string file = make_clip(
        folder, "f.nut", "-f lavfi -i testsrc2=s=86x37:r=25:d=0.2 -pix_fmt " + name + " -c:v rawvideo");
    expect_like_ffmpeg(file);
    EXPECT_EQ(open_video(file).format().pixels.name, name);
}

INSTANTIATE_TEST_SUITE_P(OddSizes, RawFormat,
                         testing::Values("nv12", "nv21", "yuyv422", "uyvy422", "rgb24", "bgr24", "rgba",
                                         "argb", "gbrp", "gbrap", "rgb48le"));

TEST(VideoDecoder, DecodesTheUsualCodecs) {
    const TempFolder folder;
    const std::string source = "-f lavfi -i testsrc2=s=161x121:r=25:d=0.6 ";
    expect_like_ffmpeg(make_clip(folder, "a.mp4", source + "-vf crop=160:120 -c:v libx264 -bf 3 -g 6"));
    expect_like_ffmpeg(
        make_clip(folder, "a.webm", source + "-c:v libvpx-vp9 -cpu-used 8 -deadline realtime"));
    expect_like_ffmpeg(make_clip(folder, "a.avi", source + "-c:v mjpeg -q:v 3"));
    expect_like_ffmpeg(make_clip(folder, "a.mpg", source + "-c:v mpeg2video -q:v 3"));
    expect_like_ffmpeg(make_clip(folder, "a.mov", source + "-c:v prores_ks"));
    expect_like_ffmpeg(make_clip(folder, "a.nut", source + "-c:v rawvideo -pix_fmt nv12"));
}

TEST(VideoDecoder, FrameThreadsGiveTheSamePictures) {
    const TempFolder folder;
    VideoOptions options;
    options.threads = 0;
    expect_like_ffmpeg(
        make_clip(folder, "a.mp4", "-f lavfi -i testsrc2=s=160x120:r=25:d=1 -c:v libx264 -bf 3 -g 10"),
        options);
}

TEST(VideoDecoder, AppliesTheCodecsCrop) {
    const TempFolder folder;
    // 1080-like: 76 lines are stored as 80. Then a crop at the left and top, written into the stream.
    const std::string plain = make_clip(
        folder, "plain.mp4", "-f lavfi -i testsrc2=s=100x76:r=25:d=0.4 -c:v libx264 -pix_fmt yuv420p");
    expect_like_ffmpeg(plain);
    const std::string cropped =
        make_clip(folder, "cropped.mp4",
                  "-i " + shell_quoted(plain) +
                      " -c:v copy -bsf:v h264_metadata=crop_left=6:crop_top=4:crop_right=2:crop_bottom=8");
    VideoDecoder decoder = open_video(cropped);
    EXPECT_EQ(decoder.format().width, 100 + 12 - 8); // the stored width is 112
    const auto whole = open_video(plain).next();
    const auto part = decoder.next();
    ASSERT_TRUE(whole && part);
    for (int y = 0; y < 60; ++y)
        for (int x = 0; x < 90; ++x)
            ASSERT_EQ(part->planes().data[0][y * part->planes().pitch[0] + x],
                      whole->planes().data[0][(y + 4) * whole->planes().pitch[0] + x + 6])
                << x << ' ' << y;
    for (int y = 0; y < 30; ++y)
        for (int x = 0; x < 45; ++x)
            ASSERT_EQ(part->planes().data[1][y * part->planes().pitch[1] + x],
                      whole->planes().data[1][(y + 2) * whole->planes().pitch[1] + x + 3])
                << x << ' ' << y;
}

TEST(VideoDecoder, AFormatWithoutALoaderIsConverted) {
    const TempFolder folder;
    // 16-bit PNG is big-endian: the same values, other byte order.
    const std::string file = make_clip(
        folder, "deep.png", "-f lavfi -i testsrc2=s=33x21 -vf format=rgb48be -frames:v 1 -pix_fmt rgb48be");
    VideoDecoder decoder = open_video(file);
    EXPECT_EQ(decoder.stream().stored_format, "rgb48be");
    EXPECT_EQ(decoder.format().pixels.name, "rgb48le");
    expect_like_ffmpeg(file);
    // One bit a pixel: black and white stay that.
    const std::string mono = make_clip(folder, "mono.png",
                                       "-f lavfi -i color=black:s=16x8 -vf "
                                       "\"geq=lum='255*gte(X,8)':cb=128:cr=128\" -frames:v 1 -pix_fmt monob");
    VideoDecoder bits = open_video(mono);
    EXPECT_EQ(bits.format().pixels.model, colour::Model::gray);
    const auto frame = bits.next();
    ASSERT_TRUE(frame);
    EXPECT_EQ(frame->planes().data[0][0], 0);
    EXPECT_EQ(frame->planes().data[0][15], 255);
}

TEST(VideoDecoder, ReadsTheAlphaOfVp9) {
    const TempFolder folder;
    const std::string file =
        make_clip(folder, "alpha.webm",
                  "-f lavfi -i color=c=red:s=64x64:r=25:d=0.2 -vf "
                  "\"format=yuva420p,geq=lum='lum(X,Y)':cb='cb(X,Y)':cr='cr(X,Y)':"
                  "a='255*gte(X,32)'\" -c:v libvpx-vp9 -pix_fmt yuva420p -lossless 1 -cpu-used 8");
    VideoDecoder decoder = open_video(file);
    EXPECT_TRUE(decoder.stream().alpha);
    EXPECT_EQ(decoder.format().pixels.name, "yuva420p");
    int count = 0;
    while (const auto frame = decoder.next()) {
        ++count;
        EXPECT_EQ(frame->planes().data[3][10 * frame->planes().pitch[3] + 5], 0);
        EXPECT_EQ(frame->planes().data[3][10 * frame->planes().pitch[3] + 60], 255);
    }
    EXPECT_EQ(count, 5);
    expect_like_ffmpeg(file, {}, "-c:v libvpx-vp9");
}

TEST(VideoDecoder, AStillIsOnePicture) {
    const TempFolder folder;
    const std::string file =
        make_clip(folder, "logo.png", "-f lavfi -i testsrc2=s=26x7 -frames:v 1 -pix_fmt rgba");
    VideoDecoder decoder = open_video(file);
    EXPECT_TRUE(decoder.still());
    EXPECT_EQ(decoder.format().rate, Rational(0));
    EXPECT_TRUE(decoder.next().has_value());
    EXPECT_FALSE(decoder.next().has_value());
    decoder.seek(Rational(5));
    const auto again = decoder.next();
    ASSERT_TRUE(again.has_value()) << "a seek shows it again";
    EXPECT_EQ(again->pts(), Rational(0));
    EXPECT_FALSE(decoder.next().has_value());
    expect_like_ffmpeg(file);
}

TEST(VideoDecoder, TimesAreTheFilesOwn) {
    const TempFolder folder;
    const std::string file = make_clip(
        folder, "vfr.mkv",
        "-f lavfi -i testsrc2=s=64x64:r=30:d=2 -vf \"select='mod(n,3)'\" -fps_mode vfr -c:v libx264 -bf 2");
    const std::vector<std::string> expected = probed(file, "frame=best_effort_timestamp_time");
    ASSERT_EQ(expected.size(), 40u);
    VideoDecoder decoder = open_video(file);
    const double zero = std::stod(expected[0]);
    for (const std::string& time : expected) {
        const auto frame = decoder.next();
        ASSERT_TRUE(frame);
        EXPECT_NEAR(frame->pts().value(), std::stod(time) - zero, 1e-6);
    }
    EXPECT_FALSE(decoder.next());
}

TEST(VideoDecoder, MissingTimesComeFromTheRate) {
    const TempFolder folder;
    VideoDecoder decoder =
        open_video(make_clip(folder, "raw.h264", "-f lavfi -i testsrc2=s=64x64:r=25:d=1 -c:v libx264 -bf 2"));
    Rational last(-1);
    int count = 0;
    while (const auto frame = decoder.next()) {
        EXPECT_GT(frame->pts(), last);
        last = frame->pts();
        ++count;
    }
    EXPECT_EQ(count, 25);
    EXPECT_NEAR(last.value(), 24.0 / 25, 0.041);
}

// A gray picture with one value per byte, its flip and clockwise quarter turns by definition.
struct Gray {
    int width = 0, height = 0;
    Bytes bytes;
    Gray turned() const {
        Gray result{height, width, Bytes(bytes.size())};
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x)
                result.bytes[static_cast<size_t>(x * height + (height - 1 - y))] =
                    bytes[static_cast<size_t>(y * width + x)];
        return result;
    }
    Gray mirrored() const {
        Gray result{width, height, Bytes(bytes.size())};
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x)
                result.bytes[static_cast<size_t>(y * width + width - 1 - x)] =
                    bytes[static_cast<size_t>(y * width + x)];
        return result;
    }
};

Gray luma_of(const HostFrame& frame) {
    Gray gray{frame.format()->width, frame.format()->height, {}};
    for (int y = 0; y < gray.height; ++y) {
        const uint8_t* line = frame.planes().data[0] + y * frame.planes().pitch[0];
        gray.bytes.insert(gray.bytes.end(), line, line + gray.width);
    }
    return gray;
}

// Writes a, b, c, d of the display matrix into the track header of an MP4. Source : ISO/IEC 14496-12, tkhd.
void set_matrix(const std::string& file, int a, int b, int c, int d) {
    Bytes bytes = read_bytes(file);
    const std::string tag = "tkhd";
    const auto found = std::search(bytes.begin(), bytes.end(), tag.begin(), tag.end());
    ASSERT_NE(found, bytes.end());
    auto at = static_cast<size_t>(found - bytes.begin()) + 44;
    for (const uint32_t word : {static_cast<uint32_t>(a) << 16, static_cast<uint32_t>(b) << 16, 0u,
                                static_cast<uint32_t>(c) << 16, static_cast<uint32_t>(d) << 16, 0u}) {
        for (const int shift : {24, 16, 8, 0})
            bytes[at++] = static_cast<uint8_t>(word >> shift);
    }
    std::ofstream(file, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

TEST(VideoDecoder, RotationAndMirrorUprightThePictureAsFfmpegDoes) {
    const TempFolder folder;
    const std::string file = make_clip(
        folder, "a.mp4", "-f lavfi -i testsrc2=s=64x32:r=25:d=0.2 -c:v libx264 -pix_fmt yuv420p -bf 0");
    EXPECT_EQ(open_video(file).format().rotation, 0);
    struct Case {
        int a, b, c, d;
        int rotation;
        bool mirror;
    };
    // x' = a x + c y, y' = b x + d y, with y downwards: a clockwise quarter turn takes (1, 0) to (0, 1).
    for (const Case& m :
         {Case{1, 0, 0, 1, 0, false}, Case{0, 1, -1, 0, 1, false}, Case{-1, 0, 0, -1, 2, false},
          Case{0, -1, 1, 0, 3, false}, Case{-1, 0, 0, 1, 0, true}, Case{1, 0, 0, -1, 2, true},
          Case{0, 1, 1, 0, 3, true}, Case{0, -1, -1, 0, 1, true}}) {
        set_matrix(file, m.a, m.b, m.c, m.d);
        VideoDecoder decoder = open_video(file);
        const colour::PictureFormat format = decoder.format();
        EXPECT_EQ(format.rotation, m.rotation);
        EXPECT_EQ(format.mirror, m.mirror);
        Gray upright = luma_of(*decoder.next());
        if (format.mirror) upright = upright.mirrored();
        for (int turn = 0; turn < format.rotation; ++turn)
            upright = upright.turned();
        const std::string raw = folder.file("raw");
        run_command("ffmpeg -v error -y -i " + shell_quoted(file) +
                    " -frames:v 1 -f rawvideo -pix_fmt yuv420p " + shell_quoted(raw));
        Bytes shown = read_bytes(raw);
        shown.resize(64 * 32); // the luma
        EXPECT_EQ(difference(shown, upright.bytes), "") << m.a << m.b << m.c << m.d;
    }
}

TEST(VideoDecoder, ColourTagsAndTheirDefaults) {
    const TempFolder folder;
    const auto spec = [&](const std::string& name, const std::string& options) {
        return open_video(make_clip(folder, name, options)).format().colour;
    };
    const colour::ColourSpec pq =
        spec("pq.mp4", "-f lavfi -i testsrc2=s=64x64:d=0.2 -c:v libx264 -pix_fmt yuv420p10le "
                       "-vf setparams=color_primaries=bt2020:color_trc=smpte2084 -color_primaries bt2020 "
                       "-color_trc smpte2084 -colorspace bt2020nc -color_range tv");
    EXPECT_EQ(pq.matrix, colour::Matrix::bt2020);
    EXPECT_EQ(pq.transfer, colour::Transfer::pq);
    EXPECT_EQ(pq.primaries, colour::Primaries::bt2020);
    const colour::ColourSpec full =
        spec("full.mp4", "-f lavfi -i testsrc2=s=64x64:d=0.2 -c:v libx264 -pix_fmt yuvj420p "
                         "-vf setparams=color_primaries=smpte170m:color_trc=smpte170m "
                         "-color_primaries smpte170m -color_trc smpte170m -colorspace smpte170m");
    EXPECT_EQ(full.range, colour::Range::full);
    EXPECT_EQ(full.matrix, colour::Matrix::bt601);
    EXPECT_EQ(full.primaries, colour::Primaries::bt601_525);
    const colour::ColourSpec small = spec("small.avi", "-f lavfi -i testsrc2=s=320x240:d=0.2 -c:v mpeg4");
    EXPECT_EQ(small.matrix, colour::Matrix::bt601);
    EXPECT_EQ(small.range, colour::Range::limited);
    const colour::ColourSpec large = spec("large.avi", "-f lavfi -i testsrc2=s=1280x64:d=0.2 -c:v mpeg4");
    EXPECT_EQ(large.matrix, colour::Matrix::bt709);
    const std::string red = make_clip(folder, "over.avi", "-f lavfi -i testsrc2=s=64x64:d=0.2 -c:v mpeg4");
    VideoOptions options;
    options.matrix = colour::Matrix::bt709;
    options.range = colour::Range::full;
    const colour::ColourSpec forced = open_video(red, options).format().colour;
    EXPECT_EQ(forced.matrix, colour::Matrix::bt709);
    EXPECT_EQ(forced.range, colour::Range::full);
}

TEST(VideoDecoder, AspectOfAPixel) {
    const TempFolder folder;
    const colour::PictureFormat format =
        open_video(
            make_clip(folder, "dv.mp4", "-f lavfi -i testsrc2=s=72x48:d=0.2 -vf setsar=8/9 -c:v libx264"))
            .format();
    EXPECT_EQ(format.sample_aspect, Rational(8, 9));
}

TEST(VideoDecoder, TheSizeMayChangeInMidStream) {
    const TempFolder folder;
    const std::string a =
        make_clip(folder, "a.ts", "-f lavfi -i color=red:s=320x240:r=25:d=1 -c:v libx264 -muxdelay 0");
    const std::string b =
        make_clip(folder, "b.ts",
                  "-f lavfi -i color=blue:s=640x480:r=25:d=1 -c:v libx264 -muxdelay 0 -output_ts_offset 1");
    const std::string both = folder.file("both.ts");
    run_command("cat " + shell_quoted(a) + " " + shell_quoted(b) + " > " + shell_quoted(both));
    VideoDecoder decoder = open_video(both);
    std::vector<int> widths;
    const colour::PictureFormat* last = nullptr;
    int formats = 0;
    Rational time(-1);
    while (const auto frame = decoder.next()) {
        widths.push_back(frame->format()->width);
        if (frame->format().get() != last) ++formats;
        last = frame->format().get();
        EXPECT_GT(frame->pts(), time);
        time = frame->pts();
    }
    ASSERT_EQ(widths.size(), 50u);
    EXPECT_EQ(widths[24], 320);
    EXPECT_EQ(widths[25], 640);
    EXPECT_EQ(formats, 2) << "equal formats are one pointer";
}

TEST(VideoDecoder, FilesJoinedEndToEndGoOn) {
    const TempFolder folder;
    const std::string a = make_clip(folder, "a.ts", numbered_video(2) + " -muxdelay 0");
    const std::string twice = folder.file("twice.ts");
    run_command("cat " + shell_quoted(a) + " " + shell_quoted(a) + " > " + shell_quoted(twice));
    VideoDecoder decoder = open_video(twice);
    int count = 0;
    Rational time(-1);
    while (const auto frame = decoder.next()) {
        EXPECT_EQ(number_of(*frame), count % 50);
        EXPECT_GT(frame->pts(), time);
        time = frame->pts();
        ++count;
    }
    EXPECT_EQ(count, 100);
    EXPECT_NEAR(time.value(), 99.0 / 25, 0.05);
}

TEST(VideoDecoder, DamagedPacketsAreSkippedAndCounted) {
    const TempFolder folder;
    const std::string file =
        make_clip(folder, "a.avi", "-f lavfi -i testsrc2=s=128x96:r=25:d=2 -c:v mpeg4 -g 5");
    Bytes bytes = read_bytes(file);
    for (size_t i = bytes.size() / 2; i < bytes.size() / 2 + 600; ++i)
        bytes[i] = static_cast<uint8_t>(i * 37);
    std::ofstream(file, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    VideoDecoder decoder = open_video(file);
    int count = 0;
    while (decoder.next())
        ++count;
    EXPECT_GE(count, 40);
    EXPECT_GT(decoder.errors(), 0);
}

TEST(VideoDecoder, TheAllocatorsBlocksHoldThePictures) {
    const TempFolder folder;
    for (const int threads : {1, 0}) {
        const std::string file =
            make_clip(folder, "a.mp4", "-f lavfi -i testsrc2=s=162x98:r=25:d=1 -c:v libx264 -bf 2");
        CountingAllocator allocator;
        VideoOptions options;
        options.allocator = &allocator;
        options.threads = threads;
        expect_like_ffmpeg(file, options);
        EXPECT_GT(allocator.lent(), 20);
        EXPECT_EQ(allocator.out(), 0u) << "everything came back";
        {
            std::optional<HostFrame> kept;
            {
                VideoDecoder decoder = open_video(file, options);
                kept = decoder.next();
                const colour::HostPlanes& planes = kept->planes();
                ASSERT_NE(planes.block.data, nullptr);
                EXPECT_EQ(planes.block.cookie, &allocator);
                for (size_t plane = 0; plane < 3; ++plane) {
                    EXPECT_GE(planes.data[plane], planes.block.data);
                    EXPECT_LT(planes.data[plane], planes.block.data + planes.block.bytes);
                    EXPECT_EQ(reinterpret_cast<uintptr_t>(planes.data[plane]) % 64, 0u);
                    EXPECT_EQ(planes.pitch[plane] % 64, 0);
                }
            }
            EXPECT_EQ(allocator.out(), 1u) << "a frame outlives its decoder";
        }
        EXPECT_EQ(allocator.out(), 0u);
        EXPECT_FALSE(allocator.wrong());
    }
}

// Files that are nothing but pictures are read into the blocks themselves, whatever the size.
TEST(VideoDecoder, RawPicturesAreReadIntoTheBlocks) {
    const TempFolder folder;
    for (const char* const format : {"yuv420p", "yuv444p10le"}) {
        const std::string file =
            make_clip(folder, "a.y4m",
                      std::string("-f lavfi -i testsrc2=s=85x37:r=25:d=2 -strict -1 -pix_fmt ") + format);
        CountingAllocator allocator;
        VideoOptions options;
        options.allocator = &allocator;
        expect_like_ffmpeg(file, options);
        EXPECT_GT(allocator.lent(), 40) << "of 50; what was read to know the file is elsewhere";
        EXPECT_EQ(allocator.out(), 0u);
        {
            VideoDecoder decoder = open_video(file, options);
            const std::vector<Bytes> expected =
                reference_pictures(file, format, packed_bytes(decoder.format()));
            for (const int at : {40, 11, 48}) {
                decoder.seek(Rational(at, 25));
                for (int i = at; i < std::min(at + 3, 50); ++i) {
                    const auto picture = decoder.next();
                    ASSERT_TRUE(picture) << i;
                    EXPECT_EQ(picture->pts(), Rational(i, 25));
                    EXPECT_EQ(difference(expected[static_cast<size_t>(i)], packed(*picture)), "") << i;
                    EXPECT_TRUE(i == at || picture->planes().block.data != nullptr) << i;
                }
            }
            EXPECT_FALSE(decoder.next());
        }
        for (int pictures = 0; pictures < 20; ++pictures) { // leaves while the reader reads on
            VideoDecoder decoder = open_video(file, options);
            for (int i = 0; i < pictures; ++i)
                ASSERT_TRUE(decoder.next());
        }
        EXPECT_EQ(allocator.out(), 0u);
        EXPECT_FALSE(allocator.wrong());
    }
}

TEST(VideoDecoder, ARawFileThatIsCutShortGivesItsWholePictures) {
    const TempFolder folder;
    const std::string file = make_clip(folder, "a.y4m", "-f lavfi -i testsrc2=s=64x48:r=25:d=1");
    std::filesystem::resize_file(file, std::filesystem::file_size(file) - 1000);
    CountingAllocator allocator;
    VideoOptions options;
    options.allocator = &allocator;
    VideoDecoder decoder = open_video(file, options);
    int count = 0;
    while (decoder.next())
        ++count;
    EXPECT_EQ(count, 24);
    EXPECT_EQ(decoder.errors(), 0);
    EXPECT_EQ(decoder.missing(), 1);
}

TEST(VideoDecoder, AnAllocatorThatDeclinesIsNoHarm) {
    const TempFolder folder;
    CountingAllocator allocator(false);
    VideoOptions options;
    options.allocator = &allocator;
    const std::string file =
        make_clip(folder, "a.mp4", "-f lavfi -i testsrc2=s=64x64:r=25:d=0.4 -c:v libx264");
    expect_like_ffmpeg(file, options);
    EXPECT_EQ(open_video(file, options).next()->planes().block.data, nullptr);
}

TEST(VideoDecoder, StopEndsIt) {
    const TempFolder folder;
    const auto input = std::make_shared<media::Input>(
        make_clip(folder, "a.mp4", "-f lavfi -i testsrc2=s=64x64:r=25:d=2 -c:v libx264"));
    VideoDecoder decoder(input);
    ASSERT_TRUE(decoder.next());
    input->stop();
    EXPECT_FALSE(decoder.next());
}

} // namespace
} // namespace weft::test
