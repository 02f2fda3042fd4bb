#include "engine/schedule.hpp"

#include <algorithm>
#include <array>

namespace weft::engine {
namespace {

constexpr std::array all{Schedule::serial, Schedule::reordered, Schedule::overlapped};

} // namespace

std::string name(Schedule schedule) {
    switch (schedule) {
    case Schedule::serial:
        return "serial";
    case Schedule::reordered:
        return "reordered";
    case Schedule::overlapped:
        return "overlapped";
    }
    return {};
}

std::vector<std::string> schedule_names() {
    std::vector<std::string> names;
    for (const Schedule schedule : all)
        names.push_back(name(schedule));
    return names;
}

std::optional<Schedule> parse_schedule(const std::string& text) {
    for (const Schedule schedule : all)
        if (name(schedule) == text) return schedule;
    return std::nullopt;
}

int slots_of(Schedule schedule, int wanted) {
    switch (schedule) {
    case Schedule::serial:
        return 1;
    case Schedule::reordered:
        return 2;
    case Schedule::overlapped:
        break;
    }
    return std::max(wanted, 1);
}

} // namespace weft::engine
