#include "app/command.hpp"

#include <filesystem>

#include "app/help.hpp"
#include "base/error.hpp"

namespace fs = std::filesystem;

namespace weft::app {

void add_common_options(CLI::App& command, Common& common) {
    const std::string group = "Everywhere";
    command
        .add_option("--filters", common.filter_folders,
                    "Folder with more filters (picture/, transition/, generator/)")
        ->option_text("DIR")
        ->allow_extra_args(false)
        ->group(group);
    command
        .add_option("--assets", common.assets,
                    "Folder with kernels/ and filters/, instead of the installed one")
        ->option_text("DIR")
        ->group(group);
    command
        .add_option(
            "--log", common.log_level,
            "How much to tell on stderr: off (only why it failed), error (also outputs that fail), warn "
            "(the default: also losses, the plan, progress and the summary), info, debug, trace")
        ->option_text("LEVEL")
        ->check(one_of({"trace", "debug", "info", "warn", "error", "off"}))
        ->group(group);
}

graph::FilterLibrary load_library(const Common& common) {
    std::vector<fs::path> folders{DataDirs(common.assets).filters()};
    std::error_code ignored;
    if (const fs::path user = DataDirs::user_filters(); fs::is_directory(user, ignored))
        folders.push_back(user);
    for (const std::string& folder : common.filter_folders) {
        if (!fs::is_directory(folder, ignored))
            throw Error(ErrorKind::not_found, "--filters: no folder '" + folder + "'");
        folders.emplace_back(folder);
    }
    return graph::FilterLibrary(folders);
}

} // namespace weft::app
