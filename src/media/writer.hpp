// Pictures and sound into files, pipes and addresses. The gate of FFmpeg's encoders and muxers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/rational.hpp"
#include "colour/picture_format.hpp"

namespace weft::media {

using OptionList = std::vector<std::pair<std::string, std::string>>;

// Where to and how, as the user said it. Empty strings: the default for the target.
struct OutputSettings {
    std::string target; // path, "-" (standard output), "out%04d.png", or an address with "scheme://"
    std::string format; // muxer by name, "y4m", "raw" or "png"; "" = by extension ("-" demands one)
    // Video. Defaults: libx264 crf 20 preset medium for mp4, mkv, mov; libvpx-vp9 crf 31 for webm.
    std::string video_codec; // FFmpeg's encoder or codec name
    std::optional<double> crf;
    std::string preset;
    std::string bitrate;      // "6M"
    std::string pixel_format; // "" = yuv420p where the encoder takes it
    OptionList video_options; // any option of the encoder
    // Audio. Defaults: aac 192k; libopus 160k for webm.
    std::string audio_codec;
    std::string audio_bitrate;
    OptionList audio_options;
    OptionList mux_options; // any option of the muxer: {"movflags", "+faststart"}
    bool audio = false;     // whether write_audio() will be called
    // The same file from the same pictures on every run: bit-exact muxing and coding, a fixed number of
    // threads.
    bool reproducible = false;
    int threads = 0; // of the video encoder; 0 = the encoder's own choice
};

// What the settings come to: everything decided, nothing opened.
struct OutputChoice {
    enum class Kind { file, raw, pictures } kind = Kind::file;
    std::string muxer, video_codec, audio_codec; // FFmpeg's names; "" = none
    std::string pixel_format;                    // the format that write_video() will be given
    std::vector<std::string> accepted;           // all pixel formats this target takes and kernels can store
    bool even_size = false; // width and height must be even (4:2:0, 4:2:2): pad the canvas by one
};

// Errors : usage for an unknown muxer, codec, pixel format or option, with the nearest name and what is
// allowed;
//          unsupported when the muxer cannot hold the codec or sound.
OutputChoice choose_output(const OutputSettings& settings);

// Pixel formats that an encoder takes ("libx264"), the encoder's own favourite first. Errors : usage with the
// nearest.
std::vector<std::string> accepted_formats(const std::string& encoder);

// Something that takes pictures, and perhaps sound, in order. write_video and write_audio may be called from
// two threads; each by one at a time.
class VideoWriter {
  public:
    virtual ~VideoWriter() = default; // without finish() before: everything it wrote is removed

    virtual const OutputChoice& choice() const = 0;
    // The planes must be of the format that the writer was opened with. No copy is made: they must stay
    // unchanged until `release` is called, exactly once, perhaps from an encoder's thread, perhaps before
    // this returns, also when this throws. `release` must not throw. frame_index / rate is the presentation
    // time; indices rise. Errors : resource (disk full), bad_input (encoder failure), both naming the target.
    virtual void write_video(const colour::HostPlanes& planes, int64_t frame_index,
                             std::function<void()> release) = 0;
    // Stereo, 48 kHz, from canvas time 0 on without gaps. Errors : as write_video; internal when audio is
    // off.
    virtual void write_audio(const float* interleaved, size_t frames) = 0;
    // Writes what the encoders still hold, closes, and gives the file its name.
    virtual void finish() = 0;
    // After a failure or an interruption: closes what can be finalised as "OUT.partial.EXT" and returns that
    // name;
    // "" when there is nothing worth keeping (then nothing is left). Throws nothing.
    virtual std::string finish_partial() noexcept = 0;

    virtual int64_t frames_written() const = 0;
    virtual int64_t bytes_written() const = 0;
};

// Opens the writer for the settings: FileWriter, RawWriter or PngWriter. The target's folder is tried before
// the first frame. `format` gives size, pixel format (choose_output's), colour, aspect and rate. Errors : as
// choose_output; not_found or resource when the target cannot be written; bad_input when the encoder
//          refuses size or options. All name the target.
std::unique_ptr<VideoWriter> open_writer(const OutputSettings& settings, const colour::PictureFormat& format);

} // namespace weft::media
