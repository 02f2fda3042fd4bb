// The tick loop: for each tick the pictures that are due, the scene's plan, and the sinks' own rings.
#pragma once

#include <future>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "base/clock.hpp"
#include "engine/flights_private.hpp"
#include "engine/inputs_private.hpp"
#include "engine/run.hpp"
#include "engine/scene_plans_private.hpp"

namespace weft::engine {

// Everything that was made before the first tick, and outlives the loop.
struct Prepared {
    const graph::PipelineSpec& spec;
    const graph::Timeline& timeline;
    const RunOptions& options;
    gpu::Device& device;
    Inputs& inputs;
    ScenePlans& plans;
    std::vector<std::unique_ptr<SinkRunner>>& sinks;
};

// threads: all calls on one, the conductor's; request() of options.control from anywhere.
class Conductor {
  public:
    explicit Conductor(const Prepared& stage);
    ~Conductor();
    Conductor(const Conductor&) = delete;
    Conductor& operator=(const Conductor&) = delete;

    // Starts decoding what the first ticks show.
    void prime();
    // Builds what the rules of single inputs may hide, once the plans are loaded. Errors : as
    // ScenePlans::wait_for.
    void prepare_rules();
    // Runs to the end, a stop or a failure. Errors : what broke the run; what is in flight lands all the
    // same.
    void run();
    // Waits until everything is delivered. After run(), whether it threw or not.
    void land();

    // Hands the sound of a stream of the timeline on when its input is connected again; nullptr where it is
    // not.
    std::shared_ptr<media::SoundRelay> sound(int stream) const;
    bool interrupted() const { return interrupted_; }
    const Flights& flights() const { return *flights_; }
    int64_t ticks() const { return ticks_run_; }
    int64_t skipped_ticks() const { return skipped_ticks_; }
    std::vector<InputReport> input_reports();
    size_t device_bytes() const; // of the streams that are open

  private:
    struct Part; // one stream of the timeline
    // What one tick reads of the scene's streams, in their order.
    struct Pictures {
        TickInputs inputs;
        std::vector<StreamSlot*> slots; // nullptr: a placeholder, or nothing
        SceneNow now;
        PlanRunner* runner = nullptr;
    };
    // False when the run ends here.
    bool gather(size_t scene, int64_t tick, Flight& flight, Pictures& pictures);
    bool take(Part& part, int64_t tick);
    // What is to be shown now, and what the tick before showed.
    Pictures wanted(size_t scene) const;
    Pictures as_before(Pictures wanted) const;
    void choose(size_t scene, Pictures& pictures);
    History history_of(const Part& part, const StreamSlot& slot, Rational t) const;
    StreamSlot* due(Part& part, int64_t tick);
    void judge_late(Part& part, int64_t tick);
    bool judge_end(Part& part, int64_t tick);
    bool claim_pictures(int64_t tick, Flight& flight, TickInputs& inputs);
    std::optional<size_t> claim(SinkRunner& sink, int64_t tick);
    void enqueue(size_t scene, int64_t tick, Flight flight, Pictures& pictures);
    void open_and_close(int64_t tick);
    void close(Part& part);
    // What the schedule waits for behind a tick.
    void follow_schedule(const graph::TimelineScene& scene, int64_t tick);
    Stream& opened(Part& part);
    // Live: the tick to run next instead of `tick`; waits while it is too early. nullopt: stopped.
    std::optional<int64_t> follow_clock(int64_t tick);
    bool all_over(int64_t tick) const;
    bool past_end(int64_t tick) const;
    void seek(Rational seconds);
    bool stopped() const;
    void check_failures() const;
    void tell_progress(int64_t tick, bool last);
    Rational time_of(int64_t tick) const;

    Prepared stage_;
    SteadyClock steady_;
    std::optional<MasterClock> own_clock_;
    MasterClock* clock_ = nullptr; // live only
    std::vector<std::unique_ptr<Part>> parts_;
    std::vector<std::shared_ptr<Stream>> leaving_; // stopped, their threads still at work
    std::unique_ptr<Flights> flights_;             // behind parts_: lands first
    Nanoseconds begun_{0}, told_{0};
    std::pair<Nanoseconds, int64_t> rate_mark_{Nanoseconds(0), 0};
    int64_t ticks_run_ = 0, skipped_ticks_ = 0;
    int64_t last_tick_ = 0;
    bool interrupted_ = false;
    bool open_end_ = false; // the planned end is what files declare, not what somebody asked for
};

} // namespace weft::engine
