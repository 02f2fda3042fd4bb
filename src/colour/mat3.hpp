// 3x3 matrices in double; all colour matrices are computed with them, once, on the host.
#pragma once

#include <array>
#include <cstddef>

namespace weft::colour {

using Vec3 = std::array<double, 3>;

struct Mat3 {
    std::array<double, 9> m{1, 0, 0, 0, 1, 0, 0, 0, 1}; // row-major
    double operator()(int row, int column) const { return m[static_cast<size_t>(row * 3 + column)]; }
    double& operator()(int row, int column) { return m[static_cast<size_t>(row * 3 + column)]; }
    friend Mat3 operator*(const Mat3& a, const Mat3& b);
    friend Vec3 operator*(const Mat3& a, const Vec3& v);
    friend bool operator==(const Mat3&, const Mat3&) = default;
};

Mat3 inverse(const Mat3& a); // Errors : bad_input when singular

} // namespace weft::colour
