#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "base/format.hpp"
#include "graph/makers_private.hpp"

namespace weft::graph {
namespace {

// Fine enough that a kink between two samples where a slope of 4 ends, as in the presets, is met to 0.13
// codes of 10 bit.
constexpr int curve_samples = 8193;

struct Knot {
    double x = 0, y = 0;
};
using Knots = std::vector<Knot>;

struct CurveSet {
    Knots master, red, green, blue;
};

// The points of FFmpeg's presets, in the order of the manifest's options.
CurveSet preset_curves(int index) {
    static const std::array<CurveSet, 11> presets{{
        {}, // none
        {{},
         {{.129, 1}, {.466, .498}, {.725, 0}},
         {{.109, 1}, {.301, .498}, {.517, 0}},
         {{.098, 1}, {.235, .498}, {.423, 0}}}, // color_negative
        {{},
         {{0, 0}, {.25, .156}, {.501, .501}, {.686, .745}, {1, 1}},
         {{0, 0}, {.25, .188}, {.38, .501}, {.745, .815}, {1, .815}},
         {{0, 0}, {.231, .094}, {.709, .874}, {1, 1}}},                          // cross_process
        {{{0, 0}, {.5, .4}, {1, 1}}, {}, {}, {}},                                // darker
        {{{0, 0}, {.149, .066}, {.831, .905}, {.905, .98}, {1, 1}}, {}, {}, {}}, // increase_contrast
        {{{0, 0}, {.4, .5}, {1, 1}}, {}, {}, {}},                                // lighter
        {{{0, 0}, {.305, .286}, {.694, .713}, {1, 1}}, {}, {}, {}},              // linear_contrast
        {{{0, 0}, {.286, .219}, {.639, .643}, {1, 1}}, {}, {}, {}},              // medium_contrast
        {{{0, 1}, {1, 0}}, {}, {}, {}},                                          // negative
        {{{0, 0}, {.301, .196}, {.592, .6}, {.686, .737}, {1, 1}}, {}, {}, {}},  // strong_contrast
        {{},
         {{0, .11}, {.42, .51}, {1, .95}},
         {{0, 0}, {.5, .48}, {1, 1}},
         {{0, .22}, {.49, .44}, {1, .8}}}, // vintage
    }};
    return presets.at(static_cast<size_t>(index));
}

// The natural cubic spline through knots, flat beyond the first and the last; the identity without any.
class Spline {
  public:
    explicit Spline(Knots knots) : knots_(std::move(knots)), bend_(knots_.size(), 0.0) {
        const size_t n = knots_.size();
        if (n < 3) return;
        // Second derivatives: 0 at the ends, and such that the slopes meet at the knots between. Solved by
        // elimination down and substitution up.
        std::vector<double> upper(n, 0.0);
        for (size_t i = 1; i + 1 < n; ++i) {
            const double left = knots_[i].x - knots_[i - 1].x, right = knots_[i + 1].x - knots_[i].x;
            const double turn =
                6 * ((knots_[i + 1].y - knots_[i].y) / right - (knots_[i].y - knots_[i - 1].y) / left);
            const double pivot = 2 * (left + right) - left * upper[i - 1];
            upper[i] = right / pivot;
            bend_[i] = (turn - left * bend_[i - 1]) / pivot;
        }
        for (size_t i = n - 1; i-- > 1;)
            bend_[i] -= upper[i] * bend_[i + 1];
    }

    double operator()(double x) const {
        if (knots_.empty()) return x;
        if (x <= knots_.front().x) return knots_.front().y;
        if (x >= knots_.back().x) return knots_.back().y;
        const auto above = std::upper_bound(knots_.begin(), knots_.end(), x,
                                            [](double v, const Knot& k) { return v < k.x; });
        const auto i = static_cast<size_t>(above - knots_.begin()) - 1;
        const Knot& from = knots_[i];
        const Knot& to = knots_[i + 1];
        const double h = to.x - from.x, b = (x - from.x) / h, a = 1 - b;
        const double cubic = (a * a * a - a) * bend_[i] + (b * b * b - b) * bend_[i + 1];
        return std::clamp(a * from.y + b * to.y + cubic * h * h / 6, 0.0, 1.0);
    }

