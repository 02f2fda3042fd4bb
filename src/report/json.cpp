#include "report/files.hpp"
#include "report/json_private.hpp"

namespace weft::report {
namespace {

using json = nlohmann::ordered_json;

template<class Value>
json maybe(const std::optional<Value>& value) {
    return value ? json(*value) : json(nullptr);
}

json spread_json(const Spread& spread) {
    return {{"count", spread.count},
            {"median", spread.median},
            {"p95", spread.p95},
            {"p99", spread.p99},
            {"max", spread.most}};
}

template<class Item, class Make>
json list(const std::vector<Item>& items, Make make) {
    json all = json::array();
    for (const Item& item : items)
        all.push_back(make(item));
    return all;
}

json queue_json(const QueueStats& queue) {
    return {{"name", queue.name},
            {"commands_us", spread_json(queue.command_us)},
            {"busy_ms_per_frame", queue.busy_ms},
            {"utilisation", queue.utilisation},
            {"mb_per_frame", queue.mb_per_frame},
            {"gb_per_s", queue.gb_per_s},
            {"peak_gb_per_s", queue.peak_gb_per_s},
            {"critical_share", queue.critical_share}};
}

json kernel_json(const KernelStats& kernel) {
    return {{"name", kernel.name},
            {"commands_us", spread_json(kernel.command_us)},
            {"gb_per_s", kernel.gb_per_s},
            {"gflop_per_s", kernel.gflop_per_s},
            {"of_device_copy", kernel.of_copy},
            {"of_peak_gflop_per_s", kernel.of_operations},
            {"critical_share", kernel.critical_share}};
}

json stream_json(const StreamStats& stream) {
    return {{"name", stream.name},           {"read_ms", spread_json(stream.read_ms)},
            {"await_ms", stream.await_ms},   {"decode_ms", spread_json(stream.decode_ms)},
            {"wait_ms", stream.wait_ms},     {"enqueue_ms", stream.enqueue_ms},
            {"upload_ms", stream.upload_ms}, {"mb_per_copy", stream.mb_per_copy},
            {"ring_fill", stream.ring_fill}, {"starved", stream.starved}};
}

json pictures_json(const PictureCounts& counts) {
    return {{"name", counts.name},         {"decoded", counts.decoded}, {"dropped", counts.dropped},
            {"repeated", counts.repeated}, {"late", counts.late},       {"lost", counts.lost}};
}

json output_json(const OutputCounts& counts) {
    return {{"name", counts.name}, {"frames", counts.frames}, {"dropped", counts.dropped}};
}

json schedule_json(const ScheduleProfile& s) {
    return {
        {"schedule", engine::name(s.schedule)},
        {"queue_order", gpu::name(s.order)},
        {"title", s.title()},
        {"slots", s.slots},
        {"frames", s.frames},
        {"ms_per_frame", s.ms_per_frame},
        {"runs_ms_per_frame", s.runs_ms},
        {"speedup", maybe(s.speedup)},
        {"overlap", maybe(s.overlap)},
        {"no_overlap", s.no_overlap},
        {"efficiency", maybe(s.efficiency)},
        {"longest_stage", s.longest_stage},
        {"critical_stage", s.critical_stage},
        {"profiled_ms_per_frame", s.profiled_ms_per_frame},
        {"profiling_cost", s.profiling_cost()},
        {"cpu_ms_per_frame", s.cpu_ms},
        {"host_ms_per_frame", s.host_ms},
        {"first_frame_seconds", s.first_frame_s},
        {"pictures", list(s.pictures, pictures_json)},
        {"outputs", list(s.outputs, output_json)},
        {"skipped_frames", s.skipped_ticks},
        {"steady",
         {{"frames", s.steady_frames}, {"milliseconds", s.steady_ms}, {"none_because", s.not_steady}}},
        {"copy_ms_per_frame", s.copy_ms},
        {"both_ms_per_frame", s.both_ms},
        {"queues", list(s.queues, queue_json)},
        {"kernels", list(s.kernels, kernel_json)},
        {"streams", list(s.streams, stream_json)},
        {"sinks", list(s.sinks,
                       [](const SinkStats& sink) {
                           return json{{"name", sink.name}, {"deliver_ms", spread_json(sink.deliver_ms)}};
                       })},
        {"critical_path", list(s.path,
                               [](const PathPart& part) {
                                   return json{{"name", part.name}, {"share", part.share}};
                               })},
        {"latency_ms", spread_json(s.latency_ms)},
        {"order_faults", s.order_faults},
        {"clock", {{"method", s.clock_method}, {"error_us", s.clock_error_us}, {"drift_ppm", s.drift_ppm}}}};
}

} // namespace

json json_of(const Profile& profile) {
    return {
        {"device", profile.device},
        {"driver", profile.driver},
        {"shares_host_memory", profile.shares_memory},
        {"tuned", profile.tuned},
        {"upload", profile.upload},
        {"queues", profile.queues},
        {"pipeline", profile.pipeline},
        {"canvas", profile.canvas},
        {"preload", profile.preload},
        {"peaks_gb_per_s",
         {{"copy_up", profile.peaks.up * 1e-9},
          {"copy_down", profile.peaks.down * 1e-9},
          {"device_copy", profile.peaks.copy * 1e-9}}},
        {"peak_gflop_per_s", profile.peaks.operations * 1e-9},
        {"schedules", list(profile.schedules, schedule_json)},
        {"first_frame_seconds", {{"cold", profile.first_frame_cold_s}, {"warm", profile.first_frame_warm_s}}},
        {"memory", {{"device_bytes", profile.device_bytes}, {"host_peak_bytes", profile.host_peak_bytes}}},
        {"advice", list(profile.advice, [](const Advice& advice) {
             return json{{"text", advice.text}, {"option", advice.option}, {"gain", advice.gain}};
         })}};
}

std::string to_json(const Profile& profile) {
    return json_of(profile).dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

} // namespace weft::report
