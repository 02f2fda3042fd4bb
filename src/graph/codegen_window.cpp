#include <algorithm>
#include <cmath>

#include "base/format.hpp"
#include "graph/codegen_private.hpp"

namespace weft::graph {

IntegerTaps integer_taps(const std::vector<double>& weights, int limit_bits) {
    IntegerTaps out;
    double sum = 0, magnitude = 0;
    for (const double w : weights) {
        sum += w;
        magnitude += std::fabs(w);
    }
    // Largest power of two that keeps the sum of |tap| * line inside 31 bits.
    const double room = std::ldexp(1.0, limit_bits);
    int bits = 14;
    while (bits > -14 && std::ldexp(magnitude, bits) > room)
        --bits;
    for (int exact = 0; exact <= bits; ++exact) {
        const bool whole = std::all_of(weights.begin(), weights.end(), [&](double w) {
            const double scaled = std::ldexp(w, exact);
            return std::fabs(scaled - std::round(scaled)) < 1e-9 * std::max(1.0, std::fabs(scaled));
        });
        if (whole) {
            bits = exact;
            break;
        }
    }
    out.scale = std::ldexp(1.0, -bits);
    long total = 0;
    size_t largest = 0;
    for (size_t i = 0; i < weights.size(); ++i) {
        out.taps.push_back(static_cast<int>(std::lround(std::ldexp(weights[i], bits))));
        total += out.taps.back();
        if (std::fabs(weights[i]) > std::fabs(weights[largest])) largest = i;
    }
    // A flat picture must stay flat: the rounded taps have the exact sum.
    if (!out.taps.empty()) out.taps[largest] += static_cast<int>(std::lround(std::ldexp(sum, bits)) - total);
    return out;
}

std::optional<IntegerTaps> whole_taps(const std::vector<double>& weights, int limit) {
    double least = 0;
    for (const double w : weights)
        if (w != 0 && (least == 0 || std::fabs(w) < least)) least = std::fabs(w);
    for (int parts = 1; parts <= 16 && least > 0; ++parts) {
        IntegerTaps out;
        out.scale = least / parts;
        double sum = 0;
        bool whole = true;
        for (const double w : weights) {
            const double multiple = w / out.scale;
            sum += std::fabs(multiple);
            if (sum > limit + 0.5) return std::nullopt;
            whole = whole && std::fabs(multiple - std::round(multiple)) < 1e-6;
            out.taps.push_back(static_cast<int>(std::lround(multiple)));
        }
        if (whole) return out;
    }
    return std::nullopt;
}

std::string tap_product(int tap, const std::string& element, bool first) {
    if (tap == 0) return {};
    const std::string sign = tap < 0 ? (first ? "-" : " - ") : (first ? "" : " + ");
    const int size = std::abs(tap);
    return sign + (size == 1 ? element : fmt::format("{} * {}", size, element));
}

std::string grouped_sum(const std::vector<int>& taps, const std::vector<std::string>& elements,
                        const std::string& pair_cast) {
    struct Group {
        int tap = 0, count = 1;
        std::string sum;
    };
    std::vector<Group> groups;
    for (size_t i = 0; i < taps.size(); ++i) {
        if (taps[i] == 0) continue;
        const auto same =
            std::find_if(groups.begin(), groups.end(), [&](const Group& g) { return g.tap == taps[i]; });
        if (same == groups.end()) {
            groups.push_back({taps[i], 1, elements[i]});
        } else {
            same->sum += " + " + elements[i];
            ++same->count;
        }
    }
    std::string out;
    for (const auto& [tap, count, sum] : groups) {
        const std::string whole = count == 1 ? sum : "(" + sum + ")";
        out += tap_product(tap, count == 2 ? pair_cast + whole : whole, out.empty());
    }
    return out.empty() ? "0" : out;
}

std::string float_product(double tap, const std::string& element, bool first) {
    if (tap == 0) return {};
    return (first ? "" : " + ") + fmt::format("{} * {}", literal(tap), element);
}

} // namespace weft::graph
