// What can be wrong with a pipeline before any file or filter is looked at.
#include <algorithm>

#include "graph/pipeline_spec.hpp"
#include "graph/text_private.hpp"

namespace weft::graph {
namespace {

std::vector<std::string> input_names(const PipelineSpec& spec) {
    std::vector<std::string> out;
    for (const InputSpec& input : spec.inputs)
        out.push_back(input.name);
    return out;
}

void check_track(const PipelineSpec& spec, const TrackSpec& track, std::vector<Error>& errors) {
    const std::string who = "track '" + track.name + "'";
    bool after_play = false; // a transition may come next
    for (size_t i = 0; i < track.entries.size(); ++i) {
        if (const auto* play = std::get_if<PlayEntry>(&track.entries[i])) {
            after_play = true;
            if (!spec.input(play->input))
                errors.emplace_back(ErrorKind::usage,
                                    who + ": no input '" + play->input + "'" +
                                        suggestion(play->input, input_names(spec)),
                                    play->place);
            continue;
        }
        const auto& transition = std::get<TransitionEntry>(track.entries[i]);
        const bool before_play =
            i + 1 < track.entries.size() && std::holds_alternative<PlayEntry>(track.entries[i + 1]);
        if (!after_play || !before_play)
            errors.emplace_back(ErrorKind::usage,
                                who + ": transition '" + transition.transition.name +
                                    "' does not stand between two clips",
                                transition.place);
        after_play = false;
    }
    if (track.entries.empty()) errors.emplace_back(ErrorKind::usage, who + " plays nothing", track.place);
}

} // namespace

void check_references(const PipelineSpec& spec, std::vector<Error>& errors) {
    std::vector<std::string> sources = input_names(spec);
    for (const TrackSpec& track : spec.tracks) {
        sources.push_back(track.name);
        if (spec.input(track.name))
            errors.emplace_back(ErrorKind::usage, "track '" + track.name + "' has the name of an input",
                                track.place);
        check_track(spec, track, errors);
    }
    for (size_t i = 0; i < spec.layers.size(); ++i) {
        const LayerSpec& layer = spec.layers[i];
        if (std::find(sources.begin(), sources.end(), layer.from) != sources.end()) continue;
        errors.emplace_back(ErrorKind::usage,
                            "layers[" + std::to_string(i) + "]: no input or track '" + layer.from + "'" +
                                suggestion(layer.from, sources),
                            layer.place);
    }
    if (spec.layers.empty())
        errors.emplace_back(ErrorKind::usage, "nothing to show: there are no inputs", Place{spec.file, 0, 0});
}

} // namespace weft::graph
