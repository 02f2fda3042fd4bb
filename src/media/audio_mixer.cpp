#include "media/audio_mixer.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <numbers>
#include <utility>

#include "base/error.hpp"
#include "base/log.hpp"
#include "media/audio_decoder.hpp"

namespace weft::media {
namespace {

constexpr int rate = AudioMixer::sample_rate;
constexpr double limiter_release_seconds = 0.05;

int64_t samples_of(Rational seconds) {
    return (seconds * Rational(rate)).round();
}

// Input sound as a line of samples that can be read from any place, silent where there is none.
class SampleLine {
  public:
    explicit SampleLine(AudioDecoder decoder) : decoder_(std::move(decoder)) {}

    // Adds nothing past the end; returns how many of `count` frames from `position` (samples of input time)
    // exist before the end of the stream. `out` is overwritten.
    size_t read(int64_t position, float* out, size_t count) {
        if (position != next_) move_to(position);
        size_t done = 0;
        while (done < count) {
            if (offset_ < block_.frames()) {
                const int64_t at = block_position_ + static_cast<int64_t>(offset_);
                if (at > next_) { // a gap in the file
                    const size_t gap = std::min(count - done, static_cast<size_t>(at - next_));
                    std::fill_n(out + done * 2, gap * 2, 0.0f);
                    done += gap;
                    next_ += static_cast<int64_t>(gap);
                    continue;
                }
                if (at < next_) { // an overlap, or samples before the place asked for
                    offset_ += std::min(block_.frames() - offset_, static_cast<size_t>(next_ - at));
                    continue;
                }
                const size_t n = std::min(count - done, block_.frames() - offset_);
                std::copy_n(block_.samples.data() + offset_ * 2, n * 2, out + done * 2);
                offset_ += n;
                done += n;
                next_ += static_cast<int64_t>(n);
                continue;
            }
            if (!fetch()) break;
        }
        std::fill(out + done * 2, out + count * 2, 0.0f);
        return done;
    }

  private:
    void move_to(int64_t position) {
        // Reading on is cheaper than a seek, and right where the stream begins after the place asked for.
        const bool nearby = fetched_ && !ended_ && position > next_ && position - next_ < rate;
        const bool first = !fetched_ && !ended_ && position <= rate;
        if (!nearby && !first) {
            decoder_.seek(Rational(position, rate));
            block_ = {};
            offset_ = 0;
            ended_ = false;
        }
        next_ = position;
    }
    bool fetch() {
        if (ended_) return false;
        auto block = decoder_.next();
        fetched_ = true;
        offset_ = 0;
        if (!block) {
            block_ = {};
            ended_ = true;
            return false;
        }
        // Within a run the decoder counts samples, so this rounds alike for all of its blocks.
        const int64_t at = samples_of(block->pts);
        // A stamp that rounds to one sample beside its neighbour is no gap.
        const int64_t expected = block_position_ + static_cast<int64_t>(block_.frames());
        const bool joins = block_.frames() > 0 && std::abs(at - expected) <= 1;
        block_position_ = joins ? expected : at;
        block_ = std::move(*block);
        return true;
    }

    AudioDecoder decoder_;
    AudioBlock block_;
    size_t offset_ = 0;
    int64_t block_position_ = 0;
    int64_t next_ = 0;
    bool fetched_ = false, ended_ = false;
};

// Gain that holds a sum within -1..1; nothing else is changed.
class Limiter {
  public:
    void apply(float* stereo, size_t frames) {
        static const float back = static_cast<float>(1 - std::exp(-1.0 / (limiter_release_seconds * rate)));
        for (size_t i = 0; i < frames; ++i) {
            float& left = stereo[2 * i];
            float& right = stereo[2 * i + 1];
            const float peak = std::max(std::abs(left), std::abs(right));
            if (gain_ < 1) {
                gain_ += (1 - gain_) * back;
                if (gain_ > 0.9999f) gain_ = 1;
            }
            if (peak * gain_ > 1) gain_ = 1 / peak;
            if (gain_ >= 1) continue;
            left = std::clamp(left * gain_, -1.0f, 1.0f); // the quotient may round up
            right = std::clamp(right * gain_, -1.0f, 1.0f);
        }
    }
    void reset() { gain_ = 1; }

