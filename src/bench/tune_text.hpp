// What weft tune found as text: tables that grow key by key, and JSON.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench/tune.hpp"
#include "bench/tune_flow.hpp"

namespace weft::bench {

std::string tune_text(const ShapeFinding& finding);
std::string tune_text(const FlowFinding& finding);
// The table of a device, for people.
std::string tuned_text(const graph::Tuned& tuned);

// Everything of one run of weft tune.
struct TuneReport {
    std::string device, driver, file;
    std::vector<ShapeFinding> shapes;
    std::optional<FlowFinding> flow;
    std::vector<std::string> errors; // scenes that could not be measured
};
// {"device", "driver", "file", "shapes": [{"work", "extent", "samples", "scene", "variants": [{"shape", "ms",
// "gain", "refusal"}], "chosen", "rule_ms", "ms", "gain"}], "flow": {"rule", "variants": [{"upload", "slots",
// "ms", ...}], "upload", "slots", "gain"}, "errors"}; "ms" of a variant is {"median", "min", "max"}.
std::string to_json(const TuneReport& report);
// {"device", "driver", "weft", "upload", "slots", "shapes": [{"work", "extent", "samples", "shape",
// "rule_ms", "ms"}]}
std::string to_json(const graph::Tuned& tuned);

} // namespace weft::bench
