#include "engine/recorder.hpp"

#include <algorithm>
#include <utility>

namespace weft::engine {
namespace {

// The reader looks at events when this many wait, and leaves the newer half, which may not be complete:
// looking at one costs a few calls of the driver.
constexpr size_t look_at = 256;
// Room for some minutes of pictures, so that nothing grows while it is measured.
constexpr size_t expected_records = size_t{1} << 15;

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

Recorder::Recorder() : next_look_(look_at) {
    host_.reserve(expected_records);
    device_.reserve(expected_records);
    pending_.reserve(2 * look_at);
    reader_ = std::thread([this] { read_times(); });
}

Recorder::~Recorder() {
    {
        const std::lock_guard lock(mutex_);
        over_ = true;
    }
    changed_.notify_all();
    if (reader_.joinable()) reader_.join();
}

void Recorder::begin(gpu::Device& device) {
    first_ = gpu::read_clocks(device);
}

void Recorder::end(gpu::Device& device) {
    {
        const std::lock_guard lock(mutex_);
        over_ = true;
    }
    changed_.notify_all();
    reader_.join();
    std::unique_lock lock(mutex_);
    std::vector<Pending> pending = std::exchange(pending_, {});
    lock.unlock();
    const std::vector<Entry> rest = times_of(pending, true);
    lock.lock();
    device_.insert(device_.end(), rest.begin(), rest.end());
    const gpu::ClockReading last = gpu::read_clocks(device);
    const gpu::ClockMap map(first_.pair, last.pair);
    for (Entry& entry : device_)
        for (Nanoseconds* time : {&entry.queued, &entry.submitted, &entry.begin, &entry.end})
            *time = map.host(time->count());
    recording_.clock_method = last.method;
    recording_.clock_error = map.error();
    recording_.drift_ppm = map.drift_ppm();
}

int Recorder::number_of(const std::string& what) {
    const auto known = numbers_.find(what);
    if (known != numbers_.end()) return known->second;
    return numbers_.emplace(what, static_cast<int>(numbers_.size())).first->second;
}

void Recorder::host(Stage stage, const std::string& what, int64_t frame, Nanoseconds begin, Nanoseconds end) {
    const std::lock_guard lock(mutex_);
    host_.push_back({stage, number_of(what), frame, begin, end, {}, {}, {}});
}

void Recorder::device(Stage stage, const std::string& what, int64_t frame, const Work& work,
                      const cl::Event& event) {
    const std::lock_guard lock(mutex_);
    pending_.push_back({{stage, number_of(what), frame, {}, {}, {}, {}, work}, event});
    if (pending_.size() == next_look_) changed_.notify_all();
}

void Recorder::shows(int64_t tick, const std::string& stream, int64_t picture, int ready) {
    const std::lock_guard lock(mutex_);
    recording_.shows.push_back({tick, stream, picture, ready});
}

void Recorder::read_times() {
    std::vector<Pending> older;
    std::unique_lock lock(mutex_);
    for (;;) {
        changed_.wait(lock, [&] { return over_ || pending_.size() >= next_look_; });
        if (over_) return;
        const auto half = pending_.begin() + static_cast<std::ptrdiff_t>(pending_.size() / 2);
        older.assign(std::make_move_iterator(pending_.begin()), std::make_move_iterator(half));
        pending_.erase(pending_.begin(), half);
        lock.unlock();
        const std::vector<Entry> known = times_of(older, false);
        lock.lock();
        device_.insert(device_.end(), known.begin(), known.end());
        pending_.insert(pending_.begin(), std::make_move_iterator(older.begin()),
                        std::make_move_iterator(older.end()));
        next_look_ = pending_.size() + look_at / 2;
    }
}

// Of those that are complete, which leave the list; those that failed leave it without. Waits for all if
// asked.
std::vector<Recorder::Entry> Recorder::times_of(std::vector<Pending>& pending, bool wait) {
    std::vector<Entry> known;
    std::vector<Pending> later;
    for (Pending& one : pending) {
        if (wait) clWaitForEvents(1, &one.event());
        cl_int status = CL_QUEUED;
        clGetEventInfo(one.event(), CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
        if (status < 0) continue;
        if (status != CL_COMPLETE) {
            later.push_back(std::move(one));
            continue;
        }
        Entry& entry = known.emplace_back(one.entry);
        entry.queued = Nanoseconds(time_of(one.event, CL_PROFILING_COMMAND_QUEUED));
        entry.submitted = Nanoseconds(time_of(one.event, CL_PROFILING_COMMAND_SUBMIT));
        entry.begin = Nanoseconds(time_of(one.event, CL_PROFILING_COMMAND_START));
        entry.end = Nanoseconds(time_of(one.event, CL_PROFILING_COMMAND_END));
    }
    pending = std::move(later);
    return known;
}

Recording Recorder::take() {
    const std::lock_guard lock(mutex_);
    std::vector<const std::string*> names(numbers_.size());
    for (const auto& [name, number] : numbers_)
        names[static_cast<size_t>(number)] = &name;
    const auto give = [&](std::vector<Entry>& from, std::vector<Record>& to) {
        to.reserve(from.size());
        for (const Entry& e : from)
            to.push_back({e.stage, *names[static_cast<size_t>(e.what)], e.frame, e.begin, e.end, e.queued,
                          e.submitted, e.work});
        from.clear();
        sort_by_begin(to);
    };
    give(host_, recording_.host);
    give(device_, recording_.device);
    return std::move(recording_);
}

std::vector<Nanoseconds> Recorder::delivered() const {
    const std::lock_guard lock(mutex_);
    std::vector<std::pair<int64_t, Nanoseconds>> ends;
    for (const Entry& entry : host_)
        if (entry.stage == Stage::deliver) ends.emplace_back(entry.frame, entry.end);
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
