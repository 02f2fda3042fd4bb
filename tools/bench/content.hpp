// Pictures to measure with: moving gradients under noise, as much detail as a camera's.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "colour/picture_format.hpp"

namespace weft::bench {

// Pictures in the loop that both sides read; more than fit a second-level cache.
constexpr int loop_length = 10;

// yuv420p, 8 bit, BT.709, limited range, chroma left, 25 pictures a second.
colour::PictureFormat format_420(int width, int height);

// Planes of one picture, lines without gaps. `loop`: 0, 1: another content of the same kind.
std::vector<uint8_t> content(int width, int height, int number, int loop = 0);

// The same in a format of another depth, planar and 4:2:0 too: two bytes a code.
std::vector<uint8_t> content(const colour::PictureFormat& format, int number, int loop = 0);

// A 33^3 .cube that warms the lights, cools the shadows and bends contrast: smooth, as real ones are.
std::string cube_text();
// A round gradient as a PGM picture, for transitions with a mask.
std::string mask_pgm(int width, int height);

} // namespace weft::bench
