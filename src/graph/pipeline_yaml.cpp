// A pipeline file's top level, canvas and inputs.
#include "graph/pipeline_yaml_private.hpp"

#include <algorithm>
#include <array>
#include <climits>
#include <filesystem>

#include "base/text_file.hpp"
#include "graph/pipeline_values_private.hpp"
#include "graph/text_private.hpp"

namespace fs = std::filesystem;

namespace weft::graph {

const std::vector<std::string> late_rules{"hold", "hide", "placeholder"};
const std::vector<std::string> end_rules{"hold", "hide", "loop", "stop"};
const std::vector<std::string> error_rules{"hold", "placeholder", "stop"};
const std::vector<std::string> deinterlace_words{"auto", "on", "off"};
const std::vector<std::string> fit_names{"contain", "cover", "fill", "none"};
const std::vector<std::string> scale_names{"auto", "area", "bilinear", "bicubic", "lanczos", "nearest"};
const std::vector<std::string> blend_names{"normal",  "add",    "multiply", "screen",
                                           "overlay", "darken", "lighten",  "difference"};
const std::vector<std::string> light_names{"display", "linear"};
// In the order of colour::ToneMap.
const std::vector<std::string> tone_names{"bt2390", "hable", "reinhard", "mobius", "clip"};
const std::vector<std::string> canvas_colours{"bt709", "bt601", "bt2020", "pq", "hlg"};
// In the order of colour::Matrix and colour::Range, without `unspecified`.
const std::vector<std::string> matrix_names{"rgb", "bt601", "bt709", "bt2020", "fcc", "smpte240m"};
const std::vector<std::string> range_names{"limited", "full"};

void complain(PipelineContext& context, const Place& place, const std::string& problem) {
    complain(context.errors, place, problem, ErrorKind::usage);
}

std::optional<Rational> read_time(MapReader& map, const std::string& key, PipelineContext& context) {
    const std::optional<std::string> text = map.text(key);
    if (!text) return std::nullopt;
    try {
        return parse_time(*text, map.find(key)->place, context.rate);
    } catch (const Error& e) {
        complain(context, e.place(), key + ": " + e.message());
        return std::nullopt;
    }
}

std::optional<Rational> read_span(MapReader& map, const std::string& key, bool positive,
                                  PipelineContext& context) {
    const std::optional<Rational> out = read_time(map, key, context);
    if (!out || (positive ? *out > Rational(0) : *out >= Rational(0))) return out;
    complain(context, map.find(key)->place,
             key + " is " + time_text(*out) + ", expected " + (positive ? "more than 0" : "0 or more"));
    return std::nullopt;
}

namespace {

// Runs one reading of a value; its Error joins the others.
template<class Read>
void collect(PipelineContext& context, Read&& read) {
    try {
        read();
    } catch (const Error& e) {
        context.errors.push_back(e);
    }
}

// "http://...", or one of FFmpeg's protocols and devices that go without slashes.
bool has_scheme(const std::string& url) {
    if (const size_t at = url.find("://"); at != std::string::npos && at > 0)
        return std::all_of(url.begin(), url.begin() + static_cast<std::ptrdiff_t>(at), [](unsigned char c) {
            return std::isalnum(c) || c == '+' || c == '-' || c == '.' || c == '_';
        });
    constexpr std::array<std::string_view, 6> plain{"lavfi:", "pipe:", "data:", "concat:", "file:", "fd:"};
    return std::any_of(plain.begin(), plain.end(),
                       [&](std::string_view scheme) { return url.starts_with(scheme); });
}

std::string resolve_url(const std::string& url, const std::string& pipeline) {
    if (url.empty() || url == "-" || has_scheme(url) || fs::path(url).is_absolute()) return url;
    const fs::path folder = fs::path(pipeline).parent_path();
    return folder.empty() ? url : (folder / url).lexically_normal().string();
}

void read_canvas(const YamlNode& node, CanvasSpec& canvas, PipelineContext& context) {
    canvas.place = node.place;
    MapReader map(node, "canvas", context.errors);
    // The rate comes first: times anywhere may count its frames.
    if (const auto rate = map.text("rate"))
        collect(context, [&] { canvas.rate = read_rate(*rate, map.find("rate")->place); });
    context.rate = canvas.rate;
    if (const YamlNode* size = map.find("size")) {
        const bool pair = size->is_sequence() && size->items.size() == 2;
        const std::string text = pair ? size->items[0].text + "x" + size->items[1].text : size->text;
        collect(context, [&] { canvas.size = read_size(text, size->place); });
    }
    if (const auto text = map.text("background")) {
        if (const auto colour = read_colour(*text))
            canvas.background = *colour;
        else
            complain(context, map.find("background")->place,
                     "background is '" + *text + "', expected a colour such as black, #101010, red@0.5");
    }
    if (const auto light = map.choice("light", light_names)) canvas.light = static_cast<Light>(*light);
    if (const auto colour = map.choice("colour", canvas_colours)) canvas.colour = canvas_colours[*colour];
    if (const auto tone = map.choice("tonemap", tone_names))
        canvas.tone_map = static_cast<colour::ToneMap>(*tone);
    if (const YamlNode* dither = map.find("dither"); dither && dither->text != "auto")
        canvas.dither = map.boolean("dither");
    if (const auto layout = map.text("layout")) {
        if (is_layout(*layout))
            canvas.layout = *layout;
        else
            complain(context, map.find("layout")->place,
                     "layout is '" + *layout + "', allowed: grid, hstack, vstack, or such as 3x2");
    }
    canvas.filters = read_filters(map, context);
    map.finish();
}

// `end: loop`, `end: 10s` or `end: [10s, loop]`.
void read_end(const YamlNode& node, InputSpec& input, PipelineContext& context) {
    if (node.is_sequence()) {
        for (const YamlNode& item : node.items)
            read_end(item, input, context);
        return;
    }
    const auto rule = std::find(end_rules.begin(), end_rules.end(), node.text);
    if (node.is_scalar() && rule != end_rules.end()) {
        input.end_rule = static_cast<EndRule>(rule - end_rules.begin());
        return;
    }
    try {
        input.end = parse_time(node.text, node.place, context.rate);
    } catch (const Error&) {
        complain(context, node.place,
                 "end is '" + node.text + "', allowed: " + join(end_rules, ", ") + ", or a time such as 10s");
    }
}

void read_levels(MapReader& map, InputSpec& input, PipelineContext& context) {
    if (const auto volume = map.text("volume"))
        collect(context, [&] {
            const Volume read = read_volume(*volume, map.find("volume")->place);
            input.volume_db = read.db;
            input.mute = read.mute;
        });
    input.mute = map.boolean("mute").value_or(input.mute);
}

void read_colour_overrides(MapReader& map, InputSpec& input) {
    if (const auto matrix = map.choice("matrix", matrix_names))
        input.matrix = static_cast<colour::Matrix>(*matrix + 1);
    if (const auto range = map.choice("range", range_names))
        input.range = static_cast<colour::Range>(*range + 1);
    if (const auto choice = map.choice("deinterlace", deinterlace_words))
        input.deinterlace = static_cast<Deinterlace>(*choice);
}

void read_input(const std::string& name, const YamlNode& node, PipelineSpec& spec, PipelineContext& context) {
    InputSpec input;
    input.name = name;
    input.place = node.place;
    if (node.is_scalar()) { // left: left.mp4
        input.url = resolve_url(node.text, context.file);
        spec.inputs.push_back(std::move(input));
        return;
    }
    MapReader map(node, "input '" + name + "'", context.errors);
    if (map.require("url")) {
        input.url = resolve_url(map.text("url").value_or(""), context.file);
        if (const YamlNode* url = map.find("url"); url->is_scalar() && url->text.empty())
            complain(context, url->place, "input '" + name + "': url is empty");
    }
    input.start = read_span(map, "start", false, context);
    input.duration = read_span(map, "duration", true, context);
    if (const YamlNode* end = map.find("end")) {
        read_end(*end, input, context);
        if (input.end && *input.end <= input.start.value_or(0))
            complain(context, end->place, "input '" + name + "': end is not behind its start");
    }
    input.offset = read_time(map, "offset", context).value_or(0);
    if (const auto rate = map.text("rate"))
        collect(context, [&] { input.rate = read_rate(*rate, map.find("rate")->place); });
    if (const auto late = map.choice("late", late_rules)) input.late = static_cast<LateRule>(*late);
    if (const auto rule = map.choice("on_error", error_rules)) input.on_error = static_cast<ErrorRule>(*rule);
    input.reconnect = read_span(map, "reconnect", true, context);
    if (input.reconnect && input.on_error == ErrorRule::stop)
        complain(context, map.find("reconnect")->place,
                 "reconnect goes on after a break, but on_error is 'stop': leave one of them out");
    input.required = map.boolean("required").value_or(true);
    read_levels(map, input, context);
    input.video_stream = map.text("video_stream").value_or("");
    input.audio_stream = map.text("audio_stream").value_or("");
    read_colour_overrides(map, input);
    input.filters = read_filters(map, context);
    map.finish();
    spec.inputs.push_back(std::move(input));
}

// Without layers every track, or else every input, is one.
void add_default_layers(PipelineSpec& spec) {
    const auto add = [&](const std::string& from, const Place& place) {
        LayerSpec layer;
        layer.from = from;
        layer.place = place;
        spec.layers.push_back(std::move(layer));
    };
    for (const TrackSpec& track : spec.tracks)
        add(track.name, track.place);
    if (spec.tracks.empty())
        for (const InputSpec& input : spec.inputs)
            add(input.name, input.place);
    if (spec.layers.size() > 1 && spec.canvas.layout.empty()) spec.canvas.layout = "grid";
}

void check_version(const YamlNode& root, PipelineContext& context) {
    const bool first = !root.keys.empty() && root.keys[0].first == "weft";
    if (!first) {
        const Place place = root.keys.empty() ? Place{context.file, 1, 1} : root.keys[0].second;
        complain(context, place, "the first key must be 'weft: 1'");
    } else if (root.items[0].text != "1") {
        complain(context, root.items[0].place, "weft is '" + root.items[0].text + "', this program reads 1");
    }
}

} // namespace

PipelineSpec parse_pipeline(const std::string& text, const std::string& file_name,
                            std::vector<Error>& problems) {
    PipelineContext context{file_name, {}, {}};
    PipelineSpec spec;
    spec.file = file_name;
    YamlNode root;
    try {
        root = read_yaml(text, file_name);
    } catch (const Error& e) {
        problems.push_back(e);
        return spec;
    }
    MapReader map(root, "pipeline", context.errors);
    check_version(root, context);
    map.find("weft");
    if (const YamlNode* canvas = map.find("canvas")) read_canvas(*canvas, spec.canvas, context);
    if (const YamlNode* inputs = map.find("inputs")) {
        MapReader all(*inputs, "inputs", context.errors);
        for (const size_t i : all.rest())
            read_input(inputs->keys[i].first, inputs->items[i], spec, context);
    }
    if (const YamlNode* tracks = map.find("tracks")) read_tracks(*tracks, spec, context);
    const YamlNode* layers = map.find("layers");
    if (layers) read_layers(*layers, spec, context);
    if (const YamlNode* outputs = map.find("outputs")) read_outputs(*outputs, spec, context);
    spec.start = read_span(map, "start", false, context);
    spec.duration = read_span(map, "duration", true, context);
    map.finish();
    if (layers && layers->items.empty() && !layers->is_scalar() && !spec.inputs.empty())
        complain(context, layers->place,
                 "layers is empty, so nothing is shown: name inputs, or leave it out");
    if (spec.layers.empty() && (!layers || layers->items.empty())) add_default_layers(spec);
    check_references(spec, context.errors);
    const auto position = [](const Error& e) { // what concerns the whole file comes last
        return e.place().line == 0 ? std::pair(INT_MAX, 0) : std::pair(e.place().line, e.place().column);
    };
    std::stable_sort(context.errors.begin(), context.errors.end(),
                     [&](const Error& a, const Error& b) { return position(a) < position(b); });
    problems.insert(problems.end(), context.errors.begin(), context.errors.end());
    return spec;
}

PipelineSpec parse_pipeline(const std::string& text, const std::string& file_name) {
    std::vector<Error> problems;
    PipelineSpec spec = parse_pipeline(text, file_name, problems);
    if (!problems.empty()) throw Errors(std::move(problems));
    return spec;
}

PipelineSpec load_pipeline(const std::string& file) {
    return parse_pipeline(read_text(file), file);
}

} // namespace weft::graph
