// weft check: every problem at once, and what would be done.
#include <algorithm>
#include <functional>
#include <tuple>

#include <nlohmann/json.hpp>

#include "app/command.hpp"
#include "app/options.hpp"
#include "app/progress.hpp"
#include "base/error.hpp"
#include "base/format.hpp"
#include "engine/run.hpp"
#include "engine/sinks.hpp"
#include "graph/planner.hpp"

namespace weft::app {
namespace {

using graph::FilterLibrary;
using graph::PipelineSpec;

struct CheckOptions {
    SourceOptions source;
    OutputOptions output;
    MachineOptions machine;
    bool syntax = false, explain = false, dot = false, print = false, json = false;
};

// The complaints of one step join the others; what a step needs from a failed one is not tried.
bool attempt(std::vector<Error>& problems, const std::function<void()>& step) {
    try {
        step();
        return true;
    } catch (const Errors& many) {
        problems.insert(problems.end(), many.all().begin(), many.all().end());
    } catch (const Error& one) {
        problems.emplace_back(one.kind(),
                              describe(one).substr(one.place().known() ? one.place().text().size() + 2 : 0),
                              one.place());
    }
    return false;
}

// In the order of the text, file by file; what has no line comes last.
void sort_by_place(std::vector<Error>& problems) {
    const auto key = [](const Error& e) {
        const Place& place = e.place();
        return std::tuple(place.line == 0, place.file, place.line, place.column);
    };
    std::stable_sort(problems.begin(), problems.end(),
                     [&](const Error& a, const Error& b) { return key(a) < key(b); });
}

std::vector<std::unique_ptr<engine::FrameSink>> sinks_of(const PipelineSpec& spec,
                                                         const engine::RunOptions& run) {
    auto sinks = engine::make_sinks(spec.outputs, run);
    if (sinks.empty()) sinks.push_back(engine::make_null_sink());
    return sinks;
}

std::string explained_text(const engine::Explained& explained) {
    std::string out;
    for (const std::string& note : explained.notes)
        out += note + "\n";
    for (const std::string& plan : explained.plans)
        out += (out.empty() ? "" : "\n") + plan + (plan.ends_with('\n') ? "" : "\n");
    return out;
}

std::string problems_json(const std::vector<Error>& problems, const std::vector<Error>& warnings) {
    using json = nlohmann::ordered_json;
    const auto list = [](const std::vector<Error>& errors) {
        json out = json::array();
        for (const Error& one : errors)
            out.push_back({{"file", one.place().file},
                           {"line", one.place().line},
                           {"column", one.place().column},
                           {"message", one.message()}});
        return out;
    };
    const json out{{"ok", problems.empty()}, {"problems", list(problems)}, {"warnings", list(warnings)}};
    return out.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

void tell_warnings(const std::vector<Error>& warnings) {
    if (!tells_warnings()) return;
    for (const Error& warning : warnings) {
        const Place& place = warning.place();
        fmt::print(stderr, "{}warning: {}\n", place.known() ? place.text() + ": " : "", warning.message());
    }
}

int check(const Common& common, const CheckOptions& options) {
    std::vector<Error> problems;
    std::optional<FilterLibrary> library;
    std::optional<PipelineSpec> spec;
    engine::Explained explained;
    attempt(problems, [&] { library = load_library(common); });
    attempt(problems, [&] {
        spec = make_pipeline(options.source, problems);
        apply_outputs(*spec, options.output);
    });
    if (spec && library) {
        const std::vector<Error> found = graph::check_filters(*spec, *library);
        problems.insert(problems.end(), found.begin(), found.end());
    }
    if (spec && !options.syntax) {
        const engine::RunOptions run = run_options(options.machine);
        std::vector<std::unique_ptr<engine::FrameSink>> sinks;
        attempt(problems, [&] { sinks = sinks_of(*spec, run); });
        const bool opened =
            attempt(problems, [&] { spec = graph::with_sound_aside(*spec, engine::probe_inputs(*spec)); });
        // Planning repeats the complaints above, so it is asked only when there are none.
        if (library && opened && problems.empty())
            attempt(problems, [&] {
                const std::string prelude = graph::load_prelude(DataDirs(common.assets).kernels().string());
                explained = engine::explain(*spec, *library, prelude, sinks, run);
            });
    }
    sort_by_place(problems);
    problems = told_once(std::move(problems));
    if (options.json)
        print(problems_json(problems, explained.warnings));
    else
        for (const Error& problem : problems)
            fmt::print(stderr, "{}\n", problem.what());
    if (!options.json) tell_warnings(explained.warnings);
    if (!problems.empty()) return 2;
    if (options.json) return 0;
    if (options.print) print(graph::to_yaml(graph::with_shapes_first(*spec, *library)));
    if (options.explain) print(explained_text(explained));
    if (options.dot)
        for (const std::string& dot : explained.dots)
            print(dot + (dot.ends_with('\n') ? "" : "\n"));
    if (!options.print && !options.explain && !options.dot)
        print(fmt::format("fine: {} input{}, {} track{}, {} layer{}\n", spec->inputs.size(),
                          spec->inputs.size() == 1 ? "" : "s", spec->tracks.size(),
                          spec->tracks.size() == 1 ? "" : "s", spec->layers.size(),
                          spec->layers.size() == 1 ? "" : "s"));
    return 0;
}

} // namespace

void add_check(CLI::App& program, Session& session) {
    auto* command = program.add_subcommand("check", "Find every problem of a pipeline without running it");
    auto options = std::make_shared<CheckOptions>();
    add_source_options(*command, options->source);
    const std::string group = "Check";
    command
        ->add_flag("--syntax", options->syntax, "Look at text and filters only; open no input and no device")
        ->group(group);
    command->add_flag("--explain", options->explain, "Print the plan: every conversion, pass and buffer")
        ->group(group);
    command->add_flag("--dot", options->dot, "Print the plan as a DOT graph")->group(group);
    command->add_flag("--print", options->print, "Print the pipeline as YAML, short options included")
        ->group(group);
    command->add_flag("--json", options->json, "Print the problems as JSON")->group(group);
    add_output_options(*command, options->output, "-o,--output");
    add_machine_options(*command, options->machine);
    add_common_options(*command, session.common);
    command->footer(
        "Problems are printed on stderr as file:line:column: message; the exit status is then 2. What is\n"
        "allowed but hardly meant is printed as file:line:column: warning: message.\n\n"
        "Examples:\n"
        "  weft check wall.yaml\n"
        "  weft check --explain wall.yaml\n"
        "  weft check --print a.mp4 b.mp4 --layout hstack --filter eq=contrast=1.2 > two.yaml\n"
        "  weft check --dot wall.yaml | dot -Tsvg > plan.svg");
    command->callback([&session, options] {
        session.run = [&session, options] { return check(session.common, *options); };
    });
}

} // namespace weft::app
