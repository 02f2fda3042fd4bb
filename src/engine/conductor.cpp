#include "engine/part_private.hpp"

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

// Up to where the pipeline asks for an input, in its own time; none: to its end.
std::optional<Rational> wanted_end(const graph::InputSpec& spec, const graph::StreamUse& use) {
    std::optional<Rational> end = spec.end;
    const auto limit = [&](Rational at) { end = std::min(end.value_or(at), at); };
    if (spec.duration) limit(spec.start.value_or(Rational(0)) + *spec.duration);
    if (use.length && !use.to_its_end) limit(use.start + *use.length);
    return end;
}

} // namespace

Conductor::Conductor(const Prepared& stage)
    : stage_(stage), flights_(std::make_unique<Flights>(stage.device)) {
    const graph::Timeline& timeline = stage.timeline;
    for (size_t i = 0; i < timeline.streams.size(); ++i) {
        auto part = std::make_unique<Part>();
        part->index = static_cast<int>(i);
        part->report.name = timeline.streams[i].name;
        part->first_tick = -1;
        const int input = timeline.streams[i].input;
        if (stage.spec.inputs[static_cast<size_t>(input)].reconnect && stage.inputs.can_break(input))
            part->sound = std::make_shared<media::SoundRelay>();
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
    for (const auto& part : parts_) {
        if (!part->stream) continue;
        part->hold(nullptr);
        part->stream->stop();
    }
    stage_.inputs.stop();
}

std::shared_ptr<media::SoundRelay> Conductor::sound(int stream) const {
    return parts_.at(static_cast<size_t>(stream))->sound;
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
    settings.times.wanted = wanted_end(spec, use);
    settings.rate = stage_.timeline.rate;
    if (!open_end_) settings.ticks = settings.ticks_asked = stage_.timeline.ticks;
    if (const auto& duration = stage_.spec.duration)
        settings.ticks_asked = (*duration * stage_.timeline.rate).round();
    // While a connection is down the last picture is held beside the one that will come.
    settings.slots =
        std::max(slots_of(stage_.options.schedule, stage_.options.buffers), spec.reconnect ? 2 : 1);
    if (spec.reconnect && stage_.inputs.can_break(use.input)) {
        settings.reconnect = spec.reconnect;
        settings.open_again = stage_.inputs.opener(use.input);
        settings.sound = part.sound;
    }
    if (const int64_t most = stage_.options.most_frames; most > 0)
        for (auto* ticks : {&settings.ticks, &settings.ticks_asked})
            *ticks = std::min(ticks->value_or(most), most);
    settings.on_demand = stage_.options.schedule != Schedule::overlapped;
    settings.preload = stage_.options.preload;
    settings.early = stage_.options.schedule == Schedule::overlapped;
    settings.neighbours = use.neighbours;
    if (use.deinterlace)
        settings.fields = spec.deinterlace == graph::Deinterlace::on ? Fields::always : Fields::as_marked;
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
    if (counts.cut_short && part.report.error.empty()) part.report.error = "the file is cut short";
    if (counts.connections_lost > 0 && part.report.error.empty())
        part.report.error =
            "the connection was lost " + (counts.connections_lost == 1
                                              ? std::string("once")
                                              : std::to_string(counts.connections_lost) + " times");
    part.hold(nullptr);
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
                go_on = gather(index, tick, flight, pictures) && !stopped() && !all_over(tick) &&
                        !past_end(tick) && claim_pictures(tick, flight, pictures.inputs);
            }
            if (go_on) enqueue(index, tick, flight, pictures);
        } catch (...) {
            for (const Flight::Painted& painted : flight.painted)
                painted.sink->cancel(painted.slot);
            for (const Flight::Read& read : flight.reads)
                if (read.slot != nullptr) read.stream->drop_use(*read.slot);
            flight.reads.clear();
            go_on = false;
            if (!stopped()) throw; // else it is an opening that was broken off
        }
        if (!go_on) {
            for (const Flight::Read& read : flight.reads)
                if (read.slot != nullptr) read.stream->drop_use(*read.slot);
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
        if (part->stream) part->hold(nullptr);
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
