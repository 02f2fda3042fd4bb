// Filters that read neighbours in time, from the command line, beside ffmpeg's tmix.
#include "cli.hpp"

namespace weft::test {
namespace {

class Frames : public Cli {
  protected:
    void SetUp() override {
        Cli::SetUp();
        std::filesystem::create_directories(at("mine/picture"));
        filter("lately", "[-2, -1, 0]"); // as tmix=frames=3 has it
        filter("around", "[-1, 0, 1]");
        make_clip("a.mkv", "testsrc2=s=96x64:r=25:d=0.4,format=yuv420p");
    }
    void filter(const std::string& name, const std::string& frames) {
        write_file(at("mine/picture/" + name + ".yaml"),
                   "filter: " + name + "\nsummary: The mean of three pictures.\nframes: " + frames +
                       "\nspace: any\n");
        write_file(at("mine/picture/" + name + ".cl"),
                   "float apply(float a, float b, float c, At at, Params p) {\n"
                   "    return (a + b + c) * (1.0f / 3.0f);\n}\n");
    }
    std::string raw(std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), "render");
        for (const char* more :
             {"--filters", "mine", "-y", "-o", "ours.raw", "--format", "raw", "--pix-fmt", "yuv420p"})
            arguments.push_back(more);
        const Result result = weft(arguments);
        EXPECT_EQ(result.status, 0) << result.err;
        return read_file(at("ours.raw"));
    }
    std::string theirs(const std::string& filter) {
        ffmpeg({"-i", "a.mkv", "-vf", filter, "-f", "rawvideo", "theirs.raw"});
        return read_file(at("theirs.raw"));
    }
    static constexpr size_t picture = 96 * 64 * 3 / 2, pictures = 10;
};

TEST_F(Frames, AMeanOfThreeIsThatOfTmix) {
    const std::string expected = theirs("tmix=frames=3");
    ASSERT_EQ(expected.size(), pictures * picture);
    EXPECT_EQ(raw({"a.mkv", "--filter", "lately"}), expected);
    EXPECT_EQ(raw({"a.mkv", "--filter", "lately", "--buffers", "1"}), expected);
    write_file(at("p.yaml"), "weft: 1\ninputs: {a: {url: a.mkv, filters: [lately]}}\nlayers: [{from: a}]\n");
    EXPECT_EQ(raw({"p.yaml"}), expected);
}

TEST_F(Frames, PicturesAheadAreReadToo) {
    // tmix once more, its last picture held for one, and its first left out.
    const std::string expected = theirs("tpad=stop=1:stop_mode=clone,tmix=frames=3,trim=start_frame=1");
    ASSERT_EQ(expected.size(), pictures * picture);
    EXPECT_EQ(raw({"a.mkv", "--filter", "around"}), expected);
    // Of a run that ends before its file the last picture reads the one behind it.
    EXPECT_EQ(raw({"a.mkv", "--filter", "around", "--duration", "0.2s"}), expected.substr(0, 5 * picture));
}

TEST_F(Frames, OnTheCanvasThereAreNone) {
    write_file(at("p.yaml"), "weft: 1\ncanvas: {filters: [around]}\ninputs: {a: {url: a.mkv}}\n"
                             "layers: [{from: a}]\n");
    const Result result = weft({"render", "p.yaml", "--filters", "mine", "-o", "null:"});
    EXPECT_EQ(result.status, 2);
    EXPECT_TRUE(has(result.err, "p.yaml:2:20")) << result.err;
    EXPECT_TRUE(has(result.err, "reads neighbours in time, which the canvas has none of")) << result.err;
}

} // namespace
} // namespace weft::test
