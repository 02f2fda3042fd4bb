// What is shown in the place of an input that does not come.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "colour/picture_format.hpp"
#include "gpu/upload.hpp"

namespace weft::engine {

// A dark picture with a name in the middle, in any format that kernels load: it takes the place of a stream's
// picture without a change of plan. Upright as the format's rotation has it. Of the name, letters, digits and
// .-_: are drawn, the rest is left blank; a name too long for the picture is cut.
class HostPlaceholder {
  public:
    HostPlaceholder(const std::string& name, const colour::PictureFormat& format);
    const colour::HostPlanes& planes() const { return planes_; }

  private:
    std::vector<uint8_t> memory_;
    colour::HostPlanes planes_;
};

// The same on the device, for as long as this lives. Errors : resource or device.
class Placeholder {
  public:
    Placeholder(const std::string& name, const colour::PictureFormat& format,
                std::unique_ptr<gpu::Uploader> uploader);
    const gpu::Upload& upload() const { return upload_; }
    const colour::PictureFormat& format() const { return format_; }
    size_t bytes() const { return uploader_->bytes(); }

  private:
    colour::PictureFormat format_;
    HostPlaceholder picture_;
    std::unique_ptr<gpu::Uploader> uploader_;
    gpu::Upload upload_;
};

} // namespace weft::engine
