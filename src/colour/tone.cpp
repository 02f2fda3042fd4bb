#include "colour/tone.hpp"

#include <algorithm>
#include <cmath>

namespace weft::colour {
namespace {

// Hable's filmic curve, not yet scaled to its peak.
double hable(double l) {
    constexpr double a = 0.15, b = 0.50, c = 0.10, d = 0.20, e = 0.02, f = 0.30;
    return (l * (l * a + b * c) + d * e) / (l * (l * a + b) + d * f) - e / f;
}

double mobius(double l, double peak) {
    constexpr double j = 0.3; // linear up to here
    if (l <= j) return l;
    const double a = -j * j * (peak - 1) / (j * j - 2 * j + peak);
    const double b = (j * j - 2 * j * peak + peak) / std::max(peak - 1, 1e-6);
    return (b * b + 2 * b * j + j * j) / (b - a) * (l + a) / (l + b);
}

double bt2390(double l, double peak) {
    // PQ values, of the source's peak.
    const double whole = from_linear(Transfer::pq, peak);
    const double top = from_linear(Transfer::pq, 1) / whole; // what the peak becomes: SDR white
    const double knee = 1.5 * top - 0.5;                     // from here on it bends
    const double e = from_linear(Transfer::pq, l) / whole;
    if (e <= knee) return l;
    const double t = (e - knee) / (1 - knee), t2 = t * t, t3 = t2 * t;
    const double out =
        (2 * t3 - 3 * t2 + 1) * knee + (t3 - 2 * t2 + t) * (1 - knee) + (3 * t2 - 2 * t3) * top;
    return to_linear(Transfer::pq, out * whole);
}

} // namespace

std::string name(ToneMap map) {
    constexpr const char* names[] = {"bt2390", "hable", "reinhard", "mobius", "clip"};
    return names[static_cast<int>(map)];
}

double tone_mapped(const ToneCurve& curve, double light) {
    if (light <= 0) return 0;
    if (curve.peak <= 1 || curve.map == ToneMap::clip) return std::min(light, 1.0);
    if (light >= curve.peak) return 1;
    switch (curve.map) {
    case ToneMap::bt2390:
        return bt2390(light, curve.peak);
    case ToneMap::hable:
        return hable(light) / hable(curve.peak);
    case ToneMap::reinhard:
        return light / (light + 1) * (curve.peak + 1) / curve.peak;
    case ToneMap::mobius:
        return mobius(light, curve.peak);
    case ToneMap::clip:
        break;
    }
    return std::min(light, 1.0);
}

Vec3 tone_mapped(const ToneCurve& curve, const Vec3& rgb) {
    const double largest = std::max({rgb[0], rgb[1], rgb[2]});
    if (largest <= 0) return rgb;
    const double gain = tone_mapped(curve, largest) / largest;
    return {rgb[0] * gain, rgb[1] * gain, rgb[2] * gain};
}

double source_peak(Transfer transfer, double said) {
    if (transfer != Transfer::pq || said <= 0) return usual_peak / sdr_white;
    return std::clamp(said, sdr_white, 10000.0) / sdr_white;
}

Vec3 luminance_weights(Primaries p) {
    const Mat3 xyz = primaries_to_xyz(p);
    return {xyz(1, 0), xyz(1, 1), xyz(1, 2)};
}

Vec3 into_gamut(const Vec3& rgb, const Vec3& weights) {
    const double least = std::min({rgb[0], rgb[1], rgb[2]});
    if (least >= 0) return rgb;
    const double grey = std::max(weights[0] * rgb[0] + weights[1] * rgb[1] + weights[2] * rgb[2], 0.0);
    const double keep = grey / (grey - least);
    return {grey + (rgb[0] - grey) * keep, grey + (rgb[1] - grey) * keep, grey + (rgb[2] - grey) * keep};
}

} // namespace weft::colour
