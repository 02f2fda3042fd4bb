// weft bench as a user runs it.
#include <nlohmann/json.hpp>

#include "app/cli.hpp"

using namespace weft::test;

namespace {

const std::vector<std::string> quick{"--size", "96x64", "--rounds", "1", "--ms", "1"};

std::vector<std::string> bench(std::vector<std::string> words) {
    words.insert(words.begin(), "bench");
    words.insert(words.end(), quick.begin(), quick.end());
    return words;
}

} // namespace

TEST_F(Cli, BenchMeasuresAFilterThatWasDroppedIn) {
    std::filesystem::create_directories(at("mine/picture"));
    write_file(at("mine/picture/half.yaml"),
               "filter: half\nsummary: Halve everything.\nreads: pixel\nspace: any\n"
               "light: any\nparams:\n  k: {type: float, default: 1, range: [0, 1]}\n"
               "neutral: {k: 1}\nexamples: [\"k=0.5\", \"k=0.25\"]\n");
    write_file(at("mine/picture/half.cl"), "float apply(float v, At at, Params p) { return v * p.k; }\n");
    const Result result = weft(bench({"--filters", "mine", "--only", "half=", "--check", "--json"}));
    ASSERT_EQ(result.status, 0) << result.err;
    const auto rows = nlohmann::json::parse(result.out)["tables"][0]["rows"];
    ASSERT_EQ(rows.size(), 2u);
    EXPECT_EQ(rows[0]["title"], "half=k=0.5");
    EXPECT_EQ(rows[1]["filter"], "half=k=0.25");
    EXPECT_EQ(rows[0]["check"]["good"], true);
    EXPECT_EQ(rows[0]["bytes"], 2 * 96 * 64 * 3 / 2);
}

// Rows that need a file get one.
TEST_F(Cli, BenchMeasuresTablesAndLumaPictures) {
    const Result result = weft(bench({"--only", "lut3d", "--only", "luma=", "--json"}));
    EXPECT_EQ(result.status, 0) << result.out;
    const auto rows = nlohmann::json::parse(result.out)["tables"][0]["rows"];
    ASSERT_EQ(rows.size(), 2u) << result.out;
    for (const auto& row : rows)
        EXPECT_GT(row["ms"]["median"].get<double>(), 0) << row;
}

TEST_F(Cli, BenchMeasuresAChainInEverySizeAsked) {
    const Result result = weft(bench({"--filter", "eq=contrast=1.2,hflip", "--size", "128x64", "--ffmpeg"}));
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_TRUE(has(result.out, ", 128x64 yuv420p\n")) << result.out;
    EXPECT_TRUE(has(result.out, ", 96x64 yuv420p\n")) << result.out;
    EXPECT_TRUE(has(result.out, "\neq=contrast=1.2,hflip ")) << result.out;
}

TEST_F(Cli, BenchRefusesWhatItDoesNotKnow) {
    const Result what = weft({"bench", "filtres"});
    EXPECT_EQ(what.status, 2);
    EXPECT_TRUE(has(what.err, "'filtres'") && has(what.err, "did you mean filters?")) << what.err;
    const Result row = weft({"bench", "--only", "no such row"});
    EXPECT_EQ(row.status, 2);
    EXPECT_TRUE(has(row.err, "'no such row'")) << row.err;
    const Result size = weft({"bench", "--size", "12"});
    EXPECT_EQ(size.status, 2);
    EXPECT_TRUE(has(size.err, "--size '12'")) << size.err;
    const Result format = weft({"bench", "--format", "yuv421p"});
    EXPECT_EQ(format.status, 2);
    EXPECT_TRUE(has(format.err, "yuv421p")) << format.err;
    EXPECT_EQ(row.out + size.out + format.out, "");
}

TEST_F(Cli, BenchLaddersArePrintedAndVerified) {
    const Result table = weft(bench({"convolution", "--filter-size", "5x3"}));
    EXPECT_EQ(table.status, 0) << table.err;
    EXPECT_TRUE(has(table.out, "convolution of 96x64 floats with a filter of 5x3")) << table.out;
    EXPECT_TRUE(has(table.out, "\nnaive ") && has(table.out, "\nplain C++ ")) << table.out;
    EXPECT_FALSE(has(table.out, "WRONG")) << table.out;
    const Result none = weft(bench({"transpose", "--only", "no such rung"}));
    EXPECT_EQ(none.status, 2);
    EXPECT_TRUE(has(none.err, "'no such rung'")) << none.err;
    const Result json = weft(bench({"reduce", "--json"}));
    EXPECT_EQ(json.status, 0) << json.err;
    const auto tables = nlohmann::json::parse(json.out)["tables"];
    ASSERT_EQ(tables.size(), 2u); // bytes, floats
    EXPECT_EQ(tables[0]["width"], 96);
    EXPECT_EQ(tables[0]["rungs"].back()["name"], "histogram");
}

TEST_F(Cli, BenchLaddersRefuseWhatIsNotTheirs) {
    const Result result = weft(bench({"convolution", "--filter-size", "40x40"}));
    EXPECT_EQ(result.status, 2);
    EXPECT_TRUE(has(result.err, "--filter-size '40x40': expected WxH, each side 1..32")) << result.err;
    const Result other = weft({"bench", "reduce", "--filter-size", "3x3", "--check"});
    EXPECT_EQ(other.status, 2);
    EXPECT_TRUE(has(other.err, "error: --filter-size is for weft bench convolution, not for reduce\n"))
        << other.err;
    EXPECT_TRUE(has(other.err, "error: --check is for weft bench filters, not for reduce\n")) << other.err;
    const Result what = weft({"bench", "transpoze"});
    EXPECT_EQ(what.status, 2);
    EXPECT_TRUE(has(what.err, "did you mean transpose?")) << what.err;
}
