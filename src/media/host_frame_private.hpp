#pragma once

#include "media/av_private.hpp"
#include "media/host_frame.hpp"

namespace weft::media {

struct HostFrame::Impl {
    Av<AVFrame> frame;
    colour::HostPlanes planes;
    std::shared_ptr<const colour::PictureFormat> format;
    Rational pts, duration;
    bool key = false, interlaced = false, top_field_first = false;
};

} // namespace weft::media
