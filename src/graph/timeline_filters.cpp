// Every filter of a pipeline, checked against the library once.
#include <algorithm>
#include <array>
#include <set>
#include <string_view>

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
        for (auto late = filters.begin(); late != filters.end(); ++late)
            if (late != filters.begin() && is_option(*late) && changes_shape(*late))
                errors.emplace_back(ErrorKind::usage,
                                    "filter '" + late->name +
                                        "' changes the picture's shape, but comes after '" +
                                        filters.front().name + "': put it first",
                                    late->place);
    }
}

PipelineSpec with_shapes_first(PipelineSpec spec, const FilterLibrary& library) {
    std::vector<Error> told_elsewhere;
    move_shapes(spec, library, told_elsewhere);
    return spec;
}

FilterUses resolve_filters(const PipelineSpec& spec, const FilterLibrary& library,
                           std::vector<Error>& errors) {
    FilterUses out;
    const auto one = [&](FilterKind kind, const FilterSpec& filter) {
        if (tell_habit(kind, filter, library, errors)) return;
        if (auto use = library.use(kind, filter, errors)) out.emplace(&filter, std::move(*use));
    };
    const auto chain = [&](const std::vector<FilterSpec>& filters) {
        for (const FilterSpec& filter : filters)
            one(FilterKind::picture, filter);
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
