// Stretches of time as sets: what queues do at once is the intersection of what each one does.
#pragma once

#include <vector>

#include "base/rational.hpp"

namespace weft::engine {

// [begin, end). Empty where end <= begin.
struct Interval {
    Nanoseconds begin{0}, end{0};
    friend bool operator==(const Interval&, const Interval&) = default;
};

// A set of times: disjoint intervals that do not touch, in order.
using Intervals = std::vector<Interval>;

// The union of any intervals, in any order, of which some may overlap or be empty.
Intervals united(std::vector<Interval> intervals);
Intervals intersection(const Intervals& a, const Intervals& b);
Nanoseconds length(const Intervals& intervals);
// The part of each interval that lies in `window`; what is empty then is left out.
std::vector<Interval> clipped(const std::vector<Interval>& intervals, const Interval& window);

} // namespace weft::engine
