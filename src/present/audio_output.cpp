#include "present/audio_output.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <thread>
#include <vector>

#include <SDL.h>

#include "base/error.hpp"
#include "base/log.hpp"
#include "media/audio_mixer.hpp"
#include "media/tempo.hpp"
#include "present/sample_ring.hpp"

namespace weft::present {
namespace {

constexpr size_t ring_frames = sound_rate / 4; // mixed ahead
constexpr size_t chunk_frames = 1024;
constexpr int device_frames = 1024; // of one callback: 21 ms
constexpr Nanoseconds feeder_pause = std::chrono::milliseconds(5);

Nanoseconds steady_now() {
    return std::chrono::steady_clock::now().time_since_epoch();
}

Nanoseconds frames_to_time(int64_t frames) {
    return Nanoseconds(frames * 1'000'000'000 / sound_rate);
}

} // namespace

SoundSource sound_of(const std::shared_ptr<media::AudioMixer>& mixer) {
    return {[mixer](float* interleaved, size_t frames) { mixer->pull(interleaved, frames); },
            [mixer](Rational media) { mixer->seek(media); }, [mixer] { return mixer->ended(); },
            [mixer] { mixer->stop(); }};
}

struct AudioOutput::Impl {
    SoundSource source;
    MasterClock& clock;
    SDL_AudioDeviceID device = 0;
    Nanoseconds latency{0}; // from the callback to the ear, as far as SDL tells
    SampleRing ring{ring_frames};
    std::atomic<int64_t> origin_ns{
        0}; // media time of the ring's frame 0; changes only while the callback is held off

    std::atomic<double> speed{1}; // of what is in the ring; changes as origin_ns does

    // Media time by the last callback that had sound, and when that was; valid while `beats` grows.
    std::atomic<int64_t> heard_ns{0}, heard_at_ns{0};
    std::atomic<int64_t> beats{0};
    std::atomic<bool> sounding{false}; // the last callback had sound
    std::atomic<int> seeks_asked{0},
        seeks_done{0}; // while they differ, the ring holds the old place: silence
    std::atomic<float> gain{1};
    float last_gain = 1; // callback only
    std::atomic<bool> mute{false};

    std::mutex mutex; // of what follows
    std::condition_variable wake;
    std::optional<Nanoseconds> seek_to;
    double next_speed = 1;
    bool stop = false;
    bool playing = false;
    std::unique_ptr<media::Tempo> tempo; // the feeder's; none at normal speed
    std::thread feeder;

    Impl(SoundSource from, MasterClock& master) : source(std::move(from)), clock(master) {}

    void callback(float* out, size_t frames) noexcept {
        const int64_t position = static_cast<int64_t>(ring.position());
        const size_t got = seeks_asked == seeks_done ? ring.read(out, frames) : 0;
        std::memset(out + 2 * got, 0, (frames - got) * 2 * sizeof(float));
        sounding = got > 0;
        if (got > 0) {
            heard_ns = origin_ns + scaled(frames_to_time(position) - latency).count();
            heard_at_ns = steady_now().count();
            ++beats;
        }
        // From the old loudness to the new over one callback: no click.
        const float target = mute ? 0.0f : gain.load();
        const float step = (target - last_gain) / static_cast<float>(std::max<size_t>(frames, 1));
        for (size_t i = 0; i < frames; ++i) {
            last_gain += step;
            out[2 * i] *= last_gain;
            out[2 * i + 1] *= last_gain;
        }
        last_gain = target;
    }

    Nanoseconds scaled(Nanoseconds time) const {
        const double now = speed;
        return now == 1 ? time : Nanoseconds(static_cast<int64_t>(static_cast<double>(time.count()) * now));
    }
    Nanoseconds heard() const {
        return Nanoseconds(heard_ns) + scaled(steady_now() - Nanoseconds(heard_at_ns));
    }

