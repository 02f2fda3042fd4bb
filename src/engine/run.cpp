#include "engine/run.hpp"

#include <algorithm>
#include <cmath>

#include <sys/resource.h>

#include "base/error.hpp"
#include "base/log.hpp"
#include "engine/conductor_private.hpp"

namespace weft::engine {
namespace {

size_t host_peak_bytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<size_t>(usage.ru_maxrss) * 1024;
}

gpu::DeviceInfo pick_device(const RunOptions& options, std::string& why) {
    const auto devices = gpu::list_devices();
    const gpu::DeviceChoice choice = gpu::choose_device(devices, options.device);
    why = choice.why;
    return devices.at(choice.index);
}

std::vector<graph::OutputForm> wanted_forms(const std::vector<std::unique_ptr<FrameSink>>& sinks,
                                            const graph::CanvasFormat& canvas) {
    colour::PictureFormat format;
    format.width = canvas.width;
    format.height = canvas.height;
    format.rate = canvas.rate;
    format.colour = canvas.colour;
    std::vector<graph::OutputForm> forms;
    for (const auto& sink : sinks)
        forms.push_back({sink->wanted_format(format)});
    return forms;
}

std::vector<media::MixUse> sound_of(const graph::PipelineSpec& spec, const graph::Timeline& timeline,
                                    const Inputs& inputs, const Conductor& conductor) {
    std::vector<media::MixUse> uses;
    for (const graph::AudioUse& audio : timeline.audio) {
        const graph::StreamUse& stream = timeline.streams.at(static_cast<size_t>(audio.stream));
        const auto index = static_cast<size_t>(stream.input);
        const graph::InputSpec& input = spec.inputs.at(index);
        if (input.mute || !inputs.facts()[index].has_audio) continue;
        media::MixUse use;
        use.url = input.url;
        use.input = inputs.reader(stream.input);
        use.options = inputs.options();
        use.stream = input.audio_stream;
        use.from = stream.from;
        use.start = stream.start;
        use.length = stream.length;
        use.gain = audio.gain;
        use.fade_in = audio.fade_in;
        use.fade_out = audio.fade_out;
        use.loop = stream.loop;
        use.relay = conductor.sound(audio.stream);
        if (stream.loop) use.loop_length = inputs.facts()[index].duration;
        uses.push_back(std::move(use));
    }
    return uses;
}

graph::Tuned tuned_for(const gpu::DeviceInfo& device, const RunOptions& options) {
    if (!options.tuned) return {};
    return options.tuned(device).value_or(graph::Tuned{});
}

graph::PlannerOptions planner_options(const std::string& prelude, const RunOptions& options,
                                      const graph::Tuned& tuned) {
    graph::PlannerOptions planner;
    planner.shapes = tuned.for_planner();
    planner.prelude = prelude;
    planner.fuse = options.fuse;
    return planner;
}

// What the timeline says of an input that is missing, the inputs say with the reason.
void append_new(std::vector<std::string>& to, const std::vector<std::string>& lines) {
    for (const std::string& line : lines)
        if (std::none_of(to.begin(), to.end(), [&](const auto& told) { return told.starts_with(line); }))
            to.push_back(line);
}

template<class Lines>
void append(std::vector<std::string>& to, const Lines& lines) {
    to.insert(to.end(), lines.begin(), lines.end());
}

graph::Timeline timeline_of(const graph::PipelineSpec& spec, const graph::FilterLibrary& library,
                            const std::vector<std::unique_ptr<FrameSink>>& sinks, const Inputs& inputs,
                            bool live) {
    const graph::CanvasFormat canvas = graph::resolve_canvas(spec, inputs.facts(), library);
    graph::Timeline timeline = graph::resolve_timeline(
        spec, inputs.facts(), library, wanted_forms(sinks, canvas), live || inputs.any_pipe());
    inputs.refuse_moves(timeline);
    return timeline;
}

// Everything of one run, in the order in which it is made; destroyed the other way round.
class Session {
  public:
    Session(const graph::PipelineSpec& spec, const graph::FilterLibrary& library, const std::string& prelude,
            const std::vector<std::unique_ptr<FrameSink>>& sinks, const RunOptions& options)
        : begun_(SteadyClock().now()),
          readers_(
              spec, [control = options.control] { return control != nullptr && control->stop_requested(); },
              options.trace),
          info_(pick_device(options, report_.plan.device_why)), tuned_(tuned_for(info_, options)),
          options_(settled(options, tuned_)), device_(info_, {options.profiling, options.queues}),
          path_(gpu::choose_upload_path(device_, options_.upload)),
          inputs_(
              spec, readers_, [this](auto memory) { return make_uploader(std::move(memory)); },
              // What tracks play one after another has its length all the same.
              options.preload > 0 && spec.tracks.empty()),
          timeline_(timeline_of(spec, library, sinks, inputs_, options.live)),
          plans_(timeline_, device_.traits(), planner_options(prelude, options, tuned_)),
          conductor_({spec, timeline_, options_, device_, inputs_, plans_, sinks_}) {
        if (options.trace != nullptr) options.trace->begin(device_);
        conductor_.prime(); // decodes while programs are built
        plans_.load(device_, options.trace);
        conductor_.prepare_rules();
        report_.plan.sound = sound_of(spec, timeline_, inputs_, conductor_);
        make_sinks(sinks);
        describe_plan();
    }

