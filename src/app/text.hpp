// Small text helpers of the commands.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/text.hpp"

namespace weft::app {

// Shortest decimal that reads back as the value: "0.5", "16".
std::string number(double value);

// "1:02:03", "0:07" (seconds rounded down; minutes at least).
std::string clock_text(double seconds);

// `text` in single quotes for a shell when it needs them.
std::string shell_quoted(const std::string& text);

} // namespace weft::app
