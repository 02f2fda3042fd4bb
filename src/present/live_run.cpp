#include "present/live_run_private.hpp"

#include <utility>

#include "base/error.hpp"
#include "base/log.hpp"

namespace weft::present {

LiveRun::LiveRun(const RunFunction& run, std::vector<std::unique_ptr<engine::FrameSink>> others,
                 engine::RunOptions options, std::function<std::optional<SoundSource>()> sound)
    : sinks_(std::move(others)), control_(*options.control), sound_(std::move(sound)) {
    auto window = std::make_unique<WindowSink>(queue_);
    sink_ = window.get();
    sinks_.push_back(std::move(window));
    options.live = true;
    options.ready = [this, then = std::move(options.ready)](const engine::RunPlan& plan) {
        if (then) then(plan);
        ReadyRun ready{plan, std::nullopt};
        try {
            if (sound_) ready.sound = sound_();
        } catch (const std::exception& error) {
            log("present").warn("no sound: {}", describe(error));
        }
        const std::lock_guard lock(mutex_);
        ready_ = std::move(ready);
    };
    thread_ = std::thread([this, run, options = std::move(options)] { work(run, options); });
}

LiveRun::~LiveRun() {
    if (!done_) control_.request_stop();
    queue_.stop();
    thread_.join();
}

void LiveRun::work(const RunFunction& run, const engine::RunOptions& options) noexcept {
    try {
        report_ = run(sinks_, options);
    } catch (...) {
        error_ = std::current_exception();
    }
    done_ = true;
}

std::optional<ReadyRun> LiveRun::take_ready() {
    const std::lock_guard lock(mutex_);
    return std::exchange(ready_, std::nullopt);
}

engine::RunReport LiveRun::report() {
    WEFT_CHECK(done_);
    if (error_) std::rethrow_exception(error_);
    return report_;
}

} // namespace weft::present
