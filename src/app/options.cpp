#include "app/options.hpp"

#include "app/help.hpp"
#include "base/error.hpp"
#include "base/text_file.hpp"
#include "engine/tuned_files.hpp"

namespace weft::app {
namespace {

CLI::Option* text_option(CLI::App& command, const std::string& name, std::string& value,
                         const std::string& type, const std::string& help, const std::string& group) {
    return command.add_option(name, value, help)->option_text(type)->group(group);
}

CLI::Option* list_option(CLI::App& command, const std::string& name, std::vector<std::string>& values,
                         const std::string& type, const std::string& help, const std::string& group) {
    // One value for each use of the option: the next word is a file.
    return command.add_option(name, values, help)->option_text(type)->allow_extra_args(false)->group(group);
}

bool is_pipeline(const std::string& file) {
    const auto ends_with = [&](const char* tail) { return std::string_view(file).ends_with(tail); };
    return ends_with(".yaml") || ends_with(".yml");
}

} // namespace

void add_source_options(CLI::App& command, SourceOptions& options) {
    graph::ShortOptions& text = options.text;
    const std::string group = "Picture";
    command
        .add_option("files", text.files,
                    "Video files and pictures, or PIPELINE.yaml and files that replace its inputs in order; "
                    "a name that starts with a dash goes behind --")
        ->option_text("FILE...");
    list_option(command, "--filter", text.filters, "NAME=KEY=VALUE:...",
                "Filter every picture at the size at which it is shown; repeat for a chain; "
                "'2:gblur=sigma=2' filters the second input only (with --transition at its own size); weft "
                "filters lists them",
                group);
    text_option(command, "--layout", text.layout, "NAME",
                "grid (several files), hstack, vstack, or COLUMNSxROWS", group);
    text_option(command, "--transition", text.transition, "NAME:TIME",
                "Play the inputs one after another, e.g. wipeleft:1s or circleopen=softness=0.1:1s; weft "
                "transitions lists them",
                group);
    text_option(command, "--size", text.size, "WxH", "Size of the canvas (default: the first moving input's)",
                group);
    text_option(command, "--rate", text.rate, "FPS", "Pictures per second, e.g. 30, 29.97, 30000/1001",
                group);
    text_option(command, "--background", text.background, "COLOUR",
                "Behind the layers, e.g. black, '#102030'", group);
    text_option(command, "--deinterlace", text.deinterlace, "WHEN",
                "auto (default: inputs that say they are interlaced), on, off; in a pipeline file each input "
                "has its own",
                group);
    text_option(command, "--tonemap", text.tonemap, "NAME",
                "How HDR (PQ, HLG) becomes SDR: bt2390 (default), hable, reinhard, mobius, clip", group);
    text_option(command, "--start", text.start, "TIME", "Begin here on the canvas's time, e.g. 2.5s, 1:02.5",
                group);
    text_option(command, "--duration", text.duration, "TIME", "End after this long, at most", group);
}

void add_output_options(CLI::App& command, OutputOptions& options, const std::string& repeatable) {
    const std::string group = "Output";
    list_option(command, repeatable, options.outputs, "FILE",
                "Where to write; repeat for several. A file, an address, out%04d.png (numbered pictures), "
                "- (y4m on standard output), null: (nowhere), hash: (a hash of each picture)",
                group);
    command.add_flag("-y,--overwrite", options.overwrite, "Overwrite files that exist (refused otherwise)")
        ->group(group);
    text_option(command, "--format", options.format, "NAME",
                "Container or y4m, raw, png (default: by the name's ending)", group);
    text_option(command, "--vcodec", options.video_codec, "NAME",
                "Video encoder, as FFmpeg names it, e.g. libx264", group);
    command.add_option("--crf", options.crf, "Constant quality of the video encoder, lower is better")
        ->option_text("NUMBER")
        ->group(group);
    text_option(command, "--preset", options.preset, "NAME", "Preset of the video encoder, e.g. veryfast",
                group);
    text_option(command, "--bitrate", options.bitrate, "RATE", "Video bits per second, e.g. 6M", group);
    text_option(command, "--pix-fmt", options.pix_fmt, "NAME", "Pixel format, e.g. yuv420p, yuv420p10le",
                group);
    list_option(command, "--vopt", options.video_options, "KEY=VALUE",
                "Any other option of the video encoder; repeat", group);
    text_option(command, "--acodec", options.audio_codec, "NAME", "Audio encoder, e.g. aac, libopus", group);
    text_option(command, "--audio-bitrate", options.audio_bitrate, "RATE", "Audio bits per second, e.g. 192k",
                group);
    list_option(command, "--aopt", options.audio_options, "KEY=VALUE",
                "Any other option of the audio encoder; repeat", group);
    command.add_flag("--no-audio", options.no_audio, "Write no sound")->group(group);
}

void add_machine_options(CLI::App& command, MachineOptions& options) {
    const std::string group = "Device";
    text_option(command, "--device", options.device, "NAME",
                "Number, P.D or part of the name as weft devices lists it (default: best GPU, else CPU)",
                group);
    command
        .add_option("--buffers", options.buffers,
                    "Slots of each stream: 1 serial, 2 double-buffered, more (default: what weft tune found, "
                    "else 2); where "
                    "pictures may be fields there are 2 more, unless --deinterlace off")
        ->option_text("N")
        ->check(CLI::Range(1, 64))
        ->group(group);
    text_option(command, "--upload", options.upload, "PATH",
                "How pictures reach the device: auto (default), direct, pinned, pageable, host", group)
        ->check(one_of(gpu::upload_path_names()));
    text_option(
        command, "--queues", options.queues, "ORDER",
        "in-order (default): a queue each for copies up, kernels and copies down; out-of-order: one for all",
        group)
        ->check(one_of(gpu::queue_order_names()));
    command
        .add_flag("--reproducible", options.reproducible,
                  "Same input, same file: bit-exact muxing, fixed threads")
        ->group(group);
    command.add_flag("--no-tune", options.no_tune, "Ignore what weft tune found for the device")
        ->group(group);
}

graph::PipelineSpec make_pipeline(const SourceOptions& options, std::vector<Error>& problems) {
    graph::ShortOptions text = options.text;
    if (text.files.empty())
        throw Error(ErrorKind::usage, "no input: give video files or a pipeline.yaml (see --help)");
    const std::string first = text.files.front();
    if (!is_pipeline(first)) return graph::pipeline_from_options(text);
    graph::PipelineSpec spec = graph::parse_pipeline(read_text(first), first, problems);
    text.files.erase(text.files.begin());
    graph::apply_options(spec, text);
    return spec;
}

graph::PipelineSpec make_pipeline(const SourceOptions& options) {
    std::vector<Error> problems;
    graph::PipelineSpec spec = make_pipeline(options, problems);
    if (!problems.empty()) throw Errors(std::move(problems));
    return spec;
}

engine::RunOptions run_options(const MachineOptions& options) {
    engine::RunOptions run;
    run.device = options.device;
    run.buffers = options.buffers;
    run.upload = gpu::parse_upload_path(options.upload).value_or(gpu::UploadPath::automatic);
    run.queues = gpu::parse_queue_order(options.queues).value_or(gpu::QueueOrder::in_order);
    run.reproducible = options.reproducible;
    if (!options.no_tune)
        run.tuned = [](const gpu::DeviceInfo& device) { return engine::TunedFiles::of_user().load(device); };
    return run;
}

} // namespace weft::app
