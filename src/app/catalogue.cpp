#include "app/catalogue.hpp"

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include "app/text.hpp"
#include "base/format.hpp"
#include "graph/filter_examples.hpp"

namespace weft::app {
namespace {

using graph::FilterKind;
using graph::FilterManifest;
using graph::ParamSpec;
using graph::ParamType;

const double unbounded = 1e29; // beyond it a manifest gave no bound

std::string kind_name(FilterKind kind) {
    switch (kind) {
    case FilterKind::picture:
        return "filter";
    case FilterKind::transition:
        return "transition";
    case FilterKind::generator:
        return "generator";
    }
    return "";
}

std::string reads_name(graph::Reads reads) {
    switch (reads) {
    case graph::Reads::pixel:
        return "pixel";
    case graph::Reads::window:
        return "window";
    case graph::Reads::anywhere:
        return "anywhere";
    }
    return "";
}

std::string space_name(graph::Space space) {
    switch (space) {
    case graph::Space::any:
        return "any";
    case graph::Space::rgb:
        return "rgb";
    case graph::Space::ycbcr:
        return "ycbcr";
    case graph::Space::luma:
        return "luma";
    }
    return "";
}

std::string light_name(graph::LightNeed light) {
    switch (light) {
    case graph::LightNeed::any:
        return "any";
    case graph::LightNeed::linear:
        return "linear";
    case graph::LightNeed::display:
        return "display";
    }
    return "";
}

std::string alpha_name(graph::AlphaNeed alpha) {
    switch (alpha) {
    case graph::AlphaNeed::automatic:
        return "automatic";
    case graph::AlphaNeed::straight:
        return "straight";
    case graph::AlphaNeed::premultiplied:
        return "premultiplied";
    }
    return "";
}

// What the properties mean, for a reader who never saw a manifest.
std::string nature(const FilterManifest& filter) {
    if (filter.geometry) return "changes size or orientation only";
    std::string text;
    switch (filter.reads) {
    case graph::Reads::pixel:
        text = "reads one pixel";
        break;
    case graph::Reads::window:
        text = "reads a window of radius " + filter.radius;
        break;
    case graph::Reads::anywhere:
        text = "reads any place of the picture";
        break;
    }
    switch (filter.space) {
    case graph::Space::any:
        text += ", every component alike";
        break;
    case graph::Space::rgb:
        text += ", in RGB";
        break;
    case graph::Space::ycbcr:
        text += ", in Y'CbCr";
        break;
    case graph::Space::luma:
        text += ", luma alone";
        break;
    }
    if (filter.light == graph::LightNeed::linear) text += ", in linear light";
    if (filter.scales) text += ", scales them by one factor";
    if (filter.mixes) text += ", mixes its two pictures by shares that do not depend on them";
    if (filter.clamp) text += ", clips the result to 0..1";
    return text;
}

std::string colour_text(const std::vector<double>& rgba) {
    std::string out = "#";
    for (size_t i = 0; i < rgba.size() && i < 4; ++i) {
        if (i == 3 && rgba[3] >= 1) break;
        out += fmt::format("{:02x}", std::clamp(static_cast<int>(std::lround(rgba[i] * 255)), 0, 255));
    }
    return out;
}

// "{eq: {contrast: 1.2}}", as a pipeline file has it.
std::string example_yaml(const std::string& text) {
    const graph::FilterSpec spec = graph::parse_filter_string(text);
    std::string values;
    for (const auto& [name, value] : spec.args) {
        if (name.empty()) return fmt::format("\"{}\"", text); // positional ones have no place in a map
        const auto* words = std::get_if<std::string>(&value);
        const std::string written =
            words ? *words : fmt::format("{}", fmt::join(std::get<std::vector<std::string>>(value), " "));
        const bool plain = written.find_first_of(" #:,[]{}'\"") == std::string::npos;
        values += fmt::format("{}{}: {}", values.empty() ? "" : ", ", name,
                              plain ? written : "\"" + written + "\"");
    }
    return values.empty() ? spec.name : fmt::format("{{{}: {{{}}}}}", spec.name, values);
}

std::string examples(const FilterManifest& filter) {
    const std::string text = graph::with_options(filter.name, graph::example_options(filter).front());
    const std::string yaml = example_yaml(text);
    if (filter.kind == FilterKind::transition)
        return fmt::format("  --transition {}\n  in a track: {{transition: {}, duration: 1s}}\n",
                           shell_quoted(text + ":1s"), filter.name);
    return fmt::format("  --filter {}\n  in a pipeline: filters: [{}]\n", shell_quoted(text), yaml);
}

} // namespace

std::string type_name(ParamType type) {
    switch (type) {
    case ParamType::float_:
        return "float";
    case ParamType::int_:
        return "int";
    case ParamType::bool_:
        return "bool";
    case ParamType::enum_:
        return "enum";
    case ParamType::colour:
        return "colour";
    case ParamType::time:
        return "time";
    case ParamType::file:
        return "file";
    case ParamType::curve:
        return "curve";
    case ParamType::list:
        return "list";
    case ParamType::expression:
        return "expression";
    }
    return "";
}

std::string value_text(const ParamSpec& param, const graph::ParamValue& value) {
    if (const auto* text = std::get_if<std::string>(&value)) return *text;
    if (const auto* list = std::get_if<std::vector<double>>(&value)) {
        if (param.type == ParamType::colour) return colour_text(*list);
        std::string out;
        for (size_t i = 0; i < list->size(); ++i) {
            const char* const gap = param.type == ParamType::curve && i % 2 == 1 ? "/" : " ";
            out += (i == 0 ? "" : gap) + number((*list)[i]);
        }
        return out;
    }
    const double plain = std::get<double>(value);
    if (param.type == ParamType::bool_) return plain != 0 ? "true" : "false";
    if (param.type == ParamType::enum_ && plain >= 0 && plain < static_cast<double>(param.options.size()))
        return param.options[static_cast<size_t>(plain)];
    if (param.type == ParamType::time) return number(plain) + "s";
    return number(plain);
}

std::string allowed_text(const ParamSpec& param) {
    if (param.type == ParamType::enum_) {
        std::string out;
        for (const std::string& option : param.options)
            out += (out.empty() ? "" : "|") + option;
        return out;
    }
    const bool below = param.min > -unbounded, above = param.max < unbounded;
    if (below && above) return number(param.min) + ".." + number(param.max);
    if (below) return "at least " + number(param.min);
    if (above) return "at most " + number(param.max);
    return "";
}

std::string describe_filter(const FilterManifest& filter) {
    std::string out = filter.name + ": " + filter.summary + "\n";
    out += fmt::format("  {}, {}\n", kind_name(filter.kind), nature(filter));
    if (filter.reads_neighbours())
        out += fmt::format(
            "  reads the pictures {} of the clip (0 is the one that is shown): not for the canvas or "
            "a layer in a transition\n",
            fmt::join(filter.frames, ", "));
    if (!filter.help.empty()) out += "\n" + filter.help + (filter.help.ends_with('\n') ? "" : "\n");
    if (filter.params.empty()) {
        out += "\nNo parameters.\n";
    } else {
        std::vector<std::vector<std::string>> rows{
            {"parameter", "type", "default", "allowed", "unit", "meaning"}};
        for (const ParamSpec& param : filter.params) {
            std::string name = param.name;
            for (const std::string& alias : param.aliases)
                name += ", " + alias;
            rows.push_back({name, type_name(param.type),
                            param.required ? "(required)" : value_text(param, param.default_value),
                            allowed_text(param), param.unit, param.help});
        }
        out += "\n" + table(rows, 2);
    }
    out += "\nUse:\n" + examples(filter);
    out += "\nFile: " + filter.manifest_file.string() + "\n";
    return out;
}

std::string filter_json(const FilterManifest& filter) {
    using json = nlohmann::ordered_json;
    json params = json::array();
    for (const ParamSpec& param : filter.params) {
        json one{{"name", param.name}, {"type", type_name(param.type)}, {"required", param.required}};
        if (const auto* value = std::get_if<double>(&param.default_value);
            value && (param.type == ParamType::float_ || param.type == ParamType::int_ ||
                      param.type == ParamType::time))
            one["default"] = *value;
        else if (param.type == ParamType::bool_ && value)
            one["default"] = *value != 0;
        else
            one["default"] = value_text(param, param.default_value);
        if (param.min > -unbounded) one["min"] = param.min;
        if (param.max < unbounded) one["max"] = param.max;
        if (!param.options.empty()) one["options"] = param.options;
        if (!param.aliases.empty()) one["aliases"] = param.aliases;
        one["unit"] = param.unit;
        one["help"] = param.help;
        params.push_back(one);
    }
    const json out{{"name", filter.name},
                   {"kind", kind_name(filter.kind)},
                   {"summary", filter.summary},
                   {"reads", reads_name(filter.reads)},
                   {"space", space_name(filter.space)},
                   {"light", light_name(filter.light)},
                   {"alpha", alpha_name(filter.alpha)},
                   {"frames", filter.frames},
                   {"scales", filter.scales},
                   {"mixes", filter.mixes},
                   {"clamp", filter.clamp},
                   {"geometry", filter.geometry},
                   {"params", params},
                   {"file", filter.manifest_file.string()}};
    return out.dump(2);
}

} // namespace weft::app
