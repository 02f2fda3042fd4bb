// What a run tells whoever measures it: every stage on the host and every command on the device.
#pragma once

#include <cstdint>
#include <string>

#include "base/rational.hpp"
#include "gpu/picture.hpp"

namespace weft::engine {

enum class Stage {
    decode,   // host: one picture out of the codec
    wait,     // host: the decode thread waits for a free slot
    stage,    // host: copying into the slot and enqueueing the upload
    schedule, // host: the conductor waits for pictures and slots and enqueues a tick
    deliver,  // host: a sink works on a picture (encode, hash, present)
    upload,   // device, copy up
    kernel,   // device, compute
    download  // device, copy down
};

// Implemented by who measures. Calls come from every thread of the run, also at the same time; they should be
// short.
class Trace {
  public:
    virtual ~Trace() = default;
    // A stretch of work on the host. Times are of std::chrono::steady_clock.
    //   what  : the stream's, sink's or pass's name;  frame : number of the picture or tick
    virtual void host(Stage stage, const std::string& what, int64_t frame, Nanoseconds begin,
                      Nanoseconds end) = 0;
    // A command that was just enqueued; its times can be asked of the event once it is complete, when the run
    // profiles. Keeping the event keeps its memory: let go of it soon.
    virtual void device(Stage stage, const std::string& what, int64_t frame, const cl::Event& event) = 0;
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
