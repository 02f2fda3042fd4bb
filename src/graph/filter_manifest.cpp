#include "graph/filter_manifest.hpp"

#include <algorithm>
#include <cmath>

#include "base/format.hpp"
#include "base/text_file.hpp"
#include "graph/expression_private.hpp"
#include "graph/manifest_lint_private.hpp"
#include "graph/param_value_private.hpp"
#include "graph/text_private.hpp"
#include "graph/yaml_tree_private.hpp"

namespace fs = std::filesystem;

namespace weft::graph {
namespace {

const std::vector<std::string> type_names{"float", "int",  "bool",  "enum", "colour",
                                          "time",  "file", "curve", "list", "expression"};

// A picture so far away is kept on the device for as long as all between.
constexpr int farthest_frame = 8;

// Names that expressions may use besides the filter's own: the component's range and the picture's size.
const std::vector<std::string> outer_names{"lo", "mid", "hi", "is_chroma", "chroma", "w", "h"};

ArgText arg_text(const YamlNode& node, std::vector<Error>& errors, const std::string& what) {
    if (node.is_scalar()) return node.text;
    std::vector<std::string> out;
    for (const YamlNode& item : node.items) {
        if (item.is_scalar())
            out.push_back(item.text);
        else if (item.is_sequence()) // points of a curve as [[x, y], ...]
            for (const YamlNode& inner : item.items)
                out.push_back(inner.text);
        else
            complain(errors, item.place, what + " must be a value or a list of values");
    }
    return out;
}

class ManifestReader {
  public:
    ManifestReader(const fs::path& file, FilterKind kind) : file_(file) {
        out_.kind = kind;
        out_.manifest_file = file;
    }

    FilterManifest read() {
        const YamlNode root = read_yaml(read_text(file_), file_.string());
        MapReader map(root, "filter", errors_);
        read_name(map);
        who_ = "filter '" + out_.name + "'";
        read_traits(map);
        if (const YamlNode* params = map.find("params")) read_params(*params);
        if (const YamlNode* derived = map.find("derived")) read_derived(*derived);
        if (const YamlNode* neutral = map.find("neutral")) read_neutral(*neutral);
        map.texts("examples"); // read by whoever shows them: see filter_examples.hpp
        read_affine(map);
        check_radius();
        if (const YamlNode* frames = map.find("frames")) read_frames(*frames);
        map.finish();
        read_kernel_text();
        if (!errors_.empty()) throw Errors(std::move(errors_));
        return std::move(out_);
    }

  private:
    void read_name(MapReader& map) {
        const YamlNode* node = map.require("filter");
        const std::string stem = file_.stem().string();
        out_.name = stem;
        if (!node) return;
        if (!node->is_scalar() || !is_identifier(node->text)) {
            complain(errors_, node->place, "filter must name itself with letters, digits and '_'");
        } else if (node->text != stem) {
            complain(errors_, node->place,
                     "filter is '" + node->text + "', but the file is named '" + stem + "'");
        }
    }

    void read_traits(MapReader& map) {
        out_.summary = map.text("summary").value_or("");
        if (out_.summary.empty()) complain(errors_, map.node().place, who_ + ": 'summary' is missing");
        out_.help = map.text("help").value_or("");
        read_reads(map);
        if (const auto space = map.choice("space", {"any", "rgb", "ycbcr", "luma"}))
            out_.space = static_cast<Space>(*space);
        if (const auto light = map.choice("light", {"any", "linear", "display"}))
            out_.light = static_cast<LightNeed>(*light);
        if (const auto alpha = map.choice("alpha", {"auto", "straight", "premultiplied"}))
            out_.alpha = static_cast<AlphaNeed>(*alpha);
        if (const auto taps = map.choice("taps", {"none", "matrix", "separable"}))
            out_.taps = static_cast<Taps>(*taps);
        out_.maker = map.text("maker").value_or("");
        out_.geometry = map.boolean("geometry").value_or(false);
        out_.clamp = map.boolean("clamp").value_or(false);
        out_.scales = map.boolean("scales").value_or(false);
        out_.mixes = map.boolean("mixes").value_or(false);
    }

    void read_reads(MapReader& map) {
        const YamlNode* node = map.find("reads");
        if (!node) return;
        if (node->is_map()) {
            out_.reads = Reads::window;
            MapReader window(*node, who_ + ": reads", errors_);
            if (const YamlNode* radius = window.require("window")) {
                radius_place_ = radius->place;
                out_.radius = radius->text;
                if (!radius->is_scalar())
                    complain(errors_, radius->place, who_ + ": window must be a radius");
            }
            window.finish();
            return;
        }
        const auto choice =
            read_choice(*node, who_ + ": reads", {"pixel", "anywhere", "{window: radius}"}, errors_);
        if (choice && *choice == 1) out_.reads = Reads::anywhere;
        if (choice && *choice == 2) out_.reads = Reads::window;
    }

    void read_params(const YamlNode& node) {
        MapReader all(node, who_ + ": params", errors_);
        for (const size_t i : all.rest()) {
            const auto& [name, place] = node.keys[i];
            if (!is_identifier(name))
                complain(errors_, place, who_ + ": parameter '" + name + "' is no C name");
            read_param_spec(name, node.items[i]);
        }
    }

