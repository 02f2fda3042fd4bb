// Colour, alpha, tables and pixel formats.
#include "cases/cases.hpp"

using namespace weft::test;

namespace {

const std::vector<std::string> tags_709{"-colorspace", "bt709", "-color_primaries", "bt709",
                                        "-color_trc",  "bt709", "-color_range",     "tv"};
const std::vector<std::string> tags_601{"-colorspace", "smpte170m", "-color_primaries", "smpte170m",
                                        "-color_trc",  "smpte170m", "-color_range",     "tv"};

std::vector<std::string> red_as(const std::string& matrix, const std::vector<std::string>& tags) {
    std::vector<std::string> words{
        "-vf", "scale=out_color_matrix=" + matrix + ":out_range=tv,format=yuv420p", "-c:v", "libx264", "-qp",
        "0"};
    words.insert(words.end(), tags.begin(), tags.end());
    return words;
}

} // namespace

// Straight colour must not be scaled without its alpha. FFmpeg's scale and overlay give a rim of 192.
// A camera's raw mosaic of one colour is that colour, in all of its sixteen bits.
TEST_F(Cases, ADeepMosaicStaysDeep) {
    const std::string r = "\x01\x80", g = "\x03\x40", b = "\x05\x20";
    std::string mosaic, expected;
    for (int y = 0; y < 8; ++y)
        for (int x = 0; x < 16; ++x) {
            mosaic += (x + y) % 2 == 1 ? g : y % 2 == 0 ? r : b;
            expected += r + g + b;
        }
    write_file(at("mosaic.raw"), mosaic);
    ffmpeg({"-f", "rawvideo", "-pix_fmt", "bayer_rggb16le", "-s", "16x8", "-i", "mosaic.raw", "-c", "copy",
            "mosaic.nut"});
    const Result result =
        weft({"render", "mosaic.nut", "--format", "raw", "--pix-fmt", "rgb48le", "-o", "out.raw"});
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(read_file(at("out.raw")), expected);
}

TEST_F(Cases, ALogoHasNoDarkRim) {
    make_halo();
    ffmpeg_clip("white.mp4", "color=white:s=256x256:r=25:d=0.2",
                {"-c:v", "libx264", "-qp", "0", "-pix_fmt", "yuv444p"});
    const Shown out = shown({pipeline("inputs: {white: {url: white.mp4}, halo: {url: halo.png}}\n"
                                      "layers:\n"
                                      "  - {from: white}\n"
                                      "  - {from: halo, rect: [40, 40, 173, 173]}\n")},
                            256, 256);
    EXPECT_EQ(out.frames(), 5);
    const auto least = *std::min_element(out.bytes.begin(), out.bytes.end(), [](char a, char b) {
        return static_cast<unsigned char>(a) < static_cast<unsigned char>(b);
    });
    EXPECT_GE(static_cast<unsigned char>(least), 253);
}

TEST_F(Cases, TilesOfAnySizeAndRateMakeAWall) {
    ffmpeg_clip("t1.mp4", "color=red:s=1280x720:r=30:d=0.2",
                {"-colorspace", "smpte170m", "-color_range", "tv", "-c:v", "libx264"});
    ffmpeg_clip("t2.mp4", "color=lime:s=448x252:r=25:d=0.2", {"-c:v", "libx264"});
    std::vector<std::string> words;
    for (int i = 0; i < 12; ++i)
        words.push_back(i % 2 == 0 ? "t1.mp4" : "t2.mp4");
    words.insert(words.end(), {"--layout", "4x3", "--size", "1280x720", "--background", "#204060"});
    const Shown out = shown(words, 1280, 720);
    EXPECT_EQ(out.frames(), 6); // 30 a second, the first input's rate
    for (int i = 0; i < 12; ++i) {
        const int x = i % 4 * 320, y = i / 4 * 240;
        if (i % 2 == 0)
            EXPECT_RGB(out.at(3, x + 160, y + 120), ({254, 0, 0}), 4);
        else
            EXPECT_RGB(out.at(3, x + 160, y + 120), ({0, 255, 0}), 4);
        // A tile of 16:9 is 320x180 within its 320x240.
        for (const int row : {0, 28, 211, 239})
            EXPECT_RGB(out.at(3, x + 5, y + row), ({0x20, 0x40, 0x60}), 2) << i << " " << row;
    }
}

