// What bodies do at least, whatever their shape: the samples that are read, each once, and the arithmetic.
//
// Counted are the multiplications and additions of what is planned: a window's 2 for each weight that is not
// 0 (a separable one down and along), likewise a scale's, 18 of a colour matrix, 2 of an affine step on a
// component. Texts, curves, tone maps and blending are estimated by TextCost. Not counted is what belongs to
// loading and storing: between codes and values, and what addresses take.
#pragma once

#include "graph/codegen_private.hpp"
#include "graph/text_cost_private.hpp"

namespace weft::graph {

// Fill in `reads` and `operations` of a body that was made with the same arguments.
void count_plane(Body& body, const TextCost& texts, const Target& target, int component,
                 const PlacedLayer& layer, const Cell& cell);
void count_pixels(Body& body, const TextCost& texts, const Target& target,
                  const std::vector<PlacedLayer>& layers, const Cell& cell, const std::vector<Op>& to_target);
void count_quad(Body& body, const TextCost& texts, const Target& target, const PlacedLayer& layer,
                const Cell& cell, const std::vector<Op>& to_target);

// Operations of such steps on one sample of a plane.
double plane_cost(const TextCost& texts, const std::vector<Op>& ops, int component);

// All of a component, as a body reads it that is made by none of these.
Read whole_read(const ImageComponent& component);

// Bytes that bodies of one pass read together: what several of them read counts once.
double bytes_of(const std::vector<const Body*>& bodies);

} // namespace weft::graph
