// Uses of a filter that are worth showing and measuring.
#pragma once

#include <string>
#include <vector>

#include "graph/filter_manifest.hpp"

namespace weft::graph {

// Stands for the name of a file in an example.
inline constexpr const char* example_file = "FILE";

// What may stand behind "NAME=" on a command line, at least one: the `examples` of the manifest's file, which
// is read anew, else one that changes the picture. "" where the defaults do that. Errors : Errors of a file
// that has become unreadable.
std::vector<std::string> example_options(const FilterManifest& filter);

// "eq=contrast=1.2", "hflip".
std::string with_options(const std::string& filter, const std::string& options);

} // namespace weft::graph
