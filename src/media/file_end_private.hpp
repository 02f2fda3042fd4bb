// Whether a file ends where it says that it does.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "media/av_private.hpp"

namespace weft::media {

// The bytes that a file on a disk claims to have: the Segment of Matroska and WebM, the RIFF chunks of AVI,
// the "filesize" of FLV.
// nullopt for other files, and for those whose writer never came to fill it in.
std::optional<int64_t> declared_bytes(const std::string& path);

// Within what a fragmented MP4 or QuickTime file ends. FFmpeg knows of a fragment from its description (moof)
// on; how many would follow no box tells.
// Source : ISO/IEC 14496-12, 4.2 and 8.8.
struct TornFragment {
    int64_t begins = 0;       // the box that is not whole
    bool holds_media = false; // it is an mdat; else FFmpeg refuses the whole file for it
};
// nullopt for other files, and when no picture or sound is lost: it ends behind a box, or within one of those
// that may follow the fragments.
std::optional<TornFragment> torn_fragment(const std::string& path);

// Packets of a stream that the container's index names and that lie, wholly or in part, beyond `bytes`; 0
// when it has no index of all packets (MP4 and QuickTime have one).
int64_t packets_beyond(const AVStream& stream, int64_t bytes);
// Where packets lie beyond: the decoding time of the last one that does not, in the stream's time base.
std::optional<int64_t> last_within(const AVStream& stream, int64_t bytes);

// A JPEG without its end, of which FFmpeg's decoder makes a whole picture without a word. In its coded
// samples no byte looks like a marker's (ITU-T T.81, B.1.1.2 and B.1.1.5).
bool is_torn_jpeg(std::span<const uint8_t> coded);

} // namespace weft::media