    RunReport run() {
        if (options_.ready) options_.ready(report_.plan);
        const Nanoseconds first_tick = SteadyClock().now();
        std::exception_ptr failure;
        try {
            conductor_.run();
        } catch (...) {
            failure = std::current_exception();
        }
        conductor_.land();
        if (!failure) failure = conductor_.flights().error();
        const bool nothing = conductor_.flights().delivered() == 0;
        // A file without a picture is nothing to finish.
        const Ending ending = failure || (conductor_.interrupted() && nothing) ? Ending::failed
                              : conductor_.interrupted()                       ? Ending::interrupted
                                                                               : Ending::complete;
        if (ending == Ending::interrupted && options_.finishing) options_.finishing();
        for (const auto& sink : sinks_)
            sink->end(ending);
        if (options_.trace != nullptr) options_.trace->end(device_);
        if (failure && nothing) std::rethrow_exception(failure);
        complete_report(first_tick);
        report_.failure = failure;
        return std::move(report_);
    }

  private:
    std::unique_ptr<gpu::Uploader> make_uploader(std::shared_ptr<gpu::HostBlocks> memory) {
        return std::make_unique<gpu::Uploader>(device_, path_, slots_of(options_.schedule, options_.buffers),
                                               std::move(memory));
    }

    std::optional<int64_t> planned_frames() const {
        if (options_.most_frames <= 0) return timeline_.ticks;
        return std::min(timeline_.ticks.value_or(options_.most_frames), options_.most_frames);
    }

    void make_sinks(const std::vector<std::unique_ptr<FrameSink>>& sinks) {
        const auto& outputs = timeline_.scenes.front().scene.outputs;
        for (size_t i = 0; i < sinks.size(); ++i)
            sinks_.push_back(
                std::make_unique<SinkRunner>(device_, *sinks[i], outputs.at(i).format, options_.trace));
        for (size_t i = 0; i < sinks.size(); ++i) {
            sinks[i]->offer_sound(report_.plan.sound);
            sinks_[i]->start(planned_frames().value_or(-1));
        }
    }

    void describe_plan() {
        RunPlan& plan = report_.plan;
        plan.device = info_.traits.name;
        plan.upload = path_;
        plan.canvas.width = timeline_.width;
        plan.canvas.height = timeline_.height;
        plan.canvas.rate = timeline_.rate;
        plan.canvas.colour = timeline_.colour;
        plan.frames = planned_frames();
        plan.seekable = inputs_.seekable();
        plan.device_bytes = plans_.device_bytes() + conductor_.device_bytes();
        for (const auto& sink : sinks_)
            plan.device_bytes += sink->device_bytes();
        append(plan.notes, inputs_.notes());
        append_new(plan.notes, timeline_.notes);
        append(plan.notes, plans_.notes());
        plan.warnings = timeline_.warnings;
    }

