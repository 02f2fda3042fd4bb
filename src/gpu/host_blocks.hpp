// Blocks of host memory that codecs write pictures into and the device reads, or copies from.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "base/frame_allocator.hpp"
#include "colour/picture_format.hpp"
#include "gpu/device.hpp"
#include "gpu/host_memory.hpp"
#include "gpu/upload_path.hpp"

namespace weft::gpu {

// One stream's blocks, each one made once and used again. They are there before any device is, so that files
// can be opened and their first pictures decoded while it starts.
//   threads: any.
class HostBlocks final : public FrameAllocator {
  public:
    struct Block {
        std::optional<HostMemory> memory;
        std::unique_ptr<PinnedMemory> pinned; // in place of `memory`
        cl::Buffer buffer;                    // wraps `memory`, where kernels read it
        uint8_t* data() { return pinned ? pinned->data() : memory->data(); }
        size_t capacity() const { return pinned ? pinned->bytes() : memory->bytes(); }
    };

    // Kernels may load whole words, so memory goes on a little behind the last sample.
    static constexpr size_t slack_bytes = 256;

    // From now on blocks are wrapped for kernels (host) or pinned for copies (direct); on other paths they
    // stay as they are. Those made before are wrapped too, or given up when they come back unpinned.
    // Errors : resource.
    void serve(Device& device, UploadPath path);

    FrameBlock acquire(size_t bytes) override;
    void release(FrameBlock block) noexcept override;

    // A block of the device's that is not for codecs. Only after serve(). Errors : resource.
    std::unique_ptr<Block> make(size_t bytes) const;
    // The block that holds these planes; nullptr: they lie elsewhere.
    Block* holding(const colour::HostPlanes& planes);
    // Idle blocks that are not handed out: pictures read behind their slots will need them, and no memory is
    // to be made while pictures run.
    void keep_back(int blocks) { kept_back_ = blocks; }
    size_t bytes() const;

  private:
    void wrap(Block& block) const;
    void drop_idle();
    bool pins() const { return device_ != nullptr && path_ == UploadPath::direct; }

    std::atomic<int> kept_back_{0};
    mutable std::mutex mutex_;
    Device* device_ = nullptr;
    UploadPath path_ = UploadPath::automatic;
    std::vector<std::unique_ptr<Block>> blocks_;
    std::vector<Block*> idle_;
};

} // namespace weft::gpu
