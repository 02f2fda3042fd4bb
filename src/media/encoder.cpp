#include "media/encoder_private.hpp"

#include <algorithm>
#include <array>

#include "base/log.hpp"

namespace weft::media {
namespace {

// Threads of an encoder whose output must not depend on the machine.
constexpr int reproducible_threads = 4;

std::vector<std::string> encoder_names(AVMediaType type) {
    std::vector<std::string> names;
    void* state = nullptr;
    while (const AVCodec* codec = av_codec_iterate(&state))
        if (av_codec_is_encoder(codec) != 0 && codec->type == type) names.emplace_back(codec->name);
    return names;
}

const AVOption* find_option(const AVClass* type, const std::string& name) {
    if (type == nullptr) return nullptr;
    return av_opt_find(&type, name.c_str(), nullptr, AV_OPT_FLAG_ENCODING_PARAM, AV_OPT_SEARCH_FAKE_OBJ);
}

bool has_option(const AVCodec& codec, const std::string& name) {
    return find_option(codec.priv_class, name) != nullptr ||
           find_option(avcodec_get_class(), name) != nullptr;
}

void add_option_names(const AVClass* type, std::vector<std::string>& names) {
    if (type == nullptr) return;
    const AVOption* option = nullptr;
    while ((option = av_opt_next(&type, option)) != nullptr)
        if (option->type != AV_OPT_TYPE_CONST && (option->flags & AV_OPT_FLAG_ENCODING_PARAM) != 0)
            names.emplace_back(option->name);
}

// Whether options of the user's own say how good or large the result is to be: then no default does.
bool sets_quality(const OptionList& options) {
    return std::any_of(options.begin(), options.end(), [](const auto& option) {
        const std::string& key = option.first;
        return key == "qp" || key == "b" || key == "crf" || key == "lossless" || key == "global_quality" ||
               key == "cq-level" || key == "rc";
    });
}

// x264 and x265 print their complaint about a wrong preset past every logger, so it is found before.
void check_preset(const std::string& codec, const std::string& preset, const std::string& target) {
    if (preset.empty() || (codec != "libx264" && codec != "libx264rgb" && codec != "libx265")) return;
    static const std::vector<std::string> known{"ultrafast", "superfast", "veryfast", "faster",   "fast",
                                                "medium",    "slow",      "slower",   "veryslow", "placebo"};
    if (std::find(known.begin(), known.end(), preset) != known.end()) return;
    std::string message = target + ": encoder " + codec + " has no preset '" + preset + "', allowed:";
    for (const std::string& name : known)
        message += " " + name;
    throw Error(ErrorKind::usage, message);
}

std::string number_text(double value) {
    return spdlog::fmt_lib::format("{}", value);
}

// x264 and x265 take any number and quietly use the nearest that exists.
void check_crf(const std::string& codec, std::optional<double> crf, const std::string& target) {
    if (!crf || (codec != "libx264" && codec != "libx264rgb" && codec != "libx265")) return;
    if (*crf >= 0 && *crf <= 51) return;
    throw Error(ErrorKind::usage,
                target + ": crf is " + number_text(*crf) + ", encoder " + codec + " allows 0..51");
}

// x265 prints its settings and statistics past every logger.
void keep_quiet(OptionList& options) {
    auto params = std::find_if(options.begin(), options.end(),
                               [](const auto& option) { return option.first == "x265-params"; });
    if (params == options.end())
        options.emplace_back("x265-params", "log-level=error");
    else if (params->second.find("log") == std::string::npos)
        params->second += ":log-level=error";
}

} // namespace

const AVCodec& find_encoder(const std::string& name, AVMediaType type, const std::string& target) {
    const AVCodec* codec = avcodec_find_encoder_by_name(name.c_str());
    if (codec == nullptr) {
        const std::string word = name == "h265" ? "hevc" : name;
        if (const AVCodecDescriptor* descriptor = avcodec_descriptor_get_by_name(word.c_str()))
            codec = avcodec_find_encoder(descriptor->id);
    }
    if (codec == nullptr || codec->type != type) {
        const std::string what = type == AVMEDIA_TYPE_VIDEO ? "video" : "audio";
        std::string message = target + ": there is no " + what + " encoder '" + name + "'";
        const std::string nearest = nearest_name(name, encoder_names(type));
        if (!nearest.empty()) message += "; did you mean '" + nearest + "'?";
        throw Error(ErrorKind::usage, message);
    }
    return *codec;
}

void check_option(const AVCodec& codec, const std::string& option, const std::string& target) {
    if (has_option(codec, option)) return;
    std::vector<std::string> own, all;
    add_option_names(codec.priv_class, own);
    all = own;
    add_option_names(avcodec_get_class(), all);
    std::string message = target + ": encoder " + codec.name + " has no option '" + option + "'";
    const std::string nearest = nearest_name(option, all);
    if (!nearest.empty()) message += "; did you mean '" + nearest + "'?";
    if (!own.empty()) {
        message += nearest.empty() ? ". Its own options:" : " Its own options:";
        for (const std::string& name : own)
            message += " " + name;
    }
    throw Error(ErrorKind::usage, message);
}

std::vector<std::string> storable_formats(const AVCodec& codec) {
    std::vector<std::string> names;
    for (const AVPixelFormat format : compat::pixel_formats(codec)) {
        const std::string name = format_name(format);
        if (!colour::has_device_loader(name)) continue;
        const colour::PixelFormat pixels = colour::pixel_format(name);
        if (pixels.is_palette || pixels.is_float) continue;
        names.push_back(name);
    }
    if (names.empty() && compat::pixel_formats(codec).empty()) { // rawvideo and its like take any
        for (const std::string& name : colour::pixel_format_names())
            if (!colour::pixel_format(name).is_palette && av_get_pix_fmt(name.c_str()) != AV_PIX_FMT_NONE)
                names.push_back(name);
    }
    return names;
}

std::vector<std::string> accepted_formats(const std::string& encoder) {
    return storable_formats(find_encoder(encoder, AVMEDIA_TYPE_VIDEO, encoder));
}

Encoder::Encoder(const AVCodec& codec, std::string target)
    : target_(std::move(target)), codec_(&codec), context_(avcodec_alloc_context3(&codec)),
      packet_(new_packet()) {
    if (!context_) throw Error(ErrorKind::resource, target_ + ": out of memory for an encoder");
}

void Encoder::open(const OutputSettings& settings, const OptionList& options) {
    if (settings.reproducible) {
        context_->flags |= AV_CODEC_FLAG_BITEXACT;
        context_->thread_count = settings.threads > 0 ? settings.threads : reproducible_threads;
    } else {
        context_->thread_count = settings.threads;
    }
    Dictionary dictionary;
    for (const auto& [key, value] : options) {
        check_option(*codec_, key, target_);
        dictionary.set(key, value);
    }
    const LogCapture capture;
    const int code = avcodec_open2(context_.get(), codec_, dictionary.address());
    if (code < 0)
        throw Error(kind_of(code),
                    target_ + ": encoder " + codec_->name + " refuses: " + capture.reason(code));
    if (const std::string left = dictionary.first_key(); !left.empty())
        throw Error(ErrorKind::usage,
                    target_ + ": encoder " + codec_->name + " has no option '" + left + "'");
}

Encoder Encoder::video(const OutputSettings& settings, const OutputChoice& choice,
                       const colour::PictureFormat& format, bool global_header) {
    const AVCodec& codec = find_encoder(choice.video_codec, AVMEDIA_TYPE_VIDEO, settings.target);
    Encoder encoder(codec, settings.target);
    AVCodecContext& c = *encoder.context_;
    c.width = format.width;
    c.height = format.height;
    c.pix_fmt = av_get_pix_fmt(format.pixels.name.c_str());
    const Rational rate = format.rate > Rational(0) ? format.rate : Rational(25);
    c.framerate = to_av(rate);
    c.time_base = to_av(Rational(1) / rate);
    c.sample_aspect_ratio = to_av(format.sample_aspect);
    const AvColour colour =
        av_colour(format.colour, format.pixels.model == colour::Model::ycbcr, format.pixels.subsampled());
    c.colorspace = colour.matrix;
    c.color_range = colour.range;
    c.color_trc = colour.transfer;
    c.color_primaries = colour.primaries;
    c.chroma_sample_location = colour.chroma;
    if (global_header) c.flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
    const std::string name = codec.name;
    // QuickTime plays HEVC only under this tag.
    if (codec.id == AV_CODEC_ID_HEVC && (choice.muxer == "mp4" || choice.muxer == "mov"))
        c.codec_tag = MKTAG('h', 'v', 'c', '1');

    check_preset(name, settings.preset, settings.target);
    check_crf(name, settings.crf, settings.target);
    OptionList options;
    const bool vpx = name == "libvpx-vp9" || name == "libvpx" || name == "libaom-av1";
    if (!settings.bitrate.empty()) {
        options.emplace_back("b", settings.bitrate);
        if (settings.crf) options.emplace_back("crf", number_text(*settings.crf));
    } else if (settings.crf || (has_option(codec, "crf") && !sets_quality(settings.video_options))) {
        const double crf = settings.crf.value_or(vpx                   ? 31
                                                 : name == "libx265"   ? 24
                                                 : name == "libsvtav1" ? 32
                                                                       : 20);
        options.emplace_back("crf", number_text(crf));
        if (vpx) options.emplace_back("b", "0"); // else crf is only a bound for the default bit rate
    }
    if (!settings.preset.empty())
        options.emplace_back("preset", settings.preset);
    else if (name == "libx264" || name == "libx264rgb" || name == "libx265")
        options.emplace_back("preset", "medium");
    if (name == "libvpx-vp9" || name == "libaom-av1") options.emplace_back("row-mt", "1");
    // Alpha is a second stream whose packets must belong to the first one's, picture by picture.
    if (name.starts_with("libvpx") && format.pixels.has_alpha) options.emplace_back("auto-alt-ref", "0");
    // x264's macroblock tree reads memory it never wrote (seen with 164 r3095 under memcheck), so that the
    // file depends on what the heap held before.
    if (settings.reproducible && name.starts_with("libx264")) options.emplace_back("mbtree", "0");
    for (const auto& option : settings.video_options) {
        std::erase_if(options, [&](const auto& given) { return given.first == option.first; });
        options.push_back(option);
    }
    if (name == "libx265") keep_quiet(options);
    encoder.open(settings, options);
    return encoder;
}

Encoder Encoder::audio(const OutputSettings& settings, const OutputChoice& choice, bool global_header) {
    const AVCodec& codec = find_encoder(choice.audio_codec, AVMEDIA_TYPE_AUDIO, settings.target);
    Encoder encoder(codec, settings.target);
    AVCodecContext& c = *encoder.context_;
    const std::vector<AVSampleFormat> formats = compat::sample_formats(codec);
    c.sample_fmt = AV_SAMPLE_FMT_FLTP;
    if (!formats.empty()) {
        c.sample_fmt = formats.front();
        for (const AVSampleFormat better : {AV_SAMPLE_FMT_FLTP, AV_SAMPLE_FMT_FLT, AV_SAMPLE_FMT_S32P,
                                            AV_SAMPLE_FMT_S32, AV_SAMPLE_FMT_S16P, AV_SAMPLE_FMT_S16}) {
            if (std::find(formats.begin(), formats.end(), better) == formats.end()) continue;
            c.sample_fmt = better;
            break;
        }
    }
    c.sample_rate = 48000;
    const std::vector<int> rates = compat::sample_rates(codec);
    if (!rates.empty() && std::find(rates.begin(), rates.end(), 48000) == rates.end())
        c.sample_rate = *std::max_element(rates.begin(), rates.end());
    av_channel_layout_default(&c.ch_layout, 2);
    c.time_base = {1, c.sample_rate};
    if (global_header) c.flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
    OptionList options;
    const std::string name = codec.name;
    const std::string bitrate = !settings.audio_bitrate.empty() ? settings.audio_bitrate
                                : name == "libopus"             ? "160k"
                                : name == "aac"                 ? "192k"
                                                                : "";
    if (!bitrate.empty()) options.emplace_back("b", bitrate);
    for (const auto& option : settings.audio_options)
        options.push_back(option);
    OutputSettings own = settings;
    own.threads = 1;
    encoder.open(own, options);
    return encoder;
}

void Encoder::encode(const AVFrame* frame, const PacketSink& sink) {
    const LogCapture capture;
    const auto fail = [&](int code) {
        throw Error(kind_of(code),
                    target_ + ": encoder " + codec_->name + " failed: " + capture.reason(code));
    };
    bool sent = false;
    while (true) {
        if (!sent) {
            const int code = avcodec_send_frame(context_.get(), frame);
            if (code >= 0 || (frame == nullptr && code == AVERROR_EOF))
                sent = true;
            else if (code != AVERROR(EAGAIN))
                fail(code);
        }
        const int code = avcodec_receive_packet(context_.get(), packet_.get());
        if (code == AVERROR_EOF) return;
        if (code == AVERROR(EAGAIN)) {
            if (sent) return;
            continue;
        }
        if (code < 0) fail(code);
        sink(*packet_);
        av_packet_unref(packet_.get());
    }
}

namespace {

void give_back(void* opaque, uint8_t*) {
    const std::unique_ptr<std::function<void()>> release(static_cast<std::function<void()>*>(opaque));
    if (*release) (*release)();
}

} // namespace

Av<AVFrame> borrow_planes(const colour::HostPlanes& planes, const colour::PictureFormat& format, int64_t pts,
                          std::function<void()> release) {
    auto owner = std::make_unique<std::function<void()>>(std::move(release));
    Av<AVFrame> frame;
    AVBufferRef* buffer = nullptr;
    try {
        frame = new_frame();
        const size_t bytes =
            static_cast<size_t>(std::abs(planes.pitch[0])) * static_cast<size_t>(format.height);
        // FFmpeg's buffers are of writable bytes; this one is marked read-only.
        buffer = av_buffer_create(const_cast<uint8_t*>(planes.data[0]), bytes, give_back, owner.get(),
                                  AV_BUFFER_FLAG_READONLY);
        if (buffer == nullptr) throw Error(ErrorKind::resource, "out of memory for a picture");
    } catch (...) {
        if (*owner) (*owner)();
        throw;
    }
    (void)owner.release(); // give_back owns it now
    frame->buf[0] = buffer;
    frame->format = av_get_pix_fmt(format.pixels.name.c_str());
    frame->width = format.width;
    frame->height = format.height;
    for (size_t i = 0; i < static_cast<size_t>(format.pixels.plane_count); ++i) {
        frame->data[i] = const_cast<uint8_t*>(planes.data[i]);
        frame->linesize[i] = planes.pitch[i];
    }
    frame->extended_data = frame->data;
    frame->pts = pts;
    frame->sample_aspect_ratio = to_av(format.sample_aspect);
    const AvColour colour =
        av_colour(format.colour, format.pixels.model == colour::Model::ycbcr, format.pixels.subsampled());
    frame->colorspace = colour.matrix;
    frame->color_range = colour.range;
    frame->color_trc = colour.transfer;
    frame->color_primaries = colour.primaries;
    frame->chroma_location = colour.chroma;
    return frame;
}

} // namespace weft::media
