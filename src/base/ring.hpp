// Fixed slots between one producer and one consumer: queue, double buffer and back-pressure in one concept.
#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "base/rational.hpp"

namespace weft {

// A slot is free, being filled, published, or held. The producer claims a free slot, fills it, publishes it;
// the consumer looks at the published ones in order, may hold any number of them, and retires them in any
// order.
//   threads: claim/publish/cancel/close by the producer; front/at/size/wait_published/take/retire by the
//   consumer
//            (retire from any thread); stop by anybody.
template<class Slot>
class Ring {
  public:
    explicit Ring(std::vector<Slot> slots) : slots_(std::move(slots)), free_() {
        for (size_t i = 0; i < slots_.size(); ++i)
            free_.push_back(i);
    }
    Ring(const Ring&) = delete;
    Ring& operator=(const Ring&) = delete;

    size_t capacity() const { return slots_.size(); }
    Slot& operator[](size_t index) { return slots_[index]; }

    // Producer: index of a free slot; waits for one. nullopt after stop().
    std::optional<size_t> claim() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return stopped_ || !free_.empty(); });
        if (stopped_) return std::nullopt;
        const size_t index = free_.front();
        free_.pop_front();
        return index;
    }
    // claim(), waiting at most `timeout`.
    std::optional<size_t> claim_for(Nanoseconds timeout) {
        std::unique_lock lock(mutex_);
        changed_.wait_for(lock, timeout, [&] { return stopped_ || !free_.empty(); });
        if (stopped_ || free_.empty()) return std::nullopt;
        const size_t index = free_.front();
        free_.pop_front();
        return index;
    }
    std::optional<size_t> try_claim() {
        const std::lock_guard lock(mutex_);
        if (stopped_ || free_.empty()) return std::nullopt;
        const size_t index = free_.front();
        free_.pop_front();
        return index;
    }
    void publish(size_t index) {
        {
            const std::lock_guard lock(mutex_);
            published_.push_back(index);
        }
        changed_.notify_all();
    }
    void cancel(size_t index) { retire(index); }
    // No more slots will come. The consumer meets `error` only after the good slots.
    void close(std::exception_ptr error = nullptr) {
        {
            const std::lock_guard lock(mutex_);
            closed_ = true;
            error_ = std::move(error);
        }
        changed_.notify_all();
    }
    // A seek: the producer starts over, as if close() had not been called. By whoever has made sure that no
    // close() of the old place follows.
    void reopen() {
        {
            const std::lock_guard lock(mutex_);
            closed_ = false;
            error_ = nullptr;
        }
        changed_.notify_all();
    }

    // Consumer.
    size_t size() const {
        const std::lock_guard lock(mutex_);
        return published_.size();
    }
    // Index of the i-th published slot, oldest first.
    std::optional<size_t> at(size_t i) const {
        const std::lock_guard lock(mutex_);
        if (i >= published_.size()) return std::nullopt;
        return published_[i];
    }
    // Takes the oldest published slot out; it stays held until retire().
    std::optional<size_t> take() {
        const std::lock_guard lock(mutex_);
        if (published_.empty()) return std::nullopt;
        const size_t index = published_.front();
        published_.pop_front();
        return index;
    }
    // take(), waiting for a slot; nullopt once the ring is closed and empty, or stopped.
    std::optional<size_t> wait_take() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return stopped_ || closed_ || !published_.empty(); });
        if (stopped_ || published_.empty()) return std::nullopt;
        const size_t index = published_.front();
        published_.pop_front();
        return index;
    }
    // Waits until at least `count` slots are published, the ring is closed or stopped, or the time is up.
    // Returns whether there are `count`.
    bool wait_published(size_t count, Nanoseconds timeout = Nanoseconds::max()) {
        std::unique_lock lock(mutex_);
        const auto ready = [&] { return stopped_ || closed_ || published_.size() >= count; };
        if (timeout == Nanoseconds::max())
            changed_.wait(lock, ready);
        else
            changed_.wait_for(lock, timeout, ready);
        return published_.size() >= count;
    }
    bool closed() const {
        const std::lock_guard lock(mutex_);
        return closed_;
    }
    std::exception_ptr error() const {
        const std::lock_guard lock(mutex_);
        return error_;
    }
    void retire(size_t index) {
        {
            const std::lock_guard lock(mutex_);
            free_.push_back(index);
        }
        changed_.notify_all();
    }

    // Ends all waiting; claim() gives nullopt from now on.
    void stop() {
        {
            const std::lock_guard lock(mutex_);
            stopped_ = true;
        }
        changed_.notify_all();
    }
    bool stopped() const {
        const std::lock_guard lock(mutex_);
        return stopped_;
    }
    size_t free_count() const {
        const std::lock_guard lock(mutex_);
        return free_.size();
    }

  private:
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<Slot> slots_;
    std::deque<size_t> free_;
    std::deque<size_t> published_;
    std::exception_ptr error_;
    bool closed_ = false;
    bool stopped_ = false;
};

} // namespace weft
