// Diagnostics for people, to stderr. Results go to stdout and never through here.
#pragma once

#include <string_view>

#include <spdlog/spdlog.h>

namespace weft {

// The logger of one area ("media", "gpu", ...). Same level and sink for all areas; thread-safe.
spdlog::logger& log(std::string_view area);

// trace, debug, info, warn, error, off. Default: warn.
void set_log_level(spdlog::level::level_enum level);

// Sends every later log line through `write` as well (tests, and a status line that must be cleared first);
// nullptr ends that. Errors : none.
void set_log_tap(void (*write)(std::string_view line));

} // namespace weft
