// Figures of a whole plane, made on the device: sum, extremes, histogram.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>

#include "gpu/picture.hpp"
#include "gpu/program.hpp"

namespace weft::gpu {

enum class SampleKind { uint8, uint16, float32 };

struct PlaneShape {
    int width = 0, height = 0; // samples; neither is 0
    SampleKind kind = SampleKind::uint8;
    int depth = 8; // bits of an integer sample, for the histogram's bins
};

// What a reduction leaves on the device: one run at a time, the next may begin when the last one has ended.
//   threads: one
class PlaneReduction {
  public:
    enum class Figures { sum, extremes, sum_and_extremes, histogram };
    static constexpr int bins =
        256; // integers: of the upper 8 bits of `depth`; floats: of 0..1, the ends take more

    // kernels : the data folder of that name. Errors : device, resource, not_found.
    PlaneReduction(Device& device, Programs& programs, const std::filesystem::path& kernels,
                   const PlaneShape& shape, Figures figures);

    // Enqueues one launch on the compute queue. The plane is as everywhere: its lines begin at multiples of
    // 16 bytes (but on CPUs) and the padding behind a line may be read. Errors : device.
    cl::Event enqueue(const PlaneRef& plane, const std::vector<cl::Event>* after = nullptr);

    // Where kernels find what the last run left. Histogram: uint[bins]; else uint[4]: least and most as uint
    // or float, then the sum, an ulong or a float and 4 bytes of nothing.
    const cl::Buffer& result() const { return result_; }

    struct Values {
        double sum = 0, least = 0, most = 0; // those that were asked for
        std::array<uint32_t, bins> counts{}; // of a histogram
    };
    // Waits for the last run. Errors : device.
    Values read();

  private:
    Device& device_;
    PlaneShape shape_;
    Figures figures_;
    cl::Kernel kernel_;
    cl::NDRange global_, local_;
    cl::Buffer parts_, counter_, result_;
};

} // namespace weft::gpu
