// What a piece of work costs, and the middle of several measurements.
#pragma once

#include <vector>

namespace weft::bench {

// Milliseconds. `cpu` is user + system time of every thread.
struct Cost {
    double cpu = 0, wall = 0;
    Cost operator-(const Cost& other) const { return {cpu - other.cpu, wall - other.wall}; }
    Cost operator/(double count) const { return {cpu / count, wall / count}; }
};

// Of this process, from the construction on.
class CostMeter {
  public:
    CostMeter();
    Cost spent() const;

  private:
    Cost begin_;
};

struct Spread {
    double median = 0, min = 0, max = 0;
};
// Empty: all 0.
Spread spread(std::vector<double> values);

struct CostSpread {
    Spread cpu, wall;
};
CostSpread spread(const std::vector<Cost>& costs);

} // namespace weft::bench
