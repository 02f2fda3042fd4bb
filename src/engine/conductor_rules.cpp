// What is shown of inputs that come late, break off or end, and when that ends the run.
#include <algorithm>
#include <chrono>

#include "base/error.hpp"
#include "base/log.hpp"
#include "engine/part_private.hpp"

namespace weft::engine {
namespace {

// What containers that count in milliseconds add to a duration.
const Rational rounding_of_containers(1, 1000);
// Live, an input is late for this long (canvas time) before `late: hide` or `placeholder` act: a picture or
// two that come late are no reason to flicker.
const Rational patience_with_late(1, 2);
// Live, an input without any picture is waited for this long; then the others go on without it.
constexpr Nanoseconds patience_with_none = std::chrono::seconds(2);

} // namespace

void Conductor::prepare_rules() {
    for (size_t index = 0; index < stage_.timeline.scenes.size(); ++index) {
        const graph::TimelineScene& scene = stage_.timeline.scenes[index];
        SceneNow now;
        now.scene = index;
        now.fields = stage_.plans.fields(index);
        for (const colour::PictureFormat& format : scene.scene.streams)
            now.formats.push_back(&format);
        for (size_t i = 0; i < scene.streams.size(); ++i) {
            const auto input =
                static_cast<size_t>(stage_.timeline.streams[static_cast<size_t>(scene.streams[i])].input);
            const graph::InputSpec& spec = stage_.spec.inputs[input];
            const graph::InputFacts& facts = stage_.inputs.facts()[input];
            const bool may_end = spec.end_rule == graph::EndRule::hide && !facts.still && !facts.duration;
            if (!may_end && (clock_ == nullptr || spec.late != graph::LateRule::hide)) continue;
            now.hidden.assign(scene.streams.size(), false);
            now.hidden[i] = true;
            stage_.plans.wait_for(now);
        }
    }
}

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
    if (facts.still && !slot->broken)
        return true; // it lasts; where a cover's sound ends, the timeline has it
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
    if (part.slot != nullptr && use.deinterlace && !part.fields)
        part.fields = part.stream->fields(*part.slot);
    return judge_end(part, tick);
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

} // namespace weft::engine