    void complete_report(Nanoseconds first_tick) {
        using Seconds = std::chrono::duration<double>;
        report_.seconds = Seconds(SteadyClock().now() - first_tick).count();
        const Nanoseconds first = conductor_.flights().first_delivery();
        if (first != Nanoseconds(0)) report_.first_frame_seconds = Seconds(first - begun_).count();
        report_.frames = conductor_.flights().delivered();
        report_.skipped_ticks = conductor_.skipped_ticks();
        report_.interrupted = conductor_.interrupted();
        report_.inputs = conductor_.input_reports();
        for (const InputReport& input : report_.inputs)
            report_.bytes_up += input.bytes;
        for (const auto& sink : sinks_) {
            report_.sinks.push_back(sink->report());
            report_.bytes_down += sink->bytes_down();
        }
        report_.host_peak_bytes = host_peak_bytes();
    }

    Nanoseconds begun_;
    RunReport report_;
    InputReaders readers_;
    gpu::DeviceInfo info_;
    graph::Tuned tuned_;
    RunOptions options_;
    gpu::Device device_;
    gpu::UploadPath path_;
    Inputs inputs_;
    graph::Timeline timeline_;
    ScenePlans plans_;
    std::vector<std::unique_ptr<SinkRunner>> sinks_;
    Conductor conductor_;
};

} // namespace

void RunControl::request_seek(Rational seconds) {
    const std::lock_guard lock(mutex_);
    seek_ = seconds;
}

std::optional<Rational> RunControl::take_seek() {
    const std::lock_guard lock(mutex_);
    return std::exchange(seek_, std::nullopt);
}

bool RunControl::seek_requested() const {
    const std::lock_guard lock(mutex_);
    return seek_.has_value();
}

bool RunReport::losses() const {
    return std::any_of(inputs.begin(), inputs.end(),
                       [](const InputReport& i) {
                           return i.damaged > 0 || i.late > 0 || i.missing > 0 || !i.error.empty();
                       }) ||
           std::any_of(sinks.begin(), sinks.end(), [](const SinkReport& s) { return !s.error.empty(); });
}

RunReport run(const graph::PipelineSpec& spec, const graph::FilterLibrary& library,
              const std::string& prelude, const std::vector<std::unique_ptr<FrameSink>>& sinks,
              const RunOptions& options) {
    if (sinks.empty()) throw Error(ErrorKind::usage, "nothing takes the pictures: no output is given");
    return Session(spec, library, prelude, sinks, options).run();
}

std::vector<graph::InputFacts> probe_inputs(const graph::PipelineSpec& spec) {
    InputReaders readers(spec);
    return Inputs(spec, readers, nullptr).facts();
}

std::vector<graph::Scene> scenes_of(const graph::PipelineSpec& spec, const graph::FilterLibrary& library,
                                    const std::vector<std::unique_ptr<FrameSink>>& sinks,
                                    const RunOptions& options) {
    InputReaders readers(spec);
    const Inputs inputs(spec, readers, nullptr);
    std::vector<graph::Scene> scenes;
    for (graph::TimelineScene& scene : timeline_of(spec, library, sinks, inputs, options.live).scenes)
        scenes.push_back(std::move(scene.scene));
    return scenes;
}

RunOptions settled(RunOptions options, const graph::Tuned& tuned) {
    if (options.buffers == 0) options.buffers = tuned.slots > 0 ? tuned.slots : usual_slots;
    if (options.upload == gpu::UploadPath::automatic && !tuned.upload.empty())
        options.upload = gpu::parse_upload_path(tuned.upload).value_or(gpu::UploadPath::automatic);
    return options;
}

Explained explain(const graph::PipelineSpec& spec, const graph::FilterLibrary& library,
                  const std::string& prelude, const std::vector<std::unique_ptr<FrameSink>>& sinks,
                  const RunOptions& options) {
    std::string why;
    InputReaders readers(spec);
    const gpu::DeviceInfo device = pick_device(options, why);
    const Inputs inputs(spec, readers, nullptr);
    const graph::Timeline timeline = timeline_of(spec, library, sinks, inputs, options.live);
    ScenePlans plans(timeline, device.traits, planner_options(prelude, options, tuned_for(device, options)));
    gpu::Device built_for(device);
    plans.load(built_for, nullptr);
    Explained explained;
    explained.notes = inputs.notes();
    append_new(explained.notes, timeline.notes);
    append(explained.notes, plans.notes());
    explained.warnings = timeline.warnings;
    for (const graph::Plan& plan : plans.plans()) {
        explained.plans.push_back(plan.explain());
        explained.dots.push_back(plan.dot());
    }
    return explained;
}

} // namespace weft::engine
