#include "media/writer.hpp"

#include <atomic>
#include <filesystem>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "clips.hpp"
#include "sound.hpp"

namespace weft::test {
namespace {

namespace fs = std::filesystem;
using media::OutputSettings;
using media::VideoWriter;

colour::PictureFormat picture_format(int width, int height, const std::string& pixels,
                                     Rational rate = Rational(25)) {
    colour::PictureFormat format;
    format.width = width;
    format.height = height;
    format.pixels = colour::pixel_format(pixels);
    format.colour = colour::resolve({}, format.pixels, width, height);
    format.rate = rate;
    return format;
}

// Picture n of a series: every byte known, lines `padding` bytes apart, bottom-up when asked.
class TestPicture {
  public:
    TestPicture(const colour::PictureFormat& format, int n, int padding = 0, bool upside_down = false)
        : format_(format) {
        for (int plane = 0; plane < format.pixels.plane_count; ++plane) {
            const int line = format.pixels.plane_line_bytes(plane, format.width);
            const int lines = format.pixels.plane_lines(plane, format.height);
            const auto p = static_cast<size_t>(plane);
            memory_[p].assign(static_cast<size_t>((line + padding) * lines), 0xEE);
            const bool wide = format.pixels.sample_bytes() == 2;
            for (int y = 0; y < lines; ++y)
                for (int x = 0; x < line; ++x) {
                    const int value = wide && x % 2 == 1 ? (x / 2 + y) % 4
                                                         : (x * 3 + y * 5 + n * 7 + plane * 50) % 200 + 20;
                    const int row = upside_down ? lines - 1 - y : y;
                    memory_[p][static_cast<size_t>(row * (line + padding) + x)] = static_cast<uint8_t>(value);
                }
            planes.data[p] = memory_[p].data() + (upside_down ? (lines - 1) * (line + padding) : 0);
            planes.pitch[p] = upside_down ? -(line + padding) : line + padding;
        }
    }
    Bytes bytes() const { return packed(planes, format_); }

    colour::HostPlanes planes;

  private:
    colour::PictureFormat format_;
    std::array<Bytes, 4> memory_;
};

// Writes `count` pictures and returns their bytes.
std::vector<Bytes> write_pictures(VideoWriter& writer, const colour::PictureFormat& format, int count,
                                  int padding = 0, bool upside_down = false) {
    std::vector<Bytes> written;
    for (int n = 0; n < count; ++n) {
        auto picture = std::make_shared<TestPicture>(format, n, padding, upside_down);
        written.push_back(picture->bytes());
        writer.write_video(picture->planes, n, [picture] {});
    }
    return written;
}

void expect_pictures(const std::string& file, const std::string& pixels, const std::vector<Bytes>& expected) {
    const std::vector<Bytes> got = reference_pictures(file, pixels, expected.at(0).size());
    ASSERT_EQ(got.size(), expected.size()) << file;
    for (size_t n = 0; n < got.size(); ++n)
        ASSERT_EQ(difference(expected[n], got[n]), "") << file << ' ' << n;
}

std::vector<std::string> names_in(const TempFolder& folder) {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder.path()))
        names.push_back(entry.path().filename().string());
    return names;
}

// The complaint about settings that cannot be.
Error complaint(const OutputSettings& settings, const colour::PictureFormat& format) {
    try {
        (void)media::open_writer(settings, format);
    } catch (const Error& error) {
        return error;
    }
    return Error(ErrorKind::internal, "no complaint");
}

