// The sound of a whole timeline as one stereo stream.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/rational.hpp"
#include "media/input.hpp"
#include "media/sound_relay.hpp"

namespace weft::media {

// One use of an input's sound. Canvas time `from` + t hears input time `start` + t.
struct MixUse {
    std::string url;                // opened by the mixer, or
    InputOptions options;           // for that
    std::shared_ptr<Input> input;   // an input that is open already (live addresses)
    std::string stream;             // "" = the best audio stream, a number, or a language
    Rational from;                  // canvas seconds, offset included
    Rational start;                 // input seconds from zero
    std::optional<Rational> length; // canvas seconds it lasts; none: to its end (or for ever, when it loops)
    double gain = 1;                // linear
    Rational fade_in,
        fade_out; // seconds at both ends of `length`, constant power: sin and cos of a quarter turn
    bool loop = false;
    // Set: when the connection is lost the use is silent until another is handed over, not ended.
    std::shared_ptr<SoundRelay> relay;
    std::optional<Rational> loop_length; // input seconds from `start` of one round: give the video's, so that
                                         // sound and picture stay together; none: to the end of the sound
};

// Sums the uses sample by sample: sum = Σ gain x fade x sample, nothing is normalised, so one input with gain
// 1 comes through unchanged. Where the sum would leave -1..1 a limiter holds it: gain 1/peak at once, back to
// 1 over 50 ms; both channels alike. The result does not depend on how it is pulled in pieces.
//   times   : rounded to the nearest sample of 48 kHz; a file's own samples at 48 kHz are never resampled or
//   shifted. threads : one thread pulls and seeks; set_gain and stop from anywhere.
class AudioMixer {
  public:
    static constexpr int sample_rate = 48000;
    static constexpr int channels = 2;

    // Opens every input. A use whose file has no sound is silent. Errors : as Input and AudioDecoder.
    explicit AudioMixer(std::vector<MixUse> uses);
    ~AudioMixer();
    AudioMixer(AudioMixer&&) noexcept;
    AudioMixer& operator=(AudioMixer&&) noexcept;

    // Fills `frames` stereo frames from the present position on and moves it; silence where nothing sounds. A
    // use that fails is logged once and silent from there. Never throws for a broken file.
    void pull(float* interleaved, size_t frames);
    void seek(Rational canvas_seconds);
    int64_t position() const; // in samples of the canvas
    // Silent from here on, for ever (until a seek): no use sounds any more.
    bool ended() const;

    void set_gain(size_t use, double gain);
    void stop();           // a pull that waits for an input gives silence
    size_t failed() const; // uses that broke off

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace weft::media
