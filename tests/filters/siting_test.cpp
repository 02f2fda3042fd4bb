// Where chroma samples stand in what is stored, against the slow exact reference and against zimg.
#include <gtest/gtest.h>

#include "colour/reference.hpp"
#include "support/compare.hpp"
#include "support/ffmpeg.hpp"
#include "support/plan_rig.hpp"
#include "support/temp_folder.hpp"

namespace weft::test {
namespace {

using colour::ChromaSite;

constexpr ChromaSite sites[] = {ChromaSite::left, ChromaSite::centre, ChromaSite::top_left, ChromaSite::top};

Layout yuv422() {
    return {.log2_w = 1};
}
Layout yuv411() {
    return {.log2_w = 2};
}

// A 4:4:4 picture through RGB into another layout.
graph::Scene scene_of(const Layout& layout, ChromaSite site, int width, int height) {
    graph::Scene scene = empty_scene(layout, width, height);
    scene.outputs[0].format.colour.chroma = scene.colour.chroma = site;
    scene.streams.push_back(format_of(yuv444(), width, height));
    graph::SceneLayer layer;
    layer.w = width;
    layer.h = height;
    layer.name = "layers[0]";
    scene.layers.push_back(layer);
    return scene;
}

Picture expected_of(const Picture& in, const colour::PictureFormat& to) {
    namespace reference = colour::reference;
    reference::Samples samples = reference::blank(format_of(in.layout, in.width(), in.height()));
    for (size_t p = 0; p < 3; ++p)
        for (size_t i = 0; i < in.planes[p].values.size(); ++i)
            samples.values[p][i] = in.planes[p].values[i] * 255;
    const reference::Samples out = reference::convert(samples, to);
    Layout layout = in.layout;
    layout.log2_w = to.pixels.log2_chroma_w;
    layout.log2_h = to.pixels.log2_chroma_h;
    Picture picture(layout, in.width(), in.height());
    for (size_t p = 0; p < 3; ++p)
        for (size_t i = 0; i < picture.planes[p].values.size(); ++i)
            picture.planes[p].values[i] = out.values[p][i] / 255;
    return picture;
}

TEST(Siting, chroma_is_stored_where_its_format_says) {
    const Picture in = smooth(yuv444(), 150, 131); // bands meet, and the last block is half a one
    const PlanShape through_rgb{true, false};
    for (const Layout& layout : {yuv420(), yuv422(), yuv411()})
        for (const ChromaSite site : sites) {
            SCOPED_TRACE(layout.ffmpeg_name() + ", " + colour::name(site));
            const graph::Scene scene = scene_of(layout, site, 150, 131);
            // Half a code is the rounding to eight bits.
            EXPECT_PICTURES_NEAR(expected_of(in, scene.outputs[0].format),
                                 run_scene(scene, {in}, {}, through_rgb), 0.501);
            EXPECT_PICTURES_NEAR(expected_of(in, scene.outputs[0].format),
                                 run_scene(scene, {in}, {}, {.planes = false, .gpu = true}), 0.501);
        }
}

// A triangle over two samples, which zimg calls bilinear, is the same mean where chroma stands on luma
// samples.
TEST(Siting, corners_as_zimg_has_them) {
    const Picture in = smooth(yuv444(), 150, 130);
    const TempFolder folder;
    write_raw(folder.file("in.raw"), {in});
    run_command("ffmpeg -v error -nostdin -f rawvideo -pix_fmt yuv444p -s 150x130 -i " +
                folder.file("in.raw") +
                " -vf zscale=m=709:min=709:r=limited:rin=limited:c=topleft:f=bilinear:d=none,format=yuv420p "
                "-f rawvideo " +
                folder.file("out.raw"));
    const Picture theirs = read_raw(folder.file("out.raw"), yuv420(), 150, 130).front();
    const PlanShape through_rgb{true, false};
    const Picture ours = run_scene(scene_of(yuv420(), ChromaSite::top_left, 150, 130), {in}, {}, through_rgb);
    // Each rounds once, and halves may go either way.
    EXPECT_PICTURES_NEAR(theirs, ours, 1.0001);
    const Difference d = compare(theirs, ours, 0.5);
    EXPECT_LE(d.share(), 0.01) << d.text();
}

// A picture whose chroma stands elsewhere than the canvas's is moved, also where a filter works on blocks.
TEST(Siting, other_sites_are_moved_behind_filters) {
    const Picture full = smooth(yuv444(), 96, 64);
    graph::Scene centred = scene_of(yuv420(), ChromaSite::left, 96, 64);
    colour::PictureFormat from = format_of(yuv420(), 96, 64);
    from.colour.chroma = ChromaSite::centre;
    const Picture in = expected_of(full, from).rounded();
    centred.streams[0] = from;
    centred.layers[0].picture.clip.filters.push_back(picture_filter("colorchannelmixer", {{"ra", "0.001"}}));
    // Up and down again loses a little of what is sharp; half a luma sample aside would be 8 codes here.
    const Picture expected = expected_of(full, format_of(yuv420(), 96, 64));
    EXPECT_PICTURES_NEAR(expected.inside(2), run_scene(centred, {in}).inside(2), 2.0);
}

} // namespace
} // namespace weft::test
