// Sound to the speakers, and the master clock kept to what is being heard. The gate of SDL's audio half.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "base/clock.hpp"
#include "base/rational.hpp"

namespace weft::media {
class AudioMixer;
}

namespace weft::present {

// Where sound comes from: stereo, 48 kHz. All but `stop` are called from one thread.
struct SoundSource {
    std::function<void(float* interleaved, size_t frames)> pull; // from the present position on
    std::function<void(Rational media)> seek;
    std::function<bool()> ended; // silent from here on
    std::function<void()> stop;  // a pull that waits must return; any thread
};
SoundSource sound_of(const std::shared_ptr<media::AudioMixer>& mixer);

constexpr int sound_rate = 48000;

// Paused at first. A thread of its own mixes ahead; the device's callback only copies. All calls from one
// thread.
class AudioOutput {
  public:
    // Without a usable device all calls do nothing and the clock runs on by itself; the log says why.
    //   clock : outlives it; corrected while sound plays
    AudioOutput(SoundSource source, MasterClock& clock);
    ~AudioOutput();
    AudioOutput(const AudioOutput&) = delete;
    AudioOutput& operator=(const AudioOutput&) = delete;

    bool has_device() const;
    void play();
    void pause();
    // What is waiting is dropped; play() goes on at `media`.
    void seek(Nanoseconds media);
    // Media seconds per second, 0.1 .. 10, at an unchanged pitch; to be followed by a seek to the present
    // time.
    void set_speed(double speed);
    // Percent, 0..130; loudness goes by the cube, as mpv's does.
    void set_volume(double percent);
    void set_mute(bool mute);
    // Media time being heard now; nullopt while nothing is.
    std::optional<Nanoseconds> heard() const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace weft::present
