#include "bench/convolution.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.hpp"
#include "base/format.hpp"
#include "bench/climb_private.hpp"
#include "bench/convolution_steps_private.hpp"

namespace weft::bench {
namespace {

constexpr int line_gap = 32; // so that lines do not lie a power of two apart

int up_to(int value, int multiple) {
    return (value + multiple - 1) / multiple * multiple;
}

size_t area(int width, int height) {
    return static_cast<size_t>(width) * static_cast<size_t>(height);
}

FilterJob make_job(const ConvolutionOptions& options) {
    FilterJob job;
    job.out_width = options.width;
    job.out_height = options.height;
    job.filter_width = options.filter_width;
    job.filter_height = options.filter_height;
    // Leaning, so that no two weights are equal.
    const auto bell = [](int i, int count) {
        const double x = (i - 0.45 * (count - 1)) / (0.25 * count + 0.5);
        return static_cast<float>(std::exp(-x * x / 2));
    };
    uint32_t state = 1;
    const auto random = [&] {
        state = state * 1664525u + 1013904223u;
        return static_cast<float>(state >> 8) / 16777216.0f;
    };
    for (int j = 0; j < job.filter_height; ++j)
        for (int i = 0; i < job.filter_width; ++i)
            job.weights.push_back(options.dense ? random() - 0.25f
                                                : bell(i, job.filter_width) * bell(j, job.filter_height));
    const float sum = std::accumulate(job.weights.begin(), job.weights.end(), 0.0f);
    for (float& weight : job.weights)
        weight /= sum;
    job.pitch = up_to(up_to(options.width, reach_across) + options.filter_width + 4, line_gap) + line_gap;
    job.samples.resize(area(job.pitch, options.height + reach_down + options.filter_height));
    for (float& sample : job.samples)
        sample = random();
    return job;
}

class Convolution : Climb {
  public:
    Convolution(gpu::Device& device, const BenchKernels& kernels, const ConvolutionOptions& options,
                const Told& told)
        : Climb("convolution", device, kernels, options.only, options.timing, told, options.width,
                options.height),
          job_(make_job(options)), exact_(exact_filter(job_)),
          factors_(factors_of(job_.weights, job_.filter_width, job_.filter_height)),
          padded_width_(up_to(job_.filter_width, 4)),
          out_pitch_(up_to(job_.out_width, reach_across) + line_gap) {
        double weight = 0;
        for (const float w : job_.weights)
            weight += std::abs(w);
        tolerance_ = (static_cast<double>(job_.weights.size()) + 8) * std::exp2(-24) * weight;
        ladder_.job = fmt::format("convolution of {}x{} floats with a filter of {}x{}{}", job_.out_width,
                                  job_.out_height, job_.filter_width, job_.filter_height,
                                  factors_ ? ", which is of rank one" : "");
        ladder_.comparison =
            fmt::format("every result held against sums in double, allowed {:.2g}: the error "
                        "bound of a float sum of {} products",
                        tolerance_, job_.weights.size());
    }

    Ladder run() {
        upload();
        ladder_.peak.copy_gb_per_s = measure_copy(device_, bytes(1) / 2, timing_);
        ladder_.peak.gflop_per_s = measure_multiply_adds(device_, kernels_, timing_);
        begin();
        for (const Step& step :
             convolution_steps(device_.traits().kind, job_, factors_ ? &*factors_ : nullptr))
            if (wants(step.name)) measure(step);
        std::vector<float> out(exact_.size());
        const std::string plain = "plain C++", opencv = "OpenCV filter2D";
        if (wants(plain))
            measure_host(plain, plain_filter_about(), out, [&] { plain_filter(job_, out.data()); });
        if (wants(opencv) && opencv_filter(job_, out.data()))
            measure_host(opencv, "", out, [&] { opencv_filter(job_, out.data()); });
        return std::move(ladder_);
    }

  private:
    cl::Buffer make_buffer(size_t floats) const {
        return {device_.context(), CL_MEM_READ_WRITE, floats * sizeof(float)};
    }

    void upload() {
        in_ = make_buffer(job_.samples.size());
        const size_t results = area(out_pitch_, job_.out_height + reach_down + job_.filter_height);
        out_ = make_buffer(results);
        device_.compute().enqueueWriteBuffer(in_, CL_TRUE, 0, job_.samples.size() * sizeof(float),
                                             job_.samples.data());
        for (int j = 0; j < job_.filter_height; ++j) {
            const auto row = job_.weights.begin() + j * job_.filter_width;
            padded_.insert(padded_.end(), row, row + job_.filter_width);
            padded_.resize(area(padded_width_, j + 1));
        }
        weights_ = make_buffer(padded_.size());
        device_.compute().enqueueWriteBuffer(weights_, CL_TRUE, 0, padded_.size() * sizeof(float),
                                             padded_.data());
        if (factors_) between_ = make_buffer(results);
    }

    // Of so many launches, each of which reads and writes everything once.
    double bytes(size_t launches) const {
        const size_t read =
            area(job_.out_width + job_.filter_width - 1, job_.out_height + job_.filter_height - 1);
        return static_cast<double>(launches * sizeof(float)) *
               static_cast<double>(read + area(job_.out_width, job_.out_height));
    }

