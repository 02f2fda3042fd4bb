// What plans say they read and compute, against counts by hand.
#include <gtest/gtest.h>

#include "graph/planner.hpp"
#include "graph/text_cost_private.hpp"
#include "graph/timeline.hpp"

namespace weft::graph {
namespace {

constexpr int width = 64, height = 48;
constexpr double samples = width * height;

const FilterLibrary& library() {
    static const FilterLibrary built_in({std::string(WEFT_SOURCE_DIR) + "/filters"});
    return built_in;
}

colour::PictureFormat format(const std::string& pixels, int w = width, int h = height) {
    colour::PictureFormat out;
    out.width = w;
    out.height = h;
    out.pixels = colour::pixel_format(pixels);
    out.colour = colour::resolve({}, out.pixels, w, h);
    out.rate = Rational(25);
    return out;
}

struct Work {
    double read = 0, written = 0, operations = 0;
};

// Of all passes of a pipeline whose inputs are stills of these formats; the output has the first one's
// pixels.
Work work_of(const std::string& body, const std::vector<colour::PictureFormat>& inputs, DeviceKind device) {
    std::vector<InputFacts> facts;
    for (const colour::PictureFormat& input : inputs) {
        InputFacts& one = facts.emplace_back();
        one.format = input;
        one.duration = Rational(1);
    }
    OutputForm output;
    output.format.pixels = inputs.front().pixels;
    output.format.colour = inputs.front().colour;
    const Timeline timeline =
        resolve_timeline(parse_pipeline("weft: 1\n" + body, "p.yaml"), facts, library(), {output});
    DeviceTraits traits;
    traits.kind = device;
    traits.compute_units = 2;
    traits.max_group_size = 256;
    PlannerOptions options;
    options.prelude = load_prelude(std::string(WEFT_SOURCE_DIR) + "/kernels");
    const Plan plan = make_plan(timeline.scenes.front().scene, traits, options);
    Work sum;
    for (const Pass& pass : plan.passes) {
        sum.read += pass.bytes_read;
        sum.written += pass.bytes_written;
        sum.operations += pass.operations;
    }
    return sum;
}

class Planned : public testing::TestWithParam<DeviceKind> {
  protected:
    static Work of(const std::string& body, const std::vector<colour::PictureFormat>& inputs) {
        return work_of(body, inputs, GetParam());
    }
    // One input with these filters at its own size.
    static Work filtered(const std::string& filters, const std::string& pixels) {
        return of("inputs: {a: {url: a, filters: [" + filters + "]}}\n", {format(pixels)});
    }
};
INSTANTIATE_TEST_SUITE_P(Work, Planned, testing::Values(DeviceKind::cpu, DeviceKind::gpu),
                         [](const auto& kind) { return kind.param == DeviceKind::cpu ? "cpu" : "gpu"; });

TEST_P(Planned, ACopyReadsAndWritesEverySampleAndComputesNothing) {
    for (const auto& [pixels, bytes] :
         {std::pair{"gray", 1.0}, {"yuv420p", 1.5}, {"nv12", 1.5}, {"gbrp", 3.0}}) {
        const Work work = filtered("", pixels);
        EXPECT_EQ(work.read, bytes * samples) << pixels;
        EXPECT_EQ(work.written, bytes * samples) << pixels;
        EXPECT_EQ(work.operations, 0) << pixels;
    }
    // Two bytes a sample of 10 bits.
    EXPECT_EQ(filtered("", "yuv422p10le").read, 2 * 2 * samples);
}

// A multiplication and an addition for each of 49 weights.
TEST_P(Planned, AConvolutionOf7x7IsNinetyEightOperationsASample) {
    std::string weights;
    for (int i = 0; i < 49; ++i) // of no rank one
        weights += (i ? ", " : "") + std::to_string(1 + i * i % 11);
    const Work work = filtered("{convolution: {matrix: [" + weights + "], rdiv: 0.004}}", "gray");
    EXPECT_EQ(work.operations, 98 * samples);
    EXPECT_EQ(work.read, samples);
    EXPECT_EQ(work.written, samples);
}

TEST_P(Planned, WeightsOfZeroCostNothing) {
    const Work work =
        filtered("{convolution: {matrix: [0, -1, 0, -1, 5, -1, 0, -1, 0], rdiv: 1}}", "yuv420p");
    EXPECT_EQ(work.operations, 2 * 5 * 1.5 * samples);
}

// Radius 4 is 4 sigma: nine weights down and nine along.
TEST_P(Planned, AGaussianIsTwoSums) {
    EXPECT_EQ(filtered("{gblur: {sigma: 1}}", "gray").operations, 2 * (9 + 9) * samples);
}

TEST_P(Planned, AnAffineFilterIsTwoOperationsASample) {
    EXPECT_EQ(filtered("{eq: {contrast: 1.2}}", "gray").operations, 2 * samples);
    // Neighbours fold into one.
    EXPECT_EQ(filtered("{eq: {contrast: 1.2}}, {eq: {brightness: 0.1}}", "gray").operations, 2 * samples);
}

// A code has one result wherever it stands: on a CPU a table of them, one for each band of rows.
TEST_P(Planned, ADearTextOfACodeIsComputedForEveryCode) {
    const Work codes = filtered("{eq: {gamma: 1.3}}", "gray");
    // A table of 65536 results would serve 3072 samples.
    const Work samples_each = filtered("{eq: {gamma: 1.3}}", "gray16le");
    const double each = samples_each.operations / samples;
    ASSERT_GT(each, 24);
    EXPECT_EQ(codes.read, samples);
    if (GetParam() == DeviceKind::gpu) {
        EXPECT_EQ(codes.operations, samples_each.operations);
    } else {
        const double results = codes.operations / each;
        EXPECT_TRUE(results == 256 || results == 512) << results;
    }
}

// Nine products, six sums, three offsets.
TEST_P(Planned, AMatrixOfThreeColoursIsEighteenOperationsAPixel) {
    EXPECT_EQ(filtered("{colorchannelmixer: {rg: 0.2, gb: 0.1, br: 0.3}}", "gbrp").operations, 18 * samples);
}

// Two lines become one over the full width, then two columns one.
TEST_P(Planned, AnAreaScaleToHalfWeighsTwoOfTwo) {
    const Work work = of("canvas: {size: 32x24}\ninputs: {a: {url: a}}\n", {format("gray")});
    EXPECT_EQ(work.operations, 4 * (samples / 2) + 4 * (samples / 4));
    EXPECT_EQ(work.read, samples);
    EXPECT_EQ(work.written, samples / 4);
}

// Of every four lines one is read, from the first column that is needed to the last: 2, 6, ... 62.
TEST_P(Planned, LinesThatNoSampleNeedsAreNotRead) {
    const Work work =
        of("canvas: {size: 16x12}\ninputs: {a: {url: a}}\nlayers: [{from: a, scale: nearest}]\n",
           {format("gray")});
    EXPECT_EQ(work.read, (62 - 2 + 1) * 12);
    EXPECT_EQ(work.operations, 0);
}

TEST_P(Planned, ACropReadsWhatItKeeps) {
    const double kept = 32 * 16;
    EXPECT_EQ(filtered("{crop: {w: 32, h: 16, x: 8, y: 4}}", "yuv420p").read, 1.5 * kept);
    EXPECT_EQ(filtered("{crop: {w: 32, h: 16, x: 8, y: 4}}, hflip, vflip", "yuv444p").read, 3 * kept);
    // What stands on its side is turned first, all of it.
    EXPECT_EQ(filtered("{crop: {w: 32, h: 16, x: 8, y: 4}}, {transpose: {dir: clock}}", "gray").read,
              samples + kept);
    // A window replicates the edge of what is kept. A GPU stores that first: read and written once more.
    const Work window = filtered("{crop: {w: 32, h: 16, x: 8, y: 4}}, {convolution: {matrix: [1, 2, 1, 2, 5, "
                                 "2, 1, 2, 3], rdiv: 0.05}}",
                                 "gray");
    EXPECT_EQ(window.operations, 2 * 9 * kept);
    EXPECT_EQ(window.read, GetParam() == DeviceKind::cpu ? kept : kept + 2 * kept);
}

TEST_P(Planned, HiddenPartsOfLayersAreNotRead) {
    const Work hidden = of("inputs: {a: {url: a}, b: {url: b}}\nlayers: [{from: a}, {from: b}]\n",
                           {format("gray"), format("gray")});
    EXPECT_EQ(hidden.read, samples);
    const Work half =
        of("inputs: {a: {url: a}, b: {url: b}}\nlayers: [{from: a}, {from: b, rect: [0, 0, 32, 48]}]\n",
           {format("gray"), format("gray", 32, 48)});
    EXPECT_EQ(half.read, samples / 2 + samples / 2);
}

// Both halves of the canvas show all of one picture.
TEST_P(Planned, WhatIsShownTwiceIsReadOnce) {
    const Work work =
        of("canvas: {size: 128x48}\ninputs: {a: {url: a}}\nlayers: [{from: a, rect: [0, 0, 64, 48]}, "
           "{from: a, rect: [64, 0, 64, 48]}]\n",
           {format("gray")});
    EXPECT_EQ(work.written, 2 * samples);
    EXPECT_EQ(work.read, samples);
}

// With opacity 0.5 over what lies below: px_over is four sums of a value and a product, and 1 - alpha; the
// opacity four products.
TEST_P(Planned, ATransparentLayerIsBlended) {
    const Work work = of("inputs: {a: {url: a}, b: {url: b}}\nlayers: [{from: a}, {from: b, opacity: 0.5}]\n",
                         {format("gbrp"), format("gbrp")});
    EXPECT_EQ(work.operations, (4 + 9) * samples);
    EXPECT_EQ(work.read, 2 * 3 * samples);
}

TEST(TextCost, CountsOperatorsBetweenValuesAndWhatCallsDo) {
    const TextCost costs(
        "typedef struct { float r; } Px;\n"
        "#define HALF (1.0f / 2.0f)\n"
        "FN float twice(float x) { return 2.0f * x; } // 3 + 4\n"
        "FN float negative(float x) { return -x; }\n"
        "FN float first(const __global float* restrict p, int i) { i++; return *p; }\n"
        "FN float all(float x) {\n    /* a * b */\n    float y = twice(x) + twice(x + 1.0f);\n"
        "    return fmin(y, x) / 3.0f;\n}\n");
    EXPECT_EQ(costs.of("twice"), 1);
    EXPECT_EQ(costs.of("negative"), 0);
    EXPECT_EQ(costs.of("first"), 0);
    EXPECT_EQ(costs.of("all"), 2 + 1 + 1 + 1 + 1); // two calls, two sums, fmin, a quotient
    EXPECT_EQ(costs.of("sqrt"), 1);
    FilterManifest filter;
    filter.text = "float mine(float v) { return v * v; }\n"
                  "float apply(float v, At at, Params p) { return mine(v) + twice(p.k); }\n";
    EXPECT_EQ(costs.of(filter), 1 + 1 + 1);
}

TEST(ReadsPlace, OfMoreThanComponentRangeAndTime) {
    EXPECT_FALSE(reads_place("float apply(float v, At at, Params p) { return v * p.k; }"));
    EXPECT_FALSE(
        reads_place("float apply(float v, At at, Params p) {\n  // at.x\n  return wf_is_chroma(at) ? "
                    "v : wf_zero(at) + at.mid * at.t + at.c; }"));
    EXPECT_FALSE(reads_place("float flat(float at_x) { return at_x; }"));
    EXPECT_TRUE(reads_place("float apply(float v, At at, Params p) { return v * at.x; }"));
    EXPECT_TRUE(reads_place("float apply(float v, At at, Params p) { return v + at.w; }"));
    EXPECT_TRUE(reads_place("float apply(float v, At at, Params p) { return wf_dither(at) + v; }"));
    EXPECT_TRUE(reads_place("float apply(float v, At at, Params p) { At here = at; return here.x; }"));
}

} // namespace
} // namespace weft::graph
