// Text formatting for every module: fmt, as spdlog brings it. Always fmt::format in full: where the standard
// library has one too, arguments of its types would bring it into play.
#pragma once

#include <spdlog/fmt/fmt.h>
