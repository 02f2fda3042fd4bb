// Every rung of every ladder is right on the device at hand, with sizes and filters that fit no group.
#include <algorithm>
#include <set>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "bench/convolution.hpp"
#include "bench/planes.hpp"
#include "support/device_as_gpu.hpp"

namespace weft::bench {
namespace {

constexpr Timing quick{1, 0.1};

// A device, and the texts built for it.
struct Place {
    gpu::Device& device;
    gpu::Programs programs{device};
    BenchKernels kernels{programs, std::string(WEFT_SOURCE_DIR) + "/kernels/bench"};
};
Place& here() {
    static Place place{test::device()};
    return place;
}
Place& as_gpu() {
    static Place place{test::device_as_gpu()};
    return place;
}
void nobody(const Ladder&, const Rung*) {}

void expect_all_good(const Ladder& ladder) {
    for (const Rung& rung : ladder.rungs) {
        EXPECT_TRUE(rung.ran()) << rung.name << ": " << rung.refusal;
        EXPECT_LE(rung.worst, rung.tolerance) << rung.name << ", " << rung.about;
        EXPECT_GT(rung.ms.median, 0) << rung.name;
    }
    EXPECT_TRUE(ladder.good());
}

std::set<std::string> names(const Ladder& ladder) {
    std::set<std::string> out;
    for (const Rung& rung : ladder.rungs)
        out.insert(rung.name);
    return out;
}

Ladder convolution(int width, int height, int filter_width, int filter_height, bool dense,
                   Place& place = here(), const std::vector<std::string>& only = {}) {
    return convolution_ladder(place.device, place.kernels,
                              {width, height, filter_width, filter_height, dense, only, quick}, nobody);
}

TEST(ConvolutionLadder, every_rung_is_right) {
    const Ladder ladder = convolution(130, 70, 16, 16, false);
    expect_all_good(ladder);
    const auto found = names(ladder);
    for (const char* name : {"naive", "local tile", "image object", "literals", "register block",
                             "separable, two passes", "separable, one pass", "plain C++"})
        EXPECT_TRUE(found.contains(name)) << name;
    EXPECT_GT(ladder.peak.copy_gb_per_s, 0);
    EXPECT_GT(ladder.peak.gflop_per_s, 0);
}

TEST(ConvolutionLadder, filters_of_odd_sizes) {
    expect_all_good(convolution(64, 64, 7, 5, false));
    expect_all_good(convolution(64, 64, 1, 3, false));
}

// Small filters: PoCL takes its time to compile texts that are unrolled for a GPU.
TEST(ConvolutionLadder, every_rung_of_a_gpu_is_right) {
    const Ladder ladder = convolution(140, 70, 5, 4, false, as_gpu());
    expect_all_good(ladder);
    const auto found = names(ladder);
    for (const char* name : {"register block", "register window", "separable, one pass"})
        EXPECT_TRUE(found.contains(name)) << name;
}

TEST(ConvolutionLadder, a_dense_filter_has_no_separable_rung) {
    const Ladder ladder = convolution(64, 64, 3, 3, true);
    expect_all_good(ladder);
    EXPECT_FALSE(names(ladder).contains("separable, one pass"));
}

// 2 operations for each weight and result; every byte of source and result once.
TEST(ConvolutionLadder, counts_operations_and_bytes) {
    const Ladder ladder = convolution(64, 64, 4, 2, false);
    EXPECT_EQ(ladder.rungs.front().operations, 2.0 * 64 * 64 * 8);
    EXPECT_EQ(ladder.rungs.front().bytes, 4.0 * (67 * 65 + 64 * 64));
    const auto json = nlohmann::json::parse(to_json({ladder}));
    EXPECT_EQ(json["bench"], "convolution");
    const auto& naive = json["tables"][0]["rungs"][0];
    EXPECT_EQ(naive["name"], "naive");
    EXPECT_EQ(naive["speedup"], 1.0);
    EXPECT_DOUBLE_EQ(naive["gflop_per_s"].get<double>(),
                     2.0 * 64 * 64 * 8 / naive["ms"]["median"].get<double>() / 1e6);
    EXPECT_EQ(naive["good"], true);
}

TEST(ConvolutionLadder, only_what_is_asked_for) {
    const Ladder ladder = convolution(64, 64, 3, 3, false, here(), {"block", "plain"});
    EXPECT_EQ(names(ladder), (std::set<std::string>{"register block", "plain C++"}));
}

TEST(TransposeLadder, every_rung_is_right) {
    for (Place* place : {&here(), &as_gpu()})
        for (const bool floats : {false, true})
            expect_all_good(
                transpose_ladder(place->device, place->kernels, {200, 75, floats, {}, quick}, nobody));
}

TEST(ReduceLadder, every_rung_is_right) {
    for (Place* place : {&here(), &as_gpu()})
        for (const bool floats : {false, true})
            expect_all_good(
                reduce_ladder(place->device, place->kernels, {333, 77, floats, {}, quick}, nobody));
}

TEST(Ladder, a_wrong_rung_is_not_good) {
    Ladder ladder;
    ladder.rungs.resize(1);
    ladder.rungs[0].tolerance = 1;
    ladder.rungs[0].worst = 2;
    EXPECT_FALSE(ladder.good());
    EXPECT_NE(ladder_line(ladder, ladder.rungs[0]).find("WRONG"), std::string::npos);
    ladder.rungs[0].refusal = "no image objects";
    EXPECT_TRUE(ladder.good());
    EXPECT_NE(ladder_line(ladder, ladder.rungs[0]).find("not run: no image objects"), std::string::npos);
}

} // namespace
} // namespace weft::bench
