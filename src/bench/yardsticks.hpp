// What a device can do at best, and how kernels are loaded and timed beside it.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "bench/cost.hpp"
#include "gpu/device.hpp"
#include "gpu/program.hpp"

namespace weft::bench {

struct Timing {
    int rounds = 5;  // the median counts
    double ms = 100; // about how long a round lasts
};

struct Yardsticks {
    double copy_gb_per_s = 0; // device copy, bytes read plus bytes written
    double gflop_per_s = 0;   // multiply-adds without memory, two operations each; 0: not asked for
};

// Times `run`, which enqueues once on the compute queue: batches of it back to back, waited for at the end.
Spread time_on(gpu::Device& device, const Timing& timing, const std::function<void()>& run);
// The same for work of the host.
Spread time_host(const Timing& timing, const std::function<void()>& run);

// The texts of kernels/bench, built for a device.
struct BenchKernels {
    gpu::Programs& programs;
    std::filesystem::path folder; // kernels/bench

    // file    : in the folder; `entry` is the kernel's name in it
    // defines : "NAME VALUE", put before the text
    // Errors : device with the file's own line; not_found
    cl::Kernel load(const std::string& file, const std::vector<std::string>& defines,
                    const char* entry) const;
};

// Copies of blocks of `bytes` each, in GB/s of bytes read and written.
double measure_copy(gpu::Device& device, double bytes, const Timing& timing);

// GFLOP/s of fma_peak.cl.
double measure_multiply_adds(gpu::Device& device, const BenchKernels& kernels, const Timing& timing);

} // namespace weft::bench
