// One plan of weft's on pictures in memory, measured.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cost.hpp"
#include "engine/plan_runner.hpp"
#include "gpu/output.hpp"
#include "graph/planner.hpp"

namespace weft::bench {

// A device and what every row shares on it.
struct Bench {
    gpu::Device& device;
    gpu::Programs& programs;
    graph::PlannerOptions planner;
};

// loop_length pictures of each stream where kernels read them: host memory that the device shares, else its
// own.
//   threads: one
class WeftSide {
  public:
    // Plans, builds and runs once. Errors : as make_plan and PlanRunner.
    WeftSide(Bench& bench, const graph::Scene& scene);
    ~WeftSide();

    // Of one picture, over a batch of `count` enqueued one after another. Transitions go from progress 0
    // to 1.
    Cost batch(int count);
    // The planes of the finished picture `number` of a batch of `count`, without gaps. Device memory that the
    // host does not see is read back.
    std::vector<uint8_t> picture(int number, int count);

    const graph::Plan& plan() const { return runner_->plan(); }
    double bytes() const; // moved by a picture at least

  private:
    struct Stream;
    engine::TickInputs inputs(int number, int count) const;

    Bench& bench_;
    graph::Scene scene_;
    std::vector<std::unique_ptr<Stream>> streams_;
    std::unique_ptr<gpu::OutputPictures> outputs_;
    std::unique_ptr<engine::PlanRunner> runner_;
};

// Copies that read and write together as many bytes as a plan does: what the device's memory allows at best.
class CopySide {
  public:
    CopySide(Bench& bench, double bytes);
    Cost batch(int count);

  private:
    Bench& bench_;
    size_t bytes_each_;
    std::vector<cl::Buffer> from_, to_;
};

} // namespace weft::bench