TEST(Writer, LosslessRoundTrips) {
    struct Case {
        const char *name, *codec, *pixels;
        int width, height;
        media::OptionList options;
    };
    const TempFolder folder;
    for (const Case& c :
         {Case{"a.mp4", "libx264", "yuv420p", 64, 48, {{"qp", "0"}}},
          Case{"a.mkv", "ffv1", "yuv420p", 61, 47, {}}, Case{"b.mkv", "ffv1", "yuv422p10le", 61, 47, {}},
          Case{"c.mkv", "ffv1", "gray", 33, 21, {}}, Case{"d.mkv", "ffv1", "yuva444p", 33, 21, {}},
          Case{"f.mov", "libx264rgb", "rgb24", 62, 46, {{"qp", "0"}}},
          Case{"g.nut", "rawvideo", "nv12", 64, 48, {}},
          Case{"h.webm", "libvpx-vp9", "yuv420p", 61, 47, {{"lossless", "1"}, {"cpu-used", "8"}}}}) {
        for (const bool upside_down : {false, true}) {
            OutputSettings settings;
            settings.target = folder.file(c.name);
            settings.video_codec = c.codec;
            settings.pixel_format = c.pixels;
            settings.video_options = c.options;
            const colour::PictureFormat format = picture_format(c.width, c.height, c.pixels);
            const auto writer = media::open_writer(settings, format);
            const std::vector<Bytes> written = write_pictures(*writer, format, 7, 19, upside_down);
            writer->finish();
            EXPECT_EQ(writer->frames_written(), 7);
            EXPECT_GT(writer->bytes_written(), 0);
            expect_pictures(settings.target, c.pixels, written);
        }
    }
}

TEST(Writer, DefaultsByContainer) {
    struct Case {
        const char *name, *video, *audio;
    };
    const TempFolder folder;
    for (const Case& c : {Case{"a.mp4", "h264", "aac"}, Case{"a.mkv", "h264", "aac"},
                          Case{"a.mov", "h264", "aac"}, Case{"a.webm", "vp9", "opus"}}) {
        OutputSettings settings;
        settings.target = folder.file(c.name);
        settings.audio = true;
        const media::OutputChoice choice = media::choose_output(settings);
        EXPECT_EQ(choice.pixel_format, "yuv420p");
        EXPECT_TRUE(choice.even_size);
        const colour::PictureFormat format =
            picture_format(64, 48, choice.pixel_format, Rational(30000, 1001));
        const auto writer = media::open_writer(settings, format);
        write_pictures(*writer, format, 15);
        const Samples sound = stereo(24024, [](size_t n) { return n % 100 < 50 ? 0.1f : -0.1f; });
        writer->write_audio(sound.data(), 10000);
        writer->write_audio(sound.data() + 20000, 14024);
        writer->finish();
        EXPECT_EQ(probed(settings.target, "stream=codec_name"), std::vector<std::string>{c.video}) << c.name;
        EXPECT_EQ(probed(settings.target, "stream=codec_name", "a:0"), std::vector<std::string>{c.audio})
            << c.name;
        EXPECT_EQ(probed(settings.target, "frame=width").size(), 15u);
        EXPECT_EQ(probed(settings.target, "stream=r_frame_rate"), std::vector<std::string>{"30000/1001"})
            << c.name;
        EXPECT_NEAR(std::stod(probed(settings.target, "format=duration", "v:0").at(0)), 0.5005, 0.05)
            << c.name;
        // Matroska has no negative times: the run-up of the sound moves all by 21 ms.
        EXPECT_NEAR(std::stod(probed(settings.target, "stream=start_time", "v:0").at(0)), 0, 0.022) << c.name;
        EXPECT_NEAR(std::stod(probed(settings.target, "stream=start_time", "a:0").at(0)), 0, 0.022) << c.name;
    }
}

TEST(Writer, SoundIsExactToTheSample) {
    const TempFolder folder;
    OutputSettings settings;
    settings.target = folder.file("a.mkv");
    settings.video_codec = "ffv1";
    settings.audio = true;
    settings.audio_codec = "flac";
    const colour::PictureFormat format = picture_format(32, 32, "yuv420p");
    const auto writer = media::open_writer(settings, format);
    const Samples sound = stereo(48000, sawtooth); // multiples of 2^-15: flac holds them exactly
    for (int n = 0; n < 25; ++n) {
        auto picture = std::make_shared<TestPicture>(format, n);
        writer->write_video(picture->planes, n, [picture] {});
        writer->write_audio(sound.data() + static_cast<size_t>(n) * 1920 * 2, 1920);
    }
    writer->finish();
    const std::string raw = folder.file("raw");
    run_command("ffmpeg -v error -y -i " + shell_quoted(settings.target) + " -map 0:a -f f32le " +
                shell_quoted(raw));
    const Bytes bytes = read_bytes(raw);
    Samples got(bytes.size() / 4);
    std::memcpy(got.data(), bytes.data(), got.size() * 4);
    EXPECT_EQ(got, sound);
}

