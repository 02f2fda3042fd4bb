// From what a run recorded to what it means.
#pragma once

#include <vector>

#include "engine/intervals.hpp"
#include "engine/recorder.hpp"
#include "engine/run.hpp"
#include "report/profile.hpp"

namespace weft::report {

// One schedule as it was run: some times recorded, and as often undisturbed.
struct Measured {
    engine::Schedule schedule = engine::Schedule::overlapped;
    gpu::QueueOrder order = gpu::QueueOrder::in_order;
    int slots = 2;
    int64_t frames = 0;          // of each run
    engine::Recording recording; // of the last recorded run
    // What it told of its inputs and outputs.
    std::vector<engine::InputReport> inputs;
    std::vector<engine::SinkReport> sinks;
    int64_t skipped_ticks = 0;
    // When each tick was delivered, run by run.
    std::vector<std::vector<Nanoseconds>> unprofiled, profiled;
    std::vector<double> first_frame_s; // of the unprofiled runs
    std::vector<double> cpu_ms;        // likewise, per frame
};

// The figures of one schedule; `speedup` is left to compare().
ScheduleProfile analyse(const Measured& measured, const gpu::Peaks& peaks);

// Fills in the speed-ups over the first serial schedule, where one is among them.
void compare(std::vector<ScheduleProfile>& schedules);

// The steady state: [first kernel of tick first + 2 x slots, first kernel of tick last + 1 - 2 x slots).
struct Steady {
    engine::Interval window;
    int64_t first_tick = 0, behind_tick = 0;
    int64_t frames() const { return behind_tick - first_tick; }
    bool holds(int64_t tick) const { return tick >= first_tick && tick < behind_tick; }
};
// nullopt when there are too few ticks for one.
std::optional<Steady> steady_state(const engine::Recording& recording, int slots);

// Milliseconds from tick to tick between deliveries, 2 x slots cut at either end where as many are left.
double ms_per_frame(const std::vector<Nanoseconds>& delivered, int slots);

// Shares of the chain of work that ends with the last delivery of the steady state: each link is what the one
// after it waited for longest. Shares of it sum to 1; "launch and wait" is the time between links.
std::vector<PathPart> critical_path(const engine::Recording& recording, const Steady& steady);

Spread spread_of(std::vector<double> values);

} // namespace weft::report
