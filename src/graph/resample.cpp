#include "graph/resample.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "base/error.hpp"
#include "base/rational.hpp"

namespace weft::graph {
namespace {

constexpr double negligible = 1e-7; // of a weight

double bilinear(double x) {
    return std::max(0.0, 1.0 - std::fabs(x));
}

// Mitchell-Netravali with B = 0, C = 0.6.
double bicubic(double x) {
    constexpr double c = 0.6;
    x = std::fabs(x);
    if (x < 1) return (2 - c) * x * x * x + (c - 3) * x * x + 1;
    if (x < 2) return -c * x * x * x + 5 * c * x * x - 8 * c * x + 4 * c;
    return 0;
}

double lanczos3(double x) {
    x = std::fabs(x);
    if (x < 1e-9) return 1;
    if (x >= 3) return 0;
    const double px = std::numbers::pi * x;
    return 3 * std::sin(px) * std::sin(px / 3) / (px * px);
}

// Length of the overlap of [centre - width / 2, centre + width / 2] with the cell of sample i.
double overlap(double centre, double width, int i) {
    const double low = std::max(centre - width / 2, i - 0.5);
    const double high = std::min(centre + width / 2, i + 0.5);
    return std::max(0.0, high - low);
}

struct Sampled { // one output's weights over unclamped indices
    int first = 0;
    std::vector<double> weight;
};

Sampled sample(double position, double support, const std::function<double(int)>& weight_of) {
    Sampled s;
    s.first = static_cast<int>(std::floor(position - support));
    const int last = static_cast<int>(std::ceil(position + support));
    double sum = 0;
    for (int i = s.first; i <= last; ++i) {
        s.weight.push_back(weight_of(i));
        sum += s.weight.back();
    }
    for (double& w : s.weight)
        w /= sum;
    while (s.weight.size() > 1 && std::fabs(s.weight.back()) < negligible)
        s.weight.pop_back();
    while (s.weight.size() > 1 && std::fabs(s.weight.front()) < negligible) {
        s.weight.erase(s.weight.begin());
        ++s.first;
    }
    double kept = 0;
    for (const double w : s.weight)
        kept += w;
    for (double& w : s.weight)
        w /= kept;
    return s;
}

Sampled sample_at(double position, double step, ScaleMethod method) {
    const double width = std::max(step, 1.0);
    const auto widened = [&](double support, double (*kernel)(double)) {
        return sample(position, support * width, [&](int i) { return kernel((i - position) / width); });
    };
    switch (method) {
    case ScaleMethod::nearest: {
        Sampled s;
        s.first = static_cast<int>(std::floor(position + 0.5));
        s.weight = {1.0};
        return s;
    }
    case ScaleMethod::area:
        if (step > 1)
            return sample(position, width / 2 + 1, [&](int i) { return overlap(position, width, i); });
        return widened(1, bilinear);
    case ScaleMethod::automatic:
        if (step > 1)
            return sample(position, width / 2 + 1, [&](int i) { return overlap(position, width, i); });
        return widened(2, bicubic);
    case ScaleMethod::bilinear:
        return widened(1, bilinear);
    case ScaleMethod::bicubic:
        return widened(2, bicubic);
    case ScaleMethod::lanczos:
        return widened(3, lanczos3);
    }
    return {};
}

using Sampler = std::function<Sampled(double position)>;

void fill_table(AxisTaps& axis, const std::vector<Sampled>& all) {
    const auto clamp = [&](int i) { return std::clamp(i, 0, axis.in - 1); };
    axis.taps = 1;
    for (const Sampled& s : all) {
        const int low = clamp(s.first);
        const int high = clamp(s.first + static_cast<int>(s.weight.size()) - 1);
        axis.taps = std::max(axis.taps, high - low + 1);
    }
    axis.first.resize(all.size());
    axis.weight.assign(all.size() * static_cast<size_t>(axis.taps), 0.0);
    for (size_t k = 0; k < all.size(); ++k) {
        const Sampled& s = all[k];
        const int first = std::min(clamp(s.first), axis.in - axis.taps);
        axis.first[k] = first;
        for (size_t j = 0; j < s.weight.size(); ++j) {
            const int index = clamp(s.first + static_cast<int>(j));
            axis.weight[k * static_cast<size_t>(axis.taps) + static_cast<size_t>(index - first)] +=
                s.weight[j];
        }
    }
}

void fill_phases(AxisTaps& axis, const AxisMap& map, const Sampler& sampler, int max_period) {
    const Rational ratio = nearest_rational(map.step, max_period);
    if (ratio.num <= 0 || std::fabs(ratio.value() - map.step) * map.out > 1e-6) return;
    const auto q = static_cast<int>(ratio.den);
    const auto p = static_cast<int>(ratio.num);
    std::vector<Sampled> phases;
    size_t taps = 1;
    for (int f = 0; f < q; ++f) {
        phases.push_back(sampler(map.origin + f * map.step));
        taps = std::max(taps, phases.back().weight.size());
    }
    axis.q = q;
    axis.p = p;
    axis.phase_taps = static_cast<int>(taps);
    axis.phase_weight.assign(static_cast<size_t>(q) * taps, 0.0);
    int lowest = 0, highest = 0;
    for (int f = 0; f < q; ++f) {
        const Sampled& s = phases[static_cast<size_t>(f)];
        axis.phase_first.push_back(s.first);
        std::copy(s.weight.begin(), s.weight.end(),
                  axis.phase_weight.begin() + static_cast<std::ptrdiff_t>(static_cast<size_t>(f) * taps));
        if (f >= axis.out) continue;
        const int last_step = (axis.out - 1 - f) / q;
        lowest = std::min(lowest, s.first);
        // The last whole period is always run, so its reach counts for every phase.
        highest =
            std::max(highest, p * std::max(last_step, (axis.out - 1) / q) + s.first + static_cast<int>(taps));
    }
    axis.reach_low = -lowest;
    axis.reach_high = std::max(0, highest - axis.in);
}

AxisTaps make(const AxisMap& map, const Sampler& sampler, int max_period) {
    WEFT_CHECK(map.in > 0 && map.out > 0);
    AxisTaps axis;
    axis.in = map.in;
    axis.out = map.out;
    std::vector<Sampled> all;
    all.reserve(static_cast<size_t>(map.out));
    for (int k = 0; k < map.out; ++k)
        all.push_back(sampler(map.origin + k * map.step));
    fill_table(axis, all);
    fill_phases(axis, map, sampler, max_period);
    return axis;
}

} // namespace

AxisMap axis_map(int in, int out, double start, double length, int out_luma, int in_sub, double in_site,
                 int out_sub, double out_site) {
    const double ratio = length / out_luma;
    // Luma position of output sample k: X = k * out_sub + out_site (centre), X + 0.5 (edge).
    const double origin_luma = start + (out_site + 0.5) * ratio - 0.5;
    return {in, out, (origin_luma - in_site) / in_sub, out_sub * ratio / in_sub};
}

AxisTaps make_axis(const AxisMap& map, ScaleMethod method, int max_period) {
    return make(
        map, [&](double position) { return sample_at(position, map.step, method); }, max_period);
}

AxisTaps make_gaussian_axis(const AxisMap& map, double sigma, int max_period) {
    const Sampler sampler = [&](double position) {
        return sample(position, std::max(1.0, 4.0 * sigma), [&](int i) {
            const double d = (i - position) / sigma;
            return std::exp(-0.5 * d * d);
        });
    };
    return make(map, sampler, max_period);
}

} // namespace weft::graph
