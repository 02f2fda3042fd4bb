#include "gpu/host_memory.hpp"

#include <cstdlib>
#include <cstring>

#include "gpu/device_private.hpp"

namespace weft::gpu {
namespace {

constexpr size_t page_bytes = 4096;

size_t whole_pages(size_t bytes) {
    return (bytes + page_bytes - 1) / page_bytes * page_bytes;
}

} // namespace

HostMemory::HostMemory(size_t bytes) : bytes_(whole_pages(bytes == 0 ? 1 : bytes)) {
    data_.reset(static_cast<uint8_t*>(std::aligned_alloc(page_bytes, bytes_)));
    if (!data_) throw Error(ErrorKind::resource, "no memory for " + std::to_string(bytes_) + " bytes");
    std::memset(data_.get(), 0, bytes_);
}

void HostMemory::Free::operator()(uint8_t* data) const noexcept {
    std::free(data);
}

PinnedMemory::PinnedMemory(Device& device, size_t bytes)
    : device_(device), bytes_(whole_pages(bytes == 0 ? 1 : bytes)) {
    guarded("pinning " + std::to_string(bytes_) + " bytes", [&] {
        buffer_ = cl::Buffer(device.context(), CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, bytes_);
        data_ = static_cast<uint8_t*>(
            device.up().enqueueMapBuffer(buffer_, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, bytes_));
    });
    std::memset(data_, 0, bytes_);
}

PinnedMemory::~PinnedMemory() {
    if (data_ == nullptr) return;
    try {
        cl::Event done;
        device_.up().enqueueUnmapMemObject(buffer_, data_, nullptr, &done);
        done.wait();
    } catch (const cl::Error&) {
        // A device that is lost has nothing to unmap.
    }
}

} // namespace weft::gpu
