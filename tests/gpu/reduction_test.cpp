#include "gpu/reduction.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include <gtest/gtest.h>

#include "support/device_as_gpu.hpp"

namespace weft::gpu {
namespace {

using Figures = PlaneReduction::Figures;

// Both shapes: rows for processors, words and trees in local memory for the rest.
class Reduction : public testing::TestWithParam<bool> {
  public:
    static Device& device() { return GetParam() ? test::device_as_gpu() : test::device(); }
};

// A plane with an offset before it and padding behind each line that must not count: it holds extreme values.
template<class Sample>
struct TestPlane {
    int width, height, pitch;
    std::vector<Sample> samples;
    cl::Buffer buffer;
    static constexpr int before = 64; // bytes

    template<class Value>
    TestPlane(int w, int h, Sample padding, Value value)
        : width(w), height(h), pitch(((w + 63) / 64 + 1) * 64) {
        const size_t lead = before / sizeof(Sample);
        std::vector<Sample> all(lead + static_cast<size_t>(pitch) * static_cast<size_t>(h), padding);
        for (int y = 0; y < h; ++y)
            for (int x = 0; x < w; ++x) {
                const auto v = static_cast<Sample>(value(x, y));
                samples.push_back(v);
                all[lead + static_cast<size_t>(y) * static_cast<size_t>(pitch) + static_cast<size_t>(x)] = v;
            }
        buffer = cl::Buffer(Reduction::device().context(), CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
                            all.size() * sizeof(Sample), all.data());
    }
    PlaneRef ref() const { return {buffer, before, pitch * static_cast<int>(sizeof(Sample))}; }
};

template<class Sample>
PlaneReduction::Values reduced(const TestPlane<Sample>& plane, SampleKind kind, Figures figures,
                               int depth = 8, int runs = 2) {
    Programs programs(Reduction::device());
    PlaneReduction reduction(Reduction::device(), programs, std::string(WEFT_SOURCE_DIR) + "/kernels",
                             {plane.width, plane.height, kind, depth}, figures);
    // Each run leaves everything as the next one needs it.
    for (int run = 0; run < runs; ++run)
        reduction.enqueue(plane.ref());
    return reduction.read();
}

uint32_t hashed(int x, int y) {
    uint32_t h = static_cast<uint32_t>(x) * 374761393u + static_cast<uint32_t>(y) * 668265263u;
    h = (h ^ h >> 13) * 1274126177u;
    return h ^ h >> 16;
}

template<class Sample>
void expect_exact(const TestPlane<Sample>& plane, SampleKind kind, int depth) {
    uint64_t sum = 0;
    std::array<uint32_t, PlaneReduction::bins> counts{};
    for (const Sample v : plane.samples) {
        sum += v;
        ++counts[static_cast<size_t>(v >> (depth - 8))];
    }
    const auto [least, most] = std::minmax_element(plane.samples.begin(), plane.samples.end());
    EXPECT_EQ(reduced(plane, kind, Figures::sum, depth).sum, static_cast<double>(sum));
    const auto extremes = reduced(plane, kind, Figures::extremes, depth);
    EXPECT_EQ(extremes.least, *least);
    EXPECT_EQ(extremes.most, *most);
    const auto all = reduced(plane, kind, Figures::sum_and_extremes, depth);
    EXPECT_EQ(all.sum, static_cast<double>(sum));
    EXPECT_EQ(all.least, *least);
    EXPECT_EQ(all.most, *most);
    EXPECT_EQ(reduced(plane, kind, Figures::histogram, depth).counts, counts);
}

// Sizes around words of 16 bytes, lines of one sample, and more samples than one group takes.
const std::vector<std::pair<int, int>> sizes{{1, 1}, {16, 3}, {17, 5}, {31, 2}, {1, 40}, {643, 517}};

TEST_P(Reduction, bytes_are_exact) {
    for (const auto& [w, h] : sizes) {
        SCOPED_TRACE(std::to_string(w) + "x" + std::to_string(h));
        expect_exact(TestPlane<uint8_t>(w, h, 255, [](int x, int y) { return 3 + hashed(x, y) % 250; }),
                     SampleKind::uint8, 8);
        expect_exact(TestPlane<uint8_t>(w, h, 0, [](int x, int y) { return 3 + hashed(x, y) % 250; }),
                     SampleKind::uint8, 8);
    }
}

TEST_P(Reduction, ten_and_sixteen_bits_are_exact) {
    for (const auto& [w, h] : sizes) {
        SCOPED_TRACE(std::to_string(w) + "x" + std::to_string(h));
        expect_exact(TestPlane<uint16_t>(w, h, 1023, [](int x, int y) { return 5 + hashed(x, y) % 1000; }),
                     SampleKind::uint16, 10);
        expect_exact(TestPlane<uint16_t>(w, h, 0, [](int x, int y) { return 65535 - hashed(x, y) % 60000; }),
                     SampleKind::uint16, 16);
    }
}

// 4 Gi and more: the sum of 8-bit white of 4300x4000 needs 33 bits.
TEST_P(Reduction, sums_need_more_than_32_bits) {
    const TestPlane<uint8_t> plane(4300, 4000, 7, [](int, int) { return 255; });
    EXPECT_EQ(reduced(plane, SampleKind::uint8, Figures::sum).sum, 255.0 * 4300 * 4000);
}

TEST_P(Reduction, floats) {
    for (const auto& [w, h] : sizes) {
        SCOPED_TRACE(std::to_string(w) + "x" + std::to_string(h));
        const TestPlane<float> plane(w, h, 1e30f, [](int x, int y) {
            return static_cast<float>(hashed(x, y) % 4096) / 2048.0f -
                   0.5f; // exact in eighths of a thousandth
        });
        double sum = 0, size = 0;
        std::array<uint32_t, PlaneReduction::bins> counts{};
        for (const float v : plane.samples) {
            sum += static_cast<double>(v);
            size += std::abs(static_cast<double>(v));
            ++counts[static_cast<size_t>(std::clamp(std::floor(v * 256), 0.0f, 255.0f))];
        }
        const auto [least, most] = std::minmax_element(plane.samples.begin(), plane.samples.end());
        const auto all = reduced(plane, SampleKind::float32, Figures::sum_and_extremes);
        // The error bound of a float sum in which no term goes through more than 1024 additions.
        EXPECT_NEAR(all.sum, sum, 1024 * std::exp2(-24) * size);
        EXPECT_EQ(all.least, *least);
        EXPECT_EQ(all.most, *most);
        EXPECT_EQ(reduced(plane, SampleKind::float32, Figures::histogram).counts, counts);
    }
}

std::string shape_name(const testing::TestParamInfo<bool>& tested) {
    return tested.param ? "words" : "as_the_device_is";
}
INSTANTIATE_TEST_SUITE_P(shapes, Reduction, testing::Bool(), shape_name);

} // namespace
} // namespace weft::gpu
