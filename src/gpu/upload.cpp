#include "gpu/upload.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "gpu/device_private.hpp"
#include "gpu/host_blocks.hpp"

namespace weft::gpu {
namespace {

constexpr size_t slack_bytes = HostBlocks::slack_bytes;

size_t up_to(size_t value, size_t multiple) {
    return (value + multiple - 1) / multiple * multiple;
}

// One plane in host memory as it lies there: lowest address first, whatever the orientation.
struct Span {
    const uint8_t* lowest = nullptr;
    size_t pitch = 0; // distance of lines, positive
    size_t line_bytes = 0;
    size_t lines = 0;
    bool upside_down = false;
    size_t bytes() const { return lines == 0 ? 0 : (lines - 1) * pitch + line_bytes; }
};

Span span_of(const colour::HostPlanes& planes, const colour::PictureFormat& format, int plane) {
    const auto index = static_cast<size_t>(plane);
    Span span;
    span.line_bytes = static_cast<size_t>(format.pixels.plane_line_bytes(plane, format.width));
    span.lines = static_cast<size_t>(format.pixels.plane_lines(plane, format.height));
    const int pitch = planes.pitch[index];
    span.upside_down = pitch < 0;
    span.pitch = static_cast<size_t>(std::abs(pitch));
    // A single line (a palette) has no pitch to speak of.
    if (span.lines <= 1) span.pitch = std::max(span.pitch, span.line_bytes);
    WEFT_CHECK(planes.data[index] != nullptr && span.pitch >= span.line_bytes);
    span.lowest = planes.data[index];
    if (span.upside_down && span.lines > 1) span.lowest -= (span.lines - 1) * span.pitch;
    return span;
}

void copy_lines(uint8_t* to, size_t to_pitch, const Span& span) {
    if (span.pitch == to_pitch) {
        std::memcpy(to, span.lowest, span.bytes());
        return;
    }
    for (size_t y = 0; y < span.lines; ++y)
        std::memcpy(to + y * to_pitch, span.lowest + y * span.pitch, span.line_bytes);
}

// The plane's place when its lines lie at `offset` in memory order.
PlaneRef plane_ref(const cl::Buffer& buffer, size_t offset, size_t pitch, const Span& span) {
    const size_t first = span.upside_down ? offset + (span.lines - 1) * pitch : offset;
    return {buffer, static_cast<int>(first),
            span.upside_down ? -static_cast<int>(pitch) : static_cast<int>(pitch)};
}

// Kernels for GPUs read wide words: lines begin on multiples of this.
constexpr size_t alignment = 64;

// The driver's copy engines like long runs: a plane whose lines are nearly gapless goes as one.
bool goes_as_one(const Span& span) {
    return span.bytes() <= span.line_bytes * span.lines * 5 / 4 && span.pitch % alignment == 0;
}

// A linear buffer on the device that grows when a picture does not fit.
cl::Buffer& grown(Device& device, cl::Buffer& buffer, size_t& capacity, size_t bytes) {
    if (bytes > capacity) {
        buffer = guarded("device memory for a picture of " + std::to_string(bytes) + " bytes",
                         [&] { return cl::Buffer(device.context(), CL_MEM_READ_ONLY, bytes); });
        capacity = bytes;
    }
    return buffer;
}

bool aligned(const colour::HostPlanes& planes, const colour::PictureFormat& format) {
    for (size_t i = 0; i < static_cast<size_t>(format.pixels.plane_count); ++i)
        if (reinterpret_cast<uintptr_t>(planes.data[i]) % alignment != 0 ||
            static_cast<size_t>(std::abs(planes.pitch[i])) % alignment != 0)
            return false;
    return true;
}

} // namespace

Layout layout_of(const colour::PictureFormat& format) {
    Layout layout;
    size_t next = 0;
    for (int plane = 0; plane < format.pixels.plane_count; ++plane) {
        const auto index = static_cast<size_t>(plane);
        const auto pitch =
            up_to(static_cast<size_t>(format.pixels.plane_line_bytes(plane, format.width)), alignment);
        layout.offset[index] = static_cast<int>(next);
        layout.pitch[index] = static_cast<int>(pitch);
        next =
            up_to(next + pitch * static_cast<size_t>(format.pixels.plane_lines(plane, format.height)), 256);
    }
    layout.bytes = next + slack_bytes;
    return layout;
}

struct Uploader::Slot {
    cl::Buffer buffer;
    std::atomic<size_t> capacity{0};
    std::unique_ptr<PinnedMemory> staging;    // pinned
    std::unique_ptr<HostBlocks::Block> block; // host, for pictures that lie elsewhere
};

Uploader::Uploader(Device& device, UploadPath path, int slots, std::shared_ptr<HostBlocks> blocks)
    : device_(device), path_(path), blocks_(blocks ? std::move(blocks) : std::make_shared<HostBlocks>()) {
    WEFT_CHECK(path != UploadPath::automatic && slots > 0);
    blocks_->serve(device, path);
    reserve(slots);
}

void Uploader::reserve(int slots) {
    while (slots_.size() < static_cast<size_t>(slots))
        slots_.push_back(std::make_unique<Slot>());
}

Uploader::~Uploader() = default;

FrameAllocator* Uploader::allocator() {
    return blocks_.get();
}

void Uploader::set_read_behind(size_t pictures) {
    if (waits_on_device())
        blocks_->keep_back(static_cast<int>(most_read_behind - std::min(pictures, most_read_behind)));
}

bool Uploader::waits_on_device() const {
    // Pinned memory of a device that shares the host's is a detour by choice; it need not hold more pictures
    // for it.
    const bool direct = path_ == UploadPath::direct && !device_.traits().shares_host_memory;
    return (direct || path_ == UploadPath::pageable) && device_.order() == QueueOrder::in_order;
}

Upload Uploader::upload(int slot, const colour::HostPlanes& planes, const colour::PictureFormat& format,
                        const cl::Event& after) {
    WEFT_CHECK(after() == nullptr || waits_on_device());
    WEFT_CHECK(slot >= 0 && static_cast<size_t>(slot) < slots_.size() && format.valid());
    Slot& target = *slots_[static_cast<size_t>(slot)];
    return guarded("upload of a picture", [&] {
        if (path_ == UploadPath::host) return take_block(target, planes, format);
        if (path_ == UploadPath::pinned) return copy_staged(target, planes, format);
        return copy_planes(target, planes, format, after);
    });
}

Upload Uploader::take_block(Slot& slot, const colour::HostPlanes& planes,
                            const colour::PictureFormat& format) {
    Upload done;
    done.picture.plane_count = format.pixels.plane_count;
    HostBlocks::Block* const block = blocks_->holding(planes);
    if (block != nullptr && (device_.traits().kind == DeviceKind::cpu || aligned(planes, format))) {
        for (int plane = 0; plane < format.pixels.plane_count; ++plane) {
            const auto index = static_cast<size_t>(plane);
            const auto offset = planes.data[index] - block->data();
            done.picture.planes[index] = {block->buffer, static_cast<int>(offset), planes.pitch[index]};
        }
        return done;
    }
    const Layout layout = layout_of(format);
    if (!slot.block || slot.block->capacity() < layout.bytes) {
        slot.block = blocks_->make(layout.bytes);
        slot.capacity = slot.block->capacity();
    }
    for (int plane = 0; plane < format.pixels.plane_count; ++plane) {
        const auto index = static_cast<size_t>(plane);
        const Span span = span_of(planes, format, plane);
        const auto offset = static_cast<size_t>(layout.offset[index]);
        const auto pitch = static_cast<size_t>(layout.pitch[index]);
        copy_lines(slot.block->data() + offset, pitch, span);
        done.picture.planes[index] = plane_ref(slot.block->buffer, offset, pitch, span);
        done.bytes += span.line_bytes * span.lines;
    }
    return done;
}

Upload Uploader::copy_planes(Slot& slot, const colour::HostPlanes& planes,
                             const colour::PictureFormat& format, const cl::Event& after) {
    struct Part {
        Span span;
        size_t offset, pitch;
        bool linear;
    };
    std::array<Part, 4> parts{};
    size_t needed = 0;
    const auto count = static_cast<size_t>(format.pixels.plane_count);
    for (size_t i = 0; i < count; ++i) {
        Part& part = parts[i];
        part.span = span_of(planes, format, static_cast<int>(i));
        part.linear = goes_as_one(part.span);
        part.pitch = part.linear ? part.span.pitch : up_to(part.span.line_bytes, alignment);
        // A rectangle's place is told in lines and columns: begin it on a line.
        part.offset = part.linear ? needed : up_to(needed, part.pitch);
        needed = up_to(part.offset + part.pitch * part.span.lines, 256);
    }
    size_t capacity = slot.capacity;
    const cl::Buffer& buffer = grown(device_, slot.buffer, capacity, needed + slack_bytes);
    slot.capacity = capacity;

    Upload done;
    done.picture.plane_count = format.pixels.plane_count;
    const bool in_order = device_.order() == QueueOrder::in_order;
    std::vector<cl::Event> planes_up, reads;
    if (after() != nullptr) reads.push_back(after);
    for (size_t i = 0; i < count; ++i) {
        const Part& part = parts[i];
        const std::vector<cl::Event>* const behind = i == 0 && !reads.empty() ? &reads : nullptr;
        // In order, the last plane's event stands for all.
        const bool wanted = i + 1 == count || device_.profiling() || !in_order;
        cl::Event* const event = wanted ? &done.ready : nullptr;
        if (part.linear) {
            device_.up().enqueueWriteBuffer(buffer, CL_FALSE, part.offset, part.span.bytes(),
                                            part.span.lowest, behind, event);
            done.bytes += part.span.bytes();
        } else {
            const std::array<size_t, 3> to{0, part.offset / part.pitch, 0};
            device_.up().enqueueWriteBufferRect(buffer, CL_FALSE, to, {0, 0, 0},
                                                {part.span.line_bytes, part.span.lines, 1}, part.pitch, 0,
                                                part.span.pitch, 0, part.span.lowest, behind, event);
            done.bytes += part.span.line_bytes * part.span.lines;
        }
        if (device_.profiling()) done.copies.push_back({done.ready, part.span.line_bytes * part.span.lines});
        if (!in_order) planes_up.push_back(done.ready);
        done.picture.planes[i] = plane_ref(buffer, part.offset, part.pitch, part.span);
    }
    if (planes_up.size() > 1) device_.up().enqueueMarkerWithWaitList(&planes_up, &done.ready);
    device_.up().flush();
    return done;
}

Upload Uploader::copy_staged(Slot& slot, const colour::HostPlanes& planes,
                             const colour::PictureFormat& format) {
    const Layout layout = layout_of(format);
    size_t capacity = slot.capacity;
    const cl::Buffer& buffer = grown(device_, slot.buffer, capacity, layout.bytes);
    slot.capacity = capacity;
    if (!slot.staging || slot.staging->bytes() < layout.bytes)
        slot.staging = std::make_unique<PinnedMemory>(device_, layout.bytes);

    Upload done;
    done.picture.plane_count = format.pixels.plane_count;
    for (int plane = 0; plane < format.pixels.plane_count; ++plane) {
        const auto index = static_cast<size_t>(plane);
        const Span span = span_of(planes, format, plane);
        const auto offset = static_cast<size_t>(layout.offset[index]);
        const auto pitch = static_cast<size_t>(layout.pitch[index]);
        copy_lines(slot.staging->data() + offset, pitch, span);
        done.picture.planes[index] = plane_ref(buffer, offset, pitch, span);
    }
    done.bytes = layout.bytes - slack_bytes;
    device_.up().enqueueWriteBuffer(buffer, CL_FALSE, 0, done.bytes, slot.staging->data(), nullptr,
                                    &done.ready);
    if (device_.profiling()) done.copies.push_back({done.ready, done.bytes});
    device_.up().flush();
    return done;
}

size_t Uploader::bytes() const {
    const bool devices = path_ == UploadPath::host || path_ == UploadPath::direct;
    size_t sum = devices ? blocks_->bytes() : 0;
    for (const auto& slot : slots_)
        sum += slot->capacity;
    return sum;
}

} // namespace weft::gpu
