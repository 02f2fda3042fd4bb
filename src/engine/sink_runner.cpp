#include "engine/sink_runner_private.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/log.hpp"

namespace weft::engine {

SinkRunner::SinkRunner(gpu::Device& device, FrameSink& sink, const colour::PictureFormat& format,
                       Trace* trace)
    : sink_(sink), name_(sink.name()), format_(format), trace_(trace),
      ring_(std::vector<SinkSlot>(static_cast<size_t>(std::max(sink.ring_size(), 2)))) {
    const int count = static_cast<int>(ring_.capacity()) + (sink.drops() ? 1 : 0);
    own_ = sink.own_pictures(device, format_, count);
    if (!own_.empty() && own_.size() < static_cast<size_t>(count))
        throw Error(ErrorKind::internal, "sink '" + name_ + "' has " + std::to_string(own_.size()) +
                                             " pictures of its own, asked for " + std::to_string(count));
    if (own_.empty()) pictures_ = std::make_unique<gpu::OutputPictures>(device, format_, count);
}

SinkRunner::~SinkRunner() {
    if (prepared_ && !ended_) end(Ending::failed);
}

void SinkRunner::start(int64_t frames) {
    prepared_ = true;
    try {
        sink_.prepare(format_, frames);
    } catch (...) {
        ended_ = true;
        sink_.finish(Ending::failed);
        throw;
    }
    thread_ = std::thread([this] { work(); });
}

std::optional<size_t> SinkRunner::claim(Nanoseconds patience) {
    return patience == Nanoseconds::max() ? ring_.claim() : ring_.claim_for(patience);
}

gpu::PictureRef SinkRunner::picture(size_t slot) const {
    return pictures_ ? pictures_->device(slot) : own_.at(slot);
}

cl::Event SinkRunner::fetch(size_t slot, const cl::Event& painted, int64_t tick) {
    if (!pictures_) return painted;
    cl::Event ready = pictures_->fetch(slot, painted);
    const size_t bytes = pictures_->bytes_per_fetch();
    bytes_down_ += static_cast<int64_t>(bytes);
    if (trace_ != nullptr && ready() != painted())
        trace_->device(Stage::download, name_, tick, {static_cast<double>(bytes), 0}, ready);
    return ready;
}

void SinkRunner::publish(size_t slot, int64_t index, Rational time) {
    ring_[slot] = {index, time};
    ring_.publish(slot);
}

void SinkRunner::work() noexcept {
    const auto give = [](void* owner, size_t slot) noexcept {
        static_cast<SinkRunner*>(owner)->ring_.retire(slot);
    };
    while (const auto slot = ring_.wait_take()) {
        if (failed_) {
            ring_.retire(*slot);
            continue;
        }
        OutputFrame frame;
        frame.index = ring_[*slot].index;
        frame.time = ring_[*slot].time;
        frame.format = &format_;
        if (pictures_) frame.host = pictures_->host(*slot);
        frame.device = picture(*slot);
        frame.slot = *slot;
        frame.lease = SlotLease(give, this, *slot);
        try {
            const Stretch stretch(trace_, Stage::deliver, name_, frame.index);
            sink_.submit(std::move(frame));
            ++frames_;
        } catch (const std::exception& error) {
            fail(error);
        }
    }
    try {
        sink_.finish(failed_ ? Ending::failed : ending_.load());
    } catch (const std::exception& error) {
        const bool first = !failed_;
        fail(error);
        if (first) {
            try {
                sink_.finish(Ending::failed);
            } catch (const std::exception& again) {
                log("engine").debug("{}: {}", name_, describe(again));
            }
        }
    }
}

void SinkRunner::fail(const std::exception& error) noexcept {
    try {
        const std::lock_guard lock(mutex_);
        if (error_.empty()) error_ = describe(error);
        log("engine").debug("{}: {}", name_, error_);
    } catch (const std::exception&) {
        // Without memory for the text the failure is still counted.
    }
    failed_ = true;
}

void SinkRunner::end(Ending ending) {
    if (ended_ || !prepared_) return;
    ended_ = true;
    ending_ = ending;
    ring_.close();
    thread_.join();
    if (ring_.free_count() != ring_.capacity())
        log("engine").warn("{}: {} pictures were not given back", name_,
                           ring_.capacity() - ring_.free_count());
}

SinkReport SinkRunner::report() const {
    SinkReport report;
    report.name = name_;
    report.frames = frames_;
    report.dropped = dropped_;
    {
        const std::lock_guard lock(mutex_);
        report.error = error_;
    }
    sink_.report(report);
    return report;
}

} // namespace weft::engine
