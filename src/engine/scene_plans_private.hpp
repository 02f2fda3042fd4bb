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

// A scene with what its streams are at a moment, in their order.
struct SceneNow {
    size_t scene = 0; // of the timeline
    std::vector<const colour::PictureFormat*> formats;
    std::vector<bool> hidden; // its layers are left out
    std::vector<bool> fields; // its pictures are made whole, whatever the timeline says
};

class ScenePlans {
  public:
    // Plans every scene; scenes that come to the same plan share it. Nothing is built yet.
    // Errors : as graph::make_plan.
    ScenePlans(const graph::Timeline& timeline, const DeviceTraits& traits, graph::PlannerOptions options);

    // Builds and warms every plan. Errors : as PlanRunner.
    void load(gpu::Device& device, Trace* trace);

    // The runner for a scene as it is now; nullptr when it differs from the timeline's and was not started,
    // is not built yet, or could not be built.
    PlanRunner* find(const SceneNow& now);
    // Plans and builds it on a thread of its own, once.
    void start(const SceneNow& now);
    // Starts it and waits. Errors : those of the building.
    PlanRunner& wait_for(const SceneNow& now);
    // Streams of the scene that the timeline has made whole.
    const std::vector<bool>& fields(size_t scene) const { return fields_of_scene_[scene]; }

    const std::vector<graph::Plan>& plans() const { return plans_; } // those that differ
    std::vector<std::string> notes() const; // what the planner reports, each line once
    size_t device_bytes() const;

  private:
    struct Variant {
        size_t scene = 0;
        std::vector<colour::PictureFormat> streams;
        std::vector<bool> hidden, fields;
        std::unique_ptr<PlanRunner> runner;
        std::future<std::unique_ptr<PlanRunner>> building; // ends before what it uses
    };
    size_t add(graph::Plan plan);
    bool as_planned(const SceneNow& now) const;
    Variant* variant(const SceneNow& now);

    const graph::Timeline& timeline_;
    DeviceTraits traits_;
    graph::PlannerOptions options_;
    gpu::Device* device_ = nullptr;
    Trace* trace_ = nullptr;
    std::unique_ptr<gpu::Programs> programs_;
    std::vector<graph::Plan> plans_;
    std::vector<std::unique_ptr<PlanRunner>> runners_; // of plans_
    std::vector<size_t> of_scene_;                     // index into plans_
    std::vector<std::vector<bool>> fields_of_scene_;   // streams that its plan makes whole
    std::vector<Variant> variants_;
};

} // namespace weft::engine
