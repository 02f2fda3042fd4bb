// weft profile: one pipeline under several schedules, and how well its stages overlap.
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <map>

#include <nlohmann/json.hpp>

#include "app/command.hpp"
#include "app/help.hpp"
#include "app/interrupt.hpp"
#include "app/options.hpp"
#include "app/progress.hpp"
#include "app/text.hpp"
#include "base/error.hpp"
#include "base/format.hpp"
#include "base/text_file.hpp"
#include "bench/yardsticks.hpp"
#include "engine/recorder.hpp"
#include "engine/run.hpp"
#include "graph/planner.hpp"
#include "report/advice.hpp"
#include "report/analyse.hpp"
#include "report/files.hpp"

namespace weft::app {
namespace {

using engine::Schedule;

struct ProfileOptions {
    SourceOptions source;
    OutputOptions output;
    MachineOptions machine;
    std::vector<std::string> schedules;
    int64_t frames = 300;
    int rounds = 3;
    int preload = 0;
    bool compare_queues = false;
    bool json = false;
    std::string trace_file, csv_file, html_file;
    std::string progress = "auto";
};

// Ctrl-C ended a run: there is nothing to report.
struct Interrupted {};

// Processor time of all threads of this process, in seconds.
double cpu_seconds() {
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

// Each run writes its outputs anew, and the report goes to standard output.
void refuse_standard_output(const graph::PipelineSpec& spec) {
    for (const graph::OutputSpec& output : spec.outputs)
        if (output.kind == graph::OutputKind::hash || output.file == "-")
            throw Error(ErrorKind::usage, "standard output is for the report: give -o FILE, or no output",
                        output.place);
}

graph::PipelineSpec profiled_pipeline(const ProfileOptions& options, const graph::FilterLibrary& library) {
    graph::PipelineSpec spec = make_pipeline(options.source);
    apply_outputs(spec, options.output);
    std::erase_if(spec.outputs,
                  [](const graph::OutputSpec& o) { return o.kind == graph::OutputKind::window; });
    if (spec.outputs.empty()) {
        spec.outputs.push_back(parse_output("null:"));
        spec.outputs.back().video.pix_fmt = options.output.pix_fmt;
    }
    refuse_standard_output(spec);
    refuse_clashes(spec, options.output.overwrite);
    // Pictures in memory never end.
    if (options.preload > 0 && !spec.duration)
        spec.duration =
            Rational(options.frames) / graph::resolve_canvas(spec, engine::probe_inputs(spec), library).rate;
    return spec;
}

std::vector<Schedule> schedules_of(const ProfileOptions& options) {
    const auto names = options.schedules.empty() ? engine::schedule_names() : options.schedules;
    std::vector<Schedule> schedules;
    for (const std::string& name : names) {
        const Schedule schedule = *engine::parse_schedule(name); // checked by the parser
        if (std::find(schedules.begin(), schedules.end(), schedule) == schedules.end())
            schedules.push_back(schedule);
    }
    return schedules;
}

std::vector<gpu::QueueOrder> orders_of(const ProfileOptions& options) {
    if (options.compare_queues) return {gpu::QueueOrder::in_order, gpu::QueueOrder::out_of_order};
    return {*gpu::parse_queue_order(options.machine.queues)}; // checked by the parser
}

// What could not be written in the end is told before minutes of measuring.
void refuse_unwritable(const ProfileOptions& options) {
    namespace fs = std::filesystem;
    std::vector<Error> errors;
    for (const std::string& file : {options.trace_file, options.csv_file, options.html_file}) {
        if (file.empty()) continue;
        const fs::path folder = fs::absolute(file).parent_path();
        if (!fs::is_directory(folder))
            errors.emplace_back(ErrorKind::not_found,
                                fmt::format("'{}': there is no folder '{}'", file, folder.string()));
        if (fs::exists(file) && !options.output.overwrite)
            errors.emplace_back(ErrorKind::usage, fmt::format("'{}' exists (-y overwrites)", file));
    }
    if (!errors.empty()) throw Errors(errors);
}

void write_text(const std::string& file, const std::string& text) {
    std::ofstream out(file, std::ios::binary);
    out << text << std::flush;
    if (!out) throw Error(ErrorKind::resource, fmt::format("'{}' cannot be written", file));
}

// Runs the pipeline again and again and keeps what was measured.
class Profiler {
  public:
    Profiler(const Common& common, const ProfileOptions& options)
        : options_(options), library_(load_library(common)), spec_(profiled_pipeline(options, library_)),
          kernels_(DataDirs(common.assets).kernels()), prelude_(graph::load_prelude(kernels_.string())),
          mode_(parse_progress(options.progress)), run_(run_options(options.machine)), interrupt_(control_) {}

    int run() {
        return interrupt_.guard([&] {
            try {
                measure();
                return 0;
            } catch (const Interrupted&) {
                return interrupt_.exit_status();
            }
        });
    }

    report::Profile profile;
    std::vector<report::Measured> measured;

  private:
    void measure() {
        measure_peaks();
        for (const gpu::QueueOrder order : orders_of(options_))
            for (const Schedule schedule : schedules_of(options_)) {
                report::Measured& one = measured.emplace_back();
                one.schedule = schedule;
                one.order = order;
                one.slots = engine::slots_of(schedule, run_.buffers);
            }
        // Schedules take turns, so that a machine that grows warm or busy is no schedule's luck.
        for (int round = 0; round < options_.rounds; ++round)
            for (report::Measured& one : measured) {
                run_unprofiled(one, round);
                run_profiled(one, round);
            }
        for (const report::Measured& one : measured)
            profile.schedules.push_back(report::analyse(one, profile.peaks));
        report::compare(profile.schedules);
        profile.first_frame_cold_s = first_frames_.front();
        first_frames_.erase(first_frames_.begin());
        profile.first_frame_warm_s = report::spread_of(first_frames_).median;
        profile.advice = report::advise(profile);
    }

    void measure_peaks() {
        const auto devices = gpu::list_devices();
        gpu::Device device(devices.at(gpu::choose_device(devices, options_.machine.device).index));
        // The table is read once, and said once to be broken.
        graph::Tuned tuned;
        if (run_.tuned) tuned = run_.tuned(device.info()).value_or(graph::Tuned{});
        run_ = engine::settled(run_, tuned);
        run_.tuned = [tuned](const gpu::DeviceInfo&) { return tuned; };
        profile.tuned = !tuned.shapes.empty();
        profile.peaks = gpu::measure_peaks(device);
        gpu::Programs programs(device);
        profile.peaks.operations =
            1e9 * bench::measure_multiply_adds(device, {programs, kernels_ / "bench"}, {3, 20});
        profile.device = device.traits().name;
        profile.driver =
            device.info().platform_name + ", " + device.info().version + ", driver " + device.info().driver;
        profile.shares_memory = device.traits().shares_host_memory;
        for (const gpu::QueueOrder order : orders_of(options_))
            profile.queues += (profile.queues.empty() ? "" : " and ") + gpu::name(order);
        profile.preload = options_.preload;
        for (const graph::InputSpec& input : spec_.inputs)
            profile.pipeline += (profile.pipeline.empty() ? "" : ", ") + input.url;
        if (const auto& files = options_.source.text.files;
            files.front().ends_with(".yaml") || files.front().ends_with(".yml"))
            profile.pipeline = files.front() + " (" + profile.pipeline + ")";
    }

    engine::RunReport run_once(const report::Measured& one, engine::Trace& trace, bool profiling) {
        engine::RunOptions run = run_;
        run.schedule = one.schedule;
        run.queues = one.order;
        run.profiling = profiling;
        run.preload = options_.preload;
        run.most_frames = options_.frames;
        run.control = &control_;
        run.trace = &trace;
        const auto sinks = engine::make_sinks(spec_.outputs, run);
        engine::RunReport report = engine::run(spec_, library_, prelude_, sinks, run);
        if (report.interrupted) throw Interrupted{};
        if (report.failure) std::rethrow_exception(report.failure);
        for (const engine::SinkReport& sink : report.sinks)
            if (!sink.error.empty()) throw Error(ErrorKind::resource, output_failure(sink));
        keep(report);
        return report;
    }

    void keep(const engine::RunReport& report) {
        first_frames_.push_back(report.first_frame_seconds);
        const colour::PictureFormat& canvas = report.plan.canvas;
        profile.canvas = fmt::format("{}x{} at {} fps, {} frames", canvas.width, canvas.height,
                                     canvas.rate.text(), report.frames);
        profile.upload = gpu::name(report.plan.upload);
        profile.device_bytes = std::max(profile.device_bytes, report.plan.device_bytes);
        profile.host_peak_bytes = report.host_peak_bytes;
    }

    void run_unprofiled(report::Measured& one, int round) {
        engine::Pace pace;
        const double cpu = cpu_seconds();
        const engine::RunReport report = run_once(one, pace, false);
        one.cpu_ms.push_back((cpu_seconds() - cpu) * 1000 /
                             static_cast<double>(std::max<int64_t>(report.frames, 1)));
        one.frames = report.frames;
        one.unprofiled.push_back(pace.delivered());
        one.first_frame_s.push_back(report.first_frame_seconds);
        tell(one, fmt::format("run {} of {}", round + 1, options_.rounds), report.frames,
             report::ms_per_frame(one.unprofiled.back(), one.slots));
    }

    void run_profiled(report::Measured& one, int round) {
        engine::Recorder recorder;
        const engine::RunReport report = run_once(one, recorder, true);
        one.profiled.push_back(recorder.delivered());
        one.recording = recorder.take();
        one.inputs = report.inputs;
        one.sinks = report.sinks;
        one.skipped_ticks = report.skipped_ticks;
        tell(one, fmt::format("profiled run {} of {}", round + 1, options_.rounds), report.frames,
             report::ms_per_frame(one.profiled.back(), one.slots));
    }

    void tell(const report::Measured& one, const std::string& what, int64_t frames, double ms) const {
        const std::string schedule = report::title_of(one.schedule, one.order);
        if (mode_ == ProgressMode::json)
            fmt::print(stderr, "{}\n",
                       nlohmann::ordered_json{{"event", "run"},
                                              {"schedule", schedule},
                                              {"run", what},
                                              {"frames", frames},
                                              {"ms_per_frame", ms}}
                           .dump());
        else if (mode_ == ProgressMode::automatic)
            fmt::print(stderr, "{}, {}: {} frames, {:.3f} ms each\n", schedule, what, frames, ms);
    }

    const ProfileOptions& options_;
    graph::FilterLibrary library_;
    graph::PipelineSpec spec_;
    std::filesystem::path kernels_;
    std::string prelude_;
    ProgressMode mode_;
    engine::RunOptions run_;
    engine::RunControl control_;
    Interrupt interrupt_;
    std::vector<double> first_frames_;
};

int profile(const Common& common, const ProfileOptions& options) {
    // A reader of our pipe that goes away is an error of that output, not the end of the process.
    std::signal(SIGPIPE, SIG_IGN);
    refuse_unwritable(options);
    std::string page; // missing, it is told before minutes of measuring
    if (!options.html_file.empty()) page = read_text(DataDirs(common.assets).report() / "report.html");
    Profiler profiler(common, options);
    if (const int status = profiler.run(); status != 0) return status;
    std::vector<report::NamedRecording> recordings;
    for (const report::Measured& one : profiler.measured)
        recordings.push_back({report::title_of(one.schedule, one.order), one.slots, &one.recording});
    if (!options.csv_file.empty()) write_text(options.csv_file, report::to_csv(recordings));
    if (!options.trace_file.empty()) write_text(options.trace_file, report::to_chrome_trace(recordings));
    if (!options.html_file.empty())
        write_text(options.html_file, report::to_html(page, profiler.profile, recordings));
    print(options.json ? report::to_json(profiler.profile) : report::to_table(profiler.profile));
    return 0;
}

void add_profile_options(CLI::App& command, ProfileOptions& options) {
    const std::string group = "Profile";
    command
        .add_option("--schedule", options.schedules,
                    "serial, reordered or overlapped; repeat; default: all three")
        ->option_text("NAME")
        ->allow_extra_args(false)
        ->check(one_of(engine::schedule_names()))
        ->group(group);
    command.add_option("--frames", options.frames, "End each run after this many frames (default 300)")
        ->option_text("N")
        ->check(CLI::Range(int64_t{1}, int64_t{1000000}))
        ->group(group);
    command
        .add_option("--rounds", options.rounds,
                    "Runs of each schedule, as many again with profiling (default 3)")
        ->option_text("N")
        ->check(CLI::Range(1, 100))
        ->group(group);
    command
        .add_option("--preload", options.preload,
                    "Decode the first N pictures of each input once and show them in turn, so that decoding "
                    "does not bound the measure")
        ->option_text("N")
        ->check(CLI::Range(1, 10000))
        ->group(group);
    command
        .add_flag("--compare-queues", options.compare_queues,
                  "Run every schedule twice, with in-order queues and with one out-of-order queue")
        ->group(group);
    command.add_flag("--json", options.json, "Print JSON instead of the table")->group(group);
    command.add_option("--html", options.html_file, "Write the report as one page with a timeline")
        ->option_text("FILE")
        ->group(group);
    command
        .add_option("--trace", options.trace_file,
                    "Write a trace for Perfetto (ui.perfetto.dev) or chrome://tracing")
        ->option_text("FILE")
        ->group(group);
    command.add_option("--csv", options.csv_file, "Write the times of every command and host stage")
        ->option_text("FILE")
        ->group(group);
    command.add_option("--progress", options.progress, "auto (a line on stderr for each run), none, or json")
        ->option_text("MODE")
        ->check(one_of({"auto", "none", "json"}))
        ->group(group);
}

} // namespace

void add_profile(CLI::App& program, Session& session) {
    auto* command = program.add_subcommand(
        "profile", "Measure how well upload, processing and read-back of a pipeline overlap");
    auto options = std::make_shared<ProfileOptions>();
    add_source_options(*command, options->source);
    add_profile_options(*command, *options);
    add_output_options(*command, options->output, "-o,--output");
    add_machine_options(*command, options->machine);
    add_common_options(*command, session.common);
    command->footer(
        "Without an output the finished pictures go nowhere. overlap: the time in which copies and\n"
        "kernels run at once, over the shorter of the two. efficiency: the device's longest stage over\n"
        "the time per frame.\n\n"
        "Examples:\n"
        "  weft profile a.mp4 b.mp4 --layout hstack --filter gblur=sigma=2\n"
        "  weft profile wall.yaml --buffers 3 --html report.html --trace trace.json\n"
        "  weft profile a.mp4 --preload 16 --upload pinned --schedule serial --schedule overlapped\n"
        "  weft profile wall.yaml --json | jq '.schedules[] | {schedule, ms_per_frame, overlap}'");
    command->callback([&session, options] {
        session.run = [&session, options] { return profile(session.common, *options); };
    });
}

} // namespace weft::app
