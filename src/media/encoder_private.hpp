// One encoder: pictures or samples in, packets out. Private to media.
#pragma once

#include <functional>
#include <vector>

#include "media/av_private.hpp"
#include "media/writer.hpp"

namespace weft::media {

// By encoder name, else by codec name ("h264", "hevc", "vp9"). Errors : usage with the nearest name.
const AVCodec& find_encoder(const std::string& name, AVMediaType type, const std::string& target);

// Errors : usage when the encoder has no such option, with the nearest.
void check_option(const AVCodec& codec, const std::string& option, const std::string& target);

// Pixel formats of an encoder that kernels can store, its favourite first.
std::vector<std::string> storable_formats(const AVCodec& codec);

using PacketSink = std::function<void(AVPacket&)>; // times in the encoder's time base

// One thread at a time; packets come out on the calling thread.
class Encoder {
  public:
    // Errors : usage for options, bad_input when the encoder refuses size, format or values. Names the
    // target.
    static Encoder video(const OutputSettings& settings, const OutputChoice& choice,
                         const colour::PictureFormat& format, bool global_header);
    static Encoder audio(const OutputSettings& settings, const OutputChoice& choice, bool global_header);

    AVCodecContext& context() { return *context_; }
    // frame == nullptr: gives out everything that is held. Errors : bad_input, resource.
    void encode(const AVFrame* frame, const PacketSink& sink);

  private:
    Encoder(const AVCodec& codec, std::string target);
    void open(const OutputSettings& settings, const OptionList& options);

    std::string target_;
    const AVCodec* codec_;
    Av<AVCodecContext> context_;
    Av<AVPacket> packet_;
};

// The caller's planes as an AVFrame, without a copy: `release` is called when the last reference is gone, or
// at once when this throws.
Av<AVFrame> borrow_planes(const colour::HostPlanes& planes, const colour::PictureFormat& format, int64_t pts,
                          std::function<void()> release);

} // namespace weft::media
