#include "engine/reading.hpp"

#include <utility>

namespace weft::engine {

void Reading::name(const std::string& stream) {
    const std::lock_guard lock(mutex_);
    name_ = stream;
    for (const Interval& packet : std::exchange(before_name_, {}))
        tell(packet);
}

void Reading::tell(const Interval& packet) {
    trace_.host(Stage::read, name_, packets_++, packet.begin, packet.end);
}

void Reading::read(Nanoseconds begin, Nanoseconds end) {
    const std::lock_guard lock(mutex_);
    if (name_.empty())
        before_name_.push_back({begin, end});
    else
        tell({begin, end});
}

void Reading::waited(Nanoseconds begin, Nanoseconds end) {
    const std::lock_guard lock(mutex_);
    waits_.push_back({begin, end});
}

std::vector<Interval> Reading::take_waits() {
    const std::lock_guard lock(mutex_);
    return std::exchange(waits_, {});
}

} // namespace weft::engine
