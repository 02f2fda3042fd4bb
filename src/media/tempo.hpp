// Sound faster or slower at its own pitch.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace weft::media {

// Stereo at 48 kHz through FFmpeg's atempo. One thread at a time.
class Tempo {
  public:
    using Pull = std::function<void(float* interleaved, size_t frames)>;
    // speed : 0.1 .. 10; 1 is worth no Tempo.   pull : gives the sound at its own speed, `frames` of it
    // Errors : internal, resource.
    Tempo(double speed, Pull pull);
    ~Tempo();
    Tempo(const Tempo&) = delete;
    Tempo& operator=(const Tempo&) = delete;

    // The next `frames` of the result; frame n of all of them is what the source has at n * speed, within
    // some hundredths of a second.
    void pull(float* interleaved, size_t frames);

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace weft::media
