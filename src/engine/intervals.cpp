#include "engine/intervals.hpp"

#include <algorithm>

namespace weft::engine {

Intervals united(std::vector<Interval> intervals) {
    std::sort(intervals.begin(), intervals.end(),
              [](const Interval& a, const Interval& b) { return a.begin < b.begin; });
    Intervals set;
    for (const Interval& next : intervals) {
        if (next.end <= next.begin) continue;
        if (!set.empty() && next.begin <= set.back().end)
            set.back().end = std::max(set.back().end, next.end);
        else
            set.push_back(next);
    }
    return set;
}

Intervals intersection(const Intervals& a, const Intervals& b) {
    Intervals both;
    for (size_t i = 0, k = 0; i < a.size() && k < b.size();) {
        const Interval common{std::max(a[i].begin, b[k].begin), std::min(a[i].end, b[k].end)};
        if (common.begin < common.end) both.push_back(common);
        if (a[i].end < b[k].end)
            ++i;
        else
            ++k;
    }
    return both;
}

Nanoseconds length(const Intervals& intervals) {
    Nanoseconds sum{0};
    for (const Interval& interval : intervals)
        sum += interval.end - interval.begin;
    return sum;
}

std::vector<Interval> clipped(const std::vector<Interval>& intervals, const Interval& window) {
    std::vector<Interval> inside;
    for (const Interval& interval : intervals) {
        const Interval part{std::max(interval.begin, window.begin), std::min(interval.end, window.end)};
        if (part.begin < part.end) inside.push_back(part);
    }
    return inside;
}

} // namespace weft::engine
