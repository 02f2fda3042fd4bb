// In which order the stages of neighbouring pictures follow each other. The pictures are the same with every
// one.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace weft::engine {

enum class Schedule {
    serial,    // upload, process, read back, wait; then the next picture
    reordered, // process picture n, then upload n + 1 behind it, then wait for n: two slots, one picture at
               // once
    overlapped // every queue goes as far ahead as slots are free
};

// "serial", "reordered", "overlapped".
std::string name(Schedule schedule);
std::vector<std::string> schedule_names(); // in the order above
// nullopt for an unknown name.
std::optional<Schedule> parse_schedule(const std::string& text);
// Slots of each stream's ring: what the schedule needs, or `wanted` where it may have as many as it likes.
int slots_of(Schedule schedule, int wanted);

} // namespace weft::engine
