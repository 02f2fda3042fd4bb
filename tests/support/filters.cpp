#include "support/filters.hpp"

#include <sstream>

#include "base/error.hpp"
#include "base/format.hpp"
#include "graph/filter_manifest.hpp"

namespace weft::test {

const graph::FilterLibrary& built_in_filters() {
    static const graph::FilterLibrary library({std::filesystem::path(WEFT_SOURCE_DIR) / "filters"});
    return library;
}

graph::FilterUse use_of(graph::FilterKind kind, const std::string& name, const Args& args) {
    graph::FilterSpec spec;
    spec.name = name;
    for (const auto& [key, value] : args)
        spec.args.emplace_back(key, value);
    spec.arg_places.resize(args.size());
    std::vector<Error> errors;
    std::optional<graph::FilterUse> use = built_in_filters().use(kind, spec, errors);
    if (!use) throw Errors(std::move(errors));
    return std::move(*use);
}

graph::FilterUse picture_filter(const std::string& name, const Args& args) {
    return use_of(graph::FilterKind::picture, name, args);
}

graph::FilterUse transition(const std::string& name, const Args& args) {
    return use_of(graph::FilterKind::transition, name, args);
}

double number(const graph::FilterUse& use, const std::string& name) {
    const auto* value = std::get_if<double>(&use.values.at(name));
    WEFT_CHECK(value != nullptr);
    return *value;
}

std::vector<double> numbers(const graph::FilterUse& use, const std::string& name) {
    const auto* value = std::get_if<std::vector<double>>(&use.values.at(name));
    WEFT_CHECK(value != nullptr);
    return *value;
}

std::string text(const graph::FilterUse& use, const std::string& name) {
    const auto* value = std::get_if<std::string>(&use.values.at(name));
    WEFT_CHECK(value != nullptr);
    return *value;
}

std::string describe(const graph::FilterUse& use) {
    std::string out = use.manifest->name;
    for (const auto& [name, value] : use.values) {
        out += " " + name + "=";
        if (const auto* one = std::get_if<double>(&value))
            out += fmt::format("{}", *one);
        else if (const auto* words = std::get_if<std::string>(&value))
            out += *words;
        else
            out += fmt::format("{}", fmt::join(std::get<std::vector<double>>(value), " "));
    }
    return out;
}

} // namespace weft::test
