// weft check: every problem at once, with its place; the plan; the pipeline as YAML.
#include <nlohmann/json.hpp>

#include "app/cli.hpp"

using namespace weft::test;

TEST_F(Cli, CheckPrintsEveryProblemWithItsPlace) {
    write_file(at("bad.yaml"),
               "weft: 1\n"
               "canvas: {size: 320x180, rat: 30}\n"
               "inputs:\n"
               "  a: {url: a.mp4}\n"
               "layers:\n"
               "  - {from: a, opacity: 3, filters: [{eq: {contrst: 1}}, {gblur: {sigma: -4}}]}\n"
               "  - {from: b}\n");
    const Result result = weft({"check", "bad.yaml"});
    EXPECT_EQ(result.status, 2);
    EXPECT_TRUE(has(result.err, "bad.yaml:2:25: ") && has(result.err, "'rat', did you mean 'rate'?"))
        << result.err;
    EXPECT_TRUE(has(result.err, "bad.yaml:4:6: ") && has(result.err, "a.mp4: no such file")) << result.err;
    EXPECT_TRUE(has(result.err, "bad.yaml:6:24: ") && has(result.err, "opacity is 3, allowed 0..1"))
        << result.err;
    EXPECT_TRUE(has(result.err, "bad.yaml:6:52: ") && has(result.err, "'contrst', did you mean 'contrast'?"))
        << result.err;
    EXPECT_TRUE(has(result.err, "bad.yaml:6:") && has(result.err, "sigma is -4")) << result.err;
    EXPECT_TRUE(has(result.err, "bad.yaml:7:12: ") && has(result.err, "'b'")) << result.err;
    // In the order of the text.
    EXPECT_LT(result.err.find("bad.yaml:2:"), result.err.find("bad.yaml:4:"));
    EXPECT_LT(result.err.find("bad.yaml:4:"), result.err.find("bad.yaml:6:"));
    EXPECT_LT(result.err.find("bad.yaml:6:"), result.err.find("bad.yaml:7:"));
}

TEST_F(Cli, CheckAsJsonHasTheSamePlaces) {
    write_file(at("bad.yaml"), "weft: 1\ninputs:\n  a: {url: a.mp4, strat: 1s}\nlayers:\n  - {from: a}\n");
    const Result result = weft({"check", "--syntax", "--json", "bad.yaml"});
    EXPECT_EQ(result.status, 2);
    const auto report = nlohmann::json::parse(result.out);
    EXPECT_EQ(report.at("ok"), false);
    ASSERT_EQ(report.at("problems").size(), 1u);
    EXPECT_EQ(report.at("problems").at(0).at("file"), "bad.yaml");
    EXPECT_EQ(report.at("problems").at(0).at("line"), 3);
    EXPECT_EQ(report.at("problems").at(0).at("column"), 19);
}

TEST_F(Cli, CheckRefusesWhatIsNotThere) {
    const Result pipeline = weft({"check", "none.yaml"});
    EXPECT_EQ(pipeline.status, 2);
    EXPECT_TRUE(has(pipeline.err, "none.yaml: no such file")) << pipeline.err;
    const Result clips = weft({"check", "one.mp4", "two.mp4"});
    EXPECT_EQ(clips.status, 2);
    EXPECT_TRUE(has(clips.err, "one.mp4: no such file") && has(clips.err, "two.mp4: no such file"))
        << clips.err;
}

TEST_F(Cli, ReadyPipelinesHaveNoProblemInTheirText) {
    int count = 0;
    for (const auto& entry :
         std::filesystem::directory_iterator(std::string(WEFT_SOURCE_DIR) + "/pipelines")) {
        if (entry.path().extension() != ".yaml") continue;
        ++count;
        const Result result = weft({"check", "--syntax", entry.path().string()});
        EXPECT_EQ(result.status, 0) << result.err;
        EXPECT_EQ(result.out.rfind("fine: ", 0), 0u) << result.out;
    }
    EXPECT_GE(count, 4);
}

