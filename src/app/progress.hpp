// What a run tells while it goes on, on stderr: a line for people or JSON for programs.
#pragma once

#include <string>

#include "engine/run.hpp"

namespace weft::app {

enum class ProgressMode {
    automatic, // the plan and the summary; in between a line that is rewritten, when stderr is a terminal
    none,      // nothing but errors
    json       // one object a line: {"event": "plan" | "progress" | "finishing" | "end", ...}
};
// Whether the log level leaves warnings: then losses, the plan and the summary are told too.
bool tells_warnings();

// "auto", "none", "json"; without json, none where the log level keeps warnings back.
ProgressMode parse_progress(const std::string& text);

// "frame 120/300  40 %  61.2 fps  2.04x  0:03 left".
std::string progress_line(const engine::RunProgress& progress);

// "output NAME: why"; writers name their target themselves.
std::string output_failure(const engine::SinkReport& sink);

// A line that says why the program does not end yet.
void tell_finishing();

// Called from the run's threads, one at a time.
class Progress {
  public:
    // On a terminal: says that the run is being made ready, until there is more to tell.
    explicit Progress(ProgressMode mode);
    ~Progress() { clear_line(); }
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;
    void plan(const engine::RunPlan& plan);
    void step(const engine::RunProgress& progress);
    // The run was interrupted, and what it wrote is being finished.
    void finishing();
    // After the run. `status` is the exit status of the program.
    void end(const engine::RunReport& report, int status);

  private:
    void clear_line();
    ProgressMode mode_;
    bool terminal_;
    bool line_shown_ = false;
};

} // namespace weft::app
