// Every shape that tuning may choose gives the rule's picture, byte for byte.
#include <algorithm>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/compare.hpp"
#include "support/device.hpp"
#include "support/plan_rig.hpp"
#include "support/reference_filters.hpp"

namespace weft::test {
namespace {

constexpr int width = 98, height = 66; // no multiples of a block or a band

struct Case {
    std::string title;
    graph::Work cpu, gpu; // the kind of work that its largest plane is
    graph::Scene scene;
    std::vector<Picture> streams;
    std::optional<Picture> exact = {};
};
void PrintTo(const Case& one, std::ostream* out) {
    *out << one.title;
}

graph::Scene scene_of(const Layout& in, int in_width, int in_height, int pictures = 1) {
    graph::Scene scene = empty_scene(in, width, height);
    scene.streams.assign(static_cast<size_t>(pictures), format_of(in, in_width, in_height));
    graph::SceneLayer layer;
    layer.w = width;
    layer.h = height;
    layer.fit = graph::Fit::fill;
    layer.name = "layers[0]";
    scene.layers.push_back(layer);
    return scene;
}

Case filtered(graph::Work cpu, graph::Work gpu, const graph::FilterUse& use, const Layout& layout,
              bool exact = true) {
    const Picture in = noise(layout, width, height);
    Case out{describe(use), cpu, gpu, scene_of(layout, width, height), {in}};
    out.scene.layers.front().picture.clip.filters = {use};
    if (exact) out.exact = reference(use, in).rounded();
    return out;
}

Case scaled(graph::ScaleMethod method, int from_width, int from_height) {
    Case out{"scale",
             graph::Work::scale,
             graph::Work::scale,
             scene_of(yuv420(), from_width, from_height),
             {noise(yuv420(), from_width, from_height)}};
    out.scene.layers.front().scale = method;
    return out;
}

Case crossing(const std::string& name) {
    const Picture a = noise(yuv420(), width, height), b = noise(yuv420(), width, height, 2);
    Case out{name, graph::Work::mix, graph::Work::mix, scene_of(yuv420(), width, height, 2), {a, b}};
    graph::PictureNode& picture = out.scene.layers.front().picture;
    picture.transition = transition(name);
    picture.next.stream = 1;
    picture.transition_index = 0;
    out.exact = reference(*picture.transition, a, b, {.progress = 0.4}).rounded();
    return out;
}

// A half-transparent picture over another; `filters` on it need their pixels.
Case blended(graph::Work cpu, graph::Work gpu, const std::vector<graph::FilterUse>& filters) {
    Case out{"blended",
             cpu,
             gpu,
             scene_of(yuv420(), width, height, 2),
             {noise(yuv420(), width, height), noise(yuv420(), width, height, 2)}};
    graph::SceneLayer over = out.scene.layers.front();
    over.picture.clip.stream = 1;
    over.opacity = 0.5;
    over.filters = filters;
    out.scene.layers.push_back(over);
    return out;
}

std::string ones(int side) {
    std::string text;
    for (int i = 0; i < side * side; ++i)
        text += std::to_string((3 * i * i + i) % 11 - 3) + " ";
    return text;
}

std::vector<Case> cases() {
    using graph::Work;
    const auto convolution = [](int side) {
        return picture_filter("convolution", {{"matrix", ones(side)}, {"rdiv", "0.02"}, {"bias", "60"}});
    };
    const graph::FilterUse blur = picture_filter("gblur", {{"sigma", "1.5"}});
    return {filtered(Work::point, Work::point, picture_filter("negate"), yuv420()),
            filtered(Work::pixels, Work::pixels, picture_filter("colorchannelmixer", {{"rg", "0.3"}}),
                     yuv420(), false),
            filtered(Work::window3, Work::window3, convolution(3), yuv420()),
            filtered(Work::window7, Work::window7, convolution(5), with_depth(gray(), 10)),
            filtered(Work::window7, Work::window7, convolution(7), gray()),
            filtered(Work::window, Work::window, convolution(9), gray()),
            filtered(Work::separable, Work::separable, blur, gray()),
            scaled(graph::ScaleMethod::area, 2 * width, 2 * height),
            scaled(graph::ScaleMethod::bicubic, width / 2, height / 2),
            crossing("fade"),
            crossing("slideleft"),
            blended(Work::layers, Work::layers, {}),
            blended(Work::layers_windowed, Work::layers, {picture_filter("colorchannelmixer"), blur})};
}

Picture paint(const Case& one, const PlanShape& shape) {
    return run_scene(one.scene, one.streams, {.progress = 0.4}, shape);
}

bool does(const std::vector<graph::ShapeUse>& uses, graph::Work work) {
    return std::any_of(uses.begin(), uses.end(), [&](const auto& use) { return use.key.work == work; });
}

class EveryShape : public testing::TestWithParam<std::tuple<Case, bool>> {};

TEST_P(EveryShape, changes_no_byte) {
    const auto& [one, gpu] = GetParam();
    const PlanShape rule{.gpu = gpu};
    DeviceTraits traits = device_info().traits;
    if (gpu) traits.kind = DeviceKind::gpu;
    const graph::Work work = traits.kind == DeviceKind::gpu ? one.gpu : one.cpu;
    ASSERT_TRUE(does(shapes_of_scene(one.scene, rule), work)) << explain_scene(one.scene, rule);
    const Picture expected = paint(one, rule);
    if (one.exact) {
        EXPECT_PICTURES_NEAR(*one.exact, expected, 1.0001);
    }
    const std::vector<graph::ShapePart> parts = graph::shape_parts(work, traits);
    size_t variants = 0;
    for (const graph::ShapePart& part : parts)
        variants = std::max(variants, part.values.size());
    // Values of all parts at once: each of them is met.
    for (size_t i = 0; i < variants; ++i) {
        graph::Shape shape;
        for (size_t p = 0; p < parts.size(); ++p)
            shape = with_part(shape, parts[p], parts[p].values[(i + p) % parts[p].values.size()]);
        PlanShape tuned = rule;
        for (const graph::ShapeKey& key : graph::all_shape_keys())
            tuned.shapes[key] = shape;
        SCOPED_TRACE(name(shape));
        const auto uses = shapes_of_scene(one.scene, tuned);
        EXPECT_TRUE(std::all_of(uses.begin(), uses.end(),
                                [&](const graph::ShapeUse& use) { return use.tuned && use.shape == shape; }));
        EXPECT_EQ(paint(one, tuned).codes(), expected.codes());
    }
}

INSTANTIATE_TEST_SUITE_P(all, EveryShape, testing::Combine(testing::ValuesIn(cases()), testing::Bool()));

// Blocks that show one picture of two, both behind a hard edge, or both mixed, with filters on one of them
// and on what is mixed, which then are computed for what is seen.
TEST(Shapes, a_mix_shows_the_same_by_shares) {
    const graph::FilterUse eq = picture_filter("eq", {{"contrast", "1.3"}, {"gamma", "1.2"}});
    const graph::FilterUse lens = picture_filter("vignette"); // goes where its picture goes
    const graph::FilterUse last = picture_filter("negate");
    for (const char* name :
         {"wipeleft", "wipedown", "circleopen", "dissolve", "fade", "slideright", "slideup"})
        for (const bool soft : {false, true})
            for (const bool filters : {false, true}) {
                const bool slides = std::string(name).starts_with("slide");
                if (soft && (slides || std::string(name) == "fade")) continue; // have no softness
                const graph::FilterUse use =
                    soft ? transition(name, {{"softness", "0.4"}}) : transition(name);
                Case one = crossing(name);
                const Moment moment{.progress = 0.4};
                graph::PictureNode& picture = one.scene.layers.front().picture;
                picture.transition = use;
                if (filters) {
                    picture.clip.filters = {eq};
                    picture.next.filters = {lens};
                    one.scene.layers.front().filters = {last};
                }
                const Picture a = filters ? reference(eq, one.streams[0]) : one.streams[0];
                const Picture b = filters ? reference(lens, one.streams[1]) : one.streams[1];
                const Picture mixed = reference(use, a, b, moment);
                const Picture expected = (filters ? reference(last, mixed) : mixed).rounded();
                for (const bool gpu : {false, true}) {
                    SCOPED_TRACE(fmt::format("{}, soft {}, filters {}, gpu {}", name, soft, filters, gpu));
                    EXPECT_PICTURES_NEAR(expected, run_scene(one.scene, one.streams, moment, {.gpu = gpu}),
                                         1.0001);
                }
            }
}

// Of a large picture a costly result of a code is looked up, on GPUs behind a pass that makes the table.
TEST(Shapes, results_of_codes_are_looked_up) {
    const graph::FilterUse eq = picture_filter("eq", {{"gamma", "1.7"}});
    const Picture in = noise(gray(), 2563, 1441);
    Case one{"gamma", graph::Work::point, graph::Work::point, empty_scene(gray(), 2563, 1441), {in}};
    one.scene.streams = {format_of(gray(), 2563, 1441)};
    graph::SceneLayer layer;
    layer.w = 2563;
    layer.h = 1441;
    layer.picture.clip.filters = {eq};
    one.scene.layers.push_back(layer);
    const Picture expected = reference(eq, in).rounded();
    for (const bool gpu : {false, true}) {
        SCOPED_TRACE(gpu);
        EXPECT_PICTURES_NEAR(expected, run_scene(one.scene, one.streams, {}, {.gpu = gpu}), 1.0001);
    }
    // On a canvas with chroma, which a gray picture has none of.
    Case coloured = one;
    coloured.scene = empty_scene(yuv420(), 2563, 1441);
    coloured.scene.streams = one.scene.streams;
    coloured.scene.layers = one.scene.layers;
    EXPECT_PICTURES_NEAR(run_scene(coloured.scene, one.streams, {}, {}),
                         run_scene(coloured.scene, one.streams, {}, {.gpu = true}), 1.0001);
    EXPECT_NE(explain_scene(one.scene, {.gpu = true}).find("results of"), std::string::npos)
        << explain_scene(one.scene, {.gpu = true});
}

// Turned in every way, onto the whole canvas.
TEST(Shapes, turns_paint_what_they_turn) {
    for (const Layout& layout : {yuv420(), with_depth(gray(), 10)})
        for (const char* dir : {"clock", "cclock", "clock_flip", "cclock_flip"}) {
            const graph::FilterUse use = picture_filter("transpose", {{"dir", dir}});
            const Picture in = noise(layout, height, width);
            Case one{dir, graph::Work::point, graph::Work::point, scene_of(layout, height, width), {in}};
            one.scene.layers.front().picture.clip.filters = {use};
            const Picture whole = run_scene(one.scene, one.streams, {}, {});
            // Chroma beside its luma is resampled; luma is moved alone.
            EXPECT_TRUE(reference(use, in).planes[0].values == whole.planes[0].values) << dir;
            EXPECT_PICTURES_NEAR(whole, run_scene(one.scene, one.streams, {}, {.gpu = true}), 1.0001);
        }
}

// A shape belongs to its key alone.
TEST(Shapes, of_other_work_are_not_taken) {
    const Case one = filtered(graph::Work::point, graph::Work::point, picture_filter("negate"), yuv420());
    const graph::ShapeKey key{graph::Work::point, graph::Extent::tile, graph::Samples::bytes};
    const graph::Shape shape{.band = 7};
    const auto uses = [&](const graph::ShapeKey& of) {
        return shapes_of_scene(one.scene, {.shapes = {{of, shape}}});
    };
    EXPECT_EQ(uses(key), (std::vector<graph::ShapeUse>{{key, shape, true}}));
    for (const graph::ShapeKey& other : graph::all_shape_keys())
        if (other != key) {
            EXPECT_EQ(uses(other), (std::vector<graph::ShapeUse>{{key, {}, false}})) << name(other);
        }
}

} // namespace
} // namespace weft::test
