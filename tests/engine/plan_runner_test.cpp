#include "engine/plan_runner.hpp"

#include <cstring>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "gpu/output.hpp"
#include "gpu/upload.hpp"
#include "support/device.hpp"

namespace weft::engine {
namespace {

colour::PictureFormat gray(int width, int height) {
    colour::PictureFormat format;
    format.width = width;
    format.height = height;
    format.pixels = colour::pixel_format("gray");
    format.colour = colour::resolve({}, format.pixels, width, height);
    return format;
}

template<class Value>
std::vector<uint8_t> bytes_of(const Value& value) {
    std::vector<uint8_t> bytes(sizeof value);
    std::memcpy(bytes.data(), &value, sizeof value);
    return bytes;
}

constexpr int width = 8, height = 3;

// Two passes over an intermediate buffer: first picture + table, then times a parameter plus the tick's
// values.
const char* const text = R"(
typedef struct { float t, n, progress; uint seed; } Tick;
typedef struct { int factor; } Params;
__kernel void first(__global const uchar* in, int offset, int pitch, __global const uchar* table,
                    __global uchar* middle) {
    const int x = get_global_id(0), y = get_global_id(1);
    middle[y * 8 + x] = in[offset + y * pitch + x] + table[x];
}
__kernel void second(__global const uchar* middle, Params p, Tick tick, __global uchar* out, int offset, int pitch) {
    const int x = get_global_id(0), y = get_global_id(1);
    out[offset + y * pitch + x] =
        middle[y * 8 + x] * p.factor + (int)tick.n + (int)(tick.progress * 100.0f) + (int)tick.seed;
})";

graph::Plan two_passes() {
    graph::Plan plan;
    plan.buffers.push_back({"table", 8, {0, 1, 2, 3, 4, 5, 6, 7}, 0});
    plan.buffers.push_back({"middle", width * height, {}, 1});
    graph::Pass first;
    first.title = "first";
    first.text = text;
    first.kernel = "first";
    first.global = {width, height};
    first.args = {graph::StreamPlane{0, 0}, graph::BufferArg{0}, graph::BufferArg{1}};
    graph::Pass second = first;
    second.title = "second";
    second.kernel = "second";
    second.args = {graph::BufferArg{1}, graph::BytesArg{bytes_of(int{2}), 0}, graph::TickArg{1},
                   graph::OutputPlane{0, 0}};
    plan.passes = {first, second};
    plan.live = {{"layers[0].filters[0]", "scale"}};
    plan.outputs = {{gray(width, height)}};
    plan.slot_count = 2;
    return plan;
}

struct Bench {
    gpu::Programs programs{test::device()};
    PlanRunner runner{test::device(), programs, two_passes()};
    gpu::Uploader uploader{test::device(), gpu::UploadPath::pageable, 1};
    gpu::OutputPictures outputs{test::device(), gray(width, height), 1};

    // Sample (x, y) of the picture is 10 * y + x; the result's sample.
    std::vector<int> run(const std::vector<float>& progress, float n, uint32_t seed) {
        std::vector<uint8_t> picture(width * height);
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x)
                picture[static_cast<size_t>(y * width + x)] = uint8_t(10 * y + x);
        colour::HostPlanes planes;
        planes.data[0] = picture.data();
        planes.pitch[0] = width;
        const gpu::Upload upload = uploader.upload(0, planes, gray(width, height));
        TickInputs inputs;
        inputs.streams = {upload.picture};
        inputs.uploads = {upload.ready};
        inputs.outputs = {outputs.device(0)};
        inputs.progress = progress;
        inputs.tick.n = n;
        inputs.tick.seed = seed;
        outputs.fetch(0, runner.run(inputs)).wait();
        std::vector<int> samples;
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x)
                samples.push_back(outputs.host(0).data[0][y * outputs.host(0).pitch[0] + x]);
        return samples;
    }
};

std::vector<int> expected(int factor, int sum) {
    std::vector<int> samples;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            samples.push_back((10 * y + x + x) * factor + sum);
    return samples;
}

TEST(PlanRunner, SetsPlanesTablesParametersAndTheRightTransition) {
    Bench bench;
    EXPECT_EQ(bench.run({0.75f, 0.25f}, 3, 4), expected(2, 3 + 25 + 4));
    EXPECT_EQ(bench.run({0.0f, 0.5f}, 7, 0), expected(2, 7 + 50));
}

TEST(PlanRunner, WarmingUpChangesNothing) {
    Bench bench;
    bench.runner.warm({gray(width, height)});
    EXPECT_EQ(bench.run({0, 0}, 1, 0), expected(2, 1));
}

TEST(PlanRunner, LiveParametersHoldFromTheNextTick) {
    Bench bench;
    EXPECT_EQ(bench.run({0, 0}, 0, 0), expected(2, 0));
    bench.runner.set_live(0, bytes_of(int{3}));
    EXPECT_EQ(bench.run({0, 0}, 0, 0), expected(3, 0));
}

TEST(PlanRunner, BuffersOfOneSlotShareMemory) {
    gpu::Programs programs(test::device());
    graph::Plan plan = two_passes();
    plan.buffers.push_back({"later", 100, {}, 1});
    const PlanRunner runner(test::device(), programs, plan);
    EXPECT_EQ(runner.bytes(), 8u + 100u);
}

// More work-items than any device takes at once: the kernel runs in smaller groups.
TEST(PlanRunner, GroupsAreNoLargerThanTheDeviceCanRun) {
    constexpr int many = 1 << 16;
    graph::Plan plan;
    graph::Pass& pass = plan.passes.emplace_back();
    pass.title = pass.kernel = "many";
    pass.text = "__kernel void many(__global uchar* out, int offset, int pitch) {\n"
                "out[offset + get_global_id(0)] = get_global_id(0) % 251; }\n";
    pass.global = pass.local = {many, 1};
    pass.args = {graph::OutputPlane{0, 0}};
    plan.outputs = {{gray(many, 1)}};
    gpu::Programs programs(test::device());
    PlanRunner runner(test::device(), programs, plan);
    gpu::OutputPictures outputs(test::device(), gray(many, 1), 1);
    TickInputs inputs;
    inputs.outputs = {outputs.device(0)};
    outputs.fetch(0, runner.run(inputs)).wait();
    for (int x = 0; x < many; ++x)
        ASSERT_EQ(outputs.host(0).data[0][x], x % 251) << x;
}

TEST(PlanRunner, BrokenTextNamesPassAndFile) {
    gpu::Programs programs(test::device());
    graph::Plan plan = two_passes();
    plan.passes[1].text = "// a\n__kernel void second(__global uchar* p) { p[0] = missing; }\n";
    plan.sources = {{}, {{2, 1, "mine.cl", 7}}};
    try {
        const PlanRunner runner(test::device(), programs, plan);
        FAIL() << "broken text was built";
    } catch (const Error& error) {
        EXPECT_EQ(error.place().file, "mine.cl");
        EXPECT_EQ(error.place().line, 7);
        EXPECT_NE(error.message().find("second"), std::string::npos);
    }
}

} // namespace
} // namespace weft::engine
