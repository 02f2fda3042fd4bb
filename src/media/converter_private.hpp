// Pictures whose pixel format kernels cannot load, into one that they can.
#pragma once

#include "media/frame_memory_private.hpp"

namespace weft::media {

// One thread at a time.
class Converter {
  public:
    // Same size without the crop, same matrix and range; memory from `memory`. Errors : unsupported,
    // resource.
    Av<AVFrame> convert(Av<AVFrame> frame, AVPixelFormat to, FrameMemory& memory);

  private:
    void keep_range(const AVFrame& frame);
    Av<SwsContext> scaler_;
};

} // namespace weft::media
