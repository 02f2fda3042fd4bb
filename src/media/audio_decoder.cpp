#include "media/audio_decoder.hpp"

#include <algorithm>
#include <array>

#include "base/log.hpp"
#include "media/packet_source_private.hpp"

namespace weft::media {
namespace {

constexpr int dead_after = 2000; // packets in a row that give no sound
// Stamps that differ by less from the count of samples are rounding of the container; more is a gap or
// overlap.
const Rational gap(1, 50);
// Codecs with overlapping blocks need a run-up before the first right sample.
const Rational run_up(1, 5);

} // namespace

struct AudioDecoder::Impl {
    std::shared_ptr<Input> input;
    AudioOptions options;
    StreamInfo info;
    PacketSource source;
    Av<AVCodecContext> codec;
    Av<SwrContext> resampler;
    Av<AVFrame> frame = new_frame();
    AVRational time_base{};
    Rational zero;

    // What the resampler was made for; made anew when the stream changes.
    int in_rate = 0, in_format = -1, in_channels = 0;
    int64_t samples_out = 0;        // since `anchor`
    std::optional<Rational> anchor; // time of the resampler's first sample
    Rational fed;                   // time at which the samples given to the resampler end
    Rational shift;                 // added to the container's times after they went back
    std::optional<Rational> drop_before;
    bool ended = false;
    int in_vain = 0;
    int64_t errors = 0;

    Impl(std::shared_ptr<Input> in, const AudioOptions& opts, int index)
        : input(std::move(in)), options(opts), info(input->stream(index)), source(input, index),
          zero(opts.zero.value_or(info.zero)) {
        const AVStream& stream = source.stream();
        time_base = stream.time_base;
        const AVCodec* decoder = avcodec_find_decoder(stream.codecpar->codec_id);
        codec.reset(avcodec_alloc_context3(decoder));
        if (!codec) throw Error(ErrorKind::resource, input->info().url + ": out of memory for a decoder");
        avcodec_parameters_to_context(codec.get(), stream.codecpar);
        codec->pkt_timebase = time_base;
        codec->thread_count = 1;
        const LogCapture capture;
        if (const int code = avcodec_open2(codec.get(), decoder, nullptr); code < 0)
            throw Error(kind_of(code), input->info().url + ": the " + info.codec +
                                           " decoder does not start: " + capture.reason(code));
    }

