// What this program is and was built with.
#pragma once

#include <string>

namespace weft::app {

// Two lines: name and version; compiler and language. Opens no library and no device, so it is quick.
std::string version_text();

} // namespace weft::app
