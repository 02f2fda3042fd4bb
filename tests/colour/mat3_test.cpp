#include "colour/mat3.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace weft::colour {
namespace {

TEST(Mat3, ProductByHand) {
    const Mat3 a{{1, 2, 3, 4, 5, 6, 7, 8, 10}}, b{{1, 0, 2, 0, 1, 0, 3, 0, 1}};
    EXPECT_EQ(a * b, (Mat3{{10, 2, 5, 22, 5, 14, 37, 8, 24}}));
    EXPECT_EQ(a * Mat3{}, a);
    EXPECT_EQ((a * Vec3{1, 1, 2}), (Vec3{9, 21, 35}));
}

TEST(Mat3, InverseByHand) { // of [2 0 0; 0 4 0; 1 0 1]
    const Mat3 inverted = inverse(Mat3{{2, 0, 0, 0, 4, 0, 1, 0, 1}});
    EXPECT_EQ(inverted, (Mat3{{0.5, 0, 0, 0, 0.25, 0, -0.5, 0, 1}}));
}

TEST(Mat3, AMatrixTimesItsInverseIsOne) {
    const Mat3 a{{0.41, 0.36, 0.18, 0.21, 0.72, 0.07, 0.02, 0.12, 0.95}};
    const Mat3 one = a * inverse(a);
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c)
            EXPECT_NEAR(one(r, c), r == c ? 1 : 0, 1e-14);
}

TEST(Mat3, SingularIsRefusedAndSmallIsNot) {
    EXPECT_THROW(inverse(Mat3{{1, 2, 3, 2, 4, 6, 1, 1, 1}}), Error);
    EXPECT_THROW(inverse(Mat3{{0, 0, 0, 0, 0, 0, 0, 0, 0}}), Error);
    EXPECT_NEAR(inverse(Mat3{{1e-9, 0, 0, 0, 1e-9, 0, 0, 0, 1e-9}})(1, 1), 1e9, 1);
}

} // namespace
} // namespace weft::colour
