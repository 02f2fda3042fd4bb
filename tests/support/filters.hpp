// Built-in filters with parameters, and the moment of a picture.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "graph/filter_library.hpp"
#include "graph/filter_use.hpp"

namespace weft::test {

// When a picture is shown, as the kernels' At has it.
struct Moment {
    double t = 0, n = 0, progress = 0;
    uint32_t seed = 0;
};

// All filters of the source tree.
const graph::FilterLibrary& built_in_filters();

using Args = std::vector<std::pair<std::string, std::string>>;
// A use with these values and the defaults for the rest. Lists and curves: numbers with spaces between.
// Errors : Errors as a user would get them.
graph::FilterUse use_of(graph::FilterKind kind, const std::string& name, const Args& args = {});
graph::FilterUse picture_filter(const std::string& name, const Args& args = {});
graph::FilterUse transition(const std::string& name, const Args& args = {});

// Values of a use.
double number(const graph::FilterUse& use, const std::string& name);
std::vector<double> numbers(const graph::FilterUse& use, const std::string& name);
std::string text(const graph::FilterUse& use, const std::string& name);
// "eq contrast=2 ..." for messages.
std::string describe(const graph::FilterUse& use);

} // namespace weft::test
