// The prelude's look-ups: published values, the definition in double, the ffmpeg program.
#include <array>
#include <cmath>
#include <cstring>

#include <gtest/gtest.h>

#include "base/format.hpp"
#include "graph/makers_private.hpp"
#include "support/compare.hpp"
#include "support/ffmpeg.hpp"
#include "support/mini_kernel.hpp"
#include "support/reference_filters.hpp"
#include "support/temp_folder.hpp"

namespace weft::test {
namespace {

using graph::LookupTable;
using Rgb = std::array<double, 3>;

// `function` of a table on pixels; r g b r g b ...
std::vector<float> look_up(const LookupTable& table, const std::string& function,
                           const std::vector<float>& pixels) {
    std::string domain, range;
    for (size_t c = 0; c < 3; ++c) {
        const double scale = (table.size - 1) / (table.domain_max[c] - table.domain_min[c]);
        domain +=
            fmt::format("{}(float){:.9g}, (float){:.9g}", c ? ", " : "", scale, -table.domain_min[c] * scale);
        range += fmt::format("{}(float){:.9g}, (float){:.9g}", c ? ", " : "", table.packed_step[c],
                             table.packed_low[c]);
    }
    const std::string more = table.dimensions == 3 ? fmt::format(", (wf_floats6){{{}}}", range) : "";
    const std::string call =
        fmt::format("{}(px_make(xs[i - i % 3], xs[i - i % 3 + 1], xs[i - i % 3 + 2], 1.0f), "
                    "(const __global ulong*)ys, {}, (wf_floats6){{{}}}{})",
                    function, table.size, domain, more);
    std::vector<float> words(2 * table.packed.size());
    std::memcpy(words.data(), table.packed.data(), 8 * table.packed.size());
    return map_floats(fmt::format("i % 3 == 0 ? {0}.r : i % 3 == 1 ? {0}.g : {0}.b", call), pixels, words);
}

Rgb look_up_one(const LookupTable& table, const std::string& function, const Rgb& pixel) {
    const std::vector<float> out =
        look_up(table, function,
                {static_cast<float>(pixel[0]), static_cast<float>(pixel[1]), static_cast<float>(pixel[2])});
    return {out[0], out[1], out[2]};
}

LookupTable cube(const std::string& text) {
    const TempFolder folder;
    return graph::read_cube(folder.write("t.cube", text));
}

void expect_codes(const Rgb& got, const Rgb& codes, double tolerance) {
    for (size_t c = 0; c < 3; ++c)
        EXPECT_NEAR(got[c] * 255, codes[c], tolerance) << "component " << c;
}

// A table of n nodes an axis that bends and mixes the colours.
std::string bent_cube(int n) {
    std::string text = fmt::format("LUT_3D_SIZE {}\n", n);
    for (int b = 0; b < n; ++b)
        for (int g = 0; g < n; ++g)
            for (int r = 0; r < n; ++r) {
                const double x = r / (n - 1.0), y = g / (n - 1.0), z = b / (n - 1.0);
                text += fmt::format("{:.6f} {:.6f} {:.6f}\n", 0.9 * x * x + 0.1 * z,
                                    std::sqrt(0.2 + 0.8 * y) - 0.1 * x, 0.3 * y + 0.7 * std::sin(1.5 * z));
            }
    return text;
}

Picture looked_up(const LookupTable& table, const std::string& function, const Picture& in) {
    std::vector<float> pixels;
    for (size_t i = 0; i < in.planes[0].values.size(); ++i)
        for (size_t c = 0; c < 3; ++c)
            pixels.push_back(static_cast<float>(in.planes[c].values[i]));
    const std::vector<float> got = look_up(table, function, pixels);
    Picture out = in;
    for (size_t i = 0; i < in.planes[0].values.size(); ++i)
        for (size_t c = 0; c < 3; ++c)
            out.planes[c].values[i] = got[3 * i + c];
    return out;
}

constexpr const char* interpolations[] = {"nearest", "trilinear", "tetrahedral"};

TEST(Tables, apply_a_one_dimensional_cube) {
    const LookupTable table = cube("TITLE \"1D\"\nLUT_1D_SIZE 4\n0 0 0\n0.3 0.1 0.05\n0.6 0.7 0.2\n1 1 1\n");
    expect_codes(look_up_one(table, "wf_curves", Rgb{85 / 255., 85 / 255., 85 / 255.}), {76.5, 25.5, 12.75},
                 0.001);
    expect_codes(look_up_one(table, "wf_curves", Rgb{170 / 255., 170 / 255., 170 / 255.}), {153, 178.5, 51},
                 0.001);
    // 0x80 lies at 384/255 of a sample: 129/255 of the way from the second to the third.
    expect_codes(look_up_one(table, "wf_curves", Rgb{128 / 255., 128 / 255., 128 / 255.}),
                 {76.5 + 38.7, 25.5 + 0.6 * 129, 12.75 + 0.15 * 129}, 0.001);
    expect_codes(look_up_one(table, "wf_curves", Rgb{-1, 2, 1}), {0, 255, 255}, 0.001);
}

TEST(Tables, apply_a_cube_of_two_nodes) {
    const LookupTable table =
        cube("LUT_3D_SIZE 2\n0 0 0\n1 0 0\n0 .75 0\n1 .75 0\n0 .25 1\n1 .25 1\n0 1 1\n1 1 1");
    for (const char* name : interpolations) {
        SCOPED_TRACE(name);
        expect_codes(look_up_one(table, std::string("wf_lut_") + name, Rgb{0, 1, 0}), {0, 191.25, 0}, 0.001);
        expect_codes(look_up_one(table, std::string("wf_lut_") + name, Rgb{0, 0, 1}), {0, 63.75, 255}, 0.001);
        expect_codes(look_up_one(table, std::string("wf_lut_") + name, Rgb{-3, 7, -1}), {0, 191.25, 0},
                     0.001);
    }
}

TEST(Tables, respect_the_domain) {
    std::string text = "DOMAIN_MIN 0 0 0\nDOMAIN_MAX 0.1 0.1 0.1\nLUT_3D_SIZE 2\n";
    for (int i = 0; i < 7; ++i)
        text += "1 0 0\n";
    const LookupTable table = cube(text + "0 0 1\n");
    const auto grey = [&](const char* name, int code) {
        return look_up_one(table, std::string("wf_lut_") + name, Rgb{code / 255., code / 255., code / 255.});
    };
    expect_codes(grey("trilinear", 0), {255, 0, 0}, 0.001);
    // 0x0D is 0.5098 of the domain; trilinear weighs the last node with its cube.
    const double part = 13 / 25.5, cubed = part * part * part;
    expect_codes(grey("trilinear", 0x0D), {255 * (1 - cubed), 0, 255 * cubed}, 0.001);
    expect_codes(grey("tetrahedral", 0x0D), {255 * (1 - part), 0, 255 * part}, 0.001);
    for (const char* name : interpolations) {
        expect_codes(grey(name, 0x1A), {0, 0, 255}, 0.001);
        expect_codes(grey(name, 0x80), {0, 0, 255}, 0.001);
    }
}

TEST(Tables, interpolate_by_definition) {
    const TempFolder folder;
    const std::string file = folder.write("bent.cube", bent_cube(9));
    const LookupTable table = graph::read_cube(file);
    for (const char* name : interpolations) {
        SCOPED_TRACE(name);
        const Picture in = noise(rgb(), 64, 64);
        const Picture expected = reference(picture_filter("lut3d", {{"file", file}, {"interp", name}}), in);
        const Picture got = looked_up(table, std::string("wf_lut_") + name, in);
        for (size_t c = 0; c < 3; ++c)
            for (size_t i = 0; i < 64 * 64; ++i)
                ASSERT_NEAR(got.planes[c].values[i], expected.planes[c].values[i], 2e-6) << "sample " << i;
    }
}

TEST(Tables, give_what_ffmpeg_gives) {
    const TempFolder folder;
    const std::string file = folder.write("bent.cube", bent_cube(17));
    const LookupTable table = graph::read_cube(file);
    for (const char* name : interpolations) {
        const Picture in = noise(rgb(), 64, 64, 5);
        const Picture expected = ffmpeg_filter(in, "lut3d=file=" + file + ":interp=" + name);
        const Picture got = looked_up(table, std::string("wf_lut_") + name, in);
        // ffmpeg cuts off what lies behind the point.
        for (size_t c = 0; c < 3; ++c)
            for (size_t i = 0; i < 64 * 64; ++i)
                ASSERT_NEAR(got.planes[c].values[i] * 255, expected.planes[c].values[i] * 255, 1.001)
                    << name << ", sample " << i;
    }
}

TEST(Tables, follow_the_curves_of_the_host) {
    const graph::FilterUse use =
        picture_filter("curves", {{"preset", "cross_process"}, {"master", "0/0.1 0.4/0.6 1/1"}});
    const LookupTable table = graph::curves_table(use);
    const Picture in = noise(rgb(), 64, 64, 3);
    const Picture expected = reference(use, in), got = looked_up(table, "wf_curves", in);
    for (size_t c = 0; c < 3; ++c)
        for (size_t i = 0; i < 64 * 64; ++i)
            ASSERT_NEAR(got.planes[c].values[i], expected.planes[c].values[i], 0.1 / 1023) << "sample " << i;
}

TEST(Tables, sample_a_picture_between_its_centres) {
    // 2 x 2: 0 1 / 2 4; centres at 1/4 and 3/4.
    const std::vector<float> picture{0, 1, 2, 4, 0, 0, 0, 0};
    const std::vector<float> at{0.25f, 0.75f, 0.5f, 0.0f, 1.0f, 0.5f, -3.0f, 0.625f};
    const auto sample = [&](const std::string& y) {
        return map_floats("wf_picture_at(ys, 2, 2, x, " + y + ")", at, picture);
    };
    const std::vector<float> top{0, 1, 0.5f, 0, 1, 0.5f, 0, 0.75f},
        middle{1, 2.5f, 1.75f, 1, 2.5f, 1.75f, 1, 2.125f};
    EXPECT_EQ(sample("0.25f"), top);
    EXPECT_EQ(sample("-1.0f"), top);
    EXPECT_EQ(sample("0.5f"), middle);
    EXPECT_EQ(map_floats("wf_picture_at(ys, 1, 1, x, x)", at, {5}), std::vector<float>(8, 5.0f));
}

} // namespace
} // namespace weft::test
