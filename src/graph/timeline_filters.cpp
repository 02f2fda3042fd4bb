// Every filter of a pipeline, checked against the library once.
#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include "graph/text_private.hpp"
#include "graph/timeline_private.hpp"

namespace weft::graph {
namespace {

// What others call a filter or transition -> what to say here.
struct Habit {
    FilterKind kind;
    std::string_view name, hint;
};
constexpr std::array<Habit, 5> habits{{
    {FilterKind::transition, "crossfade", "use fade"},
    {FilterKind::transition, "xfade", "use fade, or another that weft transitions lists"},
    {FilterKind::picture, "scale", "use size of the canvas (--size) or rect of a layer"},
    {FilterKind::picture, "rotate", "use rotate of a layer, or transpose for quarter turns"},
    {FilterKind::picture, "pad", "use size of the canvas (--size) or rect of a layer"},
}};

bool tell_habit(FilterKind kind, const FilterSpec& filter, const FilterLibrary& library,
                std::vector<Error>& errors) {
    const auto found = std::find_if(habits.begin(), habits.end(), [&](const Habit& habit) {
        return habit.kind == kind && habit.name == filter.name;
    });
    if (found == habits.end() || library.find(kind, filter.name)) return false;
    errors.emplace_back(ErrorKind::not_found,
                        std::string("no ") + (kind == FilterKind::transition ? "transition" : "filter") +
                            " '" + filter.name + "': " + std::string(found->hint),
                        filter.place);
    return true;
}

// "eq=contrast=1.2,saturation=2": an option of the filter before, behind a comma.
bool tell_option(const FilterSpec& before, const FilterSpec& filter, const FilterLibrary& library,
                 std::vector<Error>& errors) {
    const auto manifest = library.find(FilterKind::picture, before.name);
    if (!manifest || library.find(FilterKind::picture, filter.name)) return false;
    if (manifest->param(filter.name) == nullptr) return false;
    errors.emplace_back(ErrorKind::not_found,
                        "no filter '" + filter.name + "', but an option of '" + before.name +
                            "' before it: separate options with a colon, filters with a comma",
                        filter.place);
    return true;
}

bool is_option(const FilterSpec& filter) {
    return filter.place.file == "--filter";
}

// The inputs that a layer plays.
std::set<std::string> inputs_of(const PipelineSpec& spec, const LayerSpec& layer) {
    const TrackSpec* track = spec.track(layer.from);
    if (!track) return {layer.from};
    std::set<std::string> out;
    for (const TrackEntry& entry : track->entries)
        if (const auto* play = std::get_if<PlayEntry>(&entry)) out.insert(play->input);
    return out;
}

} // namespace

void move_shapes(PipelineSpec& spec, const FilterLibrary& library, std::vector<Error>& errors) {
    const auto changes_shape = [&](const FilterSpec& filter) {
        const auto manifest = library.find(FilterKind::picture, filter.name);
        return manifest && manifest->geometry;
    };
    // Two layers of one input carry the same options; the input is turned once.
    std::set<std::string> moved;
    for (LayerSpec& layer : spec.layers) {
        auto& filters = layer.filters;
        const auto rest = std::find_if(filters.begin(), filters.end(), [&](const FilterSpec& filter) {
            return !is_option(filter) || !changes_shape(filter);
        });
        for (const std::string& name : inputs_of(spec, layer)) {
            const auto input = std::find_if(spec.inputs.begin(), spec.inputs.end(),
                                            [&](const InputSpec& in) { return in.name == name; });
            if (input != spec.inputs.end() && rest != filters.begin() && moved.insert(name).second)
                input->filters.insert(input->filters.end(), filters.begin(), rest);
        }
        filters.erase(filters.begin(), rest);
        const FilterSpec* before = nullptr; // the last one that leaves the shape alone
        for (const FilterSpec& filter : filters) {
            if (!changes_shape(filter))
                before = &filter;
            else if (before != nullptr)
                errors.emplace_back(ErrorKind::usage,
                                    "filter '" + filter.name +
                                        "' moves the picture's samples, but comes after '" + before->name +
                                        (is_option(filter)
                                             ? "': give it first"
                                             : "': put it first, or among the filters of the input"),
                                    filter.place);
        }
    }
    for (const FilterSpec& filter : spec.canvas.filters)
        if (changes_shape(filter))
            errors.emplace_back(
                ErrorKind::usage,
                "filter '" + filter.name +
                    "' moves the picture's samples, which the canvas has where it wants them: put "
                    "it among the filters of an input, or first among those of a layer",
                filter.place);
}

PipelineSpec with_shapes_first(PipelineSpec spec, const FilterLibrary& library) {
    std::vector<Error> told_elsewhere;
    move_shapes(spec, library, told_elsewhere);
    return spec;
}

namespace {

// "name=a:b=c" as an option has it, of the pieces that were read.
std::string option_text(const std::string& name,
                        const std::vector<std::pair<std::string, std::string>>& args) {
    std::string out = name;
    for (size_t i = 0; i < args.size(); ++i) {
        const bool plain = args[i].second.find_first_of(":,;'\\ ") == std::string::npos;
        out += (i == 0 ? "=" : ":") + (args[i].first.empty() ? "" : args[i].first + "=") +
               (plain ? args[i].second : "'" + args[i].second + "'");
    }
    return out;
}

// "hflip:eq=contrast=1.2", "eq=contrast=1.2;hflip": a chain without its commas, read as one filter. Gives it
// with them; "" when the filter holds no other one's name.
std::string chain_meant(const FilterManifest& manifest, const FilterSpec& filter,
                        const FilterLibrary& library) {
    const auto names_filter = [&](const std::string& word) {
        return manifest.param(word) == nullptr && library.find(FilterKind::picture, word) != nullptr;
    };
    std::vector<std::string> chain;
    std::string name = filter.name;
    std::vector<std::pair<std::string, std::string>> args;
    const auto begin = [&](std::string next) {
        chain.push_back(option_text(name, args));
        name = std::move(next);
        args.clear();
    };
    for (const auto& [key, value] : filter.args) {
        const auto* text = std::get_if<std::string>(&value);
        if (text == nullptr) return "";
        std::string rest = *text, own_key = key;
        if (names_filter(key)) { // ":eq=contrast=1.2"
            begin(key);
            own_key = "";
            if (const size_t equals = rest.find('='); equals != std::string::npos) {
                own_key = rest.substr(0, equals);
                rest.erase(0, equals + 1);
            }
        } else if (key.empty() && names_filter(rest)) { // ":hflip"
            begin(rest);
            continue;
        }
        const size_t semicolon = rest.find(';');
        const std::string behind = semicolon == std::string::npos ? "" : rest.substr(semicolon + 1);
        const bool another = names_filter(behind.substr(0, behind.find('=')));
        args.emplace_back(own_key, another ? rest.substr(0, semicolon) : rest);
        if (another) chain.push_back(option_text(name, args)), name = behind, args.clear();
    }
    if (chain.empty()) return "";
    begin("");
    return join(chain, ",");
}

} // namespace

FilterUses resolve_filters(const PipelineSpec& spec, const FilterLibrary& library,
                           std::vector<Error>& errors) {
    FilterUses out;
    const auto one = [&](FilterKind kind, const FilterSpec& filter, const FilterSpec* before = nullptr) {
        if (tell_habit(kind, filter, library, errors)) return;
        if (before != nullptr && tell_option(*before, filter, library, errors)) return;
        std::vector<Error> problems;
        if (auto use = library.use(kind, filter, problems)) {
            out.emplace(&filter, std::move(*use));
            return;
        }
        const auto manifest = library.find(kind, filter.name);
        const std::string meant = manifest ? chain_meant(*manifest, filter, library) : "";
        if (meant.empty())
            errors.insert(errors.end(), problems.begin(), problems.end());
        else
            errors.emplace_back(ErrorKind::usage,
                                "filter '" + filter.name +
                                    "' takes no other filter: separate filters with a comma: " + meant,
                                filter.place);
    };
    const auto chain = [&](const std::vector<FilterSpec>& filters) {
        for (size_t i = 0; i < filters.size(); ++i)
            one(FilterKind::picture, filters[i], i > 0 ? &filters[i - 1] : nullptr);
    };
    for (const InputSpec& input : spec.inputs)
        chain(input.filters);
    for (const TrackSpec& track : spec.tracks) {
        for (const TrackEntry& entry : track.entries) {
            if (const auto* play = std::get_if<PlayEntry>(&entry))
                chain(play->filters);
            else
                one(FilterKind::transition, std::get<TransitionEntry>(entry).transition);
        }
    }
    for (const LayerSpec& layer : spec.layers)
        chain(layer.filters);
    chain(spec.canvas.filters);
    return out;
}

std::vector<FilterUse> uses_of(const std::vector<FilterSpec>& filters, const FilterUses& uses) {
    std::vector<FilterUse> out;
    for (const FilterSpec& filter : filters)
        if (const auto found = uses.find(&filter); found != uses.end()) out.push_back(found->second);
    return out;
}

std::vector<Error> check_filters(const PipelineSpec& spec, const FilterLibrary& library) {
    std::vector<Error> errors;
    PipelineSpec moved = spec;
    move_shapes(moved, library, errors);
    resolve_filters(spec, library, errors);
    return errors;
}

} // namespace weft::graph
