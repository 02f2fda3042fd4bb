// A filter, transition or generator as it is used once: its manifest and the values of its parameters.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "base/error.hpp"

namespace weft::graph {

struct FilterManifest;

// Value of a parameter, already checked against the manifest. Colours are r, g, b, a nominal; times are
// seconds; files are paths resolved against the pipeline; curves are x0 y0 x1 y1 ...; enums are the option's
// index.
using ParamValue = std::variant<double, std::string, std::vector<double>>;

struct FilterUse {
    std::shared_ptr<const FilterManifest> manifest; // shared by all uses; immutable
    std::map<std::string, ParamValue> values;       // every parameter of the manifest, defaults filled in
    Place place;                                    // where the user wrote it
    // Values given as curves over time (later) are evaluated by the conductor; none for now.
};

} // namespace weft::graph
