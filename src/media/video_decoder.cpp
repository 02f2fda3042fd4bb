#include "media/video_decoder.hpp"

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <span>

#include "base/log.hpp"
#include "media/converter_private.hpp"
#include "media/exif_private.hpp"
#include "media/file_end_private.hpp"
#include "media/frame_memory_private.hpp"
#include "media/host_frame_private.hpp"
#include "media/packet_source_private.hpp"
#include "media/picture_private.hpp"

namespace weft::media {

namespace {

// A stream in which this many packets in a row give no picture is dead.
constexpr int dead_after = 500;
// A stream that marks no key frame in this many packets, or in all of a shorter one, is decoded from its
// first packet on, or from wherever it is where there is no way back.
constexpr int key_patience = 600;
// Time going back by more than this is no damaged stamp.
const Rational new_beginning(1);

const AVCodec* find_codec(const AVStream& stream) {
    const AVCodecID id = stream.codecpar->codec_id;
    // FFmpeg's own VP8 and VP9 decoders ignore the second, alpha bitstream; libvpx reads it.
    if ((id == AV_CODEC_ID_VP8 || id == AV_CODEC_ID_VP9) && metadata(stream.metadata, "alpha_mode") == "1") {
        const AVCodec* codec = avcodec_find_decoder_by_name(id == AV_CODEC_ID_VP8 ? "libvpx" : "libvpx-vp9");
        if (codec != nullptr) return codec;
        log("media").warn("this FFmpeg has no libvpx decoder: the alpha of {} video is lost",
                          avcodec_get_name(id));
    }
    return avcodec_find_decoder(id);
}

// Codecs that know whole pictures only; those of broadcasts and cameras may change from one to the next.
bool has_fields(AVCodecID codec) {
    switch (codec) {
    case AV_CODEC_ID_AV1:
    case AV_CODEC_ID_VP9:
    case AV_CODEC_ID_VP8:
    case AV_CODEC_ID_THEORA:
    case AV_CODEC_ID_MPEG1VIDEO:
    case AV_CODEC_ID_H263:
    case AV_CODEC_ID_FLV1:
    case AV_CODEC_ID_GIF:
    case AV_CODEC_ID_PNG:
    case AV_CODEC_ID_APNG:
    case AV_CODEC_ID_WEBP:
        return false;
    default:
        return true;
    }
}

// How the picture itself says that it is to be turned. Of stills FFmpeg hands EXIF on as a matrix, as words
// alone or not at all; `stored` is what their bytes say.
std::optional<Turn> own_turn(const AVFrame& frame, bool still, std::optional<int> stored) {
    const AVFrameSideData* side = av_frame_get_side_data(&frame, AV_FRAME_DATA_DISPLAYMATRIX);
    if (side != nullptr && side->size >= 9 * sizeof(int32_t))
        return turn_of(reinterpret_cast<const int32_t*>(side->data));
    if (!still) return std::nullopt;
    return turn_of_orientation(stored.value_or(std::atoi(metadata(frame.metadata, "Orientation").c_str())));
}

} // namespace

struct VideoDecoder::Impl {
    std::shared_ptr<Input> input;
    VideoOptions options;
    StreamInfo info;
    FrameMemory memory;
    PacketSource source;
    Av<AVCodecContext> codec;
    Av<AVFrame> received = new_frame();
    Converter converter;
    AVRational time_base{};
    Rational frame_time; // of one picture by the rate; 0 for a still

    std::deque<HostFrame> ready; // decoded ahead: by the constructor or a seek
    std::shared_ptr<const colour::PictureFormat> first_format;
    bool first_interlaced = false;
    Rational first_pts;
    PictureFacts last_facts;
    std::shared_ptr<const colour::PictureFormat> last_format;
    std::optional<Rational> last_pts, last_duration;
    Rational shift;                           // added to container times after a new beginning
    bool wait_for_key = false;                // after a seek, until the first key packet
    std::optional<Rational> key_limit;        // give up waiting past this time
    std::optional<Rational> key_time;         // of that packet: pictures before it lack their references
    Rational stream_aspect{0};                // the container's word; 0: it says nothing
    std::optional<int> orientation;           // of a still, as its bytes say
    bool intra_only = false, entered = false; // entered: in the middle, by a seek
    bool draining = false, ended = false, untouched = true;
    int in_vain = 0, keyless = 0;
    int64_t errors = 0, decoded = 0, missing = 0;
    bool cut_short = false;
    bool said_conversion = false;

