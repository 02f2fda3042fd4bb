// The device that tests run on, told to be a GPU: what has another shape there can be tried everywhere.
#pragma once

#include "support/device.hpp"

namespace weft::test {

inline gpu::Device& device_as_gpu() {
    static gpu::Device shared([] {
        gpu::DeviceInfo info = device_info();
        info.traits.kind = DeviceKind::gpu;
        return info;
    }());
    return shared;
}

} // namespace weft::test
