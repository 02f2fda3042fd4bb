#include <algorithm>

#include "base/format.hpp"
#include "base/text.hpp"
#include "report/files.hpp"

namespace weft::report {
namespace {

using Rows = std::vector<std::vector<std::string>>;

std::string percent(double share) {
    return fmt::format("{:.0f} %", share * 100);
}

std::string of_peak(double rate, double peak) {
    if (rate <= 0) return "-";
    return peak > 0 ? fmt::format("{:.1f}, {:.0f} %", rate, rate / peak * 100) : fmt::format("{:.1f}", rate);
}

std::string ratio(const std::optional<double>& value) {
    return value ? fmt::format("{:.2f}", *value) : "-";
}

std::string schedules(const Profile& profile) {
    Rows rows{{"schedule", "slots", "ms/frame", "fps", "speed-up", "overlap", "efficiency", "critical stage",
               "first frame", "cpu ms/frame", "profiling"}};
    std::string why;
    for (const ScheduleProfile& s : profile.schedules) {
        rows.push_back({s.title(), std::to_string(s.slots), fmt::format("{:.3f}", s.ms_per_frame),
                        s.ms_per_frame > 0 ? fmt::format("{:.1f}", 1000 / s.ms_per_frame) : "-",
                        ratio(s.speedup), ratio(s.overlap), ratio(s.efficiency),
                        s.critical_stage.empty() ? "-" : s.critical_stage,
                        fmt::format("{:.3f} s", s.first_frame_s), fmt::format("{:.2f}", s.cpu_ms),
                        fmt::format("{:+.1f} %", s.profiling_cost() * 100)});
        if (const auto [least, most] = std::minmax_element(s.runs_ms.begin(), s.runs_ms.end());
            least != most && *most > 1.25 * *least)
            why +=
                fmt::format("{}: its runs took {:.3f} to {:.3f} ms a frame: something else was at work, and "
                            "ratios say little (--rounds repeats)\n",
                            s.title(), *least, *most);
        if (!s.no_overlap.empty())
            why += fmt::format("{}: no overlap is given: {}\n", s.title(), s.no_overlap);
    }
    return table(rows) + why;
}

std::string some(const Spread& spread, double value) {
    return spread.count > 0 ? fmt::format("{:.3f}", value) : "-";
}

// What became of every picture of a run.
std::string counts(const ScheduleProfile& s) {
    Rows rows{{"pictures of", "decoded", "dropped", "repeated", "late", "lost"}};
    for (const PictureCounts& counts : s.pictures)
        rows.push_back({counts.name, std::to_string(counts.decoded), std::to_string(counts.dropped),
                        std::to_string(counts.repeated), std::to_string(counts.late),
                        std::to_string(counts.lost)});
    std::string out = table(rows);
    for (const OutputCounts& counts : s.outputs)
        out += fmt::format("{} took {} frames, {} dropped\n", counts.name, counts.frames, counts.dropped);
    if (s.skipped_ticks > 0) out += fmt::format("{} frames were skipped\n", s.skipped_ticks);
    return out;
}

// Stages, kernels, streams and outputs of one schedule.
std::string details(const ScheduleProfile& s) {
    std::string out = fmt::format("{}, {} frames in the steady state, {:.3f} ms each while profiled\n\n",
                                  s.title(), s.steady_frames,
                                  s.steady_ms / static_cast<double>(std::max<int64_t>(s.steady_frames, 1)));
    Rows rows{{"queue", "commands", "median us", "p95 us", "busy ms/frame", "busy", "MB/frame",
               "GB/s, of peak", "critical path"}};
    for (const QueueStats& queue : s.queues) {
        if (queue.command_us.count == 0) {
            rows.push_back({queue.name, "0"});
            continue;
        }
        rows.push_back({queue.name, std::to_string(queue.command_us.count),
                        fmt::format("{:.0f}", queue.command_us.median),
                        fmt::format("{:.0f}", queue.command_us.p95), fmt::format("{:.3f}", queue.busy_ms),
                        percent(queue.utilisation), fmt::format("{:.2f}", queue.mb_per_frame),
                        of_peak(queue.gb_per_s, queue.peak_gb_per_s), percent(queue.critical_share)});
    }
    out += table(rows, 2);
    rows = {{"kernel", "count", "median us", "p95 us", "GB/s, of a copy", "GFLOP/s, of peak", "nearer to",
             "critical path"}};
    for (const KernelStats& kernel : s.kernels)
        rows.push_back({kernel.name, std::to_string(kernel.command_us.count),
                        fmt::format("{:.0f}", kernel.command_us.median),
                        fmt::format("{:.0f}", kernel.command_us.p95),
                        fmt::format("{:.1f}, {}", kernel.gb_per_s, percent(kernel.of_copy)),
                        kernel.gflop_per_s > 0
                            ? fmt::format("{:.1f}, {}", kernel.gflop_per_s, percent(kernel.of_operations))
                            : "-",
                        kernel.of_operations > kernel.of_copy ? "arithmetic" : "bandwidth",
                        percent(kernel.critical_share)});
    out += "\n" + table(rows, 2);
    rows = {{"stream", "packets", "read ms", "p95", "await", "pictures", "decode ms", "p95", "wait for slot",
             "enqueue", "upload", "ready", "starved"}};
    for (const StreamStats& stream : s.streams)
        rows.push_back(
            {stream.name, std::to_string(stream.read_ms.count), some(stream.read_ms, stream.read_ms.median),
             some(stream.read_ms, stream.read_ms.p95), fmt::format("{:.3f} ms", stream.await_ms),
             std::to_string(stream.decode_ms.count), fmt::format("{:.3f}", stream.decode_ms.median),
             fmt::format("{:.3f}", stream.decode_ms.p95), fmt::format("{:.3f} ms", stream.wait_ms),
             fmt::format("{:.3f} ms", stream.enqueue_ms), fmt::format("{:.3f} ms", stream.upload_ms),
             fmt::format("{:.2f}", stream.ring_fill), percent(stream.starved)});
    out += "\n" + table(rows, 2);
    rows = {{"output", "frames", "deliver ms", "p95"}};
    for (const SinkStats& sink : s.sinks)
        rows.push_back({sink.name, std::to_string(sink.deliver_ms.count),
                        fmt::format("{:.3f}", sink.deliver_ms.median),
                        fmt::format("{:.3f}", sink.deliver_ms.p95)});
    out += "\n" + table(rows, 2);
    out += "\n  critical path: ";
    for (size_t i = 0; i < s.path.size(); ++i)
        out += fmt::format("{}{} {}", i == 0 ? "" : ", ", s.path[i].name, percent(s.path[i].share));
    out += fmt::format(
        "\n  latency from decoder to output: median {:.2f} ms, p95 {:.2f}, p99 {:.2f}, most {:.2f}\n",
        s.latency_ms.median, s.latency_ms.p95, s.latency_ms.p99, s.latency_ms.most);
    out += fmt::format("  clocks compared by {}: {:.1f} us exact, drift {:+.2f} ppm\n", s.clock_method,
                       s.clock_error_us, s.drift_ppm);
    return out;
}

} // namespace

std::string to_table(const Profile& profile) {
    std::string out = fmt::format("{}: {}\n", profile.pipeline, profile.canvas);
    out += fmt::format("{}, upload {}, {} queues{}\n", profile.device, profile.upload, profile.queues,
                       profile.preload > 0
                           ? fmt::format(", {} pictures of each stream held in memory", profile.preload)
                           : "");
    out += fmt::format(
        "measured peaks: copy up {:.1f} GB/s, copy down {:.1f} GB/s, copy on the device {:.1f} GB/s, "
        "multiply-adds {:.0f} GFLOP/s\n\n",
        profile.peaks.up * 1e-9, profile.peaks.down * 1e-9, profile.peaks.copy * 1e-9,
        profile.peaks.operations * 1e-9);
    out += schedules(profile);
    if (!profile.schedules.empty() && profile.schedules.back().not_steady.empty())
        out += "\n" + details(profile.schedules.back());
    if (!profile.schedules.empty()) out += "\n" + counts(profile.schedules.back());
    out += fmt::format("\nfirst frame: {:.3f} s cold (the first run), {:.3f} s warm\n",
                       profile.first_frame_cold_s, profile.first_frame_warm_s);
    out += fmt::format("memory: {} on the device, {} in the process at most\n",
                       byte_size(static_cast<double>(profile.device_bytes)),
                       byte_size(static_cast<double>(profile.host_peak_bytes)));
    if (!profile.advice.empty()) out += "\n";
    for (const Advice& advice : profile.advice) {
        out += "* " + advice.text;
        if (!advice.option.empty()) out += " Try " + advice.option + ".";
        if (advice.gain >= 0.005)
            out += fmt::format(" At most {} less time per frame.", percent(advice.gain));
        out += "\n";
    }
    return out;
}

} // namespace weft::report
