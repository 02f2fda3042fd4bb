// The device's clock, in which events tell their times, on the host's.
#pragma once

#include <cstdint>
#include <string>

#include "base/rational.hpp"
#include "gpu/device.hpp"

namespace weft::gpu {

// One moment on both clocks, known as well as `error` says.
struct ClockPair {
    int64_t device_ns = 0;
    Nanoseconds host{0}; // of std::chrono::steady_clock
    Nanoseconds error{0};
};

struct ClockReading {
    ClockPair pair;
    std::string method; // "host timer": asked of the device (OpenCL 2.1); "markers": small commands between
                        // two looks at the host's clock
};
// The device must record times (DeviceOptions::profiling) and its queues be idle. Takes some milliseconds.
// Errors : device.
ClockReading read_clocks(Device& device);

// What commands between two looks at the host's clock say together. Each one began after the host's `before`
// and ended before its `after`, so that the offset between the clocks is bounded from both sides.
class ClockBounds {
  public:
    void add(Nanoseconds before, int64_t device_start_ns, int64_t device_end_ns, Nanoseconds after);
    bool empty() const { return count_ == 0; }
    ClockPair pair() const; // at the last command added

  private:
    int64_t lowest_ = 0, highest_ = 0; // host - device
    int64_t at_ = 0;
    int count_ = 0;
};

// Device times as host times: straight through two pairs, so that clocks which drift apart stay together.
class ClockMap {
  public:
    ClockMap() = default; // the device's times as they are
    ClockMap(const ClockPair& begin, const ClockPair& end);
    Nanoseconds host(int64_t device_ns) const;
    Nanoseconds error() const { return error_; }
    double drift_ppm() const { return slope_ * 1e6; } // how much faster the host's clock goes

  private:
    int64_t begin_device_ = 0;
    int64_t begin_offset_ = 0; // host - device
    double slope_ = 0;
    Nanoseconds error_{0};
};

} // namespace weft::gpu
