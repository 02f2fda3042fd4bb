#include "base/data_dirs.hpp"

#include <cstdlib>

#include "base/error.hpp"

namespace fs = std::filesystem;

namespace weft {
namespace {

fs::path xdg(const char* variable, const char* below_home) {
    if (const char* set = std::getenv(variable); set && *set) return fs::path(set) / "weft";
    const char* home = std::getenv("HOME");
    return fs::path(home ? home : "/") / below_home / "weft";
}

} // namespace

DataDirs::DataDirs(const fs::path& assets_override) {
    std::vector<fs::path> tried;
    if (!assets_override.empty()) {
        tried.push_back(assets_override);
    } else if (const char* set = std::getenv("WEFT_ASSETS"); set && *set) {
        tried.emplace_back(set);
    } else {
        std::error_code ignored;
        tried.push_back(fs::read_symlink("/proc/self/exe", ignored).parent_path() / "../share/weft");
    }
    std::string list;
    for (const fs::path& place : tried) {
        std::error_code ignored;
        if (fs::is_directory(place / "kernels", ignored) && fs::is_directory(place / "filters", ignored)) {
            root_ = fs::weakly_canonical(place);
            return;
        }
        list += (list.empty() ? "" : ", ") + place.lexically_normal().string();
    }
    throw Error(ErrorKind::not_found, "no folder with weft's kernels and filters; tried " + list +
                                          " (--assets DIR or WEFT_ASSETS names another)");
}

fs::path DataDirs::user_filters() {
    return xdg("XDG_DATA_HOME", ".local/share") / "filters";
}
fs::path DataDirs::user_cache() {
    return xdg("XDG_CACHE_HOME", ".cache");
}

} // namespace weft
