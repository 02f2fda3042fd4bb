#include <mutex>

#include "base/log.hpp"
#include "media/encoder_private.hpp"
#include "media/file_writer_private.hpp"
#include "media/target_private.hpp"

namespace weft::media {
namespace {

struct MuxerDelete {
    void operator()(AVFormatContext* context) const {
        if (context == nullptr) return;
        if ((context->oformat->flags & AVFMT_NOFILE) == 0) avio_closep(&context->pb);
        avformat_free_context(context);
    }
};

class FileWriter final : public VideoWriter {
  public:
    FileWriter(const OutputSettings& settings, OutputChoice choice, const colour::PictureFormat& format)
        : choice_(std::move(choice)), format_(format), target_(settings.target),
          video_(Encoder::video(settings, choice_, format, needs_global_header(choice_.muxer))) {
        if (settings.audio)
            audio_.emplace(Encoder::audio(settings, choice_, needs_global_header(choice_.muxer)));
        open(settings);
    }
    ~FileWriter() override {
        const std::lock_guard lock(mutex_);
        muxer_.reset(); // closes the file before the target removes it
    }

    const OutputChoice& choice() const override { return choice_; }
    int64_t frames_written() const override { return frames_; }
    int64_t bytes_written() const override { return bytes_; }

    void write_video(const colour::HostPlanes& planes, int64_t frame_index,
                     std::function<void()> release) override {
        const Av<AVFrame> frame = borrow_planes(planes, format_, frame_index, std::move(release));
        video_.encode(frame.get(), [&](AVPacket& packet) {
            if (packet.duration == 0) packet.duration = 1;
            write(packet, video_, *video_stream_);
        });
        ++frames_;
    }

    void write_audio(const float* interleaved, size_t frames) override {
        WEFT_CHECK(audio_.has_value());
        pending_.insert(pending_.end(), interleaved, interleaved + frames * 2);
        encode_audio(false);
    }

    void finish() override {
        flush();
        close();
        target_.commit();
    }

    std::string finish_partial() noexcept override {
        try {
            bool sound = true;
            try {
                flush();
            } catch (const Error& error) { // what reached the file before may still be closed properly
                log("media").debug("{}", error.what());
                sound = false;
            }
            const bool index_at_end = choice_.muxer == "mp4" || choice_.muxer == "mov";
            bool closed = false;
            try {
                close();
                closed = true;
            } catch (const Error& error) {
                log("media").debug("{}", error.what());
                muxer_.reset();
            }
            if (frames_ == 0 || packets_ == 0 || (index_at_end && !closed)) {
                target_.discard();
                return {};
            }
            if (!sound) log("media").debug("{}: its last pictures are missing", target_.name());
            return target_.commit_partial();
        } catch (...) {
            return {};
        }
    }

  private:
    static bool needs_global_header(const std::string& muxer) {
        const AVOutputFormat* format = av_guess_format(muxer.c_str(), nullptr, nullptr);
        return format != nullptr && (format->flags & AVFMT_GLOBALHEADER) != 0;
    }

    void open(const OutputSettings& settings);
    AVStream* add_stream(Encoder& encoder);
    void write(AVPacket& packet, Encoder& encoder, AVStream& stream);
    void encode_audio(bool last);
    void flush();
    void close();
    [[noreturn]] void fail(const std::string& what, int code, const LogCapture& capture) const {
        throw Error(kind_of(code), target_.name() + ": " + what + ": " + capture.reason(code));
    }

    OutputChoice choice_;
    colour::PictureFormat format_;
    Target target_;
    Encoder video_;
    std::optional<Encoder> audio_;
    std::mutex mutex_; // of the muxer: pictures and sound may come from two threads
    std::unique_ptr<AVFormatContext, MuxerDelete> muxer_;
    AVStream* video_stream_ = nullptr;
    AVStream* audio_stream_ = nullptr;
    bool flushed_ = false;
    std::atomic<int64_t> frames_{0}, packets_{0}, bytes_{0};

