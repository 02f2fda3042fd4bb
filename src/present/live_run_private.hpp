// One run of the engine on a thread of its own, with the queue that brings its pictures.
#pragma once

#include <atomic>
#include <exception>
#include <mutex>
#include <thread>

#include "present/frame_queue.hpp"
#include "present/player.hpp"
#include "present/window_sink.hpp"

namespace weft::present {

// What the run knows once it is ready.
struct ReadyRun {
    engine::RunPlan plan;
    std::optional<SoundSource> sound;
};

class LiveRun {
  public:
    // Starts. options.control is set and outlives it.
    LiveRun(const RunFunction& run, std::vector<std::unique_ptr<engine::FrameSink>> others,
            engine::RunOptions options, std::function<std::optional<SoundSource>()> sound);
    // Stops what still runs and waits for it.
    ~LiveRun();
    LiveRun(const LiveRun&) = delete;
    LiveRun& operator=(const LiveRun&) = delete;

    FrameQueue& queue() { return queue_; }
    bool shares_host_memory() const { return sink_->shares_host_memory(); }
    // Once, when there is something to take.
    std::optional<ReadyRun> take_ready();
    // The engine has returned; every picture was taken.
    bool done() const { return done_; }
    // After done(). Errors : what the run threw.
    engine::RunReport report();

  private:
    void work(const RunFunction& run, const engine::RunOptions& options) noexcept;

    FrameQueue queue_{2};
    std::vector<std::unique_ptr<engine::FrameSink>> sinks_;
    WindowSink* sink_; // the last of them
    engine::RunControl& control_;
    std::function<std::optional<SoundSource>()> sound_;
    std::mutex mutex_;
    std::optional<ReadyRun> ready_;
    engine::RunReport report_;
    std::exception_ptr error_;
    std::atomic<bool> done_{false};
    std::thread thread_;
};

} // namespace weft::present
