// One stream of the timeline in the conductor's hands.
#pragma once

#include <chrono>

#include "engine/conductor_private.hpp"

namespace weft::engine {

// How often a wait looks for a stop, a seek or a failed sink.
constexpr Nanoseconds look_up = std::chrono::milliseconds(20);
// What the trace calls the thread that runs the ticks.
inline const std::string conductor; // NOLINT: "", which no stream is called

// The user said where this input ends.
inline bool is_cut(const graph::InputSpec& spec) {
    return spec.end || spec.duration;
}

struct Conductor::Part {
    int index = 0;                           // into Timeline::streams
    int64_t first_tick = 0, behind_tick = 0; // of the scenes that show it
    std::future<OpenedInput> opening;
    std::shared_ptr<media::SoundRelay> sound; // of an input that is connected again; else nullptr
    std::shared_ptr<Stream> stream;
    bool over = false;                     // its input has nothing more to show
    bool broken = false;                   // it is over because it broke off
    bool fields = false;                   // it has shown pictures that are pairs of fields
    std::optional<Nanoseconds> none_since; // steady time since which there has been no picture at all
    std::shared_ptr<const Placeholder> placeholder;
    // Live, where there is more than one slot: what was shown last, kept until another one is.
    StreamSlot* held = nullptr;
    bool held_fields = false; // the plan took it for fields
    // Of this tick: the picture, also where it is not shown; and what stands in its place.
    StreamSlot* slot = nullptr;
    bool hidden = false, replaced = false;
    InputReport report;

    void hold(StreamSlot* shown) {
        if (shown == held) return;
        if (shown != nullptr) stream->begin_use(*shown);
        if (held != nullptr) stream->drop_use(*held);
        held = shown;
    }
};

} // namespace weft::engine
