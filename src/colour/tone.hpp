// Bringing the light of HDR pictures to a display of SDR white: curves and the narrower gamut, in linear
// light whose 1.0 is SDR white (203 cd/m2).
#pragma once

#include <string>

#include "colour/colour_spec.hpp"

namespace weft::colour {

constexpr double sdr_white = 203; // cd/m2, BT.2408

enum class ToneMap { bt2390, hable, reinhard, mobius, clip };
std::string name(ToneMap);

// peak : the brightest light of the source, in SDR whites; from 1 on. Every curve maps 0 to 0, `peak` and all
// above to 1, and rises between.
struct ToneCurve {
    ToneMap map = ToneMap::bt2390;
    double peak = 1000.0 / 203;
};
// Source : BT.2390-10, 5.4.1 (without its black lift: both blacks are 0), on PQ values; hable, reinhard and
// mobius as FFmpeg's filter tonemap has them with its default parameters; clip: what is above white is white.
double tone_mapped(const ToneCurve& curve, double light);
// A colour, by its largest component, all three by one factor: its hue and saturation stay.
Vec3 tone_mapped(const ToneCurve& curve, const Vec3& rgb);

// Where a picture's metadata do not say its peak: that of the display it was graded on, most often.
constexpr double usual_peak = 1000; // cd/m2
// The peak of a picture in SDR whites. HLG is made for a display of 1000 cd/m2 and has that peak whatever is
// said; PQ has what is said in cd/m2, held to what PQ can hold, or 1000 when `said` is 0.
double source_peak(Transfer transfer, double said);

// Luminance weights of linear R, G, B of these primaries.
Vec3 luminance_weights(Primaries p);
// A colour with negative components, which another gamut holds, mixed with as much grey of its own luminance
// as brings the least of them to 0. Light without luminance is black.
Vec3 into_gamut(const Vec3& rgb, const Vec3& luminance_weights);

} // namespace weft::colour
