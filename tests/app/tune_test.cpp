// weft tune as a user runs it, with a cache of its own.
#include <csignal>
#include <cstdlib>
#include <optional>
#include <set>

#include <nlohmann/json.hpp>

#include "app/cli.hpp"

using namespace weft::test;

namespace {

const std::vector<std::string> quick{"--size", "96x64", "--quick", "--rounds", "1", "--ms", "1"};

class TuneCli : public Cli {
  protected:
    TuneCli() {
        if (const char* set = std::getenv("XDG_CACHE_HOME")) before_ = set;
        // PoCL's cache of built programs stays where it is: only weft looks into this one.
        if (std::getenv("POCL_CACHE_DIR") == nullptr) {
            const char* home = std::getenv("HOME");
            const std::string cache = before_ ? *before_ : std::string(home ? home : "/tmp") + "/.cache";
            setenv("POCL_CACHE_DIR", (cache + "/pocl/kcache").c_str(), 1);
            pocl_set_ = true;
        }
        setenv("XDG_CACHE_HOME", at("cache").c_str(), 1);
    }
    ~TuneCli() override {
        if (before_)
            setenv("XDG_CACHE_HOME", before_->c_str(), 1);
        else
            unsetenv("XDG_CACHE_HOME");
        if (pocl_set_) unsetenv("POCL_CACHE_DIR");
    }
    Result tune(std::vector<std::string> words) {
        words.insert(words.begin(), "tune");
        words.insert(words.end(), quick.begin(), quick.end());
        return weft(words);
    }
    // The one table.
    std::filesystem::path table() const {
        std::filesystem::path found;
        for (const auto& entry : std::filesystem::directory_iterator(at("cache/weft/tune")))
            found = entry.path();
        return found;
    }

  private:
    std::optional<std::string> before_;
    bool pocl_set_ = false;
};

} // namespace

TEST_F(TuneCli, MeasuresShowsAndClears) {
    const Result none = weft({"tune", "--show"});
    EXPECT_EQ(none.status, 0) << none.err;
    EXPECT_TRUE(has(none.out, "not tuned")) << none.out;
    const Result devices = weft({"devices"});
    EXPECT_TRUE(has(devices.out, "tuned: no, everything goes by rule")) << devices.out;

    const Result result = tune({"--only", "eq=", "--json"});
    ASSERT_EQ(result.status, 0) << result.err;
    const auto report = nlohmann::json::parse(result.out);
    ASSERT_EQ(report["shapes"].size(), 1u);
    const auto& found = report["shapes"][0];
    EXPECT_EQ(found["work"], "point");
    EXPECT_EQ(found["extent"], "tile");
    EXPECT_EQ(found["samples"], "bytes");
    EXPECT_EQ(found["variants"][0]["shape"], "by rule");
    EXPECT_GT(found["variants"].size(), 1u);
    EXPECT_EQ(report["file"], table().string());

    const Result shown = weft({"tune", "--show"});
    EXPECT_EQ(shown.status, 0) << shown.err;
    EXPECT_TRUE(has(shown.out, "point, tile, bytes") && has(shown.out, table().string())) << shown.out;
    EXPECT_TRUE(has(weft({"devices"}).out, "tuned: 1 kind of work"));
    const Result cleared = weft({"tune", "--clear"});
    EXPECT_EQ(cleared.status, 0) << cleared.err;
    EXPECT_TRUE(has(cleared.out, "removed ")) << cleared.out;
    EXPECT_TRUE(has(weft({"tune", "--show"}).out, "not tuned"));
}

