// The transitions' texts against their definitions, and what every transition must do at its ends.
#include <cmath>

#include <gtest/gtest.h>

#include "graph/filter_manifest.hpp"
#include "support/compare.hpp"
#include "support/mini_kernel.hpp"
#include "support/reference_filters.hpp"

namespace weft::test {
namespace {

constexpr double float_error = 2e-3; // codes; see texts_test.cpp

const std::vector<double> moments{0, 0.04, 0.25, 0.375, 0.5, 0.77, 0.96, 1};

// Slides need pictures that are displaced already; the text only chooses.
bool displaced(const graph::FilterManifest& manifest) {
    return manifest.offset_a || manifest.offset_b;
}

Plane mask_for(const Picture& picture) {
    Plane mask(picture.width(), picture.height());
    for (int y = 0; y < mask.height; ++y)
        for (int x = 0; x < mask.width; ++x)
            mask(x, y) = (x * 3 + y * 5) % 256 / 255.0;
    return mask;
}

std::vector<graph::FilterUse> all_transitions(const Args& args = {}) {
    std::vector<graph::FilterUse> out;
    for (const auto& manifest : built_in_filters().all()) {
        if (manifest->kind != graph::FilterKind::transition) continue;
        Args known;
        for (const auto& arg : args)
            if (manifest->param(arg.first)) known.push_back(arg);
        if (manifest->param("file")) known.emplace_back("file", "mask.png"); // the mask comes with the test
        out.push_back(transition(manifest->name, known));
    }
    return out;
}

void expect_as_defined(const graph::FilterUse& use, const Layout& layout) {
    const Picture a = noise(layout, 96, 54, 1), b = noise(layout, 96, 54, 2);
    for (const double progress : moments) {
        SCOPED_TRACE(describe(use) + " at " + std::to_string(progress));
        const Moment moment{.progress = progress};
        const Picture expected = reference(use, a, b, moment, mask_for(a));
        Difference d = compare(expected, run_text(use, a, b, moment, mask_for(a)), float_error);
        // At the threshold of a hard edge float and double may choose differently.
        EXPECT_LE(d.share(), 1e-4) << d.text();
    }
}

TEST(Transitions, hard_edges_as_defined) {
    for (const graph::FilterUse& use : all_transitions({{"softness", "0"}}))
        if (!displaced(*use.manifest)) expect_as_defined(use, yuv444());
}

TEST(Transitions, soft_edges_as_defined) {
    for (const graph::FilterUse& use : all_transitions({{"softness", "0.3"}}))
        if (!displaced(*use.manifest)) expect_as_defined(use, rgb());
}

TEST(Transitions, easing_as_defined) {
    for (const char* ease : {"cubic", "sine", "smooth"})
        for (const graph::FilterUse& use : all_transitions({{"softness", "0.2"}, {"ease", ease}}))
            if (!displaced(*use.manifest)) expect_as_defined(use, gray());
}

TEST(Transitions, begin_with_the_old_picture_and_end_with_the_new) {
    for (const char* softness : {"0", "0.1", "1"})
        for (const char* ease : {"linear", "cubic", "sine", "smooth"})
            for (const graph::FilterUse& use : all_transitions({{"softness", softness}, {"ease", ease}})) {
                SCOPED_TRACE(describe(use));
                const Picture a = noise(with_alpha(yuv444()), 33, 17, 1),
                              b = noise(with_alpha(yuv444()), 33, 17, 2);
                Plane mask = mask_for(a);
                mask(0, 0) = 0;
                mask(1, 0) = 1;
                // Only float's own rounding of the input is left: 1e-5 codes.
                EXPECT_PICTURES_NEAR(a, run_text(use, a, b, {.progress = 0}, mask), 2e-5);
                EXPECT_PICTURES_NEAR(b, run_text(use, a, b, {.progress = 1}, mask), 2e-5);
            }
}

TEST(Transitions, equal_pictures_stay_but_for_those_through_black_or_white) {
    for (const graph::FilterUse& use : all_transitions({{"softness", "0.4"}})) {
        if (use.manifest->name == "fadeblack" || use.manifest->name == "fadewhite") continue;
        SCOPED_TRACE(describe(use));
        const Picture a = ramp(yuv444(), 64, 9);
        for (const double progress : moments)
            EXPECT_PICTURES_NEAR(a, run_text(use, a, a, {.progress = progress}, mask_for(a)), 1e-4);
    }
}

TEST(Transitions, wipes_are_where_their_names_say) {
    // A quarter into it, the new picture has the quarter from where it comes.
    const Picture a(gray(), 100, 100, 0), b(gray(), 100, 100, 1);
    const auto at = [&](const char* name, int x, int y) {
        return run_text(transition(name), a, b, {.progress = 0.25}).planes[0](x, y);
    };
    EXPECT_EQ(at("wipeleft", 76, 50), 1);
    EXPECT_EQ(at("wipeleft", 73, 50), 0);
    EXPECT_EQ(at("wiperight", 23, 50), 1);
    EXPECT_EQ(at("wiperight", 26, 50), 0);
    EXPECT_EQ(at("wipeup", 50, 76), 1);
    EXPECT_EQ(at("wipeup", 50, 73), 0);
    EXPECT_EQ(at("wipedown", 50, 23), 1);
    EXPECT_EQ(at("wipedown", 50, 26), 0);
    // Circles: the radius is a quarter of half the diagonal, 17.7 samples.
    EXPECT_EQ(at("circleopen", 50, 50), 1);
    EXPECT_EQ(at("circleopen", 50, 69), 0);
    EXPECT_EQ(at("circleclose", 0, 0), 1);
    EXPECT_EQ(at("circleclose", 50, 50), 0);
}

TEST(Transitions, easing_is_exact_at_its_ends_and_in_the_middle) {
    for (int kind = 0; kind < 4; ++kind) {
        const std::string call = "wf_ease(x, " + std::to_string(kind) + ")";
        const std::vector<float> x{-1, 0, 0.25f, 0.5f, 0.75f, 1, 2};
        const std::vector<float> got = map_floats(call, x);
        EXPECT_EQ(got[0], 0);
        EXPECT_EQ(got[1], 0);
        EXPECT_NEAR(got[2], ease(0.25, kind), 1e-6);
        EXPECT_NEAR(got[3], 0.5, 1e-6);
        EXPECT_NEAR(got[4], ease(0.75, kind), 1e-6);
        EXPECT_EQ(got[5], 1);
        EXPECT_EQ(got[6], 1);
    }
}

TEST(Transitions, dissolve_is_even) {
    const Picture a(gray(), 400, 400, 0), b(gray(), 400, 400, 1);
    for (const double progress : {0.1, 0.5, 0.8}) {
        const Picture out = run_text(transition("dissolve"), a, b, {.progress = progress});
        double sum = 0;
        for (const double v : out.planes[0].values)
            sum += v;
        // 160000 grains: a standard deviation is at most 0.00125, six of them 0.0075.
        EXPECT_NEAR(sum / 160000, progress, 0.0075);
    }
}

} // namespace
} // namespace weft::test
