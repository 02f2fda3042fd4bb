// HDR light: the planner's conversions against colour/light and colour/tone in double, against zimg, and the
// curves against FFmpeg's tonemap.
#include <cmath>
#include <fstream>

#include <gtest/gtest.h>

#include "colour/reference.hpp"
#include "colour/tone.hpp"
#include "support/compare.hpp"
#include "support/ffmpeg.hpp"
#include "support/plan_rig.hpp"
#include "support/temp_folder.hpp"

namespace weft::test {
namespace {

using colour::ColourSpec, colour::Primaries, colour::ToneMap, colour::Transfer, colour::Vec3;

const Layout deep = with_depth(rgb(), 16);

// BT.2020 RGB of sixteen bits on a canvas of sixteen.
graph::Scene scene_of(Transfer from, double peak_nits, const ColourSpec& canvas, int width, int height) {
    graph::Scene scene = empty_scene(deep, width, height);
    scene.colour = canvas;
    scene.outputs[0].format.colour = canvas;
    scene.streams.push_back(scene.outputs[0].format);
    scene.streams[0].colour.transfer = from;
    scene.streams[0].colour.primaries = Primaries::bt2020;
    scene.streams[0].peak_nits = peak_nits;
    graph::SceneLayer layer;
    layer.w = width;
    layer.h = height;
    layer.name = "layers[0]";
    scene.layers.push_back(layer);
    return scene;
}

ColourSpec canvas_colour(Transfer transfer, Primaries primaries) {
    ColourSpec out = format_of(deep, 2, 2).colour;
    out.transfer = transfer;
    out.primaries = primaries;
    return out;
}

// Every colour, out-of-gamut ones among them, then greys from black to white.
Picture colours() {
    Picture in = noise(deep, 128, 64);
    for (int y = 0; y < 8; ++y)
        for (int x = 0; x < 128; ++x)
            for (size_t p = 0; p < 3; ++p)
                in.planes[p](x, y) = (y * 128 + x) / 1023.0;
    return in.rounded();
}

template<class F>
Picture mapped(const Picture& in, F f) {
    Picture out = in;
    for (size_t i = 0; i < in.planes[0].values.size(); ++i) {
        const Vec3 rgb = f(Vec3{in.planes[0].values[i], in.planes[1].values[i], in.planes[2].values[i]});
        for (size_t p = 0; p < 3; ++p)
            out.planes[p].values[i] = rgb[p];
    }
    return out.rounded();
}

// Float's rounding of PQ's steep powers, 2e-4 of the light at most (tests/filters/transfer_test.cpp), is
// 1e-4 of a display value; and sixteen bits round by 1/514 of an 8-bit code.
constexpr double worst = 0.04, typical = 0.004; // 8-bit codes

void expect_close(const Picture& expected, const Picture& got) {
    const Difference d = compare(expected, got);
    EXPECT_LE(d.max, worst) << d.text();
    EXPECT_LE(d.rms, typical) << d.text();
}

TEST(Tone, hdr_on_an_sdr_canvas) {
    const Picture in = colours();
    const Vec3 weights = colour::luminance_weights(Primaries::bt709);
    const colour::Mat3 gamut = colour::convert_primaries(Primaries::bt2020, Primaries::bt709);
    for (const Transfer from : {Transfer::pq, Transfer::hlg})
        for (const ToneMap map :
             {ToneMap::bt2390, ToneMap::hable, ToneMap::reinhard, ToneMap::mobius, ToneMap::clip})
            for (const double nits : {0.0, 203.0, 4000.0}) {
                SCOPED_TRACE(colour::name(from) + " by " + colour::name(map) + ", " + std::to_string(nits));
                graph::Scene scene =
                    scene_of(from, nits, canvas_colour(Transfer::srgb, Primaries::bt709), 128, 64);
                scene.tone_map = map;
                const colour::ToneCurve curve{map, colour::source_peak(from, nits)};
                const Picture expected = mapped(in, [&](const Vec3& rgb) {
                    const Vec3 light = colour::into_gamut(gamut * colour::to_linear(from, rgb), weights);
                    return colour::from_linear(Transfer::srgb, colour::tone_mapped(curve, light));
                });
                expect_close(expected, run_scene(scene, {in}));
                if (map != ToneMap::bt2390) continue;
                expect_close(expected, run_scene(scene, {in}, {}, {.gpu = true}));
                scene.light = graph::Light::linear;
                expect_close(expected, run_scene(scene, {in}));
            }
}

TEST(Tone, pq_and_hlg_from_and_to_each_other) {
    const Picture in = colours();
    for (const auto& [from, to] :
         {std::pair{Transfer::hlg, Transfer::pq}, std::pair{Transfer::pq, Transfer::hlg}}) {
        SCOPED_TRACE(colour::name(from));
        const graph::Scene scene = scene_of(from, 0, canvas_colour(to, Primaries::bt2020), 128, 64);
        const Picture expected = mapped(in, [&, to = to, from = from](const Vec3& rgb) {
            return colour::from_linear(to, colour::to_linear(from, rgb));
        });
        expect_close(expected, run_scene(scene, {in}));
    }
}

TEST(Tone, sdr_white_on_an_hdr_canvas_is_at_203_candelas) {
    // BT.2408: 58 % PQ and 75 % HLG.
    const Picture white(deep, 16, 16, 1);
    for (const auto& [to, value] : {std::pair{Transfer::pq, 0.5807}, std::pair{Transfer::hlg, 0.75}}) {
        graph::Scene scene = scene_of(Transfer::srgb, 0, canvas_colour(to, Primaries::bt2020), 16, 16);
        scene.streams[0].colour.primaries = Primaries::bt709;
        EXPECT_NEAR(run_scene(scene, {white}).planes[1](8, 8), value, 3e-4);
    }
}

// zimg as well shows HLG on a display of 1000 cd/m2; of RGB it takes every component for a grey, so greys are
// what can be compared.
TEST(Tone, hlg_greys_become_pq_as_zimg_has_them) {
    Picture in(deep, 256, 16);
    for (Plane& plane : in.planes)
        for (int y = 0; y < 16; ++y)
            for (int x = 0; x < 256; ++x)
                plane(x, y) = (y * 256 + x) / 4095.0;
    in = in.rounded();
    const Picture theirs = ffmpeg_filter(in, "zscale=tin=arib-std-b67:pin=2020:min=gbr:rin=full:"
                                             "t=linear:p=2020:m=gbr:r=full:npl=1000,format=gbrpf32le,"
                                             "zscale=t=smpte2084:npl=1000:d=none,format=gbrp16le");
    const Picture ours =
        run_scene(scene_of(Transfer::hlg, 0, canvas_colour(Transfer::pq, Primaries::bt2020), 256, 16), {in});
    // zimg writes HLG's constants with 8 digits and its inverse curve has a table of 2^16 steps: a tenth of
    // an 8-bit code near black, where PQ is steepest.
    const Difference d = compare(theirs, ours);
    EXPECT_LE(d.max, 0.1) << d.text();
    EXPECT_LE(d.rms, 0.02) << d.text();
}

// FFmpeg's tonemap works on linear float pictures, as the curves do.
TEST(Tone, curves_as_ffmpeg_has_them) {
    const TempFolder folder;
    const double peak = 1000.0 / 203;
    std::vector<float> light;
    for (int i = 0; i < 512; ++i)
        light.push_back(static_cast<float>(peak * (i + 1) / 512));
    {
        std::ofstream out(folder.file("in.raw"), std::ios::binary);
        for (int plane = 0; plane < 3; ++plane) // green, blue, red: all of one grey
            out.write(reinterpret_cast<const char*>(light.data()), 512 * 4);
    }
    for (const ToneMap map : {ToneMap::hable, ToneMap::reinhard, ToneMap::mobius, ToneMap::clip}) {
        run_command("ffmpeg -y -v error -nostdin -f rawvideo -pix_fmt gbrpf32le -s 512x1 -i " +
                    folder.file("in.raw") + " -vf tonemap=" + colour::name(map) +
                    ":desat=0:peak=" + std::to_string(peak) + " -f rawvideo " + folder.file("out.raw"));
        std::vector<float> theirs(512);
        std::ifstream(folder.file("out.raw"), std::ios::binary)
            .read(reinterpret_cast<char*>(theirs.data()), 512 * 4);
        for (size_t i = 0; i < 512; ++i)
            ASSERT_NEAR(colour::tone_mapped({map, peak}, static_cast<double>(light[i])), theirs[i], 2e-6)
                << colour::name(map) << " of " << light[i];
    }
}

TEST(Tone, wide_sdr_colours_are_brought_into_the_canvas_gamut) {
    const Picture in = colours();
    const graph::Scene scene =
        scene_of(Transfer::srgb, 0, canvas_colour(Transfer::srgb, Primaries::bt709), 128, 64);
    const Vec3 weights = colour::luminance_weights(Primaries::bt709);
    const colour::Mat3 gamut = colour::convert_primaries(Primaries::bt2020, Primaries::bt709);
    expect_close(mapped(in,
                        [&](const Vec3& rgb) {
                            return colour::from_linear(
                                Transfer::srgb,
                                colour::into_gamut(gamut * colour::to_linear(Transfer::srgb, rgb), weights));
                        }),
                 run_scene(scene, {in}));
}

} // namespace
} // namespace weft::test