TEST_F(Cli, ShortOptionsAndTheirYamlRenderTheSamePictures) {
    make_clip("a.mp4", "testsrc2=s=96x64:r=25:d=0.4");
    make_clip("b.mp4", "testsrc=s=64x64:r=30:d=0.4");
    const std::vector<std::string> options{"a.mp4",        "b.mp4",  "--layout", "hstack",
                                           "--filter",     "hflip",  "--filter", "2:eq=contrast=1.3",
                                           "--background", "#204060"};
    std::vector<std::string> print{"check", "--print"}, direct{"render", "--progress", "none", "-o", "hash:"};
    print.insert(print.end(), options.begin(), options.end());
    direct.insert(direct.end(), options.begin(), options.end());
    const Result yaml = weft(print);
    ASSERT_EQ(yaml.status, 0) << yaml.err;
    EXPECT_EQ(yaml.out.rfind("weft: 1\n", 0), 0u);
    write_file(at("same.yaml"), yaml.out);
    const Result first = weft(direct);
    const Result second = weft({"render", "same.yaml", "--progress", "none", "-o", "hash:"});
    ASSERT_EQ(first.status, 0) << first.err;
    ASSERT_EQ(second.status, 0) << second.err;
    EXPECT_TRUE(has(first.out, "total "));
    EXPECT_EQ(first.out, second.out);
}

TEST_F(Cli, ExplainNamesWhatWillBeDone) {
    make_clip("a.mp4", "testsrc2=s=96x64:r=25:d=0.4");
    const Result text =
        weft({"check", "--explain", "a.mp4", "--size", "48x32", "--filter", "eq=contrast=1.3"});
    EXPECT_EQ(text.status, 0) << text.err;
    EXPECT_TRUE(has(text.out, "96x64 -> 48x32") && has(text.out, "eq")) << text.out;
    const Result dot = weft({"check", "--dot", "a.mp4"});
    EXPECT_EQ(dot.status, 0) << dot.err;
    EXPECT_EQ(dot.out.rfind("digraph", 0), 0u) << dot.out;
    EXPECT_EQ(dot.out.substr(dot.out.size() - 2), "}\n");
}

TEST_F(Cli, CheckNamesTheLineOfAMistakeInAFiltersText) {
    make_clip("a.mp4", "testsrc2=s=96x64:r=25:d=0.2");
    std::filesystem::create_directories(at("mine/picture"));
    write_file(at("mine/picture/broken.yaml"), "filter: broken\nsummary: Does not compile.\nreads: pixel\n"
                                               "space: rgb\nlight: display\n");
    write_file(at("mine/picture/broken.cl"), "Px apply(Px px, At at, Params p) {\n"
                                             "    return px_scale(px, strength);\n}\n");
    const Result result = weft({"check", "a.mp4", "--filters", "mine", "--filter", "broken"});
    EXPECT_EQ(result.status, 2) << result.out;
    EXPECT_TRUE(has(result.err, "broken.cl:2:25: ") && has(result.err, "strength")) << result.err;
}

TEST_F(Cli, CheckTellsOneComplaintOnce) {
    make_clip("a.mp4", "testsrc2=s=96x64:r=25:d=0.2");
    const Result result = weft({"check", "a.mp4", "a.mp4", "--filter", "gblur=sigma=-1"});
    EXPECT_EQ(result.status, 2);
    EXPECT_EQ(result.err, "--filter: filter 'gblur': sigma is -1, allowed 0..100\n");
}

