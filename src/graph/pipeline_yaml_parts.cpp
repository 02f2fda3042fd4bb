// A pipeline file's filters, tracks, layers and outputs.
#include <algorithm>

#include "graph/pipeline_values_private.hpp"
#include "graph/pipeline_yaml_private.hpp"
#include "graph/text_private.hpp"

namespace weft::graph {
namespace {

using ArgText = std::variant<std::string, std::vector<std::string>>;

// A value as text, or a list as texts; lists inside a list (points of a curve) become one.
ArgText read_argument(const YamlNode& node, PipelineContext& context) {
    if (node.is_scalar() || node.is_null()) return node.text;
    std::vector<std::string> out;
    for (const YamlNode& item : node.items) {
        if (node.is_sequence() && item.is_scalar()) {
            out.push_back(item.text);
        } else if (node.is_sequence() && item.is_sequence()) {
            for (const YamlNode& inner : item.items) {
                if (!inner.is_scalar()) complain(context, inner.place, "expected a single value");
                out.push_back(inner.text);
            }
        } else {
            complain(context, item.place, std::string("expected a value or a list, not ") + item.kind_name());
        }
    }
    return out;
}

void add_argument(FilterSpec& filter, const std::string& key, const YamlNode& value,
                  PipelineContext& context) {
    filter.args.emplace_back(key, read_argument(value, context));
    filter.arg_places.push_back(value.place);
}

// {eq: {contrast: 1.2}}, {gblur: 2}, {convolution: [0, -1, ...]}, {hflip: }
void read_filter_map(const YamlNode& node, std::vector<FilterSpec>& out, PipelineContext& context) {
    if (node.items.size() != 1) {
        complain(context, node.place,
                 "a filter is one name with its parameters, here are " + std::to_string(node.items.size()) +
                     " names");
        return;
    }
    FilterSpec filter;
    filter.name = node.keys[0].first;
    filter.place = node.keys[0].second;
    if (!is_identifier(filter.name)) {
        complain(context, filter.place, "'" + filter.name + "' is no filter name");
        return;
    }
    const YamlNode& value = node.items[0];
    if (value.is_map()) {
        MapReader map(value, "filter '" + filter.name + "'", context.errors);
        for (const size_t i : map.rest())
            add_argument(filter, value.keys[i].first, value.items[i], context);
    } else if (!value.is_null()) {
        add_argument(filter, "", value, context);
    }
    out.push_back(std::move(filter));
}

void read_filter(const YamlNode& node, std::vector<FilterSpec>& out, PipelineContext& context) {
    if (node.is_map()) {
        read_filter_map(node, out, context);
    } else if (node.is_scalar()) {
        try {
            for (FilterSpec& filter : parse_filter_chain(node.text, node.place))
                out.push_back(std::move(filter));
        } catch (const Error& e) {
            context.errors.push_back(e);
        }
    } else {
        complain(context, node.place, std::string("a filter is a name or a map, not ") + node.kind_name());
    }
}

void read_play(MapReader& map, TrackSpec& track, PipelineContext& context) {
    PlayEntry play;
    play.place = map.node().place;
    play.input = map.text("play").value_or("");
    play.from = read_span(map, "start", false, context);
    play.duration = read_span(map, "for", true, context);
    play.filters = read_filters(map, context);
    map.finish();
    track.entries.emplace_back(std::move(play));
}

void read_transition(MapReader& map, TrackSpec& track, PipelineContext& context) {
    TransitionEntry entry;
    const YamlNode& name = *map.find("transition");
    entry.place = name.place;
    entry.duration = read_span(map, "duration", true, context).value_or(1);
    try {
        entry.transition = parse_filter_string(map.text("transition").value_or("?"), name.place);
    } catch (const Error&) {
        if (name.is_scalar())
            complain(context, name.place, "transition is '" + name.text + "', expected a name");
    }
    for (const size_t i : map.rest())
        add_argument(entry.transition, map.node().keys[i].first, map.node().items[i], context);
    track.entries.emplace_back(std::move(entry));
}

void read_entry(const YamlNode& node, TrackSpec& track, PipelineContext& context) {
    MapReader map(node, "track '" + track.name + "'", context.errors);
    const bool play = map.find("play") != nullptr, transition = map.find("transition") != nullptr;
    if (play && transition)
        complain(context, node.place, "an entry is either 'play' or 'transition', not both");
    else if (play)
        read_play(map, track, context);
    else if (transition)
        read_transition(map, track, context);
    else if (node.is_map())
        complain(context, node.place, "an entry needs 'play' or 'transition'");
}

std::optional<std::array<Length, 4>> read_rect(MapReader& map, const std::string& key,
                                               PipelineContext& context) {
    const YamlNode* node = map.find(key);
    if (!node) return std::nullopt;
    if (!node->is_sequence() || node->items.size() != 4) {
        complain(context, node->place, key + " must be [x, y, width, height]");
        return std::nullopt;
    }
    std::array<Length, 4> out;
    for (size_t i = 0; i < 4; ++i) {
        const YamlNode& item = node->items[i];
        try {
            out[i] = read_length(item.text, item.place);
        } catch (const Error& e) {
            context.errors.push_back(e);
            return std::nullopt;
        }
        if (i >= 2 && out[i].value <= 0)
            complain(context, item.place,
                     key + ": " + (i == 2 ? "width" : "height") + " is '" + item.text +
                         "', expected more than 0");
    }
    return out;
}

void read_layer(const YamlNode& node, const std::string& who, PipelineSpec& spec, PipelineContext& context) {
    LayerSpec layer;
    layer.place = node.place;
    if (node.is_scalar()) { // - show
        layer.from = node.text;
        spec.layers.push_back(std::move(layer));
        return;
    }
    MapReader map(node, who, context.errors);
    if (const YamlNode* from = map.require("from")) {
        layer.from = map.text("from").value_or("");
        layer.place = from->place;
    }
    layer.rect = read_rect(map, "rect", context);
    layer.crop = read_rect(map, "crop", context);
    if (const auto fit = map.choice("fit", fit_names)) layer.fit = static_cast<Fit>(*fit);
    if (const auto scale = map.choice("scale", scale_names)) layer.scale = static_cast<ScaleMethod>(*scale);
    layer.opacity = map.number("opacity").value_or(1);
    if (layer.opacity < 0 || layer.opacity > 1)
        complain(context, map.find("opacity")->place,
                 who + ": opacity is " + number_text(layer.opacity) + ", allowed 0..1");
    layer.rotate_degrees = map.number("rotate").value_or(0);
    if (const auto blend = map.choice("blend", blend_names)) layer.blend = static_cast<Blend>(*blend);
    layer.at = read_span(map, "at", false, context);
    layer.duration = read_span(map, "for", true, context);
    layer.filters = read_filters(map, context);
    map.finish();
    if (map.find("from")) spec.layers.push_back(std::move(layer));
}

void read_codec(const YamlNode& node, const std::string& who, CodecSpec& codec, PipelineContext& context) {
    MapReader map(node, who, context.errors);
    codec.codec = map.text("codec").value_or("");
    codec.crf = map.number("crf");
    codec.preset = map.text("preset").value_or("");
    codec.pix_fmt = map.text("pix_fmt").value_or("");
    codec.bitrate = map.text("bitrate").value_or("");
    for (const size_t i : map.rest()) { // any other key is an option of the encoder
        const YamlNode& value = node.items[i];
        if (value.is_scalar())
            codec.options.emplace_back(node.keys[i].first, value.text);
        else
            complain(context, value.place, who + ": " + node.keys[i].first + " must be a single value");
    }
}

void read_output(const YamlNode& node, const std::string& who, PipelineSpec& spec, PipelineContext& context) {
    OutputSpec output;
    output.place = node.place;
    if (node.is_scalar() || node.is_null()) { // - window, - hash, - null, - out.mp4
        const std::string word = node.is_null() ? "null" : node.text;
        if (word == "window")
            output.kind = OutputKind::window;
        else if (word == "null")
            output.kind = OutputKind::null;
        else if (word == "hash")
            output.kind = OutputKind::hash;
        else
            output.file = word;
        spec.outputs.push_back(std::move(output));
        return;
    }
    MapReader map(node, who, context.errors);
    const std::vector<std::string> kinds{"window", "file", "null", "hash"};
    int given = 0;
    for (size_t i = 0; i < kinds.size(); ++i) {
        const YamlNode* found = map.find(kinds[i]);
        if (!found) continue;
        ++given;
        output.kind = static_cast<OutputKind>(i);
        if (output.kind == OutputKind::file) {
            output.file = map.text("file").value_or("");
            if (found->is_scalar() && found->text.empty())
                complain(context, found->place, who + ": file is empty");
        } else {
            MapReader(*found, who + ": " + kinds[i], context.errors).finish();
        }
    }
    if (given != 1 && node.is_map())
        complain(context, node.place, who + " must have exactly one of: " + join(kinds, ", "));
    if (output.kind == OutputKind::file) {
        output.format = map.text("format").value_or("");
        if (const YamlNode* video = map.find("video"))
            read_codec(*video, who + ": video", output.video, context);
    }
    if (const YamlNode* audio = map.find("audio")) {
        if (const auto on = audio->is_scalar() ? read_bool(audio->text) : std::nullopt)
            output.no_audio = !*on;
        else
            read_codec(*audio, who + ": audio", output.audio, context);
    }
    map.finish();
    spec.outputs.push_back(std::move(output));
}

bool is_list(const YamlNode& node, const char* what, PipelineContext& context) {
    if (!node.is_sequence() && !node.is_null())
        complain(context, node.place, std::string(what) + " is " + node.kind_name() + ", expected a list");
    return node.is_sequence();
}

} // namespace

std::vector<FilterSpec> read_filters(MapReader& map, PipelineContext& context) {
    std::vector<FilterSpec> out;
    const YamlNode* node = map.find("filters");
    if (!node || node->is_null()) return out;
    if (node->is_sequence())
        for (const YamlNode& item : node->items)
            read_filter(item, out, context);
    else
        read_filter(*node, out, context);
    return out;
}

void read_tracks(const YamlNode& node, PipelineSpec& spec, PipelineContext& context) {
    MapReader all(node, "tracks", context.errors);
    for (const size_t i : all.rest()) {
        TrackSpec track;
        std::tie(track.name, track.place) = node.keys[i];
        if (is_list(node.items[i], ("track '" + track.name + "'").c_str(), context))
            for (const YamlNode& entry : node.items[i].items)
                read_entry(entry, track, context);
        spec.tracks.push_back(std::move(track));
    }
}

void read_layers(const YamlNode& node, PipelineSpec& spec, PipelineContext& context) {
    if (!is_list(node, "layers", context)) return;
    for (size_t i = 0; i < node.items.size(); ++i)
        read_layer(node.items[i], "layers[" + std::to_string(i) + "]", spec, context);
}

void read_outputs(const YamlNode& node, PipelineSpec& spec, PipelineContext& context) {
    if (!is_list(node, "outputs", context)) return;
    for (size_t i = 0; i < node.items.size(); ++i)
        read_output(node.items[i], "outputs[" + std::to_string(i) + "]", spec, context);
}

} // namespace weft::graph
