#include "gpu/completions.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <vector>

#include "gpu/device_private.hpp"

namespace weft::gpu {
namespace {

// How long the driver's word is waited for before the commands themselves are asked. PoCL calls at once, and
// only for a command that failed never; NVIDIA's driver calls milliseconds late, which is the time of many
// pictures.
std::chrono::microseconds patience(const Device& device) {
    return device.traits().kind == DeviceKind::cpu ? std::chrono::milliseconds(500)
                                                   : std::chrono::microseconds(20);
}

} // namespace

// Owned by the driver until it calls back; `live` of the state says whether it is still to be reported.
struct Completions::Watch {
    std::shared_ptr<State> state;
    cl::Event event;
    uint64_t token = 0;
};

struct Completions::State {
    std::mutex mutex;
    std::condition_variable changed;
    std::deque<Completion> done;
    std::vector<Watch*> live;
    bool closed = false;
    const std::chrono::microseconds ask_after;

    explicit State(std::chrono::microseconds ask) : ask_after(ask) {}

    // With the lock held.
    void report(Watch* watch, int status) {
        const auto found = std::find(live.begin(), live.end(), watch);
        if (found == live.end()) return;
        live.erase(found);
        done.push_back({watch->token, status});
        changed.notify_all();
    }
    // Waits until it is ready; while nobody calls, asks the commands how they stand.
    template<class Ready>
    void wait(std::unique_lock<std::mutex>& lock, Ready ready) {
        while (!ready()) {
            if (live.empty()) {
                changed.wait(lock);
                continue;
            }
            if (changed.wait_for(lock, ask_after, ready)) return;
            std::vector<std::pair<Watch*, cl_int>> over;
            for (Watch* watch : live) {
                cl_int status = CL_QUEUED;
                clGetEventInfo(watch->event(), CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status,
                               nullptr);
                if (status <= CL_COMPLETE) over.emplace_back(watch, status);
            }
            for (const auto& [watch, status] : over)
                report(watch, status);
        }
    }
};

Completions::Completions(const Device& device) : state_(std::make_shared<State>(patience(device))) {}

Completions::~Completions() {
    std::unique_lock lock(state_->mutex);
    state_->wait(lock, [&] { return state_->live.empty(); });
}

void Completions::watch(const cl::Event& event, uint64_t token) {
    if (event() == nullptr) {
        const std::lock_guard lock(state_->mutex);
        state_->done.push_back({token, CL_COMPLETE});
        state_->changed.notify_all();
        return;
    }
    auto watch = std::make_unique<Watch>(Watch{state_, event, token});
    {
        const std::lock_guard lock(state_->mutex);
        state_->live.push_back(watch.get());
        state_->changed.notify_all();
    }
    const cl_int code = clSetEventCallback(event(), CL_COMPLETE, on_complete, watch.get());
    if (code != CL_SUCCESS) {
        const std::lock_guard lock(state_->mutex);
        std::erase(state_->live, watch.get());
        throw device_error(code, "watching a command");
    }
    (void)watch.release(); // on_complete's
}

void CL_CALLBACK Completions::on_complete(cl_event, cl_int status, void* data) {
    const std::unique_ptr<Watch> watch(static_cast<Watch*>(data));
    // NVIDIA's driver says "complete" to the callback of a failed event; the event itself knows better.
    cl_int own = CL_COMPLETE;
    clGetEventInfo(watch->event(), CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof own, &own, nullptr);
    status = std::min(status, own);
    const std::lock_guard lock(watch->state->mutex);
    watch->event = cl::Event(); // whoever waits for the report may end the program
    watch->state->report(watch.get(), status);
}

std::optional<Completion> Completions::wait() {
    std::unique_lock lock(state_->mutex);
    State& state = *state_;
    state.wait(lock, [&] { return !state.done.empty() || (state.closed && state.live.empty()); });
    if (state.done.empty()) return std::nullopt;
    const Completion next = state.done.front();
    state.done.pop_front();
    return next;
}

void Completions::close() {
    const std::lock_guard lock(state_->mutex);
    state_->closed = true;
    state_->changed.notify_all();
}

size_t Completions::outstanding() const {
    const std::lock_guard lock(state_->mutex);
    return state_->live.size();
}

} // namespace weft::gpu
