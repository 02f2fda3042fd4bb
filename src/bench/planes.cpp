#include <cstring>

#include "base/format.hpp"
#include "bench/planes_private.hpp"

namespace weft::bench {
namespace {

constexpr int line_gap = 128; // samples, so that lines do not lie a power of two apart

int up_to(int value, int multiple) {
    return (value + multiple - 1) / multiple * multiple;
}

} // namespace

double RandomPlane::value(int x, int y) const {
    const size_t at = static_cast<size_t>(y) * static_cast<size_t>(pitch) + static_cast<size_t>(x);
    if (!floats) return bytes[at];
    float v = 0;
    std::memcpy(&v, bytes.data() + at * sizeof v, sizeof v);
    return v;
}

RandomPlane random_plane(gpu::Device& device, const PlaneOptions& options, int tile) {
    RandomPlane plane;
    plane.width = options.width;
    plane.height = options.height;
    plane.floats = options.floats;
    plane.pitch = up_to(options.width, tile) + line_gap;
    plane.rows = up_to(options.height, tile);
    plane.bytes.resize(static_cast<size_t>(plane.pitch) * static_cast<size_t>(plane.rows) *
                       plane.sample_bytes());
    uint32_t state = 7;
    for (size_t i = 0; i < plane.bytes.size(); i += plane.sample_bytes()) {
        state = state * 1664525u + 1013904223u;
        if (plane.floats) {
            const float value = static_cast<float>(state >> 8) / 16777216.0f;
            std::memcpy(plane.bytes.data() + i, &value, sizeof value);
        } else {
            plane.bytes[i] = static_cast<uint8_t>(state >> 24);
        }
    }
    plane.buffer = cl::Buffer(device.context(), CL_MEM_READ_WRITE, plane.bytes.size());
    device.compute().enqueueWriteBuffer(plane.buffer, CL_TRUE, 0, plane.bytes.size(), plane.bytes.data());
    return plane;
}

std::string plane_text(const PlaneOptions& options) {
    return fmt::format("{}x{} {}", options.width, options.height, options.floats ? "floats" : "bytes");
}

} // namespace weft::bench
