// What the planner needs to know of a device; a plain value, so that planning needs no device.
#pragma once

#include <cstddef>
#include <string>

namespace weft {

enum class DeviceKind { cpu, gpu, other };

struct DeviceTraits {
    std::string name = "none";
    DeviceKind kind = DeviceKind::cpu;
    int compute_units = 1;
    int vector_width = 16;           // preferred floats a step; decides the vectorising pragma's width
    bool shares_host_memory = false; // kernels may read what the host wrote without a copy
    size_t max_group_size = 1;
    size_t local_bytes = 0;
    size_t max_alloc_bytes = 0;
    size_t global_bytes = 0;
    size_t max_parameter_bytes = 1024; // of all arguments of one kernel
    size_t max_constant_bytes = 65536;
};

} // namespace weft