  private:
    float gain_ = 1;
};

struct Use {
    MixUse spec;
    std::shared_ptr<Input> input;
    std::unique_ptr<SampleLine> line;             // none: silent
    int64_t from = 0, start = 0;                  // samples
    int64_t sounds_from = 0;                      // canvas sample from which the line is heard
    std::optional<SoundRelay::Connection> coming; // heard once its time has come
    std::optional<int64_t> length, loop_length;
    int64_t fade_in = 0, fade_out = 0;
    std::atomic<double> gain{1};
    std::atomic<bool> failed{false};
    std::optional<int64_t> ended_at; // canvas sample from which it is silent, once known

    float fade(int64_t t) const {
        double factor = 1;
        if (t < fade_in)
            factor *= std::sin(std::numbers::pi / 2 * static_cast<double>(t) / static_cast<double>(fade_in));
        if (length && fade_out > 0 && *length - t < fade_out)
            factor *= std::sin(std::numbers::pi / 2 * static_cast<double>(std::max<int64_t>(*length - t, 0)) /
                               static_cast<double>(fade_out));
        return static_cast<float>(factor);
    }
};

} // namespace

struct AudioMixer::Impl {
    std::vector<std::unique_ptr<Use>> uses;
    std::vector<float> scratch;
    Limiter limiter;
    std::atomic<int64_t> position{0};
    std::atomic<bool> stopped{false};
    std::mutex inputs; // held while a use's input is replaced

