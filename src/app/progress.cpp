#include "app/progress.hpp"

#include <cstdio>

#include <nlohmann/json.hpp>
#include <unistd.h>

#include "app/text.hpp"
#include "base/format.hpp"
#include "base/log.hpp"

namespace weft::app {
namespace {

using json = nlohmann::ordered_json;

void put(const std::string& text) {
    std::fwrite(text.data(), 1, text.size(), stderr);
    std::fflush(stderr);
}

void put(const json& object) {
    put(object.dump(-1, ' ', false, json::error_handler_t::replace) + "\n");
}

json count(const std::optional<int64_t>& frames) {
    return frames ? json(*frames) : json(nullptr);
}

double media_seconds(const engine::RunReport& report) {
    const Rational rate = report.plan.canvas.rate;
    return rate.num == 0 ? 0 : static_cast<double>(report.frames) / rate.value();
}

std::string status_word(int status) {
    switch (status) {
    case 0:
        return "complete";
    case 1:
        return "losses";
    case 2:
        return "failed";
    default:
        return "interrupted";
    }
}

// "1 picture", "2 pictures".
std::string counted(int64_t count, std::string_view what) {
    return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

// One line for each thing that went wrong: what one input lost is a warning, an output that failed an error.
std::vector<std::string> losses(const engine::RunReport& report) {
    std::vector<std::string> lines;
    for (const engine::InputReport& input : report.inputs) {
        if (!input.error.empty())
            lines.push_back(fmt::format("warning: input {}: {}", input.name, input.error));
        if (input.damaged > 0)
            lines.push_back(
                fmt::format("warning: input {}: {} damaged", input.name, counted(input.damaged, "picture")));
        if (input.late > 0)
            lines.push_back(
                fmt::format("warning: input {}: {} late", input.name, counted(input.late, "picture")));
        if (input.missing > 0)
            lines.push_back(
                fmt::format("warning: input {}: {} missing", input.name, counted(input.missing, "picture")));
    }
    for (const engine::SinkReport& sink : report.sinks) {
        if (!sink.error.empty()) lines.push_back("error: " + output_failure(sink));
        if (sink.partial && !sink.file.empty())
            lines.push_back(
                fmt::format("warning: output {}: what there is was kept as {}", sink.name, sink.file));
    }
    return lines;
}

json report_json(const engine::RunReport& report, int status) {
    json inputs = json::array(), outputs = json::array();
    for (const engine::InputReport& input : report.inputs)
        inputs.push_back({{"name", input.name},
                          {"decoded", input.decoded},
                          {"uploaded", input.uploaded},
                          {"skipped", input.skipped},
                          {"damaged", input.damaged},
                          {"late", input.late},
                          {"missing", input.missing},
                          {"error", input.error}});
    for (const engine::SinkReport& sink : report.sinks)
        outputs.push_back({{"name", sink.name},
                           {"file", sink.file},
                           {"frames", sink.frames},
                           {"dropped", sink.dropped},
                           {"bytes", sink.bytes},
                           {"partial", sink.partial},
                           {"error", sink.error}});
    return {{"event", "end"},
            {"status", status_word(status)},
            {"exit_status", status},
            {"frames", report.frames},
            {"seconds", report.seconds},
            {"first_frame_seconds", report.first_frame_seconds},
            {"fps", report.seconds > 0 ? static_cast<double>(report.frames) / report.seconds : 0},
            {"speed", report.seconds > 0 ? media_seconds(report) / report.seconds : 0},
            {"bytes_up", report.bytes_up},
            {"bytes_down", report.bytes_down},
            {"host_peak_bytes", report.host_peak_bytes},
            {"inputs", inputs},
            {"outputs", outputs}};
}

} // namespace

bool tells_warnings() {
    return log("app").should_log(spdlog::level::warn);
}

ProgressMode parse_progress(const std::string& text) {
    if (text == "json") return ProgressMode::json;
    return text == "none" || !tells_warnings() ? ProgressMode::none : ProgressMode::automatic;
}

std::string output_failure(const engine::SinkReport& sink) {
    const bool named = sink.error.starts_with(sink.name + ":");
    return "output " + (named ? "" : sink.name + ": ") + sink.error;
}

void tell_finishing() {
    if (tells_warnings())
        put(std::string(
            "interrupted: finishing what was written; another Ctrl-C stops at once and removes it\n"));
}

std::string progress_line(const engine::RunProgress& progress) {
    std::string out = fmt::format("frame {}", progress.frame);
    if (progress.total && *progress.total > 0)
        out += fmt::format("/{}  {} %", *progress.total, progress.frame * 100 / *progress.total);
    out += fmt::format("  {:.1f} fps  {:.2f}x", progress.fps, progress.speed);
    if (progress.total && progress.fps > 0)
        out +=
            "  " + clock_text(static_cast<double>(*progress.total - progress.frame) / progress.fps) + " left";
    return out;
}

Progress::Progress(ProgressMode mode) : mode_(mode), terminal_(isatty(STDERR_FILENO) == 1) {
    if (mode_ != ProgressMode::automatic || !terminal_) return;
    // A device's compiler takes seconds over kernels that it has not seen before.
    put(std::string("opening inputs, building kernels\x1b[K\r"));
    line_shown_ = true;
}

void Progress::plan(const engine::RunPlan& plan) {
    clear_line();
    if (mode_ != ProgressMode::json && tells_warnings())
        for (const Error& warning : plan.warnings)
            put(fmt::format("warning: {}\n", warning.what()));
    if (mode_ == ProgressMode::none) return;
    if (mode_ == ProgressMode::json) {
        json warnings = json::array();
        for (const Error& warning : plan.warnings)
            warnings.push_back(warning.what());
        put(json{{"event", "plan"},
                 {"device", plan.device},
                 {"device_why", plan.device_why},
                 {"upload", gpu::name(plan.upload)},
                 {"width", plan.canvas.width},
                 {"height", plan.canvas.height},
                 {"rate", plan.canvas.rate.text()},
                 {"frames", count(plan.frames)},
                 {"device_bytes", plan.device_bytes},
                 {"notes", plan.notes},
                 {"warnings", warnings}});
        return;
    }
    std::string out =
        fmt::format("{} ({}), upload {}\n", plan.device, plan.device_why, gpu::name(plan.upload));
    out += fmt::format("{}x{} at {} fps", plan.canvas.width, plan.canvas.height, plan.canvas.rate.text());
    if (plan.frames) out += ", " + counted(*plan.frames, "frame");
    out += ", " + byte_size(static_cast<double>(plan.device_bytes)) + " on the device\n";
    for (const std::string& note : plan.notes)
        out += "  " + note + "\n";
    put(out);
}

void Progress::step(const engine::RunProgress& progress) {
    if (mode_ == ProgressMode::json) {
        put(json{{"event", "progress"},
                 {"frame", progress.frame},
                 {"total", count(progress.total)},
                 {"seconds", progress.seconds},
                 {"fps", progress.fps},
                 {"speed", progress.speed}});
    } else if (mode_ == ProgressMode::automatic && terminal_) {
        // The cursor goes back at once, so that a log line overwrites this one instead of joining it.
        put(progress_line(progress) + "\x1b[K\r");
        line_shown_ = true;
    }
}

void Progress::finishing() {
    clear_line();
    if (mode_ == ProgressMode::json)
        put(json{{"event", "finishing"}});
    else
        tell_finishing();
}

void Progress::clear_line() {
    if (line_shown_) put(std::string("\x1b[K"));
    line_shown_ = false;
}

void Progress::end(const engine::RunReport& report, int status) {
    clear_line();
    if (mode_ == ProgressMode::json) {
        put(report_json(report, status));
        return;
    }
    std::string out;
    for (const std::string& line : losses(report))
        if (tells_warnings() || line.starts_with("error: ")) out += line + "\n";
    if (mode_ == ProgressMode::automatic) {
        const double seconds = report.seconds;
        out += fmt::format("{} in {:.2f} s", counted(report.frames, "frame"), seconds);
        if (seconds > 0)
            out += fmt::format(", {:.1f} fps, {:.2f}x", static_cast<double>(report.frames) / seconds,
                               media_seconds(report) / seconds);
        if (report.interrupted) out += ", interrupted";
        out += "\n";
        // No loss: a canvas of fewer frames, or of a rate that was chosen where times vary.
        for (const engine::InputReport& input : report.inputs)
            if (input.skipped > 0)
                out += fmt::format("input {}: {} of {} due at no frame\n", input.name, input.skipped,
                                   counted(input.decoded, "picture"));
        for (const engine::SinkReport& sink : report.sinks)
            if (!sink.file.empty() && !sink.partial)
                out += fmt::format("{}: {}\n", sink.file, byte_size(static_cast<double>(sink.bytes)));
    }
    put(out);
}

} // namespace weft::app
