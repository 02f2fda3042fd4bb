// weft render: one pipeline into files, pipes or nowhere, as fast as it goes.
#include <algorithm>
#include <csignal>

#include "app/command.hpp"
#include "app/help.hpp"
#include "app/interrupt.hpp"
#include "app/options.hpp"
#include "app/progress.hpp"
#include "base/error.hpp"
#include "base/format.hpp"
#include "engine/run.hpp"
#include "graph/planner.hpp"

namespace weft::app {
namespace {

struct RenderOptions {
    SourceOptions source;
    OutputOptions output;
    MachineOptions machine;
    std::string progress = "auto";
};

// The pipeline with its outputs, windows left out. Errors : usage when nothing is left.
graph::PipelineSpec render_pipeline(const RenderOptions& options) {
    graph::PipelineSpec spec = make_pipeline(options.source);
    apply_outputs(spec, options.output);
    std::erase_if(spec.outputs,
                  [](const graph::OutputSpec& o) { return o.kind == graph::OutputKind::window; });
    if (spec.outputs.empty())
        throw Error(ErrorKind::usage, "no output: give -o FILE, -o - or -o null: (weft play shows a window)");
    refuse_clashes(spec, options.output.overwrite);
    return spec;
}

bool all_failed(const engine::RunReport& report) {
    return !report.sinks.empty() && std::all_of(report.sinks.begin(), report.sinks.end(),
                                                [](const auto& sink) { return !sink.error.empty(); });
}

int status_of(const engine::RunReport& report, const Interrupt& interrupt) {
    if (report.failure) return 2;
    if (report.interrupted && interrupt.exit_status() != 0) return interrupt.exit_status();
    if (all_failed(report)) return 2;
    return report.losses() ? 1 : 0;
}

int render(const Common& common, const RenderOptions& options) {
    // A reader of our pipe that goes away is an error of that output, not the end of the process.
    std::signal(SIGPIPE, SIG_IGN);
    const graph::PipelineSpec spec = render_pipeline(options);
    const graph::FilterLibrary library = load_library(common);
    const std::string prelude = graph::load_prelude(DataDirs(common.assets).kernels().string());

    engine::RunControl control;
    const Interrupt interrupt(control);
    Progress progress(parse_progress(options.progress));
    engine::RunOptions run = run_options(options.machine);
    run.control = &control;
    run.ready = [&](const engine::RunPlan& plan) { progress.plan(plan); };
    run.finishing = [&] { progress.finishing(); };
    run.progress = [&](const engine::RunProgress& step) { progress.step(step); };
    const auto sinks = engine::make_sinks(spec.outputs, run);
    std::exception_ptr failure;
    const int status = interrupt.guard([&] {
        const engine::RunReport report = engine::run(spec, library, prelude, sinks, run);
        // Where every output failed each has told its own reason.
        if (!all_failed(report)) failure = report.failure;
        const int outcome = status_of(report, interrupt);
        progress.end(report, outcome);
        return outcome;
    });
    if (failure) std::rethrow_exception(failure);
    return status;
}

} // namespace

void add_render(CLI::App& program, Session& session) {
    auto* command =
        program.add_subcommand("render", "Compose videos into a file, a pipe or numbered pictures");
    auto options = std::make_shared<RenderOptions>();
    add_source_options(*command, options->source);
    add_output_options(*command, options->output, "-o,--output");
    add_machine_options(*command, options->machine);
    command
        ->add_option(
            "--progress", options->progress,
            "auto (a line when stderr is a terminal), none (no summary either), or json (one object a "
            "line on stderr)")
        ->option_text("MODE")
        ->check(one_of({"auto", "none", "json"}))
        ->group("Output");
    add_common_options(*command, session.common);
    command->footer(
        "A file that exists is replaced only with -y. Ctrl-C finishes the file; the exit status is 130.\n\n"
        "Examples:\n"
        "  weft render a.mp4 b.mp4 c.mp4 d.mp4 --layout grid --size 1920x1080 -o wall.mp4\n"
        "  weft render a.mp4 --filter eq=contrast=1.2:saturation=1.3 --filter gblur=sigma=2 -o out.mp4\n"
        "  weft render a.mp4 b.mp4 --transition wipeleft:1s --vcodec libx264 --crf 18 -o show.mkv\n"
        "  weft render pipeline.yaml left.mp4 right.mp4 -y -o out.mp4\n"
        "  weft render a.mp4 -o - | ffplay -\n"
        "  weft render a.mp4 --duration 2s -o 'frame%04d.png'");
    command->callback([&session, options] {
        session.run = [&session, options] { return render(session.common, *options); };
    });
}

} // namespace weft::app
