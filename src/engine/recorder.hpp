// Everything that a run told its trace, on one clock.
#pragma once

#include <condition_variable>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "engine/trace.hpp"
#include "gpu/device_clock.hpp"

namespace weft::engine {

// One stretch of work on the host, or one command of the device. All times are of std::chrono::steady_clock.
struct Record {
    Stage stage = Stage::decode;
    std::string what;  // the stream's, pass's or sink's name; "" is the conductor
    int64_t frame = 0; // picture or packet of a stream, tick of everything else
    Nanoseconds begin{0}, end{0};
    Nanoseconds queued{0}, submitted{0}; // commands only
    Work work;                           // commands only
};

// Tick `tick` showed picture `picture` of a stream, behind which `ready` more lay in the ring.
struct Show {
    int64_t tick = 0;
    std::string stream;
    int64_t picture = 0;
    int ready = 0;
};

struct Recording {
    std::vector<Record> host, device; // in order of their begin
    std::vector<Show> shows;
    std::string clock_method;
    Nanoseconds clock_error{0}; // between a time of the device and one of the host
    double drift_ppm = 0;
};

// A Trace that keeps everything. For one run. Telling it something is a few stores into memory that is there
// already: a thread of its own asks the driver for the times of commands, well after these.
class Recorder final : public Trace {
  public:
    Recorder();
    ~Recorder() override;
    void begin(gpu::Device& device) override;
    void end(gpu::Device& device) override;
    void host(Stage stage, const std::string& what, int64_t frame, Nanoseconds begin,
              Nanoseconds end) override;
    void device(Stage stage, const std::string& what, int64_t frame, const Work& work,
                const cl::Event& event) override;
    void shows(int64_t tick, const std::string& stream, int64_t picture, int ready) override;

    // After the run. Commands that failed are left out.
    Recording take();
    // When each tick was delivered, as Pace has it. Before take().
    std::vector<Nanoseconds> delivered() const;

  private:
    // A Record with its name by number.
    struct Entry {
        Stage stage = Stage::decode;
        int what = 0;
        int64_t frame = 0;
        Nanoseconds begin{0}, end{0}, queued{0}, submitted{0};
        Work work;
    };
    struct Pending {
        Entry entry;
        cl::Event event;
    };
    int number_of(const std::string& what);
    void read_times();
    std::vector<Entry> times_of(std::vector<Pending>& pending, bool wait);

    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::map<std::string, int, std::less<>> numbers_;
    std::vector<Entry> host_, device_; // of the device in its own time
    std::vector<Pending> pending_;     // nobody has asked for their times yet
    size_t next_look_;                 // so many of them wake the reader
    bool over_ = false;
    Recording recording_;
    gpu::ClockReading first_;
    std::thread reader_; // last: it uses all of the above
};

// A Trace that keeps only when each tick was delivered: what a run costs when nobody measures it.
class Pace final : public Trace {
  public:
    void host(Stage stage, const std::string& what, int64_t frame, Nanoseconds begin,
              Nanoseconds end) override;
    // Of the sink that was last with its picture, tick by tick, in order. After the run.
    std::vector<Nanoseconds> delivered() const;

  private:
    std::mutex mutex_;
    std::vector<std::pair<int64_t, Nanoseconds>> ends_;
};

} // namespace weft::engine
