// The output half of the options: what -o means, and what is refused before anything is opened.
#include <filesystem>
#include <map>

#include "app/options.hpp"
#include "base/error.hpp"
#include "base/format.hpp"

namespace fs = std::filesystem;

namespace weft::app {
namespace {

using graph::OutputKind;
using graph::OutputSpec;

std::vector<std::pair<std::string, std::string>>
key_values(const std::string& option, const std::vector<std::string>& texts, std::vector<Error>& errors) {
    std::vector<std::pair<std::string, std::string>> pairs;
    for (const std::string& text : texts) {
        const size_t equals = text.find('=');
        if (equals == std::string::npos || equals == 0)
            errors.emplace_back(ErrorKind::usage, fmt::format("{} '{}': expected KEY=VALUE", option, text));
        else
            pairs.emplace_back(text.substr(0, equals), text.substr(equals + 1));
    }
    return pairs;
}

void put(std::string& into, const std::string& value) {
    if (!value.empty()) into = value;
}

void append(std::vector<std::pair<std::string, std::string>>& into,
            const std::vector<std::pair<std::string, std::string>>& more) {
    into.insert(into.end(), more.begin(), more.end());
}

// A path on this machine's disks; false for pipes, addresses and outputs that are no file.
bool is_local_file(const OutputSpec& output) {
    return output.kind == OutputKind::file && output.file != "-" &&
           output.file.find("://") == std::string::npos;
}

bool is_numbered(const std::string& file) {
    const size_t percent = file.rfind('%');
    if (percent == std::string::npos) return false;
    const size_t end = file.find_first_not_of("0123456789", percent + 1);
    return end != std::string::npos && file[end] == 'd';
}

// The first existing file that writing `file` would replace, or "". Numbered pictures: any number that fits.
std::string existing(const std::string& file) {
    std::error_code ignored;
    if (!is_numbered(file)) return fs::is_regular_file(file, ignored) ? file : "";
    const size_t percent = file.rfind('%');
    const std::string head = fs::path(file.substr(0, percent)).filename().string();
    const std::string tail = file.substr(file.find('d', percent) + 1);
    const fs::path folder = fs::path(file).parent_path();
    for (const auto& entry : fs::directory_iterator(folder.empty() ? "." : folder, ignored)) {
        const std::string name = entry.path().filename().string();
        if (name.size() <= head.size() + tail.size() || !name.starts_with(head) || !name.ends_with(tail))
            continue;
        const std::string digits = name.substr(head.size(), name.size() - head.size() - tail.size());
        if (digits.find_first_not_of("0123456789") == std::string::npos) return entry.path().string();
    }
    return "";
}

} // namespace

OutputSpec parse_output(const std::string& text) {
    OutputSpec output;
    if (text.empty()) throw Error(ErrorKind::usage, "--output: the name is empty");
    if (text == "null:")
        output.kind = OutputKind::null;
    else if (text == "hash:")
        output.kind = OutputKind::hash;
    else
        output.file = text;
    if (text == "-") output.format = "y4m";
    return output;
}

void apply_outputs(graph::PipelineSpec& spec, const OutputOptions& options) {
    std::vector<Error> errors;
    if (!options.outputs.empty()) {
        spec.outputs.clear();
        for (const std::string& text : options.outputs)
            spec.outputs.push_back(parse_output(text));
    }
    const auto video_options = key_values("--vopt", options.video_options, errors);
    const auto audio_options = key_values("--aopt", options.audio_options, errors);
    if (!errors.empty()) throw Errors(errors);
    for (OutputSpec& output : spec.outputs) {
        put(output.video.pix_fmt, options.pix_fmt);
        if (output.kind != OutputKind::file) continue;
        put(output.format, options.format);
        put(output.video.codec, options.video_codec);
        put(output.video.preset, options.preset);
        put(output.video.bitrate, options.bitrate);
        if (options.crf) output.video.crf = options.crf;
        append(output.video.options, video_options);
        put(output.audio.codec, options.audio_codec);
        put(output.audio.bitrate, options.audio_bitrate);
        append(output.audio.options, audio_options);
        output.no_audio = output.no_audio || options.no_audio;
    }
}

void refuse_clashes(const graph::PipelineSpec& spec, bool overwrite) {
    std::vector<Error> errors;
    std::error_code ignored;
    std::map<std::string, int> seen;
    for (const OutputSpec& output : spec.outputs) {
        if (output.kind == OutputKind::file && output.file == "-" && ++seen["-"] > 1)
            errors.emplace_back(ErrorKind::usage, "standard output can take one output only", output.place);
        if (!is_local_file(output)) continue;
        if (++seen[fs::weakly_canonical(fs::absolute(output.file, ignored), ignored).string()] > 1)
            errors.emplace_back(ErrorKind::usage, fmt::format("output '{}' is given twice", output.file),
                                output.place);
        for (const graph::InputSpec& input : spec.inputs)
            if (fs::equivalent(input.url, output.file, ignored) &&
                !fs::is_character_file(output.file, ignored))
                errors.emplace_back(ErrorKind::usage,
                                    fmt::format("output '{}' is also an input", output.file), output.place);
        if (const std::string there = existing(output.file); !there.empty() && !overwrite)
            errors.emplace_back(ErrorKind::usage, fmt::format("output '{}' exists (-y overwrites)", there),
                                output.place);
    }
    if (!errors.empty()) throw Errors(errors);
}

} // namespace weft::app
