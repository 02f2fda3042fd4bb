// Text that people write: pipelines, manifests, tables, kernels.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace weft {

// Whole text of a file. Errors : not_found or bad_input naming the file: a folder, larger than 64 MiB, or
// none of text (it holds zero bytes; then what it seems to be is said).
std::string read_text(const std::filesystem::path& file);

// What kind of file begins like this: "an MP4 or QuickTime file", "a PNG picture"; "" when nobody knows.
std::string kind_of_bytes(std::string_view head);

// Where a text is no UTF-8; nullopt when it is.
std::optional<size_t> first_not_utf8(std::string_view text);

} // namespace weft
