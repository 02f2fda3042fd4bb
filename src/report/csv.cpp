#include "base/format.hpp"
#include "report/files.hpp"
#include "report/origin_private.hpp"

namespace weft::report {
namespace {

// Quoted where a name needs it, as RFC 4180 has it.
std::string cell(const std::string& text) {
    if (text.find_first_of(",\"\n") == std::string::npos) return text;
    std::string out = "\"";
    for (const char c : text)
        out += c == '"' ? std::string("\"\"") : std::string(1, c);
    return out + "\"";
}

} // namespace

std::string to_csv(const std::vector<NamedRecording>& recordings) {
    std::string out =
        "schedule,kind,stage,what,frame,queued_ns,submitted_ns,start_ns,end_ns,bytes,operations,"
        "picture,ready\n";
    for (const NamedRecording& named : recordings) {
        const std::string& schedule = named.title;
        const Nanoseconds zero = origin(*named.recording);
        const auto since = [&](Nanoseconds time) { return (time - zero).count(); };
        for (const engine::Record& r : named.recording->host)
            out += fmt::format("{},host,{},{},{},,,{},{},,,,\n", schedule, engine::name(r.stage),
                               cell(r.what), r.frame, since(r.begin), since(r.end));
        for (const engine::Record& r : named.recording->device)
            out +=
                fmt::format("{},device,{},{},{},{},{},{},{},{:.0f},{:.0f},,\n", schedule,
                            engine::name(r.stage), cell(r.what), r.frame, since(r.queued), since(r.submitted),
                            since(r.begin), since(r.end), r.work.bytes, r.work.operations);
        for (const engine::Show& show : named.recording->shows)
            out += fmt::format("{},show,,{},{},,,,,,,{},{}\n", schedule, cell(show.stream), show.tick,
                               show.picture, show.ready);
    }
    return out;
}

} // namespace weft::report
