// How help looks, the same with every version of the parser.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace weft::app {

// Formats --help: usage, description, options by group, commands, and the footer as it was written.
std::shared_ptr<CLI::FormatterBase> help_formatter();

// "-o, --output FILE".
std::string option_heading(const CLI::Option& option);

// Accepts one of `allowed`; refuses others with the nearest name.
CLI::Validator one_of(const std::vector<std::string>& allowed);

} // namespace weft::app
