// Sound that goes on from a new connection when the old one is lost.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "base/rational.hpp"
#include "media/input.hpp"

namespace weft::media {

// Whoever opens an input anew hands it on here; the mixer of its sound takes it up with its next samples.
//   threads : any
class SoundRelay {
  public:
    // Canvas time `from` hears input time `start` of `input`, and so on from there.
    struct Connection {
        std::shared_ptr<Input> input;
        Rational from, start;
    };
    void connect(Connection connection) {
        const std::lock_guard lock(mutex_);
        next_ = std::move(connection);
    }
    // The newest that nobody took.
    std::optional<Connection> take() {
        const std::lock_guard lock(mutex_);
        return std::exchange(next_, std::nullopt);
    }

  private:
    std::mutex mutex_;
    std::optional<Connection> next_;
};

} // namespace weft::media