    cl::Kernel kernel_of(const StepLaunch& launch) const {
        const bool between = launch.source == StepLaunch::Source::between;
        std::vector<std::string> defines{fmt::format("FW {}", job_.filter_width),
                                         fmt::format("FH {}", job_.filter_height),
                                         fmt::format("FW4 {}", padded_width_),
                                         fmt::format("PITCH {}", between ? out_pitch_ : job_.pitch),
                                         fmt::format("OUT_PITCH {}", out_pitch_),
                                         fmt::format("GX {}", launch.gx),
                                         fmt::format("GY {}", launch.gy)};
        if (launch.weights == StepLaunch::Weights::in_text)
            defines.push_back("WEIGHT_LIST " + literals(padded_));
        std::string lines;
        for (int line = 0; line < launch.down + job_.filter_height - 1; ++line)
            lines += fmt::format(" F({})", line);
        defines.push_back("EACH_LINE(F)" + lines);
        defines.insert(defines.end(), launch.defines.begin(), launch.defines.end());
        return kernels_.load("convolution/" + launch.file, defines, "convolve");
    }

    // What enqueues one launch.
    std::function<void()> prepare(const StepLaunch& launch, bool last) {
        cl::Kernel kernel = kernel_of(launch);
        cl_uint argument = 0;
        if (launch.source == StepLaunch::Source::image)
            kernel.setArg(argument++, image());
        else
            kernel.setArg(argument++, launch.source == StepLaunch::Source::between ? between_ : in_);
        if (launch.weights == StepLaunch::Weights::buffer) kernel.setArg(argument++, weights_);
        kernel.setArg(argument, last ? out_ : between_);
        // Items beyond the width must not write into the next line, which others make at the same time.
        WEFT_CHECK(reach_across % (launch.across * launch.gx) == 0 && launch.down * launch.gy <= reach_down);
        const auto items = [](int results, int each, int group) {
            return static_cast<size_t>(up_to((results + each - 1) / each, group));
        };
        const cl::NDRange global(items(job_.out_width, launch.across, launch.gx),
                                 items(job_.out_height + launch.rows_more, launch.down, launch.gy));
        const cl::NDRange local(static_cast<size_t>(launch.gx), static_cast<size_t>(launch.gy));
        return [this, kernel, global, local] {
            device_.compute().enqueueNDRangeKernel(kernel, cl::NullRange, global, local);
        };
    }

    const cl::Image2D& image() {
        if (image_() != nullptr) return image_;
        const size_t width = static_cast<size_t>(job_.pitch), height = job_.samples.size() / width;
        image_ =
            cl::Image2D(device_.context(), CL_MEM_READ_ONLY, cl::ImageFormat(CL_R, CL_FLOAT), width, height);
        device_.compute().enqueueWriteImage(image_, CL_TRUE, {0, 0, 0}, {width, height, 1}, 0, 0,
                                            job_.samples.data());
        return image_;
    }

    void measure(const Step& step) {
        Rung rung;
        rung.name = step.name;
        rung.about = step.about;
        rung.bytes = bytes(step.launches.size());
        rung.operations = 2.0 * static_cast<double>(area(job_.out_width, job_.out_height)) *
                          (step.separable ? job_.filter_width + job_.filter_height
                                          : job_.filter_width * job_.filter_height);
        rung.tolerance = tolerance_;
        attempt(rung, [&] {
            std::vector<std::function<void()>> launches;
            for (const StepLaunch& launch : step.launches)
                launches.push_back(prepare(launch, &launch == &step.launches.back()));
            // What an earlier rung left behind must not pass for this one's.
            device_.compute().enqueueFillBuffer(out_, 0.0f, 0, out_.getInfo<CL_MEM_SIZE>());
            rung.ms = time_on(device_, timing_, [&] {
                for (const auto& launch : launches)
                    launch();
            });
            rung.worst = worst(results());
        });
        tell(std::move(rung));
    }

    template<class Work>
    void measure_host(const std::string& name, const std::string& about, const std::vector<float>& out,
                      const Work& work) {
        Rung rung;
        rung.name = name;
        rung.about = about;
        rung.host = true;
        rung.bytes = bytes(1);
        rung.operations = 2.0 * static_cast<double>(exact_.size()) * static_cast<double>(job_.weights.size());
        rung.tolerance = tolerance_;
        rung.ms = time_host(timing_, work);
        rung.worst = worst(out);
        tell(std::move(rung));
    }

    std::vector<float> results() {
        std::vector<float> out(exact_.size());
        const size_t line = static_cast<size_t>(job_.out_width) * sizeof(float);
        device_.compute().enqueueReadBufferRect(
            out_, CL_TRUE, {0, 0, 0}, {0, 0, 0}, {line, static_cast<size_t>(job_.out_height), 1},
            static_cast<size_t>(out_pitch_) * sizeof(float), 0, line, 0, out.data());
        return out;
    }

    double worst(const std::vector<float>& out) const {
        double most = 0;
        for (size_t i = 0; i < out.size(); ++i) {
            const double off = std::abs(out[i] - exact_[i]);
            if (!(off <= most)) most = std::isnan(off) ? HUGE_VAL : off;
        }
        return most;
    }

    FilterJob job_;
    std::vector<double> exact_;
    std::optional<Factors> factors_;
    int padded_width_, out_pitch_; // the filter's row, and a line of results, in floats
    double tolerance_ = 0;
    std::vector<float> padded_; // the filter with its rows padded
    cl::Buffer in_, out_, between_, weights_;
    cl::Image2D image_;
};

} // namespace

Ladder convolution_ladder(gpu::Device& device, const BenchKernels& kernels, const ConvolutionOptions& options,
                          const Told& told) {
    return Convolution(device, kernels, options, told).run();
}

} // namespace weft::bench
