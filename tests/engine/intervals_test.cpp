#include "engine/intervals.hpp"

#include <gtest/gtest.h>

namespace weft::engine {
namespace {

Interval at(int64_t begin, int64_t end) {
    return {Nanoseconds(begin), Nanoseconds(end)};
}

TEST(Intervals, UnionJoinsWhatOverlapsOrTouches) {
    EXPECT_EQ(united({at(5, 7), at(0, 2), at(2, 3), at(6, 9), at(6, 7)}), (Intervals{at(0, 3), at(5, 9)}));
    EXPECT_EQ(united({at(3, 3), at(5, 4)}), Intervals{}); // empty ones leave nothing
    EXPECT_EQ(united({at(0, 10), at(2, 3)}), (Intervals{at(0, 10)}));
}

TEST(Intervals, IntersectionHoldsWhatIsInBoth) {
    const Intervals a{at(0, 10), at(20, 30)}, b{at(5, 22), at(28, 40)};
    const Intervals both{at(5, 10), at(20, 22), at(28, 30)};
    EXPECT_EQ(intersection(a, b), both);
    EXPECT_EQ(intersection(b, a), both);
    EXPECT_EQ(length(both), Nanoseconds(9));
    EXPECT_EQ(intersection(a, {at(10, 20)}), Intervals{}); // ends do not count
}

TEST(Intervals, ClippingKeepsTheParts) {
    EXPECT_EQ(clipped({at(0, 10), at(2, 4), at(9, 20), at(20, 21)}, at(3, 12)),
              (std::vector<Interval>{at(3, 10), at(3, 4), at(9, 12)}));
}

// The lengths of union and intersection of two sets add up to the lengths of both.
TEST(Intervals, LengthsAddUp) {
    uint32_t state = 1;
    const auto next = [&] { return static_cast<int64_t>((state = state * 1664525U + 1013904223U) >> 22); };
    for (int round = 0; round < 200; ++round) {
        std::vector<Interval> a, b;
        for (int i = 0; i < 8; ++i) {
            const int64_t x = next(), y = next();
            a.push_back(at(x, x + next() / 8));
            b.push_back(at(y, y + next() / 8));
        }
        std::vector<Interval> all = a;
        all.insert(all.end(), b.begin(), b.end());
        EXPECT_EQ(length(united(all)) + length(intersection(united(a), united(b))),
                  length(united(a)) + length(united(b)));
    }
}

} // namespace
} // namespace weft::engine
