#include "engine/sinks.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "media/writer.hpp"

namespace weft::engine {
namespace {

media::OutputSettings settings_of(const graph::OutputSpec& output, const EncodeOptions& options) {
    media::OutputSettings settings;
    settings.target = output.file;
    settings.format = output.format;
    settings.video_codec = output.video.codec;
    settings.crf = output.video.crf;
    settings.preset = output.video.preset;
    settings.bitrate = output.video.bitrate;
    settings.pixel_format = output.video.pix_fmt;
    settings.video_options = output.video.options;
    settings.audio_codec = output.audio.codec;
    settings.audio_bitrate = output.audio.bitrate;
    settings.audio_options = output.audio.options;
    settings.reproducible = options.reproducible;
    return settings;
}

class EncodeSink final : public FrameSink {
  public:
    EncodeSink(const graph::OutputSpec& output, const EncodeOptions& options)
        : settings_(settings_of(output, options)), wants_sound_(!output.no_audio),
          choice_(media::choose_output(settings_)) {}

    std::string name() const override {
        return settings_.target == "-" ? "standard output" : settings_.target;
    }

    colour::PictureFormat wanted_format(const colour::PictureFormat& canvas) override {
        colour::PictureFormat format = canvas;
        format.pixels = colour::pixel_format(choice_.pixel_format);
        format.colour.range =
            format.pixels.full_range_name ? colour::Range::full : colour::Range::unspecified;
        format.colour.chroma = colour::ChromaSite::unspecified;
        if (format.pixels.model == colour::Model::rgb) {
            format.colour.matrix = colour::Matrix::rgb;
            format.colour.range = colour::Range::full;
        }
        if (choice_.even_size) {
            format.width += format.width % 2;
            format.height += format.height % 2;
        }
        return format;
    }

    void offer_sound(const std::vector<media::MixUse>& uses) override {
        // A container without sound takes the pictures alone; only sound about which something was said is
        // missed.
        if (!wants_sound_ || uses.empty() || choice_.kind != media::OutputChoice::Kind::file) return;
        media::OutputSettings with = settings_;
        with.audio = true;
        try {
            choice_ = media::choose_output(with);
        } catch (const Error&) {
            if (!settings_.audio_codec.empty() || !settings_.audio_bitrate.empty() ||
                !settings_.audio_options.empty())
                throw;
            return;
        }
        settings_ = with;
        mixer_.emplace(uses);
    }

    void prepare(const colour::PictureFormat& format, int64_t frames) override {
        if (choice_.kind == media::OutputChoice::Kind::pictures && frames > 1 &&
            settings_.target.find('%') == std::string::npos)
            throw Error(ErrorKind::usage, settings_.target + ": holds one picture, but there are " +
                                              std::to_string(frames) + "; name a series like out%04d" +
                                              std::filesystem::path(settings_.target).extension().string() +
                                              " or take one picture with --duration");
        rate_ = format.rate;
        writer_ = media::open_writer(settings_, format);
    }

    void submit(OutputFrame frame) override {
        // Sound goes ahead of its picture, up to the picture's end, so that the muxer never waits for it.
        if (mixer_)
            write_sound(
                ((Rational(frame.index + 1) / rate_) * Rational(media::AudioMixer::sample_rate)).round());
        const auto lease = std::make_shared<SlotLease>(std::move(frame.lease)); // std::function wants copies
        writer_->write_video(frame.host, frame.index, [lease] { lease->end(); });
    }

    void finish(Ending ending) override {
        if (!writer_) return;
        if (ending == Ending::failed) {
            const std::string kept = writer_->finish_partial();
            file_ = kept;
            partial_ = !kept.empty();
            bytes_ = kept.empty() ? 0 : writer_->bytes_written();
            writer_.reset();
            return;
        }
        writer_->finish();
        file_ = settings_.target;
        bytes_ = writer_->bytes_written();
        writer_.reset();
    }

    void report(SinkReport& report) const override {
        report.bytes = bytes_;
        report.file = file_;
        report.partial = partial_;
    }

  private:
    void write_sound(int64_t until) {
        constexpr int64_t piece = 4096;
        while (mixer_->position() < until) {
            const int64_t frames = std::min(until - mixer_->position(), piece);
            samples_.resize(static_cast<size_t>(frames * media::AudioMixer::channels));
            mixer_->pull(samples_.data(), static_cast<size_t>(frames));
            writer_->write_audio(samples_.data(), static_cast<size_t>(frames));
        }
    }

    media::OutputSettings settings_;
    bool wants_sound_;
    media::OutputChoice choice_;
    Rational rate_{25};
    std::optional<media::AudioMixer> mixer_;
    std::vector<float> samples_;
    std::unique_ptr<media::VideoWriter> writer_;
    std::string file_;
    int64_t bytes_ = 0;
    bool partial_ = false;
};

} // namespace

std::unique_ptr<FrameSink> make_encode_sink(const graph::OutputSpec& output, const EncodeOptions& options) {
    return std::make_unique<EncodeSink>(output, options);
}

} // namespace weft::engine