TEST(Writer, ColourTagsReachCodecAndContainer) {
    const TempFolder folder;
    struct Case {
        colour::ColourSpec spec;
        const char *pixels, *space, *transfer, *primaries, *range;
    };
    using namespace colour;
    const std::vector<Case> cases{
        {{Matrix::bt709, Range::limited, Transfer::bt709, Primaries::bt709, ChromaSite::left},
         "yuv420p",
         "bt709",
         "bt709",
         "bt709",
         "tv"},
        {{Matrix::bt601, Range::limited, Transfer::bt709, Primaries::bt601_525, ChromaSite::left},
         "yuv420p",
         "smpte170m",
         "smpte170m",
         "smpte170m",
         "tv"},
        {{Matrix::bt601, Range::limited, Transfer::bt709, Primaries::bt601_625, ChromaSite::left},
         "yuv420p",
         "bt470bg",
         "smpte170m",
         "bt470bg",
         "tv"},
        {{Matrix::bt2020, Range::limited, Transfer::pq, Primaries::bt2020, ChromaSite::top_left},
         "yuv420p10le",
         "bt2020nc",
         "smpte2084",
         "bt2020",
         "tv"},
        {{Matrix::bt2020, Range::limited, Transfer::hlg, Primaries::bt2020, ChromaSite::left},
         "yuv420p10le",
         "bt2020nc",
         "arib-std-b67",
         "bt2020",
         "tv"},
        {{Matrix::bt709, Range::full, Transfer::srgb, Primaries::bt709, ChromaSite::left},
         "yuv444p",
         "bt709",
         "iec61966-2-1",
         "bt709",
         "pc"},
    };
    for (const char* name : {"a.mp4", "a.mkv", "a.mov"}) {
        for (const Case& c : cases) {
            OutputSettings settings;
            settings.target = folder.file(name);
            settings.preset = "ultrafast";
            settings.pixel_format = c.pixels;
            PictureFormat format = picture_format(64, 48, c.pixels);
            format.colour = c.spec;
            format.sample_aspect = Rational(8, 9);
            const auto writer = media::open_writer(settings, format);
            write_pictures(*writer, format, 2);
            writer->finish();
            const std::string keys =
                "sample_aspect_ratio,color_range,color_space,color_transfer,color_primaries";
            EXPECT_EQ(probed(settings.target, "stream=" + keys).at(0),
                      std::string("8:9,") + c.range + "," + c.space + "," + c.transfer + "," + c.primaries)
                << name;
            const PictureFormat back = open_video(settings.target).format();
            EXPECT_EQ(back.colour.matrix, c.spec.matrix);
            EXPECT_EQ(back.colour.range, c.spec.range);
            EXPECT_EQ(back.colour.transfer, c.spec.transfer);
            EXPECT_EQ(back.colour.primaries, c.spec.primaries);
        }
    }
}

TEST(Writer, AlphaSurvivesInWebm) {
    const TempFolder folder;
    OutputSettings settings;
    settings.target = folder.file("a.webm");
    settings.pixel_format = "yuva420p";
    settings.video_options = {{"lossless", "1"}, {"cpu-used", "8"}};
    const colour::PictureFormat format = picture_format(64, 48, "yuva420p");
    const auto writer = media::open_writer(settings, format);
    const std::vector<Bytes> written = write_pictures(*writer, format, 4);
    writer->finish();
    media::VideoDecoder decoder = open_video(settings.target);
    EXPECT_EQ(decoder.format().pixels.name, "yuva420p");
    for (const Bytes& expected : written) {
        const auto frame = decoder.next();
        ASSERT_TRUE(frame);
        EXPECT_EQ(difference(expected, packed(*frame)), "");
    }
}

// libvpx refuses alpha beside the alternate reference pictures that it makes by default (VP8), or has them
// once there are pictures enough to look ahead at (VP9).
TEST(Writer, LibvpxTakesAlpha) {
    const TempFolder folder;
    for (const char* codec : {"libvpx", "libvpx-vp9"}) {
        OutputSettings settings;
        settings.target = folder.file("a.webm");
        settings.video_codec = codec;
        settings.pixel_format = "yuva420p";
        settings.video_options = {{"cpu-used", "8"}};
        const colour::PictureFormat format = picture_format(64, 48, "yuva420p");
        const auto writer = media::open_writer(settings, format);
        write_pictures(*writer, format, 40);
        writer->finish();
        EXPECT_EQ(probed(settings.target, "stream_tags=alpha_mode").at(0), "1") << codec;
        const std::string decoder = std::string("-c:v ") + codec;
        EXPECT_EQ(reference_pictures(settings.target, "yuva420p", size_t{64} * 48 * 5 / 2, decoder).size(),
                  40U)
            << codec;
    }
}

