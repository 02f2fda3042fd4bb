// Fields to whole pictures against FFmpeg's bwdif, whose integer arithmetic it shares: not a code may differ.
#include <gtest/gtest.h>

#include "support/compare.hpp"
#include "support/ffmpeg.hpp"
#include "support/plan_rig.hpp"

namespace weft::test {
namespace {

using graph::FieldsOf;

// Five pictures in which some places move, some stand and some jump.
std::vector<Picture> fields(const Layout& layout, int width, int height) {
    std::vector<Picture> out;
    const Picture still = noise(layout, width, height, 7);
    for (int n = 0; n < 5; ++n) {
        Picture picture = smooth(layout, width, height);
        const Picture lively = noise(layout, width, height, static_cast<uint32_t>(n + 1));
        for (size_t p = 0; p < picture.planes.size(); ++p) {
            Plane& plane = picture.planes[p];
            const Plane waves = plane;
            for (int y = 0; y < plane.height; ++y)
                for (int x = 0; x < plane.width; ++x)
                    plane(x, y) = x < plane.width / 4       ? still.planes[p](x, y)
                                  : x < plane.width * 3 / 4 ? waves.edge(x + 2 * n, y + n)
                                                            : lively.planes[p](x, y);
        }
        out.push_back(picture);
    }
    return out;
}

Picture whole(const std::vector<Picture>& pictures, size_t n, int fields, const PlanShape& shape = {}) {
    const Picture& due = pictures[n];
    graph::Scene scene = empty_scene(due.layout, due.width(), due.height());
    scene.streams.push_back(scene.outputs[0].format);
    graph::SceneLayer layer;
    layer.w = due.width();
    layer.h = due.height();
    layer.picture.clip.deinterlace = true;
    layer.name = "layers[0]";
    scene.layers.push_back(layer);
    const Picture& before = pictures[n > 0 ? n - 1 : 0];
    const Picture& behind = pictures[n + 1 < pictures.size() ? n + 1 : n];
    return run_scene(scene, {due}, {}, shape, {{{before}, {behind}, fields}});
}

void expect_as_bwdif(const Layout& layout, int width, int height, bool top_first, int border = 0) {
    SCOPED_TRACE(layout.ffmpeg_name() + (top_first ? ", top first, " : ", bottom first, ") +
                 std::to_string(width) + "x" + std::to_string(height));
    const std::vector<Picture> in = fields(layout, width, height);
    const std::vector<Picture> theirs = ffmpeg_filter(
        in, std::string("bwdif=mode=send_field:deint=all:parity=") + (top_first ? "tff" : "bff"));
    ASSERT_EQ(theirs.size(), 2 * in.size());
    for (size_t k = 0; k < theirs.size(); ++k) {
        const bool second = k % 2 == 1;
        const bool alone = k == 0 || k + 1 == theirs.size();
        const int fields = (top_first == second ? FieldsOf::odd_lines : 0) | (second ? FieldsOf::second : 0) |
                           (alone ? FieldsOf::alone : 0);
        SCOPED_TRACE("field " + std::to_string(k));
        const Picture ours = whole(in, k / 2, fields);
        // The three outer lines of a field that has no neighbour FFmpeg 7 makes otherwise than FFmpeg 5.
        const int edge = alone && ffmpeg_major() > 5 ? std::max(border, 3 << layout.log2_h) : border;
        if (2 * edge >= height) continue;
        const Difference d = compare(theirs[k].inside(edge), ours.inside(edge));
        EXPECT_LE(d.max, 1e-9) << d.text();
        if (k == 3) {
            EXPECT_PICTURES_NEAR(ours, whole(in, k / 2, fields, {.gpu = true}), 1e-9);
        }
    }
}

TEST(Deinterlace, every_field_as_bwdif_has_it) {
    expect_as_bwdif(yuv420(), 70, 48, true);
    expect_as_bwdif(yuv420(), 70, 48, false);
    expect_as_bwdif(yuv444(), 33, 27, true);
    expect_as_bwdif(rgb(), 33, 27, false);
    expect_as_bwdif(gray(), 33, 4, true);
}

TEST(Deinterlace, deep_pictures) {
    // Of more than eight bits FFmpeg 5 counts the lines at the edges double (bytes for lines): all but those.
    expect_as_bwdif(with_depth(yuv420(), 10), 70, 48, true, 16);
    expect_as_bwdif(with_depth(yuv444(), 16), 33, 48, false, 16);
}

TEST(Deinterlace, whole_pictures_pass_unchanged) {
    for (const Layout& layout : {yuv420(), with_depth(yuv420(), 10), rgb()}) {
        const std::vector<Picture> in = fields(layout, 70, 48);
        EXPECT_PICTURES_NEAR(in[2], whole(in, 2, FieldsOf::whole), 1e-9);
    }
}

TEST(Deinterlace, planes_of_few_lines_pass_unchanged) {
    const std::vector<Picture> in = fields(gray(), 32, 3);
    EXPECT_PICTURES_NEAR(in[1], whole(in, 1, 0), 1e-9);
}

TEST(Deinterlace, comes_before_scaling) {
    // Scaled to half its height, a picture whose fields are black and white has nothing of the second field.
    Picture due(gray(), 64, 64);
    for (int y = 1; y < 64; y += 2)
        for (int x = 0; x < 64; ++x)
            due.planes[0](x, y) = 1;
    graph::Scene scene = empty_scene(gray(), 64, 32);
    scene.streams.push_back(format_of(gray(), 64, 64));
    graph::SceneLayer layer;
    layer.w = 64;
    layer.h = 32;
    layer.fit = graph::Fit::fill;
    layer.picture.clip.deinterlace = true;
    layer.name = "layers[0]";
    scene.layers.push_back(layer);
    const Picture black(gray(), 64, 64, 0);
    const Picture out = run_scene(scene, {due}, {}, {}, {{{black}, {black}, FieldsOf::alone}});
    EXPECT_PICTURES_NEAR(Picture(gray(), 64, 32, 0), out, 1e-9);
}

} // namespace
} // namespace weft::test
