// What `weft filters` and `weft transitions` print; all of it comes from the manifests.
#pragma once

#include <string>

#include "graph/filter_library.hpp"

namespace weft::app {

// "float", "enum", ... as a manifest spells it.
std::string type_name(graph::ParamType type);
// A parameter's value as a user would write it: options by name, lists with blanks, colours as #rrggbb.
std::string value_text(const graph::ParamSpec& param, const graph::ParamValue& value);
// "0..1024", "at least 0", the options of an enum, or "".
std::string allowed_text(const graph::ParamSpec& param);

// One filter, in full: what it does, every parameter, how to write it.
std::string describe_filter(const graph::FilterManifest& filter);
// The same as JSON: {name, kind, summary, reads, space, light, alpha, frames, scales, mixes, clamp, geometry,
// params: [{name, type, default, ...}], file}.
std::string filter_json(const graph::FilterManifest& filter);

} // namespace weft::app
