#include "gpu/host_blocks.hpp"

#include <algorithm>

#include "base/log.hpp"
#include "gpu/device_private.hpp"

namespace weft::gpu {

void HostBlocks::wrap(Block& block) const {
    block.buffer = guarded("wrapping a block of host memory", [&] {
        return cl::Buffer(device_->context(), CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR, block.memory->bytes(),
                          block.memory->data());
    });
}

std::unique_ptr<HostBlocks::Block> HostBlocks::make(size_t bytes) const {
    auto block = std::make_unique<Block>();
    if (pins()) {
        block->pinned = std::make_unique<PinnedMemory>(*device_, bytes + slack_bytes);
    } else {
        block->memory.emplace(bytes + slack_bytes);
        if (path_ == UploadPath::host) wrap(*block);
    }
    return block;
}

void HostBlocks::serve(Device& device, UploadPath path) {
    const std::lock_guard lock(mutex_);
    device_ = &device;
    path_ = path;
    if (path == UploadPath::host)
        for (const auto& block : blocks_)
            wrap(*block);
    if (pins()) drop_idle();
}

FrameBlock HostBlocks::acquire(size_t bytes) {
    // Offsets are ints on the device.
    if (bytes > size_t{1} << 30) return {};
    try {
        const std::lock_guard lock(mutex_);
        const auto fits = [&](Block* b) {
            return b->capacity() >= bytes + slack_bytes && b->capacity() / 2 <= bytes + slack_bytes;
        };
        const auto first = std::find_if(idle_.begin(), idle_.end(), fits);
        Block* block = nullptr;
        if (std::count_if(idle_.begin(), idle_.end(), fits) > kept_back_) {
            block = *first;
            idle_.erase(first);
        } else {
            if (first == idle_.end()) drop_idle(); // of another size, since pictures changed theirs
            blocks_.push_back(make(bytes));
            block = blocks_.back().get();
        }
        return {block->data(), block->capacity() - slack_bytes, block};
    } catch (const Error& error) {
        log("gpu").warn("{}; the decoder uses memory of its own", error.what());
        return {};
    }
}

void HostBlocks::release(FrameBlock block) noexcept {
    const std::lock_guard lock(mutex_);
    Block* const ours = static_cast<Block*>(block.cookie);
    if (pins() && !ours->pinned)
        std::erase_if(blocks_, [&](const auto& b) { return b.get() == ours; });
    else
        idle_.push_back(ours);
}

void HostBlocks::drop_idle() {
    std::erase_if(blocks_, [&](const auto& b) {
        return std::find(idle_.begin(), idle_.end(), b.get()) != idle_.end();
    });
    idle_.clear();
}

HostBlocks::Block* HostBlocks::holding(const colour::HostPlanes& planes) {
    if (planes.block.data == nullptr) return nullptr;
    const std::lock_guard lock(mutex_);
    for (const auto& block : blocks_)
        if (block.get() == planes.block.cookie) return block.get();
    return nullptr;
}

size_t HostBlocks::bytes() const {
    const std::lock_guard lock(mutex_);
    size_t sum = 0;
    for (const auto& block : blocks_)
        sum += block->capacity();
    return sum;
}

} // namespace weft::gpu
