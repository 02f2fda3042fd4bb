// Every filter of a pipeline, checked against the library once.
#include "graph/timeline_private.hpp"

namespace weft::graph {

FilterUses resolve_filters(const PipelineSpec& spec, const FilterLibrary& library,
                           std::vector<Error>& errors) {
    FilterUses out;
    const auto one = [&](FilterKind kind, const FilterSpec& filter) {
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
    resolve_filters(spec, library, errors);
    return errors;
}

} // namespace weft::graph
