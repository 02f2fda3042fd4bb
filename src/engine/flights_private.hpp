// Ticks that are on the device: gives slots back and pictures on as their commands complete.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "engine/sink_runner_private.hpp"
#include "engine/stream.hpp"
#include "gpu/completions.hpp"

namespace weft::engine {

// One tick that was enqueued.
struct Flight {
    struct Read {
        std::shared_ptr<Stream> stream; // lives until its last picture was read
        StreamSlot* slot = nullptr;     // nullptr: the use is over, see Stream::end_use_behind()
        int ready = 0; // pictures that lay in the ring behind it; below 0: read beside the one that is shown
    };
    struct Painted {
        SinkRunner* sink = nullptr;
        size_t slot = 0;
        cl::Event ready;
    };
    int64_t tick = 0;
    Rational time;
    std::vector<Read> reads;
    std::vector<Painted> painted; // without the spare pictures
    cl::Event done;               // of the last kernel
};

// threads: launch() and land() by the conductor; the rest happens on a thread of its own, so that slots come
// back even while the conductor waits for a picture.
class Flights {
  public:
    explicit Flights(const gpu::Device& device);
    ~Flights(); // waits for everything in flight
    Flights(const Flights&) = delete;
    Flights& operator=(const Flights&) = delete;

    void launch(Flight flight);
    // Waits until everything launched so far is complete and handed to its sinks.
    void wait_landed();
    // Waits until all is complete and delivered; ends the thread. Once.
    void land();

    int64_t delivered() const { return delivered_; } // ticks
    Nanoseconds first_delivery() const {
        return Nanoseconds(first_delivery_.load());
    } // steady time; 0: none yet
    // The first command that failed.
    std::exception_ptr error() const;

  private:
    struct InAir {
        Flight flight;
        size_t left = 0; // pictures that are not complete
        bool done = false;
    };
    void work() noexcept;
    void complete(uint64_t token, int status);
    void deliver();

    gpu::Completions completions_;
    mutable std::mutex mutex_;
    std::condition_variable landed_;
    std::deque<std::unique_ptr<InAir>> air_; // in order of ticks
    bool handing_over_ = false;              // what was taken from air_ is on its way to its sinks
    uint64_t first_number_ = 0;              // of air_.front()
    uint64_t next_number_ = 0;
    std::exception_ptr error_;
    std::atomic<int64_t> delivered_{0};
    std::atomic<int64_t> first_delivery_{0};
    std::thread thread_;
};

} // namespace weft::engine
