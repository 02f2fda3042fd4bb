// The command line itself: help, suggestions, exit status. No device, no media.
#include <nlohmann/json.hpp>

#include "app/cli.hpp"

using namespace weft::test;
using testing::Test;

namespace {

const std::vector<std::string> commands{"render", "play",  "profile", "bench",   "tune",
                                        "check",  "probe", "devices", "filters", "transitions"};

} // namespace

TEST_F(Cli, HelpOfTheProgramNamesEveryCommand) {
    const Result result = weft({"--help"});
    EXPECT_EQ(result.status, 0);
    for (const std::string& command : commands)
        EXPECT_TRUE(has(result.out, "\n  " + command)) << command;
    EXPECT_TRUE(has(result.out, "Examples:\n"));
    EXPECT_EQ(result.err, "");
    EXPECT_EQ(weft({}).out, result.out);
    EXPECT_EQ(weft({"help"}).out, result.out);
}

TEST_F(Cli, HelpOfEveryCommandHasUsageAndExamples) {
    for (const std::string& command : commands) {
        const Result result = weft({command, "--help"});
        EXPECT_EQ(result.status, 0) << command;
        EXPECT_TRUE(has(result.out, "Usage: weft " + command)) << result.out;
        EXPECT_TRUE(has(result.out, "Examples:\n  weft " + command)) << result.out;
        EXPECT_EQ(weft({"help", command}).out, result.out);
    }
}

TEST_F(Cli, HelpFitsATerminalOfAHundredColumns) {
    for (const std::string& command : commands) {
        std::istringstream lines(weft({command, "--help"}).out);
        for (std::string line; std::getline(lines, line);)
            EXPECT_LE(line.size(), 100u) << line;
    }
}

TEST_F(Cli, VersionNamesProgramAndCompiler) {
    const Result result = weft({"--version"});
    EXPECT_EQ(result.status, 0);
    EXPECT_EQ(result.out.rfind("weft ", 0), 0u);
    EXPECT_TRUE(has(result.out, "C++20") && has(result.out, "libavcodec "));
    EXPECT_EQ(weft({"-V"}).out, result.out);
}

TEST_F(Cli, UnknownCommandIsRefusedWithTheNearestName) {
    const Result result = weft({"rendr", "a.mp4"});
    EXPECT_EQ(result.status, 2);
    EXPECT_TRUE(has(result.err, "error: unknown command 'rendr'; did you mean render?")) << result.err;
    EXPECT_EQ(result.out, "");
}

TEST_F(Cli, EveryUnknownOptionIsNamedWithTheNearest) {
    const Result result =
        weft({"render", "--fitler", "hflip", "a.mp4", "--outputt=x.mp4", "-c:v", "libx264"});
    EXPECT_EQ(result.status, 2);
    EXPECT_TRUE(has(result.err, "error: unknown option '--fitler'; did you mean --filter?")) << result.err;
    EXPECT_TRUE(has(result.err, "error: unknown option '--outputt'; did you mean --output?")) << result.err;
    EXPECT_TRUE(has(result.err, "error: unknown option '-c:v'; use --vcodec")) << result.err;
}

TEST_F(Cli, ValuesOutOfBoundsAreRefused) {
    const Result buffers = weft({"render", "a.mp4", "--buffers", "99", "-o", "x.mp4"});
    EXPECT_EQ(buffers.status, 2);
    EXPECT_TRUE(has(buffers.err, "--buffers") && has(buffers.err, "99") && has(buffers.err, "64"))
        << buffers.err;
    const Result upload = weft({"render", "a.mp4", "--upload", "pined", "-o", "x.mp4"});
    EXPECT_EQ(upload.status, 2);
    EXPECT_TRUE(has(upload.err, "'pined'") && has(upload.err, "did you mean pinned?")) << upload.err;
}

TEST_F(Cli, RenderNeedsInputAndOutput) {
    const Result nothing = weft({"render"});
    EXPECT_EQ(nothing.status, 2);
    EXPECT_TRUE(has(nothing.err, "error: no input")) << nothing.err;
    const Result no_output = weft({"render", "a.mp4"});
    EXPECT_EQ(no_output.status, 2);
    EXPECT_TRUE(has(no_output.err, "error: no output")) << no_output.err;
}

TEST_F(Cli, WordsTooManyAreRefused) {
    const Result result = weft({"filters", "eq", "hue"});
    EXPECT_EQ(result.status, 2);
    EXPECT_TRUE(has(result.err, "'hue'")) << result.err;
}

TEST_F(Cli, FiltersAreListedAndDocumented) {
    const Result list = weft({"filters"});
    EXPECT_EQ(list.status, 0);
    EXPECT_TRUE(has(list.out, "\n  gblur ")) << list.out;
    EXPECT_FALSE(has(list.out, "wipeleft"));
    const Result one = weft({"filters", "eq"});
    EXPECT_EQ(one.status, 0);
    // FFmpeg's own documentation of eq: contrast -1000..1000, default 1; saturation 0..3.
    EXPECT_TRUE(has(one.out, "contrast") && has(one.out, "-1000..1000")) << one.out;
    EXPECT_TRUE(has(one.out, "saturation") && has(one.out, "0..3")) << one.out;
    EXPECT_TRUE(has(one.out, "--filter eq=contrast=")) << one.out;
}

TEST_F(Cli, TransitionsAreListedByName) {
    const Result names = weft({"transitions", "--names"});
    EXPECT_EQ(names.status, 0);
    EXPECT_TRUE(has("\n" + names.out, "\nwipeleft\n")) << names.out;
    EXPECT_FALSE(has("\n" + names.out, "\neq\n"));
}

