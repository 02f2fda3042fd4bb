// Hands finished device commands over to a thread that goes on with them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include <CL/opencl.hpp>

#include "gpu/device.hpp"

namespace weft::gpu {

// A finished command: what the caller named it by, and CL_COMPLETE or the negative code it failed with.
struct Completion {
    uint64_t token = 0;
    int status = CL_COMPLETE;
};

// The driver's callback does nothing but put the token into a list and wake the reader. Drivers call late
// (NVIDIA's, by milliseconds) or not at all (PoCL 3.1 when a command failed), so while something is
// outstanding the reader also asks.
//   threads: watch() from any, wait() from one at a time.
class Completions {
  public:
    explicit Completions(const Device& device);
    ~Completions(); // waits until everything watched is complete
    Completions(const Completions&) = delete;
    Completions& operator=(const Completions&) = delete;

    // Reports `token` once the event is complete; a null event is complete at once. The command must have
    // been flushed, or be flushed soon. Errors : device.
    void watch(const cl::Event& event, uint64_t token);
    // The next completion, in the order in which they happened; nullopt once close() was called and
    // everything watched was reported.
    std::optional<Completion> wait();
    void close();
    size_t outstanding() const;

  private:
    struct State;
    struct Watch;
    static void CL_CALLBACK on_complete(cl_event, cl_int status, void* watch);
    std::shared_ptr<State> state_; // shared with callbacks that a driver still owes
};

} // namespace weft::gpu
