// Linear light: transfer functions and primaries.
#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "colour/colour_spec.hpp"

namespace weft::colour {
namespace {

constexpr double sdr_white = 203; // cd/m2: reference white of BT.2408, and what 1.0 means in linear light

// Curves are odd functions, so that values outside 0..1 survive a round trip.
template<class Curve>
double odd(double value, Curve curve) {
    return std::copysign(curve(std::abs(value)), value);
}

// IEC 61966-2-1, clause 5.2.
double srgb_to_linear(double v) {
    return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
}
double srgb_from_linear(double l) {
    return l <= 0.04045 / 12.92 ? l * 12.92 : 1.055 * std::pow(l, 1 / 2.4) - 0.055;
}

// BT.709 item 1.2 with the exact constants of BT.2020 table 4, where both branches meet.
constexpr double bt709_alpha = 1.09929682680944, bt709_beta = 0.018053968510807;
double bt709_to_linear(double v) {
    return v < 4.5 * bt709_beta ? v / 4.5 : std::pow((v + bt709_alpha - 1) / bt709_alpha, 1 / 0.45);
}
double bt709_from_linear(double l) {
    return l < bt709_beta ? 4.5 * l : bt709_alpha * std::pow(l, 0.45) - (bt709_alpha - 1);
}

// BT.2100 table 4; cd/m2.
constexpr double pq_m1 = 2610.0 / 16384, pq_m2 = 2523.0 / 4096 * 128;
constexpr double pq_c1 = 3424.0 / 4096, pq_c2 = 2413.0 / 4096 * 32, pq_c3 = 2392.0 / 4096 * 32;
double pq_to_nits(double v) {
    const double e = std::pow(v, 1 / pq_m2);
    return 10000 * std::pow(std::max(e - pq_c1, 0.0) / (pq_c2 - pq_c3 * e), 1 / pq_m1);
}
double pq_from_nits(double nits) {
    const double y = std::pow(nits / 10000, pq_m1);
    return std::pow((pq_c1 + pq_c2 * y) / (1 + pq_c3 * y), pq_m2);
}

// BT.2100 table 5: HLG between signal and scene light, both 0..1, and the display that maps scene to light
// shown.
constexpr double hlg_a = 0.17883277, hlg_b = 1 - 4 * hlg_a;
const double hlg_c = 0.5 - hlg_a * std::log(4 * hlg_a);
constexpr double hlg_display_peak = 1000, hlg_gamma = 1.2;
double hlg_to_scene(double v) {
    return v <= 0.5 ? v * v / 3 : (std::exp((v - hlg_c) / hlg_a) + hlg_b) / 12;
}
double hlg_from_scene(double e) {
    return e <= 1.0 / 12 ? std::sqrt(3 * e) : hlg_a * std::log(12 * e - hlg_b) + hlg_c;
}

// Luminance of BT.2100's colours from linear R, G, B (table 5, note 5c).
double hlg_luminance(const Vec3& rgb) {
    return 0.2627 * rgb[0] + 0.6780 * rgb[1] + 0.0593 * rgb[2];
}

struct Chromaticity {
    double x, y;
};
struct PrimarySet {
    Chromaticity red, green, blue;
};
constexpr Chromaticity d65{0.3127, 0.3290};

PrimarySet chromaticities(Primaries p) {
    switch (p) {
    case Primaries::bt601_525:
        return {{0.630, 0.340}, {0.310, 0.595}, {0.155, 0.070}}; // BT.601 table 2
    case Primaries::bt601_625:
        return {{0.640, 0.330}, {0.290, 0.600}, {0.150, 0.060}}; // BT.601 table 2
    case Primaries::bt709:
        return {{0.640, 0.330}, {0.300, 0.600}, {0.150, 0.060}}; // BT.709 item 1.3
    case Primaries::bt2020:
        return {{0.708, 0.292}, {0.170, 0.797}, {0.131, 0.046}}; // BT.2020 table 3
    case Primaries::display_p3:
        return {{0.680, 0.320}, {0.265, 0.690}, {0.150, 0.060}}; // SMPTE EG 432-1
    case Primaries::unspecified:
        break;
    }
    WEFT_CHECK(p != Primaries::unspecified);
    return {};
}

// XYZ of a chromaticity at Y = 1.
Vec3 xyz(Chromaticity c) {
    return {c.x / c.y, 1, (1 - c.x - c.y) / c.y};
}

} // namespace

double to_linear(Transfer transfer, double value) {
    switch (transfer) {
    case Transfer::bt709:
        return odd(value, bt709_to_linear);
    case Transfer::srgb:
        return odd(value, srgb_to_linear);
    case Transfer::linear:
        return value;
    case Transfer::gamma22:
        return odd(value, [](double v) { return std::pow(v, 2.2); });
    case Transfer::gamma28:
        return odd(value, [](double v) { return std::pow(v, 2.8); });
    case Transfer::pq:
        return odd(value, [](double v) { return pq_to_nits(v) / sdr_white; });
    case Transfer::hlg:
        return odd(value, [](double v) {
            return hlg_display_peak / sdr_white * std::pow(hlg_to_scene(v), hlg_gamma);
        });
    case Transfer::unspecified:
        break;
    }
    WEFT_CHECK(transfer != Transfer::unspecified);
    return value;
}

double from_linear(Transfer transfer, double value) {
    switch (transfer) {
    case Transfer::bt709:
        return odd(value, bt709_from_linear);
    case Transfer::srgb:
        return odd(value, srgb_from_linear);
    case Transfer::linear:
        return value;
    case Transfer::gamma22:
        return odd(value, [](double l) { return std::pow(l, 1 / 2.2); });
    case Transfer::gamma28:
        return odd(value, [](double l) { return std::pow(l, 1 / 2.8); });
    case Transfer::pq:
        return odd(value, [](double l) { return pq_from_nits(l * sdr_white); });
    case Transfer::hlg:
        return odd(value, [](double l) {
            return hlg_from_scene(std::pow(l * sdr_white / hlg_display_peak, 1 / hlg_gamma));
        });
    case Transfer::unspecified:
        break;
    }
    WEFT_CHECK(transfer != Transfer::unspecified);
    return value;
}

Vec3 to_linear(Transfer transfer, const Vec3& rgb) {
    if (transfer != Transfer::hlg)
        return {to_linear(transfer, rgb[0]), to_linear(transfer, rgb[1]), to_linear(transfer, rgb[2])};
    Vec3 out;
    for (size_t i = 0; i < 3; ++i)
        out[i] = odd(rgb[i], hlg_to_scene);
    const double gain =
        hlg_display_peak / sdr_white * std::pow(std::max(hlg_luminance(out), 0.0), hlg_gamma - 1);
    for (double& x : out)
        x *= gain;
    return out;
}

Vec3 from_linear(Transfer transfer, const Vec3& light) {
    if (transfer != Transfer::hlg)
        return {from_linear(transfer, light[0]), from_linear(transfer, light[1]),
                from_linear(transfer, light[2])};
    const double shown = sdr_white / hlg_display_peak;
    const double luminance = std::max(hlg_luminance(light) * shown, 0.0);
    const double gain = luminance > 0 ? shown * std::pow(luminance, (1 - hlg_gamma) / hlg_gamma) : 0;
    Vec3 out;
    for (size_t i = 0; i < 3; ++i)
        out[i] = odd(light[i] * gain, hlg_from_scene);
    return out;
}

Transfer light_curve(Transfer transfer) {
    switch (transfer) {
    case Transfer::linear:
    case Transfer::pq:
    case Transfer::hlg:
        return transfer;
    default:
        return Transfer::srgb;
    }
}

// SMPTE RP 177, clause 3.3: scale the primaries so that equal amounts make the white point.
Mat3 primaries_to_xyz(Primaries p) {
    const PrimarySet set = chromaticities(p);
    const Vec3 r = xyz(set.red), g = xyz(set.green), b = xyz(set.blue);
    const Mat3 columns{{r[0], g[0], b[0], r[1], g[1], b[1], r[2], g[2], b[2]}};
    const Vec3 amount = inverse(columns) * xyz(d65);
    return columns * Mat3{{amount[0], 0, 0, 0, amount[1], 0, 0, 0, amount[2]}};
}

Mat3 convert_primaries(Primaries from, Primaries to) {
    if (same_primaries(from, to)) return {};
    return inverse(primaries_to_xyz(to)) * primaries_to_xyz(from);
}

bool same_primaries(Primaries a, Primaries b) {
    const auto narrow = [](Primaries p) {
        return p == Primaries::bt601_525 || p == Primaries::bt601_625 || p == Primaries::bt709;
    };
    return a == b || (narrow(a) && narrow(b));
}

} // namespace weft::colour
