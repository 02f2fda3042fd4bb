// One plan of weft's on pictures in memory, measured.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "bench/cost.hpp"
#include "engine/plan_runner.hpp"
#include "gpu/host_memory.hpp"
#include "gpu/output.hpp"
#include "graph/planner.hpp"

namespace weft::bench {

// A loop of pictures: in host memory, and where kernels read them, which is the same memory where the device
// shares it.
class Loop {
  public:
    Loop(gpu::Device& device, const colour::PictureFormat& format, int number);
    const colour::HostPlanes& host(int picture) const;
    const gpu::PictureRef& device(int picture) const;

  private:
    std::vector<std::unique_ptr<gpu::HostMemory>> memory_;
    std::vector<colour::HostPlanes> host_;
    std::vector<gpu::PictureRef> device_;
};

// A device and what every case shares on it.
class Rig {
  public:
    // planner : its prelude and masks
    Rig(gpu::Device& device, gpu::Programs& programs, graph::PlannerOptions planner);

    gpu::Device& device;
    gpu::Programs& programs;
    const graph::PlannerOptions planner;

    // Made at first use.
    const Loop& loop(const colour::PictureFormat& format, int number);

  private:
    std::map<std::tuple<std::string, int, int, int>, std::unique_ptr<Loop>> loops_;
};

// The pictures that each stream of a scene shows: two loops, taken in turn.
std::vector<const Loop*> loops_of(Rig& rig, const graph::Scene& scene);

// threads: one
class PlanSide {
  public:
    // Builds and runs the plan once. `plan` is of `scene`. Errors : as PlanRunner.
    PlanSide(Rig& rig, const graph::Scene& scene, graph::Plan plan);
    ~PlanSide();

    // Of one picture, over a batch of `count` enqueued one after another. Transitions go from progress 0
    // to 1.
    Cost batch(int count);
    // The planes of the finished picture `number` of a batch of `count`, without gaps.
    std::vector<uint8_t> picture(int number, int count);

    const graph::Plan& plan() const { return runner_->plan(); }
    double bytes() const; // moved by a picture at least

  private:
    engine::TickInputs inputs(int number, int count) const;

    Rig& rig_;
    colour::PictureFormat output_;
    std::vector<const Loop*> loops_;
    std::vector<int> neighbours_; // of each stream, that are offered before and behind
    size_t transitions_ = 0;
    std::unique_ptr<gpu::OutputPictures> outputs_;
    std::unique_ptr<engine::PlanRunner> runner_;
};

// Copies that read and write together as many bytes as a plan does: what the device's memory allows at best.
class CopySide {
  public:
    CopySide(gpu::Device& device, double bytes);
    Cost batch(int count);

  private:
    gpu::Device& device_;
    size_t bytes_each_;
    std::vector<cl::Buffer> from_, to_;
};

// About how many pictures fill `ms`, by a first small batch. `batch` is batch() of one of these.
template<class Batch>
int count_for(double ms, const Batch& batch, int least, int most) {
    const Cost once = batch(least);
    const double each = std::max({once.wall, once.cpu / 2, 1e-4});
    return std::clamp(static_cast<int>(ms / each), least, most);
}

} // namespace weft::bench
