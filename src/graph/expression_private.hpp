// The expressions of manifests: muparser with a few functions more.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace weft::graph {

// What is wrong with an expression that may use these variables; nullopt when nothing is. Nothing is
// evaluated.
std::optional<std::string> check_expression(const std::string& expression,
                                            const std::vector<std::string>& variables);

// Likewise where the names are not known yet: any name passes.
std::optional<std::string> check_syntax(const std::string& expression);

} // namespace weft::graph
