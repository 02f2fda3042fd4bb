// Pictures to measure with: moving gradients under noise, as much detail as a camera's.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "colour/picture_format.hpp"
#include "graph/planner.hpp"

namespace weft::bench {

// Pictures in the loop that is shown in turn; more than fit a second-level cache.
constexpr int loop_length = 10;

// 25 pictures a second; Y'CbCr is BT.709, limited range, chroma left; RGB is sRGB, full range.
// Errors : unsupported for palettes, and for formats that kernels do not load.
colour::PictureFormat picture_format(const std::string& pixels, int width, int height);

// The planes of picture `number` of a loop, one behind the other, lines without gaps.
//   loop : 0, 1, ...: another content of the same kind
std::vector<uint8_t> content(const colour::PictureFormat& format, int number, int loop = 0);

// A 33^3 .cube that warms the lights, cools the shadows and bends contrast: smooth, as real ones are.
std::string cube_text();
// A round gradient, for transitions with a mask.
graph::Mask round_mask(int width, int height);

} // namespace weft::bench
