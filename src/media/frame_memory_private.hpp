// Lends an allocator's blocks to codecs, and finds the block behind a decoded picture.
#pragma once

#include <memory>
#include <mutex>
#include <unordered_map>

#include "base/frame_allocator.hpp"
#include "media/av_private.hpp"

namespace weft::media {

// Blocks out on loan may outlive this object, but not the allocator. Thread-safe.
class FrameMemory {
  public:
    explicit FrameMemory(FrameAllocator* allocator);

    // Makes `codec` take its memory here where it can. This object must outlive the codec.
    void serve(AVCodecContext& codec);
    // Memory for a picture of the frame's size and format: an allocator's block, else FFmpeg's own.
    // Errors : resource.
    void allocate(AVFrame& frame);
    // A block as a buffer of FFmpeg's, which gives it back when the last reference goes; nullptr when the
    // allocator does not serve that size.
    AVBufferRef* lend_bytes(size_t bytes) noexcept;
    // The block that holds this picture's planes; data == nullptr when none does.
    FrameBlock block_of(const AVFrame& frame) const;

  private:
    struct Registry {
        std::mutex mutex;
        std::unordered_map<const void*, FrameBlock> out; // by the buffer's opaque pointer
    };
    struct Loan;
    static int get_buffer(AVCodecContext* codec, AVFrame* frame, int flags);
    static void give_back(void* opaque, uint8_t* data);
    // False when the allocator does not serve this; then nothing changed.
    bool lend(AVFrame& frame, int width, int height) noexcept;

    FrameAllocator* allocator_;
    std::shared_ptr<Registry> registry_;
};

} // namespace weft::media
