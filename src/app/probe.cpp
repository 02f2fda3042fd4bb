// weft probe: what weft understood of a file, and how it came to it.
#include <nlohmann/json.hpp>

#include "app/command.hpp"
#include "app/text.hpp"
#include "base/error.hpp"
#include "base/format.hpp"
#include "media/input.hpp"

namespace weft::app {
namespace {

using json = nlohmann::ordered_json;

struct ProbeOptions {
    std::vector<std::string> files;
    bool json = false;
};

std::string seconds_text(const Rational& seconds) {
    return fmt::format("{:.3f} s", seconds.value());
}

// "bt709 (tag)" or "bt709 (rule)": whether the file said it or the rule for untagged files did.
template<class Value>
std::string resolved(const Value& tagged, const Value& value) {
    return colour::name(value) + (tagged == Value::unspecified ? " (rule)" : " (tag)");
}

std::string colour_line(const media::StreamInfo& stream) {
    const colour::ColourSpec &tagged = stream.tagged, &spec = stream.format.colour;
    std::string out =
        fmt::format("matrix {}, range {}, transfer {}, primaries {}", resolved(tagged.matrix, spec.matrix),
                    resolved(tagged.range, spec.range), resolved(tagged.transfer, spec.transfer),
                    resolved(tagged.primaries, spec.primaries));
    if (stream.format.pixels.subsampled()) out += ", chroma " + resolved(tagged.chroma, spec.chroma);
    return out;
}

std::string stream_title(const media::StreamInfo& stream) {
    std::string out = stream.codec + (stream.profile.empty() ? "" : " (" + stream.profile + ")");
    if (!stream.language.empty()) out += ", " + stream.language;
    if (!stream.title.empty()) out += ", '" + stream.title + "'";
    return out;
}

std::string rate_text(const media::StreamInfo& stream) {
    std::string out = stream.format.rate.text() + " fps";
    if (!stream.variable_rate) return out;
    out += " (variable";
    if (stream.average_rate > Rational(0))
        out += fmt::format(", {:.6g} on average", stream.average_rate.value());
    return out + ")";
}

std::string video_text(const media::StreamInfo& stream) {
    const colour::PictureFormat& format = stream.format;
    std::string out =
        fmt::format("  video {}: {}, {}", stream.index, stream_title(stream), stream.stored_format);
    if (format.pixels.valid() && format.pixels.name != stream.stored_format)
        out += " (read as " + format.pixels.name + ")";
    out += fmt::format(", {}x{}", format.width, format.height);
    if (stream.still)
        out += ", one picture";
    else
        out += ", " + rate_text(stream);
    if (stream.frames > 0 && !stream.still) out += fmt::format(", {} frames", stream.frames);
    if (stream.duration) out += ", " + seconds_text(*stream.duration);
    if (stream.is_cut_short())
        out += fmt::format(" (cut short, {} declared)", seconds_text(*stream.declared));
    if (stream.interlaced) out += ", interlaced";
    if (stream.alpha) out += ", with alpha";
    if (stream.cover) out += ", a cover picture";
    out += "\n";
    if (!format.valid()) return out;
    out += "    colour: " + colour_line(stream) + "\n";
    const bool reshaped = format.rotation != 0 || format.mirror || format.sample_aspect != Rational(1);
    if (reshaped) {
        out += fmt::format("    shown as {}x{}", format.display_width(), format.display_height());
        if (format.mirror) out += ", mirrored";
        if (format.rotation != 0) out += fmt::format(", turned {} degrees clockwise", format.rotation * 90);
        if (format.sample_aspect != Rational(1))
            out += fmt::format(", pixels {}:{}", format.sample_aspect.num, format.sample_aspect.den);
        out += "\n";
    }
    return out;
}

std::string audio_text(const media::StreamInfo& stream) {
    std::string out = fmt::format("  audio {}: {}, {}, {} Hz", stream.index, stream_title(stream),
                                  stream.channel_layout.empty() ? fmt::format("{} channels", stream.channels)
                                                                : stream.channel_layout,
                                  stream.sample_rate);
    if (stream.duration) out += ", " + seconds_text(*stream.duration);
    return out + "\n";
}

std::string input_text(const media::InputInfo& info) {
    std::string out = fmt::format("{}: {}", info.url, info.container_name);
    out += info.duration ? ", " + seconds_text(*info.duration) : ", no duration";
    if (info.start != Rational(0)) out += ", starts at " + seconds_text(info.start);
    if (info.bytes > 0) out += ", " + byte_size(static_cast<double>(info.bytes));
    if (!info.seekable) out += ", not seekable";
    if (info.cut_short) out += ", cut short";
    out += "\n";
    for (const media::StreamInfo& stream : info.streams) {
        out += stream.kind == media::StreamKind::video ? video_text(stream) : audio_text(stream);
        if (!stream.problem.empty()) out += "    not usable: " + stream.problem + "\n";
        if (!stream.warning.empty()) out += "    warning: " + stream.warning + "\n";
    }
    return out;
}

json optional_seconds(const std::optional<Rational>& seconds) {
    return seconds ? json(seconds->value()) : json(nullptr);
}

template<class Value>
json colour_member(const Value& tagged, const Value& value) {
    return {{"value", colour::name(value)}, {"tagged", tagged != Value::unspecified}};
}

json stream_json(const media::StreamInfo& stream) {
    const bool video = stream.kind == media::StreamKind::video;
    json out{{"index", stream.index},
             {"kind", video ? "video" : "audio"},
             {"codec", stream.codec},
             {"profile", stream.profile},
             {"language", stream.language},
             {"title", stream.title},
             {"default", stream.is_default},
             {"duration", optional_seconds(stream.duration)},
             {"cut_short", stream.is_cut_short()},
             {"bits_per_second", stream.bits_per_second}};
    if (!stream.problem.empty()) out["problem"] = stream.problem;
    if (!stream.warning.empty()) out["warning"] = stream.warning;
    if (!video) {
        out["channels"] = stream.channels;
        out["channel_layout"] = stream.channel_layout;
        out["sample_rate"] = stream.sample_rate;
        return out;
    }
    const colour::PictureFormat& format = stream.format;
    out["stored_format"] = stream.stored_format;
    out["format"] = format.pixels.name;
    out["width"] = format.width;
    out["height"] = format.height;
    out["still"] = stream.still;
    out["rate"] = format.rate.text();
    out["average_rate"] = stream.average_rate.text();
    out["variable_rate"] = stream.variable_rate;
    out["frames"] = stream.frames;
    out["interlaced"] = stream.interlaced;
    out["alpha"] = stream.alpha;
    out["cover"] = stream.cover;
    if (!format.valid()) return out;
    out["display_width"] = format.display_width();
    out["display_height"] = format.display_height();
    out["sample_aspect"] = fmt::format("{}:{}", format.sample_aspect.num, format.sample_aspect.den);
    out["rotation"] = format.rotation * 90;
    out["mirror"] = format.mirror;
    const colour::ColourSpec &tagged = stream.tagged, &spec = format.colour;
    out["colour"] = {{"matrix", colour_member(tagged.matrix, spec.matrix)},
                     {"range", colour_member(tagged.range, spec.range)},
                     {"transfer", colour_member(tagged.transfer, spec.transfer)},
                     {"primaries", colour_member(tagged.primaries, spec.primaries)},
                     {"chroma", colour_member(tagged.chroma, spec.chroma)}};
    return out;
}

json input_json(const media::InputInfo& info) {
    json streams = json::array();
    for (const media::StreamInfo& stream : info.streams)
        streams.push_back(stream_json(stream));
    return {{"file", info.url},
            {"container", info.container},
            {"container_name", info.container_name},
            {"start", info.start.value()},
            {"duration", optional_seconds(info.duration)},
            {"bytes", info.bytes},
            {"seekable", info.seekable},
            {"cut_short", info.cut_short},
            {"streams", streams}};
}

// One bad file does not hide the others: its complaint comes at the end.
int probe_files(const ProbeOptions& options) {
    if (options.files.empty()) throw Error(ErrorKind::usage, "no file given (see weft probe --help)");
    std::vector<Error> errors;
    json list = json::array();
    for (const std::string& file : options.files) {
        try {
            const media::InputInfo info = media::probe(file);
            if (options.json)
                list.push_back(input_json(info));
            else
                print(input_text(info));
        } catch (const Error& e) {
            errors.emplace_back(e.kind(), describe(e));
            list.push_back({{"file", file}, {"error", describe(e)}});
        }
    }
    // Titles and names may hold bytes that are no UTF-8; they are replaced, not refused.
    if (options.json) print(list.dump(2, ' ', false, json::error_handler_t::replace) + "\n");
    if (!errors.empty()) throw Errors(errors);
    return 0;
}

} // namespace

void add_probe(CLI::App& program, Session& session) {
    auto* command =
        program.add_subcommand("probe", "Say what is in a file and how its colour and rate are read");
    auto options = std::make_shared<ProbeOptions>();
    command->add_option("files", options->files, "Files or addresses")->option_text("FILE...");
    command->add_flag("--json", options->json, "As JSON: a list with one object for each file");
    add_common_options(*command, session.common);
    command->footer(
        "(tag): the file says so. (rule): it does not, and weft's rule for untagged files decided.\n\n"
        "Examples:\n  weft probe clip.mp4\n  weft probe --json *.mp4 | jq '.[].streams[].rate'");
    command->callback([&session, options] { session.run = [options] { return probe_files(*options); }; });
}

} // namespace weft::app
