// The EXIF of stills in which FFmpeg's decoders do not look for it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "media/av_private.hpp"

namespace weft::media {

// The "Orientation" that a whole coded picture names: in the eXIf chunk of a PNG, in the first directory of a
// TIFF. As the file has it: 1 to 8, if it is right. nullopt where it names none, and for other codecs, of
// which FFmpeg hands it on (JPEG, WebP) or that have none. Source : PNG, third edition, 11.3.4.3; TIFF 6.0,
// section 2, and EXIF 2.3, 4.6.2.
std::optional<int> stored_orientation(AVCodecID codec, std::span<const uint8_t> coded);

} // namespace weft::media