    void read_param_spec(const std::string& name, const YamlNode& node) {
        ParamSpec param;
        param.name = name;
        const std::string what = who_ + ": " + name;
        MapReader map(node, what, errors_);
        const auto type = map.require("type") ? map.choice("type", type_names) : std::nullopt;
        if (type) param.type = static_cast<ParamType>(*type);
        param.required = map.boolean("required").value_or(false);
        param.unit = map.text("unit").value_or("");
        param.help = map.text("help").value_or("");
        param.aliases = map.texts("aliases");
        param.options = map.texts("options");
        if (const YamlNode* range = map.find("range")) read_range(*range, what, param);
        if (param.type == ParamType::enum_ && param.options.empty())
            complain(errors_, node.place, what + ": an enum needs 'options'");
        if (param.type != ParamType::enum_ && !param.options.empty())
            complain(errors_, node.place, what + ": only an enum has 'options'");
        const YamlNode* value = map.find("default");
        map.finish();
        if (type) read_default(value, node.place, what, param);
        for (const std::string& alias : param.aliases)
            if (out_.param(alias))
                complain(errors_, node.place, fmt::format("{}: '{}' is taken already", what, alias));
        out_.params.push_back(std::move(param));
    }

    void read_range(const YamlNode& range, const std::string& what, ParamSpec& param) {
        const auto bound = [&](const YamlNode& node, double& limit) {
            if (node.is_null() || node.text == "~") return;
            if (const std::optional<double> value = read_number(node.text))
                limit = *value;
            else
                complain(errors_, node.place, what + ": range has '" + node.text + "', expected a number");
        };
        if (!range.is_sequence() || range.items.size() != 2) {
            complain(errors_, range.place, what + ": range must be [lowest, highest]");
            return;
        }
        bound(range.items[0], param.min);
        bound(range.items[1], param.max);
        if (param.min > param.max) complain(errors_, range.place, what + ": range is empty");
    }

    void read_default(const YamlNode* value, const Place& place, const std::string& what, ParamSpec& param) {
        const bool may_be_empty =
            param.type == ParamType::file || param.type == ParamType::curve || param.type == ParamType::list;
        if (param.type == ParamType::file)
            param.default_value = std::string();
        else if (!is_number(param.type))
            param.default_value = std::vector<double>();
        if (!value) {
            if (!param.required && !may_be_empty)
                complain(errors_, place, what + ": give a 'default' or say 'required: true'");
            return;
        }
        // A default is the author's text: a file stays as written, so it is not resolved against anything.
        const Place unresolved =
            param.type == ParamType::file ? Place{value->place.file, 0, 0} : value->place;
        if (auto read =
                read_param(param, arg_text(*value, errors_, what), unresolved, who_ + ": default", errors_))
            param.default_value = std::move(*read);
    }

    std::vector<std::string> number_names(std::vector<std::string> names = outer_names) const {
        for (const ParamSpec& param : out_.params) {
            if (is_number(param.type))
                names.push_back(param.name);
            else if (param.type == ParamType::colour)
                for (const char* part : {"_r", "_g", "_b", "_a"})
                    names.push_back(param.name + part);
            else if (param.type == ParamType::list || param.type == ParamType::curve)
                names.push_back(param.name + "_count");
        }
        for (const auto& [name, unused] : out_.derived)
            names.push_back(name);
        return names;
    }

    void check(const std::string& expression, const Place& place, const std::string& what,
               const std::vector<std::string>& outer = outer_names) {
        if (const auto problem = check_expression(expression, number_names(outer)))
            complain(errors_, place, who_ + ": " + what + " '" + expression + "': " + *problem);
    }

    void read_derived(const YamlNode& node) {
        MapReader map(node, who_ + ": derived", errors_);
        for (const size_t i : map.rest()) {
            const auto& [name, place] = node.keys[i];
            const std::string& expression = node.items[i].text;
            if (!is_identifier(name) || out_.param(name))
                complain(errors_, place,
                         who_ + ": derived name '" + name + "' is no C name or a parameter's");
            check(expression, node.items[i].place, "derived " + name);
            out_.derived.emplace_back(name, expression);
        }
    }

    void read_neutral(const YamlNode& node) {
        MapReader map(node, who_ + ": neutral", errors_);
        std::vector<std::string> names;
        for (const ParamSpec& param : out_.params)
            names.push_back(param.name);
        for (const size_t i : map.rest()) {
            const auto& [name, place] = node.keys[i];
            const ParamSpec* param = out_.param(name);
            if (!param || param->name != name) {
                complain(errors_, place,
                         who_ + ": neutral: no parameter '" + name + "'" + suggestion(name, names));
                continue;
            }
            const ArgText value = arg_text(node.items[i], errors_, who_ + ": neutral: " + name);
            const auto* scalar = std::get_if<std::string>(&value);
            const bool expression = scalar &&
                                    (param->type == ParamType::float_ || param->type == ParamType::int_) &&
                                    !read_number(*scalar);
            if (expression)
                check(*scalar, node.items[i].place, "neutral " + name);
            else
                read_param(*param, value, node.items[i].place, who_ + ": neutral", errors_);
            out_.neutral[name] = scalar ? *scalar : join(std::get<std::vector<std::string>>(value), " ");
        }
    }

