#include "base/clock.hpp"

namespace weft {

Nanoseconds MasterClock::at(Nanoseconds now) const {
    if (!running_) return base_;
    const Nanoseconds passed = now - since_;
    if (speed_ == 1.0) return base_ + passed; // exact
    return base_ + Nanoseconds(static_cast<int64_t>(static_cast<double>(passed.count()) * speed_));
}

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

void MasterClock::set_speed(double speed) {
    const std::lock_guard lock(mutex_);
    const Nanoseconds now = clock_.now();
    base_ = at(now);
    since_ = now;
    speed_ = speed;
}

double MasterClock::speed() const {
    const std::lock_guard lock(mutex_);
    return speed_;
}

} // namespace weft
