// Transfer functions and primaries against values printed in their standards.
#include <cmath>

#include <gtest/gtest.h>

#include "colour/colour_spec.hpp"

namespace weft::colour {
namespace {

constexpr double white = 203; // cd/m2

constexpr Transfer all_curves[] = {Transfer::bt709, Transfer::srgb,    Transfer::linear, Transfer::pq,
                                   Transfer::hlg,   Transfer::gamma22, Transfer::gamma28};

void expect_matrix(const Mat3& m, const std::array<double, 9>& printed, double tolerance) {
    for (size_t i = 0; i < 9; ++i)
        EXPECT_NEAR(m.m[i], printed[i], tolerance) << "element " << i;
}

TEST(Light, SrgbCurve) { // IEC 61966-2-1: 0.5 -> 0.2140, code 188 -> 0.5029, the knee at 0.04045 -> 0.0031308
    EXPECT_NEAR(to_linear(Transfer::srgb, 0.5), 0.214041, 1e-6);
    EXPECT_NEAR(to_linear(Transfer::srgb, 188.0 / 255), 0.502886, 1e-6);
    EXPECT_NEAR(to_linear(Transfer::srgb, 0.04045), 0.0031308, 1e-7);
    EXPECT_DOUBLE_EQ(to_linear(Transfer::srgb, 1), 1);
}

TEST(Light, Bt709Curve) { // BT.709-6 item 1.2: V = 4.5 L below 0.018, V = 1.099 L^0.45 - 0.099 above
    EXPECT_NEAR(from_linear(Transfer::bt709, 0.01), 0.045, 1e-12);
    EXPECT_NEAR(from_linear(Transfer::bt709, 0.18), 1.099 * std::pow(0.18, 0.45) - 0.099, 3e-4);
    EXPECT_NEAR(from_linear(Transfer::bt709, 1), 1, 1e-12);
}

TEST(Light, PqInCandelas) { // BT.2100-2 table 4 and BT.2408 table 1
    EXPECT_NEAR(to_linear(Transfer::pq, 1) * white, 10000, 1e-6);
    EXPECT_EQ(to_linear(Transfer::pq, 0), 0);
    EXPECT_NEAR(from_linear(Transfer::pq, 203 / white), 0.58, 0.001); // reference white: 58 %
    EXPECT_NEAR(from_linear(Transfer::pq, 26 / white), 0.38, 0.002);  // grey card: 38 %
    EXPECT_NEAR(from_linear(Transfer::pq, 100 / white), 0.508078, 1e-5);
    EXPECT_NEAR(from_linear(Transfer::pq, 1000 / white), 0.751827, 1e-5);
}

TEST(Light, HlgOnADisplayOfThousandCandelas) { // BT.2100-2 table 5 and BT.2408 table 1
    EXPECT_NEAR(to_linear(Transfer::hlg, 1) * white, 1000, 1e-3);
    EXPECT_NEAR(to_linear(Transfer::hlg, 0.75) * white, 203, 0.5); // reference white: 75 %
    EXPECT_NEAR(to_linear(Transfer::hlg, 0.38) * white, 26, 0.5);  // grey card: 38 %
    EXPECT_NEAR(to_linear(Transfer::hlg, 0.5) * white, 1000 * std::pow(1.0 / 12, 1.2),
                1e-6); // E' = 0.5 is E = 1/12
}

TEST(Light, HlgGreyIsTheSameAloneAndAsAColour) {
    const Vec3 grey = to_linear(Transfer::hlg, Vec3{0.6, 0.6, 0.6});
    for (const double x : grey)
        EXPECT_NEAR(x, to_linear(Transfer::hlg, 0.6), 1e-12);
}

// BT.2100 table 5: a pure red scene light 1 is shown at luminance 0.2627^(gamma - 1) of the peak per unit.
TEST(Light, HlgColoursAreScaledByTheirLuminance) {
    const Vec3 red = to_linear(Transfer::hlg, Vec3{1, 0, 0});
    EXPECT_NEAR(red[0] * white, 1000 * std::pow(0.2627, 0.2), 1e-2);
    EXPECT_EQ(red[1], 0);
    const Vec3 back = from_linear(Transfer::hlg, to_linear(Transfer::hlg, Vec3{0.9, 0.2, 0.5}));
    EXPECT_NEAR(back[0], 0.9, 1e-9);
    EXPECT_NEAR(back[1], 0.2, 1e-9);
    EXPECT_NEAR(back[2], 0.5, 1e-9);
}

TEST(Light, EveryCurveIsOddRisesAndComesBack) {
    for (const Transfer transfer : all_curves) {
        SCOPED_TRACE(name(transfer));
        const double back = transfer == Transfer::pq ? 1e-6 : 1e-9; // PQ's formula gives 7e-7 for no light
        double before = -1e9;
        for (int i = -100; i <= 100; ++i) {
            const double value = i / 100.0, light = to_linear(transfer, value);
            EXPECT_GT(light, before);
            before = light;
            EXPECT_NEAR(from_linear(transfer, light), value, back);
            EXPECT_NEAR(to_linear(transfer, -value), -light, 1e-12);
        }
    }
}

TEST(Light, SdrIsLitBySrgbsCurveWhateverItsTag) {
    for (const Transfer sdr : {Transfer::bt709, Transfer::srgb, Transfer::gamma22, Transfer::gamma28})
        EXPECT_EQ(light_curve(sdr), Transfer::srgb);
    for (const Transfer other : {Transfer::linear, Transfer::pq, Transfer::hlg})
        EXPECT_EQ(light_curve(other), other);
}

TEST(Primaries, Bt709ToXyz) { // IEC 61966-2-1 equation 7
    expect_matrix(primaries_to_xyz(Primaries::bt709),
                  {0.4124, 0.3576, 0.1805, 0.2126, 0.7152, 0.0722, 0.0193, 0.1192, 0.9505}, 6e-5);
}

TEST(Primaries, LuminanceRowsAreTheLumaWeightsOfTheirStandards) {
    const Mat3 wide = primaries_to_xyz(Primaries::bt2020); // BT.2020-2 table 4
    EXPECT_NEAR(wide(1, 0), 0.2627, 5e-5);
    EXPECT_NEAR(wide(1, 1), 0.6780, 5e-5);
    EXPECT_NEAR(wide(1, 2), 0.0593, 5e-5);
    const Mat3 p3 = primaries_to_xyz(Primaries::display_p3); // SMPTE EG 432-1
    EXPECT_NEAR(p3(1, 0), 0.2290, 5e-5);
    EXPECT_NEAR(p3(1, 1), 0.6917, 5e-5);
    EXPECT_NEAR(p3(1, 2), 0.0793, 5e-5);
    const Mat3 ntsc = primaries_to_xyz(Primaries::bt601_525); // SMPTE RP 145
    EXPECT_NEAR(ntsc(1, 0), 0.2124, 5e-5);
    EXPECT_NEAR(ntsc(1, 1), 0.7011, 5e-5);
    EXPECT_NEAR(ntsc(1, 2), 0.0866, 5e-5);
}

TEST(Primaries, Bt709ToBt2020AndBack) { // BT.2087-0 and BT.2407-0
    expect_matrix(convert_primaries(Primaries::bt709, Primaries::bt2020),
                  {0.6274, 0.3293, 0.0433, 0.0691, 0.9195, 0.0114, 0.0164, 0.0880, 0.8956}, 6e-5);
    expect_matrix(convert_primaries(Primaries::bt2020, Primaries::bt709),
                  {1.6605, -0.5876, -0.0728, -0.1246, 1.1329, -0.0083, -0.0182, -0.1006, 1.1187}, 6e-5);
}

TEST(Primaries, WhiteStaysWhite) { // every set here is built on D65
    for (const Primaries from :
         {Primaries::bt601_525, Primaries::bt709, Primaries::bt2020, Primaries::display_p3})
        for (const Primaries to :
             {Primaries::bt601_625, Primaries::bt709, Primaries::bt2020, Primaries::display_p3}) {
            const Vec3 out = convert_primaries(from, to) * Vec3{1, 1, 1};
            for (const double x : out)
                EXPECT_NEAR(x, 1, 1e-12);
        }
}

TEST(Primaries, TheNarrowSetsCountAsEqual) {
    EXPECT_TRUE(same_primaries(Primaries::bt601_525, Primaries::bt709));
    EXPECT_TRUE(same_primaries(Primaries::bt601_625, Primaries::bt601_525));
    EXPECT_FALSE(same_primaries(Primaries::bt709, Primaries::display_p3));
    EXPECT_FALSE(same_primaries(Primaries::bt2020, Primaries::display_p3));
    EXPECT_EQ(convert_primaries(Primaries::bt601_525, Primaries::bt709), Mat3{});
}

} // namespace
} // namespace weft::colour
