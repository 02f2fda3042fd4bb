// The readers of a pipeline file's parts.
#pragma once

#include "graph/pipeline_spec.hpp"
#include "graph/yaml_tree_private.hpp"

namespace weft::graph {

// What all of them share.
struct PipelineContext {
    std::string file;
    std::optional<Rational> rate; // of the canvas, for times in frames
    std::vector<Error> errors;
};

void complain(PipelineContext& context, const Place& place, const std::string& problem);

// A time at `key`; absent or wrong: nullopt.
std::optional<Rational> read_time(MapReader& map, const std::string& key, PipelineContext& context);
// Likewise, with a complaint when it is below 0 (or not above 0, with `positive`).
std::optional<Rational> read_span(MapReader& map, const std::string& key, bool positive,
                                  PipelineContext& context);

// `filters:` of any part: a list of filters, or a single one.
std::vector<FilterSpec> read_filters(MapReader& map, PipelineContext& context);
void read_tracks(const YamlNode& node, PipelineSpec& spec, PipelineContext& context);
void read_layers(const YamlNode& node, PipelineSpec& spec, PipelineContext& context);
void read_outputs(const YamlNode& node, PipelineSpec& spec, PipelineContext& context);

// The words of a pipeline file for our enumerators, in their order.
extern const std::vector<std::string> late_rules, end_rules, error_rules, deinterlace_words, fit_names,
    scale_names, blend_names, light_names, tone_names, canvas_colours, matrix_names, range_names;

} // namespace weft::graph
