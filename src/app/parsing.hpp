// From words to a chosen command, with suggestions for what is misspelt.
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace weft::app {

// Parses the words after the program's name. False when help or the version was asked for (it has been
// printed). Errors : usage for every unknown word, with the nearest name, and for values that do not fit.
bool parse(CLI::App& program, const std::vector<std::string>& words);

} // namespace weft::app
