// The same filter in the ffmpeg program, on the same pictures.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cost.hpp"
#include "kernel_cases.hpp"

namespace weft::bench {

// Runs `ffmpeg` on loops of raw pictures in a folder of its own.
//   threads: one
class FfmpegSide {
  public:
    // folder : for the raw pictures, best in memory. Errors : resource.
    explicit FfmpegSide(std::string folder);

    // Of one picture: `count` pictures through the filter, less the cost of the same loop without it.
    // Errors : internal with what ffmpeg said.
    Cost run(const KernelCase& row, int count);
    // Picture `number` of `count` as it comes out, yuv420p planes without gaps.
    std::vector<uint8_t> picture(const KernelCase& row, int number, int count);

  private:
    std::string loop_file(const colour::PictureFormat& format, int loop);
    std::vector<std::string> command(const KernelCase& row, const std::string& filter, int count);
    Cost base(const KernelCase& row, int count);

    std::string folder_;
};

} // namespace weft::bench
