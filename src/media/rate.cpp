#include "media/rate_private.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace weft::media {
namespace {

const std::array standard_rates{Rational(1),           Rational(2),
                                Rational(5),           Rational(6),
                                Rational(8),           Rational(10),
                                Rational(12),          Rational(25, 2),
                                Rational(15),          Rational(20),
                                Rational(24000, 1001), Rational(24),
                                Rational(25),          Rational(30000, 1001),
                                Rational(30),          Rational(50),
                                Rational(60000, 1001), Rational(60),
                                Rational(100),         Rational(120000, 1001),
                                Rational(120),         Rational(240000, 1001),
                                Rational(240),         Rational(480),
                                Rational(960)};
using Rates = decltype(standard_rates)::const_iterator;

Rational snapped(Rational rate) {
    static const std::array<Rational, 4> ntsc{Rational(24000, 1001), Rational(30000, 1001),
                                              Rational(60000, 1001), Rational(120000, 1001)};
    for (const Rational exact : ntsc)
        if (std::abs(rate.value() / exact.value() - 1) < 2e-5) return exact;
    return rate;
}

double distance(double a, double b) {
    return std::abs(std::log(a / b));
}

Rates nearest(double rate, Rates begin, Rates end) {
    return std::min_element(begin, end, [&](const Rational& a, const Rational& b) {
        return distance(rate, a.value()) < distance(rate, b.value());
    });
}

// Of pictures read ahead in the order of their decoding, the last ones may have others before them that were
// not read.
constexpr size_t reordered = 16;
constexpr size_t enough = 8;

size_t known_places(const std::vector<Rational>& times) {
    return times.size() > reordered + enough ? times.size() - reordered : times.size();
}

std::optional<double> mean_step(const std::vector<Rational>& times) {
    const size_t known = known_places(times);
    if (known < enough || times[known - 1] <= times.front()) return std::nullopt;
    return (times[known - 1] - times.front()).value() / static_cast<double>(known - 1);
}

// How far pictures of this rate lie from the times in the mean, seconds.
double misfit(const std::vector<Rational>& times, Rational rate) {
    const size_t known = known_places(times);
    std::vector<double> off;
    double sum = 0;
    for (size_t i = 0; i < known; ++i) {
        off.push_back((times[i] - times.front()).value() - static_cast<double>(i) / rate.value());
        sum += off.back();
    }
    double far = 0;
    for (const double one : off)
        far += std::abs(one - sum / static_cast<double>(known));
    return far / static_cast<double>(known);
}

Rational proven_rate(const std::vector<Rational>& times, Rational base) {
    const double rate = 1 / *mean_step(times);
    std::vector<Rational> known;
    if (base > Rational(0)) known.push_back(snapped(base));
    known.insert(known.end(), standard_rates.begin(), standard_rates.end());
    known.emplace_back(std::max<int64_t>(std::llround(rate), 1));
    std::erase_if(known, [&](Rational one) { return std::abs(rate / one.value() - 1) > 0.01; });
    if (known.empty()) return Rational(std::llround(rate * 1000), 1000);
    return *std::min_element(known.begin(), known.end(), [&](const Rational& a, const Rational& b) {
        return misfit(times, a) + 1e-9 < misfit(times, b);
    });
}

bool agree(Rational base, Rational average) {
    if (base <= Rational(0) || average <= Rational(0)) return false;
    return std::abs(base.value() / average.value() - 1) <= 0.01;
}

} // namespace

bool rate_is_plain(Rational base, Rational average) {
    return agree(base, average) && base <= Rational(240);
}

bool is_steady(const RateFacts& facts) {
    const auto mean = mean_step(facts.times);
    if (!mean) return false;
    const double allowed = std::max(facts.unit.value(), std::min(0.001, *mean / 4)) + 1e-9;
    const size_t known = known_places(facts.times);
    for (size_t i = 1; i < known; ++i) {
        const double place = (facts.times[i] - facts.times.front()).value();
        if (facts.times[i] <= facts.times[i - 1] ||
            std::abs(place - static_cast<double>(i) * *mean) > allowed)
            return false;
    }
    return true;
}

Rational picture_rate(const RateFacts& facts) {
    const auto& [base, average, times, unit] = facts;
    if (rate_is_plain(base, average) || (agree(base, average) && !mean_step(times))) return snapped(base);
    if (is_steady(facts)) return proven_rate(times, base);
    std::vector<double> steps;
    for (size_t i = 1; i < times.size(); ++i)
        if (times[i] > times[i - 1]) steps.push_back((times[i] - times[i - 1]).value());
    if (steps.empty()) {
        if (average > Rational(0) && average <= Rational(60)) return snapped(average);
        return base > Rational(0) && base <= Rational(60) ? snapped(base) : Rational(25);
    }
    const auto middle = steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2);
    std::nth_element(steps.begin(), middle, steps.end());
    const double median = *middle;
    // Containers that round to a millisecond show 33, 33, 34: the mean of the steps like the median says
    // more.
    double sum = 0;
    int count = 0;
    for (const double step : steps) {
        if (std::abs(step - median) <= 0.0011) {
            sum += step;
            ++count;
        }
    }
    const auto usual = std::find(standard_rates.begin(), standard_rates.end(), Rational(60)) + 1;
    return *nearest(count / sum, standard_rates.begin(), usual);
}

} // namespace weft::media
