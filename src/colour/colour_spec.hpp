// What the numbers in a picture mean.
#pragma once

#include <string>

#include "colour/mat3.hpp"
#include "colour/pixel_format.hpp"

namespace weft::colour {

enum class Matrix { unspecified, rgb, bt601, bt709, bt2020, fcc, smpte240m };
enum class Range { unspecified, limited, full };
enum class Transfer { unspecified, bt709, srgb, linear, pq, hlg, gamma22, gamma28 };
enum class Primaries { unspecified, bt601_525, bt601_625, bt709, bt2020, display_p3 };
enum class ChromaSite { unspecified, left, centre, top_left, top };

struct ColourSpec {
    Matrix matrix = Matrix::unspecified;
    Range range = Range::unspecified;
    Transfer transfer = Transfer::unspecified;
    Primaries primaries = Primaries::unspecified;
    ChromaSite chroma = ChromaSite::unspecified;
    friend bool operator==(const ColourSpec&, const ColourSpec&) = default;
};

// The one rule for what a file leaves unsaid: Y'CbCr is BT.709 when width >= 1280 or height > 576, else
// BT.601; limited unless the format's name says full (yuvj, MJPEG); chroma left (full-range JPEG: centre).
// RGB is sRGB, full; gray is full, as FFmpeg reads it. BT.2020, PQ and HLG only when tagged. A matrix tag
// that contradicts the samples is ignored, and pictures without subsampling are called `left`. Nothing in the
// result is `unspecified`.
ColourSpec resolve(ColourSpec tagged, const PixelFormat& format, int width, int height);

// Matrix from Y'CbCr to R'G'B', row-major, for Y' in [0, 1] and Cb, Cr in [-0.5, 0.5].
//   kr, kb : luma weights of red and blue, unitless, kr + kb < 1
// Errors : bad_input unless both are positive and their sum is below 1.
// Source : ITU-R BT.601, luma and colour-difference construction.
Mat3 ycbcr_to_rgb(double kr, double kb);

// Luma weights of a matrix (kr, kb); rgb has those of BT.709. Source : BT.601, BT.709, BT.2020, SMPTE 240M,
// FCC 47 CFR 73.682.
struct LumaWeights {
    double kr, kb;
};
LumaWeights luma_weights(Matrix matrix);

// How a stored code becomes a nominal value: value = (code - offset) / scale. Luma, R, G, B, alpha: nominal
// 0..1; chroma: -0.5..0.5.  depth : bits of the code.  Source : BT.709 item 5, BT.2100 table 9 (limited),
// JFIF (full).
struct CodeScale {
    double offset, scale;
};
CodeScale code_scale(Range range, int depth, bool chroma);

// Affine map in nominal-code space of stored "8-bit equivalents / 255" (limited: code / 2^(depth-8) / 255;
// full: code / (2^depth - 1)) from Y'CbCr to nominal R'G'B': rgb = m * ycc + offset.
struct Affine3 {
    Mat3 m;
    std::array<double, 3> offset{};
};
Affine3 stored_to_rgb(const ColourSpec& spec);
Affine3 rgb_to_stored(const ColourSpec& spec);

// What `stored` equals for a code of this depth: value = code * unit. See Affine3.
double stored_unit(Range range, int depth);

// Added to code * unit so that the centre of chroma is 128/255 at every depth. Not 0 only for full-range
// chroma of more than 8 bits, whose centre 2^(depth-1) / (2^depth - 1) would tint grey by half an 8-bit code.
double stored_offset(Range range, int depth, bool chroma);

// lo, mid and hi of a component in stored values: limited luma 16/255, -, 235/255; chroma 16, 128, 240; full
// and RGB 0, 127.5 (chroma 128), 255.
struct StoredRange {
    double lo, mid, hi;
};
StoredRange stored_range(const ColourSpec& spec, bool chroma);

// Offset of chroma sample 0 from luma sample 0, in luma samples, for a subsampling by 2^log2: left-sited 0,
// centred 0.5 (log2 = 1), 1.5 (log2 = 2).
double chroma_offset_x(ChromaSite site, int log2_chroma_w);
double chroma_offset_y(ChromaSite site, int log2_chroma_h);

// Primaries to primaries in linear light (no adaptation needed: all are D65), and transfer functions on
// nominal values. Source : BT.709, BT.2020, SMPTE RP 431/P3-D65, IEC 61966-2-1, BT.2100.
Mat3 primaries_to_xyz(Primaries p);
Mat3 convert_primaries(Primaries from, Primaries to);
bool same_primaries(Primaries a, Primaries b); // BT.601-525, BT.601-625 and BT.709 count as equal
// Light 1.0 is SDR white: 203 cd/m2 of PQ, and of HLG on BT.2100's display of 1000 cd/m2. Curves are odd
// functions. HLG's display gamma works on luminance, so one value stands for a grey; colours take all three.
double to_linear(Transfer transfer, double value);
double from_linear(Transfer transfer, double value);
Vec3 to_linear(Transfer transfer, const Vec3& rgb);
Vec3 from_linear(Transfer transfer, const Vec3& light);
// The curve that `light: linear` uses for a tag: sRGB's for every SDR one, PQ, HLG and linear themselves.
Transfer light_curve(Transfer transfer);

std::string name(Matrix);
std::string name(Range);
std::string name(Transfer);
std::string name(Primaries);
std::string name(ChromaSite);

} // namespace weft::colour
