// Finds the upload path and the number of slots that a pipeline is fastest with.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench/tune.hpp"
#include "engine/run.hpp"

namespace weft::bench {

struct FlowVariant {
    gpu::UploadPath upload = gpu::UploadPath::automatic;
    int slots = engine::usual_slots;
    Spread ms = {};           // of a picture, in the steady state
    double gain = 0;          // beside what it was tried against, as ShapeVariant's
    std::string refusal = {}; // it failed, or painted other pictures
};

struct FlowFinding {
    std::string rule;                                    // name of the upload path that is taken by rule
    std::vector<FlowVariant> variants;                   // the first one is the rule's
    gpu::UploadPath upload = gpu::UploadPath::automatic; // automatic: the rule stays
    int slots = 0;                                       // 0: likewise
    double gain = 0;                                     // of both, measured again
};

// Runs the pipeline again and again on pictures decoded once, with every upload path of the device and two to
// four slots. Each way must paint the same pictures.
//   run : device and shapes; what it says of slots and upload is not looked at
// Errors : as engine::run(), when the rule's own run fails. nullopt when `stopped` ended it.
std::optional<FlowFinding> tune_flow(const graph::PipelineSpec& spec, const graph::FilterLibrary& library,
                                     const std::string& prelude, const engine::RunOptions& run,
                                     const TuneOptions& options, const Stopped& stopped);

} // namespace weft::bench
