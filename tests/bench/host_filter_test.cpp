#include "bench/host_filter.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace weft::bench {
namespace {

// out(x, y) = sum of weights[j][i] * in(x + i, y + j), by hand.
FilterJob small_job() {
    FilterJob job;
    job.out_width = 70; // more than one block of results
    job.out_height = 3;
    job.filter_width = 3;
    job.filter_height = 2;
    job.pitch = 160;
    job.weights = {1, 2, 3, 10, 20, 30};
    for (int y = 0; y < 4; ++y)
        for (int x = 0; x < job.pitch; ++x)
            job.samples.push_back(static_cast<float>(x + 100 * y));
    return job;
}

double by_hand(int x, int y) {
    const double at = x + 100 * y;
    return 1 * at + 2 * (at + 1) + 3 * (at + 2) + 10 * (at + 100) + 20 * (at + 101) + 30 * (at + 102);
}

TEST(HostFilter, is_the_sum_of_its_definition) {
    const FilterJob job = small_job();
    const std::vector<double> exact = exact_filter(job);
    std::vector<float> plain(exact.size());
    plain_filter(job, plain.data());
    for (int y = 0; y < job.out_height; ++y)
        for (int x = 0; x < job.out_width; ++x) {
            const auto i = static_cast<size_t>(y * job.out_width + x);
            ASSERT_EQ(exact[i], by_hand(x, y)) << x << ", " << y;
            ASSERT_EQ(plain[i], by_hand(x, y)) << x << ", " << y; // whole numbers below 2^24
        }
}

TEST(Factors, of_an_outer_product) {
    const std::vector<float> column{0.5f, -2, 3}, row{0.1f, 7, 0, 0.3f};
    std::vector<float> weights;
    for (const float c : column)
        for (const float r : row)
            weights.push_back(c * r);
    const auto factors = factors_of(weights, 4, 3);
    ASSERT_TRUE(factors.has_value());
    for (size_t j = 0; j < 3; ++j)
        for (size_t i = 0; i < 4; ++i)
            EXPECT_NEAR(factors->column[j] * factors->row[i], column[j] * row[i], 21 * std::exp2(-22));
}

TEST(Factors, of_nothing_else) {
    EXPECT_FALSE(factors_of({0, -1, 0, -1, 5, -1, 0, -1, 0}, 3, 3).has_value());
    EXPECT_FALSE(factors_of({1, 1, 1, 1.001f}, 2, 2).has_value());
    EXPECT_FALSE(factors_of({0, 0, 0, 0}, 2, 2).has_value());
}

} // namespace
} // namespace weft::bench
