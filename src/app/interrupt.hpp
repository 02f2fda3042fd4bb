// Ctrl-C as a wish: the run ends after the pictures in flight, and its files are finished.
#pragma once

#include <csignal>
#include <functional>

#include "engine/run.hpp"

namespace weft::app {

// While one lives, SIGINT, SIGTERM and SIGHUP (unless ignored, as under nohup) ask `control` to stop. A
// second signal, the same or another, ends the process at once; its unfinished files are removed. At most one
// at a time.
class Interrupt {
  public:
    explicit Interrupt(engine::RunControl& control);
    ~Interrupt();
    Interrupt(const Interrupt&) = delete;
    Interrupt& operator=(const Interrupt&) = delete;

    // 128 + the signal that came (130 for SIGINT), 0 when none did.
    int exit_status() const;

    // Calls `work`. What fails because it was interrupted before the first picture is told in a line on
    // stderr, and the exit status comes back instead of the Error.
    int guard(const std::function<int()>& work) const;

  private:
    struct sigaction old_int_ {};
    struct sigaction old_term_ {};
    struct sigaction old_hangup_ {};
};

} // namespace weft::app
