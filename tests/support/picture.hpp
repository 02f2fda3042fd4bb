// Pictures in double for tests: planes of stored values, code / 255, as the filters' contract has them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "colour/colour_spec.hpp"
#include "colour/pixel_format.hpp"

namespace weft::test {

struct Plane {
    int width = 0, height = 0;
    std::vector<double> values; // row by row

    Plane() = default;
    Plane(int w, int h, double value = 0);
    double& operator()(int x, int y) { return values[static_cast<size_t>(y) * width + x]; }
    double operator()(int x, int y) const { return values[static_cast<size_t>(y) * width + x]; }
    double edge(int x, int y) const; // the nearest sample inside
};

// What the planes of a picture are: Y Cb Cr, R G B or gray, then alpha.
struct Layout {
    colour::Model model = colour::Model::ycbcr;
    colour::Range range = colour::Range::limited;
    bool alpha = false;
    int log2_w = 0, log2_h = 0;
    int depth = 8;

    size_t colours() const { return model == colour::Model::gray ? 1 : 3; }
    size_t planes() const { return colours() + (alpha ? 1 : 0); }
    bool is_chroma(size_t plane) const { return model == colour::Model::ycbcr && (plane == 1 || plane == 2); }
    bool is_alpha(size_t plane) const { return plane >= colours(); }
    // lo, mid, hi of a plane: 16, 127.5, 235 and 16, 128, 240 in limited range, else 0, 127.5 or 128, 255; /
    // 255.
    colour::StoredRange stored(size_t plane) const;
    // What a code counts as a value: limited range code / 2^(depth - 8) / 255, else code / (2^depth - 1).
    double unit(size_t plane) const;
    std::string ffmpeg_name() const; // of the planar format
};

// 4:4:4, R G B and gray of 8 bits, for short.
Layout yuv444();
Layout yuv420();
Layout yuv444_full();
Layout rgb();
Layout gray();
Layout with_alpha(Layout layout);
Layout with_depth(Layout layout, int depth); // 9 to 16: two bytes a code, little-endian

struct Picture {
    Layout layout;
    std::vector<Plane> planes;

    Picture() = default;
    Picture(const Layout& l, int width, int height, double value = 0);
    int width() const { return planes[0].width; }
    int height() const { return planes[0].height; }
    double aspect() const { return static_cast<double>(width()) / height(); }
    Picture rounded() const;            // to codes, held to what their bits can say
    Picture inside(int border) const;   // without this many luma samples at each edge
    std::vector<uint8_t> codes() const; // as bytes, plane after plane in the order of ffmpeg_name()
    static Picture from_codes(const Layout& layout, int width, int height, const uint8_t* bytes);
    static size_t byte_count(const Layout& layout, int width, int height);
};

// Pictures of 8-bit codes; of more bits in a layout that has more.
Picture ramp(const Layout& layout, int width,
             int height); // every plane across all its codes, each another way
Picture noise(const Layout& layout, int width, int height, uint32_t seed = 1);
Picture edges(const Layout& layout, int width, int height);  // squares and lines of extreme codes
Picture bars(const Layout& layout, int width, int height);   // eight upright bars of colour
Picture smooth(const Layout& layout, int width, int height); // slow waves, rounded to codes

} // namespace weft::test
