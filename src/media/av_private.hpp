// FFmpeg's handles as values that clean up, and its codes and colours as ours.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "base/rational.hpp"
#include "colour/picture_format.hpp"
#include "media/compat.hpp"

namespace weft::media {

struct AvDelete {
    void operator()(AVPacket* p) const { av_packet_free(&p); }
    void operator()(AVFrame* p) const { av_frame_free(&p); }
    void operator()(AVCodecContext* p) const { avcodec_free_context(&p); }
    void operator()(AVCodecParameters* p) const { avcodec_parameters_free(&p); }
    void operator()(SwsContext* p) const { sws_freeContext(p); }
    void operator()(SwrContext* p) const { swr_free(&p); }
};
template<class T>
using Av = std::unique_ptr<T, AvDelete>;

Av<AVPacket> new_packet(); // Errors : resource
Av<AVFrame> new_frame();

class Dictionary {
  public:
    Dictionary() = default;
    ~Dictionary() { av_dict_free(&dict_); }
    Dictionary(const Dictionary&) = delete;
    Dictionary& operator=(const Dictionary&) = delete;
    void set(const std::string& key, const std::string& value) {
        av_dict_set(&dict_, key.c_str(), value.c_str(), 0);
    }
    bool has(const std::string& key) const { return av_dict_get(dict_, key.c_str(), nullptr, 0) != nullptr; }
    std::string first_key() const; // "" when empty: what nobody took
    AVDictionary** address() { return &dict_; }

  private:
    AVDictionary* dict_ = nullptr;
};
std::string metadata(const AVDictionary* dict, const char* key); // "" when absent

inline Rational to_rational(AVRational r) {
    return r.den == 0 ? Rational(0) : Rational(r.num, r.den);
}
AVRational to_av(Rational r); // nearest that fits int
inline Rational seconds(int64_t timestamp, AVRational base) {
    return Rational(timestamp) * to_rational(base);
}

// "Invalid data found when processing input"
std::string av_text(int code);

// Sends FFmpeg's own messages to log("ffmpeg"); called by everything that opens something.
void route_av_log();

// While it lives, remembers the calling thread's last FFmpeg message of level error: the reason behind a
// code.
class LogCapture {
  public:
    LogCapture();
    ~LogCapture();
    LogCapture(const LogCapture&) = delete;
    LogCapture& operator=(const LogCapture&) = delete;
    // The last message, else av_text(code).
    std::string reason(int code) const;

  private:
    std::string* before_;
    std::string text_;
};

// resource for memory, disk and handles; not_found for a missing file; else bad_input.
ErrorKind kind_of(int code);

colour::ColourSpec colour_of(AVColorSpace matrix, AVColorRange range, AVColorTransferCharacteristic transfer,
                             AVColorPrimaries primaries, AVChromaLocation chroma);
struct AvColour {
    AVColorSpace matrix;
    AVColorRange range;
    AVColorTransferCharacteristic transfer;
    AVColorPrimaries primaries;
    AVChromaLocation chroma;
};
AvColour av_colour(const colour::ColourSpec& spec, bool ycbcr, bool subsampled);

// Quarter turns clockwise and a flip before them, nearest to FFmpeg's display matrix.
struct Turn {
    int rotation = 0;
    bool mirror = false;
};
Turn turn_of(const int32_t* display_matrix);
// EXIF 2.3, 4.6.4, "Orientation": 1 to 8 name the sides at which the stored first row and column are seen.
// nullopt for other numbers.
std::optional<Turn> turn_of_orientation(int orientation);

// The pixel format that kernels can load and that loses neither depth nor alpha of `format`; itself when it
// can be loaded. AV_PIX_FMT_NONE when there is none.
AVPixelFormat loadable_format(AVPixelFormat format);
std::string format_name(AVPixelFormat format);

} // namespace weft::media
