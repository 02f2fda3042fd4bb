#include "report/analyse.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "base/format.hpp"

namespace weft::report {
namespace {

using engine::Interval;
using engine::Record;
using engine::Recording;
using engine::Stage;

// A smaller side of an overlap would be noise.
constexpr double least_share = 0.02;

constexpr std::array device_stages{Stage::upload, Stage::kernel, Stage::download};

std::string queue_name(Stage stage) {
    return stage == Stage::upload ? "copy up" : stage == Stage::kernel ? "compute" : "copy down";
}

double ms(Nanoseconds time) {
    return std::chrono::duration<double, std::milli>(time).count();
}
double us(Nanoseconds time) {
    return std::chrono::duration<double, std::micro>(time).count();
}

double mean(const std::vector<double>& values) {
    if (values.empty()) return 0;
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

bool begins_in(const Record& record, const Interval& window) {
    return record.begin >= window.begin && record.begin < window.end;
}

engine::Intervals busy(const Recording& recording, const std::vector<Stage>& stages, const Interval& window) {
    std::vector<Interval> all;
    for (const Record& record : recording.device)
        if (std::find(stages.begin(), stages.end(), record.stage) != stages.end())
            all.push_back({record.begin, record.end});
    return engine::united(engine::clipped(all, window));
}

// Shares of the critical path by name.
double share_of(const std::vector<PathPart>& path, const std::string& name) {
    double sum = 0;
    for (const PathPart& part : path)
        if (part.name == name || part.name.starts_with(name + ": ")) sum += part.share;
    return sum;
}

void add_overlap(ScheduleProfile& out, const Recording& recording, const Steady& steady) {
    const auto copies = busy(recording, {Stage::upload, Stage::download}, steady.window);
    const auto kernels = busy(recording, {Stage::kernel}, steady.window);
    const double frames = static_cast<double>(steady.frames());
    const Nanoseconds both = engine::length(engine::intersection(copies, kernels));
    const Nanoseconds least = std::min(engine::length(copies), engine::length(kernels));
    const Nanoseconds wall = steady.window.end - steady.window.begin;
    out.copy_ms = ms(engine::length(copies)) / frames;
    out.both_ms = ms(both) / frames;
    if (copies.empty())
        out.no_overlap = "nothing is copied";
    else if (ms(least) < least_share * ms(wall))
        out.no_overlap = fmt::format("{} take less than 2 % of the time",
                                     engine::length(copies) < engine::length(kernels) ? "copies" : "kernels");
    else
        out.overlap = ms(both) / ms(least);
}

void add_queues(ScheduleProfile& out, const Recording& recording, const Steady& steady,
                const gpu::Peaks& peaks) {
    const double wall = ms(steady.window.end - steady.window.begin);
    for (const Stage stage : device_stages) {
        QueueStats queue;
        queue.name = queue_name(stage);
        std::vector<double> times;
        double bytes = 0;
        for (const Record& record : recording.device) {
            if (record.stage != stage || !begins_in(record, steady.window)) continue;
            times.push_back(us(record.end - record.begin));
            bytes += record.work.bytes;
        }
        const double busy_ms = ms(engine::length(busy(recording, {stage}, steady.window)));
        queue.command_us = spread_of(std::move(times));
        queue.busy_ms = busy_ms / static_cast<double>(steady.frames());
        queue.utilisation = wall > 0 ? busy_ms / wall : 0;
        queue.mb_per_frame = bytes * 1e-6 / static_cast<double>(steady.frames());
        queue.gb_per_s = busy_ms > 0 ? bytes * 1e-6 / busy_ms : 0;
        const double peak = stage == Stage::upload   ? peaks.up
                            : stage == Stage::kernel ? peaks.copy
                                                     : peaks.down;
        queue.peak_gb_per_s = peak * 1e-9;
        queue.critical_share = share_of(out.path, queue.name);
        out.queues.push_back(std::move(queue));
    }
}

void add_kernels(ScheduleProfile& out, const Recording& recording, const Steady& steady,
                 const gpu::Peaks& peaks) {
    struct Sum {
        std::vector<double> times;
        double bytes = 0, operations = 0, busy_us = 0;
    };
    std::vector<std::string> order;
    std::map<std::string, Sum> sums;
    for (const Record& record : recording.device) {
        if (record.stage != Stage::kernel || !begins_in(record, steady.window)) continue;
        if (!sums.contains(record.what)) order.push_back(record.what);
        Sum& sum = sums[record.what];
        const double time = us(record.end - record.begin);
        sum.times.push_back(time);
        sum.busy_us += time;
        sum.bytes += record.work.bytes;
        sum.operations += record.work.operations;
    }
    for (const std::string& name : order) {
        Sum& sum = sums[name];
        KernelStats kernel;
        kernel.name = name;
        kernel.command_us = spread_of(std::move(sum.times));
        if (sum.busy_us > 0) {
            kernel.gb_per_s = sum.bytes * 1e-3 / sum.busy_us;
            kernel.gflop_per_s = sum.operations * 1e-3 / sum.busy_us;
        }
        if (peaks.copy > 0) kernel.of_copy = kernel.gb_per_s * 1e9 / peaks.copy;
        if (peaks.operations > 0) kernel.of_operations = kernel.gflop_per_s * 1e9 / peaks.operations;
        kernel.critical_share = share_of(out.path, "compute: " + name);
        out.kernels.push_back(std::move(kernel));
    }
}

// When pictures were ready for kernels, and when kernels were ready for them.
class Moments {
  public:
    explicit Moments(const Recording& recording) {
        for (const auto* records : {&recording.host, &recording.device})
            for (const Record& record : *records) {
                if (record.stage == Stage::upload ||
                    (record.stage == Stage::enqueue && !record.what.empty())) {
                    Nanoseconds& end = up_[{record.what, record.frame}];
                    end = std::max(end, record.end);
                }
                if (record.stage == Stage::kernel)
                    kernels_end_[record.frame] = record.end; // they are in order
            }
    }
    // The kernels of the tick before were over when the picture came.
    bool came_late(const engine::Show& show) const {
        const auto up = up_.find({show.stream, show.picture});
        const auto kernels = kernels_end_.find(show.tick - 1);
        return up != up_.end() && kernels != kernels_end_.end() && up->second > kernels->second;
    }

  private:
    std::map<std::pair<std::string, int64_t>, Nanoseconds> up_;
    std::map<int64_t, Nanoseconds> kernels_end_;
};

// A picture of a stream, which comes in pieces where packets had to be awaited.
struct Decoding {
    Nanoseconds begin{0}, work{0}, awaited{0};
};

std::vector<Decoding> decodings(const Recording& recording, const std::string& stream) {
    std::map<int64_t, Decoding> pictures;
    for (const Record& record : recording.host) {
        if (record.what != stream || (record.stage != Stage::decode && record.stage != Stage::await))
            continue;
        const auto [place, is_new] = pictures.try_emplace(record.frame);
        Decoding& one = place->second;
        one.begin = is_new ? record.begin : std::min(one.begin, record.begin);
        (record.stage == Stage::decode ? one.work : one.awaited) += record.end - record.begin;
    }
    std::vector<Decoding> out;
    for (const auto& [picture, one] : pictures)
        out.push_back(one);
    return out;
}

void add_streams(ScheduleProfile& out, const Recording& recording, const Steady& steady) {
    const Moments moments(recording);
    std::vector<std::string> order;
    for (const engine::Show& show : recording.shows)
        if (std::find(order.begin(), order.end(), show.stream) == order.end()) order.push_back(show.stream);
    for (const std::string& name : order) {
        StreamStats stream;
        stream.name = name;
        std::vector<double> read, decode, wait, enqueue, upload, copies, ready;
        for (const Record& record : recording.host) {
            if (record.what != name || !begins_in(record, steady.window)) continue;
            const double time = ms(record.end - record.begin);
            if (record.stage == Stage::read) read.push_back(time);
            if (record.stage == Stage::wait) wait.push_back(time);
            if (record.stage == Stage::enqueue) enqueue.push_back(time);
        }
        double awaited = 0;
        for (const Decoding& one : decodings(recording, name)) {
            if (one.begin < steady.window.begin || one.begin >= steady.window.end) continue;
            decode.push_back(ms(one.work));
            awaited += ms(one.awaited);
        }
        std::map<int64_t, double> by_picture;
        for (const Record& record : recording.device) {
            if (record.stage != Stage::upload || record.what != name || !begins_in(record, steady.window))
                continue;
            by_picture[record.frame] += ms(record.end - record.begin);
            copies.push_back(record.work.bytes * 1e-6);
        }
        for (const auto& [picture, time] : by_picture)
            upload.push_back(time);
        int64_t last = -1, fresh = 0, starved = 0;
        for (const engine::Show& show : recording.shows) {
            if (show.stream != name) continue;
            const bool new_picture = show.picture != std::exchange(last, show.picture);
            if (!steady.holds(show.tick) || !new_picture) continue;
            ++fresh;
            starved += moments.came_late(show) ? 1 : 0;
            ready.push_back(show.ready);
        }
        stream.read_ms = spread_of(std::move(read));
        if (!decode.empty()) stream.await_ms = awaited / static_cast<double>(decode.size());
        stream.decode_ms = spread_of(std::move(decode));
        stream.wait_ms = mean(wait);
        stream.enqueue_ms = mean(enqueue);
        stream.upload_ms = mean(upload);
        stream.mb_per_copy = mean(copies);
        stream.ring_fill = mean(ready);
        stream.starved = fresh > 0 ? static_cast<double>(starved) / static_cast<double>(fresh) : 0;
        out.streams.push_back(std::move(stream));
    }
}

void add_sinks(ScheduleProfile& out, const Recording& recording, const Steady& steady) {
    std::map<std::string, std::vector<double>> times;
    for (const Record& record : recording.host)
        if (record.stage == Stage::deliver && steady.holds(record.frame))
            times[record.what].push_back(ms(record.end - record.begin));
    for (auto& [name, list] : times)
        out.sinks.push_back({name, spread_of(std::move(list))});
}

void add_latency(ScheduleProfile& out, const Recording& recording, const Steady& steady) {
    std::map<std::pair<std::string, int64_t>, Nanoseconds> decoded;
    std::map<int64_t, Nanoseconds> delivered;
    for (const Record& record : recording.host) {
        if (record.stage == Stage::decode) decoded[{record.what, record.frame}] = record.end;
        if (record.stage == Stage::deliver)
            delivered[record.frame] = std::max(delivered[record.frame], record.end);
    }
    std::vector<double> times;
    std::map<std::string, int64_t> last;
    for (const engine::Show& show : recording.shows) {
        const auto before = last.find(show.stream);
        const bool fresh = before == last.end() || before->second != show.picture;
        last[show.stream] = show.picture;
        const auto from = decoded.find({show.stream, show.picture});
        const auto to = delivered.find(show.tick);
        if (fresh && steady.holds(show.tick) && from != decoded.end() && to != delivered.end())
            times.push_back(ms(to->second - from->second));
    }
    out.latency_ms = spread_of(std::move(times));
}

// What works longest per frame: the device's stages, and the busiest thread of each kind on the host.
void add_critical_stage(ScheduleProfile& out, const Recording& recording, const Steady& steady) {
    double longest = 0;
    for (const QueueStats& queue : out.queues) {
        if (queue.busy_ms <= longest) continue;
        longest = queue.busy_ms;
        out.longest_stage = queue.name;
    }
    // Profiling makes the host slower, not the device's commands: what counts is how long a frame takes
    // without.
    const double wall = out.ms_per_frame > 0
                            ? out.ms_per_frame
                            : out.steady_ms / static_cast<double>(std::max<int64_t>(out.steady_frames, 1));
    if (out.steady_ms > 0) out.efficiency = std::min(longest / wall, 1.0);
    out.critical_stage = out.longest_stage;
    std::map<std::pair<Stage, std::string>, std::vector<Interval>> threads;
    for (const Record& record : recording.host)
        if (record.stage != Stage::wait && record.stage != Stage::await)
            threads[{record.stage, record.what}].push_back({record.begin, record.end});
    for (const auto& [thread, intervals] : threads) {
        const auto inside = engine::united(engine::clipped(intervals, steady.window));
        const double busy_ms = ms(engine::length(inside)) / static_cast<double>(steady.frames());
        if (thread.first != Stage::read) out.host_ms += busy_ms; // reading is mostly waiting
        if (busy_ms <= longest) continue;
        longest = busy_ms;
        out.critical_stage = engine::name(thread.first);
    }
}

// Of the whole run, the steady state or not.
void add_counts(ScheduleProfile& out, const Measured& measured) {
    std::map<std::string, int64_t> last, repeated;
    for (const engine::Show& show : measured.recording.shows) {
        const auto [before, is_new] = last.emplace(show.stream, show.picture);
        if (!is_new && std::exchange(before->second, show.picture) == show.picture) ++repeated[show.stream];
    }
    for (const engine::InputReport& input : measured.inputs)
        out.pictures.push_back({input.name, input.decoded, input.skipped, repeated[input.name], input.late,
                                input.damaged + input.missing});
    for (const engine::SinkReport& sink : measured.sinks)
        out.outputs.push_back({sink.name, sink.frames, sink.dropped});
    out.skipped_ticks = measured.skipped_ticks;
}

// A plan of several kernels waits for a stream where the first of them reads it, which may be the last one.
int64_t order_faults(const Recording& recording) {
    std::map<std::pair<std::string, int64_t>, Nanoseconds> uploaded;
    std::map<int64_t, Nanoseconds> last_kernel;
    for (const Record& record : recording.device) {
        if (record.stage == Stage::upload) {
            Nanoseconds& end = uploaded[{record.what, record.frame}];
            end = std::max(end, record.end);
        }
        if (record.stage == Stage::kernel) last_kernel[record.frame] = record.begin; // they are in order
    }
    return std::count_if(recording.shows.begin(), recording.shows.end(), [&](const engine::Show& show) {
        const auto up = uploaded.find({show.stream, show.picture});
        const auto kernel = last_kernel.find(show.tick);
        return up != uploaded.end() && kernel != last_kernel.end() && up->second > kernel->second;
    });
}

} // namespace

Spread spread_of(std::vector<double> values) {
    Spread spread;
    spread.count = static_cast<int64_t>(values.size());
    if (values.empty()) return spread;
    std::sort(values.begin(), values.end());
    const auto rank = [&](double part) {
        const auto place = static_cast<size_t>(std::ceil(part * static_cast<double>(values.size())));
        return values[std::clamp<size_t>(place, 1, values.size()) - 1];
    };
    spread.median = rank(0.5);
    spread.p95 = rank(0.95);
    spread.p99 = rank(0.99);
    spread.most = values.back();
    return spread;
}

std::optional<Steady> steady_state(const Recording& recording, int slots) {
    std::map<int64_t, Nanoseconds> first_kernel;
    for (const Record& record : recording.device) {
        if (record.stage != Stage::kernel) continue;
        const auto [place, is_new] = first_kernel.emplace(record.frame, record.begin);
        if (!is_new) place->second = std::min(place->second, record.begin);
    }
    if (first_kernel.empty()) return std::nullopt;
    Steady steady;
    steady.first_tick = first_kernel.begin()->first + 2 * slots;
    steady.behind_tick = first_kernel.rbegin()->first + 1 - 2 * slots;
    const auto from = first_kernel.find(steady.first_tick), to = first_kernel.find(steady.behind_tick);
    if (steady.frames() < 1 || from == first_kernel.end() || to == first_kernel.end()) return std::nullopt;
    steady.window = {from->second, to->second};
    if (steady.window.end <= steady.window.begin) return std::nullopt;
    return steady;
}

double ms_per_frame(const std::vector<Nanoseconds>& delivered, int slots) {
    if (delivered.size() < 2) return 0;
    const auto cut = static_cast<size_t>(2 * slots);
    const size_t from = delivered.size() > 4 * cut ? cut : 0, to = delivered.size() - 1 - from;
    return ms(delivered[to] - delivered[from]) / static_cast<double>(to - from);
}

ScheduleProfile analyse(const Measured& measured, const gpu::Peaks& peaks) {
    const Recording& recording = measured.recording;
    ScheduleProfile out;
    out.schedule = measured.schedule;
    out.order = measured.order;
    out.slots = measured.slots;
    for (const auto& delivered : measured.unprofiled)
        out.runs_ms.push_back(ms_per_frame(delivered, measured.slots));
    out.ms_per_frame = spread_of(out.runs_ms).median;
    out.first_frame_s = spread_of(measured.first_frame_s).median;
    out.cpu_ms = spread_of(measured.cpu_ms).median;
    out.frames = measured.frames;
    std::vector<double> profiled_ms;
    for (const auto& delivered : measured.profiled)
        profiled_ms.push_back(ms_per_frame(delivered, measured.slots));
    out.profiled_ms_per_frame = spread_of(profiled_ms).median;
    out.clock_method = recording.clock_method;
    out.clock_error_us = us(recording.clock_error);
    out.drift_ppm = recording.drift_ppm;
    out.order_faults = order_faults(recording);
    add_counts(out, measured);
    const auto steady = steady_state(recording, measured.slots);
    if (!steady) {
        out.not_steady = fmt::format("{} frames are too few: the first and last {} are left out", out.frames,
                                     2 * measured.slots);
        out.no_overlap = out.not_steady;
        return out;
    }
    out.steady_frames = steady->frames();
    out.steady_ms = ms(steady->window.end - steady->window.begin);
    out.path = critical_path(recording, *steady);
    add_overlap(out, recording, *steady);
    add_queues(out, recording, *steady, peaks);
    add_kernels(out, recording, *steady, peaks);
    add_streams(out, recording, *steady);
    add_sinks(out, recording, *steady);
    add_latency(out, recording, *steady);
    add_critical_stage(out, recording, *steady);
    return out;
}

void compare(std::vector<ScheduleProfile>& schedules) {
    const auto serial = std::find_if(schedules.begin(), schedules.end(), [](const ScheduleProfile& s) {
        return s.schedule == engine::Schedule::serial;
    });
    if (serial == schedules.end() || serial->ms_per_frame <= 0) return;
    const double base = serial->ms_per_frame;
    for (ScheduleProfile& schedule : schedules)
        if (schedule.ms_per_frame > 0) schedule.speedup = base / schedule.ms_per_frame;
}

} // namespace weft::report
