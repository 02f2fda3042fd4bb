// Tells a trace how the packets of a stream are read.
#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "engine/intervals.hpp"
#include "engine/trace.hpp"
#include "media/packet_watch.hpp"

namespace weft::engine {

// Packets are read from the moment an input is opened, before anybody knows for which use of it: what comes
// before name() is kept until then.
class Reading final : public media::PacketWatch {
  public:
    explicit Reading(Trace& trace) : trace_(trace) {}
    void name(const std::string& stream);
    void read(Nanoseconds begin, Nanoseconds end) override;
    void waited(Nanoseconds begin, Nanoseconds end) override;
    // When decoding stood still since the last call, in order.
    std::vector<Interval> take_waits();

  private:
    void tell(const Interval& packet);

    Trace& trace_;
    std::mutex mutex_;
    std::string name_;
    std::vector<Interval> before_name_, waits_;
    int64_t packets_ = 0;
};

} // namespace weft::engine
