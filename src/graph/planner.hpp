// From one scene to the plan that paints it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/device_traits.hpp"
#include "graph/plan.hpp"
#include "graph/scene.hpp"
#include "graph/shapes.hpp"

namespace weft::graph {

// A grey picture that a transition uses as its mask.
struct Mask {
    int width = 0, height = 0;
    std::vector<float> values; // 0..1, line by line
};

struct PlannerOptions {
    std::string prelude;                                    // text of kernels/*.cl, in name order
    bool fuse = true;                                       // false: a pass per stage, for tests
    bool planes = true;                                     // false: everything through RGB, for tests
    std::function<Mask(const std::string& file)> load_mask; // reads pictures: the caller's business
    Shapes shapes;                                          // of this device, where not by rule
};

// Applies the planner's rules in order. Pure: same arguments, same plan.
// Errors : unsupported or bad_input naming the layer and filter.
Plan make_plan(const Scene& scene, const DeviceTraits& device, const PlannerOptions& options);

// How many pictures before and behind the one that is due make_plan() reads of a stream, at most, besides
// those that deinterlacing reads.
int neighbours_read(const Scene& scene, int stream);

// kernels/*.cl joined in name order. Errors : not_found.
std::string load_prelude(const std::string& kernels_folder);

} // namespace weft::graph