TEST(Writer, EveryPictureIsReleasedOnce) {
    const TempFolder folder;
    for (const std::string name : {"a.mp4", "a.mkv", "a.y4m", "a%03d.png"}) {
        OutputSettings settings;
        settings.target = folder.file(name);
        if (name == "a.mkv") settings.video_codec = "ffv1";
        const colour::PictureFormat format =
            picture_format(64, 48, media::choose_output(settings).pixel_format);
        std::vector<std::atomic<int>> released(30);
        {
            const auto writer = media::open_writer(settings, format);
            for (int n = 0; n < 30; ++n) {
                auto picture = std::make_shared<TestPicture>(format, n);
                writer->write_video(picture->planes, n,
                                    [&released, picture, n] { ++released[static_cast<size_t>(n)]; });
            }
            if (name != "a.mp4") writer->finish(); // a writer that is given up releases as well
        }
        for (const auto& count : released)
            ASSERT_EQ(count, 1) << name;
    }
}

TEST(Writer, HalfAFileNeverBearsTheName) {
    const TempFolder folder;
    OutputSettings settings;
    const colour::PictureFormat format = picture_format(64, 48, "yuv420p");
    for (const std::string name : {"a.mp4", "a.mkv", "a.y4m"}) {
        settings.target = folder.file(name);
        {
            const auto writer = media::open_writer(settings, format);
            write_pictures(*writer, format, 5);
            EXPECT_FALSE(fs::exists(settings.target));
            ASSERT_EQ(names_in(folder).size(), 1u);
            EXPECT_EQ(names_in(folder)[0][0], '.') << "hidden";
            EXPECT_EQ(fs::path(names_in(folder)[0]).extension(), fs::path(name).extension());
        }
        EXPECT_TRUE(names_in(folder).empty()) << "given up, so nothing stays";
        {
            const auto writer = media::open_writer(settings, format);
            write_pictures(*writer, format, 5);
            const std::string partial = writer->finish_partial();
            EXPECT_EQ(partial, folder.file(fs::path(name).stem().string() + ".partial" +
                                           fs::path(name).extension().string()));
            EXPECT_EQ(probed(partial, "frame=width").size(), 5u) << "it can be played";
            EXPECT_EQ(names_in(folder).size(), 1u);
            fs::remove(partial);
        }
        {
            const auto writer = media::open_writer(settings, format);
            EXPECT_EQ(writer->finish_partial(), "") << "nothing worth keeping";
            EXPECT_TRUE(names_in(folder).empty());
        }
    }
}

TEST(Writer, AnOldFileStaysUntilTheNewOneIsWhole) {
    const TempFolder folder;
    OutputSettings settings;
    settings.target = folder.write("a.mkv", "old");
    const colour::PictureFormat format = picture_format(64, 48, "yuv420p");
    {
        const auto writer = media::open_writer(settings, format);
        write_pictures(*writer, format, 5);
        EXPECT_EQ(fs::file_size(settings.target), 3u);
        writer->finish();
    }
    EXPECT_GT(fs::file_size(settings.target), 100u);
    EXPECT_EQ(names_in(folder).size(), 1u);
}

