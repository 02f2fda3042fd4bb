// The prelude's transfer curves against published points and against the same formulas in double.
#include <cmath>

#include <gtest/gtest.h>

#include "colour/colour_spec.hpp"
#include "support/mini_kernel.hpp"

namespace weft::test {
namespace {

using colour::Transfer;

struct Curve {
    Transfer transfer;
    const char* to_light;
    const char* from_light;
    float brightest; // light that the signal 1 stands for, at most
};
const Curve curves[] = {{Transfer::bt709, "wf_bt709_to_linear(x)", "wf_linear_to_bt709(x)", 1},
                        {Transfer::srgb, "wf_srgb_to_linear(x)", "wf_linear_to_srgb(x)", 1},
                        {Transfer::gamma22, "wf_gamma22_to_linear(x)", "wf_linear_to_gamma22(x)", 1},
                        {Transfer::gamma28, "wf_gamma28_to_linear(x)", "wf_linear_to_gamma28(x)", 1},
                        {Transfer::pq, "wf_pq_to_linear(x)", "wf_linear_to_pq(x)", 10000.0f / 203},
                        {Transfer::hlg, "wf_hlg_to_linear(x)", "wf_linear_to_hlg(x)", 1000.0f / 203}};

std::vector<float> signals() {
    std::vector<float> out;
    for (int i = -200; i <= 1200; ++i)
        out.push_back(static_cast<float>(i) / 1000);
    return out;
}

TEST(Transfer, to_light_as_in_double) {
    for (const Curve& curve : curves) {
        const std::vector<float> x = signals();
        const std::vector<float> got = map_floats(curve.to_light, x);
        for (size_t i = 0; i < x.size(); ++i) {
            // PQ is 10000 cd/m2 at 1 and not defined above; its last step is a power of 6.3 of a quotient of
            // small differences, which magnifies float's rounding.
            if (curve.transfer == Transfer::pq && std::abs(x[i]) > 1) continue;
            const double exact = colour::to_linear(curve.transfer, x[i]);
            const double relative = curve.transfer == Transfer::pq ? 2e-4 : 3e-6;
            ASSERT_NEAR(got[i], exact, relative * std::abs(exact) + 1e-6) << curve.to_light << " of " << x[i];
        }
    }
}

TEST(Transfer, from_light_as_in_double) {
    for (const Curve& curve : curves) {
        std::vector<float> x;
        for (const float s : signals())
            x.push_back(s * std::abs(s) * curve.brightest);
        const std::vector<float> got = map_floats(curve.from_light, x);
        // A tenth of a step of 10 bits is out of sight; what is found is far below.
        for (size_t i = 0; i < x.size(); ++i)
            ASSERT_NEAR(got[i], colour::from_linear(curve.transfer, x[i]), 1e-5)
                << curve.from_light << " of " << x[i];
    }
}

TEST(Transfer, published_points) {
    const auto one = [](const char* expression, float x) { return map_floats(expression, {x})[0]; };
    // BT.709 item 1.2: 4.5 L below 0.018. IEC 61966-2-1: 0.5 is 0.2140 of light. BT.2408-4 table 1: PQ 58 %
    // is 203 cd/m2; HLG 75 % likewise on a display of 1000 cd/m2. BT.2100: PQ 1 is 10000 cd/m2, HLG 0.5 is
    // 1/12 of scene light.
    EXPECT_NEAR(one("wf_linear_to_bt709(x)", 0.01f), 0.045, 1e-6);
    EXPECT_NEAR(one("wf_srgb_to_linear(x)", 0.5f), 0.21404, 1e-5);
    EXPECT_NEAR(one("wf_pq_to_linear(x)", 0.58f), 1, 0.01);
    EXPECT_NEAR(one("wf_pq_to_linear(x)", 1), 10000.0 / 203, 0.01);
    EXPECT_NEAR(one("wf_hlg_to_linear(x)", 0.75f), 1, 0.005);
    EXPECT_NEAR(one("wf_hlg_to_scene(x)", 0.5f), 1.0 / 12, 1e-7);
    EXPECT_NEAR(one("wf_hlg_to_scene(x)", 1), 1, 1e-6);
}

TEST(Transfer, hlg_of_a_pixel_follows_its_luminance) {
    // BT.2100 table 5, note 5c: for pure red the gain is that of its luminance 0.2627, not of red itself.
    const float red = map_floats("px_hlg_to_linear(px_make(x, 0.0f, 0.0f, 1.0f)).r", {1})[0];
    EXPECT_NEAR(red, 1000.0 / 203 * std::pow(0.2627, 0.2), 1e-4);
    for (const char* part : {"r", "g", "b"}) {
        const std::string back =
            std::string("px_linear_to_hlg(px_hlg_to_linear(px_make(x, 0.3f, 0.6f, 1.0f))).") + part;
        EXPECT_NEAR(map_floats(back, {0.8f})[0], part[0] == 'r' ? 0.8 : part[0] == 'g' ? 0.3 : 0.6, 2e-6);
    }
}

TEST(Transfer, black_stays_black) {
    for (const Curve& curve : curves) {
        EXPECT_EQ(map_floats(curve.to_light, {0})[0], 0) << curve.to_light;
        EXPECT_NEAR(map_floats(curve.from_light, {0})[0], 0, 1e-6) << curve.from_light;
    }
}

} // namespace
} // namespace weft::test
