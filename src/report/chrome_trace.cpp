#include <algorithm>
#include <map>

#include <nlohmann/json.hpp>

#include "report/files.hpp"
#include "report/origin_private.hpp"

namespace weft::report {
namespace {

using engine::Record;
using engine::Stage;
using json = nlohmann::ordered_json;

double us(Nanoseconds time) {
    return std::chrono::duration<double, std::micro>(time).count();
}

// The events of one schedule: two processes, and a thread for each lane of them.
class Tracks {
  public:
    Tracks(json& events, const NamedRecording& named, int first_process)
        : events_(events), recording_(*named.recording), zero_(origin(recording_)), host_(first_process),
          device_(first_process + 1), first_flow_(int64_t{first_process} << 32) {
        name("process_name", host_, 0, named.title + ": host");
        name("process_name", device_, 0, named.title + ": device");
        // The queues in the order in which pictures pass them.
        for (const char* queue : {"copy up", "compute", "copy down"})
            thread(device_, queue);
    }

    void add_slices() {
        for (const Record& r : recording_.host)
            add(r, host_, {{"frame", r.frame}});
        for (const Record& r : recording_.device)
            add(r, device_,
                {{"frame", r.frame},
                 {"bytes", r.work.bytes},
                 {"queued to submitted us", us(r.submitted - r.queued)},
                 {"submitted to start us", us(r.begin - r.submitted)}});
    }

    // From the decoding of each picture shown through upload, kernels and read-back to its delivery.
    void add_flows() {
        std::map<std::tuple<Stage, std::string, int64_t>, const Record*> pictures;
        std::map<std::pair<Stage, int64_t>, const Record*> ticks;
        for (const auto* records : {&recording_.host, &recording_.device})
            for (const Record& r : *records) {
                pictures[{r.stage, r.what, r.frame}] = &r;
                if (r.stage == Stage::kernel)
                    ticks.emplace(std::pair(r.stage, r.frame), &r); // the first
                else
                    ticks[{r.stage, r.frame}] = &r; // the last
            }
        int64_t flow = first_flow_;
        std::map<std::string, int64_t> last;
        for (const engine::Show& show : recording_.shows) {
            const auto [before, is_new] = last.emplace(show.stream, show.picture);
            if (!is_new && std::exchange(before->second, show.picture) == show.picture) continue;
            std::vector<const Record*> steps;
            const auto step = [&](const auto& map, const auto& key) {
                const auto found = map.find(key);
                if (found != map.end()) steps.push_back(found->second);
            };
            step(pictures, std::tuple(Stage::decode, show.stream, show.picture));
            step(pictures, std::tuple(Stage::enqueue, show.stream, show.picture));
            step(pictures, std::tuple(Stage::upload, show.stream, show.picture));
            step(ticks, std::pair(Stage::kernel, show.tick));
            step(ticks, std::pair(Stage::download, show.tick));
            step(ticks, std::pair(Stage::deliver, show.tick));
            if (steps.size() < 2) continue;
            ++flow;
            for (size_t i = 0; i < steps.size(); ++i) {
                const Record& r = *steps[i];
                const int process = engine::on_device(r.stage) ? device_ : host_;
                // Bound to the slice that holds this moment.
                json event{{"ph", i == 0                  ? "s"
                                  : i + 1 == steps.size() ? "f"
                                                          : "t"},
                           {"bp", "e"},
                           {"id", flow},
                           {"name", "picture"},
                           {"cat", "flow"},
                           {"pid", process},
                           {"tid", thread(process, lane_of(r))},
                           {"ts", us(r.begin - zero_ + (r.end - r.begin) / 2)}};
                events_.push_back(std::move(event));
            }
        }
    }

  private:
    void name(const char* what, int process, int thread, const std::string& text) {
        events_.push_back(
            {{"ph", "M"}, {"name", what}, {"pid", process}, {"tid", thread}, {"args", {{"name", text}}}});
    }

    int thread(int process, const std::string& lane) {
        const auto [place, is_new] =
            threads_.emplace(std::pair(process, lane), static_cast<int>(threads_.size()) + 1);
        if (is_new) {
            name("thread_name", process, place->second, lane);
            events_.push_back({{"ph", "M"},
                               {"name", "thread_sort_index"},
                               {"pid", process},
                               {"tid", place->second},
                               {"args", {{"sort_index", place->second}}}});
        }
        return place->second;
    }

    void add(const Record& r, int process, json arguments) {
        const std::string title = r.stage == Stage::kernel ? r.what : engine::name(r.stage);
        events_.push_back({{"ph", "X"},
                           {"name", title},
                           {"cat", engine::name(r.stage)},
                           {"pid", process},
                           {"tid", thread(process, lane_of(r))},
                           {"ts", us(r.begin - zero_)},
                           {"dur", us(r.end - r.begin)},
                           {"args", std::move(arguments)}});
    }

    json& events_;
    const engine::Recording& recording_;
    Nanoseconds zero_;
    int host_, device_;
    int64_t first_flow_;
    std::map<std::pair<int, std::string>, int> threads_;
};

} // namespace

std::string to_chrome_trace(const std::vector<NamedRecording>& recordings) {
    json events = json::array();
    int process = 1;
    for (const NamedRecording& named : recordings) {
        Tracks tracks(events, named, process);
        tracks.add_slices();
        tracks.add_flows();
        process += 2;
    }
    return json{{"displayTimeUnit", "ms"}, {"traceEvents", std::move(events)}}.dump(
               -1, ' ', false, json::error_handler_t::replace) +
           "\n";
}

} // namespace weft::report
