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

// EXIF's Orientation: the sides at which the stored first row and column are seen (JEITA CP-3451, 4.6.4 A).
class Photo : public Cases, public testing::WithParamInterface<int> {
  protected:
    static constexpr int width = 64, height = 48;
    // The directory with that entry alone.
    static std::string exif(int orientation) {
        using namespace std::string_literals;
        return "MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0"s + static_cast<char>(orientation) +
               "\0\0\0\0\0\0"s;
    }
    // Where the stored pixel is seen that is at (x, y) in the upright picture.
    static std::pair<int, int> stored(int orientation, int x, int y) {
        switch (orientation) {
        case 2:
            return {width - 1 - x, y}; // first row at the top, first column on the right
        case 3:
            return {width - 1 - x, height - 1 - y};
        case 4:
            return {x, height - 1 - y};
        case 5:
            return {y, x}; // first row on the left, first column at the top
        case 6:
            return {y, height - 1 - x}; // first row on the right, first column at the top
        case 7:
            return {width - 1 - y, height - 1 - x};
        case 8:
            return {width - 1 - y, x};
        default:
            return {x, y};
        }
    }
    void stands_upright(const std::string& file, const std::string& plain) {
        const int orientation = GetParam();
        const bool turned = orientation > 4;
        const int w = turned ? height : width, h = turned ? width : height;
        const Shown out = shown({file, "--duration", "0.04"}, w, h);
        const Shown flat = shown({plain, "--duration", "0.04"}, width, height);
        for (int y = 0; y < h; ++y)
            for (int x = 0; x < w; ++x) {
                const auto [sx, sy] = stored(orientation, x, y);
                ASSERT_TRUE(near(out.at(0, x, y), flat.at(0, sx, sy), 1)) << x << "," << y;
            }
        const std::string told = weft({"probe", file}).out;
        EXPECT_EQ(has(told, "mirrored"),
                  orientation == 2 || orientation == 4 || orientation == 5 || orientation == 7)
            << told;
        EXPECT_EQ(has(told, "shown as 48x64"), turned) << told;
    }
};
INSTANTIATE_TEST_SUITE_P(Orientation, Photo, testing::Range(1, 9));

TEST_P(Photo, AJpegStandsUprightOnce) {
    ffmpeg_clip("flat.jpg", "testsrc2=s=64x48", {"-frames:v", "1", "-q:v", "2", "-pix_fmt", "yuvj444p"});
    const std::string bytes = read_file(at("flat.jpg")), tags = std::string("Exif\0\0", 6) + exif(GetParam());
    write_file(at("photo.jpg"), bytes.substr(0, 2) + "\xFF\xE1" + std::string(1, '\0') +
                                    static_cast<char>(tags.size() + 2) + tags + bytes.substr(2));
    stands_upright("photo.jpg", "flat.jpg");
}

// RIFF: a VP8X chunk that says that there is EXIF, the picture's own chunk, then the tags.
TEST_P(Photo, AWebpStandsUprightOnce) {
    using namespace std::string_literals;
    ffmpeg_clip("flat.webp", "testsrc2=s=64x48", {"-frames:v", "1", "-lossless", "1"});
    const auto size = [](size_t bytes) {
        std::string out;
        for (int i = 0; i < 4; ++i)
            out += static_cast<char>(bytes >> 8 * i & 0xFF);
        return out;
    };
    const std::string tags = exif(GetParam());
    const std::string body = "WEBPVP8X" + size(10) + "\x08\0\0\0"s + "\x3F\0\0\x2F\0\0"s +
                             read_file(at("flat.webp")).substr(12) + "EXIF" + size(tags.size()) + tags;
    write_file(at("photo.webp"), "RIFF" + size(body.size()) + body);
    stands_upright("photo.webp", "flat.webp");
}

// An eXIf chunk stands anywhere between the others but not within the picture's own.
TEST_P(Photo, APngStandsUprightOnce) {
    using namespace std::string_literals;
    ffmpeg_clip("flat.png", "testsrc2=s=64x48", {"-frames:v", "1"});
    const auto number = [](uint32_t value) {
        std::string out;
        for (int shift = 24; shift >= 0; shift -= 8)
            out += static_cast<char>(value >> shift & 0xFF);
        return out;
    };
    const auto sum = [](const std::string& bytes) { // of PNG, third edition, annex D
        uint32_t crc = 0xFFFFFFFF;
        for (const char byte : bytes) {
            crc ^= static_cast<unsigned char>(byte);
            for (int bit = 0; bit < 8; ++bit)
                crc = (crc & 1) != 0 ? 0xEDB88320 ^ crc >> 1 : crc >> 1;
        }
        return ~crc;
    };
    const std::string bytes = read_file(at("flat.png")), named = "eXIf" + exif(GetParam());
    const std::string chunk = number(static_cast<uint32_t>(named.size() - 4)) + named + number(sum(named));
    const size_t head = 8 + 25, end = bytes.size() - 12; // behind IHDR, before IEND
    const size_t place = GetParam() % 2 == 0 ? head : end;
    write_file(at("photo.png"), bytes.substr(0, place) + chunk + bytes.substr(place));
    stands_upright("photo.png", "flat.png");
}

