// Where a picture lies on the device.
#pragma once

#include <array>

#include <CL/opencl.hpp>

namespace weft::gpu {

// One plane: byte offset of its first sample in the buffer, bytes from line to line (may be negative). Both
// are multiples of 64 but on CPUs: kernels for other devices read wide words.
struct PlaneRef {
    cl::Buffer buffer;
    int offset = 0;
    int pitch = 0;
};

struct PictureRef {
    std::array<PlaneRef, 4> planes;
    int plane_count = 0;
};

} // namespace weft::gpu