TEST_F(Cases, AnExportedHdRedKeepsItsLuma) {
    ffmpeg_clip("red709.mp4", "color=red:s=1280x720:r=25:d=0.2", red_as("bt709", tags_709));
    ASSERT_EQ(weft({"render", "red709.mp4", "-o", "out.mp4"}).status, 0);
    EXPECT_EQ(ffprobe("out.mp4", "stream=color_range,color_space,color_transfer,color_primaries"),
              "tv\nbt709\nbt709\nbt709\n");
    ffmpeg({"-i", "out.mp4", "-frames:v", "1", "-f", "rawvideo", "out.yuv"});
    const std::string yuv = read_file(at("out.yuv"));
    const auto byte = [&](size_t i) { return static_cast<int>(static_cast<unsigned char>(yuv.at(i))); };
    EXPECT_NEAR(byte(1280 * 300 + 640), 63, 1); // BT.709 red: 63, 102, 240
    EXPECT_NEAR(byte(1280 * 720 + 640 * 100 + 320), 102, 1);
    EXPECT_NEAR(byte(1280 * 720 * 5 / 4 + 640 * 100 + 320), 240, 1);
}

TEST_F(Cases, TheSameRedOfSdHdAndJpegMatches) {
    ffmpeg_clip("red709.mp4", "color=red:s=1280x720:r=25:d=0.2", red_as("bt709", tags_709));
    ffmpeg_clip("red601.mp4", "color=red:s=640x480:r=25:d=0.2", red_as("bt601", tags_601));
    ffmpeg_clip("jpeg.avi", "color=red:s=640x480:r=25:d=0.2",
                {"-pix_fmt", "yuvj420p", "-q:v", "1", "-c:v", "mjpeg"});
    const Shown out =
        shown({"red709.mp4", "red601.mp4", "jpeg.avi", "--layout", "3x1", "--size", "768x144"}, 768, 144);
    const Rgb hd = out.at(2, 128, 72), sd = out.at(2, 384, 72), jpeg = out.at(2, 640, 72);
    for (const Rgb& red : {hd, sd, jpeg})
        EXPECT_RGB(red, ({254, 0, 0}), 3);
    EXPECT_PRED3(near, hd, sd, 2);
    EXPECT_PRED3(near, hd, jpeg, 2);
}

TEST_F(Cases, TablesOfEveryKindAreApplied) {
    const std::string files = std::string(WEFT_SOURCE_DIR) + "/tests/media_files/";
    write_file(at("domain.cube"), "DOMAIN_MIN 0 0 0\nDOMAIN_MAX 0.1 0.1 0.1\nLUT_3D_SIZE 2\n1 0 0\n1 0 0\n"
                                  "1 0 0\n1 0 0\n1 0 0\n1 0 0\n1 0 0\n0 0 1\n");
    struct Case {
        std::string colour, table;
        Rgb expected;
    };
    const std::string one = files + "cube_1d_size4.cube", two = files + "cube_3d_size2_no_newline.cube",
                      iridas = files + "cube_iridas_3d_domain.cube", domain = at("domain.cube").string();
    const std::vector<Case> cases{
        {"555555", one, {76, 25, 13}},
        {"808080", one, {115, 103, 32}},
        {"AAAAAA", one, {153, 178, 51}},
        {"00FF00", two, {0, 191, 0}},
        {"0000FF", two, {0, 64, 255}},
        {"FFFFFF", iridas, {255, 0, 255}},
        {"000000", domain, {255, 0, 0}},
        {"0D0D0D:interp=trilinear", domain, {221, 0, 34}},
        {"0D0D0D", domain, {125, 0, 130}},
        // Beyond the domain is its end; FFmpeg gives 222,0,32, as it holds the domain's scale to 1.
        {"1A1A1A", domain, {0, 0, 255}},
        {"808080", domain, {0, 0, 255}},
    };
    std::vector<std::string> words;
    for (size_t i = 0; i < cases.size(); ++i) {
        const std::string colour = cases[i].colour.substr(0, 6), name = std::to_string(i) + ".mkv";
        ffmpeg_clip(name, "color=0x" + colour + ":s=16x16:r=1:d=1,format=gbrp", {"-c:v", "ffv1"});
        words.push_back(name);
    }
    for (size_t i = 0; i < cases.size(); ++i)
        words.insert(words.end(), {"--filter", std::to_string(i + 1) + ":lut3d=file=" + cases[i].table +
                                                   cases[i].colour.substr(6)});
    words.insert(words.end(), {"--layout", "11x1", "--size", "176x16"});
    const Shown out = shown(words, 176, 16);
    for (size_t i = 0; i < cases.size(); ++i)
        EXPECT_PRED3(near, out.at(0, static_cast<int>(i) * 16 + 8, 8), cases[i].expected, 1)
            << cases[i].colour << " through " << cases[i].table;
}

