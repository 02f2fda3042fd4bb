// Filters that read neighbours in time, as a user would write them, against their arithmetic in double.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "base/error.hpp"
#include "graph/filter_library.hpp"
#include "support/compare.hpp"
#include "support/plan_rig.hpp"
#include "support/temp_folder.hpp"

namespace weft::test {
namespace {

constexpr double half_a_code = 0.5 + 1e-3;
// A stored picture between, of six bits of fraction, and the last rounding.
constexpr double one_more_rounding = 0.5 + 1.0 / 64 + 1e-3;

class Frames : public testing::Test {
  protected:
    Frames() {
        std::filesystem::create_directories(folder_.path() / "picture");
        filter("mean", "frames: [-1, 0, 1]\nspace: any\n",
               "float apply(float before, float now, float behind, At at, Params p) {\n"
               "    return (before + now + behind) * (1.0f / 3.0f);\n}\n");
        filter("lately", "frames: [0, -2]\nspace: any\nparams:\n  share: {type: float, default: 0.25}\n",
               "float apply(float now, float then, At at, Params p) {\n"
               "    return now + (then - now) * p.share;\n}\n");
        filter("turns", "frames: [1, 0, -1]\nspace: rgb\n",
               "Px apply(Px next, Px now, Px last, At at, Params p) {\n"
               "    return px_make(next.r, now.g, last.b, now.a);\n}\n");
    }
    void filter(const std::string& name, const std::string& keys, const std::string& text) {
        folder_.write("picture/" + name + ".yaml",
                      "filter: " + name + "\nsummary: Of several pictures.\n" + keys);
        folder_.write("picture/" + name + ".cl", text);
    }
    graph::FilterUse use(const std::string& name) const {
        const graph::FilterLibrary library({folder_.path()});
        graph::FilterSpec spec;
        spec.name = name;
        std::vector<Error> errors;
        const auto found = library.use(graph::FilterKind::picture, spec, errors);
        if (!found) throw Errors(std::move(errors));
        return *found;
    }
    TempFolder folder_;
};

std::vector<Picture> clip(const Layout& layout, int width, int height, size_t count = 7) {
    std::vector<Picture> out;
    for (size_t n = 0; n < count; ++n)
        out.push_back(n % 2 == 0 ? noise(layout, width, height, static_cast<uint32_t>(n + 1))
                                 : edges(layout, width, height));
    return out;
}

// The n-th of the clip, or its first or last.
const Picture& at(const std::vector<Picture>& pictures, int n) {
    return pictures[static_cast<size_t>(std::clamp(n, 0, static_cast<int>(pictures.size()) - 1))];
}

using Mix = std::function<double(const std::vector<double>&)>;

// A picture of these pictures, sample by sample.
Picture mixed(const std::vector<Picture>& of, const Mix& mix) {
    Picture out = of[0];
    for (size_t p = 0; p < out.planes.size(); ++p)
        for (size_t i = 0; i < out.planes[p].values.size(); ++i) {
            std::vector<double> values;
            for (const Picture& picture : of)
                values.push_back(picture.planes[p].values[i]);
            out.planes[p].values[i] = mix(values);
        }
    return out;
}

double mean_of(const std::vector<double>& v) {
    double sum = 0;
    for (const double value : v)
        sum += value;
    return sum / static_cast<double>(v.size());
}

// The clip with every picture the mean of itself and its neighbours.
std::vector<Picture> means(const std::vector<Picture>& pictures) {
    std::vector<Picture> out;
    for (int n = 0; n < static_cast<int>(pictures.size()); ++n)
        out.push_back(mixed({at(pictures, n - 1), at(pictures, n), at(pictures, n + 1)}, mean_of));
    return out;
}

struct Where {
    std::vector<graph::FilterUse> clip = {}, layer = {};
    int width = 0, height = 0; // of the canvas; 0: as the pictures are
    bool shown_in_layer() const { return !layer.empty(); }
};

// The n-th picture through filters that read up to `reach` neighbours.
Picture shown(const std::vector<Picture>& pictures, int n, const Where& where, int reach,
              const PlanShape& shape = {}) {
    const Picture& due = at(pictures, n);
    const int width = where.width ? where.width : due.width(),
              height = where.height ? where.height : due.height();
    graph::Scene scene = empty_scene(due.layout, width, height);
    scene.streams.push_back(format_of(due.layout, due.width(), due.height()));
    graph::SceneLayer layer;
    layer.w = width;
    layer.h = height;
    layer.fit = graph::Fit::fill;
    layer.name = "layers[0]";
    layer.picture.clip.filters = where.clip;
    layer.filters = where.layer;
    scene.layers.push_back(layer);
    EXPECT_EQ(graph::neighbours_read(scene, 0), reach);
    Around around;
    for (int k = 1; k <= reach && n - k >= 0; ++k)
        around.before.push_back(at(pictures, n - k));
    for (int k = 1; k <= reach && n + k < static_cast<int>(pictures.size()); ++k)
        around.behind.push_back(at(pictures, n + k));
    return run_scene(scene, {due}, {}, shape, {around});
}

const std::vector<PlanShape> shapes{{}, {.fuse = false}, {.gpu = true}};

TEST_F(Frames, a_mean_of_three_in_every_form) {
    for (const Layout& layout : {yuv420(), yuv444(), gray(), rgb(), with_depth(yuv420(), 10)}) {
        SCOPED_TRACE(layout.ffmpeg_name());
        const std::vector<Picture> in = clip(layout, 70, 34);
        const std::vector<Picture> expected = means(in);
        for (const PlanShape& shape : shapes)
            for (const int n : {0, 3, 6}) { // the first and the last stand in for those beyond
                SCOPED_TRACE("picture " + std::to_string(n));
                EXPECT_PICTURES_NEAR(expected[static_cast<size_t>(n)],
                                     shown(in, n, {.clip = {use("mean")}}, 1, shape), half_a_code);
                EXPECT_PICTURES_NEAR(expected[static_cast<size_t>(n)],
                                     shown(in, n, {.layer = {use("mean")}}, 1, shape), half_a_code);
            }
    }
}

TEST_F(Frames, pictures_come_in_the_order_of_the_list) {
    const std::vector<Picture> in = clip(rgb(), 33, 20);
    for (const PlanShape& shape : shapes) {
        const Picture got = shown(in, 3, {.clip = {use("turns")}}, 1, shape);
        Picture expected = in[3];
        expected.planes[0] = in[4].planes[0];
        expected.planes[2] = in[2].planes[2];
        EXPECT_PICTURES_NEAR(expected, got, half_a_code);
    }
}

TEST_F(Frames, farther_pictures) {
    const std::vector<Picture> in = clip(yuv420(), 48, 32);
    for (const PlanShape& shape : shapes)
        for (const int n : {0, 1, 5}) {
            const Picture expected =
                mixed({at(in, n), at(in, n - 2)}, [](const auto& v) { return v[0] + (v[1] - v[0]) * 0.25; });
            EXPECT_PICTURES_NEAR(expected, shown(in, n, {.clip = {use("lately")}}, 2, shape), half_a_code);
        }
}

TEST_F(Frames, a_second_one_reads_what_the_first_made) {
    const std::vector<Picture> in = clip(yuv420(), 48, 32);
    const std::vector<Picture> expected = means(means(in));
    for (const PlanShape& shape : shapes)
        for (const int n : {0, 1, 3, 6}) {
            SCOPED_TRACE("picture " + std::to_string(n));
            const Picture& want = expected[static_cast<size_t>(n)];
            const Where both[] = {{.clip = {use("mean"), use("mean")}},
                                  {.clip = {use("mean")}, .layer = {use("mean")}},
                                  {.layer = {use("mean"), use("mean")}}};
            for (const Where& where : both)
                EXPECT_PICTURES_NEAR(want, shown(in, n, where, 2, shape), one_more_rounding);
        }
}

TEST_F(Frames, neighbours_go_through_what_comes_before) {
    std::vector<Picture> in = clip(yuv444(), 40, 30);
    for (Picture& picture : in) { // away from the ends of the range: between filters nothing is cut off
        for (Plane& plane : picture.planes)
            for (double& value : plane.values)
                value = 0.2 + 0.6 * value;
        picture = picture.rounded();
    }
    const graph::FilterUse negate = picture_filter("negate"),
                           blur = picture_filter("gblur", {{"sigma", "1"}});
    for (const PlanShape& shape : shapes) {
        std::vector<Picture> negated, blurred;
        for (const Picture& picture : in) {
            negated.push_back(run_chain({negate}, picture));
            blurred.push_back(run_chain({blur}, picture, {}, {.planes = true}));
        }
        EXPECT_PICTURES_NEAR(means(negated)[3], shown(in, 3, {.clip = {negate, use("mean")}}, 1, shape),
                             half_a_code);
        EXPECT_PICTURES_NEAR(means(negated)[3], shown(in, 3, {.layer = {negate, use("mean")}}, 1, shape),
                             half_a_code);
        // The blurred ones were rounded to codes for the expectation.
        EXPECT_PICTURES_NEAR(means(blurred)[3], shown(in, 3, {.clip = {blur, use("mean")}}, 1, shape),
                             1.0 + one_more_rounding);
        EXPECT_PICTURES_NEAR(means(blurred)[3], shown(in, 3, {.layer = {blur, use("mean")}}, 1, shape),
                             1.0 + one_more_rounding);
        EXPECT_PICTURES_NEAR(run_chain({blur}, means(in)[3].rounded()),
                             shown(in, 3, {.layer = {use("mean"), blur}}, 1, shape), 1.0 + one_more_rounding);
    }
}

TEST_F(Frames, scaled_pictures_are_mixed_in_the_layer) {
    // A mean of means of two by two samples: in either order the same.
    const std::vector<Picture> in = clip(gray(), 64, 48);
    const Picture whole = means(in)[3];
    Picture expected(gray(), 32, 24);
    for (int y = 0; y < 24; ++y)
        for (int x = 0; x < 32; ++x) {
            const Plane& p = whole.planes[0];
            expected.planes[0](x, y) =
                (p(2 * x, 2 * y) + p(2 * x + 1, 2 * y) + p(2 * x, 2 * y + 1) + p(2 * x + 1, 2 * y + 1)) / 4;
        }
    for (const PlanShape& shape : shapes) {
        EXPECT_PICTURES_NEAR(expected,
                             shown(in, 3, {.layer = {use("mean")}, .width = 32, .height = 24}, 1, shape),
                             one_more_rounding);
        EXPECT_PICTURES_NEAR(expected,
                             shown(in, 3, {.clip = {use("mean")}, .width = 32, .height = 24}, 1, shape),
                             one_more_rounding);
    }
}

TEST_F(Frames, shapes_change_before_and_behind) {
    const std::vector<Picture> in = clip(yuv444(), 48, 32);
    for (const PlanShape& shape : shapes) {
        const graph::FilterUse flip = picture_filter("hflip");
        const Picture got = shown(in, 3, {.clip = {flip, use("mean"), flip}}, 1, shape);
        EXPECT_PICTURES_NEAR(means(in)[3], got, one_more_rounding);
    }
}

TEST_F(Frames, what_has_no_neighbours_is_refused) {
    graph::Scene scene = empty_scene(gray(), 16, 16);
    scene.streams.push_back(format_of(gray(), 16, 16));
    graph::SceneLayer layer;
    layer.w = layer.h = 16;
    scene.layers.push_back(layer);
    const auto refused = [](const graph::Scene& s) {
        try {
            explain_scene(s);
        } catch (const Error& error) {
            return error.message();
        }
        return std::string("accepted");
    };
    graph::Scene canvas = scene;
    canvas.filters = {use("mean")};
    EXPECT_EQ(refused(canvas),
              "filter 'mean' reads neighbours in time, which the canvas has none of: it belongs to "
              "the filters of an input or a layer");
    graph::Scene between = scene;
    between.streams.push_back(scene.streams[0]);
    between.layers[0].filters = {use("mean")};
    between.layers[0].picture.transition = transition("fade");
    between.layers[0].picture.next.stream = 1;
    between.layers[0].picture.transition_index = 0;
    EXPECT_EQ(refused(between),
              "filter 'mean' reads neighbours in time, which a transition has none of: it belongs "
              "to the filters of what the track plays");
}

TEST_F(Frames, manifests_say_it_right) {
    const auto problem = [&](const std::string& keys) {
        filter("wrong", keys, "float apply(float v, At at, Params p) { return v; }\n");
        try {
            graph::load_manifest(folder_.path() / "picture" / "wrong.yaml", graph::FilterKind::picture);
        } catch (const Errors& errors) {
            return errors.all().front().message();
        }
        return std::string();
    };
    EXPECT_EQ(problem("frames: [0]\n"), "");
    EXPECT_EQ(problem("frames: 2\n"), "filter 'wrong': frames must be a list such as [-1, 0, 1]");
    const std::string range = "', expected different whole numbers from -8 to 8";
    EXPECT_EQ(problem("frames: [0, 9]\n"), "filter 'wrong': frames has '9" + range);
    EXPECT_EQ(problem("frames: [0, 0]\n"), "filter 'wrong': frames has '0" + range);
    EXPECT_EQ(problem("frames: [0, 0.5]\n"), "filter 'wrong': frames has '0.5" + range);
    EXPECT_EQ(problem("frames: [0, 1]\nreads: {window: 2}\n"),
              "filter 'wrong': only the text of a picture filter that reads pixels, of the space any, rgb or "
              "ycbcr, "
              "has frames");
}

} // namespace
} // namespace weft::test