    void open(Use& use);
    void open_line(Use& use);
    void connect_again(Use& use, int64_t until);
    void add(Use& use, float* out, size_t frames);
    size_t read(Use& use, int64_t t, float* out, size_t frames);
};

void AudioMixer::Impl::open(Use& use) {
    const MixUse& spec = use.spec;
    use.from = use.sounds_from = samples_of(spec.from);
    use.start = samples_of(spec.start);
    if (spec.length) use.length = samples_of(*spec.length);
    if (spec.loop_length) use.loop_length = std::max<int64_t>(1, samples_of(*spec.loop_length));
    use.fade_in = samples_of(spec.fade_in);
    use.fade_out = samples_of(spec.fade_out);
    use.gain = spec.gain;
    use.input = spec.input ? spec.input : std::make_shared<Input>(spec.url, spec.options);
    open_line(use);
}

void AudioMixer::Impl::open_line(Use& use) {
    use.line.reset();
    if (!use.input->choose(StreamKind::audio, use.spec.stream)) return;
    AudioOptions options;
    options.stream = use.spec.stream;
    options.sample_rate = rate;
    options.channels = channels;
    use.line = std::make_unique<SampleLine>(AudioDecoder(use.input, options));
}

// Takes up a new connection, if there is one. The use's own time goes on, so its fades stay where they are.
void AudioMixer::Impl::connect_again(Use& use, int64_t until) {
    if (auto next = use.spec.relay->take()) use.coming = std::move(next);
    if (!use.coming || samples_of(use.coming->from) >= until) return;
    const auto connection = std::exchange(use.coming, std::nullopt);
    use.sounds_from = std::max(use.from, samples_of(connection->from));
    use.start = samples_of(connection->start) - (samples_of(connection->from) - use.from);
    {
        const std::lock_guard lock(inputs);
        use.input = connection->input;
    }
    use.ended_at.reset();
    try {
        open_line(use);
        use.failed = false;
    } catch (const std::exception& error) {
        log("media").warn("sound of {} does not come back: {}", use.input->info().url, describe(error));
        use.failed = true;
    }
}

// Samples from `start` to the end, by reading them.
int64_t measure(SampleLine& line, int64_t start) {
    std::vector<float> second(static_cast<size_t>(rate) * 2);
    int64_t total = 0;
    while (true) {
        const size_t got = line.read(start + total, second.data(), static_cast<size_t>(rate));
        total += static_cast<int64_t>(got);
        if (got < static_cast<size_t>(rate)) return total;
    }
}

// Frames of the use's own time t, t + 1, ...; returns how many there are before it ends for good.
size_t AudioMixer::Impl::read(Use& use, int64_t t, float* out, size_t frames) {
    if (!use.spec.loop) return use.line->read(use.start + t, out, frames);
    size_t done = 0;
    while (done < frames) {
        if (!use.loop_length) { // the first round measures it
            const size_t got = use.line->read(use.start + t, out + done * 2, frames - done);
            done += got;
            t += static_cast<int64_t>(got);
            if (done == frames) break;
            // A read that begins past the end (after a seek) does not tell where the end is.
            const int64_t round = got > 0 ? t : measure(*use.line, use.start);
            if (round <= 0) return done; // nothing to repeat
            use.loop_length = round;
        }
        const int64_t within = t % *use.loop_length;
        const size_t n = std::min(frames - done, static_cast<size_t>(*use.loop_length - within));
        use.line->read(use.start + within, out + done * 2, n);
        done += n;
        t += static_cast<int64_t>(n);
    }
    return frames;
}

void AudioMixer::Impl::add(Use& use, float* out, size_t frames) {
    if (stopped) return;
    if (use.spec.relay) connect_again(use, position + static_cast<int64_t>(frames));
    if (!use.line || use.failed) return;
    const int64_t canvas = position;
    int64_t begin = std::max(canvas, use.sounds_from);
    int64_t end = canvas + static_cast<int64_t>(frames);
    if (use.length) end = std::min(end, use.from + *use.length);
    if (use.ended_at) end = std::min(end, *use.ended_at);
    if (begin >= end) return;
    const size_t count = static_cast<size_t>(end - begin);
    scratch.resize(std::max(scratch.size(), count * 2));
    try {
        const size_t got = read(use, begin - use.from, scratch.data(), count);
        if (got < count && !stopped) use.ended_at = begin + static_cast<int64_t>(got);
    } catch (const std::exception& error) {
        log("media").warn("sound of {} breaks off: {}", use.input->info().url, describe(error));
        use.failed = true;
        return;
    }
    const float gain = static_cast<float>(use.gain.load());
    float* to = out + (begin - canvas) * 2;
    for (size_t i = 0; i < count; ++i) {
        const float factor = gain * use.fade(begin + static_cast<int64_t>(i) - use.from);
        to[2 * i] += factor * scratch[2 * i];
        to[2 * i + 1] += factor * scratch[2 * i + 1];
    }
}

AudioMixer::AudioMixer(std::vector<MixUse> uses) : impl_(std::make_unique<Impl>()) {
    for (MixUse& spec : uses) {
        auto use = std::make_unique<Use>();
        use->spec = std::move(spec);
        impl_->open(*use);
        impl_->uses.push_back(std::move(use));
    }
}

AudioMixer::~AudioMixer() = default;
AudioMixer::AudioMixer(AudioMixer&&) noexcept = default;
AudioMixer& AudioMixer::operator=(AudioMixer&&) noexcept = default;

void AudioMixer::pull(float* interleaved, size_t frames) {
    std::fill_n(interleaved, frames * 2, 0.0f);
    for (const auto& use : impl_->uses)
        impl_->add(*use, interleaved, frames);
    impl_->limiter.apply(interleaved, frames);
    impl_->position += static_cast<int64_t>(frames);
}

void AudioMixer::seek(Rational canvas_seconds) {
    impl_->position = samples_of(canvas_seconds);
    impl_->limiter.reset();
    for (const auto& use : impl_->uses)
        if (use->ended_at && *use->ended_at > impl_->position) use->ended_at.reset();
}

int64_t AudioMixer::position() const {
    return impl_->position;
}

bool AudioMixer::ended() const {
    const int64_t at = impl_->position;
    return std::all_of(impl_->uses.begin(), impl_->uses.end(), [&](const auto& use) {
        if (use->length && at >= use->from + *use->length) return true;
        if (use->spec.relay) return false;
        if (!use->line || use->failed) return true;
        return use->ended_at && at >= *use->ended_at;
    });
}

void AudioMixer::set_gain(size_t use, double gain) {
    WEFT_CHECK(use < impl_->uses.size());
    impl_->uses[use]->gain = gain;
}

void AudioMixer::stop() {
    impl_->stopped = true;
    const std::lock_guard lock(impl_->inputs);
    for (const auto& use : impl_->uses)
        if (use->input) use->input->stop();
}

size_t AudioMixer::failed() const {
    return static_cast<size_t>(std::count_if(impl_->uses.begin(), impl_->uses.end(),
                                             [](const auto& use) { return use->failed.load(); }));
}

} // namespace weft::media
