// Host memory that a device may read or be copied from: page-aligned, or pinned by the driver.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include <CL/opencl.hpp>

#include "gpu/device.hpp"

namespace weft::gpu {

// Page-aligned memory, zeroed so that padding never holds another run's samples.
class HostMemory {
  public:
    // Errors : resource.
    explicit HostMemory(size_t bytes);
    uint8_t* data() { return data_.get(); }
    const uint8_t* data() const { return data_.get(); }
    size_t bytes() const { return bytes_; }

  private:
    struct Free {
        void operator()(uint8_t* data) const noexcept;
    };
    std::unique_ptr<uint8_t, Free> data_;
    size_t bytes_;
};

// Memory that the driver keeps in place for its copy engines, mapped for as long as the object lives. No
// kernel ever touches it: it is only the host end of copies.
class PinnedMemory {
  public:
    // Errors : resource or device.
    PinnedMemory(Device& device, size_t bytes);
    ~PinnedMemory();
    PinnedMemory(const PinnedMemory&) = delete;
    PinnedMemory& operator=(const PinnedMemory&) = delete;
    uint8_t* data() { return data_; }
    size_t bytes() const { return bytes_; }

  private:
    Device& device_;
    cl::Buffer buffer_;
    uint8_t* data_ = nullptr;
    size_t bytes_;
};

} // namespace weft::gpu
