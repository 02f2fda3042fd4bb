#include "base/clock.hpp"

namespace weft {

Nanoseconds MasterClock::at(Nanoseconds now) const { return running_ ? base_ + (now - since_) : base_; }

Nanoseconds MasterClock::media_time() const {
    const std::lock_guard lock(mutex_);
    return at(clock_.now());
}

bool MasterClock::running() const {
    const std::lock_guard lock(mutex_);
    return running_;
}

void MasterClock::start() {
    const std::lock_guard lock(mutex_);
    if (running_) return;
    since_ = clock_.now();
    running_ = true;
}

void MasterClock::pause() {
    const std::lock_guard lock(mutex_);
    base_ = at(clock_.now());
    running_ = false;
}

void MasterClock::seek(Nanoseconds media) {
    const std::lock_guard lock(mutex_);
    base_ = media;
    since_ = clock_.now();
}

void MasterClock::correct(Nanoseconds media) {
    const std::lock_guard lock(mutex_);
    const Nanoseconds now = clock_.now();
    const Nanoseconds error = media - at(now);
    const bool jump = error > std::chrono::milliseconds(100) || error < -std::chrono::milliseconds(100);
    base_ = at(now) + (jump ? error : error / 8);
    since_ = now;
}

} // namespace weft
