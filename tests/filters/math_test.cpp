// The prelude's functions against <cmath> in double.
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>

#include <gtest/gtest.h>

#include "support/mini_kernel.hpp"

namespace weft::test {
namespace {

std::vector<float> sweep(double from, double to, int count) {
    std::vector<float> out;
    for (int i = 0; i < count; ++i)
        out.push_back(static_cast<float>(from + (to - from) * i / (count - 1)));
    return out;
}

// Every mantissa region of every exponent: `per_octave` values between 2^low and 2^high.
std::vector<float> octaves(int low, int high, int per_octave) {
    std::vector<float> out;
    for (int e = low; e < high; ++e)
        for (int i = 0; i < per_octave; ++i)
            out.push_back(static_cast<float>(std::ldexp(1.0 + static_cast<double>(i) / per_octave, e)));
    return out;
}

struct Worst {
    double error = 0, at = 0, got = 0;
};

// The largest |got - exact| / scale(exact) of an expression of x.
Worst worst(const std::string& expression, const std::vector<float>& x,
            const std::function<double(double)>& exact, const std::function<double(double)>& scale) {
    const std::vector<float> got = map_floats(expression, x);
    Worst out;
    for (size_t i = 0; i < x.size(); ++i) {
        const double e = exact(static_cast<double>(x[i]));
        const double error = std::abs(static_cast<double>(got[i]) - e) / scale(e);
        if (!(error <= out.error)) out = {error, x[i], got[i]};
    }
    return out;
}

double relative(double exact) {
    return std::abs(exact);
}
double absolute(double) {
    return 1;
}
double either(double exact) {
    return std::max(std::abs(exact), 1.0);
}

void expect_within(const Worst& w, double limit, const char* what) {
    EXPECT_LE(w.error, limit) << what << " at " << w.at << " gave " << w.got;
    ::testing::Test::RecordProperty(what, std::to_string(w.error));
    if (std::getenv("WEFT_SHOW_ERRORS")) std::printf("%-10s %.3g at %g\n", what, w.error, w.at);
}

TEST(Math, exponentials) {
    expect_within(
        worst(
            "wf_exp2(x)", sweep(-126, 127.49, 200001), [](double x) { return std::exp2(x); }, relative),
        2.5e-7, "exp2");
    expect_within(worst(
                      "wf_exp(x)", sweep(-87, 88, 200001), [](double x) { return std::exp(x); }, relative),
                  3e-7, "exp");
}

TEST(Math, logarithms) {
    const auto log2 = [](double x) { return std::log2(x); };
    expect_within(worst("wf_log2(x)", octaves(-126, 128, 1000), log2, either), 2e-7, "log2");
    // Around 1, where the result goes through 0, its own digits must be right.
    expect_within(
        worst("wf_log2(x)", sweep(0.9, 1.1, 200001), log2, [](double e) { return std::abs(e) + 1e-30; }),
        3e-7, "log2_near_1");
    expect_within(worst(
                      "wf_log(x)", octaves(-126, 128, 1000), [](double x) { return std::log(x); }, either),
                  2e-7, "log");
}

TEST(Math, powers) {
    for (const double y : {1 / 2.4, 2.4, 0.45, 1 / 0.45, 1 / 2.2, 2.8, 3.0, -1.5, 10.0, 0.1}) {
        const auto exact = [y](double x) { return std::pow(x, static_cast<double>(static_cast<float>(y))); };
        // The error of the exponent y log2 x, in float, is what the result inherits.
        const std::vector<float> x = sweep(1e-4, 4, 100001);
        const std::vector<float> got =
            map_floats("wf_pow(x, y)", x, std::vector<float>(x.size(), static_cast<float>(y)));
        for (size_t i = 0; i < x.size(); ++i) {
            const double e = exact(x[i]);
            const double allowed = 4e-7 + 1.5e-7 * std::abs(y * std::log2(static_cast<double>(x[i])));
            // Results below float's normal numbers are held there.
            ASSERT_LE(std::abs(got[i] - e), allowed * e + 1.2e-38) << x[i] << " ^ " << y;
        }
    }
}

TEST(Math, powers_at_the_edges) {
    const std::vector<float> x{0, -1, 1, 1, 1e-30f, 1e30f, 4};
    const std::vector<float> y{0.5f, 2, 100, -100, 0.1f, 2, 0};
    const std::vector<float> got = map_floats("wf_pow(x, y)", x, y);
    EXPECT_EQ(got[0], 0);
    EXPECT_EQ(got[1], 0);
    EXPECT_EQ(got[2], 1);
    EXPECT_EQ(got[3], 1);
    EXPECT_NEAR(got[4], 1e-3, 1e-8);
    EXPECT_TRUE(std::isfinite(got[5])) << "held, not infinite";
    EXPECT_EQ(got[6], 1);
}

TEST(Math, angles) {
    for (const double reach : {4.0, 1000.0}) {
        const std::vector<float> x = sweep(-reach, reach, 200001);
        expect_within(worst(
                          "wf_sin(x)", x, [](double v) { return std::sin(v); }, absolute),
                      2e-7, "sin");
        expect_within(worst(
                          "wf_cos(x)", x, [](double v) { return std::cos(v); }, absolute),
                      2e-7, "cos");
    }
}

TEST(Math, angle_of_a_point) {
    std::vector<float> x, y;
    for (const double length : {1e-6, 0.3, 1.0, 5000.0})
        for (const double a : sweep(-M_PI, M_PI, 20001)) {
            x.push_back(static_cast<float>(length * std::cos(a)));
            y.push_back(static_cast<float>(length * std::sin(a)));
        }
    x.insert(x.end(), {0, 1, -1, 0, 0});
    y.insert(y.end(), {0, 0, 0, 1, -1});
    const std::vector<float> got = map_floats("wf_atan2(y, x)", x, y);
    for (size_t i = 0; i < x.size(); ++i) {
        double exact = std::atan2(static_cast<double>(y[i]), static_cast<double>(x[i]));
        // -pi and pi are one direction; the sign of a zero decides in C, not here.
        if (x[i] < 0 && y[i] == 0) exact = M_PI;
        ASSERT_NEAR(got[i], exact, 3e-7) << y[i] << " over " << x[i];
    }
}

TEST(Math, length_and_fraction) {
    expect_within(worst(
                      "wf_hypot(x, 3.0f)", sweep(-1e4, 1e4, 100001),
                      [](double x) { return std::hypot(x, 3); }, relative),
                  2e-7, "hypot");
    const std::vector<float> x{0, 0.25f, 1, 1.75f, -0.25f, -1, -1e-9f, 1e6f + 0.5f};
    const std::vector<float> got = map_floats("wf_fract(x)", x);
    const std::vector<float> exact{0, 0.25f, 0, 0.75f, 0.75f, 0, 0.99999994f, 0.5f};
    for (size_t i = 0; i < x.size(); ++i)
        EXPECT_EQ(got[i], exact[i]) << x[i];
}

TEST(Math, rounding_to_integers) {
    const std::vector<float> got =
        map_floats("(float)wf_round(x)", {0, 0.4f, 0.6f, -0.4f, -0.6f, 1e6f, -123.4f});
    EXPECT_EQ(got, (std::vector<float>{0, 0, 1, 0, -1, 1e6f, -123}));
}

TEST(Math, mixing_is_exact_at_both_ends) {
    const std::vector<float> x{0.1f, 1e-20f, 123456.7f}, y{0.7f, 1e20f, 0.3f};
    EXPECT_EQ(map_floats("wf_mix(x, y, 0.0f)", x, y), x);
    EXPECT_EQ(map_floats("wf_mix(x, y, 1.0f)", x, y), y);
}

TEST(Noise, is_the_same_everywhere) {
    // Two rounds of x ^= x >> s; x *= m and a last shift, on the host.
    const auto hash = [](uint32_t v) {
        v = (v ^ v >> 16) * 0x7feb352du;
        v = (v ^ v >> 15) * 0x846ca68bu;
        return v ^ v >> 16;
    };
    std::vector<float> x = sweep(0, 65535, 65536);
    const std::vector<float> got =
        map_floats("as_float(wf_hash((uint)(int)x * 2654435761u) >> 9 | 0x3f800000u)", x);
    for (size_t i = 0; i < x.size(); ++i) {
        const uint32_t bits = hash(static_cast<uint32_t>(i) * 2654435761u) >> 9 | 0x3f800000u;
        float expected;
        std::memcpy(&expected, &bits, 4);
        ASSERT_EQ(got[i], expected) << i;
    }
}

TEST(Noise, is_even) {
    const int side = 512;
    const std::vector<float> got =
        map_floats("wf_noise(i % 512, i / 512, 7u)", std::vector<float>(static_cast<size_t>(side * side)));
    // Sixteen bins of 16384 each; the standard deviation of a bin is 124, so 6 of them is out of reach of
    // chance.
    std::vector<int> bins(16);
    double product = 0;
    for (size_t i = 0; i < got.size(); ++i) {
        ASSERT_GE(got[i], 0);
        ASSERT_LT(got[i], 1);
        ++bins[static_cast<size_t>(got[i] * 16)];
        if (i > 0) product += (got[i] - 0.5) * (got[i - 1] - 0.5);
    }
    for (const int bin : bins)
        EXPECT_NEAR(bin, side * side / 16, 744);
    // Neighbours know nothing of each other: the mean product is 0 within 6 of its 1/(12 sqrt N).
    EXPECT_NEAR(product / side / side, 0, 6.0 / 12 / side);
}

} // namespace
} // namespace weft::test
