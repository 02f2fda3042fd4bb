#include "media/frame_memory_private.hpp"

#include <array>
#include <new>

namespace weft::media {
namespace {

constexpr size_t alignment = 64; // of planes and pitches: a cache line, and the widest vector
constexpr size_t slack = 64;     // codecs read and write a little past the end

size_t aligned(size_t n) {
    return (n + alignment - 1) / alignment * alignment;
}

} // namespace

struct FrameMemory::Loan {
    std::shared_ptr<Registry> registry;
    FrameAllocator* allocator;
    FrameBlock block;
};

FrameMemory::FrameMemory(FrameAllocator* allocator)
    : allocator_(allocator), registry_(std::make_shared<Registry>()) {}

void FrameMemory::serve(AVCodecContext& codec) {
    if (allocator_ == nullptr || (codec.codec->capabilities & AV_CODEC_CAP_DR1) == 0) return;
    codec.opaque = this;
    codec.get_buffer2 = &FrameMemory::get_buffer;
    compat::set_thread_safe_callbacks(codec);
}

int FrameMemory::get_buffer(AVCodecContext* codec, AVFrame* frame, int flags) {
    auto& self = *static_cast<FrameMemory*>(codec->opaque);
    int width = frame->width, height = frame->height;
    std::array<int, AV_NUM_DATA_POINTERS> line_alignment{};
    avcodec_align_dimensions2(codec, &width, &height, line_alignment.data());
    if (self.lend(*frame, width, height)) return 0;
    return avcodec_default_get_buffer2(codec, frame, flags);
}

void FrameMemory::give_back(void* opaque, uint8_t*) {
    const std::unique_ptr<Loan> loan(static_cast<Loan*>(opaque));
    {
        const std::lock_guard lock(loan->registry->mutex);
        loan->registry->out.erase(loan.get());
    }
    loan->allocator->release(loan->block);
}

AVBufferRef* FrameMemory::lend_bytes(size_t bytes) noexcept {
    if (allocator_ == nullptr) return nullptr;
    const FrameBlock block = allocator_->acquire(bytes);
    if (block.data == nullptr) return nullptr;
    try {
        if (block.bytes >= bytes && reinterpret_cast<uintptr_t>(block.data) % alignment == 0) {
            auto loan = std::make_unique<Loan>(Loan{registry_, allocator_, block});
            const std::lock_guard lock(registry_->mutex);
            const auto place = registry_->out.emplace(loan.get(), block).first;
            AVBufferRef* const buffer =
                av_buffer_create(block.data, bytes, &FrameMemory::give_back, loan.get(), 0);
            if (buffer != nullptr) {
                static_cast<void>(loan.release()); // give_back owns it now
                return buffer;
            }
            registry_->out.erase(place);
        }
    } catch (const std::bad_alloc&) { // the codec's own allocation will say so
    }
    allocator_->release(block);
    return nullptr;
}

bool FrameMemory::lend(AVFrame& frame, int width, int height) noexcept {
    const AVPixelFormat format = static_cast<AVPixelFormat>(frame.format);
    try {
        if (allocator_ == nullptr || !colour::has_device_loader(format_name(format))) return false;
        // Widening until every pitch is aligned keeps the ratio between luma and chroma pitches, which some
        // codecs take for granted.
        std::array<int, 4> pitches{};
        for (bool ready = false; !ready; width += ready ? 0 : (width & ~(width - 1))) {
            if (av_image_fill_linesizes(pitches.data(), format, width) < 0) return false;
            ready = true;
            for (const int pitch : pitches)
                ready = ready && static_cast<size_t>(pitch) % alignment == 0;
        }
        std::array<ptrdiff_t, 4> wide_pitches{};
        for (size_t i = 0; i < 4; ++i)
            wide_pitches[i] = pitches[i];
        std::array<size_t, 4> sizes{};
        if (av_image_fill_plane_sizes(sizes.data(), format, height, wide_pitches.data()) < 0) return false;
        std::array<size_t, 4> offsets{};
        size_t total = 0;
        for (size_t i = 0; i < 4 && sizes[i] > 0; ++i) {
            offsets[i] = total;
            total += aligned(sizes[i] + slack);
        }
        AVBufferRef* const buffer = lend_bytes(total);
        if (buffer == nullptr) return false;
        frame.buf[0] = buffer;
        for (size_t i = 0; i < 4; ++i) {
            frame.data[i] = sizes[i] > 0 ? buffer->data + offsets[i] : nullptr;
            frame.linesize[i] = pitches[i];
        }
        frame.extended_data = frame.data;
        return true;
    } catch (...) { // out of memory: the codec's own allocation will say so
        return false;
    }
}

void FrameMemory::allocate(AVFrame& frame) {
    if (lend(frame, frame.width, frame.height)) return;
    const int code = av_frame_get_buffer(&frame, alignment);
    if (code < 0) throw Error(ErrorKind::resource, "no memory for a picture: " + av_text(code));
}

FrameBlock FrameMemory::block_of(const AVFrame& frame) const {
    if (allocator_ == nullptr || frame.buf[0] == nullptr) return {};
    const std::lock_guard lock(registry_->mutex);
    const auto found = registry_->out.find(av_buffer_get_opaque(frame.buf[0]));
    return found == registry_->out.end() ? FrameBlock{} : found->second;
}

} // namespace weft::media
