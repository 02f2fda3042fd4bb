// One opened file or address: what is in it, and the thread that reads it. The gate of FFmpeg's demuxers.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/rational.hpp"
#include "colour/picture_format.hpp"

namespace weft::media {

enum class StreamKind { video, audio };

// One stream as the container and the first packets describe it; a plain value.
struct StreamInfo {
    int index = 0; // the number FFmpeg and people give it, from 0 over all streams of the file
    StreamKind kind = StreamKind::video;
    std::string codec;   // "h264"
    std::string profile; // "High", "" when there is none
    std::string language, title;
    bool is_default = false;
    bool cover = false;               // a picture attached to an audio file; never chosen unless asked for
    std::optional<Rational> start;    // on the container's clock, seconds
    std::optional<Rational> duration; // of what is there
    // The container's own word, where it gives one: more than `duration` in a file that is cut short.
    std::optional<Rational> declared;
    // Time on the container's clock that counts as 0: the stream's first picture, unless that comes more than
    // 100 ms after the container's start: then the container's start. Of sound: that of the best video
    // stream, so that they stay together; without video by the same rule on the sound itself.
    Rational zero;
    // From `zero` to the end of the stream, seconds; none when the file does not say.
    std::optional<Rational> length() const;
    std::optional<Rational> declared_length() const; // the same by the container's word
    bool is_cut_short() const;                       // it ends before that
    int64_t frames = 0;                              // as the container counts them; 0 = it does not say
    int64_t bits_per_second = 0;
    std::string problem; // why it cannot be decoded: "no decoder", "size unknown"; "" when it can
    std::string warning; // what is wrong with its pictures although they can be; "" when nothing is

    // Video. `format` is what a VideoDecoder is expected to give: after conversion when weft has no loader
    // for the stored format. The decoder's own format() is the truth.
    std::string stored_format; // FFmpeg's name of the pixel format in the file
    colour::ColourSpec tagged; // what the file says, unspecified where it says nothing
    colour::PictureFormat format;
    Rational average_rate, base_rate; // FFmpeg's avg_frame_rate and r_frame_rate; 0 when unknown
    bool variable_rate = false; // its pictures do not come at one rate: format.rate is near the usual one
    bool still = false;         // a single picture that lasts as long as it is used
    bool interlaced = false;
    bool alpha = false;

    // Audio.
    int channels = 0;
    int sample_rate = 0;
    std::string channel_layout; // "stereo", "5.1(side)"
};

struct InputInfo {
    std::string url;
    std::string container;            // FFmpeg's short name: "mov,mp4,m4a,3gp,3g2,mj2"
    std::string container_name;       // for people: "QuickTime / MOV"
    Rational start;                   // the container's start on its own clock, seconds
    std::optional<Rational> duration; // none: live, or unknown
    int64_t bytes = 0;                // 0 when unknown
    bool seekable = true;
    bool cut_short = false;          // the file ends before the end that it declares, or within a fragment
    std::vector<StreamInfo> streams; // video and audio only, in the file's order
};

struct InputOptions {
    // Bounds of each stream's packet queue. The reader waits when every queue is full, or when one is full
    // and no other stream is starved; past `hard_bytes` it always waits.
    size_t queue_bytes = size_t{16} << 20;
    double queue_seconds = 2;
    size_t hard_bytes = size_t{64} << 20;
    double open_timeout_seconds = 20; // of addresses; a pipe may be silent for as long as it likes
    // Asked about ten times a second while an address, a pipe or a device keeps us waiting, from any thread:
    // true breaks the waiting off, as at the end of the input. Must stay valid as long as the input.
    std::function<bool()> cancelled;
    std::string format;                                       // demuxer by name, "" = by content
    std::vector<std::pair<std::string, std::string>> options; // any option of the demuxer or protocol
};

// An opened input. Decoders share it through a shared_ptr and each has its own position: decoders that are
// made before the first packet was read share one reader thread; one that seeks, or comes later, is given a
// reader of its own (the file is opened again). An address that cannot be opened twice (pipe, live) has one
// reader only: there a late decoder begins at the present packet and seek() is an Error.
//   threads : info() and choose() from anywhere; stop() from anywhere.
class Input {
  public:
    // A path with ':' or '%' or a leading '-' is read as that very file; "-" is standard input; anything with
    // "scheme://" is an address.
    // Errors : not_found when there is no such file; bad_input when it is empty, damaged, or holds neither a
    //          picture nor sound; unsupported when nothing can decode it. All name the file.
    explicit Input(const std::string& url, const InputOptions& options = {});
    ~Input();
    Input(const Input&) = delete;
    Input& operator=(const Input&) = delete;

    const InputInfo& info() const;

    // Index (as in StreamInfo::index) of the stream that `wanted` names: "" = the best one, a number, or a
    // language
    // ("eng"). nullopt when `wanted` is "" and there is none that can be decoded.
    // Errors : not_found listing the streams there are; unsupported with the stream's problem.
    std::optional<int> choose(StreamKind kind, const std::string& wanted = "") const;
    const StreamInfo& stream(int index) const; // Errors : not_found
    // The picture attached to a file without others, such as the cover of a song; nullopt when there is none.
    std::optional<int> cover() const;

    // Ends all waiting: every decoder's next() gives nullopt soon, also in the middle of a network read.
    void stop();

    struct Impl;
    Impl& impl() { return *impl_; } // for this module

  private:
    std::unique_ptr<Impl> impl_;
};

// Opens, looks and closes. Of stills the picture is decoded, because only it says which way is up.
// Errors : as Input.
InputInfo probe(const std::string& url, const InputOptions& options = {});

// "libavformat 59.27.100, libavcodec ..." of the libraries in use.
std::string library_versions();

} // namespace weft::media