TEST_F(Cases, ABrokenTableIsRefusedWithItsRowCount) {
    write_file(at("broken.cube"), "LUT_3D_SIZE 2\n0 0 0\n");
    write_file(at("domain.cube"), "DOMAIN_MIN 0 0 0\nDOMAIN_MAX 0 1 1\nLUT_1D_SIZE 2\n0 0 0\n1 1 1\n");
    ffmpeg_clip("a.mkv", "color=red:s=16x16:r=1:d=1", {"-c:v", "ffv1"});
    const Result rows = weft({"render", "a.mkv", "--filter", "lut3d=broken.cube", "-o", "null:"});
    EXPECT_EQ(rows.status, 2);
    EXPECT_TRUE(has(rows.err, "broken.cube") && has(rows.err, "8") && has(rows.err, "1")) << rows.err;
    const Result domain = weft({"render", "a.mkv", "--filter", "lut3d=domain.cube", "-o", "null:"});
    EXPECT_EQ(domain.status, 2);
    EXPECT_TRUE(has(domain.err, "domain.cube:2: the domain of r")) << domain.err;
}

TEST_F(Cases, EveryPixelFormatShowsItsColour) {
    struct Case {
        std::string format, ending;
        std::vector<std::string> codec;
        Rgb expected{64, 128, 192};
    };
    std::vector<Case> cases;
    for (const char* format : {"yuv420p", "yuv422p", "yuv444p", "yuv420p10le", "yuv422p10le", "yuv444p10le",
                               "yuva420p", "gbrp", "rgb48le", "bgra"})
        cases.push_back({format, "mkv", {"-c:v", "ffv1"}});
    cases.push_back({"gray", "mkv", {"-c:v", "ffv1"}, {116, 116, 116}});
    cases.push_back({"nv12", "nut", {"-c:v", "rawvideo"}});
    cases.push_back({"yuvj420p", "avi", {"-c:v", "mjpeg"}});
    cases.push_back({"pal8", "mov", {"-c:v", "png"}});
    std::vector<std::string> words;
    for (const Case& one : cases) {
        std::vector<std::string> more{"-pix_fmt", one.format};
        more.insert(more.end(), one.codec.begin(), one.codec.end());
        ffmpeg_clip(one.format + "." + one.ending, "color=0x4080C0:s=64x48:r=25:d=0.2", more);
        words.push_back(one.format + "." + one.ending);
    }
    words.insert(words.end(), {"--layout", "7x2", "--size", "448x96"});
    const Shown out = shown(words, 448, 96), palette = decoded("pal8.mov", 64, 48);
    EXPECT_EQ(out.frames(), 5);
    for (int frame = 0; frame < out.frames(); ++frame)
        for (size_t i = 0; i < cases.size(); ++i) {
            const int x = static_cast<int>(i % 7) * 64, y = static_cast<int>(i / 7) * 48;
            if (cases[i].format == "pal8") { // dithered: sample for sample what the file says
                for (int n = 0; n < 64 * 48; ++n)
                    ASSERT_PRED3(near, out.at(frame, x + n % 64, y + n / 64),
                                 palette.at(frame, n % 64, n / 64), 0)
                        << n;
                continue;
            }
            EXPECT_PRED3(near, out.at(frame, x + 32, y + 24), cases[i].expected, 2)
                << cases[i].format << " in frame " << frame;
        }
}

// Weights sum to 1 and nothing outside the picture is read, also where the radius is larger than the picture.
TEST_F(Cases, ABlurKeepsAFlatPicture) {
    ffmpeg_clip("flat.mp4", "color=0x808080:s=33x17:r=25:d=0.04,format=yuv444p",
                {"-c:v", "libx264", "-qp", "0"});
    std::string layers =
        "canvas: {background: \"#808080\", size: 160x40}\ninputs: {flat: {url: flat.mp4}}\nlayers:\n";
    const std::vector<std::string> filters{"gblur: {sigma: 0.4}",
                                           "gblur: {sigma: 1.7}",
                                           "gblur: {sigma: 6.7}",
                                           "gblur: {sigma: 13.4}",
                                           "unsharp: {luma_msize_x: 3, luma_msize_y: 3, luma_amount: 1.5}",
                                           "unsharp: {luma_msize_x: 23, luma_msize_y: 23, luma_amount: 1.5}",
                                           "convolution: {matrix: [1, 1, 1, 1, 1, 1, 1, 1, 1]}",
                                           "convolution: {matrix: [0, -1, 0, -1, 5, -1, 0, -1, 0]}"};
    for (size_t i = 0; i < filters.size(); ++i)
        layers += "  - {from: flat, rect: [" + std::to_string(i % 4 * 40) + ", " +
                  std::to_string(i / 4 * 20) + ", 33, 17], filters: [{" + filters[i] + "}]}\n";
    const Shown out = shown({pipeline(layers)}, 160, 40);
    for (int i = 0; i < 160 * 40; ++i)
        EXPECT_RGB(out.at(0, i % 160, i / 160), ({128, 128, 128}), 0) << i % 160 << "," << i / 160;
}
