#include "media/av_private.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <mutex>

#include "base/log.hpp"

namespace weft::media {

Av<AVPacket> new_packet() {
    Av<AVPacket> packet(av_packet_alloc());
    if (!packet) throw Error(ErrorKind::resource, "out of memory for a packet");
    return packet;
}

Av<AVFrame> new_frame() {
    Av<AVFrame> frame(av_frame_alloc());
    if (!frame) throw Error(ErrorKind::resource, "out of memory for a picture");
    return frame;
}

std::string Dictionary::first_key() const {
    const AVDictionaryEntry* entry = av_dict_get(dict_, "", nullptr, AV_DICT_IGNORE_SUFFIX);
    return entry == nullptr ? "" : entry->key;
}

std::string metadata(const AVDictionary* dict, const char* key) {
    const AVDictionaryEntry* entry = av_dict_get(dict, key, nullptr, 0);
    return entry == nullptr ? "" : entry->value;
}

AVRational to_av(Rational r) {
    AVRational result{0, 1};
    av_reduce(&result.num, &result.den, r.num, r.den, INT32_MAX);
    return result;
}

std::string av_text(int code) {
    std::array<char, AV_ERROR_MAX_STRING_SIZE> text{};
    av_strerror(code, text.data(), text.size());
    return text.data();
}

namespace {

thread_local std::string* captured = nullptr;

void on_av_log(void* source, int level, const char* format, va_list arguments) {
    const bool capture = captured != nullptr && level <= AV_LOG_ERROR;
    if (!capture && level > AV_LOG_VERBOSE) return;
    try {
        std::array<char, 1024> line{};
        int prefix = 0; // no "[h264 @ 0x...]": the address differs from run to run
        const char* name = "";
        if (source != nullptr) {
            const AVClass* type = *static_cast<AVClass**>(source);
            if (type != nullptr && type->item_name != nullptr) name = type->item_name(source);
        }
        av_log_format_line2(nullptr, level, format, arguments, line.data(), static_cast<int>(line.size()),
                            &prefix);
        std::string text = line.data();
        while (!text.empty() && (text.back() == '\n' || text.back() == '\r' || text.back() == ' '))
            text.pop_back();
        if (text.empty()) return;
        if (capture) *captured = text;
        const auto to = level <= AV_LOG_FATAL     ? spdlog::level::warn
                        : level <= AV_LOG_ERROR   ? spdlog::level::info
                        : level <= AV_LOG_WARNING ? spdlog::level::debug
                                                  : spdlog::level::trace;
        log("ffmpeg").log(to, "{}: {}", name, text);
    } catch (...) { // a C callback must not throw; a lost line of log is the lesser harm
    }
}

} // namespace

void route_av_log() {
    static std::once_flag once;
    std::call_once(once, [] { av_log_set_callback(on_av_log); });
}

LogCapture::LogCapture() : before_(captured) {
    route_av_log();
    captured = &text_;
}

LogCapture::~LogCapture() {
    captured = before_;
}

std::string LogCapture::reason(int code) const {
    return text_.empty() ? av_text(code) : text_;
}

ErrorKind kind_of(int code) {
    switch (code) {
    case AVERROR(ENOMEM):
    case AVERROR(ENOSPC):
    case AVERROR(EMFILE):
    case AVERROR(ENFILE):
    case AVERROR(EDQUOT):
    case AVERROR(EFBIG):
        return ErrorKind::resource;
    case AVERROR(ENOENT):
    case AVERROR_PROTOCOL_NOT_FOUND:
    case AVERROR_HTTP_NOT_FOUND:
        return ErrorKind::not_found;
    case AVERROR_DECODER_NOT_FOUND:
    case AVERROR_ENCODER_NOT_FOUND:
    case AVERROR_PATCHWELCOME:
        return ErrorKind::unsupported;
    default:
        return ErrorKind::bad_input;
    }
}

Turn turn_of(const int32_t* matrix) {
    // FFmpeg: x' = a x + c y, y' = b x + d y with y downwards; a, b, c, d at 0, 1, 3, 4 in 16.16.
    const double a = matrix[0], b = matrix[1], c = matrix[3], d = matrix[4];
    // x' and y' of a clockwise quarter turn: (x, y) -> (-y, x).
    static constexpr std::array<std::array<double, 4>, 4> turns{
        {{1, 0, 0, 1}, {0, 1, -1, 0}, {-1, 0, 0, -1}, {0, -1, 1, 0}}}; // a, b, c, d
    Turn best;
    double best_fit = -1;
    for (int mirror = 0; mirror < 2; ++mirror) {
        for (int rotation = 0; rotation < 4; ++rotation) {
            const auto& t = turns[static_cast<size_t>(rotation)];
            const double flip = mirror != 0 ? -1 : 1; // of x, before the turn
            const double fit = a * t[0] * flip + b * t[1] * flip + c * t[2] + d * t[3];
            if (fit > best_fit) {
                best_fit = fit;
                best = {rotation, mirror != 0};
            }
        }
    }
    return best;
}

std::optional<Turn> turn_of_orientation(int orientation) {
    static constexpr std::array<Turn, 8> turns{
        {{0, false}, {0, true}, {2, false}, {2, true}, {3, true}, {1, false}, {1, true}, {3, false}}};
    if (orientation < 1 || orientation > 8) return std::nullopt;
    return turns[static_cast<size_t>(orientation) - 1];
}

namespace {

// Of a sample. libavutil shares out the bits of a Bayer sample among the three components.
int depth_of(const AVPixFmtDescriptor& format) {
    if ((format.flags & AV_PIX_FMT_FLAG_BAYER) == 0) return format.comp[0].depth;
    return format.comp[0].depth + format.comp[1].depth + format.comp[2].depth;
}

} // namespace

std::string format_name(AVPixelFormat format) {
    const char* name = av_get_pix_fmt_name(format);
    return name == nullptr ? "" : name;
}

AVPixelFormat loadable_format(AVPixelFormat format) {
    const std::string name = format_name(format);
    if (name.empty()) return AV_PIX_FMT_NONE;
    if (colour::has_device_loader(name)) return format;
    const AVPixFmtDescriptor* source = av_pix_fmt_desc_get(format);
    if (source == nullptr || !sws_isSupportedInput(format)) return AV_PIX_FMT_NONE;
    const bool alpha = (source->flags & AV_PIX_FMT_FLAG_ALPHA) != 0;
    const std::string little_endian = name.ends_with("be") ? name.substr(0, name.size() - 2) + "le" : name;
    AVPixelFormat best = AV_PIX_FMT_NONE;
    int best_cost = 0;
    for (const std::string& candidate : colour::pixel_format_names()) {
        const AVPixelFormat to = av_get_pix_fmt(candidate.c_str());
        const AVPixFmtDescriptor* target = av_pix_fmt_desc_get(to);
        if (target == nullptr || !sws_isSupportedOutput(to) || (target->flags & AV_PIX_FMT_FLAG_PAL) != 0)
            continue;
        if (depth_of(*target) < depth_of(*source)) continue;
        if (alpha && (target->flags & AV_PIX_FMT_FLAG_ALPHA) == 0) continue;
        const int loss = av_get_pix_fmt_loss(to, format, alpha ? 1 : 0);
        const bool both_rgb =
            ((source->flags ^ target->flags) & AV_PIX_FMT_FLAG_RGB) == 0 || source->nb_components < 3;
        const bool target_alpha = (target->flags & AV_PIX_FMT_FLAG_ALPHA) != 0;
        const int cost = ((loss & (FF_LOSS_RESOLUTION | FF_LOSS_CHROMA)) != 0 ? 40000 : 0) +
                         (both_rgb ? 0 : 20000) + 100 * av_get_bits_per_pixel(target) +
                         10 * std::abs(depth_of(*target) - depth_of(*source)) +
                         (target_alpha && !alpha ? 50 : 0) + (candidate == little_endian ? 0 : 1);
        if (best == AV_PIX_FMT_NONE || cost < best_cost) {
            best = to;
            best_cost = cost;
        }
    }
    return best;
}

} // namespace weft::media
