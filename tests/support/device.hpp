// The device that tests run on: the best one, or what $WEFT_TEST_DEVICE names.
#pragma once

#include <cstdlib>
#include <string>

#include "gpu/device.hpp"

namespace weft::test {

inline gpu::DeviceInfo device_info() {
    const char* const wanted = std::getenv("WEFT_TEST_DEVICE");
    const auto devices = gpu::list_devices();
    return devices.at(gpu::choose_device(devices, wanted != nullptr ? wanted : "").index);
}

// One device for all tests of a program: opening one costs some 100 ms.
inline gpu::Device& device() {
    static gpu::Device shared(device_info());
    return shared;
}

} // namespace weft::test
