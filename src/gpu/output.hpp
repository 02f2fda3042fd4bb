// Finished pictures: painted by kernels, read by the host.
#pragma once

#include <memory>
#include <vector>

#include "colour/picture_format.hpp"
#include "gpu/device.hpp"
#include "gpu/picture.hpp"

namespace weft::gpu {

// `count` pictures of one format. On a device that shares memory, kernels paint the very memory that the host
// reads; else each picture has a buffer on the device and pinned memory on the host.
//   threads: fetch() by one thread at a time; the rest is constant.
class OutputPictures {
  public:
    // Errors : resource or device.
    OutputPictures(Device& device, const colour::PictureFormat& format, int count);
    ~OutputPictures();
    OutputPictures(const OutputPictures&) = delete;
    OutputPictures& operator=(const OutputPictures&) = delete;

    const PictureRef& device(size_t index) const;
    const colour::HostPlanes& host(size_t index) const;
    // Enqueues what brings picture `index` to the host once `painted` is complete, and gives the event after
    // which host(index) may be read. `painted` must have been flushed.
    cl::Event fetch(size_t index, const cl::Event& painted);
    // Copied to the host by one fetch(); 0 where memory is shared.
    size_t bytes_per_fetch() const;
    size_t bytes() const; // of all memory in use

  private:
    struct Picture;
    Device& device_;
    size_t bytes_each_ = 0;
    std::vector<std::unique_ptr<Picture>> pictures_;
};

} // namespace weft::gpu
