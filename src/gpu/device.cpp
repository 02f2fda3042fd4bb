#include "gpu/device.hpp"

#include <array>
#include <cstdint>
#include <cstdlib>
#include <memory>

#include "base/log.hpp"
#include "gpu/device_private.hpp"
#include "gpu/host_memory.hpp"

namespace weft::gpu {

std::string name(QueueOrder order) {
    return order == QueueOrder::in_order ? "in-order" : "out-of-order";
}

std::vector<std::string> queue_order_names() {
    return {name(QueueOrder::in_order), name(QueueOrder::out_of_order)};
}

std::optional<QueueOrder> parse_queue_order(const std::string& text) {
    for (const QueueOrder order : {QueueOrder::in_order, QueueOrder::out_of_order})
        if (name(order) == text) return order;
    return std::nullopt;
}

Device::Device(const DeviceInfo& info, const DeviceOptions& options) : info_(info), options_(options) {
    guarded("opening device '" + info.traits.name + "'", [&] {
        std::vector<cl::Platform> platforms;
        cl::Platform::get(&platforms);
        std::vector<cl::Device> devices;
        const auto platform = static_cast<size_t>(info.platform);
        if (platform < platforms.size()) platforms[platform].getDevices(CL_DEVICE_TYPE_ALL, &devices);
        if (static_cast<size_t>(info.device) >= devices.size())
            throw Error(ErrorKind::not_found, "device '" + info.traits.name + "' is gone");
        device_ = devices[static_cast<size_t>(info.device)];
        context_ = cl::Context(device_);
        cl_command_queue_properties properties = options.profiling ? CL_QUEUE_PROFILING_ENABLE : 0;
        if (options.order == QueueOrder::out_of_order) {
            const auto can = device_.getInfo<CL_DEVICE_QUEUE_PROPERTIES>();
            if ((can & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) == 0)
                throw Error(ErrorKind::unsupported,
                            "device '" + info.traits.name + "' has no out-of-order queue; allowed: in-order");
            properties |= CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
            up_ = compute_ = down_ = cl::CommandQueue(context_, device_, properties);
            return;
        }
        up_ = cl::CommandQueue(context_, device_, properties);
        compute_ = cl::CommandQueue(context_, device_, properties);
        down_ = cl::CommandQueue(context_, device_, properties);
    });
    if (info_.traits.shares_host_memory && !sees_host_writes(*this)) {
        log("gpu").info("{}: claims shared memory but kernels do not see it; copying", info_.traits.name);
        info_.traits.shares_host_memory = false;
    }
}

bool sees_host_writes(Device& device) {
    static const char* const text = "__kernel void add_one(__global const int* in, __global int* out) {"
                                    "    out[get_global_id(0)] = in[get_global_id(0)] + 1; }";
    constexpr size_t count = 64;
    try {
        HostMemory in(count * sizeof(int)), out(count * sizeof(int));
        auto* const source = reinterpret_cast<int*>(in.data());
        auto* const result = reinterpret_cast<int*>(out.data());
        cl::Buffer from(device.context(), CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR, in.bytes(), source);
        cl::Buffer to(device.context(), CL_MEM_WRITE_ONLY | CL_MEM_USE_HOST_PTR, out.bytes(), result);
        cl::Program program(device.context(), text);
        program.build(device.handle(), "-cl-std=CL1.2");
        cl::Kernel kernel(program, "add_one");
        kernel.setArg(0, from);
        kernel.setArg(1, to);
        for (int round = 1; round <= 2; ++round) {
            for (size_t i = 0; i < count; ++i) {
                source[i] = round * 1000 + static_cast<int>(i);
                result[i] = 0;
            }
            device.compute().enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(count), cl::NDRange(1));
            device.compute().finish();
            for (size_t i = 0; i < count; ++i)
                if (result[i] != source[i] + 1) return false;
        }
        return true;
    } catch (const cl::Error& error) {
        log("gpu").debug("test of shared memory: {} ({})", error.what(), cl_error_name(error.err()));
        return false;
    }
}

Error device_error(int code, const std::string& what) {
    const bool memory = code == CL_OUT_OF_HOST_MEMORY || code == CL_OUT_OF_RESOURCES ||
                        code == CL_MEM_OBJECT_ALLOCATION_FAILURE || code == CL_INVALID_BUFFER_SIZE;
    return {memory ? ErrorKind::resource : ErrorKind::device, what + ": " + cl_error_name(code)};
}

