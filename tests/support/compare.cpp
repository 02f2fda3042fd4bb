#include "support/compare.hpp"

#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "base/format.hpp"

namespace weft::test {

std::string Difference::text() const {
    return fmt::format("max {:.4f}, rms {:.4f} codes, {:.1f} dB, {} of {} beyond; worst: {}", max, rms, psnr,
                       beyond, samples, worst);
}

Difference compare(const Picture& expected, const Picture& got, double tolerance) {
    WEFT_CHECK(expected.planes.size() == got.planes.size());
    Difference out;
    double sum = 0;
    for (size_t p = 0; p < expected.planes.size(); ++p) {
        const Plane& a = expected.planes[p];
        const Plane& b = got.planes[p];
        WEFT_CHECK(a.width == b.width && a.height == b.height);
        for (int y = 0; y < a.height; ++y)
            for (int x = 0; x < a.width; ++x) {
                const double difference = std::abs(a(x, y) - b(x, y)) * 255;
                const double d =
                    std::isfinite(difference) ? difference : std::numeric_limits<double>::infinity();
                sum += d * d;
                ++out.samples;
                // Not 1/255 exactly after float: codes that are equal must not count.
                if (d > tolerance + 1e-9) ++out.beyond;
                if (d > out.max || out.worst.empty()) {
                    out.max = d;
                    out.worst = fmt::format("plane {} at ({}, {}): expected {:.4f}, got {:.4f}", p, x, y,
                                            a(x, y) * 255, b(x, y) * 255);
                }
            }
    }
    out.rms = std::sqrt(sum / static_cast<double>(out.samples));
    out.psnr = out.rms > 0 ? 20 * std::log10(255 / out.rms) : std::numeric_limits<double>::infinity();
    return out;
}

} // namespace weft::test
