// Reading of files that are nothing but pictures, y4m and raw video, straight into lent memory.
#pragma once

#include <optional>
#include <string_view>

#include "media/av_private.hpp"
#include "media/frame_memory_private.hpp"

namespace weft::media {

// FFmpeg's demuxers allocate each packet anew: pages that the system clears, and a picture that has to be
// copied before a device can read it. Here the file's bytes come to lie in one of the device's blocks at
// once. threads: the reader's.
class RawFrames {
  public:
    explicit RawFrames(AVFormatContext& context);

    // FFmpeg has read this packet: where it ends, read() may go on.
    void follow(const AVPacket& packet);
    // The file's position has moved: read() waits for the next follow().
    void forget() { last_.reset(); }

    // The next picture, in a block of `memory`. 0 or FFmpeg's error code; nullopt, with nothing read, when
    // FFmpeg should read it: not a file of pictures, a position not known, no block of that size.
    std::optional<int> read(AVPacket& packet, FrameMemory& memory);

  private:
    AVFormatContext& context_;
    bool fits_ = false;
    std::string_view mark_; // between two pictures
    int bytes_ = 0;         // of a picture
    Av<AVPacket> last_;     // its properties: times, flags
};

} // namespace weft::media
