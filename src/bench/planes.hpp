// weft bench transpose and reduce: what moves planes and what sums them up, against a device copy.
#pragma once

#include "bench/ladder.hpp"

namespace weft::bench {

struct PlaneOptions {
    int width = 3840, height = 2160;
    bool floats = false;           // else bytes
    std::vector<std::string> only; // see wanted()
    Timing timing;
};

// A plane turned over its diagonal: plain, through local memory, through padded local memory; bytes also in
// words. On CPUs block by block. Every sample is compared.
Ladder transpose_ladder(gpu::Device& device, const BenchKernels& kernels, const PlaneOptions& options,
                        const Told& told);

// Sum, extremes and histogram of a plane by gpu::PlaneReduction, beside a plain tree of sums; bytes are
// exact, a float sum is held against one in double.
Ladder reduce_ladder(gpu::Device& device, const BenchKernels& kernels, const PlaneOptions& options,
                     const Told& told);

} // namespace weft::bench
