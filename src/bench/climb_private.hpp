// What every ladder is run with, and how its rungs are told.
#pragma once

#include <utility>

#include "bench/ladder.hpp"

namespace weft::bench {

class Climb {
  protected:
    Climb(const char* bench, gpu::Device& device, const BenchKernels& kernels,
          const std::vector<std::string>& only, Timing timing, const Told& told, int width, int height)
        : device_(device), kernels_(kernels), timing_(timing), only_(only), told_(told) {
        ladder_.bench = bench;
        ladder_.device = device.traits().name;
        ladder_.driver = device.info().driver;
        ladder_.width = width;
        ladder_.height = height;
    }

    bool wants(const std::string& name) const { return wanted(name, only_); }
    // Once the yardsticks are known.
    void begin() { told_(ladder_, nullptr); }
    void tell(Rung rung) {
        ladder_.rungs.push_back(std::move(rung));
        told_(ladder_, &ladder_.rungs.back());
    }

    gpu::Device& device_;
    const BenchKernels& kernels_;
    Timing timing_;
    Ladder ladder_;

  private:
    const std::vector<std::string>& only_;
    const Told& told_;
};

} // namespace weft::bench
