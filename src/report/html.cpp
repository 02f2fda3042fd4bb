#include <map>

#include "base/error.hpp"
#include "report/analyse.hpp"
#include "report/files.hpp"
#include "report/json_private.hpp"
#include "report/origin_private.hpp"

namespace weft::report {
namespace {

using json = nlohmann::ordered_json;

const std::string marker = "/*PROFILE*/null";

// Records as short rows [lane, name, frame, begin, length] in tenths of a microsecond, names by number: the
// page holds thousands of them.
json timeline_json(const NamedRecording& named) {
    const Nanoseconds zero = origin(*named.recording);
    std::map<std::string, int> lane_numbers, name_numbers;
    json lanes = json::array(), names = json::array(), rows = json::array();
    const auto number = [](std::map<std::string, int>& numbers, json& list, const std::string& text,
                           auto make) {
        const auto [place, is_new] = numbers.emplace(text, static_cast<int>(numbers.size()));
        if (is_new) list.push_back(make());
        return place->second;
    };
    const auto lane = [&](const engine::Record& record) {
        const bool device = engine::on_device(record.stage);
        const std::string text = lane_of(record);
        return number(lane_numbers, lanes, (device ? "d " : "h ") + text, [&] {
            return json{{"name", text}, {"device", device}};
        });
    };
    for (const auto* records : {&named.recording->host, &named.recording->device})
        for (const engine::Record& r : *records) {
            const std::string title = r.stage == engine::Stage::kernel ? r.what : engine::name(r.stage);
            const int name = number(name_numbers, names, engine::name(r.stage) + " " + title, [&] {
                return json{{"name", title}, {"stage", engine::name(r.stage)}};
            });
            rows.push_back(
                {lane(r), name, r.frame, (r.begin - zero).count() / 100, (r.end - r.begin).count() / 100});
        }
    json shows = json::array();
    std::map<std::string, int64_t> last;
    for (const engine::Show& show : named.recording->shows) {
        const auto [before, is_new] = last.emplace(show.stream, show.picture);
        if (!is_new && std::exchange(before->second, show.picture) == show.picture) continue;
        shows.push_back({show.stream, show.picture, show.tick});
    }
    json window = nullptr;
    if (const auto steady = steady_state(*named.recording, named.slots))
        window = {(steady->window.begin - zero).count() / 100, (steady->window.end - zero).count() / 100};
    return {{"schedule", named.title},   {"steady", std::move(window)}, {"lanes", std::move(lanes)},
            {"names", std::move(names)}, {"rows", std::move(rows)},     {"shows", std::move(shows)}};
}

// JSON inside a script: nothing in it may end the script.
std::string in_script(const json& value) {
    std::string out;
    for (const char c : value.dump(-1, ' ', true, json::error_handler_t::replace))
        out += c == '<' ? std::string("\\u003c") : std::string(1, c);
    return out;
}

} // namespace

std::string to_html(const std::string& page, const Profile& profile,
                    const std::vector<NamedRecording>& recordings) {
    const size_t at = page.find(marker);
    if (at == std::string::npos)
        throw Error(ErrorKind::bad_input,
                    "the page of the report has no place for the profile: '" + marker + "'");
    json timelines = json::array();
    for (const NamedRecording& named : recordings)
        timelines.push_back(timeline_json(named));
    std::string out = page;
    out.replace(at, marker.size(),
                in_script({{"profile", json_of(profile)}, {"timelines", std::move(timelines)}}));
    return out;
}

} // namespace weft::report
