#include "bench/tune.hpp"

#include <algorithm>
#include <memory>
#include <set>

#include "base/error.hpp"
#include "base/format.hpp"

namespace weft::bench {
namespace {

constexpr int most_pictures = 3000;
constexpr int least_pictures = 3;
// Pictures that are compared, of a batch of this many: the first, and one half-way through transitions.
constexpr int shown[] = {0, 13}, shown_of = 26;

// Ended by whoever asks stopped().
struct Stop {};

double median(std::vector<double> values) {
    return spread(std::move(values)).median;
}

bool same_work(const graph::Plan& a, const graph::Plan& b) {
    return std::equal(a.passes.begin(), a.passes.end(), b.passes.begin(), b.passes.end(),
                      [](const graph::Pass& x, const graph::Pass& y) {
                          return x.text == y.text && x.global == y.global && x.local == y.local;
                      });
}

// One key of one scene.
class KeyTuner {
  public:
    KeyTuner(Rig& rig, const graph::Scene& scene, const TuneOptions& options, const Stopped& stopped,
             const graph::Shapes& others, const graph::ShapeKey& key)
        : rig_(rig), scene_(scene), options_(options), stopped_(stopped), others_(others), key_(key),
          rule_(make_side({})), expected_(pictures(*rule_)),
          count_(count_for(
              options.ms, [&](int n) { return rule_->batch(n); }, least_pictures, most_pictures)) {}

    ShapeFinding find(const std::string& title) {
        ShapeFinding finding;
        finding.key = key_;
        finding.scene = title;
        finding.variants.push_back({});
        graph::Shape best;
        // Part by part, each beginning with the best so far: all combinations would take hours.
        for (const graph::ShapePart& part : graph::shape_parts(key_.work, rig_.device.traits()))
            best = better(best, part, finding);
        if (best != graph::Shape{}) confirm(best, finding);
        finding.chosen.rule_ms = finding.variants.front().ms.median;
        if (finding.gain == 0) finding.chosen.ms = finding.chosen.rule_ms;
        return finding;
    }

  private:
    struct Runner {
        ShapeVariant variant;
        std::unique_ptr<PlanSide> side;
        std::vector<double> ms;
    };

    graph::Plan plan_of(const graph::Shape& shape) const {
        graph::PlannerOptions planner = rig_.planner;
        planner.shapes = others_;
        planner.shapes[key_] = shape;
        return graph::make_plan(scene_, rig_.device.traits(), planner);
    }

    std::unique_ptr<PlanSide> make_side(const graph::Shape& shape) const {
        return std::make_unique<PlanSide>(rig_, scene_, plan_of(shape));
    }

    static std::vector<std::vector<uint8_t>> pictures(PlanSide& side) {
        std::vector<std::vector<uint8_t>> out;
        for (const int number : shown)
            out.push_back(side.picture(number, shown_of));
        return out;
    }

    void take_turns(const std::vector<Runner*>& runners, int rounds) const {
        for (int round = 0; round < rounds; ++round)
            for (size_t i = 0; i < runners.size(); ++i) {
                if (stopped_()) throw Stop{};
                // In another order each round: who runs behind whom may matter.
                Runner& next = *runners[(i + static_cast<size_t>(round)) % runners.size()];
                next.ms.push_back(next.side->batch(count_).wall);
            }
    }

    Runner run_by(const graph::Shape& shape) const {
        Runner out;
        out.variant.shape = shape;
        try {
            out.side = make_side(shape);
            if (pictures(*out.side) != expected_) out.variant.refusal = "paints another picture";
        } catch (const cl::Error& error) {
            out.variant.refusal = fmt::format("{}: {}", error.what(), gpu::cl_error_name(error.err()));
        } catch (const Error& error) {
            out.variant.refusal = describe(error);
        }
        if (!out.variant.refusal.empty()) out.side.reset();
        return out;
    }

