// From decoded pictures in host memory to pictures that kernels read.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <vector>

#include "base/frame_allocator.hpp"
#include "colour/picture_format.hpp"
#include "gpu/device.hpp"
#include "gpu/host_blocks.hpp"
#include "gpu/picture.hpp"
#include "gpu/upload_path.hpp"

namespace weft::gpu {

// The path to use on a device: `wanted` unless it is automatic; then host where kernels read host memory,
// else pinned where the codec would read pinned memory back slowly (it is write-combined), else direct.
// Measured once per device and process. Errors : unsupported when `wanted` is host and the device does not
// share memory.
UploadPath choose_upload_path(Device& device, UploadPath wanted);

// One command of an upload.
struct Copy {
    cl::Event event;
    size_t bytes = 0;
};

// What became of one picture.
struct Upload {
    PictureRef picture;       // where kernels find it
    cl::Event ready;          // of the copy; null when nothing has to be waited for
    size_t bytes = 0;         // copied, on whichever way
    std::vector<Copy> copies; // only where the device's queues record times
};

// Takes one stream's pictures up. `slots` of them can be on the device at once; what belongs to slot i is
// used again by the next upload into i, so that in the steady state nothing is allocated.
//   threads: allocator() from decoder threads; upload() from one thread, the one that decodes.
class Uploader {
  public:
    //   path : not automatic, see choose_upload_path()
    //   blocks : what the codec has written into so far; none: new ones
    Uploader(Device& device, UploadPath path, int slots, std::shared_ptr<HostBlocks> blocks = nullptr);
    ~Uploader();
    Uploader(const Uploader&) = delete;
    Uploader& operator=(const Uploader&) = delete;

    // From now on at least so many slots. By the thread that uploads, or before it.
    void reserve(int slots);

    // Memory for the codec to write into. Lives as long as the uploader, which must outlive the decoder and
    // every frame of it.
    FrameAllocator* allocator();

    // Puts a picture into slot `slot`: enqueues its copy on the device's copy queue and flushes. The caller
    // keeps `planes` alive and unchanged until the last kernel that reads the picture is complete, and does
    // not use the slot again before that. Planes keep their orientation: a negative pitch stays negative.
    //   after : only where waits_on_device(): the slot may still be read until this event
    // Errors : resource or device.
    Upload upload(int slot, const colour::HostPlanes& planes, const colour::PictureFormat& format,
                  const cl::Event& after = {});
    // Whether the slot may be used again while kernels read it, because the copy itself waits for them:
    // copies straight from the caller's memory, in queues that keep their order.
    bool waits_on_device() const;
    // So many pictures of a stream may be read behind their slots; and how many are. From the first call on
    // there is memory for the rest.
    static constexpr size_t most_read_behind = 3;
    void set_read_behind(size_t pictures);

    UploadPath path() const { return path_; }
    // Device and pinned memory in use.
    size_t bytes() const;

  private:
    struct Slot;
    Upload take_block(Slot& slot, const colour::HostPlanes& planes, const colour::PictureFormat& format);
    Upload copy_planes(Slot& slot, const colour::HostPlanes& planes, const colour::PictureFormat& format,
                       const cl::Event& after);
    Upload copy_staged(Slot& slot, const colour::HostPlanes& planes, const colour::PictureFormat& format);

    Device& device_;
    UploadPath path_;
    std::shared_ptr<HostBlocks> blocks_;
    std::vector<std::unique_ptr<Slot>> slots_;
};

// How the planes of a picture lie in one block of memory made by weft: pitches are multiples of 64, planes
// begin at multiples of 256.
struct Layout {
    std::array<int, 4> offset{};
    std::array<int, 4> pitch{};
    size_t bytes = 0;
};
Layout layout_of(const colour::PictureFormat& format);

} // namespace weft::gpu