    Impl(std::shared_ptr<Input> in, const VideoOptions& opts, int index)
        : input(std::move(in)), options(opts), info(input->stream(index)), memory(opts.allocator),
          source(input, index, &memory, opts.watch) {
        open();
        std::optional<HostFrame> first = decode();
        if (!first)
            throw Error(ErrorKind::bad_input, input->info().url + ": stream " + std::to_string(index) + " (" +
                                                  info.codec + ") holds no picture that can be decoded");
        first_format = first->format();
        first_pts = first->pts();
        first_interlaced = first->interlaced();
        ready.push_back(std::move(*first));
    }

    void open();
    std::optional<HostFrame> decode();
    bool feed();
    std::optional<HostFrame> wrap(Av<AVFrame> frame);
    std::shared_ptr<const colour::PictureFormat> format_of(const AVFrame& frame);
    int64_t count_missing();
    bool marks_no_key(const AVPacket* next) const {
        if (next == nullptr) return keyless > 0;
        return (next->flags & AV_PKT_FLAG_KEY) == 0 && keyless + 1 >= key_patience;
    }
    void flush();
    bool seek_from(Rational target, Rational back);
    Rational slack() const { return std::min(to_rational(time_base) / Rational(2), Rational(1, 1000)); }
    void seek(Rational target);
    int64_t timestamp(Rational seconds_from_zero) const {
        return ((seconds_from_zero + info.zero) / to_rational(time_base)).floor();
    }
};

void VideoDecoder::Impl::open() {
    AVStream& stream = source.stream();
    time_base = stream.time_base;
    if (stream.sample_aspect_ratio.num > 0) stream_aspect = to_rational(stream.sample_aspect_ratio);
    if (options.rate) info.format.rate = *options.rate;
    if (info.format.rate > Rational(0)) frame_time = Rational(1) / info.format.rate;
    const AVCodec* decoder = find_codec(stream);
    codec.reset(avcodec_alloc_context3(decoder));
    if (!codec) throw Error(ErrorKind::resource, input->info().url + ": out of memory for a decoder");
    avcodec_parameters_to_context(codec.get(), stream.codecpar);
    codec->pkt_timebase = time_base;
    codec->thread_count = info.still ? 1 : options.threads;
    codec->thread_type = FF_THREAD_FRAME | FF_THREAD_SLICE;
    codec->apply_cropping = 0; // done on the pointers, exactly
    // Without it the H.264 decoder swallows good pictures at the end of a stream entered at an open GOP.
    // Decoding begins at key frames only, so nothing worse comes out.
    codec->flags |= AV_CODEC_FLAG_OUTPUT_CORRUPT;
    const AVCodecDescriptor* descriptor = avcodec_descriptor_get(decoder->id);
    intra_only = descriptor != nullptr && (descriptor->props & AV_CODEC_PROP_INTRA_ONLY) != 0;
    wait_for_key = !intra_only;
    memory.serve(*codec);
    const LogCapture capture;
    if (const int code = avcodec_open2(codec.get(), decoder, nullptr); code < 0)
        throw Error(kind_of(code), input->info().url + ": the " + info.codec +
                                       " decoder does not start: " + capture.reason(code));
}

// Gives the codec one more packet. False when there are no more and it has been told.
bool VideoDecoder::Impl::feed() {
    while (true) {
        Av<AVPacket> packet = source.pop();
        if (wait_for_key && !key_limit && marks_no_key(packet.get()) && source.seekable() &&
            !input->impl().stop) {
            source.rewind();
            wait_for_key = false;
            keyless = 0;
            continue;
        }
        if (packet && wait_for_key) {
            std::optional<Rational> time;
            if (packet->pts != AV_NOPTS_VALUE) time = seconds(packet->pts, time_base) - info.zero;
            if (time && key_limit && *time > *key_limit) {
                packet.reset();
            } else if ((packet->flags & AV_PKT_FLAG_KEY) == 0 && ++keyless < key_patience) {
                continue;
            } else {
                key_time = time;
                wait_for_key = false;
                keyless = 0;
            }
        }
        if (packet && info.still) {
            const std::span<const uint8_t> coded(packet->data,
                                                 static_cast<size_t>(std::max(packet->size, 0)));
            orientation = stored_orientation(codec->codec_id, coded);
            if (codec->codec_id == AV_CODEC_ID_MJPEG && is_torn_jpeg(coded)) ++errors;
        }
        const int code = avcodec_send_packet(codec.get(), packet.get());
        if (!packet) {
            // Frame threads may tell of a bad packet only when nothing follows it.
            if (code < 0 && code != AVERROR_EOF) ++errors;
            draining = true;
            return false;
        }
        if (code == AVERROR(ENOMEM))
            throw Error(ErrorKind::resource, input->info().url + ": out of memory in decoding");
        if (code >= 0) return true;
        ++errors;
        if (++in_vain >= dead_after)
            throw Error(ErrorKind::bad_input, input->info().url + ": " + std::to_string(dead_after) +
                                                  " packets in a row cannot be decoded: " + av_text(code));
    }
}

// The next picture in order, straight from the codec.
std::optional<HostFrame> VideoDecoder::Impl::decode() {
    if (info.still && last_pts) ended = true; // what else a photo holds is not meant
    while (!ended) {
        const int code = avcodec_receive_frame(codec.get(), received.get());
        if (code >= 0) {
            in_vain = 0;
            ++decoded;
            Av<AVFrame> frame = new_frame();
            av_frame_move_ref(frame.get(), received.get());
            if (auto picture = wrap(std::move(frame))) return picture;
            continue;
        }
        if (code == AVERROR_EOF) {
            ended = true;
            missing = count_missing();
            const FileEnd end = source.file_end();
            const bool open = end.open || (end.cut && !info.declared_length());
            cut_short = missing > 0 || (open && !info.still);
        } else if (code == AVERROR(ENOMEM)) {
            throw Error(ErrorKind::resource, input->info().url + ": out of memory in decoding");
        } else if (code != AVERROR(EAGAIN)) {
            ++errors;
            if (draining && ++in_vain >= dead_after) ended = true;
        } else {
            feed();
        }
    }
    return std::nullopt;
}

int64_t VideoDecoder::Impl::count_missing() {
    const FileEnd end = source.file_end();
    const int64_t least = std::max<int64_t>(end.beyond, end.torn ? 1 : 0);
    if (info.still || !end.cut || !last_pts) return least;
    const Rational until = *last_pts + last_duration.value_or(frame_time);
    // FFmpeg reckons an AVI's duration and index from what is there when its index is lost, but leaves the
    // number of pictures, which have one rate.
    if (input->info().container == "avi" && info.frames > 0)
        return std::max(info.frames - (until * info.format.rate).round(), least);
    if (end.beyond > 0) return end.beyond;
    const std::optional<Rational> length = info.declared_length();
    return length ? std::max(((*length - until) * info.format.rate).round(), least) : least;
}

std::shared_ptr<const colour::PictureFormat> VideoDecoder::Impl::format_of(const AVFrame& frame) {
    PictureFacts facts = facts_of(frame);
    if (stream_aspect > Rational(0)) facts.aspect = stream_aspect;
    // Often only key frames carry it.
    if (facts.peak_nits == 0) facts.peak_nits = last_format ? last_format->peak_nits : info.format.peak_nits;
    facts.rotation = info.format.rotation;
    facts.mirror = info.format.mirror;
    if (const auto turn = own_turn(frame, info.still, orientation)) {
        facts.rotation = turn->rotation;
        facts.mirror = turn->mirror;
    }
    if (last_format && facts == last_facts) return last_format;
    PictureOverrides overrides{options.matrix, options.range, info.format.rate};
    auto format = std::make_shared<const colour::PictureFormat>(picture_format(facts, overrides));
    last_facts = facts;
    last_format = std::move(format);
    return last_format;
}

// Times, format and planes of a decoded picture; nullopt when its time does not rise.
std::optional<HostFrame> VideoDecoder::Impl::wrap(Av<AVFrame> frame) {
    const bool corrupt = (frame->flags & AV_FRAME_FLAG_CORRUPT) != 0 && !entered; // see open()
    if (frame->decode_error_flags != 0 || corrupt) ++errors;
    auto impl = std::make_unique<HostFrame::Impl>();
    impl->duration =
        compat::frame_duration(*frame) > 0 ? seconds(compat::frame_duration(*frame), time_base) : frame_time;
    const Rational step = last_duration.value_or(frame_time) > Rational(0)
                              ? last_duration.value_or(frame_time)
                              : Rational(1, 25);
    if (info.still) {
        impl->pts = Rational(0);
        impl->duration = Rational(0);
    } else if (frame->best_effort_timestamp != AV_NOPTS_VALUE) {
        impl->pts = seconds(frame->best_effort_timestamp, time_base) - info.zero + shift;
        // Time that goes back at a key frame, or far, is a new beginning: files joined end to end.
        const bool back = last_pts && impl->pts <= *last_pts;
        if (back && (compat::frame_is_key(*frame) || *last_pts - impl->pts > new_beginning)) {
            const Rational expected = *last_pts + step;
            log("media").info("{}: time goes back by {:.3f} s, taken as a new beginning", input->info().url,
                              (*last_pts - impl->pts).value());
            shift = shift + expected - impl->pts;
            impl->pts = expected;
        }
    } else {
        impl->pts = last_pts ? *last_pts + step : Rational(0);
    }
    if (last_pts && impl->pts <= *last_pts) {
        ++errors;
        return std::nullopt;
    }
    last_pts = impl->pts;
    last_duration = impl->duration;
    impl->key = compat::frame_is_key(*frame);
    impl->interlaced = compat::frame_is_interlaced(*frame);
    impl->top_field_first = compat::frame_is_top_first(*frame);
    impl->format = format_of(*frame);
    const AVPixelFormat stored = static_cast<AVPixelFormat>(frame->format);
    const AVPixelFormat loadable = av_get_pix_fmt(impl->format->pixels.name.c_str());
    if (stored != loadable) {
        if (!said_conversion)
            log("media").info("{}: {} pictures are converted to {} on the decoding thread", input->info().url,
                              format_name(stored), format_name(loadable));
        said_conversion = true;
        frame = converter.convert(std::move(frame), loadable, memory);
    }
    const colour::PixelFormat& pixels = impl->format->pixels;
    for (size_t plane = 0; plane < 4; ++plane) {
        impl->planes.data[plane] = frame->data[plane];
        impl->planes.pitch[plane] = frame->linesize[plane];
    }
    if (frame->crop_left + frame->crop_top > 0) {
        std::array<bool, 4> moved{};
        for (int c = 0; c < pixels.component_count; ++c) {
            const colour::Component& component = pixels.components[static_cast<size_t>(c)];
            if (moved[component.plane] || pixels.is_palette) continue;
            moved[component.plane] = true;
            const bool chroma = pixels.is_chroma(c);
            const auto x = static_cast<ptrdiff_t>(frame->crop_left >> (chroma ? pixels.log2_chroma_w : 0));
            const auto y = static_cast<ptrdiff_t>(frame->crop_top >> (chroma ? pixels.log2_chroma_h : 0));
            impl->planes.data[component.plane] +=
                x * component.step + y * static_cast<ptrdiff_t>(impl->planes.pitch[component.plane]);
        }
    }
    impl->planes.block = memory.block_of(*frame);
    impl->frame = std::move(frame);
    return HostFrame(std::move(impl));
}

void VideoDecoder::Impl::flush() {
    avcodec_flush_buffers(codec.get());
    ready.clear();
    last_pts.reset();
    last_duration.reset();
    shift = Rational(0);
    draining = ended = wait_for_key = false;
    key_time.reset();
    key_limit.reset();
    in_vain = keyless = 0;
}

// Decodes from the key frame at or before target - back (from the very first packet when back < 0) until the
// picture due at `target` is in `ready`. False when decoding began too late for it.
bool VideoDecoder::Impl::seek_from(Rational target, Rational back) {
    const Rational latest = target + slack();
    const bool from_start = back < Rational(0);
    bool moved = false;
    if (!from_start) moved = source.seek(timestamp(target - back));
    if (!from_start && !moved) return false;
    if (from_start) source.rewind();
    flush();
    wait_for_key = !intra_only;
    entered = !from_start;
    if (!from_start) key_limit = latest;
    std::optional<Rational> began; // the first picture's time
    std::optional<HostFrame> due;
    while (auto picture = decode()) {
        if (!from_start && key_time && picture->pts() < *key_time) continue;
        if (!began) began = picture->pts();
        if (!from_start && *began > latest) return false;
        if (picture->pts() <= latest) {
            due = std::move(picture);
            continue;
        }
        if (due) ready.push_back(std::move(*due));
        ready.push_back(std::move(*picture));
        return true;
    }
    if (!due) return false;
    ready.push_back(std::move(*due));
    return true;
}

void VideoDecoder::Impl::seek(Rational target) {
    if (untouched && (info.still || target <= ready.front().pts())) return;
    if (!info.still && target > Rational(0)) {
        // The container's index may point past the key frame (or not know it): step back further each time.
        for (const Rational back : {Rational(0), Rational(2), Rational(10), Rational(40)})
            if (seek_from(target, back)) return;
    }
    if (seek_from(target, Rational(-1))) return;
    // Before the first picture: that one.
    source.rewind();
    flush();
    wait_for_key = !intra_only;
    entered = false;
    if (auto first = decode()) ready.push_back(std::move(*first));
}

VideoDecoder::VideoDecoder(std::shared_ptr<Input> input, const VideoOptions& options) {
    WEFT_CHECK(input != nullptr);
    const std::optional<int> index = input->choose(StreamKind::video, options.stream);
    if (!index) throw Error(ErrorKind::not_found, input->info().url + ": has no video");
    impl_ = std::make_unique<Impl>(std::move(input), options, *index);
}

VideoDecoder::~VideoDecoder() = default;
VideoDecoder::VideoDecoder(VideoDecoder&&) noexcept = default;
VideoDecoder& VideoDecoder::operator=(VideoDecoder&&) noexcept = default;

const colour::PictureFormat& VideoDecoder::format() const {
    return *impl_->first_format;
}
Rational VideoDecoder::first() const {
    return impl_->first_pts;
}
const StreamInfo& VideoDecoder::stream() const {
    return impl_->info;
}
bool VideoDecoder::still() const {
    return impl_->info.still;
}
bool VideoDecoder::interlaced() const {
    return impl_->info.interlaced || impl_->first_interlaced;
}
bool VideoDecoder::may_have_fields() const {
    return interlaced() || has_fields(impl_->codec->codec_id);
}
int64_t VideoDecoder::errors() const {
    return impl_->errors;
}
int64_t VideoDecoder::missing() const {
    return impl_->missing;
}
bool VideoDecoder::cut_short() const {
    return impl_->cut_short;
}
int64_t VideoDecoder::decoded() const {
    return impl_->decoded;
}

std::optional<HostFrame> VideoDecoder::next() {
    impl_->untouched = false;
    if (impl_->input->impl().stop) return std::nullopt;
    if (!impl_->ready.empty()) {
        HostFrame picture = std::move(impl_->ready.front());
        impl_->ready.pop_front();
        return picture;
    }
    return impl_->decode();
}

Rational VideoDecoder::slack() const {
    return impl_->slack();
}

void VideoDecoder::seek(Rational target) {
    try {
        impl_->seek(target);
    } catch (const Error&) { // stopping interrupts whatever the input was doing: the end, not a failure
        if (!impl_->input->impl().stop) throw;
    }
}

} // namespace weft::media
