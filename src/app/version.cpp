#include "app/version.hpp"

#include "base/format.hpp"
#include "media/input.hpp"

namespace weft::app {

std::string version_text() {
#if defined(__clang__)
    const std::string compiler = "clang " __clang_version__;
#else
    const std::string compiler = "g++ " __VERSION__;
#endif
    return fmt::format("weft {}\nbuilt with {}, C++{}\n{}\n", WEFT_VERSION, compiler, __cplusplus / 100 % 100,
                       media::library_versions());
}

} // namespace weft::app