    // `at_speed` : as asked for with the seek
    void restart_at(Nanoseconds media, double at_speed) {
        source.seek(Rational(media.count(), 1'000'000'000));
        tempo.reset();
        if (at_speed != 1) tempo = std::make_unique<media::Tempo>(at_speed, source.pull);
        SDL_LockAudioDevice(device); // holds the callback off
        ring.restart();
        origin_ns = media.count();
        speed = at_speed;
        sounding = false;
        SDL_UnlockAudioDevice(device);
    }

    void feed() {
        std::vector<float> chunk(2 * chunk_frames);
        int64_t last_beat = 0;
        std::unique_lock lock(mutex);
        while (!stop) {
            const auto target = std::exchange(seek_to, std::nullopt);
            const int asked = seeks_asked;
            const double at_speed = next_speed;
            const bool correct = playing && !target;
            lock.unlock();
            if (target) {
                restart_at(*target, at_speed);
                seeks_done = asked;
                last_beat = beats;
            }
            while (ring.room() >= chunk_frames && !source.ended()) {
                if (tempo)
                    tempo->pull(chunk.data(), chunk_frames);
                else
                    source.pull(chunk.data(), chunk_frames);
                ring.write(chunk.data(), chunk_frames);
                if (ring.waiting() >= ring_frames / 2) break; // look for a seek in between
            }
            if (const int64_t beat = beats; correct && beat != last_beat) {
                last_beat = beat;
                correct_clock();
            }
            lock.lock();
            if (!stop && !seek_to) wake.wait_for(lock, feeder_pause);
        }
    }

    void correct_clock() {
        const std::lock_guard lock(mutex);
        // A seek or pause that came meanwhile has set the clock itself.
        if (playing && !seek_to) clock.correct(heard());
    }
};

AudioOutput::AudioOutput(SoundSource source, MasterClock& clock)
    : impl_(std::make_unique<Impl>(std::move(source), clock)) {
    if (SDL_InitSubSystem(SDL_INIT_AUDIO) != 0) {
        log("present").info("no sound: {}", SDL_GetError());
        return;
    }
    SDL_AudioSpec wanted{}, got{};
    wanted.freq = sound_rate;
    wanted.format = AUDIO_F32SYS;
    wanted.channels = 2;
    wanted.samples = device_frames;
    wanted.userdata = impl_.get();
    wanted.callback = [](void* user, Uint8* out, int bytes) {
        static_cast<Impl*>(user)->callback(reinterpret_cast<float*>(out),
                                           static_cast<size_t>(bytes) / (2 * sizeof(float)));
    };
    impl_->device = SDL_OpenAudioDevice(nullptr, 0, &wanted, &got, 0);
    if (impl_->device == 0) {
        log("present").info("no sound: {}", SDL_GetError());
        SDL_QuitSubSystem(SDL_INIT_AUDIO);
        return;
    }
    // What a callback delivers starts to sound when the buffer before it has been played.
    impl_->latency = frames_to_time(got.samples);
    impl_->feeder = std::thread([impl = impl_.get()] {
        try {
            impl->feed();
        } catch (const std::exception& error) {
            log("present").warn("sound ends: {}", describe(error));
        }
    });
}

AudioOutput::~AudioOutput() {
    if (impl_->device == 0) return;
    {
        const std::lock_guard lock(impl_->mutex);
        impl_->stop = true;
    }
    impl_->wake.notify_all();
    if (impl_->source.stop) impl_->source.stop();
    impl_->feeder.join();
    SDL_CloseAudioDevice(impl_->device);
    SDL_QuitSubSystem(SDL_INIT_AUDIO);
}

bool AudioOutput::has_device() const {
    return impl_->device != 0;
}

void AudioOutput::play() {
    if (!has_device()) return;
    {
        const std::lock_guard lock(impl_->mutex);
        impl_->playing = true;
    }
    SDL_PauseAudioDevice(impl_->device, 0);
}

void AudioOutput::pause() {
    if (!has_device()) return;
    {
        const std::lock_guard lock(impl_->mutex);
        impl_->playing = false;
    }
    SDL_PauseAudioDevice(impl_->device, 1);
    impl_->sounding = false;
}

void AudioOutput::seek(Nanoseconds media) {
    if (!has_device()) return;
    {
        const std::lock_guard lock(impl_->mutex);
        impl_->seek_to = media;
        ++impl_->seeks_asked;
    }
    impl_->wake.notify_all();
}

void AudioOutput::set_speed(double speed) {
    const std::lock_guard lock(impl_->mutex);
    impl_->next_speed = speed;
}

void AudioOutput::set_volume(double percent) {
    const double part = std::clamp(percent, 0.0, 130.0) / 100;
    impl_->gain = static_cast<float>(part * part * part);
}

void AudioOutput::set_mute(bool mute) {
    impl_->mute = mute;
}

std::optional<Nanoseconds> AudioOutput::heard() const {
    if (!impl_->sounding) return std::nullopt;
    return impl_->heard();
}

} // namespace weft::present
