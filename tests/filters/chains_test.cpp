// What the design promises of any chain: fused = unfused, and on 4:4:4 planes = RGB.
#include <random>

#include <gtest/gtest.h>

#include "support/compare.hpp"
#include "support/plan_rig.hpp"
#include "support/reference_filters.hpp"

namespace weft::test {
namespace {

constexpr double one_code = 1.0001;

// Gains around one, so that no rounding between stages is magnified.
graph::FilterUse mild_filter(std::mt19937& random) {
    const std::vector<std::pair<const char*, Args>> pool{
        {"eq", {{"contrast", "1.1"}, {"brightness", "0.02"}, {"saturation", "0.9"}}},
        {"eq", {{"gamma", "1.2"}}},
        {"vignette", {{"angle", "0.5"}}},
        {"convolution", {{"matrix", "1 2 1 2 4 2 1 2 1"}}},
        {"gblur", {{"sigma", "1.2"}}},
        {"unsharp", {{"la", "0.5"}}},
        {"hflip", {}},
        {"vflip", {}},
        {"fade", {{"nb_frames", "10"}}},
        {"negate", {}}};
    const auto& [name, args] = pool[random() % pool.size()];
    return picture_filter(name, args);
}

std::vector<graph::FilterUse> random_chain(uint32_t seed) {
    std::mt19937 random(seed);
    std::vector<graph::FilterUse> out;
    for (size_t n = 2 + random() % 3; n > 0; --n)
        out.push_back(mild_filter(random));
    return out;
}

std::string words(const std::vector<graph::FilterUse>& chain) {
    std::string out;
    for (const graph::FilterUse& use : chain)
        out += describe(use) + "; ";
    return out;
}

// Codes in the middle, so that nothing is clipped between and at the end.
Picture calm(const Layout& layout, uint32_t seed) {
    Picture out = noise(layout, 98, 54, seed);
    for (Plane& plane : out.planes)
        for (double& v : plane.values)
            v = std::round(90 + v * 70) / 255;
    return out;
}

const Moment moment{.t = 0.32, .n = 8};

class Chains : public testing::TestWithParam<uint32_t> {};

TEST_P(Chains, fused_as_defined_and_as_unfused) {
    const auto chain = random_chain(GetParam());
    SCOPED_TRACE(words(chain));
    const Picture in = calm(yuv444(), GetParam());
    Picture exact = in;
    for (const graph::FilterUse& use : chain)
        exact = reference(use, exact, moment);
    EXPECT_PICTURES_NEAR(exact.rounded(), run_chain(chain, in, moment, {.fuse = true}), one_code);
    EXPECT_PICTURES_NEAR(exact.rounded(), run_chain(chain, in, moment, {.fuse = false}), one_code);
}

TEST_P(Chains, the_same_on_planes_and_through_rgb) {
    const auto chain = random_chain(GetParam() + 100);
    SCOPED_TRACE(words(chain));
    const Picture in = calm(yuv444(), GetParam());
    EXPECT_PICTURES_NEAR(run_chain(chain, in, moment, {.planes = true}),
                         run_chain(chain, in, moment, {.planes = false}), one_code);
}

TEST_P(Chains, fused_and_unfused_on_subsampled_planes) {
    const auto chain = random_chain(GetParam() + 200);
    SCOPED_TRACE(words(chain));
    const Picture in = calm(yuv420(), GetParam());
    EXPECT_PICTURES_NEAR(run_chain(chain, in, moment, {.fuse = true}),
                         run_chain(chain, in, moment, {.fuse = false}), one_code);
}

// An affine step before a window may as well follow it, whatever the window's sum and bias are.
TEST(Orders, affine_steps_pass_windows) {
    const Args tone{{"contrast", "1.3"}, {"brightness", "0.04"}, {"saturation", "0.7"}};
    for (const Args& window : {Args{{"matrix", "0 -1 0 -1 5 -1 0 -1 0"}},
                               Args{{"matrix", "1 1 1 1 2 1 1 1 1"}, {"rdiv", "0.07"}, {"bias", "20"}},
                               Args{{"matrix", "-1 0 1 -2 0 2 -1 0 1"}, {"bias", "128"}, {"rdiv", "0.5"}},
                               Args{{"row", "1 4 6 4 1"}, {"bias", "-9"}}}) {
        const std::vector<graph::FilterUse> chain{picture_filter("eq", tone),
                                                  picture_filter("convolution", window),
                                                  picture_filter("eq", {{"contrast", "0.8"}})};
        SCOPED_TRACE(words(chain));
        const Picture in = smooth(yuv420(), 98, 54);
        Picture exact = in;
        for (const graph::FilterUse& use : chain)
            exact = reference(use, exact, moment);
        for (const bool fuse : {true, false})
            EXPECT_PICTURES_NEAR(exact.rounded(), run_chain(chain, in, moment, {.fuse = fuse}), one_code);
    }
}

// Light that falls off is the same before and after the way back from RGB.
TEST(Orders, what_only_scales_passes_the_last_matrix) {
    const std::vector<graph::FilterUse> chain{
        picture_filter("colorchannelmixer", {{"rr", "0.8"}, {"rg", "0.1"}, {"bb", "0.7"}, {"bg", "0.2"}}),
        picture_filter("vignette", {{"angle", "PI/4"}})};
    for (const Layout& layout : {yuv444(), yuv420()}) {
        SCOPED_TRACE(layout.ffmpeg_name());
        const Picture in = calm(layout, 5);
        EXPECT_PICTURES_NEAR(run_chain(chain, in, moment, {.fuse = true}),
                             run_chain(chain, in, moment, {.fuse = false}), one_code);
    }
}

INSTANTIATE_TEST_SUITE_P(Random, Chains, testing::Range(0u, 6u));

} // namespace
} // namespace weft::test
