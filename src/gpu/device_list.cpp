#include "gpu/device.hpp"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <optional>

#include "base/error.hpp"
#include "base/log.hpp"
#include "gpu/device_private.hpp"

namespace weft::gpu {
namespace {

template<cl_device_info Param>
auto ask(const cl::Device& device) {
    return device.getInfo<Param>();
}

// OpenCL's strings may carry a final NUL and padding.
std::string trimmed(std::string text) {
    const auto useless = [](char c) { return c == '\0' || std::isspace(static_cast<unsigned char>(c)) != 0; };
    while (!text.empty() && useless(text.back()))
        text.pop_back();
    size_t begin = 0;
    while (begin < text.size() && useless(text[begin]))
        ++begin;
    return text.substr(begin);
}

DeviceKind kind_of(cl_device_type type) {
    if ((type & CL_DEVICE_TYPE_GPU) != 0) return DeviceKind::gpu;
    if ((type & CL_DEVICE_TYPE_CPU) != 0) return DeviceKind::cpu;
    return DeviceKind::other;
}

std::string why_unusable(const cl::Device& device, const std::string& version) {
    if (ask<CL_DEVICE_AVAILABLE>(device) == CL_FALSE) return "the driver says it is not available";
    if (ask<CL_DEVICE_COMPILER_AVAILABLE>(device) == CL_FALSE) return "has no compiler";
    if (ask<CL_DEVICE_ENDIAN_LITTLE>(device) == CL_FALSE) return "is big-endian";
    int major = 0, minor = 0;
    if (std::sscanf(version.c_str(), "OpenCL %d.%d", &major, &minor) != 2)
        return "tells no version it supports: '" + version + "'";
    if (major * 10 + minor < 12)
        return "needs OpenCL 1.2, has " + std::to_string(major) + "." + std::to_string(minor);
    return {};
}

DeviceInfo describe(const cl::Platform& platform, const cl::Device& device) {
    DeviceInfo info;
    info.platform_name = trimmed(platform.getInfo<CL_PLATFORM_NAME>());
    info.vendor = trimmed(ask<CL_DEVICE_VENDOR>(device));
    info.driver = trimmed(ask<CL_DRIVER_VERSION>(device));
    info.version = trimmed(ask<CL_DEVICE_VERSION>(device));
    DeviceTraits& traits = info.traits;
    traits.name = trimmed(ask<CL_DEVICE_NAME>(device));
    traits.kind = kind_of(ask<CL_DEVICE_TYPE>(device));
    traits.compute_units = static_cast<int>(ask<CL_DEVICE_MAX_COMPUTE_UNITS>(device));
    traits.vector_width = std::max(1, static_cast<int>(ask<CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT>(device)));
    traits.shares_host_memory =
        traits.kind == DeviceKind::cpu && ask<CL_DEVICE_HOST_UNIFIED_MEMORY>(device) == CL_TRUE;
    traits.max_group_size = ask<CL_DEVICE_MAX_WORK_GROUP_SIZE>(device);
    traits.local_bytes = ask<CL_DEVICE_LOCAL_MEM_SIZE>(device);
    traits.max_alloc_bytes = ask<CL_DEVICE_MAX_MEM_ALLOC_SIZE>(device);
    traits.global_bytes = ask<CL_DEVICE_GLOBAL_MEM_SIZE>(device);
    traits.max_parameter_bytes = ask<CL_DEVICE_MAX_PARAMETER_SIZE>(device);
    traits.max_constant_bytes = ask<CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE>(device);
    info.why_not = why_unusable(device, info.version);
    info.usable = info.why_not.empty();
    return info;
}

std::string lower(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
    return text;
}

std::string label(const DeviceInfo& info) {
    return std::to_string(info.platform) + "." + std::to_string(info.device) + " " + info.traits.name + " (" +
           info.platform_name + ")";
}

std::string listing(const std::vector<DeviceInfo>& devices) {
    std::string text;
    for (size_t i = 0; i < devices.size(); ++i) {
        text += "\n  " + std::to_string(i) + ": " + label(devices[i]);
        if (!devices[i].usable) text += ", not usable: " + devices[i].why_not;
    }
    return text;
}

int rank(DeviceKind kind) {
    if (kind == DeviceKind::gpu) return 2;
    return kind == DeviceKind::cpu ? 1 : 0;
}

// GPUs before CPUs; among equals more compute units, then more memory. Clocks are left out: drivers report
// them as base, boost or zero.
bool better(const DeviceInfo& a, const DeviceInfo& b) {
    if (rank(a.traits.kind) != rank(b.traits.kind)) return rank(a.traits.kind) > rank(b.traits.kind);
    if (a.traits.compute_units != b.traits.compute_units)
        return a.traits.compute_units > b.traits.compute_units;
    return a.traits.global_bytes > b.traits.global_bytes;
}

std::optional<size_t> named(const std::vector<DeviceInfo>& devices, const std::string& wanted) {
    const bool digits =
        std::all_of(wanted.begin(), wanted.end(), [](unsigned char c) { return std::isdigit(c); });
    if (digits && wanted.size() < 6) {
        const auto index = static_cast<size_t>(std::stoul(wanted));
        if (index < devices.size()) return index;
        return std::nullopt;
    }
    for (size_t i = 0; i < devices.size(); ++i)
        if (wanted == std::to_string(devices[i].platform) + "." + std::to_string(devices[i].device)) return i;
    for (size_t i = 0; i < devices.size(); ++i)
        if (lower(devices[i].traits.name).find(lower(wanted)) != std::string::npos) return i;
    for (size_t i = 0; i < devices.size(); ++i)
        if (lower(devices[i].platform_name).find(lower(wanted)) != std::string::npos) return i;
    return std::nullopt;
}

std::string why_best(const std::vector<DeviceInfo>& devices, size_t index) {
    const DeviceKind kind = devices[index].traits.kind;
    const auto same = std::count_if(devices.begin(), devices.end(), [&](const DeviceInfo& info) {
        return info.usable && info.traits.kind == kind;
    });
    const std::string word = kind == DeviceKind::gpu   ? "GPU"
                             : kind == DeviceKind::cpu ? "CPU"
                                                       : "accelerator";
    if (same > 1) return "the " + word + " with the most compute units of " + std::to_string(same);
    const auto usable =
        std::count_if(devices.begin(), devices.end(), [](const auto& info) { return info.usable; });
    if (usable == 1) return "the only device";
    return kind == DeviceKind::gpu ? "the only GPU" : "there is no usable GPU";
}

} // namespace

std::vector<DeviceInfo> list_devices() {
    std::vector<DeviceInfo> found;
    std::vector<cl::Platform> platforms;
    try {
        cl::Platform::get(&platforms);
    } catch (const cl::Error& error) {
        // A loader without any platform answers with an error of its own (-1001).
        log("gpu").debug("no OpenCL platform: {}", cl_error_name(error.err()));
        return found;
    }
    for (size_t p = 0; p < platforms.size(); ++p) {
        std::vector<cl::Device> devices;
        try {
            platforms[p].getDevices(CL_DEVICE_TYPE_ALL, &devices);
        } catch (const cl::Error& error) {
            log("gpu").debug("platform {}: {}", p, cl_error_name(error.err()));
            continue;
        }
        for (size_t d = 0; d < devices.size(); ++d) {
            DeviceInfo info;
            try {
                info = describe(platforms[p], devices[d]);
            } catch (const cl::Error& error) {
                info.why_not = "cannot be asked: " + cl_error_name(error.err());
            }
            info.platform = static_cast<int>(p);
            info.device = static_cast<int>(d);
            found.push_back(std::move(info));
        }
    }
    return found;
}

DeviceChoice choose_device(const std::vector<DeviceInfo>& devices, const std::string& wanted) {
    if (devices.empty())
        throw Error(
            ErrorKind::not_found,
            "no OpenCL device: the loader lists no platform; install a driver (a GPU's, or PoCL for the "
            "processor: pocl-opencl-icd)");
    if (!wanted.empty()) {
        const auto index = named(devices, wanted);
        if (!index)
            throw Error(ErrorKind::usage,
                        "device '" + wanted + "' is not there; there are:" + listing(devices));
        if (!devices[*index].usable)
            throw Error(ErrorKind::not_found,
                        "device " + label(devices[*index]) + " is not usable: " + devices[*index].why_not);
        return {*index, "named by '" + wanted + "'"};
    }
    std::optional<size_t> best;
    for (size_t i = 0; i < devices.size(); ++i)
        if (devices[i].usable && (!best || better(devices[i], devices[*best]))) best = i;
    if (!best) throw Error(ErrorKind::not_found, "no usable OpenCL device among:" + listing(devices));
    return {*best, why_best(devices, *best)};
}

} // namespace weft::gpu
