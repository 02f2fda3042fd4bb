#include "bench/tune.hpp"

#include <set>

#include <gtest/gtest.h>

#include "bench/content.hpp"
#include "bench/filter_cases.hpp"
#include "bench/tune_text.hpp"
#include "support/device.hpp"
#include "support/filters.hpp"

namespace weft::bench {
namespace {

// The median of the rounds' ratios, and three rounds of four.
TEST(Gain, is_what_most_rounds_save) {
    EXPECT_DOUBLE_EQ(saved({10, 20, 10}, {9, 16, 9}), 0.1);
    EXPECT_DOUBLE_EQ(gain_of({10, 10, 10, 10}, {9, 9, 9, 9}), 0.1);
    EXPECT_DOUBLE_EQ(gain_of({10, 10, 10, 10}, {9, 9, 9, 30}), 0.1);
    EXPECT_DOUBLE_EQ(gain_of({10, 10, 10, 10}, {5, 5, 11, 11}), 0); // half of the rounds only
    EXPECT_DOUBLE_EQ(gain_of({100, 100, 100}, {98, 98, 98}), 0);    // less than is told apart
    EXPECT_DOUBLE_EQ(gain_of({10, 10}, {12, 12}), 0);
}

graph::PlannerOptions planner() {
    graph::PlannerOptions options;
    options.prelude = graph::load_prelude(std::string(WEFT_SOURCE_DIR) + "/kernels");
    return options;
}

class Tune : public testing::Test {
  protected:
    gpu::Programs programs_{test::device()};
    Rig rig_{test::device(), programs_, planner()};
    FilterCase case_ = chain_case(test::built_in_filters(), "negate", {.size = {96, 64}, .cube = ""});
    const TuneOptions quick_{.rounds = 1, .ms = 1, .quick = true};
    std::vector<ShapeFinding> told_;

    void tune(
        graph::Tuned& tuned, const Stopped& stopped = [] { return false; }) {
        tune_scene(rig_, case_.scene, case_.title, quick_, stopped, tuned,
                   [&](const ShapeFinding& finding) { told_.push_back(finding); });
    }
};

TEST_F(Tune, measures_each_kind_of_work_of_a_scene_once) {
    graph::Tuned tuned;
    tune(tuned);
    const graph::ShapeKey key{graph::Work::point, graph::Extent::tile, graph::Samples::bytes};
    ASSERT_EQ(told_.size(), 1u);
    EXPECT_EQ(told_[0].key, key);
    ASSERT_GT(told_[0].variants.size(), 1u);
    EXPECT_EQ(told_[0].variants[0].shape, graph::Shape{});
    for (const ShapeVariant& variant : told_[0].variants) {
        EXPECT_EQ(variant.refusal, "") << name(variant.shape);
        EXPECT_GT(variant.ms.median, 0) << name(variant.shape);
    }
    ASSERT_TRUE(tuned.shapes.contains(key));
    EXPECT_EQ(tuned.shapes[key], told_[0].chosen);
    tune(tuned);
    EXPECT_EQ(told_.size(), 1u);
}

TEST_F(Tune, leaves_out_what_was_stopped) {
    graph::Tuned tuned;
    int asked = 0;
    tune(tuned, [&] { return ++asked > 3; });
    EXPECT_TRUE(told_.empty());
    EXPECT_TRUE(tuned.empty());
}

TEST(TuneCases, have_every_kind_of_work_that_is_told_apart) {
    gpu::Programs programs(test::device());
    std::set<graph::Work> met;
    for (const FilterCase& one : tune_cases(test::built_in_filters(), {})) {
        const graph::Plan plan = graph::make_plan(one.scene, test::device().traits(), planner());
        for (const graph::ShapeUse& use : plan.shapes)
            met.insert(use.key.work);
    }
    using graph::Work;
    for (const Work work : {Work::point, Work::pixels, Work::window3, Work::window7, Work::separable,
                            Work::scale, Work::mix, Work::layers})
        EXPECT_TRUE(met.contains(work)) << name(work);
}

// A refusal is told, and not measured.
TEST(TuneText, tells_what_was_chosen_and_what_refused) {
    ShapeFinding finding;
    finding.scene = "a scene";
    finding.variants = {
        {{}, {2, 1, 3}, 0, ""}, {{.band = 8}, {1, 1, 1}, 0.5, ""}, {{.band = 9}, {}, 0, "why"}};
    EXPECT_NE(tune_text(finding).find("-> by rule"), std::string::npos);
    finding.chosen = {{.band = 8}, 2, 1};
    finding.gain = 0.5;
    const std::string text = tune_text(finding);
    EXPECT_NE(text.find("-> band 8: 50.0 % less time"), std::string::npos) << text;
    EXPECT_NE(text.find("refused: why"), std::string::npos) << text;
}

} // namespace
} // namespace weft::bench
