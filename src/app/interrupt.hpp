// Ctrl-C as a wish: the run ends after the pictures in flight, and its files are finished.
#pragma once

#include <csignal>

#include "engine/run.hpp"

namespace weft::app {

// While one lives, SIGINT and SIGTERM ask `control` to stop. A second signal ends the process at once. At
// most one at a time.
class Interrupt {
  public:
    explicit Interrupt(engine::RunControl& control);
    ~Interrupt();
    Interrupt(const Interrupt&) = delete;
    Interrupt& operator=(const Interrupt&) = delete;

    // 128 + the signal that came (130 for SIGINT), 0 when none did.
    int exit_status() const;

  private:
    struct sigaction old_int_ {};
    struct sigaction old_term_ {};
};

} // namespace weft::app
