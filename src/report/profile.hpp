// What a profile says: plain values, made by analyse() from recordings and printed by everything else here.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/schedule.hpp"
#include "gpu/peaks.hpp"

namespace weft::report {

// Times of a kind of thing, however often it happened. Percentiles are by nearest rank.
struct Spread {
    int64_t count = 0;
    double median = 0, p95 = 0, p99 = 0, most = 0;
};

// One of the device's three stages in the steady state.
struct QueueStats {
    std::string name;          // "copy up", "compute", "copy down"
    Spread command_us;         // of single commands
    double busy_ms = 0;        // per frame, commands at the same time counted once
    double utilisation = 0;    // of the wall time
    double mb_per_frame = 0;   // moved, in 10^6 bytes
    double gb_per_s = 0;       // while busy
    double peak_gb_per_s = 0;  // the device's, measured
    double critical_share = 0; // of the critical path
};

struct KernelStats {
    std::string name;
    Spread command_us;
    double gb_per_s = 0;      // the bytes it must move at least
    double gflop_per_s = 0;   // the arithmetic that is planned, see graph::Pass::operations
    double of_copy = 0;       // gb_per_s over that of a copy on the device
    double of_operations = 0; // gflop_per_s over the device's multiply-adds; 0 where that is not measured
    double critical_share = 0;
};

struct StreamStats {
    std::string name;
    Spread read_ms;         // a packet out of the file or address; none where all was read ahead
    double await_ms = 0;    // per picture: decoding stood still for want of a packet
    Spread decode_ms;       // a picture out of the codec
    double wait_ms = 0;     // per picture: for a free slot
    double enqueue_ms = 0;  // per picture: copying into the slot and enqueueing
    double upload_ms = 0;   // per picture: on the device
    double mb_per_copy = 0; // in 10^6 bytes
    double ring_fill = 0;   // pictures that lay ready when a tick came for one, on average
    double starved = 0;     // share of its pictures that came when the kernels before were over already
};

struct SinkStats {
    std::string name;
    Spread deliver_ms; // encoding, hashing
};

// What became of a stream's pictures, over a whole run.
struct PictureCounts {
    std::string name;
    int64_t decoded = 0;
    int64_t dropped = 0;  // due at no tick, so that they never went to the device
    int64_t repeated = 0; // ticks that showed the picture of the tick before once more
    int64_t late = 0;     // ticks that showed an older picture than was due, or none (live runs)
    int64_t lost = 0;     // damaged, or missing because the input broke off or is cut short
};

struct OutputCounts {
    std::string name;
    int64_t frames = 0;
    int64_t dropped = 0; // the output was not ready for them (live runs)
};

struct PathPart {
    std::string name; // "compute", "decode left", "launch and wait", ...
    double share = 0;
};

// What a schedule is called where both orders of queues are compared: one that is not the usual one is named.
inline std::string title_of(engine::Schedule schedule, gpu::QueueOrder order) {
    return engine::name(schedule) + (order == gpu::QueueOrder::in_order ? "" : " " + gpu::name(order));
}

struct ScheduleProfile {
    engine::Schedule schedule = engine::Schedule::overlapped;
    gpu::QueueOrder order = gpu::QueueOrder::in_order;
    int slots = 0;
    int64_t frames = 0;            // of the run, all of them
    double ms_per_frame = 0;       // median of the unprofiled runs, steady state
    std::vector<double> runs_ms;   // each of them
    std::optional<double> speedup; // against the serial schedule
    double profiled_ms_per_frame = 0;
    double cpu_ms = 0;        // of the process per frame, all threads, unprofiled runs
    double first_frame_s = 0; // from the start of the run to its first picture, unprofiled, median
    // Of the profiled run.
    std::vector<PictureCounts> pictures;
    std::vector<OutputCounts> outputs;
    int64_t skipped_ticks = 0; // frames for which there was no time (live runs)

    // The steady state of the profiled run: from the first kernel of one tick to the first kernel of another,
    // 2 x slots ticks cut at either end. Everything below is of it, and empty without it.
    int64_t steady_frames = 0;
    double steady_ms = 0;
    std::string not_steady; // why there is none; "" when there is
    std::optional<double> overlap;
    std::string no_overlap;           // why there is none
    double both_ms = 0;               // per frame: copies and kernels at the same time
    double copy_ms = 0;               // per frame: either copy queue busy
    std::optional<double> efficiency; // longest stage of a frame over ms_per_frame
    std::string longest_stage;        // of the device's three
    // The same, with "read", "decode", "enqueue" and "deliver" on the host.
    std::string critical_stage;
    std::vector<QueueStats> queues;
    std::vector<KernelStats> kernels;
    std::vector<StreamStats> streams;
    std::vector<SinkStats> sinks;
    double host_ms = 0; // per frame: decode, enqueue and deliver of all threads together
    std::vector<PathPart> path;
    Spread latency_ms;        // from a picture's coming out of the codec to the end of its delivery
    int64_t order_faults = 0; // pictures whose upload ended behind the start of all kernels that show them: 0

    std::string clock_method;
    double clock_error_us = 0, drift_ppm = 0;

    // "serial", "overlapped out-of-order".
    std::string title() const { return title_of(schedule, order); }
    const QueueStats* queue(const std::string& queue_name) const {
        for (const QueueStats& one : queues)
            if (one.name == queue_name) return &one;
        return nullptr;
    }
    double profiling_cost() const { // 0.03: profiled frames took 3 % longer
        return ms_per_frame > 0 ? profiled_ms_per_frame / ms_per_frame - 1 : 0;
    }
};

// One sentence of advice, the option that changes it, and what that could gain at most.
struct Advice {
    std::string text;
    std::string option;
    double gain = 0; // share of the time per frame that would go at best, 0..1; 0: none that can be told
};

struct Profile {
    std::string device, driver;
    bool shares_memory = false; // with the host
    bool tuned = false;         // with shapes that weft tune found
    std::string upload, queues; // "pinned"; "in-order", "in-order and out-of-order"
    std::string canvas;         // "1920x1080 at 30 fps"
    std::string pipeline;       // for people: files
    int preload = 0;
    gpu::Peaks peaks;
    std::vector<ScheduleProfile> schedules;
    double first_frame_cold_s = 0, first_frame_warm_s = 0; // first run of the process, median of later ones
    size_t device_bytes = 0, host_peak_bytes = 0;
    std::vector<Advice> advice;
};

} // namespace weft::report
