#include "engine/tuned_files.hpp"

#include <algorithm>
#include <fstream>

#include <unistd.h>

#include "base/data_dirs.hpp"
#include "base/error.hpp"
#include "base/format.hpp"
#include "base/log.hpp"
#include "base/text_file.hpp"
#include "gpu/upload_path.hpp"

namespace fs = std::filesystem;

namespace weft::engine {
namespace {

std::string driver_of(const gpu::DeviceInfo& device) {
    return fmt::format("{}, {}, driver {}, {} units", device.platform_name, device.version, device.driver,
                       device.traits.compute_units);
}

// FNV-1a, 64 bits.
uint64_t hash_of(const std::string& text) {
    uint64_t hash = 0xcbf29ce484222325;
    for (const char c : text)
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    return hash;
}

// Letters and digits of a name, others as one dash each run.
std::string plain_name(const std::string& name) {
    std::string out;
    for (const char c : name.substr(0, 40)) {
        const bool kept = std::isalnum(static_cast<unsigned char>(c)) != 0;
        if (kept || (!out.empty() && out.back() != '-')) out += kept ? c : '-';
    }
    return out;
}

graph::Tuned read_table(const fs::path& file, const gpu::DeviceInfo& device) {
    const Place place{file.string(), 0, 0};
    if (fs::file_size(file) > TunedFiles::most_bytes)
        throw Error(ErrorKind::bad_input,
                    fmt::format("is larger than {} bytes: no table of weft tune", TunedFiles::most_bytes),
                    place);
    graph::Tuned tuned = graph::parse_tuned(read_text(file), file.string());
    if (tuned.device != device.traits.name || tuned.driver != driver_of(device))
        throw Error(ErrorKind::bad_input,
                    fmt::format("is of '{}' ({}), not of '{}' ({})", tuned.device, tuned.driver,
                                device.traits.name, driver_of(device)),
                    place);
    const auto path = gpu::parse_upload_path(tuned.upload.empty() ? "auto" : tuned.upload);
    if (!path || (*path == gpu::UploadPath::host && !device.traits.shares_host_memory))
        throw Error(ErrorKind::bad_input,
                    fmt::format("upload is '{}', which this device has not", tuned.upload), place);
    return tuned;
}

} // namespace

TunedFiles TunedFiles::of_user() {
    return TunedFiles(DataDirs::user_cache() / "tune");
}

fs::path TunedFiles::file_of(const gpu::DeviceInfo& device) const {
    const std::string name = plain_name(device.traits.name);
    return folder_ /
           fmt::format("{}-{:016x}.yaml", name, hash_of(device.traits.name + "\n" + driver_of(device)));
}

std::optional<graph::Tuned> TunedFiles::load(const gpu::DeviceInfo& device) const {
    const fs::path file = file_of(device);
    std::error_code ignored;
    if (!fs::exists(file, ignored)) return std::nullopt;
    try {
        return read_table(file, device);
    } catch (const std::exception& error) {
        const auto* many = dynamic_cast<const Errors*>(&error);
        log("engine").warn("shapes go by rule, as if untuned: {}",
                           many ? describe(many->all().front()) : describe(error));
        return std::nullopt;
    }
}

void TunedFiles::save(const gpu::DeviceInfo& device, graph::Tuned tuned) const {
    tuned.device = device.traits.name;
    tuned.driver = driver_of(device);
    const fs::path file = file_of(device);
    const fs::path aside = file.string() + fmt::format(".{}", getpid());
    std::error_code error;
    fs::create_directories(folder_, error);
    std::ofstream out(aside, std::ios::binary);
    out << graph::to_yaml(tuned) << std::flush;
    const bool written = static_cast<bool>(out);
    out.close();
    if (written) fs::rename(aside, file, error);
    if (!written || error) {
        std::error_code ignored;
        fs::remove(aside, ignored);
        throw Error(ErrorKind::resource, "cannot be written", Place{file.string(), 0, 0});
    }
    // Drivers come and go; the tables of those that were tuned longest ago go too.
    std::vector<std::pair<fs::file_time_type, fs::path>> all;
    for (const auto& entry : fs::directory_iterator(folder_, error))
        if (entry.path().extension() == ".yaml" && entry.path() != file)
            all.emplace_back(entry.last_write_time(error), entry.path());
    std::sort(all.begin(), all.end());
    for (size_t i = 0; i + most_files - 1 < all.size(); ++i)
        fs::remove(all[i].second, error);
}

bool TunedFiles::clear(const gpu::DeviceInfo& device) const {
    std::error_code error;
    const bool there = fs::remove(file_of(device), error);
    if (error)
        throw Error(ErrorKind::resource, "cannot be removed: " + error.message(),
                    Place{file_of(device).string(), 0, 0});
    return there;
}

} // namespace weft::engine
