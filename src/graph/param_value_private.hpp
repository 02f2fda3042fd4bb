// The text of one parameter, checked against its declaration.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "graph/filter_manifest.hpp"

namespace weft::graph {

using ArgText = std::variant<std::string, std::vector<std::string>>;

// Reads `text` as a value of `param`. Problems go to `errors` at `place`, each beginning with `who`
// ("filter 'eq'"). A relative file is resolved against the folder of place.file when that is a real file,
// that is when the place has a line.
std::optional<ParamValue> read_param(const ParamSpec& param, const ArgText& text, const Place& place,
                                     const std::string& who, std::vector<Error>& errors);

// "0..1", "at least 0", "at most 1", or "" when there is no limit.
std::string range_text(const ParamSpec& param);

// Does the type give one number to expressions (float, int, bool, enum, time)?
bool is_number(ParamType type);

} // namespace weft::graph
