// Who hands the codec its picture memory. Implemented by gpu (pinned or shared memory), used by media.
#pragma once

#include <cstddef>
#include <cstdint>

namespace weft {

// One block of host memory that a decoder may write a whole picture into. Blocks are recycled by their owner.
struct FrameBlock {
    uint8_t* data = nullptr;
    size_t bytes = 0;
    void* cookie = nullptr; // the owner's own handle, e.g. the OpenCL buffer that wraps this very block
};

// acquire and release are called from decoder threads, any number at once; both are thread-safe.
class FrameAllocator {
  public:
    virtual ~FrameAllocator() = default;
    // A block of at least `bytes`, or one with data == nullptr when this allocator does not serve that size:
    // the codec then uses memory of its own.
    virtual FrameBlock acquire(size_t bytes) = 0;
    virtual void release(FrameBlock block) noexcept = 0;
};

} // namespace weft
