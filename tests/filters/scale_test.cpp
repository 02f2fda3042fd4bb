// Scalers against their definitions: weights of each sample by its distance, in double, edges replicated.
#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include <gtest/gtest.h>

#include "support/compare.hpp"
#include "support/plan_rig.hpp"

namespace weft::test {
namespace {

using graph::ScaleMethod;

double triangle(double d) {
    return std::max(0.0, 1 - std::fabs(d));
}

// Keys' cubic with a = -0.6, which is Mitchell and Netravali's with B = 0, C = 0.6.
double keys(double d) {
    constexpr double a = -0.6;
    d = std::fabs(d);
    if (d < 1) return (a + 2) * d * d * d - (a + 3) * d * d + 1;
    return d < 2 ? a * (d * d * d - 5 * d * d + 8 * d - 4) : 0;
}

double lanczos(double d) {
    const auto sinc = [](double v) {
        return v == 0 ? 1 : std::sin(std::numbers::pi * v) / (std::numbers::pi * v);
    };
    return std::fabs(d) < 3 ? sinc(d) * sinc(d / 3) : 0;
}

// One axis: the value of output sample `at` from the samples that `read` gives, any index.
double resampled(ScaleMethod method, int in, int out, int at, const std::function<double(int)>& read) {
    const double step = static_cast<double>(in) / out, centre = (at + 0.5) * step - 0.5;
    const double wide = std::max(step, 1.0);
    if (method == ScaleMethod::nearest) return read(static_cast<int>(std::floor(centre + 0.5)));
    const bool boxes = step > 1 && (method == ScaleMethod::area || method == ScaleMethod::automatic);
    double sum = 0, weights = 0;
    for (int i = static_cast<int>(centre - 4 * wide) - 2; i <= static_cast<int>(centre + 4 * wide) + 2; ++i) {
        const double d = (i - centre) / wide;
        double w = 0;
        if (boxes)
            w = std::max(0.0, std::min(centre + step / 2, i + 0.5) - std::max(centre - step / 2, i - 0.5));
        else if (method == ScaleMethod::area || method == ScaleMethod::bilinear)
            w = triangle(d);
        else if (method == ScaleMethod::lanczos)
            w = lanczos(d);
        else
            w = keys(d);
        sum += w * read(i);
        weights += w;
    }
    return sum / weights;
}

Plane resampled(const Plane& in, int width, int height, ScaleMethod method) {
    Plane down(in.width, height), out(width, height);
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < in.width; ++x)
            down(x, y) = resampled(method, in.height, height, y, [&](int i) { return in.edge(x, i); });
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            out(x, y) = resampled(method, in.width, width, x, [&](int i) { return down.edge(i, y); });
    return out;
}

Picture scaled(const Picture& in, int width, int height, ScaleMethod method, const PlanShape& shape) {
    graph::Scene scene = empty_scene(in.layout, width, height);
    scene.streams.push_back(format_of(in.layout, in.width(), in.height()));
    graph::SceneLayer layer;
    layer.w = width;
    layer.h = height;
    layer.fit = graph::Fit::fill;
    layer.scale = method;
    layer.name = "layers[0]";
    scene.layers.push_back(layer);
    return run_scene(scene, {in}, {}, shape);
}

class Scaler : public testing::TestWithParam<ScaleMethod> {};

// Ratios whose weights repeat after one, two, three and more samples, and one that never does.
TEST_P(Scaler, IsItsDefinition) {
    const Picture in = noise(yuv444(), 96, 60);
    for (const auto& [width, height] :
         {std::pair{48, 30}, {64, 40}, {192, 120}, {128, 75}, {71, 97}, {96, 31}}) {
        Picture expected(in.layout, width, height);
        for (size_t p = 0; p < in.planes.size(); ++p) {
            expected.planes[p] = resampled(in.planes[p], width, height, GetParam());
            for (double& v : expected.planes[p].values)
                v = std::clamp(v, 0.0, 1.0);
        }
        for (const bool gpu : {false, true}) {
            SCOPED_TRACE(std::to_string(width) + "x" + std::to_string(height) + (gpu ? " for GPUs" : ""));
            const Picture got = scaled(in, width, height, GetParam(), {.gpu = gpu});
            EXPECT_PICTURES_NEAR(expected, got, 0.51); // rounded once
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Methods, Scaler,
                         testing::Values(ScaleMethod::automatic, ScaleMethod::area, ScaleMethod::bilinear,
                                         ScaleMethod::bicubic, ScaleMethod::lanczos, ScaleMethod::nearest));

// Chroma stays beside the luma it belongs to: a picture that is its own mirror image stays one.
TEST(Scaling, keeps_the_sites_of_chroma) {
    const Layout layout = yuv420();
    Picture in(layout, 64, 32);
    for (size_t p = 0; p < 3; ++p)
        for (int y = 0; y < in.planes[p].height; ++y)
            for (int x = 0; x < in.planes[p].width; ++x) {
                // At the luma columns 0, 2, 4, ...: left-sited chroma.
                const double at = p == 0 ? x : 2 * x;
                in.planes[p](x, y) = (128 + std::round(80 * std::cos(at / 9))) / 255;
            }
    for (const bool gpu : {false, true}) {
        const Picture got = scaled(in, 128, 64, ScaleMethod::bilinear, {.gpu = gpu});
        // Chroma sample k lies at luma column 2k of the result, (2k + 0.5) / 2 - 0.5 of the source.
        for (int k = 4; k < 60; ++k) {
            const double at = (2 * k + 0.5) / 2 - 0.5;
            EXPECT_NEAR(got.planes[1](k, 8) * 255, 128 + 80 * std::cos(at / 9), 2.0) << k << " gpu " << gpu;
        }
    }
}

} // namespace
} // namespace weft::test
