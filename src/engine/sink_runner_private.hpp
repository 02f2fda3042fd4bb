// A sink at work: its pictures, its ring and its thread.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "base/ring.hpp"
#include "engine/sink.hpp"
#include "engine/trace.hpp"
#include "gpu/output.hpp"

namespace weft::engine {

struct SinkSlot {
    int64_t index = 0;
    Rational time;
};

// threads: the conductor claims, whoever sees a picture completed publishes (one at a time, in order), the
// sink's own thread submits.
class SinkRunner {
  public:
    // Makes the pictures. `format` is final.
    SinkRunner(gpu::Device& device, FrameSink& sink, const colour::PictureFormat& format, Trace* trace);
    ~SinkRunner();
    SinkRunner(const SinkRunner&) = delete;
    SinkRunner& operator=(const SinkRunner&) = delete;

    // Calls FrameSink::prepare and starts the thread. Errors : those of prepare().
    void start(int64_t frames);

    // A picture to paint into; waits at most `patience`. nullopt: none is free in time, or the run was
    // aborted.
    std::optional<size_t> claim(Nanoseconds patience = Nanoseconds::max());
    void cancel(size_t slot) { ring_.cancel(slot); }
    // The picture that nobody will see, painted where a sink that drops had no free one.
    size_t spare() const { return ring_.capacity(); }
    gpu::PictureRef picture(size_t slot) const;
    // Enqueues the way to the host; the event after which the picture is complete.
    cl::Event fetch(size_t slot, const cl::Event& painted, int64_t tick);
    // The picture is complete: on to the sink.
    void publish(size_t slot, int64_t index, Rational time);

    // After the last publish(): lets the thread finish the sink and waits for it. Once.
    void end(Ending ending);

    bool failed() const { return failed_; }
    bool drops() const { return sink_.drops(); }
    int ring_size() const { return static_cast<int>(ring_.capacity()); }
    void count_drop() { ++dropped_; }
    SinkReport report() const; // after end()
    size_t device_bytes() const { return pictures_ ? pictures_->bytes() : 0; }
    int64_t bytes_down() const { return bytes_down_; }
    const std::string& name() const { return name_; }

  private:
    void work() noexcept;
    void fail(const std::exception& error) noexcept;

    FrameSink& sink_;
    std::string name_;
    colour::PictureFormat format_;
    Trace* trace_;
    std::unique_ptr<gpu::OutputPictures> pictures_;
    std::vector<gpu::PictureRef> own_; // the sink's, instead
    Ring<SinkSlot> ring_;
    std::atomic<bool> failed_{false};
    std::atomic<Ending> ending_{Ending::complete};
    std::atomic<int64_t> frames_{0}, dropped_{0};
    int64_t bytes_down_ = 0;
    mutable std::mutex mutex_;
    std::string error_;
    bool prepared_ = false, ended_ = false;
    std::thread thread_;
};

} // namespace weft::engine
