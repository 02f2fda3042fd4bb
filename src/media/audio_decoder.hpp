// From packets to samples of one rate and channel count.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/rational.hpp"
#include "media/input.hpp"

namespace weft::media {

struct AudioOptions {
    std::string stream; // "" = the best one, a number, or a language
    int sample_rate = 48000;
    int channels = 2; // mixed by libswresample's standard coefficients: mono to stereo is -3 dB on each side
    // Time on the container's clock that counts as 0. By default that of the best video stream, so that sound
    // and picture stay together; of a file without video, by the same rule on the audio stream itself.
    std::optional<Rational> zero;
};

// Interleaved samples, nominal -1..1 (may leave it).
struct AudioBlock {
    Rational pts; // of the first sample, seconds from zero
    int channels = 2;
    std::vector<float> samples;
    size_t frames() const { return samples.size() / static_cast<size_t>(channels); }
};

// One stream's sound in order. One thread at a time.
class AudioDecoder {
  public:
    // Errors : not_found, unsupported as Input::choose.
    explicit AudioDecoder(std::shared_ptr<Input> input, const AudioOptions& options = {});
    ~AudioDecoder();
    AudioDecoder(AudioDecoder&&) noexcept;
    AudioDecoder& operator=(AudioDecoder&&) noexcept;

    const StreamInfo& stream() const;
    // The next block, never empty; nullopt at the end. Blocks follow each other without gap or overlap unless
    // the file has one of more than 20 ms: then pts tells. Errors : bad_input when the stream is dead.
    std::optional<AudioBlock> next();
    // The following block begins with the sample at `seconds` (or later, when there is none at that time).
    // Errors : unsupported when the input cannot seek.
    void seek(Rational seconds);
    int64_t errors() const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace weft::media
