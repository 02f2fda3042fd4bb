// Finished pictures on their way from the sink's thread to the window's.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "base/ring.hpp"
#include "engine/sink.hpp"
#include "present/picture_view.hpp"

namespace weft::present {

struct PresentFrame {
    int64_t index = 0;
    Nanoseconds time{0}; // media time at which it is due
    PictureView picture; // valid as long as `lease`
    engine::SlotLease lease;
};

// A frame taken out. Ends its lease, and makes room, with its own life; the queue outlives it.
class HeldFrame {
  public:
    HeldFrame(Ring<PresentFrame>& ring, size_t slot) : ring_(&ring), slot_(slot) {}
    HeldFrame(HeldFrame&& other) noexcept : ring_(std::exchange(other.ring_, nullptr)), slot_(other.slot_) {}
    HeldFrame& operator=(HeldFrame&& other) noexcept {
        std::swap(ring_, other.ring_);
        std::swap(slot_, other.slot_);
        return *this;
    }
    ~HeldFrame() {
        if (ring_ == nullptr) return;
        (*ring_)[slot_].lease.end();
        ring_->retire(slot_);
    }
    const PresentFrame& operator*() const { return (*ring_)[slot_]; }
    const PresentFrame* operator->() const { return &(*ring_)[slot_]; }

  private:
    Ring<PresentFrame>* ring_;
    size_t slot_;
};

//   threads: push and finish by the sink; all else by the window's thread.
class FrameQueue {
  public:
    explicit FrameQueue(size_t capacity) : ring_(std::vector<PresentFrame>(capacity)) {}

    // Waits for room. After stop() the frame is let go at once.
    void push(PresentFrame frame);
    // No more will come; returns when every frame was taken and given back, or after stop().
    void finish();

    // The newest frame due at `now`; older ones are let go. The first frame ever and the first after expect()
    // is due at once.
    std::optional<HeldFrame> take_due(Nanoseconds now);
    // When the oldest waiting frame is due; nullopt when none waits.
    std::optional<Nanoseconds> next_due();
    // A seek to `at`: waiting frames are let go, and those that were under way towards the old place are too.
    //   interval : from one picture to the next
    void expect(Nanoseconds at, Nanoseconds interval);
    // Waits for a frame to be there, at most so long.
    void wait(Nanoseconds longest);
    // Nothing is held and nothing will be taken any more; a waiting push() and finish() go on.
    void stop();
    // finish() was called and nothing is left.
    bool drained() const;

  private:
    bool stale(const PresentFrame& frame);

    void let_go();

    Ring<PresentFrame> ring_;
    bool first_ = true;
    struct Span {
        Nanoseconds from, to;
    };
    std::optional<Span> expected_;
    int stale_left_ = 0; // frames that may still be taken for strays of the old place
};

} // namespace weft::present
