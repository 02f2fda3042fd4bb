// What a player tells about itself, and its wording.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/rational.hpp"

namespace weft::present {

struct PlayStats {
    Nanoseconds position{0};
    std::optional<Nanoseconds> length; // none: endless
    Rational rate;                     // of the canvas, pictures per second
    double shown_rate = 0;             // pictures that reached the screen, per second
    int64_t shown = 0;
    int64_t late = 0;              // shown more than one interval after they were due
    int64_t dropped = 0;           // never shown: no time, or overtaken by the next
    std::optional<Nanoseconds> av; // sound minus picture clock; positive: sound is ahead
    double speed = 1;
    double volume = 100;
    bool mute = false;
    bool paused = false;
    int width = 0, height = 0; // of the canvas
    std::string device;        // OpenCL device
    std::string upload;        // path of the decoded frames to it
    std::string interop;       // path of the finished ones to the window
    std::string renderer;      // OpenGL's
};

// "01:02:03.450", hours always; rounded down to milliseconds.
std::string clock_text(Nanoseconds time);
// For the overlay.
std::vector<std::string> stats_lines(const PlayStats& stats);
// For the terminal, one line without its end:
// "00:00:05.120 / 00:01:00.000 (8%)  29.97 fps  A-V: +0.003  late 0  dropped 2".
std::string status_line(const PlayStats& stats);

} // namespace weft::present
