#include "media/input.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <fstream>
#include <string_view>

#include "base/log.hpp"
#include "media/file_end_private.hpp"
#include "media/packet_source_private.hpp"
#include "media/picture_private.hpp"
#include "media/rate_private.hpp"
#include "media/video_decoder.hpp"

namespace weft::media {
namespace {

std::optional<Rational> time_or_none(int64_t timestamp, AVRational base) {
    if (timestamp == AV_NOPTS_VALUE) return std::nullopt;
    return seconds(timestamp, base);
}

// FFmpeg's image demuxers: one picture a file. ("yuv4mpegpipe" and its like are not meant.)
bool is_still_container(const AVFormatContext& context) {
    const std::string name = context.iformat->name;
    if (name == "image2" || name.ends_with("_pipe")) return true;
    // AVIF and HEIF, an MP4 to FFmpeg (ISO/IEC 23008-12, 10.2; sequences have other brands).
    const std::string brand = metadata(context.metadata, "major_brand");
    return brand == "avif" || brand == "mif1" || brand == "heic" || brand == "heix";
}

// Of such a file, whether it is a stream of pictures one behind the other, as cameras and pipes give it.
// Photos may hold some more pictures than the one that is meant: previews, the other eye's, a map of gains.
bool is_sequence(const AVStream& stream, Reader& reader) {
    constexpr size_t many = 8;
    return reader.look_ahead(stream.index, many).size() >= many;
}

bool has_alpha_track(const AVStream& stream) {
    const AVCodecID codec = stream.codecpar->codec_id;
    return (codec == AV_CODEC_ID_VP8 || codec == AV_CODEC_ID_VP9) &&
           metadata(stream.metadata, "alpha_mode") == "1";
}

// By the extended header of the WebP container, which names the animation among its features.
bool is_animated_webp(const std::string& path) {
    std::array<char, 21> head{};
    std::ifstream(path, std::ios::binary).read(head.data(), head.size());
    const std::string_view text(head.data(), head.size());
    return text.starts_with("RIFF") && text.substr(8, 8) == "WEBPVP8X" && (text[20] & 2) != 0;
}

std::string problem_of(const AVStream& stream, const std::string& url) {
    const AVCodecParameters& p = *stream.codecpar;
    if (p.codec_id == AV_CODEC_ID_NONE || avcodec_find_decoder(p.codec_id) == nullptr)
        return std::string("no decoder for ") + avcodec_get_name(p.codec_id);
    if (p.codec_type == AVMEDIA_TYPE_VIDEO) {
        if (p.codec_id == AV_CODEC_ID_WEBP && p.width <= 0 && is_animated_webp(url))
            return "animated WebP, which FFmpeg cannot decode: convert it to APNG, GIF or a video first";
        if (p.width <= 0 || p.height <= 0) return "no picture in it: its size is unknown";
        if (p.format < 0) return "no picture in it: its pixel format is unknown";
        if (loadable_format(static_cast<AVPixelFormat>(p.format)) == AV_PIX_FMT_NONE)
            return "its pixel format " + format_name(static_cast<AVPixelFormat>(p.format)) +
                   " cannot be read";
    } else if (p.sample_rate <= 0 || p.ch_layout.nb_channels <= 0) {
        return "no sound in it: its sample rate is unknown";
    }
    return "";
}

// Dolby Vision whose pictures mean nothing to who does not apply its metadata, which nobody does here.
std::string warning_of(const AVStream& stream) {
    const auto* dolby = static_cast<const AVDOVIDecoderConfigurationRecord*>(
        compat::stream_side_data(stream, AV_PKT_DATA_DOVI_CONF, sizeof(AVDOVIDecoderConfigurationRecord)));
    if (dolby == nullptr) return "";
    const int profile = dolby->dv_profile;
    // Of the others the base layer is HDR10, HLG or SDR; profile 10 has it or not.
    if (profile != 5 && (profile != 10 || dolby->dv_bl_signal_compatibility_id != 0)) return "";
    return "Dolby Vision profile " + std::to_string(profile) +
           ": its pictures are stored as IPT-PQ-c2, without a layer for other players; they are shown as if "
           "they were Y'CbCr, in wrong colours (purple and green)";
}

void describe_video(const AVFormatContext& context, AVStream& stream, Reader& reader, StreamInfo& info) {
    const AVCodecParameters& p = *stream.codecpar;
    PictureFacts facts = facts_of(p);
    if (has_alpha_track(stream) && facts.format == AV_PIX_FMT_YUV420P) facts.format = AV_PIX_FMT_YUVA420P;
    info.stored_format = format_name(facts.format);
    info.tagged = tagged_colour(facts);
    info.average_rate = to_rational(stream.avg_frame_rate);
    info.base_rate = to_rational(stream.r_frame_rate);
    info.still = info.cover || (is_still_container(context) && !is_sequence(stream, reader));
    info.interlaced = p.field_order != AV_FIELD_UNKNOWN && p.field_order != AV_FIELD_PROGRESSIVE;
    info.warning = warning_of(stream);
    if (!info.problem.empty()) return;

    if (stream.sample_aspect_ratio.num > 0 && stream.sample_aspect_ratio.den > 0)
        facts.aspect =
            to_rational(stream.sample_aspect_ratio); // the container's word goes before the codec's
    if (const int32_t* matrix = compat::stream_display_matrix(stream)) {
        const Turn turn = turn_of(matrix);
        facts.rotation = turn.rotation;
        facts.mirror = turn.mirror;
    }
    facts.peak_nits = peak_of(stream);
    PictureOverrides overrides;
    if (!info.still) {
        RateFacts rate{info.base_rate, info.average_rate, {}, to_rational(stream.time_base)};
        if (!rate_is_plain(rate.base, rate.average)) {
            rate.times = reader.look_ahead(stream.index, reader.seekable() ? 240 : 30);
            info.variable_rate = rate.times.size() > 1 && !is_steady(rate);
        }
        overrides.rate = picture_rate(rate);
        if (!info.start && !rate.times.empty()) info.start = rate.times.front();
    }
    info.format = picture_format(facts, overrides);
    info.alpha = info.format.pixels.has_alpha;
}

void describe_audio(const AVStream& stream, StreamInfo& info) {
    const AVCodecParameters& p = *stream.codecpar;
    info.channels = p.ch_layout.nb_channels;
    info.sample_rate = p.sample_rate;
    std::array<char, 128> layout{};
    if (info.channels > 0 && av_channel_layout_describe(&p.ch_layout, layout.data(), layout.size()) > 0)
        info.channel_layout = layout.data();
}

// "00:00:05.023000000", as Matroska's writers tag each stream. mkvmerge, which signs its statistics, means a
// duration; FFmpeg means the end on the container's clock.
std::optional<Rational> duration_tag(const AVStream& stream, Rational start) {
    const std::string text = metadata(stream.metadata, "DURATION");
    int hours = 0, minutes = 0, whole = 0, thousandths = 0;
    if (std::sscanf(text.c_str(), "%d:%2d:%2d.%3d", &hours, &minutes, &whole, &thousandths) != 4) // NOLINT
        return std::nullopt;
    const Rational time(int64_t{3600} * hours + int64_t{60} * minutes + whole);
    const bool is_duration = !metadata(stream.metadata, "_STATISTICS_WRITING_APP").empty();
    return time + Rational(thousandths, 1000) - (is_duration ? Rational(0) : start);
}

// The time by which AVI counts its packets is that of decoding: pictures come out of the decoder later.
bool counts_decoding_times(const AVFormatContext& context) {
    return std::string_view(context.iformat->name) == "avi";
}

StreamInfo describe(const std::string& url, const AVFormatContext& context, AVStream& stream,
                    Reader& reader) {
    const AVCodecParameters& p = *stream.codecpar;
    StreamInfo info;
    info.index = stream.index;
    info.kind = p.codec_type == AVMEDIA_TYPE_VIDEO ? StreamKind::video : StreamKind::audio;
    info.codec = avcodec_get_name(p.codec_id);
    if (const char* profile = avcodec_profile_name(p.codec_id, p.profile)) info.profile = profile;
    info.language = metadata(stream.metadata, "language");
    if (info.language == "und") info.language.clear();
    info.title = metadata(stream.metadata, "title");
    info.is_default = (stream.disposition & AV_DISPOSITION_DEFAULT) != 0;
    info.cover = (stream.disposition & AV_DISPOSITION_ATTACHED_PIC) != 0;
    info.start = time_or_none(stream.start_time, stream.time_base);
    // Demuxers that reckon with the size of a pipe come to nothing or less.
    if (stream.duration > 0) info.duration = time_or_none(stream.duration, stream.time_base);
    info.frames = stream.nb_frames;
    info.bits_per_second = p.bit_rate;
    info.problem = problem_of(stream, url);
    if (info.kind == StreamKind::audio) {
        describe_audio(stream, info);
        return info;
    }
    describe_video(context, stream, reader, info);
    if (info.start && counts_decoding_times(context) && info.base_rate > Rational(0))
        info.start = *info.start + Rational(p.video_delay) / info.base_rate;
    return info;
}

bool usable(const StreamInfo& stream, StreamKind kind) {
    return stream.kind == kind && stream.problem.empty() && !stream.cover;
}

// FFmpeg's own choice when it can be used, else the first that can.
std::optional<int> best_stream(AVFormatContext& context, const InputInfo& info, StreamKind kind) {
    const int favourite = av_find_best_stream(
        &context, kind == StreamKind::video ? AVMEDIA_TYPE_VIDEO : AVMEDIA_TYPE_AUDIO, -1, -1, nullptr, 0);
    std::optional<int> first;
    for (const StreamInfo& stream : info.streams) {
        if (!usable(stream, kind)) continue;
        if (stream.index == favourite) return favourite;
        if (!first) first = stream.index;
    }
    return first;
}

Rational zero_of(const AVFormatContext& context, const StreamInfo& stream, Rational container_start) {
    if (!stream.start) return container_start;
    const bool late = *stream.start - container_start > Rational(1, 10) && !counts_decoding_times(context);
    return late ? container_start : *stream.start;
}

// A duration that cannot be: less than 1 kbit of file a second, as broken fragmented files claim; or one that
// FFmpeg guessed from the bit rate.
bool doubtful_duration(const AVFormatContext& context, const InputInfo& info) {
    if (!info.seekable || info.bytes == 0 || info.bytes > (int64_t{256} << 20)) return false;
    if (std::all_of(info.streams.begin(), info.streams.end(), [](const auto& s) { return s.still; }))
        return false;
    if (!info.duration || context.duration_estimation_method == AVFMT_DURATION_FROM_BITRATE) return true;
    return info.duration->value() > 3600 &&
           static_cast<double>(info.bytes) * 8 / info.duration->value() < 1000;
}

// A file that ends before the bytes that it declares. Without an index it has to be read to know where its
// last picture ends; what is too long for that keeps its declared duration.
bool is_cut_short(const Input::Impl& impl) {
    constexpr int64_t readable = int64_t{1} << 30;
    const InputInfo& info = impl.info;
    if (!info.seekable || info.bytes == 0 || is_address(impl.url)) return false;
    const bool indexed = std::any_of(info.streams.begin(), info.streams.end(), [&](const StreamInfo& stream) {
        return packets_beyond(*impl.shared->context().streams[stream.index], info.bytes) > 0;
    });
    return indexed || (info.bytes <= readable && declared_bytes(impl.url).value_or(0) > info.bytes);
}

// How long the streams of a file are by the packets that are in it.
void measure_durations(Input::Impl& impl) {
    InputInfo& info = impl.info;
    std::optional<Rational> end;
    for (StreamInfo& stream : info.streams) {
        if (!stream.problem.empty() || stream.still) continue;
        Reader reader(impl.url, impl.options, impl.stop);
        const std::optional<Rational> stream_end = reader.measure_end(stream.index, stream.format.rate);
        if (!stream_end) continue;
        stream.duration = *stream_end - stream.start.value_or(info.start);
        if (!end || *stream_end > *end) end = stream_end;
    }
    if (end) info.duration = *end - info.start;
}

std::string list_of(const InputInfo& info) {
    std::string text;
    for (const StreamInfo& stream : info.streams) {
        text += text.empty() ? "" : ", ";
        text += std::to_string(stream.index) + (stream.kind == StreamKind::video ? " video " : " audio ") +
                stream.codec;
        if (!stream.language.empty()) text += " (" + stream.language + ")";
        if (!stream.problem.empty()) text += " [" + stream.problem + "]";
    }
    return text.empty() ? "none" : text;
}

void describe_input(Input::Impl& impl) {
    Reader& reader = *impl.shared;
    AVFormatContext& context = reader.context();
    InputInfo& info = impl.info;
    info.url = impl.url;
    info.container = context.iformat->name;
    info.container_name = context.iformat->long_name == nullptr ? info.container : context.iformat->long_name;
    info.seekable = reader.seekable();
    if (context.pb != nullptr) info.bytes = std::max<int64_t>(0, avio_size(context.pb));
    const AVRational micro{1, AV_TIME_BASE};
    if (context.start_time != AV_NOPTS_VALUE) info.start = seconds(context.start_time, micro);
    if (context.duration > 0) info.duration = seconds(context.duration, micro);
    for (unsigned i = 0; i < context.nb_streams; ++i) {
        const AVMediaType type = context.streams[i]->codecpar->codec_type;
        if (type == AVMEDIA_TYPE_VIDEO || type == AVMEDIA_TYPE_AUDIO)
            info.streams.push_back(describe(impl.url, context, *context.streams[i], reader));
    }
    const bool any = std::any_of(info.streams.begin(), info.streams.end(),
                                 [](const StreamInfo& stream) { return stream.problem.empty(); });
    if (!any && info.streams.size() == 1)
        throw Error(ErrorKind::unsupported,
                    impl.url + ": " + info.streams.front().codec + ": " + info.streams.front().problem);
    if (!any)
        throw Error(info.streams.empty() ? ErrorKind::bad_input : ErrorKind::unsupported,
                    impl.url + ": holds neither a picture nor sound that can be decoded; its streams: " +
                        list_of(info));
    const bool doubtful = doubtful_duration(context, info);
    if (doubtful) measure_durations(impl);

    const std::optional<int> video = impl.best_video = best_stream(context, info, StreamKind::video);
    impl.best_audio = best_stream(context, info, StreamKind::audio);
    for (StreamInfo& stream : info.streams)
        stream.zero = zero_of(context, stream, info.start);
    if (video) {
        const auto best = std::find_if(info.streams.begin(), info.streams.end(),
                                       [&](const StreamInfo& stream) { return stream.index == *video; });
        for (StreamInfo& stream : info.streams)
            if (stream.kind == StreamKind::audio && !best->still) stream.zero = best->zero;
    }
    // FFmpeg's Matroska counts from 0, where a codec's delay begins before it.
    const bool from_zero = info.container.find("matroska") != std::string::npos && info.start < Rational(0);
    const Rational counted_from = from_zero ? Rational(0) : info.start;
    for (StreamInfo& stream : info.streams) {
        if (stream.still)
            stream.duration.reset();
        else if (!stream.duration && info.duration)
            stream.duration = counted_from + *info.duration - stream.start.value_or(info.start);
        if (doubtful || context.duration_estimation_method != AVFMT_DURATION_FROM_STREAM || !stream.duration)
            continue;
        // Matroska's own duration is that of its longest stream.
        const auto own = duration_tag(*context.streams[stream.index], stream.start.value_or(info.start));
        if (own && *own < *stream.duration) stream.duration = own;
        stream.declared = stream.duration;
    }
    const bool measured = is_cut_short(impl);
    if (measured) measure_durations(impl);
    info.cut_short = measured || (info.seekable && reader.ends_in_fragment());
}

bool same_language(const std::string& a, const std::string& b) {
    return a.size() == b.size() &&
           std::equal(a.begin(), a.end(), b.begin(),
                      [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

} // namespace

std::optional<Rational> StreamInfo::length() const {
    if (!duration) return std::nullopt;
    return start ? *start + *duration - zero : *duration;
}

std::optional<Rational> StreamInfo::declared_length() const {
    if (!declared) return std::nullopt;
    return start ? *start + *declared - zero : *declared;
}

bool StreamInfo::is_cut_short() const {
    return declared && duration && *declared - *duration > Rational(1, 100); // containers round
}

Input::Input(const std::string& url, const InputOptions& options) : impl_(std::make_unique<Impl>()) {
    impl_->url = url;
    impl_->options = options;
    impl_->shared = impl_->new_reader();
    describe_input(*impl_);
    // What cannot be opened again must not be lost to the decoder that comes second.
    if (!impl_->shared->seekable())
        for (const auto best : {impl_->best_video, impl_->best_audio})
            if (best) impl_->shared->reserve(*best);
}

Input::~Input() = default;

const InputInfo& Input::info() const {
    return impl_->info;
}

const StreamInfo& Input::stream(int index) const {
    for (const StreamInfo& stream : impl_->info.streams)
        if (stream.index == index) return stream;
    throw Error(ErrorKind::not_found, impl_->url + ": there is no stream " + std::to_string(index) +
                                          "; its streams: " + list_of(impl_->info));
}

std::optional<int> Input::choose(StreamKind kind, const std::string& wanted) const {
    const InputInfo& info = impl_->info;
    if (wanted.empty()) return kind == StreamKind::video ? impl_->best_video : impl_->best_audio;
    const bool number =
        std::all_of(wanted.begin(), wanted.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
    const StreamInfo* broken = nullptr;
    for (const StreamInfo& stream : info.streams) {
        const bool named =
            number ? std::to_string(stream.index) == wanted : same_language(stream.language, wanted);
        if (!named || stream.kind != kind) continue;
        if (stream.problem.empty()) return stream.index;
        broken = &stream;
    }
    const std::string what = kind == StreamKind::video ? "video" : "audio";
    if (broken != nullptr)
        throw Error(ErrorKind::unsupported,
                    info.url + ": " + what + " stream '" + wanted + "': " + broken->problem);
    throw Error(ErrorKind::not_found, info.url + ": there is no " + what + " stream '" + wanted +
                                          "'; its streams: " + list_of(info));
}

std::optional<int> Input::cover() const {
    if (impl_->best_video) return std::nullopt;
    for (const StreamInfo& stream : impl_->info.streams)
        if (stream.cover && stream.problem.empty()) return stream.index;
    return std::nullopt;
}

void Input::stop() {
    impl_->stop = true;
    const std::lock_guard lock(impl_->mutex);
    for (const auto& weak : impl_->readers)
        if (const auto reader = weak.lock()) reader->wake();
}

InputInfo probe(const std::string& url, const InputOptions& options) {
    const auto input = std::make_shared<Input>(url, options);
    InputInfo info = input->info();
    for (StreamInfo& stream : info.streams) {
        if (!stream.still || !stream.problem.empty()) continue;
        try {
            VideoOptions video;
            video.stream = std::to_string(stream.index);
            stream.format = VideoDecoder(input, video).format();
        } catch (const Error& error) {
            stream.problem = error.message();
        }
    }
    return info;
}

std::string library_versions() {
    const auto text = [](const char* name, unsigned version) {
        return std::string(name) + " " + std::to_string(AV_VERSION_MAJOR(version)) + "." +
               std::to_string(AV_VERSION_MINOR(version)) + "." + std::to_string(AV_VERSION_MICRO(version));
    };
    return text("libavformat", avformat_version()) + ", " + text("libavcodec", avcodec_version()) + ", " +
           text("libavutil", avutil_version()) + ", " + text("libswscale", swscale_version()) + ", " +
           text("libswresample", swresample_version());
}

} // namespace weft::media
