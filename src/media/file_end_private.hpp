// Whether a file ends where it says that it does.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "media/av_private.hpp"

namespace weft::media {

// The bytes that a file on a disk claims to have: the Segment of Matroska and WebM, the RIFF chunks of AVI,
// the "filesize" of FLV.
// nullopt for other files, and for those whose writer never came to fill it in.
std::optional<int64_t> declared_bytes(const std::string& path);

// Packets of a stream that the container's index names and that lie, wholly or in part, beyond `bytes`; 0
// when it has no index of all packets (MP4 and QuickTime have one).
int64_t packets_beyond(const AVStream& stream, int64_t bytes);
// Where packets lie beyond: the decoding time of the last one that does not, in the stream's time base.
std::optional<int64_t> last_within(const AVStream& stream, int64_t bytes);

} // namespace weft::media