TEST_F(Cli, CheckWarnsOfALayerBesideTheCanvas) {
    make_clip("a.mp4", "testsrc2=s=96x64:r=25:d=0.2");
    write_file(at("p.yaml"), "weft: 1\n"
                             "canvas: {size: 96x64}\n"
                             "inputs: {a: {url: a.mp4}}\n"
                             "layers:\n"
                             "  - {from: a}\n"
                             "  - {from: a, rect: [96, 0, 20, 20]}\n"
                             "  - {from: a, rect: [90, -10, 20, 20]}\n"
                             "  - {from: a, rect: [0, -100%, 100%, 100%]}\n"
                             "  - {from: a, rect: [97, 0, 20, 20], rotate: 45}\n");
    const std::string first = "p.yaml:6:12: ", second = "p.yaml:8:12: ";
    const Result result = weft({"check", "p.yaml"});
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(result.err,
              first +
                  "warning: layers[1]: its rect 20x20 at 96,0 lies outside the canvas of 96x64: nothing of "
                  "it is seen\n" +
                  second +
                  "warning: layers[3]: its rect 96x64 at 0,-64 lies outside the canvas of 96x64: "
                  "nothing of it is seen\n");
    const auto report = nlohmann::json::parse(weft({"check", "--json", "p.yaml"}).out);
    EXPECT_EQ(report.at("ok"), true);
    EXPECT_EQ(report.at("warnings").at(1).at("line"), 8);
    const Result rendered = weft({"render", "p.yaml", "-o", "null:"});
    EXPECT_EQ(rendered.status, 0) << rendered.err;
    EXPECT_TRUE(has(rendered.err, "warning: " + first + "layers[1]")) << rendered.err;
    EXPECT_EQ(weft({"render", "p.yaml", "--log", "error", "-o", "null:"}).err, "");
}

TEST_F(Cli, CheckTellsPipelinesFromOtherFiles) {
    make_clip("a.mp4", "testsrc2=s=96x64:r=25:d=0.2");
    std::filesystem::rename(at("a.mp4"), at("film.yaml"));
    write_file(at("latin.yaml"), "weft: 1\ninputs:\n  caf\xE9: {url: a.mp4}\n");
    write_file(at("zero.yaml"), std::string("weft: 1\n\0", 9));
    const auto told = [&](const std::string& file) {
        const Result result = weft({"check", file});
        EXPECT_EQ(result.status, 2) << file;
        return result.err;
    };
    EXPECT_EQ(told("film.yaml"),
              "film.yaml: is no text file but an MP4 or QuickTime file (weft probe tells about media)\n");
    EXPECT_EQ(told("latin.yaml"), "latin.yaml:3:6: is not UTF-8: save it as such\n");
    EXPECT_EQ(told("zero.yaml"), "zero.yaml: is no text file\n");
}

// FFmpeg's chains by those who know them half.
TEST_F(Cli, AChainWithoutItsCommasIsShownWithThem) {
    make_clip("a.mp4", "testsrc2=s=96x64:r=25:d=0.2");
    for (const auto& [wrong, right] : std::vector<std::pair<std::string, std::string>>{
             {"hflip:eq=contrast=1.2", "hflip,eq=contrast=1.2"},
             {"eq=contrast=1.2:gblur=sigma=2:steps=3", "eq=contrast=1.2,gblur=sigma=2:steps=3"},
             {"gblur=2:negate", "gblur=2,negate"},
             {"eq=contrast=1.2:hue:negate", "eq=contrast=1.2,hue,negate"},
             {"eq=contrast=1.2;negate", "eq=contrast=1.2,negate"},
             {"hflip;eq=contrast=1.2", "hflip,eq=contrast=1.2"},
             {"hflip | vflip", "hflip,vflip"}}) {
        const Result result = weft({"check", "a.mp4", "--filter", wrong});
        EXPECT_EQ(result.status, 2) << wrong;
        EXPECT_TRUE(has(result.err, "separate filters with a comma: " + right + "\n")) << result.err;
        EXPECT_EQ(weft({"check", "a.mp4", "--filter", right}).status, 0) << right;
    }
    EXPECT_FALSE(has(weft({"check", "a.mp4", "--filter", "eq=contrst=1"}).err, "comma"));
    EXPECT_TRUE(
        has(weft({"check", "a.mp4", "--filter", "eq=contrast=1.2,saturation=2"}).err,
            "no filter 'saturation', but an option of 'eq' before it: separate options with a colon"));
    EXPECT_TRUE(has(weft({"check", "a.mp4", "--filter", "[0:v]hflip[out]"}).err,
                    "leave labels such as [0:v] out, '2:' before a filter names an input: hflip\n"));
}
