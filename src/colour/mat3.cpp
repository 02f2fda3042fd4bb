#include "colour/mat3.hpp"

#include <cmath>

#include "base/error.hpp"

namespace weft::colour {

Mat3 operator*(const Mat3& a, const Mat3& b) {
    Mat3 out;
    for (int row = 0; row < 3; ++row)
        for (int column = 0; column < 3; ++column)
            out(row, column) = a(row, 0) * b(0, column) + a(row, 1) * b(1, column) + a(row, 2) * b(2, column);
    return out;
}

Vec3 operator*(const Mat3& a, const Vec3& v) {
    const auto row = [&](int r) { return a(r, 0) * v[0] + a(r, 1) * v[1] + a(r, 2) * v[2]; };
    return {row(0), row(1), row(2)};
}

Mat3 inverse(const Mat3& a) {
    const auto minor = [&](int r0, int c0, int r1, int c1) {
        return a(r0, c0) * a(r1, c1) - a(r0, c1) * a(r1, c0);
    };
    const Mat3 adjugate{{minor(1, 1, 2, 2), -minor(0, 1, 2, 2), minor(0, 1, 1, 2),  //
                         -minor(1, 0, 2, 2), minor(0, 0, 2, 2), -minor(0, 0, 1, 2), //
                         minor(1, 0, 2, 1), -minor(0, 0, 2, 1), minor(0, 0, 1, 1)}};
    const double determinant = a(0, 0) * adjugate(0, 0) + a(0, 1) * adjugate(1, 0) + a(0, 2) * adjugate(2, 0);
    double largest = 0;
    for (const double x : a.m)
        largest = std::max(largest, std::abs(x));
    // Below this, what is left of the determinant is the rounding of its own terms.
    if (!(std::abs(determinant) > 1e-14 * largest * largest * largest))
        throw Error(ErrorKind::bad_input,
                    "a 3x3 matrix cannot be inverted: its determinant is " + std::to_string(determinant));
    Mat3 out;
    for (size_t i = 0; i < 9; ++i)
        out.m[i] = adjugate.m[i] / determinant;
    return out;
}

} // namespace weft::colour
