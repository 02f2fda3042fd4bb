// From packets to pictures in host memory. The gate of FFmpeg's video decoders.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/frame_allocator.hpp"
#include "base/rational.hpp"
#include "colour/picture_format.hpp"
#include "media/host_frame.hpp"
#include "media/input.hpp"
#include "media/packet_watch.hpp"

namespace weft::media {

struct VideoOptions {
    std::string stream; // "" = the best one, a number, or a language
    // Hands the codec its memory; must outlive the decoder and all its frames. Used for codecs and formats
    // that can (planes 64-byte aligned, pitches multiples of 64); others decode into memory of their own.
    FrameAllocator* allocator = nullptr;
    int threads =
        1; // 1: decode on the calling thread alone; 0: frame threads, as many as the machine has cores
    // Overrides of what the file says.
    std::optional<colour::Matrix> matrix;
    std::optional<colour::Range> range;
    std::optional<Rational> rate;
    std::shared_ptr<PacketWatch> watch = {}; // told of this stream's packets; nullptr: nobody measures
};

// One stream's pictures in order of presentation. One thread at a time.
class VideoDecoder {
  public:
    // Decodes the first picture, so that format() is known; it is the first that next() returns.
    // Errors : not_found, unsupported as Input::choose; bad_input when no picture can be decoded.
    explicit VideoDecoder(std::shared_ptr<Input> input, const VideoOptions& options = {});
    ~VideoDecoder();
    VideoDecoder(VideoDecoder&&) noexcept;
    VideoDecoder& operator=(VideoDecoder&&) noexcept;

    const colour::PictureFormat& format() const; // of the stream's first picture
    Rational first() const; // time of that picture: a stream that begins between key frames has none before
    const StreamInfo& stream() const;
    bool still() const;           // one picture, then the end
    bool interlaced() const;      // by the file, or its first picture: others may differ
    bool may_have_fields() const; // pictures of its codec may say that they are pairs of fields
    // How much later than a time the picture that is due at it may be: half a time unit, at most 1 ms.
    Rational slack() const;

    // The next picture; nullopt at the end (and after Input::stop()). Damaged packets are skipped and
    // counted. pts strictly rise; a picture that repeats or goes back in time is dropped and counted as an
    // error. Errors : bad_input when the stream is dead: the connection lost, or nothing decodes any more.
    std::optional<HostFrame> next();

    // The following next() gives the picture that is due at `seconds` from the stream's zero: the greatest
    // pts not after it (+ half a time unit, at most 1 ms); the first picture for a time before it; the end
    // beyond the end. Exact, by decoding from the key frame before. After the end, it makes next() work
    // again. Errors : unsupported when the input cannot seek (a still and time <= 0 on a fresh decoder always
    // can).
    void seek(Rational seconds);

    int64_t errors() const; // damaged packets and pictures so far
    // Whether pictures are missing at the end of a file that is cut short, and how many: those that it
    // declares and does not hold, by the container's index or else by its duration. Where nothing tells how
    // many would follow, as in a fragmented MP4 or a recording that broke off, they are the least. Known once
    // next() has given nullopt.
    bool cut_short() const;
    int64_t missing() const;
    int64_t decoded() const; // pictures that came out of the codec so far, those dropped by seek included

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace weft::media
