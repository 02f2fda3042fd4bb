// Shell completion and the manual page, made from the parser itself so that they never disagree with it.
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace weft::app {

// words : {"--completion", "bash"} or {"--man"}. Returns the text. Errors : usage for another shell.
std::string manual(const CLI::App& program, const std::vector<std::string>& words);

} // namespace weft::app
