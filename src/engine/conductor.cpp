#include "engine/conductor_private.hpp"

#include <algorithm>
#include <chrono>
#include <limits>

#include "base/error.hpp"
#include "base/log.hpp"

namespace weft::engine {
namespace {

using std::chrono::milliseconds;

// Streams are opened this long before they are shown.
constexpr int64_t ahead_seconds = 2;
// How often a wait looks for a stop, a seek or a failed sink.
constexpr Nanoseconds look_up = milliseconds(20);
// What the trace calls the thread that runs the ticks.
const std::string conductor; // NOLINT: "", which no stream is called
// What containers that count in milliseconds add to a duration.
const Rational rounding_of_containers(1, 1000);
// Live, an input is late for this long (canvas time) before `late: hide` or `placeholder` act: a picture or
// two that come late are no reason to flicker.
const Rational patience_with_late(1, 2);
// Live, an input without any picture is waited for this long; then the others go on without it.
constexpr Nanoseconds patience_with_none = std::chrono::seconds(2);

// The user said where this input ends.
bool is_cut(const graph::InputSpec& spec) {
    return spec.end || spec.duration;
}

// The neighbours of the picture that is due (itself where there is none) and which of its fields t shows.
//   all : whatever the picture says of itself, it is two fields; the top one first unless it says otherwise
History history_of(const Stream& stream, const StreamSlot& slot, Rational t, bool all) {
    const StreamSlot* before = stream.before();
    const StreamSlot* behind = stream.behind();
    History out;
    out.before = before != nullptr ? before->upload.picture : slot.upload.picture;
    out.behind = behind != nullptr ? behind->upload.picture : slot.upload.picture;
    if (before != nullptr) out.before_ready = before->upload.ready;
    if (behind != nullptr) out.behind_ready = behind->upload.ready;
    const media::HostFrame& frame = *slot.frame;
    if (!all && !frame.interlaced()) return out;
    const std::optional<Rational> end = slot.until ? slot.until : slot.ends;
    const bool second = end && t >= slot.from + (*end - slot.from) / Rational(2);
    const bool top_first = !frame.interlaced() || frame.top_field_first();
    out.fields = 0;
    if (top_first == second) out.fields |= graph::FieldsOf::odd_lines;
    if (second) out.fields |= graph::FieldsOf::second;
    if ((second ? behind : before) == nullptr) out.fields |= graph::FieldsOf::alone;
    return out;
}

} // namespace

struct Conductor::Part {
    int index = 0;                           // into Timeline::streams
    int64_t first_tick = 0, behind_tick = 0; // of the scenes that show it
    std::future<OpenedInput> opening;
    std::shared_ptr<Stream> stream;
    bool over = false;                     // its input has nothing more to show
    bool broken = false;                   // it is over because it broke off
    std::optional<Nanoseconds> none_since; // steady time since which there has been no picture at all
    std::shared_ptr<const Placeholder> placeholder;
    // Of this tick: the picture, also where it is not shown; and what stands in its place.
    StreamSlot* slot = nullptr;
    bool hidden = false, replaced = false;
    InputReport report;
};

Conductor::Conductor(const Prepared& stage)
    : stage_(stage), flights_(std::make_unique<Flights>(stage.device)) {
    const graph::Timeline& timeline = stage.timeline;
    for (size_t i = 0; i < timeline.streams.size(); ++i) {
        auto part = std::make_unique<Part>();
        part->index = static_cast<int>(i);
        part->report.name = timeline.streams[i].name;
        part->first_tick = -1;
        for (const graph::TimelineScene& scene : timeline.scenes) {
            if (std::find(scene.streams.begin(), scene.streams.end(), part->index) == scene.streams.end())
                continue;
            if (part->first_tick < 0) part->first_tick = scene.from_tick;
            part->behind_tick = scene.until_tick;
        }
        parts_.push_back(std::move(part));
    }
    open_end_ = timeline.ticks && !stage.spec.duration && !stage.options.live;
    for (const int index : timeline.scenes.back().streams) {
        const graph::StreamUse& use = timeline.streams[static_cast<size_t>(index)];
        if (use.length || use.loop) open_end_ = false;
    }
    if (open_end_)
        for (const int index : timeline.scenes.back().streams)
            parts_[static_cast<size_t>(index)]->behind_tick = std::numeric_limits<int64_t>::max();
    if (stage.options.live) {
        clock_ = stage.options.master;
        if (clock_ == nullptr) clock_ = &own_clock_.emplace(steady_);
    }
    begun_ = steady_.now();
}

Conductor::~Conductor() {
    for (const auto& part : parts_)
        if (part->stream) part->stream->stop();
    stage_.inputs.stop();
}

Rational Conductor::time_of(int64_t tick) const {
    return Rational(tick) / stage_.timeline.rate;
}

bool Conductor::stopped() const {
    return stage_.options.control && stage_.options.control->stop_requested();
}

void Conductor::check_failures() const {
    if (const std::exception_ptr error = flights_->error()) std::rethrow_exception(error);
    const bool any =
        std::any_of(stage_.sinks.begin(), stage_.sinks.end(), [](const auto& s) { return !s->failed(); });
    if (!any) throw Error(ErrorKind::resource, "every output failed");
}

// ---- streams

void Conductor::prime() {
    open_and_close(0);
}

void Conductor::prepare_rules() {
    for (size_t index = 0; index < stage_.timeline.scenes.size(); ++index) {
        const graph::TimelineScene& scene = stage_.timeline.scenes[index];
        std::vector<const colour::PictureFormat*> formats;
        for (const colour::PictureFormat& format : scene.scene.streams)
            formats.push_back(&format);
        for (size_t i = 0; i < scene.streams.size(); ++i) {
            const auto input =
                static_cast<size_t>(stage_.timeline.streams[static_cast<size_t>(scene.streams[i])].input);
            const graph::InputSpec& spec = stage_.spec.inputs[input];
            const graph::InputFacts& facts = stage_.inputs.facts()[input];
            const bool may_end = spec.end_rule == graph::EndRule::hide && !facts.still && !facts.duration;
            if (!may_end && (clock_ == nullptr || spec.late != graph::LateRule::hide)) continue;
            std::vector<bool> hidden(scene.streams.size(), false);
            hidden[i] = true;
            stage_.plans.without(index, formats, hidden, true);
        }
    }
}

void Conductor::open_and_close(int64_t tick) {
    const int64_t horizon = tick + (Rational(ahead_seconds) * stage_.timeline.rate).ceil();
    const auto in_use = [&](const Part& part) {
        return part.first_tick >= 0 && part.first_tick <= horizon && part.behind_tick > tick;
    };
    std::erase_if(leaving_, [](const auto& stream) { return stream->ended(); });
    const auto streams =
        std::count_if(parts_.begin(), parts_.end(), [&](const auto& p) { return in_use(*p); });
    for (const auto& part : parts_) {
        const bool open = part->stream || part->opening.valid();
        if (in_use(*part) && !open) {
            const int input = stage_.timeline.streams[static_cast<size_t>(part->index)].input;
            part->opening = stage_.inputs.take(input, static_cast<int>(streams));
        }
        using namespace std::chrono_literals;
        // As soon as it is open it decodes, whether it is shown already or not.
        if (part->opening.valid() && part->opening.wait_for(0s) == std::future_status::ready) opened(*part);
        if (part->stream && part->behind_tick <= tick) close(*part);
    }
}

Stream& Conductor::opened(Part& part) {
    if (part.stream) return *part.stream;
    if (!part.opening.valid()) open_and_close(part.first_tick);
    OpenedInput input = part.opening.get();
    const graph::StreamUse& use = stage_.timeline.streams[static_cast<size_t>(part.index)];
    const auto index = static_cast<size_t>(use.input);
    const graph::InputSpec& spec = stage_.spec.inputs[index];
    StreamSettings settings;
    settings.name = use.name;
    settings.times.from = use.from;
    settings.times.start = use.start;
    settings.times.length = use.length;
    settings.times.loop = use.loop;
    settings.times.loop_start = spec.start.value_or(Rational(0));
    // What a container says of its length is a guess that only a loop needs; the user's word is an order.
    if (const auto& duration = stage_.inputs.facts()[index].duration; duration && (use.loop || is_cut(spec)))
        settings.times.end = settings.times.loop_start + *duration;
    settings.rate = stage_.timeline.rate;
    if (!open_end_) settings.ticks = stage_.timeline.ticks;
    // While a connection is down the last picture is held beside the one that will come.
    settings.slots =
        std::max(slots_of(stage_.options.schedule, stage_.options.buffers), spec.reconnect ? 2 : 1);
    if (spec.reconnect && stage_.inputs.can_break(use.input)) {
        settings.reconnect = spec.reconnect;
        settings.open_again = stage_.inputs.opener(use.input);
    }
    if (const int64_t most = stage_.options.most_frames; most > 0)
        settings.ticks = std::min(settings.ticks.value_or(most), most);
    settings.on_demand = stage_.options.schedule != Schedule::overlapped;
    settings.preload = stage_.options.preload;
    settings.history = use.deinterlace;
    settings.early = stage_.options.schedule == Schedule::overlapped;
    settings.trace = stage_.options.trace;
    part.placeholder = input.placeholder;
    part.stream = std::make_shared<Stream>(std::move(input), std::move(settings));
    return *part.stream;
}

void Conductor::close(Part& part) {
    const StreamCounts counts = part.stream->counts();
    part.report.decoded += counts.decoded;
    part.report.uploaded += counts.uploaded;
    part.report.skipped += counts.skipped;
    part.report.damaged += counts.damaged;
    part.report.bytes += counts.bytes;
    part.report.missing += counts.missing;
    if (counts.missing > 0 && part.report.error.empty()) part.report.error = "the file is cut short";
    if (counts.connections_lost > 0 && part.report.error.empty())
        part.report.error =
            "the connection was lost " + (counts.connections_lost == 1
                                              ? std::string("once")
                                              : std::to_string(counts.connections_lost) + " times");
    part.stream->stop();
    // Ticks in flight keep it until they have landed; and nobody here waits for a thread that a frozen input
    // holds up.
    leaving_.push_back(std::move(part.stream));
    part.stream.reset();
}

std::vector<InputReport> Conductor::input_reports() {
    std::vector<InputReport> reports;
    for (const auto& part : parts_) {
        if (part->stream) close(*part);
        reports.push_back(part->report);
    }
    return reports;
}

size_t Conductor::device_bytes() const {
    size_t sum = 0;
    for (const auto& part : parts_)
        if (part->stream) sum += part->stream->device_bytes();
    return sum;
}

// ---- one tick

// The newest picture that is due, or what there is; nullptr when there is none (any more).
StreamSlot* Conductor::due(Part& part, int64_t tick) {
    Stream& stream = *part.stream;
    const Rational t = time_of(tick);
    if (clock_ == nullptr) return stream.due(t);
    stream.keep_from(tick);
    // While the clock stands, and before the first picture, there is time.
    do {
        const Nanoseconds left = t.nanoseconds() - clock_->media_time();
        StreamSlot* const slot = stream.due(t, std::clamp(left, Nanoseconds(0), look_up));
        const bool in_time = !clock_->running() || left > Nanoseconds(0);
        if (slot != nullptr) {
            part.none_since.reset();
            if (!slot->until || t < *slot->until || !in_time) return slot;
            continue;
        }
        if (!part.none_since) part.none_since = steady_.now();
        if (steady_.now() - *part.none_since >= patience_with_none) return nullptr;
    } while (!stopped());
    return nullptr;
}

// Live: a picture that is older than it should be is counted, and replaced by rule.
void Conductor::judge_late(Part& part, int64_t tick) {
    const Rational t = time_of(tick);
    const StreamSlot* const slot = part.slot;
    if (slot != nullptr && (!slot->until || t < *slot->until)) return;
    ++part.report.late;
    if (slot != nullptr && !slot->broken && t - *slot->until < patience_with_late) return;
    const graph::StreamUse& use = stage_.timeline.streams[static_cast<size_t>(part.index)];
    const graph::InputSpec& spec = stage_.spec.inputs[static_cast<size_t>(use.input)];
    if (slot != nullptr && slot->broken && spec.on_error == graph::ErrorRule::placeholder)
        part.replaced = true;
    else if (spec.late == graph::LateRule::placeholder)
        part.replaced = true;
    else
        part.hidden = slot == nullptr || spec.late == graph::LateRule::hide;
}

// An input that has nothing more to show; false when its rule ends the run.
bool Conductor::judge_end(Part& part, int64_t tick) {
    const StreamSlot* const slot = part.slot;
    if (slot == nullptr || slot->until || !slot->ends || time_of(tick) < *slot->ends) return true;
    const graph::StreamUse& use = stage_.timeline.streams[static_cast<size_t>(part.index)];
    const auto index = static_cast<size_t>(use.input);
    const graph::InputSpec& spec = stage_.spec.inputs[index];
    const graph::InputFacts& facts = stage_.inputs.facts()[index];
    if (!part.over) {
        part.over = true;
        part.broken = slot->broken;
        if (slot->broken) {
            const std::exception_ptr why = part.stream->error();
            try {
                if (why) std::rethrow_exception(why);
            } catch (const std::exception& error) {
                part.report.error = describe(error);
            }
            log("engine").warn("{}: broke off: {}", use.name, part.report.error);
            if (spec.on_error == graph::ErrorRule::stop) return false;
        }
        // Where the end was known the timeline has it.
        if (spec.end_rule == graph::EndRule::stop && !facts.duration) return false;
    }
    if (part.broken) {
        const Rational declared =
            use.from + spec.start.value_or(Rational(0)) + facts.duration.value_or(Rational(0)) - use.start;
        if (!facts.duration || time_of(tick) < declared) ++part.report.missing;
        part.replaced = spec.on_error == graph::ErrorRule::placeholder;
    } else if (!facts.duration && !facts.still && spec.end_rule == graph::EndRule::hide) {
        part.hidden = true;
    }
    return true;
}

// The picture to show, or what takes its place; false when the run ends here.
bool Conductor::take(Part& part, int64_t tick) {
    const graph::StreamUse& use = stage_.timeline.streams[static_cast<size_t>(part.index)];
    opened(part);
    part.slot = nullptr;
    part.hidden = part.replaced = false;
    try {
        part.slot = due(part, tick);
    } catch (const Error& error) {
        part.report.error = error.what();
        throw Error(error.kind(), use.name + ": " + error.message(), error.place());
    }
    if (part.slot == nullptr && (clock_ == nullptr || stopped())) return false;
    if (clock_ != nullptr) judge_late(part, tick);
    return judge_end(part, tick);
}

bool Conductor::gather(const graph::TimelineScene& scene, int64_t tick, Flight& flight, Pictures& pictures) {
    for (size_t i = 0; i < scene.streams.size(); ++i) {
        Part& part = *parts_[static_cast<size_t>(scene.streams[i])];
        const int ready = part.stream ? part.stream->ready() : 0;
        if (!take(part, tick)) return false;
        pictures.hidden.push_back(part.hidden);
        if (part.replaced && part.placeholder) {
            pictures.inputs.streams.push_back(part.placeholder->upload().picture);
            pictures.inputs.uploads.push_back(part.placeholder->upload().ready);
            pictures.formats.push_back(&part.placeholder->format());
        } else if (part.slot != nullptr) {
            if (stage_.options.schedule == Schedule::serial && part.slot->upload.ready() != nullptr)
                clWaitForEvents(1,
                                &part.slot->upload.ready()); // what failed fails the kernels that wait for it
            part.stream->begin_use(*part.slot);
            flight.reads.push_back({part.stream, part.slot, ready});
            pictures.inputs.streams.push_back(part.slot->upload.picture);
            pictures.inputs.uploads.push_back(part.slot->upload.ready);
            pictures.formats.push_back(part.slot->format.get());
        } else {
            pictures.missing = true;
            pictures.hidden.back() = true;
            pictures.inputs.streams.emplace_back();
            pictures.inputs.uploads.emplace_back();
            pictures.formats.push_back(&scene.scene.streams[i]);
        }
    }
    for (size_t i = 0; i < scene.streams.size(); ++i) {
        const Part& part = *parts_[static_cast<size_t>(scene.streams[i])];
        const graph::StreamUse& use = stage_.timeline.streams[static_cast<size_t>(part.index)];
        History history;
        history.before = history.behind = pictures.inputs.streams[i];
        if (use.deinterlace && part.slot != nullptr && !part.replaced) {
            const bool all =
                stage_.spec.inputs[static_cast<size_t>(use.input)].deinterlace == graph::Deinterlace::on;
            history = history_of(*part.stream, *part.slot, time_of(tick), all);
            for (StreamSlot* slot : {part.stream->before(), part.stream->behind()}) {
                if (slot == nullptr) continue;
                part.stream->begin_use(*slot);
                flight.reads.push_back({part.stream, slot, -1});
            }
        }
        pictures.inputs.history.push_back(std::move(history));
    }
    return true;
}

std::optional<size_t> Conductor::claim(SinkRunner& sink, int64_t tick) {
    for (;;) {
        if (const auto slot = sink.claim(look_up)) return slot;
        if (stopped()) return std::nullopt;
        check_failures();
        if (clock_ == nullptr) continue;
        // A show that has a full ring is ahead of time; once the tick is due it is missed.
        const bool due = clock_->running() && clock_->media_time() >= time_of(tick).nanoseconds();
        if (sink.drops() && due) {
            sink.count_drop();
            return sink.spare();
        }
    }
}

bool Conductor::claim_pictures(int64_t tick, Flight& flight, TickInputs& inputs) {
    for (const auto& sink : stage_.sinks) {
        const auto slot = claim(*sink, tick);
        if (!slot) {
            for (const Flight::Painted& painted : flight.painted)
                painted.sink->cancel(painted.slot);
            flight.painted.clear();
            return false;
        }
        inputs.outputs.push_back(sink->picture(*slot));
        if (!sink->drops() || *slot != sink->spare()) flight.painted.push_back({sink.get(), *slot, {}});
    }
    return true;
}

void Conductor::enqueue(size_t index, int64_t tick, Flight flight, Pictures pictures) {
    const graph::TimelineScene& scene = stage_.timeline.scenes[index];
    TickInputs& inputs = pictures.inputs;
    inputs.number = tick;
    inputs.tick.t = static_cast<float>(time_of(tick).value());
    inputs.tick.n = static_cast<float>(tick);
    inputs.tick.seed = static_cast<uint32_t>(tick);
    for (const graph::TransitionTime& transition : scene.transitions)
        inputs.progress.push_back(static_cast<float>(static_cast<double>(tick - transition.first_tick) /
                                                     static_cast<double>(transition.ticks)));
    if (stage_.options.trace != nullptr)
        for (const Flight::Read& read : flight.reads)
            if (read.ready >= 0)
                stage_.options.trace->shows(tick, read.stream->name(), read.slot->number, read.ready);
    flight.tick = tick;
    flight.time = time_of(tick);
    const Stretch stretch(stage_.options.trace, Stage::enqueue, conductor, tick);
    PlanRunner* runner = nullptr;
    if (std::find(pictures.hidden.begin(), pictures.hidden.end(), true) != pictures.hidden.end()) {
        // Live, what was not prepared is built while the last pictures are shown on.
        const bool wait = clock_ == nullptr || pictures.missing;
        runner = stage_.plans.without(index, pictures.formats, pictures.hidden, wait);
    }
    if (runner == nullptr) runner = &stage_.plans.runner(index, pictures.formats);
    flight.done = runner->run(inputs);
    for (Flight::Painted& painted : flight.painted)
        painted.ready = painted.sink->fetch(painted.slot, flight.done, tick);
    for (Flight::Read& read : flight.reads)
        if (read.stream->may_end_early())
            read.stream->end_use_behind(*std::exchange(read.slot, nullptr), flight.done);
    flights_->launch(std::move(flight));
}

// ---- the loop

void Conductor::run() {
    const graph::Timeline& timeline = stage_.timeline;
    begun_ = told_ = steady_.now();
    rate_mark_ = {begun_, 0};
    if (own_clock_) own_clock_->start();
    size_t index = 0;
    for (int64_t tick = 0; !timeline.ticks || tick < *timeline.ticks || open_end_; ++tick) {
        if (clock_ != nullptr) {
            const auto next = follow_clock(tick);
            if (!next || (timeline.ticks && *next >= *timeline.ticks)) break;
            tick = *next;
        }
        if (stopped()) break;
        if (stage_.options.most_frames > 0 && ticks_run_ >= stage_.options.most_frames) break;
        check_failures();
        open_and_close(tick);
        while (index + 1 < timeline.scenes.size() && timeline.scenes[index].until_tick <= tick)
            ++index;
        while (index > 0 && timeline.scenes[index].from_tick > tick)
            --index;

        Flight flight;
        Pictures pictures;
        bool go_on = false;
        try {
            // A stop ends what waits for an address or a pipe; then a picture may not be the one that is due.
            {
                const Stretch stretch(stage_.options.trace, Stage::wait, conductor, tick);
                go_on = gather(timeline.scenes[index], tick, flight, pictures) && !stopped() &&
                        !all_over(tick) && !past_end(tick) && claim_pictures(tick, flight, pictures.inputs);
            }
            if (go_on) enqueue(index, tick, flight, std::move(pictures));
        } catch (...) {
            for (const Flight::Painted& painted : flight.painted)
                painted.sink->cancel(painted.slot);
            for (const Flight::Read& read : flight.reads)
                read.stream->drop_use(*read.slot);
            flight.reads.clear();
            go_on = false;
            if (!stopped()) throw; // else it is an opening that was broken off
        }
        if (!go_on) {
            for (const Flight::Read& read : flight.reads)
                read.stream->drop_use(*read.slot);
            break;
        }
        follow_schedule(timeline.scenes[index], tick);
        ++ticks_run_;
        last_tick_ = tick;
        tell_progress(tick, false);
    }
    interrupted_ = stopped();
}

void Conductor::follow_schedule(const graph::TimelineScene& scene, int64_t tick) {
    if (stage_.options.schedule == Schedule::overlapped) return;
    if (stage_.options.schedule == Schedule::reordered)
        for (const int index : scene.streams)
            parts_[static_cast<size_t>(index)]->stream->ask();
    const Stretch stretch(stage_.options.trace, Stage::wait, conductor, tick);
    flights_->wait_landed();
}

void Conductor::land() {
    flights_->land();
    tell_progress(last_tick_, true);
}

// Files that claim to be longer than they are do not hold up the end of a run whose length follows from them.
bool Conductor::all_over(int64_t tick) const {
    if (stage_.spec.duration || clock_ != nullptr) return false;
    bool any = false;
    for (const auto& part : parts_) {
        const graph::StreamUse& use = stage_.timeline.streams[static_cast<size_t>(part->index)];
        if (part->first_tick < 0 || stage_.inputs.facts()[static_cast<size_t>(use.input)].still) continue;
        // Where the end of the run is planned, it is theirs; else they go on for as long as others do.
        if (stage_.timeline.ticks && (use.loop || use.length)) return false;
        if (use.loop) continue;
        if (part->behind_tick <= tick) continue;
        if (!part->over) return false;
        any = true;
    }
    return any;
}

// Files that hold more than they declare are shown to their last picture: behind the planned end the run goes
// on for as long as one has a picture that was not reckoned with (every one with `end: stop`).
bool Conductor::past_end(int64_t tick) const {
    if (!stage_.timeline.ticks || tick < *stage_.timeline.ticks || clock_ != nullptr) return false;
    bool goes_on = false;
    const std::vector<int>& streams = stage_.timeline.scenes.back().streams;
    for (size_t i = 0; i < streams.size(); ++i) {
        const graph::StreamUse& use = stage_.timeline.streams[static_cast<size_t>(streams[i])];
        const auto index = static_cast<size_t>(use.input);
        const graph::InputSpec& spec = stage_.spec.inputs[index];
        const graph::InputFacts& facts = stage_.inputs.facts()[index];
        const StreamSlot& slot = *parts_[static_cast<size_t>(streams[i])]->slot; // offline each has one
        bool more = false;
        if (!facts.still && facts.duration && !is_cut(spec) && spec.end_rule != graph::EndRule::hide) {
            const Rational declared =
                use.from + spec.start.value_or(Rational(0)) + *facts.duration - use.start;
            const bool lasts = slot.ends && time_of(tick) < *slot.ends - rounding_of_containers;
            more = slot.until || (lasts && slot.from >= declared - rounding_of_containers);
        }
        if (spec.end_rule == graph::EndRule::stop && !facts.still && !more) return true;
        goes_on = goes_on || more;
    }
    return !goes_on;
}

std::optional<int64_t> Conductor::follow_clock(int64_t tick) {
    const Rational rate = stage_.timeline.rate;
    int lead = 1;
    for (const auto& sink : stage_.sinks)
        lead = std::max(lead, sink->ring_size());
    for (;;) {
        if (stopped()) return std::nullopt;
        if (stage_.options.control != nullptr)
            if (const auto place = stage_.options.control->take_seek(); place && stage_.inputs.seekable()) {
                seek(*place);
                tick = std::max<int64_t>((*place * rate).round(), 0);
                return tick;
            }
        if (!clock_->running()) return tick; // the rings hold up whoever is ahead of a standing clock
        const Nanoseconds now = clock_->media_time();
        const int64_t due = (Rational(now.count(), 1000000000) * rate).floor();
        if (tick < due) {
            skipped_ticks_ += due - tick;
            return due;
        }
        if (tick <= due + lead) return tick;
        std::this_thread::sleep_for(std::min<Nanoseconds>(time_of(tick - lead).nanoseconds() - now, look_up));
    }
}

void Conductor::seek(Rational seconds) {
    const int64_t tick = std::max<int64_t>((seconds * stage_.timeline.rate).round(), 0);
    for (const auto& part : parts_) {
        part->over = part->broken = false;
        if (part->stream && part->behind_tick > tick) part->stream->seek(time_of(tick));
    }
    open_and_close(tick);
    // What is opened anew begins at its own start; bring it to the place as well.
    for (const auto& part : parts_)
        if (!part->stream && part->opening.valid() && part->first_tick < tick)
            opened(*part).seek(time_of(tick));
}

void Conductor::tell_progress(int64_t tick, bool last) {
    if (!stage_.options.progress) return;
    const Nanoseconds now = steady_.now();
    if (!last && now - told_ < milliseconds(100)) return;
    told_ = now;
    RunProgress progress;
    progress.frame = flights_->delivered();
    progress.total = stage_.timeline.ticks;
    if (const int64_t most = stage_.options.most_frames; most > 0)
        progress.total = std::min(progress.total.value_or(most), most);
    if (progress.total) progress.total = std::max(*progress.total, progress.frame);
    progress.seconds = std::chrono::duration<double>(now - begun_).count();
    const double span = std::chrono::duration<double>(now - rate_mark_.first).count();
    if (last)
        progress.fps = static_cast<double>(progress.frame) / std::max(progress.seconds, 1e-9);
    else
        progress.fps = static_cast<double>(progress.frame - rate_mark_.second) / std::max(span, 1e-9);
    if (span > 1) rate_mark_ = {now, progress.frame};
    progress.speed = progress.fps / stage_.timeline.rate.value();
    (void)tick;
    stage_.options.progress(progress);
}

} // namespace weft::engine
