// weft play: the composition in a window, live.
#include <algorithm>
#include <filesystem>

#include "app/command.hpp"
#include "app/interrupt.hpp"
#include "app/options.hpp"
#include "app/progress.hpp"
#include "base/error.hpp"
#include "base/format.hpp"
#include "engine/run.hpp"
#include "graph/planner.hpp"
#include "media/audio_mixer.hpp"
#include "present/controls.hpp"
#include "present/player.hpp"

namespace weft::app {
namespace {

struct PlayOptions {
    SourceOptions source;
    OutputOptions record;
    MachineOptions machine;
    present::PlayerOptions player;
};

std::string title_of(const SourceOptions& source) {
    std::string names;
    for (const std::string& file : source.text.files)
        names += (names.empty() ? "" : ", ") + std::filesystem::path(file).filename().string();
    return names.substr(0, 120) + " - weft";
}

// The window is where it goes; files are written only where --record says so, never because a pipeline that
// is merely looked at names some.
graph::PipelineSpec play_pipeline(const PlayOptions& options) {
    graph::PipelineSpec spec = make_pipeline(options.source);
    spec.outputs.clear();
    apply_outputs(spec, options.record);
    refuse_clashes(spec, options.record.overwrite);
    return spec;
}

// Late and dropped pictures are the way of a live show and told by its status line; only what broke is a
// loss.
bool broke(const engine::RunReport& report) {
    return std::any_of(report.inputs.begin(), report.inputs.end(),
                       [](const auto& i) { return !i.error.empty(); }) ||
           std::any_of(report.sinks.begin(), report.sinks.end(),
                       [](const auto& s) { return !s.error.empty(); });
}

void tell_what_broke(const engine::RunReport& report) {
    if (!tells_warnings()) return;
    for (const engine::InputReport& input : report.inputs)
        if (!input.error.empty()) fmt::print(stderr, "warning: input {}: {}\n", input.name, input.error);
    for (const engine::SinkReport& sink : report.sinks)
        if (!sink.error.empty()) fmt::print(stderr, "warning: {}\n", output_failure(sink));
}

int play(const Common& common, const PlayOptions& options) {
    const graph::PipelineSpec spec = play_pipeline(options);
    const graph::FilterLibrary library = load_library(common);
    const std::string prelude = graph::load_prelude(DataDirs(common.assets).kernels().string());

    engine::RunControl control;
    const Interrupt interrupt(control);
    engine::RunOptions run = run_options(options.machine);
    run.control = &control;
    std::vector<media::MixUse> uses;
    run.ready = [&](const engine::RunPlan& plan) {
        uses = plan.sound;
        if (tells_warnings())
            for (const Error& warning : plan.warnings)
                fmt::print(stderr, "warning: {}\n", warning.what());
    };
    if (!spec.outputs.empty()) run.finishing = tell_finishing;
    present::PlayerOptions player = options.player;
    player.status_line = tells_warnings();
    player.title = title_of(options.source);
    // Called after `ready`, on the same thread.
    if (!options.record.no_audio)
        player.sound = [&]() -> std::optional<present::SoundSource> {
            if (uses.empty()) return std::nullopt;
            return present::sound_of(std::make_shared<media::AudioMixer>(uses));
        };
    auto recordings = engine::make_sinks(spec.outputs, run);
    std::exception_ptr failure;
    const int status = interrupt.guard([&] {
        const present::PlayerReport report =
            present::run_player(spec, library, prelude, std::move(recordings), run, player);
        tell_what_broke(report.run);
        failure = report.run.failure;
        if (interrupt.exit_status() != 0) return interrupt.exit_status();
        return broke(report.run) ? 1 : 0;
    });
    if (failure) std::rethrow_exception(failure);
    return status;
}

} // namespace

void add_play(CLI::App& program, Session& session) {
    auto* command = program.add_subcommand("play", "Show the composition in a window, live, with sound");
    auto options = std::make_shared<PlayOptions>();
    add_source_options(*command, options->source);
    const std::string group = "Window";
    present::PlayerOptions& player = options->player;
    command->add_flag("--fullscreen", player.fullscreen, "Begin in full screen")->group(group);
    command->add_flag("--stats", player.stats, "Begin with the statistics shown")->group(group);
    command->add_flag("--paused", player.paused, "Show the first picture and wait")->group(group);
    command->add_flag("--loop", player.loop, "From the start again at the end")->group(group);
    command->add_flag("--keep-open", player.keep_open, "Wait for a key at the end")->group(group);
    command->add_option("--volume", player.volume, "Percent, 0 to 130 (default: 100)")
        ->option_text("PERCENT")
        ->check(CLI::Range(0.0, 130.0))
        ->group(group);
    command->add_flag("--mute", player.mute, "Begin without sound")->group(group);
    add_output_options(*command, options->record, "--record");
    add_machine_options(*command, options->machine);
    add_common_options(*command, session.common);
    command->footer("Files are written only by --record; outputs of a pipeline file are left alone.\n\n"
                    "Keys:\n" +
                    present::key_help() +
                    "\n"
                    "Examples:\n"
                    "  weft play clip.mp4\n"
                    "  weft play a.mp4 b.mp4 c.mp4 d.mp4 --layout grid --size 1280x720\n"
                    "  weft play a.mp4 b.mp4 --transition circleopen:2s --loop\n"
                    "  weft play wall.yaml --record wall.mkv");
    command->callback([&session, options] {
        session.run = [&session, options] { return play(session.common, *options); };
    });
}

} // namespace weft::app
