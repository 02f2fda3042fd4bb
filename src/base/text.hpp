// Text for people: columns and sizes.
#pragma once

#include <string>
#include <vector>

namespace weft {

// Rows of cells as left-aligned columns, two blanks between them, each line indented by `indent` blanks. The
// last column is not padded. Cells are UTF-8; every code point counts as one column.
std::string table(const std::vector<std::vector<std::string>>& rows, int indent = 0);

// "1.5 GiB", "64 KiB", "12 B".
std::string byte_size(double bytes);

} // namespace weft
