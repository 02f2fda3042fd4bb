// Where kernels, filters and pipelines are found.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace weft {

// The data folder: --assets, else $WEFT_ASSETS, else <folder of the executable>/../share/weft.
class DataDirs {
  public:
    // Errors : not_found listing the places tried.
    explicit DataDirs(const std::filesystem::path& assets_override = {});
    std::filesystem::path kernels() const { return root_ / "kernels"; }
    std::filesystem::path filters() const { return root_ / "filters"; }
    std::filesystem::path pipelines() const { return root_ / "pipelines"; }
    std::filesystem::path report() const { return root_ / "report"; } // the page of weft profile --html
    const std::filesystem::path& root() const { return root_; }
    // $XDG_DATA_HOME/weft/filters (or ~/.local/share/...), whether it exists or not.
    static std::filesystem::path user_filters();
    // $XDG_CACHE_HOME/weft (or ~/.cache/weft).
    static std::filesystem::path user_cache();

  private:
    std::filesystem::path root_;
};

} // namespace weft