    // `count` expressions below `key`; nullopt when the key is absent or wrong.
    std::optional<std::vector<std::string>> expressions(MapReader& map, const std::string& key, size_t count,
                                                        const std::vector<std::string>& outer = outer_names) {
        const YamlNode* node = map.find(key);
        if (!node) return std::nullopt;
        if (!node->is_sequence() || node->items.size() != count) {
            complain(errors_, node->place,
                     who_ + ": " + key + " must be " + std::to_string(count) + " expressions");
            return std::nullopt;
        }
        std::vector<std::string> out;
        for (const YamlNode& item : node->items) {
            check(item.text, item.place, key, outer);
            out.push_back(item.text);
        }
        return out;
    }

    void read_affine(MapReader& map) {
        if (const auto plane = expressions(map, "affine_plane", 2))
            out_.affine_plane = {(*plane)[0], (*plane)[1]};
        out_.affine_matrix = expressions(map, "affine", 12);
        if (const YamlNode* when = map.find("affine_when")) {
            check(when->text, when->place, "affine_when", {});
            out_.affine_when = when->text;
            if (!out_.affine_plane && !out_.affine_matrix)
                complain(errors_, when->place, who_ + ": affine_when without affine or affine_plane");
        }
        const std::vector<std::string> moving{"progress", "w", "h"};
        if (const auto a = expressions(map, "offset_a", 2, moving)) out_.offset_a = {(*a)[0], (*a)[1]};
        if (const auto b = expressions(map, "offset_b", 2, moving)) out_.offset_b = {(*b)[0], (*b)[1]};
        if ((out_.offset_a || out_.offset_b) && out_.kind != FilterKind::transition)
            complain(errors_, map.node().place, who_ + ": only a transition has offset_a and offset_b");
    }

    void read_frames(const YamlNode& node) {
        std::vector<int> frames;
        for (const YamlNode& item : node.items) {
            const std::optional<double> value = read_number(item.text);
            const bool known = value && *value == std::round(*value) && std::fabs(*value) <= farthest_frame;
            if (known && std::find(frames.begin(), frames.end(), *value) == frames.end()) {
                frames.push_back(static_cast<int>(*value));
                continue;
            }
            complain(errors_, item.place,
                     who_ + ": frames has '" + item.text + "', expected different whole numbers from -" +
                         std::to_string(farthest_frame) + " to " + std::to_string(farthest_frame));
        }
        if (!node.is_sequence() || node.items.empty())
            complain(errors_, node.place, who_ + ": frames must be a list such as [-1, 0, 1]");
        const bool point = out_.kind == FilterKind::picture && out_.reads == Reads::pixel &&
                           out_.space != Space::luma && out_.maker.empty() && out_.taps == Taps::none &&
                           !out_.geometry && !out_.affine_plane && !out_.affine_matrix;
        if (!point)
            complain(errors_, node.place,
                     who_ + ": only the text of a picture filter that reads pixels, of the space any, rgb or "
                            "ycbcr, has frames");
        if (!frames.empty()) out_.frames = std::move(frames);
    }

    void check_radius() {
        if (out_.reads == Reads::window && !out_.radius.empty()) check(out_.radius, radius_place_, "window");
    }

    void read_kernel_text() {
        fs::path text = file_;
        text.replace_extension(".cl");
        std::error_code ignored;
        if (!fs::exists(text, ignored)) {
            if (!out_.geometry && out_.maker.empty() && out_.taps == Taps::none && !out_.offset_a &&
                !out_.offset_b)
                complain(errors_, {file_.string(), 1, 1},
                         who_ + ": no kernel text " + text.filename().string() + " beside it",
                         ErrorKind::not_found);
            return;
        }
        if (out_.geometry) {
            complain(errors_, {text.string(), 1, 1}, who_ + ": a geometry filter has no kernel text");
            return;
        }
        out_.text_file = text;
        out_.text = read_text(text);
        lint_kernel_text(out_.text, out_.name, text.string(), errors_);
    }

    const fs::path& file_;
    FilterManifest out_;
    std::string who_;
    Place radius_place_;
    std::vector<Error> errors_;
};

} // namespace

const ParamSpec* FilterManifest::param(const std::string& name_or_alias) const {
    const auto named = std::find_if(params.begin(), params.end(),
                                    [&](const ParamSpec& p) { return p.name == name_or_alias; });
    if (named != params.end()) return &*named;
    for (const ParamSpec& p : params)
        if (std::find(p.aliases.begin(), p.aliases.end(), name_or_alias) != p.aliases.end()) return &p;
    return nullptr;
}

int FilterManifest::reach() const {
    int reach = 0;
    for (const int frame : frames)
        reach = std::max(reach, std::abs(frame));
    return reach;
}

FilterManifest load_manifest(const fs::path& yaml, FilterKind kind) {
    return ManifestReader(yaml, kind).read();
}

} // namespace weft::graph