    bool receive();
    void make_resampler();
    AudioBlock block_of(const AVFrame* from);
    std::optional<AudioBlock> decode();
    bool trim(AudioBlock& block);
    void flush();
};

// One decoded frame into `frame`; false at the end.
bool AudioDecoder::Impl::receive() {
    while (true) {
        int code = avcodec_receive_frame(codec.get(), frame.get());
        if (code >= 0) {
            in_vain = 0;
            return true;
        }
        if (code == AVERROR_EOF) return false;
        if (code != AVERROR(EAGAIN)) {
            ++errors;
            if (++in_vain < dead_after) continue;
            throw Error(ErrorKind::bad_input,
                        input->info().url + ": its sound cannot be decoded: " + av_text(code));
        }
        const Av<AVPacket> packet = source.pop();
        code = avcodec_send_packet(codec.get(), packet.get());
        if (code == AVERROR(ENOMEM))
            throw Error(ErrorKind::resource, input->info().url + ": out of memory in decoding");
        if (code < 0 && code != AVERROR_EOF) {
            ++errors;
            if (++in_vain >= dead_after)
                throw Error(ErrorKind::bad_input,
                            input->info().url + ": its sound cannot be decoded: " + av_text(code));
        }
    }
}

void AudioDecoder::Impl::make_resampler() {
    AVChannelLayout out, in;
    av_channel_layout_default(&out, options.channels);
    av_channel_layout_default(&in, frame->ch_layout.nb_channels);
    // A layout without an order (raw PCM) gets the usual one for its count.
    if (frame->ch_layout.order != AV_CHANNEL_ORDER_UNSPEC) av_channel_layout_copy(&in, &frame->ch_layout);
    SwrContext* made = nullptr;
    const int code =
        swr_alloc_set_opts2(&made, &out, AV_SAMPLE_FMT_FLT, options.sample_rate, &in,
                            static_cast<AVSampleFormat>(frame->format), frame->sample_rate, 0, nullptr);
    resampler.reset(made);
    av_channel_layout_uninit(&in);
    if (code < 0 || swr_init(resampler.get()) < 0)
        throw Error(ErrorKind::unsupported, input->info().url + ": its sound (" + info.channel_layout + ", " +
                                                std::to_string(frame->sample_rate) +
                                                " Hz) cannot be converted");
    in_rate = frame->sample_rate;
    in_format = frame->format;
    in_channels = frame->ch_layout.nb_channels;
    anchor.reset();
}

// `from` == nullptr: what the resampler still holds.
AudioBlock AudioDecoder::Impl::block_of(const AVFrame* from) {
    AudioBlock block;
    block.channels = options.channels;
    const int in_count = from == nullptr ? 0 : from->nb_samples;
    const int capacity = swr_get_out_samples(resampler.get(), in_count) + 32;
    block.samples.resize(static_cast<size_t>(capacity) * static_cast<size_t>(options.channels));
    uint8_t* out = reinterpret_cast<uint8_t*>(block.samples.data());
    const uint8_t** in = nullptr;
    std::array<const uint8_t*, 64> planes{};
    if (from != nullptr) {
        const int count = av_sample_fmt_is_planar(static_cast<AVSampleFormat>(from->format)) != 0
                              ? std::min(from->ch_layout.nb_channels, 64)
                              : 1;
        for (int i = 0; i < count; ++i)
            planes[static_cast<size_t>(i)] = from->extended_data[i];
        in = planes.data();
    }
    const int made = std::max(0, swr_convert(resampler.get(), &out, capacity, in, in_count));
    block.samples.resize(static_cast<size_t>(made) * static_cast<size_t>(options.channels));
    block.pts = *anchor + Rational(samples_out, options.sample_rate);
    samples_out += made;
    return block;
}

std::optional<AudioBlock> AudioDecoder::Impl::decode() {
    while (!ended) {
        if (!receive()) {
            ended = true;
            if (!resampler || !anchor) return std::nullopt;
            AudioBlock rest = block_of(nullptr);
            if (rest.samples.empty()) return std::nullopt;
            return rest;
        }
        const bool changed = frame->sample_rate != in_rate || frame->format != in_format ||
                             frame->ch_layout.nb_channels != in_channels;
        if (!resampler || changed) make_resampler();
        const int64_t stamp = frame->best_effort_timestamp;
        const Rational length(frame->nb_samples, frame->sample_rate);
        Rational time = stamp != AV_NOPTS_VALUE ? seconds(stamp, time_base) - zero + shift
                        : anchor                ? fed
                                                : Rational(0);
        if (anchor && fed - time > gap) { // files joined end to end: go on where the last one stopped
            shift = shift + fed - time;
            time = fed;
        }
        if (!anchor || time - fed > gap) {
            if (anchor) make_resampler(); // the few samples it holds belong to the other side of the gap
            anchor = time;
            samples_out = 0;
            fed = time;
        }
        fed = fed + length;
        AudioBlock block = block_of(frame.get());
        av_frame_unref(frame.get());
        if (!block.samples.empty()) return block;
    }
    return std::nullopt;
}

// Cuts what lies before the target of a seek; false when nothing is left.
bool AudioDecoder::Impl::trim(AudioBlock& block) {
    if (!drop_before) return true;
    const int64_t cut = ((*drop_before - block.pts) * Rational(options.sample_rate)).round();
    if (cut <= 0) {
        drop_before.reset();
        return true;
    }
    if (static_cast<size_t>(cut) >= block.frames()) return false;
    block.samples.erase(block.samples.begin(), block.samples.begin() + cut * options.channels);
    block.pts = block.pts + Rational(cut, options.sample_rate);
    drop_before.reset();
    return true;
}

void AudioDecoder::Impl::flush() {
    avcodec_flush_buffers(codec.get());
    resampler.reset();
    anchor.reset();
    in_rate = 0;
    shift = Rational(0);
    drop_before.reset();
    ended = false;
    in_vain = 0;
}

AudioDecoder::AudioDecoder(std::shared_ptr<Input> input, const AudioOptions& options) {
    WEFT_CHECK(input != nullptr && options.channels > 0 && options.sample_rate > 0);
    const std::optional<int> index = input->choose(StreamKind::audio, options.stream);
    if (!index) throw Error(ErrorKind::not_found, input->info().url + ": has no sound");
    impl_ = std::make_unique<Impl>(std::move(input), options, *index);
}

AudioDecoder::~AudioDecoder() = default;
AudioDecoder::AudioDecoder(AudioDecoder&&) noexcept = default;
AudioDecoder& AudioDecoder::operator=(AudioDecoder&&) noexcept = default;

const StreamInfo& AudioDecoder::stream() const {
    return impl_->info;
}
int64_t AudioDecoder::errors() const {
    return impl_->errors;
}

std::optional<AudioBlock> AudioDecoder::next() {
    while (auto block = impl_->decode())
        if (impl_->trim(*block)) return block;
    return std::nullopt;
}

void AudioDecoder::seek(Rational target) {
    Impl& d = *impl_;
    const Rational stream_time = target + d.zero - run_up;
    const auto timestamp = (stream_time / to_rational(d.time_base)).floor();
    const bool early = d.info.start && stream_time <= *d.info.start;
    try {
        if (early || !d.source.seek(timestamp)) d.source.rewind();
    } catch (const Error&) { // stopping interrupts whatever the input was doing: the end, not a failure
        if (!d.input->impl().stop) throw;
    }
    d.flush();
    d.drop_before = target;
}

} // namespace weft::media
