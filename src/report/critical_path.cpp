// The chain of work that decided how long the steady state took.
#include <algorithm>
#include <map>
#include <tuple>

#include "report/analyse.hpp"

namespace weft::report {
namespace {

using engine::Record;
using engine::Recording;
using engine::Stage;

const char* const between = "launch and wait";
// A wait that ended no longer than this before a piece of work began is what it waited for...
constexpr Nanoseconds right_before{50'000};
// ... unless it was no wait at all.
constexpr Nanoseconds shortest_wait{2'000};

std::string label_of(const Record& record) {
    switch (record.stage) {
    case Stage::upload:
        return "copy up";
    case Stage::kernel:
        return "compute: " + record.what;
    case Stage::download:
        return "copy down";
    case Stage::enqueue:
        return record.what.empty() ? "conductor" : "enqueue: " + record.what;
    default:
        return engine::name(record.stage) + ": " + record.what;
    }
}

// Records by what they can be waited for: thread or queue, and frame.
class Links {
  public:
    explicit Links(const Recording& recording) {
        for (const Record& record : recording.host) {
            if (record.stage == Stage::wait || record.stage == Stage::await) {
                waits_[{record.stage, record.what}].push_back(&record);
                continue;
            }
            add(record);
        }
        for (const Record& record : recording.device)
            add(record);
        for (const engine::Show& show : recording.shows)
            shown_[show.tick].emplace_back(show.stream, show.picture);
    }

    // What `record` can have waited for. A link ends at the latest when the next one begins.
    std::vector<const Record*> before(const Record& record) const {
        std::vector<const Record*> found;
        const auto want = [&](const Record* other) {
            if (other != nullptr && other != &record && other->begin < record.begin) found.push_back(other);
        };
        want(previous_in_lane(record));
        // Queues of a processor share its cores: a command that lay there had to wait for others to end.
        if (engine::on_device(record.stage) && record.begin - record.queued > right_before)
            for (const Stage stage : {Stage::upload, Stage::kernel, Stage::download})
                want(latest_end(stage, record));
        switch (record.stage) {
        case Stage::decode:
            if (waited(record, Stage::await)) want(latest_end(Stage::read, record, record.what));
            break;
        case Stage::upload:
            want(of(Stage::enqueue, record.what, record.frame));
            break;
        case Stage::kernel:
            want(of(Stage::enqueue, "", record.frame));
            for (const auto& [stream, picture] : pictures(record.frame))
                want(of(Stage::upload, stream, picture));
            break;
        case Stage::download:
            want(last_of_tick(Stage::kernel, record.frame));
            break;
        case Stage::deliver:
            want(last_of_tick(Stage::download, record.frame));
            want(last_of_tick(Stage::kernel, record.frame));
            break;
        case Stage::enqueue:
            if (record.what.empty()) {
                for (const auto& [stream, picture] : pictures(record.frame))
                    want(of(Stage::enqueue, stream, picture));
                if (waited(record)) {
                    want(latest_end(Stage::deliver, record));
                    want(latest_end(Stage::download, record));
                    want(latest_end(Stage::kernel, record));
                }
            } else if (waited(record)) {
                want(latest_end(Stage::kernel, record));
                want(latest_end(Stage::download, record));
                want(latest_end(Stage::enqueue, record, ""));
            }
            break;
        default:
            break;
        }
        return found;
    }

    const Record* last_of_tick(Stage stage, int64_t tick) const {
        const auto place = by_tick_.find({stage, tick});
        return place == by_tick_.end() ? nullptr : place->second;
    }

  private:
    using Lane = std::pair<int, std::string>;

    // A stream decodes and enqueues on one thread and is read on another; the device has a queue for each
    // stage.
    static Lane lane_of(const Record& record) {
        if (engine::on_device(record.stage)) return {static_cast<int>(record.stage), ""};
        const bool own = record.stage == Stage::deliver || record.stage == Stage::read;
        return {own ? static_cast<int>(record.stage) : -1, record.what};
    }

    void add(const Record& record) {
        lanes_[lane_of(record)].push_back(&record);
        const Record*& last = by_name_[{record.stage, record.what, record.frame}];
        if (last == nullptr || last->end < record.end) last = &record;
        const Record*& tick = by_tick_[{record.stage, record.frame}];
        if (tick == nullptr || tick->end < record.end) tick = &record;
    }

    const Record* of(Stage stage, const std::string& what, int64_t frame) const {
        const auto place = by_name_.find({stage, what, frame});
        return place == by_name_.end() ? nullptr : place->second;
    }

    // How many of them, which are in order, begin before `time`.
    static ptrdiff_t begun(const std::vector<const Record*>& records, Nanoseconds time) {
        return std::lower_bound(records.begin(), records.end(), time,
                                [](const Record* one, Nanoseconds t) { return one->begin < t; }) -
               records.begin();
    }

    const Record* previous_in_lane(const Record& record) const {
        const auto& lane = lanes_.at(lane_of(record));
        const ptrdiff_t count = begun(lane, record.begin);
        return count == 0 ? nullptr : lane[static_cast<size_t>(count - 1)];
    }

    std::vector<std::pair<std::string, int64_t>> pictures(int64_t tick) const {
        const auto place = shown_.find(tick);
        return place == shown_.end() ? std::vector<std::pair<std::string, int64_t>>{} : place->second;
    }

    // Whether the thread stood waiting right before.
    bool waited(const Record& record, Stage how = Stage::wait) const {
        const auto place = waits_.find({how, record.what});
        if (place == waits_.end()) return false;
        const ptrdiff_t count = begun(place->second, record.begin);
        if (count == 0) return false;
        const Record& wait = *place->second[static_cast<size_t>(count - 1)];
        return record.begin - wait.end < right_before && wait.end - wait.begin > shortest_wait;
    }

    // The one of a stage that ended last before `record` began.
    const Record* latest_end(Stage stage, const Record& record, const std::string& what = "?") const {
        const Record* latest = nullptr;
        for (const auto& [lane, records] : lanes_)
            for (ptrdiff_t i = begun(records, record.begin); i-- > 0;) {
                const Record* const one = records[static_cast<size_t>(i)];
                if (one->stage != stage || (what != "?" && one->what != what)) break; // no lane of theirs
                if (one->end > record.begin) continue;
                if (latest == nullptr || one->end > latest->end) latest = one;
                break;
            }
        return latest;
    }

    std::map<Lane, std::vector<const Record*>> lanes_; // by begin
    std::map<std::tuple<Stage, std::string, int64_t>, const Record*> by_name_;
    std::map<std::pair<Stage, int64_t>, const Record*> by_tick_; // the last of the tick, of device and sinks
    std::map<int64_t, std::vector<std::pair<std::string, int64_t>>> shown_;
    std::map<std::pair<Stage, std::string>, std::vector<const Record*>> waits_; // by thread, by begin
};

} // namespace

std::vector<PathPart> critical_path(const Recording& recording, const Steady& steady) {
    const Links links(recording);
    const Record* link = links.last_of_tick(Stage::deliver, steady.behind_tick - 1);
    if (link == nullptr) link = links.last_of_tick(Stage::kernel, steady.behind_tick - 1);
    std::map<std::string, Nanoseconds> sums;
    Nanoseconds total{0};
    if (link == nullptr) return {};
    const auto add = [&](const std::string& name, Nanoseconds from, Nanoseconds to) {
        const Nanoseconds time = to - std::max(from, steady.window.begin);
        if (time <= Nanoseconds(0)) return;
        sums[name] += time;
        total += time;
    };
    Nanoseconds now = link->end;
    while (link != nullptr && now > steady.window.begin) {
        add(label_of(*link), link->begin, now);
        now = std::min(now, link->begin);
        const Record* latest = nullptr;
        for (const Record* candidate : links.before(*link))
            if (latest == nullptr || std::min(candidate->end, now) > std::min(latest->end, now) ||
                (std::min(candidate->end, now) == std::min(latest->end, now) &&
                 candidate->begin > latest->begin))
                latest = candidate;
        if (latest != nullptr) {
            add(between, std::min(latest->end, now), now);
            now = std::min(latest->end, now);
        }
        link = latest;
    }
    std::vector<PathPart> parts;
    for (const auto& [name, time] : sums)
        parts.push_back({name, static_cast<double>(time.count()) / static_cast<double>(total.count())});
    std::stable_sort(parts.begin(), parts.end(),
                     [](const PathPart& a, const PathPart& b) { return a.share > b.share; });
    return parts;
}

} // namespace weft::report
