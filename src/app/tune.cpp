// weft tune: which shapes, upload path and slots this device is fastest with.
#include <cstdio>
#include <fstream>

#include <unistd.h>

#include "app/bench_options.hpp"
#include "app/interrupt.hpp"
#include "app/options.hpp"
#include "app/temporary_file.hpp"
#include "base/error.hpp"
#include "base/format.hpp"
#include "bench/content.hpp"
#include "bench/ladder.hpp"
#include "bench/tune_text.hpp"
#include "engine/sinks.hpp"
#include "engine/tuned_files.hpp"

namespace weft::app {
namespace {

using bench::Size;

struct TuneCommand {
    graph::ShortOptions source;
    BenchOptions bench; // device, sizes, only, pixels, json
    bench::TuneOptions measure;
    bool show = false, clear = false;
};

// A short film of the measured pictures into a file.
void write_film(const std::string& path, Size size) {
    const colour::PictureFormat format = bench::picture_format("yuv420p", size.width, size.height);
    std::ofstream out(path, std::ios::binary);
    out << fmt::format("YUV4MPEG2 W{} H{} F25:1 Ip A1:1 C420mpeg2\n", size.width, size.height);
    for (int number = 0; number < bench::loop_length; ++number) {
        const std::vector<uint8_t> bytes = bench::content(format, number);
        out << "FRAME\n";
        out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    }
    if (!out.flush()) throw Error(ErrorKind::resource, fmt::format("'{}' cannot be written", path));
}

class Tuner {
  public:
    Tuner(const Common& common, const TuneCommand& command)
        : command_(command), info_(device_of(command.bench)), files_(engine::TunedFiles::of_user()),
          library_(load_library(common)), interrupt_(control_),
          prelude_(graph::load_prelude(DataDirs(common.assets).kernels().string())) {
        report_.device = info_.traits.name;
        report_.driver = driver_text(info_);
        report_.file = files_.file_of(info_).string();
    }

    int run() {
        return interrupt_.guard([&] { return measure(); });
    }

  private:
    int measure() {
        say(fmt::format("{}, {}\n", report_.device, report_.driver));
        if (command_.source.files.empty())
            tune_default();
        else
            tune_pipeline();
        clear_status();
        if (!report_.errors.empty())
            for (const std::string& error : report_.errors)
                fmt::print(stderr, "error: {}\n", error);
        if (command_.bench.json) print(bench::to_json(report_));
        if (control_.stop_requested()) return interrupt_.exit_status();
        say(fmt::format("kept in {}\n", report_.file));
        return report_.errors.empty() ? 0 : 1;
    }

    void tune_default() {
        std::vector<Size> sizes = sizes_of(command_.bench, {1920, 1080});
        if (command_.bench.sizes.empty() && !command_.measure.quick) sizes.push_back({3840, 2160});
        for (const Size size : sizes) {
            gpu::Device device(info_);
            gpu::Programs programs(device);
            bench::Rig rig(device, programs, planner());
            const bench::CaseOptions given{size, command_.bench.pixels, ""};
            std::vector<bench::FilterCase> cases;
            if (command_.source.filters.empty()) cases = bench::tune_cases(library_, given);
            for (const std::string& chain : command_.source.filters)
                cases.push_back(bench::chain_case(library_, chain, given));
            for (const bench::FilterCase& one : cases)
                if (wanted(one.title + "\n" + one.chain))
                    tune_scene(
                        rig, one.scene,
                        fmt::format("{} at {}x{} {}", one.title, size.width, size.height, given.pixels));
        }
        if (!wanted("upload and slots") || control_.stop_requested()) return;
        const TemporaryFile film("weft-tune-", ".y4m");
        write_film(film.path(), sizes.front());
        graph::ShortOptions source;
        source.files = {film.path()};
        tune_flow(graph::pipeline_from_options(source));
    }

