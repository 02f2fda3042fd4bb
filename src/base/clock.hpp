// Clocks: the steady one, one set by hand for tests, and the master that a live run follows.
#pragma once

#include <atomic>
#include <chrono>
#include <mutex>

#include "base/rational.hpp"

namespace weft {

// now() counts from an arbitrary zero and never goes back. Thread-safe.
class Clock {
  public:
    virtual ~Clock() = default;
    virtual Nanoseconds now() const = 0;
};

class SteadyClock final : public Clock {
  public:
    Nanoseconds now() const override { return std::chrono::steady_clock::now().time_since_epoch(); }
};

class ManualClock final : public Clock {
  public:
    Nanoseconds now() const override { return Nanoseconds(now_.load()); }
    void advance(Nanoseconds step) { now_ += step.count(); }

  private:
    std::atomic<int64_t> now_{0};
};

// Media time of a live run: media = base + (clock - since) * speed while running. An audio device corrects it
// by telling which media time is being heard. Thread-safe.
class MasterClock {
  public:
    explicit MasterClock(const Clock& clock) : clock_(clock) {}
    Nanoseconds media_time() const;
    bool running() const;
    void start();
    void pause();
    void seek(Nanoseconds media);
    // Audio says: at this instant `media` is being heard. Small differences are slewed (1/8 a call), more
    // than 100 ms are jumped.
    void correct(Nanoseconds media);
    // Media seconds per second of the clock, 1 at first; from now on. speed > 0.
    void set_speed(double speed);
    double speed() const;

  private:
    Nanoseconds at(Nanoseconds now) const;
    const Clock& clock_;
    mutable std::mutex mutex_;
    Nanoseconds base_{0};
    Nanoseconds since_{0};
    double speed_ = 1;
    bool running_ = false;
};

} // namespace weft