Error device_error(const cl::Error& error, const std::string& what) {
    return device_error(error.err(), what + ": " + error.what());
}

std::string cl_error_name(int code) {
    struct Name {
        int code;
        const char* name;
    };
    static constexpr std::array names{
        Name{0, "CL_SUCCESS"},
        Name{-1, "CL_DEVICE_NOT_FOUND"},
        Name{-2, "CL_DEVICE_NOT_AVAILABLE"},
        Name{-3, "CL_COMPILER_NOT_AVAILABLE"},
        Name{-4, "CL_MEM_OBJECT_ALLOCATION_FAILURE"},
        Name{-5, "CL_OUT_OF_RESOURCES"},
        Name{-6, "CL_OUT_OF_HOST_MEMORY"},
        Name{-7, "CL_PROFILING_INFO_NOT_AVAILABLE"},
        Name{-8, "CL_MEM_COPY_OVERLAP"},
        Name{-9, "CL_IMAGE_FORMAT_MISMATCH"},
        Name{-10, "CL_IMAGE_FORMAT_NOT_SUPPORTED"},
        Name{-11, "CL_BUILD_PROGRAM_FAILURE"},
        Name{-12, "CL_MAP_FAILURE"},
        Name{-13, "CL_MISALIGNED_SUB_BUFFER_OFFSET"},
        Name{-14, "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST"},
        Name{-15, "CL_COMPILE_PROGRAM_FAILURE"},
        Name{-30, "CL_INVALID_VALUE"},
        Name{-31, "CL_INVALID_DEVICE_TYPE"},
        Name{-32, "CL_INVALID_PLATFORM"},
        Name{-33, "CL_INVALID_DEVICE"},
        Name{-34, "CL_INVALID_CONTEXT"},
        Name{-35, "CL_INVALID_QUEUE_PROPERTIES"},
        Name{-36, "CL_INVALID_COMMAND_QUEUE"},
        Name{-37, "CL_INVALID_HOST_PTR"},
        Name{-38, "CL_INVALID_MEM_OBJECT"},
        Name{-39, "CL_INVALID_IMAGE_FORMAT_DESCRIPTOR"},
        Name{-40, "CL_INVALID_IMAGE_SIZE"},
        Name{-42, "CL_INVALID_BINARY"},
        Name{-43, "CL_INVALID_BUILD_OPTIONS"},
        Name{-44, "CL_INVALID_PROGRAM"},
        Name{-45, "CL_INVALID_PROGRAM_EXECUTABLE"},
        Name{-46, "CL_INVALID_KERNEL_NAME"},
        Name{-47, "CL_INVALID_KERNEL_DEFINITION"},
        Name{-48, "CL_INVALID_KERNEL"},
        Name{-49, "CL_INVALID_ARG_INDEX"},
        Name{-50, "CL_INVALID_ARG_VALUE"},
        Name{-51, "CL_INVALID_ARG_SIZE"},
        Name{-52, "CL_INVALID_KERNEL_ARGS"},
        Name{-53, "CL_INVALID_WORK_DIMENSION"},
        Name{-54, "CL_INVALID_WORK_GROUP_SIZE"},
        Name{-55, "CL_INVALID_WORK_ITEM_SIZE"},
        Name{-56, "CL_INVALID_GLOBAL_OFFSET"},
        Name{-57, "CL_INVALID_EVENT_WAIT_LIST"},
        Name{-58, "CL_INVALID_EVENT"},
        Name{-59, "CL_INVALID_OPERATION"},
        Name{-60, "CL_INVALID_GL_OBJECT"},
        Name{-61, "CL_INVALID_BUFFER_SIZE"},
        Name{-63, "CL_INVALID_GLOBAL_WORK_SIZE"},
        Name{-1001, "CL_PLATFORM_NOT_FOUND_KHR"},
        Name{-9999, "illegal access in a kernel (NVIDIA)"},
    };
    for (const Name& entry : names)
        if (entry.code == code) return std::string(entry.name) + " (" + std::to_string(code) + ")";
    return "OpenCL error (" + std::to_string(code) + ")";
}

} // namespace weft::gpu
