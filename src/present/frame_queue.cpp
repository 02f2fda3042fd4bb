#include "present/frame_queue.hpp"

#include <algorithm>
#include <utility>

namespace weft::present {
namespace {

// Frames that can be under way at once, in all rings between the conductor and here.
constexpr int most_strays = 8;

} // namespace

void FrameQueue::push(PresentFrame frame) {
    const auto slot = ring_.claim();
    if (!slot) return; // the frame's lease ends here
    ring_[*slot] = std::move(frame);
    ring_.publish(*slot);
}

void FrameQueue::finish() {
    ring_.close();
    // All slots free = all frames gone.
    for (size_t i = 0; i < ring_.capacity(); ++i)
        if (!ring_.claim()) break;
    let_go();
}

void FrameQueue::let_go() {
    while (const auto slot = ring_.take())
        const HeldFrame gone(ring_, *slot);
}

bool FrameQueue::stale(const PresentFrame& frame) {
    if (!expected_) return false;
    const bool here = frame.time >= expected_->from && frame.time <= expected_->to;
    if (here || stale_left_ == 0) {
        expected_.reset();
        return false;
    }
    --stale_left_;
    return true;
}

std::optional<HeldFrame> FrameQueue::take_due(Nanoseconds now) {
    std::optional<HeldFrame> due;
    while (const auto slot = ring_.at(0)) {
        const bool stray = stale(ring_[*slot]);
        if (!stray && !first_ && ring_[*slot].time > now) break;
        ring_.take();
        HeldFrame frame(ring_, *slot);
        if (stray) continue;
        due = std::move(frame); // the one before goes with `frame`
        first_ = false;
    }
    return due;
}

std::optional<Nanoseconds> FrameQueue::next_due() {
    const auto slot = ring_.at(0);
    if (!slot) return std::nullopt;
    return ring_[*slot].time;
}

void FrameQueue::expect(Nanoseconds at, Nanoseconds interval) {
    let_go();
    // A time between two ticks may be met by either.
    expected_ = Span{at - interval, at + interval};
    stale_left_ = most_strays;
    first_ = true;
}

void FrameQueue::wait(Nanoseconds longest) {
    ring_.wait_published(1, longest);
}

void FrameQueue::stop() {
    ring_.stop();
}

bool FrameQueue::drained() const {
    return ring_.closed() && ring_.size() == 0;
}

} // namespace weft::present
