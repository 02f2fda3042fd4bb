// A plane of random samples, on the host and on the device.
#pragma once

#include <vector>

#include "bench/planes.hpp"

namespace weft::bench {

// Lines are padded to `pitch` samples, the plane to `rows` lines, so that whole tiles can be read and
// written.
struct RandomPlane {
    int width = 0, height = 0, pitch = 0, rows = 0;
    bool floats = false;
    std::vector<uint8_t> bytes;
    cl::Buffer buffer;

    size_t sample_bytes() const { return floats ? 4 : 1; }
    double value(int x, int y) const;
};
// tile : pitch and rows are multiples of it. Errors : resource or device.
RandomPlane random_plane(gpu::Device& device, const PlaneOptions& options, int tile);

// "3840x2160 bytes"
std::string plane_text(const PlaneOptions& options);

} // namespace weft::bench
