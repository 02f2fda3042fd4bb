// Who measures how a decoder comes by its packets.
#pragma once

#include "base/rational.hpp"

namespace weft::media {

// Times are of std::chrono::steady_clock. Outlives the decoder that it watches.
class PacketWatch {
  public:
    virtual ~PacketWatch() = default;
    // A packet of the stream was read from the file or the address. On the thread that reads, and with a lock
    // that decoders wait for: be short.
    virtual void read(Nanoseconds begin, Nanoseconds end) = 0;
    // Decoding stood still until a packet was there, or the end. On the thread that decodes.
    virtual void waited(Nanoseconds begin, Nanoseconds end) = 0;
};

} // namespace weft::media
