// How fast a device copies and computes: the yardsticks for every command.
#pragma once

#include "gpu/device.hpp"

namespace weft::gpu {

// Bytes a second, the best of a few rounds over blocks of a fitting size.
struct Peaks {
    double up = 0;   // pinned host memory to the device
    double down = 0; // and back
    double copy = 0; // on the device, bytes read plus bytes written
    // Float operations a second, a multiply-add being two; 0: not measured. measure_peaks() leaves it.
    double operations = 0;
};

// Takes some tens of milliseconds. Errors : resource or device.
Peaks measure_peaks(Device& device);

} // namespace weft::gpu
