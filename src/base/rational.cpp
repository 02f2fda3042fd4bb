#include "base/rational.hpp"

#include <cmath>
#include <limits>
#include <numeric>

#include "base/error.hpp"

namespace weft {
namespace {

__extension__ using Wide = __int128;

Wide gcd(Wide a, Wide b) {
    if (a < 0) a = -a;
    while (b != 0) {
        const Wide rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

Rational narrow(Wide num, Wide den) {
    if (den < 0) {
        num = -num;
        den = -den;
    }
    WEFT_CHECK(den != 0);
    if (const Wide common = gcd(num, den); common > 1) {
        num /= common;
        den /= common;
    }
    constexpr Wide limit = std::numeric_limits<int64_t>::max();
    while (num > limit || num < -limit || den > limit) {
        num = (num + (num < 0 ? -1 : 1)) / 2;
        den = (den + 1) / 2;
    }
    Rational out;
    out.num = static_cast<int64_t>(num);
    out.den = static_cast<int64_t>(den);
    return out;
}

} // namespace

Rational::Rational(int64_t numerator, int64_t denominator) {
    *this = narrow(numerator, denominator);
}

Nanoseconds Rational::nanoseconds() const {
    return Nanoseconds((*this * Rational(1000000000)).round());
}

std::string Rational::text() const {
    return den == 1 ? std::to_string(num) : std::to_string(num) + "/" + std::to_string(den);
}

int64_t Rational::floor() const {
    const int64_t quotient = num / den;
    return num % den < 0 ? quotient - 1 : quotient;
}

int64_t Rational::ceil() const {
    return -Rational(-num, den).floor();
}

int64_t Rational::round() const {
    const Wide twice = Wide(num < 0 ? -num : num) * 2 + den;
    const auto magnitude = static_cast<int64_t>(twice / (Wide(den) * 2));
    return num < 0 ? -magnitude : magnitude;
}

Rational operator+(Rational a, Rational b) {
    return narrow(Wide(a.num) * b.den + Wide(b.num) * a.den, Wide(a.den) * b.den);
}
Rational operator-(Rational a, Rational b) {
    return a + (-b);
}
Rational operator*(Rational a, Rational b) {
    return narrow(Wide(a.num) * b.num, Wide(a.den) * b.den);
}
Rational operator/(Rational a, Rational b) {
    return narrow(Wide(a.num) * b.den, Wide(a.den) * b.num);
}

std::strong_ordering operator<=>(Rational a, Rational b) {
    const Wide left = Wide(a.num) * b.den;
    const Wide right = Wide(b.num) * a.den;
    return left < right   ? std::strong_ordering::less
           : left > right ? std::strong_ordering::greater
                          : std::strong_ordering::equal;
}

Rational nearest_rational(double x, int64_t max_den) {
    const bool negative = x < 0;
    const double target = std::fabs(x);
    double rest = target;
    int64_t p0 = 0, q0 = 1, p1 = 1, q1 = 0;
    for (int step = 0; step < 64; ++step) {
        const double whole = std::floor(rest);
        if (q1 == 0 && whole > 9e15) break;
        const int64_t room = q1 == 0 ? std::numeric_limits<int64_t>::max() : (max_den - q0) / q1;
        const bool last = whole > static_cast<double>(room);
        const int64_t a = last ? room : static_cast<int64_t>(whole);
        const int64_t p2 = a * p1 + p0;
        const int64_t q2 = a * q1 + q0;
        if (last) {
            // The limit falls between two convergents: the fraction there may be nearer than the last one.
            const auto error = [&](int64_t p, int64_t q) {
                return std::fabs(target - static_cast<double>(p) / static_cast<double>(q));
            };
            if (a > 0 && error(p2, q2) < error(p1, q1)) {
                p1 = p2;
                q1 = q2;
            }
            break;
        }
        p0 = p1;
        p1 = p2;
        q0 = q1;
        q1 = q2;
        const double fraction = rest - whole;
        if (fraction < 1e-12) break;
        rest = 1.0 / fraction;
    }
    if (q1 == 0) return Rational(0);
    return Rational(negative ? -p1 : p1, q1);
}

Rational parse_rate(const std::string& text) {
    if (text == "ntsc") return {30000, 1001};
    if (text == "pal") return 25;
    if (text == "film") return 24;
    const auto refuse = [&]() -> Error {
        return {ErrorKind::bad_input,
                "rate is '" + text +
                    "', allowed: a number or fraction of 0.001..1000000 such as 25, 29.97, 30000/1001"};
    };
    const auto fits = [](double value) { return value >= 1e-3 && value <= 1e6; };
    try {
        size_t used = 0;
        if (const size_t slash = text.find('/'); slash != std::string::npos) {
            const int64_t num = std::stoll(text.substr(0, slash), &used);
            if (used != slash) throw refuse();
            const std::string below = text.substr(slash + 1);
            const int64_t den = std::stoll(below, &used);
            if (used != below.size() || num <= 0 || den <= 0) throw refuse();
            if (!fits(static_cast<double>(num) / static_cast<double>(den))) throw refuse();
            return {num, den};
        }
        const double value = std::stod(text, &used);
        if (used != text.size() || !fits(value)) throw refuse();
        for (const int64_t whole : {24, 30, 48, 60, 120, 240}) {
            const double ntsc = static_cast<double>(whole) * 1000.0 / 1001.0;
            if (std::fabs(value - ntsc) < 0.005 * static_cast<double>(whole) / 24.0)
                return {whole * 1000, 1001};
        }
        return nearest_rational(value, 1001000);
    } catch (const std::logic_error&) {
        throw refuse();
    }
}

} // namespace weft
