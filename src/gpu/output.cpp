#include "gpu/output.hpp"

#include <optional>

#include "gpu/device_private.hpp"
#include "gpu/host_memory.hpp"
#include "gpu/upload.hpp"

namespace weft::gpu {

struct OutputPictures::Picture {
    std::optional<HostMemory> shared;
    std::unique_ptr<PinnedMemory> pinned;
    cl::Buffer buffer;
    PictureRef device;
    colour::HostPlanes host;
};

OutputPictures::OutputPictures(Device& device, const colour::PictureFormat& format, int count)
    : device_(device) {
    const Layout layout = layout_of(format);
    bytes_each_ = layout.bytes;
    for (int i = 0; i < count; ++i) {
        auto picture = std::make_unique<Picture>();
        uint8_t* memory = nullptr;
        if (device.traits().shares_host_memory) {
            picture->shared.emplace(layout.bytes);
            memory = picture->shared->data();
        } else {
            picture->pinned = std::make_unique<PinnedMemory>(device, layout.bytes);
            memory = picture->pinned->data();
        }
        picture->buffer = guarded("memory for output pictures", [&] {
            return picture->shared ? cl::Buffer(device.context(), CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR,
                                                picture->shared->bytes(), memory)
                                   : cl::Buffer(device.context(), CL_MEM_READ_WRITE, layout.bytes);
        });
        picture->device.plane_count = format.pixels.plane_count;
        for (int plane = 0; plane < format.pixels.plane_count; ++plane) {
            const auto index = static_cast<size_t>(plane);
            picture->device.planes[index] = {picture->buffer, layout.offset[index], layout.pitch[index]};
            picture->host.data[index] = memory + layout.offset[index];
            picture->host.pitch[index] = layout.pitch[index];
        }
        pictures_.push_back(std::move(picture));
    }
}

OutputPictures::~OutputPictures() = default;

const PictureRef& OutputPictures::device(size_t index) const {
    return pictures_.at(index)->device;
}
const colour::HostPlanes& OutputPictures::host(size_t index) const {
    return pictures_.at(index)->host;
}

cl::Event OutputPictures::fetch(size_t index, const cl::Event& painted) {
    Picture& picture = *pictures_.at(index);
    if (picture.shared) return painted;
    return guarded("reading a picture back", [&] {
        const std::vector<cl::Event> after{painted};
        cl::Event ready;
        device_.down().enqueueReadBuffer(picture.buffer, CL_FALSE, 0, bytes_each_, picture.pinned->data(),
                                         &after, &ready);
        device_.down().flush();
        return ready;
    });
}

size_t OutputPictures::bytes_per_fetch() const {
    return device_.traits().shares_host_memory ? 0 : bytes_each_;
}

size_t OutputPictures::bytes() const {
    return bytes_each_ * pictures_.size();
}

} // namespace weft::gpu