    void tune_pipeline() {
        std::vector<std::string> sizes = command_.bench.sizes;
        if (sizes.empty()) sizes.emplace_back();
        for (const std::string& size : sizes) {
            SourceOptions source{command_.source};
            source.text.size = size;
            graph::PipelineSpec spec = make_pipeline(source);
            spec.outputs.clear();
            std::vector<std::unique_ptr<engine::FrameSink>> sinks;
            sinks.push_back(engine::make_null_sink());
            gpu::Device device(info_);
            gpu::Programs programs(device);
            bench::Rig rig(device, programs, planner());
            const auto scenes = engine::scenes_of(spec, library_, sinks, {});
            for (size_t i = 0; i < scenes.size(); ++i) {
                const std::string title = fmt::format("scene {} of {}", i + 1, scenes.size());
                if (wanted(title)) tune_scene(rig, scenes[i], title);
            }
            if (wanted("upload and slots") && &size == &sizes.front() && !control_.stop_requested())
                tune_flow(std::move(spec));
        }
    }

    graph::PlannerOptions planner() const {
        graph::PlannerOptions planner;
        planner.prelude = prelude_;
        planner.load_mask = engine::load_mask;
        return planner;
    }

    bool wanted(const std::string& text) const { return bench::wanted(text, command_.bench.only); }

    void tune_scene(bench::Rig& rig, const graph::Scene& scene, const std::string& title) {
        if (control_.stop_requested()) return;
        status("measuring " + title);
        attempt(title, [&] {
            bench::tune_scene(
                rig, scene, title, command_.measure, [&] { return control_.stop_requested(); }, found_,
                [&](const bench::ShapeFinding& finding) {
                    keep([&](graph::Tuned& table) { table.shapes[finding.key] = finding.chosen; });
                    report_.shapes.push_back(finding);
                    clear_status();
                    say(bench::tune_text(finding));
                    status("measuring " + title);
                });
        });
    }

    void tune_flow(graph::PipelineSpec spec) {
        if (!spec.duration) spec.duration = Rational(3600); // pictures in memory never end
        status("measuring upload paths and slots");
        attempt("upload and slots", [&] {
            engine::RunOptions run;
            run.device = fmt::format("{}.{}", info_.platform, info_.device);
            run.control = &control_;
            // Shapes only: what else was found before is what is measured now.
            graph::Tuned shapes;
            shapes.shapes = found_.shapes;
            run.tuned = [shapes](const gpu::DeviceInfo&) { return shapes; };
            const auto finding = bench::tune_flow(spec, library_, prelude_, run, command_.measure,
                                                  [&] { return control_.stop_requested(); });
            clear_status();
            if (!finding) return;
            keep([&](graph::Tuned& table) {
                const bool rule = finding->upload == gpu::UploadPath::automatic;
                table.upload = rule ? "" : gpu::name(finding->upload);
                table.slots = finding->slots;
            });
            report_.flow = *finding;
            say(bench::tune_text(*finding));
        });
    }

    // A scene that cannot be measured costs only itself.
    void attempt(const std::string& title, const std::function<void()>& work) {
        try {
            work();
        } catch (const cl::Error& error) {
            report_.errors.push_back(
                fmt::format("{}: {}: {}", title, error.what(), gpu::cl_error_name(error.err())));
        } catch (const Error& error) {
            report_.errors.push_back(fmt::format("{}: {}", title, describe(error)));
        }
    }

    // Into the table as it is now: others may have written it, and a run that is cut short keeps what is
    // done.
    void keep(const std::function<void(graph::Tuned&)>& change) {
        graph::Tuned table = files_.load(info_).value_or(graph::Tuned{});
        change(table);
        table.weft = WEFT_VERSION;
        files_.save(info_, std::move(table));
    }

    void say(const std::string& text) const {
        if (!command_.bench.json) print(text);
    }
    // A line on a terminal that goes when something is said.
    void status(const std::string& text) {
        if (isatty(STDERR_FILENO) == 0) return;
        fmt::print(stderr, "\r\033[K{}", text);
        status_shown_ = true;
    }
    void clear_status() {
        if (status_shown_) fmt::print(stderr, "\r\033[K");
        status_shown_ = false;
    }

