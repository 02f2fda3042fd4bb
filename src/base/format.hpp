// Text formatting for every module: fmt, as spdlog brings it.
#pragma once

#include <spdlog/fmt/fmt.h>

namespace weft {

using fmt::format;

} // namespace weft
