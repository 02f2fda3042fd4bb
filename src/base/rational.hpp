// Exact fractions for time and rates.
#pragma once

#include <chrono>
#include <compare>
#include <cstdint>
#include <string>

namespace weft {

using Nanoseconds = std::chrono::nanoseconds;

// num/den, den > 0, kept in lowest terms. {0, 1} is zero. Arithmetic goes through 128 bits; a result that
// does not fit 64 bits after reduction is rounded to the nearest fraction that does.
struct Rational {
    int64_t num = 0;
    int64_t den = 1;

    constexpr Rational() = default;
    constexpr Rational(int64_t whole) : num(whole) {}
    Rational(int64_t numerator, int64_t denominator); // Errors : internal when the denominator is 0

    double value() const { return static_cast<double>(num) / static_cast<double>(den); }
    Nanoseconds nanoseconds() const; // of a value in seconds, rounded to nearest
    std::string text() const;        // "30" or "30000/1001"
    int64_t floor() const;
    int64_t ceil() const;
    int64_t round() const; // half away from zero

    friend Rational operator+(Rational a, Rational b);
    friend Rational operator-(Rational a, Rational b);
    friend Rational operator*(Rational a, Rational b);
    friend Rational operator/(Rational a, Rational b);
    friend Rational operator-(Rational a) { return Rational(-a.num, a.den); }
    friend bool operator==(Rational a, Rational b) { return a.num == b.num && a.den == b.den; }
    friend std::strong_ordering operator<=>(Rational a, Rational b);
};

// Nearest fraction to x with a denominator of at most max_den (continued fractions).
Rational nearest_rational(double x, int64_t max_den = 1000000);

// "30", "29.97" (30000/1001, likewise 23.976, 59.94, 119.88), "30000/1001", "ntsc", "pal", "film".
// Errors : bad_input naming the text.
Rational parse_rate(const std::string& text);

} // namespace weft
