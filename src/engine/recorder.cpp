#include "engine/recorder.hpp"

#include <algorithm>
#include <map>

namespace weft::engine {
namespace {

// Events are looked at when this many wait: each one costs a few calls of the driver.
constexpr size_t collect_at = 64;

int64_t time_of(const cl::Event& event, cl_profiling_info what) {
    cl_ulong ns = 0;
    clGetEventProfilingInfo(event(), what, sizeof ns, &ns, nullptr);
    return static_cast<int64_t>(ns);
}

// Several sinks deliver a tick; the last one counts.
std::vector<Nanoseconds> last_of_each(const std::vector<std::pair<int64_t, Nanoseconds>>& ends) {
    std::map<int64_t, Nanoseconds> last;
    for (const auto& [tick, end] : ends)
        last[tick] = std::max(last[tick], end);
    std::vector<Nanoseconds> times;
    for (const auto& [tick, end] : last)
        times.push_back(end);
    return times;
}

void sort_by_begin(std::vector<Record>& records) {
    std::stable_sort(records.begin(), records.end(),
                     [](const Record& a, const Record& b) { return a.begin < b.begin; });
}

} // namespace

void Recorder::begin(gpu::Device& device) {
    first_ = gpu::read_clocks(device);
}

void Recorder::end(gpu::Device& device) {
    const std::lock_guard lock(mutex_);
    collect(true);
    const gpu::ClockReading last = gpu::read_clocks(device);
    const gpu::ClockMap map(first_.pair, last.pair);
    for (Record& record : recording_.device)
        for (Nanoseconds* time : {&record.queued, &record.submitted, &record.begin, &record.end})
            *time = map.host(time->count());
    recording_.clock_method = last.method;
    recording_.clock_error = map.error();
    recording_.drift_ppm = map.drift_ppm();
}

void Recorder::host(Stage stage, const std::string& what, int64_t frame, Nanoseconds begin, Nanoseconds end) {
    const std::lock_guard lock(mutex_);
    Record& record = recording_.host.emplace_back();
    record.stage = stage;
    record.what = what;
    record.frame = frame;
    record.begin = begin;
    record.end = end;
}

void Recorder::device(Stage stage, const std::string& what, int64_t frame, const Work& work,
                      const cl::Event& event) {
    const std::lock_guard lock(mutex_);
    Pending& pending = pending_.emplace_back();
    pending.record.stage = stage;
    pending.record.what = what;
    pending.record.frame = frame;
    pending.record.work = work;
    pending.event = event;
    if (pending_.size() >= collect_at) collect(false);
}

void Recorder::shows(int64_t tick, const std::string& stream, int64_t picture, int ready) {
    const std::lock_guard lock(mutex_);
    recording_.shows.push_back({tick, stream, picture, ready});
}

// With the lock held. Times are still the device's.
void Recorder::collect(bool wait) {
    std::deque<Pending> later;
    for (Pending& pending : pending_) {
        if (wait) clWaitForEvents(1, &pending.event());
        cl_int status = CL_QUEUED;
        clGetEventInfo(pending.event(), CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
        if (status < 0) continue;
        if (status != CL_COMPLETE) {
            later.push_back(std::move(pending));
            continue;
        }
        Record& record = pending.record;
        record.queued = Nanoseconds(time_of(pending.event, CL_PROFILING_COMMAND_QUEUED));
        record.submitted = Nanoseconds(time_of(pending.event, CL_PROFILING_COMMAND_SUBMIT));
        record.begin = Nanoseconds(time_of(pending.event, CL_PROFILING_COMMAND_START));
        record.end = Nanoseconds(time_of(pending.event, CL_PROFILING_COMMAND_END));
        recording_.device.push_back(std::move(record));
    }
    pending_ = std::move(later);
}

Recording Recorder::take() {
    const std::lock_guard lock(mutex_);
    sort_by_begin(recording_.host);
    sort_by_begin(recording_.device);
    return std::move(recording_);
}

std::vector<Nanoseconds> Recorder::delivered() const {
    const std::lock_guard lock(mutex_);
    std::vector<std::pair<int64_t, Nanoseconds>> ends;
    for (const Record& record : recording_.host)
        if (record.stage == Stage::deliver) ends.emplace_back(record.frame, record.end);
    return last_of_each(ends);
}

void Pace::host(Stage stage, const std::string&, int64_t frame, Nanoseconds, Nanoseconds end) {
    if (stage != Stage::deliver) return;
    const std::lock_guard lock(mutex_);
    ends_.emplace_back(frame, end);
}

std::vector<Nanoseconds> Pace::delivered() const {
    return last_of_each(ends_);
}

} // namespace weft::engine
