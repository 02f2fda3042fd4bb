#include <algorithm>
#include <array>
#include <cmath>

#include "base/format.hpp"
#include "bench/climb_private.hpp"
#include "bench/planes_private.hpp"
#include "gpu/reduction.hpp"

namespace weft::bench {
namespace {

using Figures = gpu::PlaneReduction::Figures;

constexpr int tile = 64;
constexpr int tree_group = 256;

class Reduce : Climb {
  public:
    Reduce(gpu::Device& device, const BenchKernels& kernels, const PlaneOptions& options, const Told& told)
        : Climb("reduce", device, kernels, options.only, options.timing, told, options.width, options.height),
          plane_(random_plane(device, options, tile)) {
        exact_.least = HUGE_VAL;
        exact_.most = -HUGE_VAL;
        for (int y = 0; y < plane_.height; ++y)
            for (int x = 0; x < plane_.width; ++x) {
                const double v = plane_.value(x, y);
                exact_.sum += v;
                exact_.least = std::min(exact_.least, v);
                exact_.most = std::max(exact_.most, v);
                ++exact_
                      .counts[static_cast<size_t>(plane_.floats ? std::min(std::floor(v * 256), 255.0) : v)];
            }
        // Float sums of so many values, most of them in trees: the bound of a plain sum of as many as one
        // item adds.
        const double samples = static_cast<double>(plane_.width) * plane_.height;
        sum_tolerance_ = plane_.floats ? 4096 * std::exp2(-24) * exact_.sum : 0;
        ladder_.job = fmt::format("sum, extremes and histogram of {}", plane_text(options));
        ladder_.comparison =
            plane_.floats ? "sums held against one in double, the rest is exact" : "every figure is exact";
        bytes_ = samples * static_cast<double>(plane_.sample_bytes());
    }

    Ladder run() {
        // A copy that reads and writes as many bytes together as the plane has.
        ladder_.peak.copy_gb_per_s = measure_copy(device_, bytes_ / 2, timing_);
        begin();
        tree();
        figures("sum", Figures::sum);
        figures("extremes", Figures::extremes);
        figures("sum and extremes", Figures::sum_and_extremes);
        figures("histogram", Figures::histogram);
        return std::move(ladder_);
    }

  private:
    Rung rung_of(const std::string& name, const std::string& about) const {
        Rung rung;
        rung.name = name;
        rung.about = about;
        rung.bytes = bytes_;
        return rung;
    }

    double off(const gpu::PlaneReduction::Values& values, Figures figures) const {
        double worst = 0;
        if (figures == Figures::histogram)
            for (size_t bin = 0; bin < exact_.counts.size(); ++bin)
                worst =
                    std::max(worst, std::abs(static_cast<double>(values.counts[bin]) - exact_.counts[bin]));
        if (figures == Figures::sum || figures == Figures::sum_and_extremes)
            worst = std::max(worst, std::abs(values.sum - exact_.sum));
        if (figures == Figures::extremes || figures == Figures::sum_and_extremes)
            worst =
                std::max({worst, std::abs(values.least - exact_.least), std::abs(values.most - exact_.most)});
        return worst;
    }

    void figures(const std::string& name, Figures figures) {
        if (!wants(name)) return;
        Rung rung = rung_of(name, "16-byte words");
        attempt(rung, [&] {
            gpu::PlaneReduction reduction(device_, kernels_.programs, kernels_.folder.parent_path(),
                                          {plane_.width, plane_.height,
                                           plane_.floats ? gpu::SampleKind::float32 : gpu::SampleKind::uint8,
                                           8},
                                          figures);
            const gpu::PlaneRef plane{plane_.buffer, 0,
                                      plane_.pitch * static_cast<int>(plane_.sample_bytes())};
            rung.ms = time_on(device_, timing_, [&] { reduction.enqueue(plane); });
            rung.worst = off(reduction.read(), figures);
            if (figures == Figures::sum || figures == Figures::sum_and_extremes)
                rung.tolerance = sum_tolerance_;
        });
        tell(std::move(rung));
    }

    // What everybody writes first; it adds the padding too, which its own exact sum therefore does as well.
    void tree() {
        const std::string name = "sum, plain tree";
        if (!wants(name)) return;
        Rung rung = rung_of(name, "a sample an item");
        attempt(rung, [&] {
            const int total = plane_.pitch * plane_.rows, groups = (total + tree_group - 1) / tree_group;
            double exact = 0;
            for (int y = 0; y < plane_.rows; ++y)
                for (int x = 0; x < plane_.pitch; ++x)
                    exact += plane_.value(x, y);
            const cl::Buffer parts(device_.context(), CL_MEM_READ_WRITE,
                                   sizeof(float) * static_cast<size_t>(groups));
            const cl::Buffer sum(device_.context(), CL_MEM_READ_WRITE, sizeof(float));
            const std::string group = fmt::format("GX {}", tree_group);
            cl::Kernel first = kernels_.load("reduce/tree.cl",
                                             {fmt::format("SAMPLE {}", plane_.floats ? "float" : "uchar"),
                                              fmt::format("TOTAL {}", total), group},
                                             "reduce");
            cl::Kernel second =
                kernels_.load("reduce/tree.cl", {"PARTS", fmt::format("TOTAL {}", groups), group}, "reduce");
            first.setArg(0, plane_.buffer);
            first.setArg(1, parts);
            second.setArg(0, parts);
            second.setArg(1, sum);
            rung.ms = time_on(device_, timing_, [&] {
                device_.compute().enqueueNDRangeKernel(first, cl::NullRange,
                                                       cl::NDRange(static_cast<size_t>(groups) * tree_group),
                                                       cl::NDRange(tree_group));
                device_.compute().enqueueNDRangeKernel(second, cl::NullRange, cl::NDRange(tree_group),
                                                       cl::NDRange(tree_group));
            });
            float found = 0;
            device_.compute().enqueueReadBuffer(sum, CL_TRUE, 0, sizeof found, &found);
            rung.worst = std::abs(found - exact);
            rung.tolerance = 4096 * std::exp2(-24) * exact;
        });
        tell(std::move(rung));
    }

    RandomPlane plane_;
    gpu::PlaneReduction::Values exact_;
    double sum_tolerance_ = 0, bytes_ = 0;
};

} // namespace

Ladder reduce_ladder(gpu::Device& device, const BenchKernels& kernels, const PlaneOptions& options,
                     const Told& told) {
    return Reduce(device, kernels, options, told).run();
}

} // namespace weft::bench
