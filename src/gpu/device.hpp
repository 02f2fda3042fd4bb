// Which OpenCL device is used and why; its context and its three queues. The gate of OpenCL.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <CL/opencl.hpp>

#include "base/device_traits.hpp"

namespace weft::gpu {

// One device as the loader lists it, usable or not.
struct DeviceInfo {
    int platform = 0, device = 0; // as in --device P.D
    std::string platform_name, vendor, driver, version;
    DeviceTraits traits;
    bool usable = false;
    std::string why_not; // when not usable: "needs OpenCL 1.2, has 1.1"
};

// Every device of every platform, in the loader's order. Empty when there is no platform; throws nothing.
std::vector<DeviceInfo> list_devices();

struct DeviceChoice {
    size_t index = 0; // into the list
    std::string why;  // for people: "the only GPU", "named by --device"
};
// wanted : "" (best GPU, else CPU), a number into the list, "P.D", or part of the name, case-insensitive.
// Errors : usage with the list when nothing matches; not_found when there is no usable device.
DeviceChoice choose_device(const std::vector<DeviceInfo>& devices, const std::string& wanted);

// How commands of one kind follow each other.
enum class QueueOrder {
    in_order,    // three queues; within each one, commands run in the order in which they were enqueued
    out_of_order // one queue for everything; only events say what waits for what
};
// "in-order", "out-of-order".
std::string name(QueueOrder order);
std::vector<std::string> queue_order_names();
// nullopt for an unknown name.
std::optional<QueueOrder> parse_queue_order(const std::string& text);

struct DeviceOptions {
    bool profiling = false; // queues that record event times
    QueueOrder order = QueueOrder::in_order;
};

// Context and queues of one device. Queues are tied to each other only by events; enqueueing is thread-safe.
// Errors : unsupported when the device has no out-of-order queue and one is wanted.
class Device {
  public:
    Device(const DeviceInfo& info, const DeviceOptions& options = {});
    Device(const Device&) = delete;
    Device& operator=(const Device&) = delete;

    const DeviceInfo& info() const { return info_; }
    const DeviceTraits& traits() const { return info_.traits; }
    cl::Context& context() { return context_; }
    cl::Device& handle() { return device_; }
    // Out of order these three are the same queue.
    cl::CommandQueue& up() { return up_; }
    cl::CommandQueue& compute() { return compute_; }
    cl::CommandQueue& down() { return down_; }
    QueueOrder order() const { return options_.order; }
    bool profiling() const { return options_.profiling; }

  private:
    DeviceInfo info_;
    DeviceOptions options_;
    cl::Device device_;
    cl::Context context_;
    cl::CommandQueue up_, compute_, down_;
};

// An Error for an OpenCL code: "clBuildProgram: CL_BUILD_PROGRAM_FAILURE (-11)".
std::string cl_error_name(int code);

} // namespace weft::gpu
