#include "bench/cost.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <chrono>

namespace weft::bench {
namespace {

double milliseconds(const timeval& time) {
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_usec) / 1e3;
}

Cost now() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto wall = std::chrono::steady_clock::now().time_since_epoch();
    return {milliseconds(usage.ru_utime) + milliseconds(usage.ru_stime),
            std::chrono::duration<double, std::milli>(wall).count()};
}

} // namespace

CostMeter::CostMeter() : begin_(now()) {}

Cost CostMeter::spent() const {
    return now() - begin_;
}

Spread spread(std::vector<double> values) {
    if (values.empty()) return {};
    std::sort(values.begin(), values.end());
    const size_t middle = values.size() / 2;
    const double median = values.size() % 2 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
    return {median, values.front(), values.back()};
}

CostSpread spread(const std::vector<Cost>& costs) {
    std::vector<double> cpu, wall;
    for (const Cost& cost : costs) {
        cpu.push_back(cost.cpu);
        wall.push_back(cost.wall);
    }
    return {spread(cpu), spread(wall)};
}

} // namespace weft::bench
