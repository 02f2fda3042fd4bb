#pragma once

#include "engine/recorder.hpp"

namespace weft::report {

// The time of the first record: what written times count from.
Nanoseconds origin(const engine::Recording& recording);

// The name of a host thread or device queue that a record belongs to: "left", "conductor", "out.mp4", "copy
// up".
std::string lane_of(const engine::Record& record);

} // namespace weft::report