TEST(Writer, SaysWhatIsNotAllowed) {
    const TempFolder folder;
    const colour::PictureFormat format = picture_format(64, 48, "yuv420p");
    const auto message = [&](auto change) {
        OutputSettings settings;
        settings.target = folder.file("a.mp4");
        change(settings);
        const Error error = complaint(settings, format);
        EXPECT_NE(error.kind(), ErrorKind::internal) << error.message();
        return error.message();
    };
    const auto has = [](const std::string& text, const std::string& part) {
        EXPECT_NE(text.find(part), std::string::npos) << text;
    };
    has(message([](OutputSettings& s) { s.video_codec = "libx265x"; }), "libx265");
    has(message([](OutputSettings& s) { s.format = "matrosca"; }), "matroska");
    has(message([&](OutputSettings& s) { s.target = folder.file("a.xyz"); }), "xyz");
    has(message([](OutputSettings& s) { s.pixel_format = "yuv420q"; }), "yuv420p");
    has(message([](OutputSettings& s) { s.video_options = {{"presset", "fast"}}; }), "preset");
    has(message([](OutputSettings& s) { s.preset = "quick"; }), "quick");
    has(message([](OutputSettings& s) { s.crf = 1000; }), "crf is 1000, encoder libx264 allows 0..51");
    has(message([](OutputSettings& s) { s.crf = -1; }), "0..51");
    has(message([](OutputSettings& s) { s.mux_options = {{"movflag", "faststart"}}; }), "movflag");
    has(message([](OutputSettings& s) { s.audio = true, s.audio_codec = "acc"; }), "aac");
    has(message([&](OutputSettings& s) { s.target = folder.file("a.webm"), s.video_codec = "libx264"; }),
        "webm");
    has(message([&](OutputSettings& s) { s.target = folder.file("none/a.mp4"); }), "none");
    has(message([&](OutputSettings& s) { s.target = folder.write("file", "") + "/a.mp4"; }), "file");
    has(message([&](OutputSettings& s) { s.target = folder.file("a.y4m"), s.audio = true; }), "sound");
    has(message([](OutputSettings& s) { s.target = "-"; }), "format");
    has(message([&](OutputSettings& s) { s.target = folder.file("a.gif"); }), "palettegen");
    has(message([](OutputSettings& s) { s.format = "mov", s.video_codec = "gif"; }), "palettegen");
    has(message([&](OutputSettings& s) { s.target = folder.file("a.jpg"), s.pixel_format = "yuv420p"; }),
        "yuvj420p");
    has(message([](OutputSettings& s) { s.video_codec = "prores_ks", s.format = "mov", s.crf = 20; }), "crf");
    fs::remove(folder.file("file"));
    EXPECT_TRUE(names_in(folder).empty()) << "nothing is left";

    OutputSettings odd;
    odd.target = folder.file("odd.mp4");
    const Error error = complaint(odd, picture_format(63, 48, "yuv420p"));
    has(error.message(), "odd.mp4");
    has(error.message(), "divisible by 2");
    EXPECT_TRUE(names_in(folder).empty());
}

TEST(Writer, AFullDiskIsAResourceError) {
    const colour::PictureFormat format = picture_format(64, 48, "yuv420p");
    for (const std::string muxer : {"matroska", "y4m"}) {
        OutputSettings settings;
        settings.target = "/dev/full"; // a device on which no byte finds room
        settings.format = muxer;
        if (muxer == "matroska") settings.video_codec = "rawvideo";
        try {
            const auto writer = media::open_writer(settings, format);
            write_pictures(*writer, format, 100);
            writer->finish();
            FAIL() << muxer;
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::resource) << error.message();
            EXPECT_NE(error.message().find("/dev/full"), std::string::npos) << error.message();
        }
    }
}

TEST(Writer, ReproducibleFilesAreEqual) {
    const TempFolder folder;
    const colour::PictureFormat format = picture_format(160, 96, "yuv420p");
    for (const std::string extension : {"mp4", "mkv", "webm"}) {
        Bytes first;
        for (const std::string name : {"a.", "b.", "c."}) {
            OutputSettings settings;
            settings.target = folder.file(name + extension);
            settings.audio = true;
            settings.reproducible = true;
            if (extension == "webm") settings.video_options = {{"cpu-used", "8"}};
            const auto writer = media::open_writer(settings, format);
            write_pictures(*writer, format, 20);
            const Samples sound = stereo(38400, sawtooth);
            writer->write_audio(sound.data(), 38400);
            writer->finish();
            const Bytes bytes = read_bytes(settings.target);
            ASSERT_GT(bytes.size(), 1000u);
            if (first.empty()) first = bytes;
            EXPECT_EQ(difference(first, bytes), "") << extension;
        }
    }
}

