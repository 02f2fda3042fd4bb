#include "media/rate_private.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace weft::media {
namespace {

const std::array<Rational, 17>& standard_rates() {
    static const std::array<Rational, 17> rates{
        Rational(1),  Rational(2),           Rational(5),  Rational(6),  Rational(8),           Rational(10),
        Rational(12), Rational(25, 2),       Rational(15), Rational(20), Rational(24000, 1001), Rational(24),
        Rational(25), Rational(30000, 1001), Rational(30), Rational(50), Rational(60)};
    return rates;
}

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

} // namespace

bool rate_is_plain(Rational base, Rational average) {
    if (base <= Rational(0) || average <= Rational(0)) return false;
    return std::abs(base.value() / average.value() - 1) <= 0.01;
}

Rational picture_rate(Rational base, Rational average, const std::vector<Rational>& times) {
    if (rate_is_plain(base, average)) return snapped(base);
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
    const double rate = count / sum;
    Rational best(60);
    double best_distance = distance(rate, 60000.0 / 1001);
    if (distance(rate, 60) > best_distance) best = Rational(60000, 1001);
    best_distance = std::min(best_distance, distance(rate, 60));
    for (const Rational standard : standard_rates()) {
        if (distance(rate, standard.value()) < best_distance) {
            best = standard;
            best_distance = distance(rate, standard.value());
        }
    }
    return best;
}

} // namespace weft::media
