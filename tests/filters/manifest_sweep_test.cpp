// What every filter promises by its manifest, whatever it does.
#include <cmath>

#include <gtest/gtest.h>

#include "base/format.hpp"
#include "graph/filter_manifest.hpp"
#include "support/compare.hpp"
#include "support/mini_kernel.hpp"

namespace weft::test {
namespace {

using graph::FilterKind;
using graph::FilterManifest;
using graph::ParamType;
using graph::Space;

// Layouts a filter's text works on.
std::vector<Layout> layouts_for(const FilterManifest& manifest) {
    if (manifest.space == Space::rgb) return {rgb(), with_alpha(rgb())};
    if (manifest.space == Space::ycbcr) return {yuv444_full(), with_alpha(yuv444())};
    if (manifest.space == Space::luma) return {yuv444(), gray()};
    return {rgb(), yuv420(), with_alpha(yuv444())};
}

// One argument list for each end of each parameter's range, the others at their defaults.
std::vector<Args> range_ends(const FilterManifest& manifest) {
    Args required;
    for (const graph::ParamSpec& p : manifest.params)
        if (p.required) required.emplace_back(p.name, "some.file");
    std::vector<Args> out{required};
    const auto add = [&](const std::string& name, const std::string& value) {
        out.push_back(required);
        out.back().emplace_back(name, value);
    };
    for (const graph::ParamSpec& p : manifest.params) {
        if (p.type == ParamType::float_ || p.type == ParamType::int_ || p.type == ParamType::time) {
            const bool whole = p.type == ParamType::int_;
            for (const double end : {std::max(p.min, -1e6), std::min(p.max, 1e6)})
                add(p.name, whole ? fmt::format("{:.0f}", end) : fmt::format("{:.9g}", end));
        }
        if (p.type == ParamType::bool_)
            for (const char* value : {"false", "true"})
                add(p.name, value);
        for (const std::string& option : p.options)
            add(p.name, option);
    }
    return out;
}

template<class F>
void each_text(FilterKind kind, const F& f) {
    size_t count = 0;
    for (const auto& manifest : built_in_filters().all())
        if (manifest->kind == kind && !manifest->text.empty()) {
            SCOPED_TRACE(manifest->name);
            f(*manifest);
            ++count;
        }
    EXPECT_GT(count, 0u);
}

bool finite(const Picture& picture) {
    for (const Plane& plane : picture.planes)
        for (const double v : plane.values)
            if (!std::isfinite(v)) return false;
    return true;
}

TEST(Manifests, are_all_valid) {
    size_t pictures = 0, transitions = 0;
    for (const auto& manifest : built_in_filters().all()) {
        EXPECT_FALSE(manifest->summary.empty()) << manifest->name;
        (manifest->kind == FilterKind::transition ? transitions : pictures) += 1;
    }
    EXPECT_GE(pictures, 15u);
    EXPECT_GE(transitions, 15u);
}

TEST(Manifests, texts_are_finite_at_the_ends_of_ranges) {
    for (const FilterKind kind : {FilterKind::picture, FilterKind::transition})
        each_text(kind, [&](const FilterManifest& manifest) {
            for (const Layout& layout : layouts_for(manifest))
                for (const Args& args : range_ends(manifest)) {
                    const graph::FilterUse use = use_of(kind, manifest.name, args);
                    const Picture in = ramp(layout, 32, 8);
                    for (const double progress : {0.0, 0.5, 1.0})
                        EXPECT_TRUE(finite(
                            run_text(use, in, in, {.t = progress, .n = 25 * progress, .progress = progress})))
                            << describe(use) << " on " << layout.ffmpeg_name();
                }
        });
}

TEST(Manifests, neutral_values_change_nothing) {
    each_text(FilterKind::picture, [](const FilterManifest& manifest) {
        if (manifest.neutral.empty()) return;
        const graph::FilterUse use =
            picture_filter(manifest.name, Args(manifest.neutral.begin(), manifest.neutral.end()));
        for (const Layout& layout : layouts_for(manifest)) {
            const Picture in = ramp(layout, 256, 4);
            // Float's rounding of a few operations on values up to 1.
            EXPECT_PICTURES_NEAR(in, run_text(use, in), 3e-4);
        }
    });
}

// Where a manifest gives an affine form, it is what the text does.
TEST(Manifests, affine_forms_are_what_the_texts_do) {
    size_t checked = 0;
    each_text(FilterKind::picture, [&](const FilterManifest& manifest) {
        if (!manifest.affine_plane && !manifest.affine_matrix) return;
        for (const Args& args : range_ends(manifest)) {
            const graph::FilterUse use = picture_filter(manifest.name, args);
            std::map<std::string, double> values = graph::evaluate_params(use);
            if (!manifest.affine_when.empty() && graph::evaluate(manifest.affine_when, values) == 0) continue;
            for (const Layout& layout : layouts_for(manifest)) {
                if (layout.alpha && manifest.affine_plane) continue; // alpha is not the form's business
                SCOPED_TRACE(describe(use) + " on " + layout.ffmpeg_name());
                const Picture in = ramp(layout, 64, 4);
                Picture expected = in;
                double largest = 1;
                for (size_t p = 0; p < layout.colours(); ++p)
                    for (size_t i = 0; i < in.planes[p].values.size(); ++i) {
                        double& v = expected.planes[p].values[i];
                        if (manifest.affine_plane) {
                            const colour::StoredRange range = layout.stored(p);
                            values["lo"] = range.lo;
                            values["mid"] = range.mid;
                            values["hi"] = range.hi;
                            values["is_chroma"] = layout.is_chroma(p);
                            if (i == 0) {
                                values["a_of_test"] = graph::evaluate((*manifest.affine_plane)[0], values);
                                values["b_of_test"] = graph::evaluate((*manifest.affine_plane)[1], values);
                            }
                            v = values["a_of_test"] * v + values["b_of_test"];
                        } else {
                            const auto cell = [&](size_t c) {
                                return graph::evaluate((*manifest.affine_matrix)[4 * p + c], values);
                            };
                            if (i >= 32) { // evaluating is slow: a line of samples will do
                                v = run_text(use, in).planes[p].values[i];
                                break;
                            }
                            v = cell(0) * in.planes[0].values[i] + cell(1) * in.planes[1].values[i] +
                                cell(2) * in.planes[2].values[i] + cell(3);
                        }
                        largest = std::max(largest, std::abs(v));
                    }
                Picture got = run_text(use, in);
                if (manifest.affine_matrix)
                    for (size_t p = 0; p < got.planes.size(); ++p) {
                        got.planes[p].values.resize(32), got.planes[p].width = 32, got.planes[p].height = 1;
                        expected.planes[p].values.resize(32), expected.planes[p].width = 32,
                                                              expected.planes[p].height = 1;
                    }
                // Float loses 1e-7 of the largest value that appears, a few times.
                EXPECT_PICTURES_NEAR(expected, got, 255 * largest * 1e-6);
                ++checked;
            }
        }
    });
    EXPECT_GT(checked, 50u);
}

TEST(Manifests, alpha_is_kept_where_nothing_is_said_of_it) {
    each_text(FilterKind::picture, [](const FilterManifest& manifest) {
        if (manifest.param("aa") || manifest.param("negate_alpha")) return; // these have alpha as a subject
        for (const Layout& layout : layouts_for(manifest)) {
            if (!layout.alpha) continue;
            for (const Args& args : range_ends(manifest)) {
                const graph::FilterUse use = picture_filter(manifest.name, args);
                const Picture in = ramp(layout, 32, 4);
                const Picture out = run_text(use, in, {.t = 0.3, .n = 7});
                for (size_t i = 0; i < in.planes.back().values.size(); ++i)
                    ASSERT_NEAR(out.planes.back().values[i], in.planes.back().values[i], 1e-7)
                        << describe(use);
            }
        }
    });
}

TEST(Manifests, names_and_defaults_are_ffmpegs) {
    // As `ffmpeg -h filter=NAME` prints them.
    const struct {
        const char* filter;
        const char* param;
        double value;
    } defaults[] = {{"eq", "contrast", 1},
                    {"eq", "brightness", 0},
                    {"eq", "saturation", 1},
                    {"eq", "gamma_weight", 1},
                    {"hue", "s", 1},
                    {"hue", "b", 0},
                    {"gblur", "sigma", 0.5},
                    {"gblur", "planes", 15},
                    {"gblur", "sigmaV", -1},
                    {"unsharp", "lx", 5},
                    {"unsharp", "la", 1},
                    {"unsharp", "chroma_amount", 0},
                    {"colorchannelmixer", "rr", 1},
                    {"colorchannelmixer", "rg", 0},
                    {"fade", "nb_frames", 25},
                    {"vignette", "a", M_PI / 5},
                    {"transpose", "dir", 0},
                    {"lut3d", "interp", 2},
                    {"negate", "negate_alpha", 0}};
    for (const auto& [filter, param, value] : defaults) {
        const auto manifest = built_in_filters().find(FilterKind::picture, filter);
        ASSERT_TRUE(manifest) << filter;
        const graph::ParamSpec* spec = manifest->param(param);
        ASSERT_TRUE(spec) << filter << " " << param;
        EXPECT_NEAR(std::get<double>(spec->default_value), value, 1e-8) << filter << " " << param;
    }
}

} // namespace
} // namespace weft::test
