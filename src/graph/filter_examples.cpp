#include "graph/filter_examples.hpp"

#include <algorithm>
#include <cmath>

#include "base/format.hpp"
#include "base/text_file.hpp"
#include "graph/yaml_tree_private.hpp"

namespace weft::graph {
namespace {

const double unbounded = 1e29; // beyond it a manifest gave no bound

// Another value than the default.
std::string another_value(const ParamSpec& param) {
    if (param.type == ParamType::file) return example_file;
    if (param.options.size() > 1) return param.options[1];
    if (param.type == ParamType::bool_) return std::get<double>(param.default_value) == 0 ? "true" : "false";
    const auto* plain = std::get_if<double>(&param.default_value);
    if (plain == nullptr) return {};
    double value = *plain * 1.2;
    if (*plain == 0) value = param.max < unbounded ? param.max / 10 : 1;
    if (param.type == ParamType::int_) value = std::ceil(value);
    return fmt::format("{:.3g}", std::clamp(value, param.min, param.max));
}

bool is_default(const ParamSpec& param, const std::string& text) {
    if (const auto* plain = std::get_if<double>(&param.default_value)) {
        if (param.type == ParamType::enum_) return param.options[static_cast<size_t>(*plain)] == text;
        return fmt::format("{}", *plain) == text;
    }
    if (const auto* words = std::get_if<std::string>(&param.default_value)) return *words == text;
    return false;
}

// The defaults are those with which the filter changes nothing.
bool idle_by_default(const FilterManifest& filter) {
    return !filter.neutral.empty() && std::all_of(filter.neutral.begin(), filter.neutral.end(), [&](auto& n) {
        const ParamSpec* param = filter.param(n.first);
        return param != nullptr && is_default(*param, n.second);
    });
}

std::string made_up(const FilterManifest& filter) {
    std::string options;
    const auto add = [&](const ParamSpec& param) {
        const std::string value = another_value(param);
        if (!value.empty()) options += (options.empty() ? "" : ":") + param.name + "=" + value;
    };
    for (const ParamSpec& param : filter.params)
        if (param.required) add(param);
    if (!options.empty() || !idle_by_default(filter)) return options;
    const auto changing =
        std::find_if(filter.params.begin(), filter.params.end(), [&](const ParamSpec& param) {
            return filter.neutral.contains(param.name) && !another_value(param).empty();
        });
    if (changing != filter.params.end()) add(*changing);
    return options;
}

} // namespace

std::vector<std::string> example_options(const FilterManifest& filter) {
    std::vector<std::string> examples;
    if (!filter.manifest_file.empty()) {
        const std::string file = filter.manifest_file.string();
        std::vector<Error> errors;
        const YamlNode root = read_yaml(read_text(filter.manifest_file), file);
        examples = MapReader(root, "filter", errors).texts("examples");
        if (!errors.empty()) throw Errors(std::move(errors));
    }
    if (examples.empty()) examples.push_back(made_up(filter));
    return examples;
}

std::string with_options(const std::string& filter, const std::string& options) {
    return options.empty() ? filter : filter + "=" + options;
}

} // namespace weft::graph
