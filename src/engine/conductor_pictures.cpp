// One tick: the pictures that are shown, the plan for what they are, and where it paints.
#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "engine/part_private.hpp"

namespace weft::engine {

// The neighbours of the picture that is due, and which of its fields t shows. The top one comes first unless
// the picture says otherwise.
History Conductor::history_of(const Part& part, const StreamSlot& slot, Rational t) const {
    const std::vector<StreamSlot*> before = part.stream->before(), behind = part.stream->behind();
    const std::optional<Rational> end = slot.until ? slot.until : slot.ends;
    const bool second = end && t >= slot.from + (*end - slot.from) / Rational(2);
    // lone : there is no picture on the side that the field shown has its neighbour on
    const auto fields = [&](const StreamSlot& of, bool lone) {
        if (!part.stream->fields(of)) return graph::FieldsOf::whole;
        const bool top_first = !of.frame->interlaced() || of.frame->top_field_first();
        return (top_first == second ? graph::FieldsOf::odd_lines : 0) |
               (second ? graph::FieldsOf::second : 0) | (lone ? graph::FieldsOf::alone : 0);
    };
    const auto frames = [&](const std::vector<StreamSlot*>& side, bool outward) {
        std::vector<History::Frame> out;
        for (const StreamSlot* of : side)
            out.push_back({of->upload.picture, of->upload.ready, fields(*of, outward && of == side.back())});
        return out;
    };
    History out;
    out.before = frames(before, !second);
    out.behind = frames(behind, second);
    out.fields = fields(slot, (second ? behind : before).empty());
    return out;
}

Conductor::Pictures Conductor::wanted(size_t scene) const {
    const graph::TimelineScene& of = stage_.timeline.scenes[scene];
    Pictures out;
    out.now.scene = scene;
    out.now.fields = stage_.plans.fields(scene);
    for (size_t i = 0; i < of.streams.size(); ++i) {
        const Part& part = *parts_[static_cast<size_t>(of.streams[i])];
        const bool replaced = part.replaced && part.placeholder;
        out.slots.push_back(replaced ? nullptr : part.slot);
        out.now.formats.push_back(replaced               ? &part.placeholder->format()
                                  : part.slot != nullptr ? part.slot->format.get()
                                                         : &of.scene.streams[i]);
        out.now.hidden.push_back(!replaced && (part.hidden || part.slot == nullptr));
        if (part.fields) out.now.fields[i] = true;
    }
    return out;
}

Conductor::Pictures Conductor::as_before(Pictures wanted) const {
    const std::vector<int>& streams = stage_.timeline.scenes[wanted.now.scene].streams;
    for (size_t i = 0; i < streams.size(); ++i) {
        Part& part = *parts_[static_cast<size_t>(streams[i])];
        if (wanted.slots[i] == nullptr) continue;
        wanted.now.hidden[i] = false;
        if (part.held == nullptr) continue;
        wanted.now.fields[i] = part.held_fields;
        if (wanted.slots[i]->format == part.held->format) continue;
        wanted.slots[i] = part.held;
        wanted.now.formats[i] = part.held->format.get();
        ++part.report.late;
    }
    return wanted;
}

// Offline the plan for what is due is waited for. Live, the streams that it has nothing new for go on
// meanwhile beside what the others showed last.
void Conductor::choose(size_t scene, Pictures& pictures) {
    pictures = wanted(scene);
    pictures.runner = stage_.plans.find(pictures.now);
    if (pictures.runner == nullptr && clock_ != nullptr) {
        stage_.plans.start(pictures.now);
        Pictures before = as_before(pictures);
        before.runner = stage_.plans.find(before.now);
        if (before.runner != nullptr) pictures = std::move(before);
    }
    if (pictures.runner == nullptr) pictures.runner = &stage_.plans.wait_for(pictures.now);
}

bool Conductor::gather(size_t scene, int64_t tick, Flight& flight, Pictures& pictures) {
    const std::vector<int>& streams = stage_.timeline.scenes[scene].streams;
    std::vector<int> ready;
    for (const int stream : streams) {
        Part& part = *parts_[static_cast<size_t>(stream)];
        ready.push_back(part.stream ? part.stream->ready() : 0);
        if (!take(part, tick)) return false;
    }
    choose(scene, pictures);
    TickInputs& inputs = pictures.inputs;
    for (size_t i = 0; i < streams.size(); ++i) {
        Part& part = *parts_[static_cast<size_t>(streams[i])];
        StreamSlot* const slot = pictures.slots[i];
        History& history = inputs.history.emplace_back();
        if (slot == nullptr) {
            const bool replaced = !pictures.now.hidden[i];
            inputs.streams.push_back(replaced ? part.placeholder->upload().picture : gpu::PictureRef{});
            inputs.uploads.push_back(replaced ? part.placeholder->upload().ready : cl::Event());
            continue;
        }
        if (stage_.options.schedule == Schedule::serial && slot->upload.ready() != nullptr)
            clWaitForEvents(1, &slot->upload.ready()); // what failed fails the kernels that wait for it
        const auto read = [&](StreamSlot* of, int behind_it) {
            part.stream->begin_use(*of);
            flight.reads.push_back({part.stream, of, behind_it});
        };
        read(slot, ready[i]);
        inputs.streams.push_back(slot->upload.picture);
        inputs.uploads.push_back(slot->upload.ready);
        const graph::StreamUse& use = stage_.timeline.streams[static_cast<size_t>(part.index)];
        if (slot == part.slot && (use.neighbours > 0 || (use.deinterlace && part.stream->fields(*slot)))) {
            history = history_of(part, *slot, time_of(tick));
            for (const std::vector<StreamSlot*>& side : {part.stream->before(), part.stream->behind()})
                for (StreamSlot* const of : side)
                    read(of, -1);
        }
        if (clock_ != nullptr && part.stream->slots() > 1) {
            part.hold(slot);
            part.held_fields = pictures.now.fields[i];
        }
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

void Conductor::enqueue(size_t index, int64_t tick, Flight flight, Pictures& pictures) {
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
    flight.done = pictures.runner->run(inputs);
    for (Flight::Painted& painted : flight.painted)
        painted.ready = painted.sink->fetch(painted.slot, flight.done, tick);
    for (Flight::Read& read : flight.reads)
        if (read.stream->may_end_early())
            read.stream->end_use_behind(*std::exchange(read.slot, nullptr), flight.done);
    flights_->launch(std::move(flight));
}

} // namespace weft::engine
