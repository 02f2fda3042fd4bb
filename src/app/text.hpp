// Small text helpers of the commands.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace weft::app {

// Rows of cells as left-aligned columns, two blanks between them, each line indented by `indent` blanks. The
// last column is not padded. Cells are UTF-8; every code point counts as one column.
std::string table(const std::vector<std::vector<std::string>>& rows, int indent = 0);

// "1.5 GiB", "64 KiB", "12 B".
std::string byte_size(double bytes);

// Shortest decimal that reads back as the value: "0.5", "16".
std::string number(double value);

// "1:02:03", "0:07" (seconds rounded down; minutes at least).
std::string clock_text(double seconds);

// `text` in single quotes for a shell when it needs them.
std::string shell_quoted(const std::string& text);

} // namespace weft::app