TEST(RawWriter, Y4mIsReadByFfmpeg) {
    struct Case {
        const char *pixels, *header;
    };
    const TempFolder folder;
    for (const Case& c : {Case{"yuv420p", "C420mpeg2 XYSCSS=420MPEG2 XCOLORRANGE=LIMITED"},
                          Case{"yuvj420p", "C420jpeg XYSCSS=420JPEG XCOLORRANGE=FULL"},
                          Case{"yuv422p", "C422 XYSCSS=422 XCOLORRANGE=LIMITED"},
                          Case{"yuv444p", "C444 XYSCSS=444 XCOLORRANGE=LIMITED"},
                          Case{"yuv420p10le", "C420p10 XYSCSS=420P10 XCOLORRANGE=LIMITED"},
                          Case{"yuv422p10le", "C422p10 XYSCSS=422P10 XCOLORRANGE=LIMITED"},
                          Case{"gray", "Cmono XCOLORRANGE=FULL"}}) {
        OutputSettings settings;
        settings.target = folder.file("a.y4m");
        settings.pixel_format = c.pixels;
        const colour::PictureFormat format = picture_format(61, 47, c.pixels, Rational(30000, 1001));
        const auto writer = media::open_writer(settings, format);
        const std::vector<Bytes> written = write_pictures(*writer, format, 3, 5, true);
        writer->finish();
        const Bytes bytes = read_bytes(settings.target);
        const std::string line(bytes.begin(), std::find(bytes.begin(), bytes.end(), '\n'));
        EXPECT_EQ(line, std::string("YUV4MPEG2 W61 H47 F30000:1001 Ip A1:1 ") + c.header);
        expect_pictures(settings.target, c.pixels, written);
    }
}

TEST(RawWriter, RawPlanesArePackedPlaneByPlane) {
    const TempFolder folder;
    for (const std::string pixels : {"yuv420p", "nv12", "rgba", "gbrp10le"}) {
        OutputSettings settings;
        settings.target = folder.file("a.yuv");
        settings.pixel_format = pixels;
        const colour::PictureFormat format = picture_format(61, 47, pixels);
        const auto writer = media::open_writer(settings, format);
        const std::vector<Bytes> written = write_pictures(*writer, format, 2, 7);
        writer->finish();
        Bytes expected = written[0];
        expected.insert(expected.end(), written[1].begin(), written[1].end());
        EXPECT_EQ(difference(expected, read_bytes(settings.target)), "") << pixels;
    }
}

TEST(PngWriter, NumbersItsPictures) {
    const TempFolder folder;
    for (const std::string pixels : {"rgb24", "rgba", "gray"}) {
        OutputSettings settings;
        settings.target = folder.file("out%04d.png");
        settings.pixel_format = pixels;
        const colour::PictureFormat format = picture_format(31, 23, pixels);
        const auto writer = media::open_writer(settings, format);
        const std::vector<Bytes> written = write_pictures(*writer, format, 3, 5);
        writer->finish();
        EXPECT_EQ(names_in(folder).size(), 3u);
        for (size_t n = 0; n < 3; ++n) {
            const std::string file = folder.file("out000" + std::to_string(n + 1) + ".png");
            expect_pictures(file, pixels, {written[n]});
            fs::remove(file);
        }
    }
}

TEST(PngWriter, OnePictureNeedsNoNumber) {
    const TempFolder folder;
    OutputSettings settings;
    settings.target = folder.file("shot.png");
    const colour::PictureFormat format = picture_format(31, 23, "rgb24");
    {
        const auto writer = media::open_writer(settings, format);
        const std::vector<Bytes> written = write_pictures(*writer, format, 1);
        writer->finish();
        expect_pictures(settings.target, "rgb24", written);
    }
    const auto writer = media::open_writer(settings, format);
    EXPECT_THROW(write_pictures(*writer, format, 2), Error);
    settings.target = folder.file("a%d%d.png");
    EXPECT_EQ(complaint(settings, format).kind(), ErrorKind::usage);
}

TEST(Encoders, TellTheirPixelFormats) {
    const std::vector<std::string> formats = media::accepted_formats("libx264");
    EXPECT_EQ(formats.front(), "yuv420p");
    EXPECT_NE(std::find(formats.begin(), formats.end(), "yuv444p10le"), formats.end());
    EXPECT_THROW((void)media::accepted_formats("no_such_codec"), Error);
}

} // namespace
} // namespace weft::test
