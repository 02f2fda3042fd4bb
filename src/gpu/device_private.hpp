// How this module turns OpenCL's complaints into weft's.
#pragma once

#include <string>

#include <CL/opencl.hpp>

#include "base/error.hpp"
#include "gpu/device.hpp"

namespace weft::gpu {

// The Error for a call that failed: resource where memory ran out, else device.
//   what : the thing being done, "upload of 'left'"
Error device_error(const cl::Error& error, const std::string& what);
Error device_error(int code, const std::string& what);

// Runs body and turns cl::Error into Error.
template<class Body>
auto guarded(const std::string& what, Body&& body) {
    try {
        return body();
    } catch (const cl::Error& error) {
        throw device_error(error, what);
    }
}

// Whether kernels see what the host writes into memory that a buffer wraps, and the host what kernels write,
// without mapping; tried with a small kernel, twice, so that a copy made at creation does not pass.
bool sees_host_writes(Device& device);

} // namespace weft::gpu
