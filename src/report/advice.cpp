#include "report/advice.hpp"

#include <algorithm>

#include "base/format.hpp"

namespace weft::report {
namespace {

// From here on something is worth a sentence.
constexpr double worth_telling = 0.05;
constexpr double small_copy_mb = 0.25;
constexpr double good_share = 0.5; // of a peak

// Of the run that the stages were recorded in.
double recorded_ms_per_frame(const ScheduleProfile& s) {
    return s.steady_ms / static_cast<double>(std::max<int64_t>(s.steady_frames, 1));
}

// The time per frame that goes when the device's longest stage is all that is left.
double slack(const ScheduleProfile& s) {
    return s.efficiency ? std::clamp(1 - *s.efficiency, 0.0, 1.0) : 0;
}

// What goes when a queue copies as fast as the device can.
double copy_gain(const ScheduleProfile& s, const QueueStats& queue) {
    if (queue.peak_gb_per_s <= 0 || s.steady_ms <= 0) return 0;
    return queue.critical_share * std::clamp(1 - queue.gb_per_s / queue.peak_gb_per_s, 0.0, 1.0);
}

using List = std::vector<Advice>;

void on_pageable_memory(const Profile& p, const ScheduleProfile& s, List& out) {
    const QueueStats* up = s.queue("copy up");
    if (p.upload != "pageable" || p.shares_memory || up == nullptr) return;
    out.push_back(
        {fmt::format("Pictures are copied from pageable memory, at {:.1f} of {:.1f} GB/s: the driver copies "
                     "them once more and holds up the thread that decodes.",
                     up->gb_per_s, up->peak_gb_per_s),
         "--upload pinned", copy_gain(s, *up)});
}

void on_slots(const Profile&, const ScheduleProfile& s, List& out) {
    if (slack(s) < worth_telling) return;
    for (const StreamStats& stream : s.streams) {
        // The stream would have gone on, and the tick had to wait for it.
        if (stream.starved < 0.2 || stream.wait_ms < 0.1 * recorded_ms_per_frame(s)) continue;
        out.push_back(
            {fmt::format(
                 "Stream '{}' stood waiting for a free slot for {:.2f} ms a picture, and {:.0f} % of the "
                 "ticks then found none ready: {} too few.",
                 stream.name, stream.wait_ms, stream.starved * 100,
                 s.slots == 1 ? "1 slot is" : fmt::format("{} slots are", s.slots)),
             fmt::format("--buffers {}", s.slots + 1), slack(s)});
        return;
    }
}

void on_reading(const Profile& p, const ScheduleProfile& s, List& out) {
    if (s.critical_stage != "read" || p.preload > 0) return;
    const auto slowest =
        std::max_element(s.streams.begin(), s.streams.end(),
                         [](const StreamStats& a, const StreamStats& b) { return a.await_ms < b.await_ms; });
    if (slowest == s.streams.end()) return;
    out.push_back(
        {fmt::format(
             "Reading bounds this pipeline: a packet of '{}' takes {:.2f} ms to come, and decoding stands "
             "still for {:.2f} of the {:.2f} ms a frame. A copy on a faster disk goes faster; measure "
             "the device alone with pictures held in memory.",
             slowest->name, slowest->read_ms.median, slowest->await_ms, recorded_ms_per_frame(s)),
         "--preload 16", slack(s)});
}

void on_decoding(const Profile& p, const ScheduleProfile& s, List& out) {
    if (s.critical_stage != "decode" || p.preload > 0) return;
    const auto slowest =
        std::max_element(s.streams.begin(), s.streams.end(), [](const StreamStats& a, const StreamStats& b) {
            return a.decode_ms.median < b.decode_ms.median;
        });
    if (slowest == s.streams.end()) return;
    out.push_back(
        {fmt::format(
             "Decoding bounds this pipeline: a picture of '{}' takes {:.2f} ms of the {:.2f} ms a frame, "
             "and the device waits. Measure the device alone with pictures held in memory.",
             slowest->name, slowest->decode_ms.median, recorded_ms_per_frame(s)),
         "--preload 16", slack(s)});
}

void on_host_copies(const Profile& p, const ScheduleProfile& s, List& out) {
    if (s.critical_stage != "enqueue" || p.upload != "pinned") return;
    out.push_back({"Copying decoded pictures into pinned memory takes longer than anything the device does.",
                   "--upload direct", slack(s)});
}

void on_delivery(const Profile&, const ScheduleProfile& s, List& out) {
    if (s.critical_stage != "deliver" || s.sinks.empty()) return;
    const auto slowest = std::max_element(s.sinks.begin(), s.sinks.end(), [](const auto& a, const auto& b) {
        return a.deliver_ms.median < b.deliver_ms.median;
    });
    // Threads that were pushed aside for a moment look busy on the whole.
    if (slowest->deliver_ms.median < 0.5 * recorded_ms_per_frame(s)) return;
    out.push_back(
        {fmt::format("Output '{}' bounds this pipeline: it takes {:.2f} ms of the {:.2f} ms a frame.",
                     slowest->name, slowest->deliver_ms.median, recorded_ms_per_frame(s)),
         "--preset veryfast", slack(s)});
}

void on_kernels(const Profile& p, const ScheduleProfile& s, List& out) {
    for (const KernelStats& kernel : s.kernels) {
        const double best = std::max(kernel.of_copy, kernel.of_operations);
        const double gain = kernel.critical_share * (1 - best);
        if (best >= good_share || gain < worth_telling) continue;
        out.push_back(
            {fmt::format(
                 "Kernel '{}' is {:.0f} % of the critical path and far from what bounds it: it moves "
                 "{:.1f} GB/s, {:.0f} % of what a copy on this device does, and computes {:.1f} GFLOP/s, "
                 "{:.0f} % of its multiply-adds.{}",
                 kernel.name, kernel.critical_share * 100, kernel.gb_per_s, kernel.of_copy * 100,
                 kernel.gflop_per_s, kernel.of_operations * 100,
                 p.tuned ? "" : " Other shapes of it have not been measured on this device."),
             p.tuned ? "weft check --explain" : "weft tune", gain});
    }
}

void on_small_copies(const Profile& p, const ScheduleProfile& s, List& out) {
    const QueueStats* up = s.queue("copy up");
    if (up == nullptr || p.upload == "pinned" || p.upload == "host") return;
    for (const StreamStats& stream : s.streams) {
        const double gain = copy_gain(s, *up);
        if (stream.mb_per_copy <= 0 || stream.mb_per_copy >= small_copy_mb || gain < worth_telling) continue;
        out.push_back(
            {fmt::format(
                 "Copies of stream '{}' are small ({:.0f} kB each) and reach {:.1f} of {:.1f} GB/s; from "
                 "a pinned slot a picture goes up as one.",
                 stream.name, stream.mb_per_copy * 1000, up->gb_per_s, up->peak_gb_per_s),
             "--upload pinned", gain});
        return;
    }
}

void on_launches(const Profile& p, const ScheduleProfile& s, List& out) {
    const auto between = std::find_if(s.path.begin(), s.path.end(),
                                      [](const PathPart& part) { return part.name == "launch and wait"; });
    if (between == s.path.end() || between->share < 0.3 || p.preload == 0) return;
    out.push_back(
        {fmt::format(
             "{:.0f} % of the critical path lies between commands: they are short for what it costs to "
             "launch them.",
             between->share * 100),
         s.slots < 4 ? "--buffers 4" : "", between->share});
}

void on_spinning(const Profile& p, const ScheduleProfile& s, List& out) {
    // Threads inside a codec would look the same, so only without decoding.
    const double idle = s.cpu_ms - s.host_ms;
    if (p.shares_memory || p.preload == 0 || idle < 0.8 * s.ms_per_frame) return;
    out.push_back(
        {fmt::format(
             "The process burns {:.2f} ms of processor time a frame and works for {:.2f} of them: a thread "
             "of the driver spins while it waits.",
             s.cpu_ms, s.host_ms),
         "", 0});
}

} // namespace

std::vector<Advice> advise(const Profile& profile) {
    const auto spoken_of =
        std::find_if(profile.schedules.begin(), profile.schedules.end(), [](const ScheduleProfile& s) {
            return s.schedule == engine::Schedule::overlapped && s.not_steady.empty();
        });
    List out;
    if (spoken_of == profile.schedules.end()) return out;
    for (const auto& rule : {on_pageable_memory, on_slots, on_reading, on_decoding, on_host_copies,
                             on_delivery, on_kernels, on_small_copies, on_launches, on_spinning})
        rule(profile, *spoken_of, out);
    std::stable_sort(out.begin(), out.end(),
                     [](const Advice& a, const Advice& b) { return a.gain > b.gain; });
    return out;
}

} // namespace weft::report
