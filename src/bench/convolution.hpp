// weft bench convolution: one convolution, from the plain kernel to the best.
#pragma once

#include "bench/ladder.hpp"

namespace weft::bench {

struct ConvolutionOptions {
    int width = 4096, height = 4096; // of the result
    int filter_width = 16, filter_height = 16;
    bool dense = false;            // weights without a pattern; else a bell, which is of rank one
    std::vector<std::string> only; // see wanted()
    Timing timing;
};

// Every kernel of kernels/bench/convolution in the shapes that fit the device, then plain C++ and OpenCV's
// filter2D (where weft was built with it) on the host; each is verified. A rung that the device refuses says
// so. Errors : resource or device when nothing can be run at all; not_found for the kernels' texts.
Ladder convolution_ladder(gpu::Device& device, const BenchKernels& kernels, const ConvolutionOptions& options,
                          const Told& told);

} // namespace weft::bench
