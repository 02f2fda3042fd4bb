// A pipeline as the YAML that reads back to it.
#include <cmath>
#include <filesystem>

#include "base/log.hpp"
#include "graph/pipeline_yaml_private.hpp"
#include "graph/text_private.hpp"

namespace fs = std::filesystem;

namespace weft::graph {
namespace {

// Plain where YAML reads it as a word, else in double quotes with everything unusual escaped.
std::string word(const std::string& text) {
    const auto plain = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '/' || c == '.';
    };
    bool safe = !text.empty() && text != "null" && text != "Null" && text != "NULL";
    for (size_t i = 0; i < text.size(); ++i)
        safe = safe && (plain(text[i]) || (i > 0 && text[i] == '-'));
    const bool number = read_number(text).has_value();
    if (safe || number) return text;
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\')
            out += std::string("\\") + c;
        else if (c == '\n')
            out += "\\n";
        else if (c == '\t')
            out += "\\t";
        else if (static_cast<unsigned char>(c) < 32)
            out += spdlog::fmt_lib::format("\\x{:02x}", static_cast<unsigned char>(c));
        else
            out += c;
    }
    return out + "\"";
}

// One map in flow style, grown key by key.
class Flow {
  public:
    Flow& raw(const std::string& key, const std::string& yaml) {
        body_ += (body_.empty() ? "" : ", ") + word(key) + ": " + yaml;
        return *this;
    }
    Flow& text(const std::string& key, const std::string& value) { return raw(key, word(value)); }
    Flow& if_text(const std::string& key, const std::string& value) {
        return value.empty() ? *this : text(key, value);
    }
    Flow& if_time(const std::string& key, const std::optional<Rational>& time) {
        return time ? raw(key, word(time_text(*time))) : *this;
    }
    std::string str() const { return "{" + body_ + "}"; }
    bool empty() const { return body_.empty(); }

  private:
    std::string body_;
};

std::string colour_text(const Rgba& colour) {
    const auto code = [](double v) {
        return static_cast<int>(std::lround(std::fmin(std::fmax(v, 0), 1) * 255));
    };
    std::string out =
        spdlog::fmt_lib::format("#{:02x}{:02x}{:02x}", code(colour.r), code(colour.g), code(colour.b));
    if (colour.a != 1) out += "@" + number_text(colour.a);
    return word(out);
}

std::string argument(const std::variant<std::string, std::vector<std::string>>& value) {
    if (const auto* text = std::get_if<std::string>(&value)) return word(*text);
    std::string out = "[";
    for (const std::string& item : std::get<std::vector<std::string>>(value))
        out += (out.size() == 1 ? "" : ", ") + word(item);
    return out + "]";
}

// Positional values and named ones do not mix in a map, so that rare mixture stays an option string.
std::string option_string(const FilterSpec& filter) {
    const auto escaped = [](const std::string& text) {
        std::string out;
        for (const char c : text) {
            if (c == '\\' || c == ':' || c == '\'' || c == ',' || c == '=') out += '\\';
            out += c;
        }
        return out;
    };
    std::string out = filter.name;
    for (size_t i = 0; i < filter.args.size(); ++i) {
        const auto& [key, value] = filter.args[i];
        out += (i == 0 ? "=" : ":") + (key.empty() ? "" : key + "=");
        if (const auto* text = std::get_if<std::string>(&value))
            out += escaped(*text);
        else
            out += escaped(join(std::get<std::vector<std::string>>(value), " "));
    }
    return out;
}

std::string filter_text(const FilterSpec& filter) {
    if (filter.args.empty()) return word(filter.name);
    const bool single = filter.args.size() == 1 && filter.args[0].first.empty();
    if (single) return Flow().raw(filter.name, argument(filter.args[0].second)).str();
    Flow args;
    for (const auto& [key, value] : filter.args) {
        if (key.empty()) return word(option_string(filter));
        args.raw(key, argument(value));
    }
    return Flow().raw(filter.name, args.str()).str();
}

void add_filters(Flow& to, const std::vector<FilterSpec>& filters) {
    if (filters.empty()) return;
    std::string out = "[";
    for (const FilterSpec& filter : filters)
        out += (out.size() == 1 ? "" : ", ") + filter_text(filter);
    to.raw("filters", out + "]");
}

std::string rect_text(const std::array<Length, 4>& rect) {
    std::string out = "[";
    for (const Length& length : rect) {
        const std::string number = number_text(length.value) + (length.percent ? "%" : "");
        out += (out.size() == 1 ? "" : ", ") + word(number);
    }
    return out + "]";
}

std::string relative_url(const std::string& url, const std::string& pipeline) {
    const fs::path folder = fs::path(pipeline).parent_path();
    if (folder.empty() || fs::path(url).is_absolute() || !url.starts_with(folder.string() + "/")) return url;
    return fs::path(url).lexically_relative(folder).string();
}

std::string canvas_text(const CanvasSpec& canvas) {
    Flow out;
    if (canvas.size)
        out.raw("size", std::to_string(canvas.size->first) + "x" + std::to_string(canvas.size->second));
    if (canvas.rate) out.text("rate", canvas.rate->text());
    const Rgba& b = canvas.background;
    if (b.r != 0 || b.g != 0 || b.b != 0 || b.a != 1) out.raw("background", colour_text(b));
    if (canvas.light != Light::display) out.text("light", light_names[static_cast<size_t>(canvas.light)]);
    out.if_text("colour", canvas.colour);
    if (canvas.tone_map != colour::ToneMap::bt2390) out.text("tonemap", colour::name(canvas.tone_map));
    if (canvas.dither) out.raw("dither", *canvas.dither ? "true" : "false");
    out.if_text("layout", canvas.layout);
    add_filters(out, canvas.filters);
    return out.empty() ? "" : "canvas: " + out.str() + "\n";
}