    Av<SwrContext> resampler_;
    std::vector<float> pending_; // samples that do not fill the encoder's frame yet
    int64_t audio_pts_ = 0;
};

void FileWriter::open(const OutputSettings& settings) {
    std::string url = settings.target;
    const AVOutputFormat* format = av_guess_format(choice_.muxer.c_str(), nullptr, nullptr);
    const bool own_files = (format->flags & AVFMT_NOFILE) != 0;
    if (own_files) target_.write_directly();
    if (url == "-")
        url = "pipe:1";
    else if (target_.path() != settings.target || !target_.direct())
        url = "file:" + target_.path();
    AVFormatContext* context = nullptr;
    const LogCapture capture;
    int code = avformat_alloc_output_context2(&context, format, nullptr, url.c_str());
    if (code < 0) fail("cannot be opened for writing", code, capture);
    muxer_.reset(context);
    if (settings.reproducible) context->flags |= AVFMT_FLAG_BITEXACT;
    video_stream_ = add_stream(video_);
    video_stream_->avg_frame_rate = video_.context().framerate;
    video_stream_->sample_aspect_ratio = video_.context().sample_aspect_ratio;
    if (format_.pixels.has_alpha) av_dict_set(&video_stream_->metadata, "alpha_mode", "1", 0);
    if (audio_) audio_stream_ = add_stream(*audio_);

    if (!own_files) {
        code = avio_open(&context->pb, url.c_str(), AVIO_FLAG_WRITE);
        if (code < 0) fail("cannot be opened for writing", code, capture);
    }
    Dictionary options;
    for (const auto& [key, value] : settings.mux_options)
        options.set(key, value);
    code = avformat_write_header(context, options.address());
    if (code < 0) fail("format " + choice_.muxer + " refuses", code, capture);
    if (const std::string left = options.first_key(); !left.empty())
        throw Error(ErrorKind::usage,
                    target_.name() + ": format " + choice_.muxer + " has no option '" + left + "'");
    if (!audio_) return;
    AVChannelLayout stereo;
    av_channel_layout_default(&stereo, 2);
    AVCodecContext& c = audio_->context();
    SwrContext* resampler = nullptr;
    if (swr_alloc_set_opts2(&resampler, &c.ch_layout, c.sample_fmt, c.sample_rate, &stereo, AV_SAMPLE_FMT_FLT,
                            48000, 0, nullptr) < 0 ||
        swr_init(resampler) < 0) {
        swr_free(&resampler);
        throw Error(ErrorKind::unsupported,
                    target_.name() + ": no conversion of sound for " + choice_.audio_codec);
    }
    resampler_.reset(resampler);
}

AVStream* FileWriter::add_stream(Encoder& encoder) {
    AVStream* stream = avformat_new_stream(muxer_.get(), nullptr);
    if (stream == nullptr) throw Error(ErrorKind::resource, target_.name() + ": out of memory");
    stream->time_base = encoder.context().time_base;
    if (const int code = avcodec_parameters_from_context(stream->codecpar, &encoder.context()); code < 0)
        throw Error(kind_of(code), target_.name() + ": " + av_text(code));
    return stream;
}

void FileWriter::write(AVPacket& packet, Encoder& encoder, AVStream& stream) {
    const std::lock_guard lock(mutex_);
    const LogCapture capture;
    packet.stream_index = stream.index;
    bytes_ += packet.size;
    av_packet_rescale_ts(&packet, encoder.context().time_base, stream.time_base);
    int code = av_interleaved_write_frame(muxer_.get(), &packet);
    // A full disk shows late: the output is buffered, and some muxers do not look.
    if (code >= 0 && muxer_->pb != nullptr && muxer_->pb->error < 0) code = muxer_->pb->error;
    if (code < 0) throw Error(kind_of(code), target_.name() + ": cannot be written: " + av_text(code));
    ++packets_;
}

void FileWriter::encode_audio(bool last) {
    AVCodecContext& c = audio_->context();
    const bool fixed = c.frame_size > 0 && (c.codec->capabilities & AV_CODEC_CAP_VARIABLE_FRAME_SIZE) == 0;
    const size_t frame_size = fixed ? static_cast<size_t>(c.frame_size) : 1024;
    const auto sink = [&](AVPacket& packet) { write(packet, *audio_, *audio_stream_); };
    const auto send = [&](const float* samples, size_t count) {
        const Av<AVFrame> frame = new_frame();
        const int capacity = static_cast<int>(swr_get_out_samples(resampler_.get(), static_cast<int>(count)));
        frame->nb_samples = capacity;
        frame->format = c.sample_fmt;
        frame->sample_rate = c.sample_rate;
        av_channel_layout_copy(&frame->ch_layout, &c.ch_layout);
        if (capacity <= 0) return;
        if (av_frame_get_buffer(frame.get(), 0) < 0)
            throw Error(ErrorKind::resource, target_.name() + ": out of memory for sound");
        const uint8_t* in = reinterpret_cast<const uint8_t*>(samples);
        const int made = swr_convert(resampler_.get(), frame->extended_data, capacity,
                                     samples == nullptr ? nullptr : &in, static_cast<int>(count));
        if (made <= 0) return;
        frame->nb_samples = made;
        frame->pts = audio_pts_;
        audio_pts_ += made;
        audio_->encode(frame.get(), sink);
    };
    // At the encoder's own rate the conversion is sample for sample, so whole frames stay whole.
    size_t used = 0;
    while (pending_.size() / 2 - used >= frame_size) {
        send(pending_.data() + used * 2, frame_size);
        used += frame_size;
    }
    if (last) {
        if (const size_t rest = pending_.size() / 2 - used; rest > 0) send(pending_.data() + used * 2, rest);
        audio_->encode(nullptr, sink);
        pending_.clear();
        return;
    }
    pending_.erase(pending_.begin(), pending_.begin() + static_cast<std::ptrdiff_t>(used * 2));
}

void FileWriter::flush() {
    if (flushed_) return;
    flushed_ = true;
    video_.encode(nullptr, [&](AVPacket& packet) {
        if (packet.duration == 0) packet.duration = 1;
        write(packet, video_, *video_stream_);
    });
    if (audio_) encode_audio(true);
}

void FileWriter::close() {
    if (!muxer_) return;
    const LogCapture capture;
    int code = av_write_trailer(muxer_.get());
    if ((muxer_->oformat->flags & AVFMT_NOFILE) == 0) {
        bytes_ = std::max<int64_t>(bytes_, avio_tell(muxer_->pb));
        if (muxer_->pb->error < 0 && code >= 0) code = muxer_->pb->error;
        const int closing = avio_closep(&muxer_->pb);
        if (code >= 0) code = closing;
    }
    muxer_.reset();
    if (code < 0) fail("cannot be completed", code, capture);
}

} // namespace

std::unique_ptr<VideoWriter> make_file_writer(const OutputSettings& settings, OutputChoice choice,
                                              const colour::PictureFormat& format) {
    return std::make_unique<FileWriter>(settings, std::move(choice), format);
}

} // namespace weft::media
