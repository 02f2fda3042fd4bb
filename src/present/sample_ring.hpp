// Sound between the thread that mixes and the audio device's callback, without locks.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace weft::present {

// Stereo frames of two floats. One writer, one reader.
class SampleRing {
  public:
    explicit SampleRing(size_t frames) : samples_(2 * frames), frames_(frames) {}

    // Writer.
    size_t room() const { return frames_ - (written_.load(std::memory_order_relaxed) - read_.load()); }
    // frames <= room().
    void write(const float* interleaved, size_t frames) {
        const size_t at = written_.load(std::memory_order_relaxed);
        for (size_t i = 0; i < 2 * frames; ++i)
            samples_[(2 * at + i) % samples_.size()] = interleaved[i];
        written_.store(at + frames, std::memory_order_release);
    }

    // Reader: how many frames it got, at most `frames`.
    size_t read(float* interleaved, size_t frames) {
        const size_t at = read_.load(std::memory_order_relaxed);
        const size_t count = std::min(frames, written_.load(std::memory_order_acquire) - at);
        for (size_t i = 0; i < 2 * count; ++i)
            interleaved[i] = samples_[(2 * at + i) % samples_.size()];
        read_.store(at + count, std::memory_order_release);
        return count;
    }
    // Frames read since the last restart().
    size_t position() const { return read_.load(std::memory_order_acquire); }
    size_t waiting() const { return written_.load() - read_.load(); }

    // Empties it and counts from 0 again. Only while the reader is held off.
    void restart() {
        written_ = 0;
        read_ = 0;
    }

  private:
    std::vector<float> samples_;
    size_t frames_;
    std::atomic<size_t> written_{0}, read_{0};
};

} // namespace weft::present