  private:
    Knots knots_;
    std::vector<double> bend_; // second derivatives at the knots
};

// Points of a parameter; each x above the one before it, all within 0..1.
Knots knots_of(const FilterUse& use, const std::string& name) {
    const std::vector<double>& numbers = number_list(use, name);
    if (numbers.size() % 2 != 0)
        throw maker_error(use, fmt::format("{} has {} numbers, allowed are pairs x/y", name, numbers.size()));
    Knots out;
    for (size_t i = 0; i < numbers.size(); i += 2) {
        const Knot knot{numbers[i], numbers[i + 1]};
        if (!(knot.x >= 0 && knot.x <= 1 && knot.y >= 0 && knot.y <= 1))
            throw maker_error(use, fmt::format("{} has the point {}/{}, allowed 0..1", name, knot.x, knot.y));
        if (!out.empty() && knot.x <= out.back().x)
            throw maker_error(
                use, fmt::format("{} has the point {}/{} after {}/{}, each x must be above the one before",
                                 name, knot.x, knot.y, out.back().x, out.back().y));
        out.push_back(knot);
    }
    return out;
}

// A sample and the step to the next one; the last sample has none.
void pack_curves(LookupTable& table, size_t n) {
    WEFT_CHECK(table.values.size() % n == 0);
    for (size_t i = 0; i < table.values.size(); ++i) {
        const float value = table.values[i];
        const float step = (i + 1) % n == 0 ? 0.0f : table.values[i + 1] - value;
        table.packed.push_back(std::bit_cast<uint32_t>(value) | uint64_t{std::bit_cast<uint32_t>(step)}
                                                                    << 32);
    }
}

// Three times 21 bits, each component between the least and the greatest of its values.
void pack_nodes(LookupTable& table) {
    constexpr double largest = (1 << 21) - 1;
    for (size_t c = 0; c < 3; ++c) {
        double low = table.values[c], high = low;
        for (size_t i = c; i < table.values.size(); i += 3) {
            low = std::min<double>(low, table.values[i]);
            high = std::max<double>(high, table.values[i]);
        }
        table.packed_low[c] = low;
        table.packed_step[c] = (high - low) / largest;
    }
    table.packed.reserve(table.values.size() / 3);
    for (size_t i = 0; i < table.values.size(); i += 3) {
        uint64_t node = 0;
        for (size_t c = 0; c < 3; ++c) {
            const double step = table.packed_step[c];
            const double steps = step > 0 ? (table.values[i + c] - table.packed_low[c]) / step : 0;
            node |= static_cast<uint64_t>(std::llround(steps)) << (21 * c);
        }
        table.packed.push_back(node);
    }
}

} // namespace

LookupTable tone_table(const colour::ToneCurve& curve) {
    LookupTable table;
    table.size = 1024;
    for (int i = 0; i < table.size; ++i) {
        // Near black every curve is a straight line.
        const double place = std::pow(static_cast<double>(i) / (table.size - 1), 4);
        const double light = curve.peak * std::max(place, 1e-7);
        table.values.push_back(static_cast<float>(colour::tone_mapped(curve, light) / light));
    }
    pack(table);
    return table;
}

LookupTable curves_table(const FilterUse& use) {
    CurveSet curves = preset_curves(static_cast<int>(number(use, "preset")));
    const auto replace = [](Knots& knots, Knots by) {
        if (!by.empty()) knots = std::move(by);
    };
    const Knots all = knots_of(use, "all");
    for (Knots* knots : {&curves.red, &curves.green, &curves.blue})
        replace(*knots, all);
    replace(curves.master, knots_of(use, "master"));
    replace(curves.red, knots_of(use, "red"));
    replace(curves.green, knots_of(use, "green"));
    replace(curves.blue, knots_of(use, "blue"));

    LookupTable out;
    out.size = curve_samples;
    const Spline master(curves.master);
    for (const Knots* knots : {&curves.red, &curves.green, &curves.blue}) {
        const Spline curve(*knots);
        for (int i = 0; i < curve_samples; ++i)
            out.values.push_back(
                static_cast<float>(master(curve(static_cast<double>(i) / (curve_samples - 1)))));
    }
    pack(out);
    return out;
}

void pack(LookupTable& table) {
    const auto n = static_cast<size_t>(table.size);
    table.packed.clear();
    if (table.dimensions == 1) {
        pack_curves(table, n);
    } else {
        WEFT_CHECK(table.dimensions == 3 && table.values.size() == 3 * n * n * n);
        pack_nodes(table);
    }
}

} // namespace weft::graph
