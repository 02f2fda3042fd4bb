// A profile in its written forms. Every function returns the whole text.
#pragma once

#include <string>
#include <vector>

#include "engine/recorder.hpp"
#include "report/profile.hpp"

namespace weft::report {

// A recording under its schedule's title, for the forms that hold every single command.
struct NamedRecording {
    std::string title;
    int slots = 2;
    const engine::Recording* recording = nullptr;
};

// For a terminal.
std::string to_table(const Profile& profile);

// {"device": ..., "schedules": [{"schedule": ..., "ms_per_frame": ..., "overlap": ..., ...}], "advice":
// [...]}; what could not be told is null.
std::string to_json(const Profile& profile);

// One line per record:
// schedule,kind,stage,what,frame,queued_ns,submitted_ns,start_ns,end_ns,bytes,operations, picture,ready.
// `kind` is host, device or show (tick `frame` shows `picture` of stream `what`). Times count from the first
// record of the schedule; those that a kind does not have are empty.
std::string to_csv(const std::vector<NamedRecording>& recordings);

// Chrome's trace event format, which Perfetto opens: a process for the host and one for the device of each
// schedule, a track for each thread and queue, and arrows from a picture's decoding to its delivery. The
// schedules begin at the same time, so that they lie one above the other.
std::string to_chrome_trace(const std::vector<NamedRecording>& recordings);

// One page that needs nothing else: `page` with its markers replaced by the profile and the records.
//   page : the text of report.html of the data folder
std::string to_html(const std::string& page, const Profile& profile,
                    const std::vector<NamedRecording>& recordings);

} // namespace weft::report