TEST_F(Cli, CatalogueAsJson) {
    const auto filters = nlohmann::json::parse(weft({"filters", "--json"}).out);
    const auto names = weft({"filters", "--names"}).out;
    EXPECT_EQ(static_cast<long>(filters.size()), std::count(names.begin(), names.end(), '\n'));
    const auto eq = nlohmann::json::parse(weft({"filters", "eq", "--json"}).out);
    EXPECT_EQ(eq.at("name"), "eq");
    const auto& contrast = eq.at("params").at(0);
    EXPECT_EQ(contrast.at("name"), "contrast");
    EXPECT_EQ(contrast.at("type"), "float");
    EXPECT_EQ(contrast.at("default"), 1.0);
    EXPECT_EQ(contrast.at("max"), 1000.0);
}

TEST_F(Cli, CatalogueTellsHowAFilterReadsAndMixes) {
    std::filesystem::create_directories(at("mine/picture"));
    write_file(at("mine/picture/smear.yaml"),
               "filter: smear\nsummary: Mean of three pictures.\nhelp: Slow motion.\n"
               "reads: pixel\nspace: any\nframes: [-1, 0, 1]\n");
    write_file(at("mine/picture/smear.cl"),
               "float apply(float before, float now, float behind, At at, Params p) {\n"
               "    return (before + now + behind) / 3.0f;\n}\n");
    const Result text = weft({"filters", "smear", "--filters", "mine"});
    EXPECT_EQ(text.status, 0) << text.err;
    EXPECT_TRUE(has(text.out, "reads the pictures -1, 0, 1 of the clip")) << text.out;
    EXPECT_TRUE(has(text.out, "Slow motion.")) << text.out;
    const auto smear = nlohmann::json::parse(weft({"filters", "smear", "--filters", "mine", "--json"}).out);
    EXPECT_EQ(smear.at("frames"), (std::vector<int>{-1, 0, 1}));
    EXPECT_EQ(smear.at("mixes"), false);
    EXPECT_EQ(nlohmann::json::parse(weft({"transitions", "fade", "--json"}).out).at("mixes"), true);
    EXPECT_TRUE(has(weft({"transitions", "fade"}).out, "mixes its two pictures"));
    EXPECT_EQ(nlohmann::json::parse(weft({"filters", "vignette", "--json"}).out).at("scales"), true);
    EXPECT_EQ(nlohmann::json::parse(weft({"filters", "hflip", "--json"}).out).at("geometry"), true);
}

TEST_F(Cli, UnknownFilterIsRefusedWithAHint) {
    const Result typo = weft({"filters", "gblurr"});
    EXPECT_EQ(typo.status, 2);
    EXPECT_TRUE(has(typo.err, "did you mean gblur?")) << typo.err;
    const Result kind = weft({"filters", "wipeleft"});
    EXPECT_EQ(kind.status, 2);
    EXPECT_TRUE(has(kind.err, "weft transitions wipeleft")) << kind.err;
}

TEST_F(Cli, AFilterDroppedIntoAFolderIsFound) {
    std::filesystem::create_directories(at("mine/picture"));
    write_file(at("mine/picture/half.yaml"),
               "filter: half\nsummary: Halve everything.\nreads: pixel\nspace: any\n"
               "light: any\nparams:\n  k: {type: float, default: 0.5, range: [0, 1]}\n");
    write_file(at("mine/picture/half.cl"), "float apply(float v, At at, Params p) { return v * p.k; }\n");
    const Result result = weft({"filters", "half", "--filters", "mine"});
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_TRUE(has(result.out, "half: Halve everything.")) << result.out;
    EXPECT_TRUE(has(result.out, "0..1")) << result.out;
    const Result missing = weft({"filters", "--filters", "not-there"});
    EXPECT_EQ(missing.status, 2);
    EXPECT_TRUE(has(missing.err, "'not-there'")) << missing.err;
}

TEST_F(Cli, AssetsFolderThatIsNotThereIsNamed) {
    const Result result = weft({"filters", "--assets", "/nowhere"});
    EXPECT_EQ(result.status, 2);
    EXPECT_TRUE(has(result.err, "/nowhere")) << result.err;
}

TEST_F(Cli, AFullDiskUnderStandardOutputIsAFailure) {
    const Result result = Child(words({"filters"}), folder_, "/dev/full").wait();
    EXPECT_EQ(result.status, 2);
    EXPECT_TRUE(has(result.err, "No space left")) << result.err;
}

TEST_F(Cli, BashCompletionIsValidShellAndKnowsOptions) {
    const Result script = weft({"--completion", "bash"});
    ASSERT_EQ(script.status, 0);
    write_file(at("weft.bash"), script.out + "\nCOMP_WORDS=(weft render --trans); COMP_CWORD=2; _weft; "
                                             "echo \"${COMPREPLY[*]}\"\n");
    const Result bash = Child({"bash", "weft.bash"}, folder_).wait();
    EXPECT_EQ(bash.status, 0) << bash.err;
    EXPECT_EQ(bash.out, "--transition\n");
    EXPECT_EQ(weft({"--completion", "tcsh"}).status, 2);
}

TEST_F(Cli, ManualHasASectionForEveryCommand) {
    const Result page = weft({"--man"});
    EXPECT_EQ(page.status, 0);
    EXPECT_EQ(page.out.rfind(".TH WEFT 1", 0), 0u);
    for (std::string command : commands) {
        for (char& c : command)
            c = static_cast<char>(std::toupper(c));
        EXPECT_TRUE(has(page.out, ".SH \"WEFT " + command + "\"")) << command;
    }
}
