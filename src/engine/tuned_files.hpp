// Where the tables of weft tune are kept: one file for each device and driver, in the user's cache.
#pragma once

#include <filesystem>
#include <optional>

#include "gpu/device.hpp"
#include "graph/tuned.hpp"

namespace weft::engine {

// A folder of tables. Many programs may read and write it at once: a table is written aside and renamed.
class TunedFiles {
  public:
    static constexpr size_t most_files = 16;               // the ones written last stay
    static constexpr size_t most_bytes = size_t{64} << 10; // of a table; a larger file is none

    explicit TunedFiles(std::filesystem::path folder) : folder_(std::move(folder)) {}
    // In DataDirs::user_cache().
    static TunedFiles of_user();

    // Platform, name, driver and number of units of a device lead to its file.
    std::filesystem::path file_of(const gpu::DeviceInfo& device) const;

    // nullopt when there is none. A file that is no such table, or another device's, is told in one warning
    // and counts as none.
    std::optional<graph::Tuned> load(const gpu::DeviceInfo& device) const;
    // Sets the table's device and driver. Errors : resource when it cannot be written.
    void save(const gpu::DeviceInfo& device, graph::Tuned tuned) const;
    // False when there was none. Errors : resource.
    bool clear(const gpu::DeviceInfo& device) const;

  private:
    std::filesystem::path folder_;
};

} // namespace weft::engine
