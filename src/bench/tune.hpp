// Finds the shapes that a device is fastest with, one kind of work of one scene at a time.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bench/plan_side.hpp"
#include "graph/scene.hpp"
#include "graph/tuned.hpp"

namespace weft::bench {

// A variant counts as better only where it takes at least this much less time than the rule, as the median of
// rounds, and less in three rounds out of four. The one that is kept has done so twice, the second time alone
// beside the rule in rounds of their own.
constexpr double least_gain = 0.03;

struct TuneOptions {
    int rounds = 7;     // batches of each variant, turn about
    double ms = 40;     // about how long a batch lasts
    bool quick = false; // every other value only
};

struct ShapeVariant {
    graph::Shape shape;
    Spread ms;       // of a picture
    double gain = 0; // share that it saves of the time of the shape that it was tried beside, which is the
                     // best of those before its part was looked at; below 0: it is slower
    std::string refusal; // why it was not measured: it does not compile, or paints another picture
};

// What was found for one key.
struct ShapeFinding {
    graph::ShapeKey key;
    std::string scene;                  // what was painted
    std::vector<ShapeVariant> variants; // the first one is the rule's shape; those that come to the same plan
                                        // are left out
    graph::TunedShape chosen;
    double gain = 0; // of the chosen shape, measured again; 0: the rule stays
};

// Asked between batches. An unfinished key is not reported.
using Stopped = std::function<bool()>;

// Measures every kind of work in the scene's plan that `tuned` has no shape for, adds what was found to it
// and tells it. Each variant paints two pictures, which must be the rule's byte for byte. Errors : as
// PlanSide, when the rule's own plan cannot be run.
void tune_scene(Rig& rig, const graph::Scene& scene, const std::string& title, const TuneOptions& options,
                const Stopped& stopped, graph::Tuned& tuned,
                const std::function<void(const ShapeFinding&)>& told);

// Of rounds, times by rule and by a variant, turn about: the share that the variant saves, as their median.
double saved(const std::vector<double>& rule, const std::vector<double>& variant);
// The same where the variant is better by the measure of least_gain, else 0.
double gain_of(const std::vector<double>& rule, const std::vector<double>& variant);

} // namespace weft::bench
