// The rows of weft bench as text: a table that grows line by line, and JSON.
#pragma once

#include <string>
#include <vector>

#include "bench/filter_bench.hpp"

namespace weft::bench {

std::string filter_head(const FilterOptions& options);
std::string filter_line(const FilterRow& row, const FilterOptions& options);

// What was measured, where and how.
struct FilterTable {
    std::string device, driver, pixels;
    Size size;
    std::vector<FilterRow> rows;
};
// {"size": "1920x1080", "format": "yuv420p", "rows": [{"title", "filter", "ms", "cpu_ms", "bytes", "passes",
// "gb_per_s", "copy_gb_per_s", "of_copy", ...}]}; times are of one picture: {"median", "min", "max"}.
std::string to_json(const std::vector<FilterTable>& tables);

} // namespace weft::bench