    const TuneCommand& command_;
    gpu::DeviceInfo info_;
    engine::TunedFiles files_;
    graph::FilterLibrary library_;
    engine::RunControl control_;
    Interrupt interrupt_;
    std::string prelude_;
    graph::Tuned found_; // in this run
    bench::TuneReport report_;
    bool status_shown_ = false;
};

int show(const TuneCommand& command) {
    const gpu::DeviceInfo info = device_of(command.bench);
    const engine::TunedFiles files = engine::TunedFiles::of_user();
    const auto table = files.load(info);
    graph::Tuned none;
    none.device = info.traits.name;
    if (command.bench.json)
        print(bench::to_json(table.value_or(none)));
    else if (table)
        print(bench::tuned_text(*table) + "file: " + files.file_of(info).string() + "\n");
    else
        print(fmt::format("{}: not tuned, everything goes by rule\n", info.traits.name));
    return 0;
}

int clear(const TuneCommand& command) {
    const gpu::DeviceInfo info = device_of(command.bench);
    const engine::TunedFiles files = engine::TunedFiles::of_user();
    print(files.clear(info) ? fmt::format("removed {}\n", files.file_of(info).string())
                            : fmt::format("{}: was not tuned\n", info.traits.name));
    return 0;
}

int tune(const Common& common, const TuneCommand& command) {
    if (command.show && command.clear)
        throw Error(ErrorKind::usage, "--show and --clear are two different wishes: give one of them");
    if (command.show) return show(command);
    return command.clear ? clear(command) : Tuner(common, command).run();
}

void add_tune_options(CLI::App& command, TuneCommand& options) {
    const std::string group = "Tune";
    command
        .add_option(
            "files", options.source.files,
            "Measure this pipeline: video files and pictures, or PIPELINE.yaml and files that replace "
            "its inputs (default: pictures in memory through a set of usual work)")
        ->option_text("FILE...");
    const OptionGroup in{command, group};
    in.text("--device", options.bench.device, "NAME", "Which device: a number, P.D or a part of its name");
    in.list(
        "--size", options.bench.sizes, "WxH",
        "Of the pictures (default 1920x1080 and 3840x2160), or of the pipeline's canvas; repeat for several");
    in.text("--format", options.bench.pixels, "NAME",
            "Pixel format of pictures in memory (default yuv420p), e.g. p010le");
    in.list("--filter", options.source.filters, "CHAIN",
            "Measure this chain instead of the usual set; with files, filter every input");
    in.text("--layout", options.source.layout, "NAME",
            "Of several files: grid, hstack, vstack, COLUMNSxROWS");
    in.text("--transition", options.source.transition, "NAME:TIME", "Between files, as weft render takes it");
    in.list("--only", options.bench.only, "TEXT",
            "Only what holds this in its title, e.g. gblur, grid, upload; repeat for several");
    command.add_flag("--quick", options.measure.quick, "1920x1080 only, every other value, three rounds")
        ->group(group);
    in.rounds(options.measure.rounds, "Batches of each variant, turn about (default 7, with --quick 3)");
    in.milliseconds(options.measure.ms, "About how long a batch lasts (default 40)");
    command.add_flag("--show", options.show, "Print the device's table and measure nothing")->group(group);
    command.add_flag("--clear", options.clear, "Remove the device's table: everything goes by rule again")
        ->group(group);
    command.add_flag("--json", options.bench.json, "Print JSON instead of tables")->group(group);
}

} // namespace

void add_tune(CLI::App& program, Session& session) {
    auto* command =
        program.add_subcommand("tune", "Measure what this device is fastest with, for all later runs");
    auto options = std::make_shared<TuneCommand>();
    add_tune_options(*command, *options);
    add_common_options(*command, session.common);
    command->footer(
        "Kernels can be cut up for a device in many ways, and every way paints the same picture: each is\n"
        "compared byte for byte before it is measured. One is kept where it takes at least 3 % less time\n"
        "than the rule in the median of rounds, and less in three of four, twice. The table is kept for\n"
        "each device and driver in ~/.cache/weft/tune (or $XDG_CACHE_HOME/weft/tune) and used by render,\n"
        "play, profile and bench; --no-tune there ignores it. Ctrl-C keeps what is complete.\n\n"
        "Examples:\n"
        "  weft tune\n"
        "  weft tune --quick --device nvidia\n"
        "  weft tune wall.yaml\n"
        "  weft tune a.mp4 b.mp4 --layout hstack --size 1920x1080\n"
        "  weft tune --filter gblur=sigma=5 --size 2560x1440 --format p010le\n"
        "  weft tune --show");
    command->callback([&session, command, options] {
        if (options->measure.quick && command->count("--rounds") == 0) options->measure.rounds = 3;
        session.run = [&session, options] { return tune(session.common, *options); };
    });
}

} // namespace weft::app