    graph::Shape better(const graph::Shape& from, const graph::ShapePart& part, ShapeFinding& finding) const {
        Runner base = run_by(from);
        if (!base.side) return from;
        std::vector<Runner> others;
        std::vector<graph::Plan> plans{base.side->plan()};
        for (size_t i = 0; i < part.values.size(); ++i) {
            if (options_.quick && i % 2 == 0 && part.values.size() > 2) continue;
            if (stopped_()) throw Stop{};
            const graph::Shape shape = with_part(from, part, part.values[i]);
            graph::Plan plan = plan_of(shape);
            if (std::any_of(plans.begin(), plans.end(), [&](const auto& p) { return same_work(p, plan); }))
                continue;
            plans.push_back(std::move(plan));
            others.push_back(run_by(shape));
        }
        std::vector<Runner*> runners{&base};
        for (Runner& other : others)
            if (other.side) runners.push_back(&other);
        if (runners.size() > 1) take_turns(runners, options_.rounds);
        if (from == graph::Shape{} && !base.ms.empty()) finding.variants.front().ms = spread(base.ms);
        graph::Shape best = from;
        double best_gain = 0;
        for (Runner& other : others) {
            if (other.side) {
                other.variant.ms = spread(other.ms);
                other.variant.gain = saved(base.ms, other.ms);
                if (const double gain = gain_of(base.ms, other.ms); gain > best_gain) {
                    best_gain = gain;
                    best = other.variant.shape;
                }
            }
            finding.variants.push_back(std::move(other.variant));
        }
        return best;
    }

    // Of many variants one is always lucky: the best must win a match of its own.
    void confirm(const graph::Shape& best, ShapeFinding& finding) const {
        Runner rule = run_by({}), other = run_by(best);
        if (!rule.side || !other.side) return;
        take_turns({&rule, &other}, 2 * options_.rounds);
        finding.gain = gain_of(rule.ms, other.ms);
        if (finding.gain == 0) return;
        finding.variants.front().ms = spread(rule.ms);
        finding.chosen.shape = best;
        finding.chosen.ms = median(other.ms);
    }

    Rig& rig_;
    const graph::Scene& scene_;
    const TuneOptions& options_;
    const Stopped& stopped_;
    const graph::Shapes others_;
    const graph::ShapeKey key_;
    std::unique_ptr<PlanSide> rule_;
    std::vector<std::vector<uint8_t>> expected_;
    int count_;
};

} // namespace

double saved(const std::vector<double>& rule, const std::vector<double>& variant) {
    WEFT_CHECK(!rule.empty() && rule.size() == variant.size());
    // Round by round, so that a machine that grows busy is nobody's luck.
    std::vector<double> ratios;
    for (size_t i = 0; i < rule.size(); ++i)
        ratios.push_back(variant[i] / rule[i]);
    return 1 - median(ratios);
}

double gain_of(const std::vector<double>& rule, const std::vector<double>& variant) {
    const double gain = saved(rule, variant);
    size_t won = 0;
    for (size_t i = 0; i < rule.size(); ++i)
        won += variant[i] < rule[i];
    return gain >= least_gain && 4 * won >= 3 * rule.size() ? gain : 0;
}

void tune_scene(Rig& rig, const graph::Scene& scene, const std::string& title, const TuneOptions& options,
                const Stopped& stopped, graph::Tuned& tuned,
                const std::function<void(const ShapeFinding&)>& told) {
    std::set<graph::ShapeKey> seen;
    try {
        for (const graph::ShapeUse& use : graph::make_plan(scene, rig.device.traits(), rig.planner).shapes) {
            if (tuned.shapes.contains(use.key) || !seen.insert(use.key).second) continue;
            if (stopped()) return;
            const ShapeFinding finding =
                KeyTuner(rig, scene, options, stopped, tuned.for_planner(), use.key).find(title);
            tuned.shapes[use.key] = finding.chosen;
            told(finding);
        }
    } catch (const Stop&) {
        // What was not finished is as if it had never begun.
    }
}

} // namespace weft::bench
