#include "bench/host_filter.hpp"

#include <algorithm>
#include <cmath>

#ifdef _OPENMP
#include <omp.h>
#endif
#ifdef WEFT_WITH_OPENCV
#include <opencv2/imgproc.hpp>
#endif

#include "base/format.hpp"

// Each function so marked exists once for every generation named; the loader takes the best. Sanitizers do
// not stand how it does that.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) &&     \
    !defined(__SANITIZE_THREAD__)
#define WEFT_GENERATIONS                                                                                     \
    __attribute__((noinline, target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define WEFT_GENERATIONS __attribute__((noinline))
#endif

namespace weft::bench {
namespace {

constexpr int block = 64; // results that are summed side by side, in registers

template<class Sum>
inline __attribute__((always_inline)) void filter_line(const FilterJob& job, int y, Sum* out) {
    const int pitch = job.pitch, width = job.filter_width;
    for (int begin = 0; begin < job.out_width; begin += block) {
        const int count = std::min(block, job.out_width - begin);
        Sum sums[block] = {};
        const float* weight = job.weights.data();
        for (int j = 0; j < job.filter_height; ++j) {
            const float* from = job.samples.data() + static_cast<ptrdiff_t>(y + j) * pitch + begin;
            for (int i = 0; i < width; ++i, ++weight) {
                const Sum w = *weight;
                // A source is wide enough for a whole block.
                for (int k = 0; k < block; ++k)
                    sums[k] += w * static_cast<Sum>(from[i + k]);
            }
        }
        std::copy_n(sums, count, out + begin);
    }
}

WEFT_GENERATIONS void exact_line(const FilterJob& job, int y, double* out) {
    filter_line(job, y, out);
}

WEFT_GENERATIONS void plain_line(const FilterJob& job, int y, float* out) {
    filter_line(job, y, out);
}

} // namespace

std::vector<double> exact_filter(const FilterJob& job) {
    std::vector<double> out(static_cast<size_t>(job.out_width) * static_cast<size_t>(job.out_height));
#ifdef _OPENMP
#pragma omp parallel for
#endif
    for (int y = 0; y < job.out_height; ++y)
        exact_line(job, y, out.data() + static_cast<ptrdiff_t>(y) * job.out_width);
    return out;
}

void plain_filter(const FilterJob& job, float* out) {
#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic, 16)
#endif
    for (int y = 0; y < job.out_height; ++y)
        plain_line(job, y, out + static_cast<ptrdiff_t>(y) * job.out_width);
}

std::string plain_filter_about() {
#ifdef _OPENMP
    return fmt::format("OpenMP, {} threads", omp_get_max_threads());
#else
    return "1 thread";
#endif
}

bool opencv_filter([[maybe_unused]] const FilterJob& job, [[maybe_unused]] float* out) {
#ifdef WEFT_WITH_OPENCV
    // Of the bordered source the part that has all its neighbours; the anchor is the filter's first weight.
    auto* samples = const_cast<float*>(job.samples.data()); // NOLINT: cv::Mat knows no constant memory
    auto* weights = const_cast<float*>(job.weights.data()); // NOLINT
    const cv::Mat whole(job.out_height + job.filter_height - 1, job.out_width + job.filter_width - 1, CV_32F,
                        samples, static_cast<size_t>(job.pitch) * sizeof(float));
    const cv::Mat part = whole(cv::Rect(0, 0, job.out_width, job.out_height));
    const cv::Mat kernel(job.filter_height, job.filter_width, CV_32F, weights);
    cv::Mat result(job.out_height, job.out_width, CV_32F, out);
    cv::filter2D(part, result, CV_32F, kernel, cv::Point(0, 0));
    return true;
#else
    return false;
#endif
}

std::optional<Factors> factors_of(const std::vector<float>& weights, int width, int height) {
    const auto largest = std::max_element(weights.begin(), weights.end(),
                                          [](float a, float b) { return std::abs(a) < std::abs(b); });
    if (largest == weights.end() || *largest == 0) return std::nullopt;
    const auto at = static_cast<int>(largest - weights.begin());
    Factors factors;
    for (int i = 0; i < width; ++i)
        factors.row.push_back(weights[static_cast<size_t>(at / width * width + i)]);
    for (int j = 0; j < height; ++j)
        factors.column.push_back(weights[static_cast<size_t>(j * width + at % width)] / *largest);
    const double rounding = 4 * std::exp2(-24) * std::abs(*largest);
    for (int j = 0; j < height; ++j)
        for (int i = 0; i < width; ++i) {
            const double product = static_cast<double>(factors.column[static_cast<size_t>(j)]) *
                                   factors.row[static_cast<size_t>(i)];
            if (std::abs(product - weights[static_cast<size_t>(j * width + i)]) > rounding)
                return std::nullopt;
        }
    return factors;
}

} // namespace weft::bench
