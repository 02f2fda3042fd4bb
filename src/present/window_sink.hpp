// The window as the engine sees it: a sink that shows the newest picture and misses others.
#pragma once

#include <atomic>
#include <string>

#include "engine/sink.hpp"
#include "present/frame_queue.hpp"

namespace weft::present {

// Hands RGBA pictures to a queue that the window's thread reads. The queue outlives it.
class WindowSink final : public engine::FrameSink {
  public:
    explicit WindowSink(FrameQueue& queue) : queue_(queue) {}

    std::string name() const override { return "window"; }
    colour::PictureFormat wanted_format(const colour::PictureFormat& canvas) override;
    bool drops() const override { return true; }
    int ring_size() const override { return 4; } // one painted, two waiting, one shown
    std::vector<gpu::PictureRef> own_pictures(gpu::Device& device, const colour::PictureFormat& format,
                                              int count) override;
    void submit(engine::OutputFrame frame) override;
    void finish(engine::Ending ending) override;

    // Whether the pictures lie in memory that the device shares with the host. Known before the first one;
    // any thread.
    bool shares_host_memory() const { return shares_host_memory_.load(); }

  private:
    FrameQueue& queue_;
    std::atomic<bool> shares_host_memory_{false};
};

} // namespace weft::present
