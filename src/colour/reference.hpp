// Slow, exact picture conversions in double: what tests trust, never what the program runs.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "colour/picture_format.hpp"

namespace weft::colour::reference {

// A picture taken apart: values[c] holds component c line by line, component_width(c) x component_height(c),
// as codes, which need not be whole; float formats hold nominal values.
struct Samples {
    PictureFormat format;
    std::array<std::vector<double>, 4> values;

    double at(int component, int x, int y) const; // outside the picture: the nearest sample
    double& operator()(int component, int x, int y);
};
Samples blank(const PictureFormat& format); // every value 0

// A picture in memory of its own, with tight lines.
struct Planes {
    std::array<std::vector<uint8_t>, 4> data;
    std::array<int, 4> pitch{};
    HostPlanes view() const; // valid as long as this lives
};

// The code of one sample: the index itself for palettes.
double load(const HostPlanes& planes, const PixelFormat& format, int component, int x, int y);
// A palette's picture comes out as rgba.
Samples read(const HostPlanes& planes, const PictureFormat& format);
// Codes are rounded to nearest, halves up, and clipped to 0..2^depth - 1; padding bytes are 0.
// Errors : unsupported for palettes.
Planes write(const Samples& samples);

// Display light, nominal 0..1 but not clipped; gray has r = g = b; a = 1 without alpha.
struct Rgba {
    double r = 0, g = 0, b = 0, a = 1;
};
using Codes = std::array<double, 4>; // in the order of the format's components

// Between the codes of one pixel (chroma already at its place) and display R'G'B'.
Rgba to_rgb(const PictureFormat& format, const Codes& codes);
Codes from_rgb(const PictureFormat& format, const Rgba& rgb);

// Straight display R'G'B' of one description as another's: through linear light where primaries or curves
// differ (SDR curves count as equal), without tone mapping or clipping.
Rgba convert(const Rgba& rgb, const ColourSpec& from, const ColourSpec& to);

// Chroma at a luma position: bilinear between the samples where their siting puts them.
double chroma_at(const Samples& samples, int component, int luma_x, int luma_y);

// One pixel as display R'G'B', premultiplied or straight as its format says.
Rgba rgb_at(const Samples& samples, int x, int y);

// The same picture in another format of the same size. Chroma goes up by chroma_at() and down by the mean
// over one chroma sample's width (in luma samples, centred on its site: 1 2 1 when left-sited, 1 1 when
// centred). Errors : internal when the sizes differ.
Samples convert(const Samples& from, const PictureFormat& to);

} // namespace weft::colour::reference
