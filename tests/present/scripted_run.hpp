// Stands where the engine stands: makes numbered pictures by the master clock, and lets a test act at chosen
// ticks.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include <SDL.h>

#include "base/error.hpp"
#include "engine/run.hpp"

namespace weft::present::testing {

class ScriptedRun {
  public:
    static constexpr int width = 96, height = 54, slots = 4;

    int64_t ticks = 25;
    Rational rate{50};
    bool seekable = true;
    // Called on the run's thread after tick n was submitted.
    std::function<void(int64_t n)> after;
    // What happened, for the test to look at after play().
    std::vector<int64_t> submitted;
    std::vector<Rational> seeks;
    int rounds = 0;

    engine::RunReport operator()(const std::vector<std::unique_ptr<engine::FrameSink>>& sinks,
                                 const engine::RunOptions& options) {
        ++rounds;
        engine::FrameSink& sink = *sinks.back();
        engine::RunReport report;
        report.plan.device = "scripted";
        report.plan.canvas.width = width;
        report.plan.canvas.height = height;
        report.plan.canvas.rate = rate;
        report.plan.canvas.pixels = colour::pixel_format("yuv420p");
        report.plan.canvas.colour = colour::resolve({}, report.plan.canvas.pixels, width, height);
        report.plan.frames = ticks;
        report.plan.seekable = seekable;
        format_ = sink.wanted_format(report.plan.canvas);
        sink.prepare(format_, ticks);
        options.ready(report.plan);
        bool stopped = false;
        for (int64_t n = 0; n < ticks; ++n) {
            while (!(stopped = options.control->stop_requested())) {
                if (const auto to = options.control->take_seek()) {
                    seeks.push_back(*to);
                    n = (*to * rate).floor();
                }
                if (options.master->media_time() >= (Rational(n) / rate).nanoseconds()) break;
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            }
            if (stopped) break;
            submit(sink, n);
            if (after) after(n);
        }
        sink.finish(stopped ? engine::Ending::interrupted : engine::Ending::complete);
        report.interrupted = stopped;
        return report;
    }

    // The grey of tick n.
    static uint8_t grey(int64_t n) { return static_cast<uint8_t>(3 * n + 7); }

    // Waits until the player has taken over every picture.
    void until_taken() const {
        for (const auto& busy : busy_)
            while (busy)
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }

    static void press(SDL_Keycode key, unsigned modifiers = KMOD_NONE) {
        SDL_Event event{};
        event.type = SDL_KEYDOWN;
        event.key.keysym.sym = key;
        event.key.keysym.mod = static_cast<Uint16>(modifiers);
        SDL_PushEvent(&event);
    }
    static void type(char c) {
        SDL_Event event{};
        event.type = SDL_TEXTINPUT;
        event.text.text[0] = c;
        SDL_PushEvent(&event);
    }

  private:
    void submit(engine::FrameSink& sink, int64_t n) {
        size_t slot = 0;
        while (busy_[slot].exchange(true)) {
            slot = (slot + 1) % slots;
            std::this_thread::sleep_for(std::chrono::microseconds(100));
        }
        std::vector<uint8_t>& pixels = pixels_[slot];
        pixels.assign(size_t{4} * width * height, grey(n));
        for (size_t i = 3; i < pixels.size(); i += 4)
            pixels[i] = 255;
        engine::OutputFrame frame;
        frame.index = n;
        frame.time = Rational(n) / rate;
        frame.format = &format_;
        frame.host.data[0] = pixels.data();
        frame.host.pitch[0] = 4 * width;
        frame.slot = slot;
        frame.lease = engine::SlotLease(
            [](void* owner, size_t given) noexcept {
                static_cast<ScriptedRun*>(owner)->busy_[given] = false;
            },
            this, slot);
        submitted.push_back(n);
        sink.submit(std::move(frame));
    }

    colour::PictureFormat format_;
    std::array<std::vector<uint8_t>, slots> pixels_;
    std::array<std::atomic<bool>, slots> busy_{};
};

} // namespace weft::present::testing
