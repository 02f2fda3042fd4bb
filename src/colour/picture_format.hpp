// Everything about a stream's pictures that does not change from frame to frame.
#pragma once

#include <array>
#include <cstdint>

#include "base/frame_allocator.hpp"
#include "base/rational.hpp"
#include "colour/colour_spec.hpp"
#include "colour/pixel_format.hpp"

namespace weft::colour {

struct PictureFormat {
    int width = 0; // visible samples, as stored
    int height = 0;
    PixelFormat pixels;
    ColourSpec colour;          // resolved: nothing unspecified
    Rational sample_aspect{1};  // width of a pixel over its height
    int rotation = 0;           // quarter turns clockwise to be applied for display: 0..3
    bool mirror = false;        // flip left-right before the rotation
    bool premultiplied = false; // colour already weighted by alpha
    double peak_nits = 0;       // brightest light of an HDR picture by its metadata, cd/m2; 0: not said
    Rational rate{25};          // pictures per second by the rule of the design; 0 for a still

    bool valid() const { return width > 0 && height > 0 && pixels.valid(); }
    // Size after rotation in square pixels (the longer reading of the sample aspect: nothing is thrown away).
    int display_width() const;
    int display_height() const;
};

// A picture's planes in host memory. Pitches are bytes from one line to the next and may be negative. `block`
// is the allocator's block that holds the planes, when one does (FrameBlock::data != nullptr).
struct HostPlanes {
    std::array<const uint8_t*, 4> data{};
    std::array<int, 4> pitch{};
    FrameBlock block;
};

} // namespace weft::colour
