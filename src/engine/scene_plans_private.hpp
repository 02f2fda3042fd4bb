// The plans of a timeline's scenes, made and loaded before they are needed.
#pragma once

#include <future>
#include <memory>
#include <string>
#include <vector>

#include "engine/plan_runner.hpp"
#include "graph/planner.hpp"
#include "graph/timeline.hpp"

namespace weft::engine {

// Reads the luma of a picture file as a transition's mask. Errors : not_found, bad_input.
graph::Mask load_mask(const std::string& file);

class ScenePlans {
  public:
    // Plans every scene; scenes that come to the same plan share it. Nothing is built yet.
    // Errors : as graph::make_plan.
    ScenePlans(const graph::Timeline& timeline, const DeviceTraits& traits, graph::PlannerOptions options);

    // Builds and warms every plan. Errors : as PlanRunner.
    void load(gpu::Device& device, Trace* trace);

    // The runner for scene `index` whose streams now have these formats: another one than at first is planned
    // and built here.
    PlanRunner& runner(size_t index, const std::vector<const colour::PictureFormat*>& streams);

    // The same without the layers of the streams that are hidden; built on a thread of its own when it is
    // asked for first. nullptr while that goes on and the caller does not wait, and when it failed. Errors :
    // those of the building, when the caller waits.
    PlanRunner* without(size_t index, const std::vector<const colour::PictureFormat*>& streams,
                        const std::vector<bool>& hidden, bool wait);

    const std::vector<graph::Plan>& plans() const { return plans_; } // those that differ
    std::vector<std::string> notes() const; // what the planner reports, each line once
    size_t device_bytes() const;

  private:
    struct Variant {
        size_t scene = 0;
        std::vector<colour::PictureFormat> streams;
        size_t plan = 0;
    };
    struct Reduced {
        size_t scene = 0;
        std::vector<colour::PictureFormat> streams;
        std::vector<bool> hidden;
        std::unique_ptr<PlanRunner> runner;
        std::future<std::unique_ptr<PlanRunner>> building; // ends before what it uses
    };
    size_t add(graph::Plan plan);
    size_t plan_for(size_t scene, const std::vector<const colour::PictureFormat*>& streams);

    const graph::Timeline& timeline_;
    DeviceTraits traits_;
    graph::PlannerOptions options_;
    gpu::Device* device_ = nullptr;
    Trace* trace_ = nullptr;
    std::unique_ptr<gpu::Programs> programs_;
    std::vector<graph::Plan> plans_;
    std::vector<std::unique_ptr<PlanRunner>> runners_; // of plans_
    std::vector<size_t> of_scene_;                     // index into plans_
    std::vector<Variant> variants_;
    std::vector<Reduced> reduced_;
};

} // namespace weft::engine
