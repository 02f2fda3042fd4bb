// What a run tells whoever measures it: every stage on the host and every command on the device.
#pragma once

#include <cstdint>
#include <string>

#include "base/rational.hpp"
#include "gpu/device.hpp"

namespace weft::engine {

enum class Stage {
    read,    // host: a packet of a stream out of its file or address
    await,   // host: decoding stands still until a packet is there
    decode,  // host: one picture out of the codec, in pieces where it had to await packets
    wait,    // host: for a free slot, a picture that is due, or commands to finish
    enqueue, // host: a stream copies into its slot and enqueues the upload; the conductor enqueues a tick
    deliver, // host: a sink works on a picture (encode, hash, present)
    upload,  // device, copy up
    kernel,  // device, compute
    download // device, copy down
};
// "decode", "wait", ...
std::string name(Stage stage);
constexpr bool on_device(Stage stage) {
    return stage >= Stage::upload;
}

// What a command does at least.
struct Work {
    double bytes = 0;      // moved: copied once, or read and written by a kernel
    double operations = 0; // arithmetic, roughly
};

// Implemented by who measures. Calls come from every thread of the run, also at the same time; they should be
// short. Names are those of streams, passes and sinks; "" is the conductor.
class Trace {
  public:
    virtual ~Trace() = default;
    // Before the first command, while the queues are idle, and after the last.
    virtual void begin(gpu::Device& device) { (void)device; }
    virtual void end(gpu::Device& device) { (void)device; }
    // A stretch of work on the host. Times are of std::chrono::steady_clock.
    //   frame : number of the picture (streams), of the packet (read) or of the tick
    virtual void host(Stage stage, const std::string& what, int64_t frame, Nanoseconds begin,
                      Nanoseconds end) = 0;
    // A command that was just enqueued; its times can be asked of the event once it is complete, when the run
    // profiles. Keeping the event keeps its memory: let go of it soon.
    virtual void device(Stage stage, const std::string& what, int64_t frame, const Work& work,
                        const cl::Event& event) {
        (void)stage, (void)what, (void)frame, (void)work, (void)event;
    }
    // Tick `tick` shows picture `picture` of a stream, behind which `ready` more lay in the ring.
    virtual void shows(int64_t tick, const std::string& stream, int64_t picture, int ready) {
        (void)tick, (void)stream, (void)picture, (void)ready;
    }
};

// Tells the time from its construction to its end as one host stage; does nothing without a trace.
class Stretch {
  public:
    Stretch(Trace* trace, Stage stage, const std::string& what, int64_t frame);
    ~Stretch();
    Stretch(const Stretch&) = delete;
    Stretch& operator=(const Stretch&) = delete;

  private:
    Trace* trace_;
    Stage stage_;
    const std::string& what_;
    int64_t frame_;
    Nanoseconds begin_{0};
};

} // namespace weft::engine
