// One run of a pipeline, from files to sinks: the face that commands and the window see of the engine.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.hpp"
#include "engine/schedule.hpp"
#include "engine/sink.hpp"
#include "engine/trace.hpp"
#include "gpu/device.hpp"
#include "gpu/upload_path.hpp"
#include "graph/filter_library.hpp"
#include "graph/pipeline_spec.hpp"
#include "graph/planner.hpp"
#include "graph/timeline.hpp"
#include "graph/tuned.hpp"

namespace weft::engine {

// What others may ask of a run while it goes on. Thread-safe; request_stop() is also async-signal-safe.
class RunControl {
  public:
    // End after the ticks in flight; files are finished. The report says interrupted.
    void request_stop() noexcept { stop_.store(true, std::memory_order_relaxed); }
    bool stop_requested() const noexcept { return stop_.load(std::memory_order_relaxed); }
    // Live runs only: show the canvas time `seconds` (0 .. length) next.
    void request_seek(Rational seconds);
    std::optional<Rational> take_seek(); // by the conductor
    bool seek_requested() const;         // and not taken, also by a run that ended meanwhile

  private:
    std::atomic<bool> stop_{false};
    mutable std::mutex mutex_;
    std::optional<Rational> seek_;
};

struct RunProgress {
    int64_t frame = 0;            // pictures done
    std::optional<int64_t> total; // none: endless
    double seconds = 0;           // since the run began
    double fps = 0;               // over the last second or so
    double speed = 0;             // media time over wall time
};

struct RunOptions {
    std::string device; // as gpu::choose_device() takes it; "" = best
    int buffers = 0;    // slots of each stream: 1 = serial; 0: what was tuned, else 2
    gpu::UploadPath upload = gpu::UploadPath::automatic;
    bool reproducible = false; // bit-exact files with a fixed number of encoder threads
    bool live = false;         // the master clock decides which picture is due
    bool profiling = false;    // queues that record the times of their commands
    Schedule schedule = Schedule::overlapped;
    gpu::QueueOrder queues = gpu::QueueOrder::in_order;
    int preload = 0;         // pictures of each stream to decode once and show in turn; 0: decode all
    int64_t most_frames = 0; // end after this many ticks; 0: when the pipeline ends
    bool fuse = true;        // false: a pass per stage, for comparisons
    // What was measured on the device; nullptr: shapes, upload path and slots go by rule.
    std::function<std::optional<graph::Tuned>(const gpu::DeviceInfo&)> tuned;
    // Live: the clock to follow, shared with who shows and sounds; nullptr: one of the run's own on steady
    // time.
    MasterClock* master = nullptr;
    RunControl* control = nullptr; // nullptr: nobody asks
    Trace* trace = nullptr;        // told every stage; nullptr: nobody measures
    // Called from the conductor's thread about ten times a second and once at the end; must not throw.
    std::function<void(const RunProgress&)> progress;
    // Called on run()'s thread when `control` has stopped the run and its outputs are to be finished, which
    // an encoder may take long for.
    std::function<void()> finishing;
    // Called on run()'s thread once everything is ready, before the first frame: what will be done.
    std::function<void(const struct RunPlan&)> ready;
};

// What was decided before the first frame.
struct RunPlan {
    std::string device;     // its name
    std::string device_why; // "the only GPU"
    gpu::UploadPath upload = gpu::UploadPath::automatic;
    colour::PictureFormat canvas;     // size, rate, colour
    std::optional<int64_t> frames;    // none: endless
    bool seekable = true;             // false: an input is a pipe or a live address, seeks are ignored
    size_t device_bytes = 0;          // buffers of plans, slots and outputs
    std::vector<std::string> notes;   // conversions and defaults, one line each
    std::vector<Error> warnings;      // what is allowed and hardly meant
    std::vector<media::MixUse> sound; // for a media::AudioMixer; empty: silent
};

struct InputReport {
    std::string name;    // of the stream: "left", "show[2]"
    int64_t decoded = 0; // pictures
    int64_t uploaded = 0;
    int64_t skipped = 0; // due at no tick, dropped before upload
    int64_t damaged = 0; // corrupt pictures or packets
    int64_t late = 0;    // ticks that showed an older picture than was due, or none (live)
    // Ticks for which there was no picture because the input had broken off, and pictures that a file cut
    // short does not hold.
    int64_t missing = 0;
    int64_t bytes = 0; // uploaded
    std::string error; // why it ended early; "" when it did not
};

struct RunReport {
    RunPlan plan;
    std::vector<InputReport> inputs;
    std::vector<SinkReport> sinks;
    int64_t frames = 0;             // ticks run
    int64_t skipped_ticks = 0;      // live: ticks for which there was no time
    double seconds = 0;             // from the first tick to the last sink's end
    double first_frame_seconds = 0; // from the start of run() to the first finished picture
    int64_t bytes_up = 0, bytes_down = 0;
    size_t host_peak_bytes = 0; // of the process
    bool interrupted = false;
    std::exception_ptr failure; // broke after the first frame; files were kept as partial

    // Something was lost: damaged or late pictures, an input or sink that failed.
    bool losses() const;
};

// Runs the pipeline until it ends, `control` stops it or it fails. `spec.outputs` is not looked at: `sinks`
// are what is fed. Blocks; uses threads of its own and may be called from any thread.
//   prelude : graph::load_prelude()
// Errors : whatever makes the first frame impossible: Errors of the pipeline, not_found or bad_input of an
// input,
//          device. Nothing is left on disk then. Later failures are in the report.
RunReport run(const graph::PipelineSpec& spec, const graph::FilterLibrary& library,
              const std::string& prelude, const std::vector<std::unique_ptr<FrameSink>>& sinks,
              const RunOptions& options = {});

// The sinks that spec.outputs asks for, windows left out (their index in `outputs` is skipped).
// Errors : usage or unsupported naming the output.
std::vector<std::unique_ptr<FrameSink>> make_sinks(const std::vector<graph::OutputSpec>& outputs,
                                                   const RunOptions& options);

// Opens every input, in parallel, and says what it turned out to be; facts[i] belongs to spec.inputs[i].
// Errors : Errors with one entry for each required input that cannot be used.
std::vector<graph::InputFacts> probe_inputs(const graph::PipelineSpec& spec);

// The scenes that run() would plan, with the outputs that the sinks want. Errors : as run().
std::vector<graph::Scene> scenes_of(const graph::PipelineSpec& spec, const graph::FilterLibrary& library,
                                    const std::vector<std::unique_ptr<FrameSink>>& sinks,
                                    const RunOptions& options = {});

// Reads the luma of a picture file as a transition's mask. Errors : not_found, bad_input, unsupported.
graph::Mask load_mask(const std::string& file);

// The slots of a stream when nobody says how many.
constexpr int usual_slots = 2;
// The options with what was tuned put in where they leave it open.
RunOptions settled(RunOptions options, const graph::Tuned& tuned);

// What run() would do, without doing it: `check --explain`. The kernels are built, so that a mistake in a
// filter's text shows.
struct Explained {
    std::vector<std::string> notes; // of the timeline
    std::vector<Error> warnings;
    std::vector<std::string> plans; // graph::Plan::explain(), one per scene that differs
    std::vector<std::string> dots;  // graph::Plan::dot(), likewise
};
// Errors : as run().
Explained explain(const graph::PipelineSpec& spec, const graph::FilterLibrary& library,
                  const std::string& prelude, const std::vector<std::unique_ptr<FrameSink>>& sinks,
                  const RunOptions& options = {});

} // namespace weft::engine
