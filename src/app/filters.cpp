// weft filters, weft transitions: what there is, from the manifests.
#include <algorithm>

#include "app/catalogue.hpp"
#include "app/command.hpp"
#include "app/text.hpp"
#include "base/error.hpp"
#include "base/format.hpp"

namespace weft::app {
namespace {

using graph::FilterKind;
using graph::FilterLibrary;
using graph::FilterManifest;
using Manifests = std::vector<std::shared_ptr<const FilterManifest>>;

struct CatalogueOptions {
    std::string name;
    bool names = false;
    bool json = false;
};

bool listed(const FilterManifest& filter, bool transitions) {
    return (filter.kind == FilterKind::transition) == transitions;
}

std::string list_text(const Manifests& filters, bool transitions) {
    std::vector<std::vector<std::string>> rows;
    for (const auto& filter : filters)
        rows.push_back({filter->name, filter->kind == FilterKind::generator ? "(generator) " + filter->summary
                                                                            : filter->summary});
    return table(rows, 2) + fmt::format("\n{} {}. weft {} NAME tells all about one.\n", filters.size(),
                                        transitions ? "transitions" : "filters",
                                        transitions ? "transitions" : "filters");
}

Error no_such(const FilterLibrary& library, const Manifests& filters, const std::string& name,
              bool transitions) {
    const char* const what = transitions ? "transition" : "filter";
    for (const auto& other : library.all())
        if (other->name == name)
            return Error(ErrorKind::not_found, fmt::format("no {} '{}'; it is a {}: weft {} {}", what, name,
                                                           transitions ? "filter" : "transition",
                                                           transitions ? "filters" : "transitions", name));
    std::vector<std::string> names;
    for (const auto& filter : filters)
        names.push_back(filter->name);
    const std::string nearest = nearest_name(name, names);
    return Error(ErrorKind::not_found,
                 fmt::format("no {} '{}'{} (weft {}s lists them)", what, name,
                             nearest.empty() ? "" : "; did you mean " + nearest + "?", what));
}

int show(const Common& common, const CatalogueOptions& options, bool transitions) {
    const FilterLibrary library = load_library(common);
    Manifests filters;
    for (const auto& filter : library.all())
        if (listed(*filter, transitions)) filters.push_back(filter);
    std::stable_sort(filters.begin(), filters.end(),
                     [](const auto& a, const auto& b) { return a->name < b->name; });
    if (!options.name.empty()) {
        const auto found = std::find_if(filters.begin(), filters.end(),
                                        [&](const auto& filter) { return filter->name == options.name; });
        if (found == filters.end()) throw no_such(library, filters, options.name, transitions);
        print(options.json ? filter_json(**found) + "\n" : describe_filter(**found));
        return 0;
    }
    std::string out;
    if (options.names) {
        for (const auto& filter : filters)
            out += filter->name + "\n";
    } else if (options.json) {
        for (const auto& filter : filters)
            out += (out.empty() ? "[" : ",\n") + filter_json(*filter);
        out = (out.empty() ? "[" : out) + "]\n";
    } else {
        out = list_text(filters, transitions);
    }
    print(out);
    return 0;
}

void add_catalogue(CLI::App& program, Session& session, bool transitions) {
    const std::string what = transitions ? "transitions" : "filters";
    auto* command = program.add_subcommand(what, fmt::format("List {0}, or tell all about one", what));
    auto options = std::make_shared<CatalogueOptions>();
    command->add_option("name", options->name, "Tell all about this one")->option_text("NAME");
    command->add_flag("--names", options->names, "Names alone, one a line");
    command->add_flag("--json", options->json, "As JSON");
    add_common_options(*command, session.common);
    command->footer(transitions ? "Examples:\n  weft transitions\n  weft transitions wipeleft\n"
                                  "  weft transitions --json | jq '.[].name'"
                                : "Examples:\n  weft filters\n  weft filters gblur\n"
                                  "  weft filters --filters ./my-filters --names");
    command->callback([&session, options, transitions] {
        session.run = [&session, options, transitions] {
            return show(session.common, *options, transitions);
        };
    });
}

} // namespace

void add_filters(CLI::App& program, Session& session) {
    add_catalogue(program, session, false);
}
void add_transitions(CLI::App& program, Session& session) {
    add_catalogue(program, session, true);
}

} // namespace weft::app
