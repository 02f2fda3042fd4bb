// Dithering: more than eight bits reach an 8-bit output in the mean, and nothing else is touched.
#include <cmath>

#include <gtest/gtest.h>

#include "support/compare.hpp"
#include "support/plan_rig.hpp"

namespace weft::test {
namespace {

constexpr int patch = 64;

// Ten bits on a canvas of eight; a layer for each stream.
graph::Scene scene_of(const Layout& from, const Layout& to, int width, int height) {
    graph::Scene scene = empty_scene(to, width, height);
    scene.streams.push_back(format_of(from, width, height));
    graph::SceneLayer layer;
    layer.w = width;
    layer.h = height;
    layer.name = "layers[0]";
    scene.layers.push_back(layer);
    return scene;
}

// Patches of every ten-bit step between 100 and 104 of eight, in every plane.
Picture steps(const Layout& layout) {
    Picture in(layout, patch * 16, patch);
    for (Plane& plane : in.planes) {
        const int wide = plane.width / 16;
        for (int y = 0; y < plane.height; ++y)
            for (int x = 0; x < plane.width; ++x)
                plane(x, y) = (400 + x / wide) / 4.0 / 255;
    }
    return in.rounded();
}

double mean(const Plane& plane, int x0, int wide) {
    double sum = 0;
    for (int y = 0; y < plane.height; ++y)
        for (int x = x0; x < x0 + wide; ++x)
            sum += plane(x, y);
    return sum / wide / plane.height * 255;
}

TEST(Dither, the_mean_of_every_step_is_kept) {
    const graph::FilterUse through_rgb = picture_filter("colorchannelmixer", {{"ra", "0.0001"}});
    for (const Layout& layout : {yuv420(), yuv444(), gray()})
        for (const bool filtered : {false, true})
            for (const bool planes : {true, false}) {
                if (filtered && layout.model == colour::Model::gray) continue;
                SCOPED_TRACE(layout.ffmpeg_name() + (filtered ? " filtered" : "") +
                             (planes ? "" : " in RGB"));
                const Picture in = steps(with_depth(layout, 10));
                graph::Scene scene = scene_of(in.layout, layout, in.width(), in.height());
                if (filtered) scene.layers[0].picture.clip.filters.push_back(through_rgb);
                const Picture out = run_scene(scene, {in}, {}, {true, planes});
                for (size_t p = 0; p < out.planes.size(); ++p) {
                    const Plane& plane = out.planes[p];
                    const int wide = plane.width / 16;
                    // Away from where chroma of two patches meets.
                    for (int k = 0; k < 16; ++k)
                        EXPECT_NEAR(mean(plane, k * wide + 8, wide - 16),
                                    mean(in.planes[p], k * wide + 8, wide - 16), 0.05)
                            << "plane " << p << ", step " << k;
                }
            }
}

TEST(Dither, eight_bits_stay_as_they_are) {
    for (const Layout& layout : {yuv420(), rgb()}) {
        const Picture in = noise(layout, 98, 66);
        graph::Scene scene = scene_of(layout, layout, 98, 66);
        scene.dither = true;
        for (const bool planes : {true, false}) {
            if (!planes && layout.log2_w > 0) continue; // 4:2:0 through RGB is not a copy
            EXPECT_PICTURES_NEAR(in, run_scene(scene, {in}, {}, {true, planes}), 1e-9);
        }
    }
}

// A layer of eight bits beside one of ten is rounded as if it stood alone.
TEST(Dither, only_where_the_depth_is) {
    const Picture deep = steps(with_depth(yuv420(), 10)), shallow = smooth(yuv420(), 200, 100);
    graph::Scene scene = scene_of(deep.layout, yuv420(), 512, patch);
    scene.streams[0] = format_of(deep.layout, deep.width(), deep.height());
    scene.layers[0].w = 256;
    scene.layers[0].fit = graph::Fit::fill;
    scene.streams.push_back(format_of(yuv420(), 200, 100));
    graph::SceneLayer second = scene.layers[0];
    second.picture.clip.stream = 1;
    second.x = 256;
    second.name = "layers[1]";
    scene.layers.push_back(second);
    const Picture automatic = run_scene(scene, {deep, shallow});
    scene.dither = false;
    const Picture plain = run_scene(scene, {deep, shallow});
    int left = 0;
    for (int y = 0; y < patch; ++y)
        for (int x = 0; x < 512; ++x) {
            const bool same = automatic.planes[0](x, y) == plain.planes[0](x, y);
            if (x < 256)
                left += !same;
            else
                ASSERT_TRUE(same) << x << ", " << y;
        }
    EXPECT_GT(left, 0);
}

// The pattern belongs to the canvas: where layers end leaves no trace.
TEST(Dither, layers_do_not_interrupt_the_pattern) {
    const Layout layout = with_depth(yuv420(), 10);
    Picture flat(layout, 128, 64, 401.0 / 4 / 255);
    const Picture whole = run_scene(scene_of(layout, yuv420(), 128, 64), {flat});
    graph::Scene cut = scene_of(layout, yuv420(), 128, 64);
    cut.layers[0].fit = graph::Fit::cover;
    graph::SceneLayer corner = cut.layers[0];
    corner.x = 30;
    corner.y = 10;
    corner.w = 50;
    corner.h = 22;
    corner.name = "layers[1]";
    cut.layers.push_back(corner);
    EXPECT_PICTURES_NEAR(whole, run_scene(cut, {flat}), 1e-9);
    for (const bool planes : {true, false})
        EXPECT_PICTURES_NEAR(whole, run_scene(cut, {flat}, {}, {.planes = planes, .gpu = true}), 1e-9);
    // 100.25: every fourth sample of each plane is one more, wherever one looks.
    for (int y = 0; y < 64; y += 8)
        for (int x = 0; x < 128; x += 8) {
            int more = 0;
            for (int j = 0; j < 8; ++j)
                for (int i = 0; i < 8; ++i)
                    more += static_cast<int>(std::lround(whole.planes[0](x + i, y + j) * 255)) - 100;
            ASSERT_EQ(more, 16) << x << ", " << y;
        }
}

} // namespace
} // namespace weft::test
