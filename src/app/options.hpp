// The options of the commands that take a pipeline (render, play, check), and the pipeline they come to.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "base/error.hpp"
#include "engine/run.hpp"
#include "graph/pipeline_spec.hpp"

namespace weft::app {

// What is to be shown: files or a pipeline file, and what the short options say about it.
struct SourceOptions {
    graph::ShortOptions text;
};

// How it is written.
struct OutputOptions {
    std::vector<std::string> outputs; // -o, in order
    std::string format, video_codec, audio_codec, preset, bitrate, audio_bitrate, pix_fmt;
    std::optional<double> crf;
    std::vector<std::string> video_options, audio_options; // "key=value"
    bool no_audio = false;
    bool overwrite = false;
};

// How it is run.
struct MachineOptions {
    std::string device;
    int buffers = 0; // 0: what was tuned, or usual
    std::string upload = "auto";
    std::string queues = "in-order";
    bool reproducible = false;
    bool no_tune = false;
};

void add_source_options(CLI::App& command, SourceOptions& options);
// `repeatable` : the option that names outputs, "-o,--output" or "--record".
void add_output_options(CLI::App& command, OutputOptions& options, const std::string& repeatable);
void add_machine_options(CLI::App& command, MachineOptions& options);

// The pipeline: a first file that ends in .yaml or .yml is read and the short options are put over it; else
// the short options make one. Outputs are still those of the file. Errors : Errors; usage without any file.
graph::PipelineSpec make_pipeline(const SourceOptions& options);
// The same, but what is wrong with a pipeline file's text is added to `problems` and what could be read comes
// back.
graph::PipelineSpec make_pipeline(const SourceOptions& options, std::vector<Error>& problems);

// What -o and the codec options come to: replaces the spec's outputs when there is any -o, then puts the
// codec options over every file. Errors : Errors with every problem.
void apply_outputs(graph::PipelineSpec& spec, const OutputOptions& options);

// "null:", "hash:", "-", a path or an address. Errors : usage for an empty text.
graph::OutputSpec parse_output(const std::string& text);

// Refuses outputs that exist (unless `overwrite`), that are written twice, or that are one of the inputs.
// Errors : Errors naming each.
void refuse_clashes(const graph::PipelineSpec& spec, bool overwrite);

engine::RunOptions run_options(const MachineOptions& options);

} // namespace weft::app
