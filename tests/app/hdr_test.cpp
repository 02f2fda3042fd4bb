// HDR files from the command line: brought to SDR, or passed on as what they are.
#include "cli.hpp"

namespace weft::test {
namespace {

class Hdr : public Cli {
  protected:
    // Grey of PQ 58 %, which is 203 cd/m2 (BT.2408): code 573 of ten bits.
    void make_grey(const std::string& name, const std::string& light = "") {
        const std::string params = "log-level=none:lossless=1" + (light.empty() ? "" : ":max-cll=" + light);
        ffmpeg({"-f", "lavfi", "-i", "color=black:s=64x48:r=25:d=0.12", "-vf",
                "format=yuv420p10le,geq=lum=573:cb=512:cr=512,setparams=range=tv:colorspace=bt2020nc:"
                "color_primaries=bt2020:color_trc=smpte2084",
                "-c:v", "libx265", "-x265-params", params, "-color_primaries", "bt2020", "-color_trc",
                "smpte2084", "-colorspace", "bt2020nc", "-color_range", "tv", name});
    }
    // Mean luma of the first picture: the light in between is dithered.
    double luma(std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), "render");
        arguments.insert(arguments.end(), {"-y", "-o", "out.raw", "--format", "raw", "--pix-fmt", "yuv420p"});
        const Result result = weft(arguments);
        EXPECT_EQ(result.status, 0) << result.err;
        const std::string bytes = read_file(at("out.raw"));
        double sum = 0;
        for (size_t i = 0; i < 64 * 48 && i < bytes.size(); ++i)
            sum += static_cast<uint8_t>(bytes[i]);
        return sum / (64 * 48);
    }
};

// What BT.2390 makes of 203 cd/m2 (tests/colour/tone_test.cpp), by the sRGB curve (IEC 61966-2-1), 16 + 219
// v.
TEST_F(Hdr, BecomesSdrByItsPeak) {
    make_grey("grey.mkv");
    EXPECT_NEAR(luma({"grey.mkv"}), 212.7, 0.5); // 0.7835 of white: none is said, so 1000
    EXPECT_NEAR(luma({"grey.mkv", "--tonemap", "clip"}), 235, 0.5);
    make_grey("bright.mkv", "4000,400");
    EXPECT_NEAR(luma({"bright.mkv"}), 194.5, 0.5); // 0.6302
    write_file(at("p.yaml"),
               "weft: 1\ncanvas: {tonemap: clip}\ninputs: {a: bright.mkv}\nlayers: [{from: a}]\n");
    EXPECT_NEAR(luma({"p.yaml"}), 235, 0.5);
    const Result explained = weft({"check", "--explain", "bright.mkv"});
    EXPECT_TRUE(has(explained.out, "tone mapped by bt2390, its peak taken as 4000 cd/m2")) << explained.out;
}

TEST_F(Hdr, UnknownCurvesAreRefused) {
    make_grey("grey.mkv");
    const Result result = weft({"check", "grey.mkv", "--tonemap", "filmic"});
    EXPECT_EQ(result.status, 2);
    EXPECT_TRUE(has(result.err, "bt2390, hable, reinhard, mobius, clip")) << result.err;
}

TEST_F(Hdr, PassesThroughWhereTheCanvasIsHdr) {
    make_grey("grey.mkv");
    write_file(at("p.yaml"), "weft: 1\ncanvas: {colour: pq}\ninputs: {a: grey.mkv}\nlayers: [{from: a}]\n");
    const Result result =
        weft({"render", "p.yaml", "-o", "out.mkv", "--vcodec", "ffv1", "--pix-fmt", "yuv420p10le"});
    ASSERT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(ffprobe("out.mkv", "stream=color_space,color_transfer,color_primaries"),
              "bt2020nc\nsmpte2084\nbt2020\n");
    ffmpeg({"-i", "out.mkv", "-f", "rawvideo", "theirs.raw"});
    ffmpeg({"-i", "grey.mkv", "-f", "rawvideo", "source.raw"});
    EXPECT_EQ(read_file(at("theirs.raw")), read_file(at("source.raw")));
}

} // namespace
} // namespace weft::test