std::string input_text(const InputSpec& input, const std::string& pipeline) {
    Flow out;
    out.text("url", relative_url(input.url, pipeline));
    out.if_time("start", input.start).if_time("duration", input.duration);
    const std::string& rule = end_rules[static_cast<size_t>(input.end_rule)];
    if (input.end)
        out.raw("end", "[" + word(time_text(*input.end)) + ", " + rule + "]");
    else if (input.end_rule != EndRule::hold)
        out.text("end", rule);
    if (input.offset != Rational(0)) out.if_time("offset", input.offset);
    if (input.rate) out.text("rate", input.rate->text());
    if (input.late != LateRule::hold) out.text("late", late_rules[static_cast<size_t>(input.late)]);
    if (input.on_error != ErrorRule::hold)
        out.text("on_error", error_rules[static_cast<size_t>(input.on_error)]);
    out.if_time("reconnect", input.reconnect);
    if (!input.required) out.raw("required", "false");
    if (input.volume_db != 0) out.raw("volume", number_text(input.volume_db) + "dB");
    if (input.mute) out.raw("mute", "true");
    out.if_text("video_stream", input.video_stream).if_text("audio_stream", input.audio_stream);
    if (input.matrix && *input.matrix != colour::Matrix::unspecified)
        out.text("matrix", matrix_names[static_cast<size_t>(*input.matrix) - 1]);
    if (input.range && *input.range != colour::Range::unspecified)
        out.text("range", range_names[static_cast<size_t>(*input.range) - 1]);
    if (input.deinterlace != Deinterlace::automatic)
        out.text("deinterlace", deinterlace_words[static_cast<size_t>(input.deinterlace)]);
    add_filters(out, input.filters);
    return out.str();
}

std::string entry_text(const TrackEntry& entry) {
    Flow out;
    if (const auto* play = std::get_if<PlayEntry>(&entry)) {
        out.text("play", play->input).if_time("start", play->from).if_time("for", play->duration);
        add_filters(out, play->filters);
        return out.str();
    }
    const auto& [transition, duration, place] = std::get<TransitionEntry>(entry);
    bool named = true;
    for (const auto& [key, value] : transition.args)
        named = named && !key.empty();
    out.text("transition", named ? transition.name : option_string(transition));
    out.if_time("duration", duration);
    if (named)
        for (const auto& [key, value] : transition.args)
            out.raw(key, argument(value));
    return out.str();
}

std::string layer_text(const LayerSpec& layer) {
    Flow out;
    out.text("from", layer.from);
    if (layer.rect) out.raw("rect", rect_text(*layer.rect));
    if (layer.crop) out.raw("crop", rect_text(*layer.crop));
    if (layer.fit != Fit::contain) out.text("fit", fit_names[static_cast<size_t>(layer.fit)]);
    if (layer.scale != ScaleMethod::automatic)
        out.text("scale", scale_names[static_cast<size_t>(layer.scale)]);
    if (layer.opacity != 1) out.raw("opacity", number_text(layer.opacity));
    if (layer.rotate_degrees != 0) out.raw("rotate", number_text(layer.rotate_degrees));
    if (layer.blend != Blend::normal) out.text("blend", blend_names[static_cast<size_t>(layer.blend)]);
    out.if_time("at", layer.at).if_time("for", layer.duration);
    add_filters(out, layer.filters);
    return out.str();
}

std::string codec_text(const CodecSpec& codec) {
    Flow out;
    out.if_text("codec", codec.codec);
    if (codec.crf) out.raw("crf", number_text(*codec.crf));
    out.if_text("preset", codec.preset).if_text("pix_fmt", codec.pix_fmt).if_text("bitrate", codec.bitrate);
    for (const auto& [key, value] : codec.options)
        out.text(key, value);
    return out.empty() ? "" : out.str();
}

std::string output_text(const OutputSpec& output) {
    Flow out;
    switch (output.kind) {
    case OutputKind::window:
        out.raw("window", "{}");
        break;
    case OutputKind::null:
        out.raw("null", "{}");
        break;
    case OutputKind::hash:
        out.raw("hash", "{}");
        break;
    case OutputKind::file:
        out.text("file", output.file).if_text("format", output.format);
        if (const std::string video = codec_text(output.video); !video.empty()) out.raw("video", video);
        break;
    }
    if (output.no_audio)
        out.raw("audio", "false");
    else if (const std::string audio = codec_text(output.audio); !audio.empty())
        out.raw("audio", audio);
    return out.str();
}

} // namespace

std::string to_yaml(const PipelineSpec& spec) {
    std::string out = "weft: 1\n" + canvas_text(spec.canvas);
    if (spec.start) out += "start: " + word(time_text(*spec.start)) + "\n";
    if (spec.duration) out += "duration: " + word(time_text(*spec.duration)) + "\n";
    if (!spec.inputs.empty()) out += "inputs:\n";
    for (const InputSpec& input : spec.inputs)
        out += "  " + word(input.name) + ": " + input_text(input, spec.file) + "\n";
    if (!spec.tracks.empty()) out += "tracks:\n";
    for (const TrackSpec& track : spec.tracks) {
        out += "  " + word(track.name) + ":\n";
        for (const TrackEntry& entry : track.entries)
            out += "    - " + entry_text(entry) + "\n";
    }
    if (!spec.layers.empty()) out += "layers:\n";
    for (const LayerSpec& layer : spec.layers)
        out += "  - " + layer_text(layer) + "\n";
    if (!spec.outputs.empty()) out += "outputs:\n";
    for (const OutputSpec& output : spec.outputs)
        out += "  - " + output_text(output) + "\n";
    return out;
}

} // namespace weft::graph