// TIFF 6.0: the directory's entries stand in the order of their tags. It is written anew behind the picture.
TEST_P(Photo, ATiffStandsUprightOnce) {
    using namespace std::string_literals;
    ffmpeg_clip("flat.tiff", "testsrc2=s=64x48", {"-frames:v", "1", "-pix_fmt", "rgb24"});
    std::string bytes = read_file(at("flat.tiff"));
    ASSERT_EQ(bytes.substr(0, 4), "II*\0"s);
    const auto number = [&](size_t place, size_t count) {
        size_t value = 0;
        while (count-- > 0)
            value = value << 8 | static_cast<unsigned char>(bytes.at(place + count));
        return value;
    };
    const auto little = [](size_t value, int count) {
        std::string out;
        for (int i = 0; i < count; ++i)
            out += static_cast<char>(value >> 8 * i & 0xFF);
        return out;
    };
    const size_t directory = number(4, 4), entries = number(directory, 2);
    std::string written = little(entries + 1, 2);
    bool told = false;
    for (size_t i = 0; i < entries; ++i) {
        const size_t entry = directory + 2 + 12 * i;
        ASSERT_NE(number(entry, 2), 0x0112U);
        if (!told && number(entry, 2) > 0x0112) {
            written += "\x12\x01\x03\0\x01\0\0\0"s + little(static_cast<size_t>(GetParam()), 4);
            told = true;
        }
        written += bytes.substr(entry, 12);
    }
    ASSERT_TRUE(told);
    bytes += std::string(bytes.size() % 2, '\0');
    bytes.replace(4, 4, little(bytes.size(), 4));
    write_file(at("photo.tiff"), bytes + written + little(0, 4));
    stands_upright("photo.tiff", "flat.tiff");
}

// First among a layer's filters, what changes the shape acts on the picture before it is placed.
TEST_F(Cases, ALayerMayTurnAndCropItsPicture) {
    ffmpeg_clip("quarters.png",
                "color=black:s=64x32:r=1,format=rgb24,geq=r='255*lt(X,32)':g='255*lt(Y,16)':b=0",
                {"-frames:v", "1"});
    const auto layer = [&](const std::string& filters, const std::string& rect) {
        pipeline("canvas: {size: 64x64, rate: 25}\nduration: 40ms\ninputs: {a: {url: quarters.png}}\n"
                 "layers: [{from: a, fit: fill, rect: [" +
                 rect + "], filters: [" + filters + "]}]\n");
        return shown({"pipeline.yaml"}, 64, 64);
    };
    const Shown flipped = layer("hflip, {negate: {}}", "0, 0, 64, 32");
    EXPECT_RGB(flipped.at(0, 8, 4), ({255, 0, 255}), 1);   // was at the top right: green
    EXPECT_RGB(flipped.at(0, 56, 4), ({0, 0, 255}), 1);    // was at the top left: yellow
    EXPECT_RGB(flipped.at(0, 56, 28), ({0, 255, 255}), 1); // was at the bottom left: red
    const Shown turned = layer("{transpose: clock}", "0, 0, 32, 64");
    EXPECT_RGB(turned.at(0, 28, 4), ({255, 255, 0}), 1); // top left goes to the top right
    EXPECT_RGB(turned.at(0, 4, 4), ({255, 0, 0}), 1);
    EXPECT_RGB(turned.at(0, 28, 60), ({0, 255, 0}), 1);
    const Shown part = layer("{crop: {w: 32, h: 16, x: 32, y: 0}}, vflip", "0, 0, 64, 64");
    EXPECT_RGB(part.at(0, 4, 60), ({0, 255, 0}), 1);
    EXPECT_RGB(part.at(0, 60, 4), ({0, 255, 0}), 1);
    pipeline("inputs: {a: {url: quarters.png}}\nlayers:\n  - {from: a, filters: [negate, hflip]}\n"
             "canvas: {size: 64x64, filters: [vflip]}\n");
    const Result late = weft({"check", "pipeline.yaml"});
    EXPECT_EQ(late.status, 2);
    EXPECT_TRUE(has(late.err,
                    "pipeline.yaml:4:33: filter 'hflip' moves the picture's samples, but comes after "
                    "'negate': put it first"))
        << late.err;
    EXPECT_TRUE(
        has(late.err, "pipeline.yaml:5:33: filter 'vflip' moves the picture's samples, which the canvas"))
        << late.err;
}
