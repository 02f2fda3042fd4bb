#include "base/rational.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace weft {
namespace {

TEST(Rational, IsKeptInLowestTermsWithAPositiveDenominator) {
    EXPECT_EQ(Rational(6, 4).num, 3);
    EXPECT_EQ(Rational(6, 4).den, 2);
    EXPECT_EQ(Rational(1, -2), Rational(-1, 2));
    EXPECT_EQ(Rational(0, 5), Rational(0));
    EXPECT_THROW(Rational(1, 0), Error);
}

TEST(Rational, ArithmeticIsExact) {
    EXPECT_EQ(Rational(1, 3) + Rational(1, 6), Rational(1, 2));
    EXPECT_EQ(Rational(1, 3) - Rational(1, 2), Rational(-1, 6));
    EXPECT_EQ(Rational(30000, 1001) * Rational(1001, 30000), Rational(1));
    EXPECT_EQ(Rational(1, 3) / Rational(-2, 3), Rational(-1, 2));
    EXPECT_THROW(Rational(1) / Rational(0), Error);
    // A million ticks of 1001/30000 s, where doubles are already wrong in the last digits.
    EXPECT_EQ(Rational(1000000) * Rational(1001, 30000), Rational(100100, 3));
}

TEST(Rational, ProductsBeyond64BitsReduceFirst) {
    constexpr int64_t big = int64_t{1} << 40;
    EXPECT_EQ(Rational(big, 3) * Rational(3, big), Rational(1));
    EXPECT_EQ(Rational(big) * Rational(big, big), Rational(big));
    const Rational rounded = Rational(big + 1, big - 1) * Rational(big + 3, big - 5); // does not fit: nearest
    EXPECT_NEAR(rounded.value(), 1.0, 1e-10);
}

TEST(Rational, OrderIsThatOfTheNumbers) {
    EXPECT_LT(Rational(-1, 2), Rational(1, 3));
    EXPECT_LT(Rational(1, 3), Rational(334, 1001));
    constexpr int64_t large = std::numeric_limits<int64_t>::max();
    EXPECT_LT(Rational(large - 1, large), Rational(1));
    EXPECT_GT(Rational(large, large - 1), Rational(1));
}

TEST(Rational, FloorCeilAndRoundOnBothSidesOfZero) {
    EXPECT_EQ(Rational(7, 2).floor(), 3);
    EXPECT_EQ(Rational(-7, 2).floor(), -4);
    EXPECT_EQ(Rational(7, 2).ceil(), 4);
    EXPECT_EQ(Rational(-7, 2).ceil(), -3);
    EXPECT_EQ(Rational(4).floor(), 4);
    EXPECT_EQ(Rational(-4).ceil(), -4);
    EXPECT_EQ(Rational(7, 2).round(), 4); // half away from zero
    EXPECT_EQ(Rational(-7, 2).round(), -4);
    EXPECT_EQ(Rational(10, 3).round(), 3);
    EXPECT_EQ(Rational(-11, 3).round(), -4);
}

TEST(Rational, NanosecondsRoundToNearest) {
    EXPECT_EQ(Rational(1001, 30000).nanoseconds(), Nanoseconds(33366667)); // 33 366 666.67
    EXPECT_EQ(Rational(1, 3).nanoseconds(), Nanoseconds(333333333));
    EXPECT_EQ(Rational(-1, 2).nanoseconds(), Nanoseconds(-500000000));
}

TEST(Rational, Text) {
    EXPECT_EQ(Rational(30).text(), "30");
    EXPECT_EQ(Rational(30000, 1001).text(), "30000/1001");
    EXPECT_EQ(Rational(-1, 2).text(), "-1/2");
}

TEST(NearestRational, IsTheBestWithinTheLimit) {
    EXPECT_EQ(nearest_rational(std::numbers::pi, 10), Rational(22, 7));
    EXPECT_EQ(nearest_rational(std::numbers::pi, 100),
              Rational(311, 99)); // between the convergents 22/7, 333/106
    EXPECT_EQ(nearest_rational(std::numbers::pi, 1000), Rational(355, 113));
    EXPECT_EQ(nearest_rational(-0.25), Rational(-1, 4));
    EXPECT_EQ(nearest_rational(0), Rational(0));
    EXPECT_EQ(nearest_rational(1e-9), Rational(0)); // nearer to 0 than to 1/1000000
    EXPECT_EQ(nearest_rational(30000.0 / 1001), Rational(30000, 1001));
}

// Against every denominator tried in turn.
TEST(NearestRational, EqualsExhaustiveSearch) {
    for (int i = 1; i < 200; ++i) {
        const double x = i * 0.0137 + i * i * 1e-5;
        double best = 1e9;
        for (int den = 1; den <= 60; ++den)
            best = std::min(best, std::abs(x - std::round(x * den) / den));
        const Rational found = nearest_rational(x, 60);
        EXPECT_LE(found.den, 60);
        EXPECT_NEAR(std::abs(found.value() - x), best, 1e-12) << x;
    }
}

TEST(ParseRate, KnowsTheNtscFamilyAndNames) {
    EXPECT_EQ(parse_rate("30"), Rational(30));
    EXPECT_EQ(parse_rate("29.97"), Rational(30000, 1001));
    EXPECT_EQ(parse_rate("23.976"), Rational(24000, 1001));
    EXPECT_EQ(parse_rate("23.98"), Rational(24000, 1001));
    EXPECT_EQ(parse_rate("59.94"), Rational(60000, 1001));
    EXPECT_EQ(parse_rate("119.88"), Rational(120000, 1001));
    EXPECT_EQ(parse_rate("30000/1001"), Rational(30000, 1001));
    EXPECT_EQ(parse_rate("12.5"), Rational(25, 2));
    EXPECT_EQ(parse_rate("ntsc"), Rational(30000, 1001));
    EXPECT_EQ(parse_rate("pal"), Rational(25));
    EXPECT_EQ(parse_rate("film"), Rational(24));
}

TEST(ParseRate, RefusesWhatIsNoRateAndNamesIt) {
    for (const char* text : {"", "fast", "0", "-25", "25fps", "25/0", "25/-1", "1/2/3", "nan", "inf", "1e9",
                             "1e-9", "1/1001", "/5", "5/", "99999999999999999999/1"}) {
        try {
            parse_rate(text);
            FAIL() << "accepted '" << text << "'";
        } catch (const Error& e) {
            EXPECT_EQ(e.kind(), ErrorKind::bad_input);
            EXPECT_NE(e.message().find("'" + std::string(text) + "'"), std::string::npos);
        }
    }
}

} // namespace
} // namespace weft
