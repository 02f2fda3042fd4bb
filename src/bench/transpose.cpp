#include <algorithm>
#include <cstring>

#include "base/format.hpp"
#include "bench/climb_private.hpp"
#include "bench/planes_private.hpp"

namespace weft::bench {
namespace {

constexpr int tile = 128; // every kernel's tile divides it

struct Step {
    std::string name, about, file;
    std::vector<std::string> defines;
    int across = 1, down = 1; // samples of a work-item
    int gx = 1, gy = 1;
};

Step tiled(const std::string& name, int padding) {
    return {
        name, "tile 32x32, group 32x8", "tile.cl", {"TILE 32", fmt::format("PADDING {}", padding)}, 1, 4, 32,
        8};
}

std::vector<Step> steps_of(bool cpu, bool floats) {
    std::vector<Step> steps{{"naive", "group 16x16", "naive.cl", {}, 1, 1, 16, 16},
                            tiled("local tile", 0),
                            tiled("padded tile", 1)};
    if (!floats) steps.push_back({"padded tile of words", "tile 128x128", "bytes.cl", {}, 4, 16, 32, 8});
    if (cpu)
        for (const int block : {16, 32})
            steps.push_back({"blocks",
                             fmt::format("{0}x{0}", block),
                             "blocks.cl",
                             {fmt::format("BLOCK {}", block)},
                             block,
                             block,
                             1,
                             1});
    return steps;
}

class Transpose : Climb {
  public:
    Transpose(gpu::Device& device, const BenchKernels& kernels, const PlaneOptions& options, const Told& told)
        : Climb("transpose", device, kernels, options.only, options.timing, told, options.width,
                options.height),
          in_(random_plane(device, options, tile)), out_pitch_(in_.rows + tile),
          out_bytes_(static_cast<size_t>(out_pitch_) * static_cast<size_t>(in_.pitch) * in_.sample_bytes()),
          out_(device.context(), CL_MEM_READ_WRITE, out_bytes_) {
        ladder_.job = "transposition of " + plane_text(options);
        ladder_.comparison = "every sample compared";
    }

    Ladder run() {
        const double plane =
            static_cast<double>(in_.width) * in_.height * static_cast<double>(in_.sample_bytes());
        ladder_.peak.copy_gb_per_s = measure_copy(device_, plane, timing_);
        begin();
        for (const Step& step : steps_of(device_.traits().kind == DeviceKind::cpu, in_.floats)) {
            if (!wants(step.name)) continue;
            Rung rung;
            rung.name = step.name;
            rung.about = step.about;
            rung.bytes = 2 * plane;
            attempt(rung, [&] { measure(step, rung); });
            tell(std::move(rung));
        }
        return std::move(ladder_);
    }

  private:
    void measure(const Step& step, Rung& rung) {
        std::vector<std::string> defines{fmt::format("SAMPLE {}", in_.floats ? "float" : "uchar"),
                                         fmt::format("PITCH {}", in_.pitch),
                                         fmt::format("OUT_PITCH {}", out_pitch_),
                                         fmt::format("GX {}", step.gx), fmt::format("GY {}", step.gy)};
        defines.insert(defines.end(), step.defines.begin(), step.defines.end());
        cl::Kernel kernel = kernels_.load("transpose/" + step.file, defines, "transpose");
        kernel.setArg(0, in_.buffer);
        kernel.setArg(1, out_);
        const auto items = [](int samples, int each, int group) {
            const int reach = each * group;
            return static_cast<size_t>((samples + reach - 1) / reach * group);
        };
        const cl::NDRange global(items(in_.width, step.across, step.gx),
                                 items(in_.height, step.down, step.gy));
        const cl::NDRange local(static_cast<size_t>(step.gx), static_cast<size_t>(step.gy));
        device_.compute().enqueueFillBuffer(out_, uint8_t{0}, 0, out_bytes_);
        rung.ms = time_on(device_, timing_, [&] {
            device_.compute().enqueueNDRangeKernel(kernel, cl::NullRange, global, local);
        });
        rung.worst = worst();
    }

    double worst() {
        std::vector<uint8_t> out(out_bytes_);
        device_.compute().enqueueReadBuffer(out_, CL_TRUE, 0, out.size(), out.data());
        double most = 0;
        for (int x = 0; x < in_.width; ++x)
            for (int y = 0; y < in_.height; ++y) {
                const size_t at =
                    static_cast<size_t>(x) * static_cast<size_t>(out_pitch_) + static_cast<size_t>(y);
                double found = out[at];
                if (in_.floats) {
                    float v = 0;
                    std::memcpy(&v, out.data() + at * sizeof v, sizeof v);
                    found = v;
                }
                most = std::max(most, std::abs(found - in_.value(x, y)));
            }
        return most;
    }

    RandomPlane in_;
    int out_pitch_;
    size_t out_bytes_;
    cl::Buffer out_;
};

} // namespace

Ladder transpose_ladder(gpu::Device& device, const BenchKernels& kernels, const PlaneOptions& options,
                        const Told& told) {
    return Transpose(device, kernels, options, told).run();
}

} // namespace weft::bench
