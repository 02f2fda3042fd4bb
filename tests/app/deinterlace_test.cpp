// Interlaced files from the command line, beside ffmpeg's bwdif.
#include "cli.hpp"

namespace weft::test {
namespace {

class Deinterlace : public Cli {
  protected:
    // Fifty moments a second, two to a picture, stored without loss and marked so.
    void make_interlaced(const std::string& name, const std::string& order = "tff") {
        ffmpeg({"-f", "lavfi", "-i", "testsrc2=s=96x64:r=50:d=0.4", "-vf",
                order == "tff" ? "format=yuv420p,tinterlace=interleave_top,setfield=tff"
                               : "format=yuv420p,tinterlace=interleave_bottom,setfield=bff",
                "-c:v", "ffv1", "-field_order", order == "tff" ? "tt" : "bb", name});
    }
    std::string raw(const std::vector<std::string>& arguments, const std::string& out) {
        std::vector<std::string> all{"render"};
        all.insert(all.end(), arguments.begin(), arguments.end());
        all.insert(all.end(), {"-o", out, "--format", "raw", "--pix-fmt", "yuv420p"});
        const Result result = weft(all);
        EXPECT_EQ(result.status, 0) << result.err;
        return read_file(at(out));
    }
    // FFmpeg's tmix=frames=3 as a filter of the user's.
    void make_temporal_mean() {
        std::filesystem::create_directories(at("mine/picture"));
        write_file(at("mine/picture/lately.yaml"),
                   "filter: lately\nsummary: The mean of three pictures.\nframes: [-2, -1, 0]\nspace: any\n");
        write_file(at("mine/picture/lately.cl"),
                   "float apply(float first, float last, float now, At at, Params p) {\n"
                   "    return (first + last + now) * (1.0f / 3.0f);\n}\n");
    }
    std::string theirs(const std::string& clip, const std::string& filter) {
        ffmpeg({"-i", clip, "-vf", filter, "-f", "rawvideo", "theirs.raw"});
        return read_file(at("theirs.raw"));
    }
    // Without the outer lines of the first and the last picture, where a field has no neighbour on one side:
    // FFmpeg 7's bwdif makes those otherwise than the versions before it.
    static std::string without_lone_edges(std::string pictures) {
        for (const size_t first : {size_t{0}, pictures.size() - picture}) {
            size_t at = first;
            for (const auto& [width, height] : {std::pair<size_t, size_t>{96, 64}, {48, 32}, {48, 32}}) {
                std::fill_n(pictures.begin() + static_cast<std::ptrdiff_t>(at), 3 * width, '\0');
                std::fill_n(pictures.begin() + static_cast<std::ptrdiff_t>(at + (height - 3) * width),
                            3 * width, '\0');
                at += width * height;
            }
        }
        return pictures;
    }
    void expect_as(const std::string& ours, const std::string& bwdif) {
        ASSERT_EQ(ours.size(), bwdif.size());
        EXPECT_TRUE(without_lone_edges(ours) == without_lone_edges(bwdif));
    }
    static constexpr size_t picture = 96 * 64 * 3 / 2;
};

TEST_F(Deinterlace, PicturesThatSaySoAreMadeWholeAsBwdifDoes) {
    for (const std::string order : {"tff", "bff"}) {
        SCOPED_TRACE(order);
        make_interlaced("i.mkv", order);
        const std::string expected = theirs("i.mkv", "bwdif=mode=send_frame:deint=interlaced");
        ASSERT_EQ(expected.size(), 10 * picture);
        expect_as(raw({"i.mkv"}, order + ".raw"), expected);
        expect_as(raw({"i.mkv", "--buffers", "1"}, order + "1.raw"), expected);
    }
}

TEST_F(Deinterlace, AtTwiceTheRateEveryFieldIsAPicture) {
    make_interlaced("i.mkv");
    expect_as(raw({"i.mkv", "--rate", "50"}, "fields.raw"),
              theirs("i.mkv", "bwdif=mode=send_field:deint=interlaced"));
}

// A broadcast: whole pictures, then pairs of fields, then whole ones again.
TEST_F(Deinterlace, EveryPictureSaysForItself) {
    const auto part = [&](const std::string& name, const std::string& source, std::vector<std::string> more) {
        std::vector<std::string> all{"-f", "lavfi", "-i", source, "-c:v", "libx264", "-qp", "0", "-bf", "0"};
        more.push_back(name);
        all.insert(all.end(), more.begin(), more.end());
        ffmpeg(all);
    };
    const std::string whole = "testsrc2=s=96x64:r=25:d=0.24,format=yuv420p";
    part("a.ts", whole, {});
    part("b.ts", "testsrc2=s=96x64:r=50:d=0.24,format=yuv420p,tinterlace=interleave_top,setfield=tff",
         {"-flags", "+ildct+ilme", "-output_ts_offset", "0.24"});
    part("c.ts", whole, {"-output_ts_offset", "0.48"});
    write_file(at("all.ts"), read_file(at("a.ts")) + read_file(at("b.ts")) + read_file(at("c.ts")));
    std::string expected = theirs("all.ts", "bwdif=mode=send_frame:deint=interlaced");
    ASSERT_EQ(expected.size(), 18 * picture);
    ASSERT_NE(expected, theirs("all.ts", "null"));
    // The first that bwdif deinterlaces it takes for the first of all, without a picture before it.
    expected.replace(6 * picture, picture, theirs("all.ts", "bwdif=mode=send_frame:deint=all"), 6 * picture,
                     picture);
    EXPECT_EQ(raw({"all.ts"}, "ours.raw"), expected);
    EXPECT_EQ(raw({"all.ts", "--buffers", "1"}, "one.raw"), expected);
    EXPECT_EQ(raw({"all.ts", "--deinterlace", "off"}, "off.raw"), theirs("all.ts", "null"));
}

// A filter of the user's that reads neighbours in time reads deinterlaced ones.
TEST_F(Deinterlace, NeighboursInTimeAreWholePictures) {
    make_interlaced("i.mkv");
    make_temporal_mean();
    // Of weft's own whole pictures, which are bwdif's but for the outer lines of the first and the last.
    const std::string whole = raw({"i.mkv"}, "whole.raw");
    expect_as(whole, theirs("i.mkv", "bwdif=mode=send_frame:deint=interlaced"));
    ffmpeg({"-f", "rawvideo", "-pix_fmt", "yuv420p", "-video_size", "96x64", "-i", "whole.raw", "-vf",
            "tmix=frames=3", "-f", "rawvideo", "mean.raw"});
    EXPECT_TRUE(raw({"i.mkv", "--filters", "mine", "--filter", "lately"}, "ours.raw") ==
                read_file(at("mean.raw")));
}

TEST_F(Deinterlace, OffAndOnAreObeyed) {
    make_interlaced("i.mkv");
    EXPECT_EQ(raw({"i.mkv", "--deinterlace", "off"}, "off.raw"), theirs("i.mkv", "null"));
    make_clip("p.mkv", "testsrc2=s=96x64:r=25:d=0.4,format=yuv420p");
    EXPECT_EQ(raw({"p.mkv"}, "auto.raw"), theirs("p.mkv", "null"));
    expect_as(raw({"p.mkv", "--deinterlace", "on"}, "on.raw"),
              theirs("p.mkv", "bwdif=mode=send_frame:deint=all"));
}

TEST_F(Deinterlace, APartOfAFileEndsInTime) {
    make_interlaced("i.mkv");
    EXPECT_EQ(raw({"i.mkv", "--start", "0.08s", "--duration", "0.2s"}, "part.raw").size(), 5 * picture);
    write_file(at("loop.yaml"), "weft: 1\ninputs: {a: {url: i.mkv, end: loop}}\nlayers: [{from: a}]\n");
    EXPECT_EQ(raw({"loop.yaml", "--duration", "1s"}, "loop.raw").size(), 25 * picture);
}

TEST_F(Deinterlace, PipelinesSayItForEachInput) {
    make_interlaced("i.mkv");
    write_file(at("p.yaml"), "weft: 1\ninputs: {a: {url: i.mkv, deinterlace: off}}\nlayers: [{from: a}]\n");
    EXPECT_EQ(raw({"p.yaml"}, "p.raw"), theirs("i.mkv", "null"));
    const Result printed = weft({"check", "--print", "i.mkv", "--deinterlace", "on"});
    EXPECT_TRUE(has(printed.out, "deinterlace: on")) << printed.out;
    EXPECT_EQ(weft({"check", "i.mkv", "--deinterlace", "perhaps"}).status, 2);
}

} // namespace
} // namespace weft::test
