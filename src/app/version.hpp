// What this program is and was built with.
#pragma once

#include <string>

namespace weft::app {

// Three lines: name and version; compiler and language; FFmpeg's libraries. Opens no device, so it is quick.
std::string version_text();

} // namespace weft::app
