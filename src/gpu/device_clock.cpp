#include "gpu/device_clock.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <optional>

#include "base/clock.hpp"
#include "gpu/device_private.hpp"

namespace weft::gpu {
namespace {

constexpr int tries = 48;
// Pairs that lie closer together than this say nothing about drift.
constexpr int64_t shortest_drift_ns = 100'000'000;

ClockPair from_commands(Device& device) {
    cl::Buffer small(device.context(), CL_MEM_READ_WRITE, 64);
    ClockBounds bounds;
    for (int i = 0; i < tries; ++i) {
        cl::Event event;
        const Nanoseconds before = SteadyClock().now();
        device.compute().enqueueFillBuffer(small, uint8_t{0}, 0, 64, nullptr, &event);
        const Nanoseconds enqueued = SteadyClock().now();
        event.wait();
        const Nanoseconds after = SteadyClock().now();
        if (i == 0) continue; // the first of a kind may be set up
        const auto time = [&](cl_profiling_info what) {
            cl_ulong ns = 0;
            const cl_int code = clGetEventProfilingInfo(event(), what, sizeof ns, &ns, nullptr);
            if (code != CL_SUCCESS) throw device_error(code, "times of a command");
            return static_cast<int64_t>(ns);
        };
        bounds.add(before, time(CL_PROFILING_COMMAND_START), time(CL_PROFILING_COMMAND_END), after);
        // The moment of queueing is known better, where the driver tells it on the same clock.
        const int64_t queued = time(CL_PROFILING_COMMAND_QUEUED);
        ClockBounds closer = bounds;
        closer.add(before, queued, queued, enqueued);
        if (closer.pair().error > Nanoseconds(0)) bounds = closer;
    }
    return bounds.pair();
}

std::optional<ClockPair> from_timer(Device& device) {
    std::optional<ClockPair> best;
    for (int i = 0; i < tries; ++i) {
        cl_ulong device_ns = 0, host_ns = 0;
        const Nanoseconds before = SteadyClock().now();
        if (clGetDeviceAndHostTimer(device.handle()(), &device_ns, &host_ns) != CL_SUCCESS)
            return std::nullopt;
        const Nanoseconds after = SteadyClock().now();
        const ClockPair pair{static_cast<int64_t>(device_ns), before + (after - before) / 2,
                             (after - before) / 2 + Nanoseconds(1)};
        if (!best || pair.error < best->error) best = pair;
    }
    return best;
}

bool has_timer(const Device& device) {
    int major = 0, minor = 0;
    return std::sscanf(device.info().version.c_str(), "OpenCL %d.%d", &major, &minor) == 2 &&
           major * 10 + minor >= 21;
}

} // namespace

void ClockBounds::add(Nanoseconds before, int64_t device_start_ns, int64_t device_end_ns, Nanoseconds after) {
    const int64_t low = before.count() - device_start_ns, high = after.count() - device_end_ns;
    lowest_ = count_ == 0 ? low : std::max(lowest_, low);
    highest_ = count_ == 0 ? high : std::min(highest_, high);
    at_ = device_end_ns;
    ++count_;
}

ClockPair ClockBounds::pair() const {
    const int64_t offset = lowest_ + (highest_ - lowest_) / 2;
    return {at_, Nanoseconds(at_ + offset), Nanoseconds((highest_ - lowest_ + 1) / 2)};
}

ClockReading read_clocks(Device& device) {
    WEFT_CHECK(device.profiling());
    return guarded("comparing clocks", [&]() -> ClockReading {
        const ClockPair commands = from_commands(device);
        if (has_timer(device))
            if (const auto timer = from_timer(device)) {
                // Believed only where the times of events are on that clock.
                const int64_t apart =
                    (timer->host.count() - timer->device_ns) - (commands.host.count() - commands.device_ns);
                if (std::abs(apart) <= (timer->error + commands.error).count() + 1000)
                    return {*timer, "host timer"};
            }
        return {commands, "markers"};
    });
}

ClockMap::ClockMap(const ClockPair& begin, const ClockPair& end)
    : begin_device_(begin.device_ns), begin_offset_(begin.host.count() - begin.device_ns),
      error_(std::max({begin.error, end.error, -begin.error, -end.error})) {
    const int64_t span = end.device_ns - begin.device_ns;
    if (span < shortest_drift_ns) return;
    const int64_t moved = (end.host.count() - end.device_ns) - begin_offset_;
    slope_ = static_cast<double>(moved) / static_cast<double>(span);
}

Nanoseconds ClockMap::host(int64_t device_ns) const {
    const double drift = slope_ * static_cast<double>(device_ns - begin_device_);
    return Nanoseconds(device_ns + begin_offset_ + static_cast<int64_t>(drift));
}

} // namespace weft::gpu
