// The ways in which a decoded picture reaches the device. Every way gives the same bytes.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace weft::gpu {

enum class UploadPath {
    automatic, // measured once per device, see choose_upload_path()
    direct,    // the decoder writes pinned memory and copies are enqueued straight from it
    pinned,    // one host copy into pinned memory, then an asynchronous copy
    pageable,  // asynchronous copy from ordinary memory
    host       // kernels read the decoder's own memory
};

// "auto", "direct", "pinned", "pageable", "host".
std::string name(UploadPath path);
std::vector<std::string> upload_path_names();
// nullopt for an unknown name.
std::optional<UploadPath> parse_upload_path(const std::string& text);

} // namespace weft::gpu