// A table that says something else than the rule is used, says so, and changes no byte.
TEST_F(TuneCli, RunsUseTheTableAndGiveTheSamePictures) {
    make_clip("a.mkv", "testsrc2=s=96x64:d=0.4:r=25");
    const std::vector<std::string> render{"render", "a.mkv", "--filter",   "negate",
                                          "-o",     "hash:", "--progress", "none"};
    const Result before = weft(render);
    ASSERT_EQ(before.status, 0) << before.err;
    const std::vector<std::string> explain{"check", "a.mkv", "--filter", "negate", "--explain"};
    EXPECT_TRUE(has(weft(explain).out, "shape of point, tile, bytes: by rule\n"));

    ASSERT_EQ(tune({"a.mkv", "--filter", "negate", "--only", "scene"}).status, 0);
    std::string text = read_file(table());
    ASSERT_TRUE(has(text, "{work: point, extent: tile, samples: bytes")) << text;
    const size_t from = text.find("shapes:");
    write_file(table(), text.substr(0, from) + "slots: 3\nshapes:\n  - {work: point, extent: tile, samples: "
                                               "bytes, band: 5, lanes: 8, across: 4, group: 32}\n");
    const std::string tuned = "shape of point, tile, bytes: band 5, lanes 8, across 4, group 32 (tuned)\n";
    const Result explained = weft(explain);
    EXPECT_TRUE(has(explained.out, tuned)) << explained.out << explained.err;
    const Result after = weft(render);
    EXPECT_EQ(after.status, 0) << after.err;
    EXPECT_EQ(after.out, before.out);
    std::vector<std::string> ignoring = explain;
    ignoring.push_back("--no-tune");
    EXPECT_FALSE(has(weft(ignoring).out, "(tuned)"));

    write_file(table(), "tuned: [");
    const Result broken = weft(render);
    EXPECT_EQ(broken.status, 0);
    EXPECT_EQ(broken.out, before.out);
    EXPECT_TRUE(has(broken.err, table().filename().string()) && has(broken.err, "by rule")) << broken.err;
    EXPECT_EQ(broken.err.find("by rule"), broken.err.rfind("by rule")) << broken.err;
}

TEST_F(TuneCli, MeasuresUploadPathsAndSlots) {
    const Result result = tune({"--only", "upload", "--json"});
    ASSERT_EQ(result.status, 0) << result.err;
    const auto flow = nlohmann::json::parse(result.out)["flow"];
    EXPECT_EQ(flow["variants"][0]["slots"], 2);
    std::set<std::pair<std::string, int>> tried;
    for (const auto& variant : flow["variants"]) {
        EXPECT_FALSE(variant.contains("refusal")) << variant;
        EXPECT_TRUE(tried.emplace(variant["upload"].get<std::string>(), variant["slots"].get<int>()).second)
            << variant;
    }
    EXPECT_GE(tried.size(), 5u); // three numbers of slots, two more paths at least
}

TEST_F(TuneCli, RefusesWhatItCannotDo) {
    const Result both = weft({"tune", "--show", "--clear"});
    EXPECT_EQ(both.status, 2);
    EXPECT_TRUE(has(both.err, "--show") && has(both.err, "--clear")) << both.err;
    const Result missing = weft({"tune", "missing.mp4"});
    EXPECT_EQ(missing.status, 2);
    EXPECT_TRUE(has(missing.err, "missing.mp4")) << missing.err;
    const Result size = weft({"tune", "--size", "12"});
    EXPECT_EQ(size.status, 2);
    EXPECT_TRUE(has(size.err, "--size '12'")) << size.err;
    EXPECT_FALSE(std::filesystem::exists(at("cache/weft/tune")));
}

// What is complete when Ctrl-C comes is kept.
TEST_F(TuneCli, KeepsWhatIsCompleteWhenInterrupted) {
    std::vector<std::string> arguments{"tune", "--size", "96x64", "--rounds", "9", "--ms", "60"};
    Child child(words(arguments), folder_);
    for (int i = 0; i < 600 && !std::filesystem::exists(at("cache/weft/tune")); ++i)
        usleep(100000);
    kill(child.pid(), SIGINT);
    const Result result = child.wait();
    EXPECT_EQ(result.status, 130) << result.err;
    EXPECT_TRUE(has(weft({"tune", "--show"}).out, "point, tile, bytes"));
}
