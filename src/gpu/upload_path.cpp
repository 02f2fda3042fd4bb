#include "gpu/upload_path.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <map>
#include <mutex>
#include <vector>

#include "base/log.hpp"
#include "gpu/device_private.hpp"
#include "gpu/host_memory.hpp"
#include "gpu/upload.hpp"

namespace weft::gpu {
namespace {

using Steady = std::chrono::steady_clock;

constexpr size_t probe_bytes = size_t{8} << 20;

double seconds_since(Steady::time_point begin) {
    return std::chrono::duration<double>(Steady::now() - begin).count();
}

// Best of three, so that a page fault or a neighbour on the machine does not decide.
double read_seconds(const uint8_t* from, uint8_t* to) {
    double best = 1e9;
    for (int round = 0; round < 3; ++round) {
        const auto begin = Steady::now();
        std::memcpy(to, from, probe_bytes);
        best = std::min(best, seconds_since(begin));
    }
    return best;
}

// The codec predicts from pictures it wrote before. Memory that the driver made write-combined reads some ten
// times slower than ordinary memory, and would hold up every inter-coded picture.
UploadPath measure(Device& device) {
    if (device.traits().shares_host_memory) return UploadPath::host;
    HostMemory ordinary(probe_bytes), target(probe_bytes);
    PinnedMemory pinned(device, probe_bytes);
    const double plain = read_seconds(ordinary.data(), target.data());
    const double from_pinned = read_seconds(pinned.data(), target.data());
    const UploadPath path = from_pinned > plain * 3 ? UploadPath::pinned : UploadPath::direct;
    log("gpu").debug("{}: reads {:.1f} GB/s from ordinary and {:.1f} GB/s from pinned memory: {}",
                     device.traits().name, double(probe_bytes) / plain * 1e-9,
                     double(probe_bytes) / from_pinned * 1e-9, name(path));
    return path;
}

} // namespace

UploadPath choose_upload_path(Device& device, UploadPath wanted) {
    if (wanted == UploadPath::host && !device.traits().shares_host_memory)
        throw Error(ErrorKind::unsupported, "upload path 'host' needs a device that reads host memory; '" +
                                                device.traits().name +
                                                "' does not; allowed: direct, pinned, pageable");
    if (wanted != UploadPath::automatic) return wanted;
    static std::mutex mutex;
    static std::map<std::pair<int, int>, UploadPath> known;
    const std::lock_guard lock(mutex);
    const std::pair key(device.info().platform, device.info().device);
    const auto found = known.find(key);
    if (found != known.end()) return found->second;
    return known[key] = measure(device);
}

std::string name(UploadPath path) {
    switch (path) {
    case UploadPath::automatic:
        return "auto";
    case UploadPath::direct:
        return "direct";
    case UploadPath::pinned:
        return "pinned";
    case UploadPath::pageable:
        return "pageable";
    case UploadPath::host:
        return "host";
    }
    return {};
}

std::vector<std::string> upload_path_names() {
    return {"auto", "direct", "pinned", "pageable", "host"};
}

std::optional<UploadPath> parse_upload_path(const std::string& text) {
    for (const UploadPath path : {UploadPath::automatic, UploadPath::direct, UploadPath::pinned,
                                  UploadPath::pageable, UploadPath::host})
        if (name(path) == text) return path;
    return std::nullopt;
}

} // namespace weft::gpu
