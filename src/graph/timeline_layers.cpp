// Which clip of which layer is due on which ticks, and which streams that takes.
#include <algorithm>
#include <set>

#include "base/format.hpp"
#include "graph/text_private.hpp"
#include "graph/timeline_private.hpp"

namespace weft::graph {
namespace {

// An input's last picture counts for a tick only when it lasts this much beyond it, so that a duration
// rounded up by its container (2/30 s stored as 67/1000) makes no tick of its own.
const Rational rounding_of_containers(1, 1000);

class LayerPlanner {
  public:
    LayerPlanner(const PipelineSpec& spec, const std::vector<InputFacts>& facts, Rational rate,
                 std::vector<StreamUse>& streams, std::vector<std::string>& notes, std::vector<Error>& errors)
        : spec_(spec), facts_(facts), rate_(rate), streams_(streams), notes_(notes), errors_(errors) {}

    std::vector<LayerPlan> plan() {
        std::vector<LayerPlan> out;
        for (size_t i = 0; i < spec_.layers.size(); ++i) {
            LayerPlan plan;
            plan.layer = &spec_.layers[i];
            plan.name = "layers[" + std::to_string(i) + "]";
            plan.first = ticks(plan.layer->at.value_or(0));
            if (plan.layer->duration)
                plan.until = plan.first + std::max<int64_t>(1, ticks(*plan.layer->duration));
            if (const TrackSpec* track = spec_.track(plan.layer->from))
                plan_track(*track, plan);
            else
                plan_input(plan);
            out.push_back(std::move(plan));
        }
        return out;
    }

  private:
    int64_t ticks(Rational seconds) const { return (seconds * rate_).round(); }
    Rational seconds(int64_t tick) const { return Rational(tick) / rate_; }

    const InputSpec& input(const ClipPlan& clip) const {
        return spec_.inputs[static_cast<size_t>(clip.input)];
    }
    const InputFacts& facts(const ClipPlan& clip) const { return facts_[static_cast<size_t>(clip.input)]; }

    void complain(const Place& place, const std::string& problem) {
        errors_.emplace_back(ErrorKind::usage, problem, place);
    }

    static Rational lead(const InputSpec& input) { return std::max(input.offset, Rational(0)); }
    static Rational skipped(const ClipPlan& clip, const InputSpec& input) {
        const Rational from = clip.entry && clip.entry->from ? *clip.entry->from : Rational(0);
        return from + std::max(-input.offset, Rational(0));
    }
    // A still lasts for ever; the cover of a song as long as that.
    bool endless_still(const ClipPlan& clip) const {
        return clip.has_picture && facts(clip).still && !facts(clip).audio_duration;
    }
    bool loops(const ClipPlan& clip) const {
        return input(clip).end_rule == EndRule::loop && !endless_still(clip);
    }

    // A clip that begins at tick `first` and lasts `length`, or as long as its input does.
    ClipPlan make_clip(int index, const PlayEntry* entry, int64_t first, std::optional<Rational> length,
                       const Place& place) {
        ClipPlan clip;
        clip.input = index;
        clip.entry = entry;
        clip.first = first;
        const InputSpec& in = input(clip);
        const InputFacts& known = facts(clip);
        clip.has_picture = known.format.valid();
        if (!clip.has_picture && !known.has_audio) note_missing(in);
        clip.media_end = media_end(clip, place);
        clip.until = length ? first + std::max<int64_t>(1, ticks(*length)) : clip.media_end;
        // Before its offset, and before the first picture that the file itself has, there is nothing to see.
        const Rational delay =
            known.first - in.start.value_or(0) - skipped(clip, in) - rounding_of_containers;
        clip.shows_from = first + ((lead(in) + std::max(delay, Rational(0))) * rate_).ceil();
        return clip;
    }

    int64_t media_end(const ClipPlan& clip, const Place& place) {
        const InputSpec& in = input(clip);
        const InputFacts& known = facts(clip);
        if (endless_still(clip)) return never;
        const bool moves = clip.has_picture && !known.still;
        const std::optional<Rational> all = moves ? known.duration : known.audio_duration;
        if (!all) return never;
        const Rational left = *all - skipped(clip, in);
        if (left <= Rational(0)) {
            const Rational start =
                in.start.value_or(0); // `all` counts from there, below 0 when it is too late
            complain(place, "input '" + in.name + "' is to start at " + time_text(start + skipped(clip, in)) +
                                ", but ends at " + time_text(start + *all));
            return clip.first + 1;
        }
        if (loops(clip)) return never;
        const Rational end = lead(in) + left - rounding_of_containers;
        return clip.first + std::max<int64_t>(1, (end * rate_).ceil());
    }

    void note_missing(const InputSpec& in) {
        if (!noted_.insert(in.name).second) return;
        if (in.required)
            complain(in.place, "input '" + in.name + "' has neither picture nor sound");
        else
            notes_.push_back("input '" + in.name + "' is missing and not required: left out");
    }

    void plan_input(LayerPlan& plan) {
        const int index = input_index(spec_, plan.layer->from);
        ClipPlan clip = make_clip(index, nullptr, plan.first, plan.layer->duration, plan.layer->place);
        const InputSpec& in = input(clip);
        if (in.end_rule == EndRule::hide) clip.shows_until = clip.media_end;
        if (clip.has_picture || facts(clip).has_audio) {
            if (clip.until != never) plan.ends = clip.until;
            if (in.end_rule == EndRule::stop && clip.until != never)
                plan.stops = std::min(clip.until, clip.media_end);
        }
        give_stream(clip, never, in.name, plan);
        plan.clips.push_back(clip);
    }

    void plan_track(const TrackSpec& track, LayerPlan& plan) {
        int64_t at = plan.first;
        const TransitionEntry* pending = nullptr;
        shortened_ = false;
        for (size_t i = 0; i < track.entries.size(); ++i) {
            if (const auto* transition = std::get_if<TransitionEntry>(&track.entries[i])) {
                pending = transition;
                continue;
            }
            const auto& play = std::get<PlayEntry>(track.entries[i]);
            if (!plan.clips.empty()) at = join(track, pending, plan);
            pending = nullptr;
            const int index = input_index(spec_, play.input);
            plan.clips.push_back(make_clip(index, &play, at, play.duration, play.place));
            check_transition_before(track, plan);
            entry_index_.push_back(i);
        }
        finish_track(track, plan);
        entry_index_.clear();
    }

    // The tick at which the next clip begins, behind the last one so far or overlapping with it.
    int64_t join(const TrackSpec& track, const TransitionEntry* entry, LayerPlan& plan) {
        ClipPlan& before = plan.clips.back();
        if (before.until == never) {
            complain(before.entry->place, "track '" + track.name + "': input '" + input(before).name +
                                              "' has no end of its own, so the clip needs 'for'");
            before.until = before.first + 1;
            broken_ = true;
        }
        TransitionPlan transition;
        transition.entry = entry;
        if (entry) transition.ticks = std::max<int64_t>(1, ticks(entry->duration));
        if (transition.ticks > before.until - before.first) {
            too_long(track, *entry, before);
            transition.ticks =
                before.until - before.first; // what follows must not seem to end before it begins
            shortened_ = true;
        }
        transition.first = before.until - transition.ticks;
        plan.transitions.push_back(transition);
        return transition.first;
    }

    void too_long(const TrackSpec& track, const TransitionEntry& entry, const ClipPlan& clip) {
        if (broken_) return;
        complain(entry.place, "track '" + track.name + "': transition '" + entry.transition.name +
                                  "' lasts " + time_text(entry.duration) + ", but clip '" + input(clip).name +
                                  "' only " +
                                  fmt::format("{:.3g}s", seconds(clip.until - clip.first).value()));
    }

    void check_transition_before(const TrackSpec& track, const LayerPlan& plan) {
        if (plan.transitions.empty()) return;
        const TransitionPlan& before = plan.transitions.back();
        const ClipPlan& clip = plan.clips.back();
        if (before.entry && clip.until != never && ticks(before.entry->duration) > clip.until - clip.first) {
            too_long(track, *before.entry, clip);
            shortened_ = true;
        }
    }

    void finish_track(const TrackSpec& track, LayerPlan& plan) {
        for (size_t i = 0; i < plan.clips.size(); ++i) {
            ClipPlan& clip = plan.clips[i];
            const bool last = i + 1 == plan.clips.size();
            if (i > 0 && !last) check_overlap(track, plan.transitions[i - 1], plan.transitions[i], clip);
            const EndRule rule = input(clip).end_rule;
            if (rule == EndRule::hide) clip.shows_until = std::min(clip.media_end, clip.until);
            // Of a clip in the middle only an early end is its own; else the next clip takes over.
            if (rule == EndRule::stop && (clip.media_end < clip.until || (last && clip.until != never)))
                plan.stops = std::min({plan.stops.value_or(never), clip.media_end, clip.until, plan.until});
            const bool limited = !last || (clip.entry->duration.has_value() && !loops(clip));
            give_stream(clip, limited ? clip.until : never,
                        track.name + "[" + std::to_string(entry_index_[i]) + "]", plan);
        }
        if (plan.clips.empty()) return;
        if (const int64_t end = std::min(plan.clips.back().until, plan.until); end != never) plan.ends = end;
    }

    void check_overlap(const TrackSpec& track, const TransitionPlan& before, const TransitionPlan& after,
                       const ClipPlan& clip) {
        if (broken_ || shortened_ || !before.entry || !after.entry ||
            before.first + before.ticks <= after.first)
            return;
        complain(after.entry->place, "track '" + track.name + "': clip '" + input(clip).name + "' lasts " +
                                         time_text(seconds(clip.until - clip.first)) +
                                         ", too short for the transitions before and behind it");
    }

    // Finds the stream with this time map, or adds it.
    //   until : the tick at which the use is over, unless the layer's window closes before
    void give_stream(ClipPlan& clip, int64_t until, const std::string& name, const LayerPlan& plan) {
        const InputSpec& in = input(clip);
        if (!clip.has_picture && !facts(clip).has_audio) return;
        StreamUse use;
        use.input = clip.input;
        use.from = seconds(clip.first) + lead(in);
        use.start = in.start.value_or(0) + skipped(clip, in);
        use.loop = loops(clip);
        use.deinterlace = may_deinterlace(in, facts(clip));
        use.to_its_end =
            until == clip.media_end && until <= plan.until && !(clip.entry && clip.entry->duration);
        until = std::min(until, plan.until);
        if (until != never) {
            use.length = seconds(until) - use.from;
            if (*use.length <= Rational(0)) return; // over before its offset lets it begin
        }
        const auto same = [&](const StreamUse& other) {
            return other.input == use.input && other.from == use.from && other.start == use.start &&
                   other.length == use.length && other.loop == use.loop;
        };
        const auto found = std::find_if(streams_.begin(), streams_.end(), same);
        clip.stream = static_cast<int>(found - streams_.begin());
        if (found != streams_.end()) return;
        const auto taken = [&](const StreamUse& other) { return other.name == name; };
        use.name = std::any_of(streams_.begin(), streams_.end(), taken) ? name + " of " + plan.name : name;
        streams_.push_back(std::move(use));
    }

    const PipelineSpec& spec_;
    const std::vector<InputFacts>& facts_;
    Rational rate_;
    std::vector<StreamUse>& streams_;
    std::vector<std::string>& notes_;
    std::vector<Error>& errors_;
    std::set<std::string> noted_;
    std::vector<size_t> entry_index_; // of each clip of the track at hand
    bool shortened_ = false;          // a transition of the track at hand was complained about as too long
    bool broken_ = false;             // a clip without end was complained about: its length means nothing
};

} // namespace

std::vector<LayerPlan> plan_layers(const PipelineSpec& spec, const std::vector<InputFacts>& facts,
                                   Rational rate, std::vector<StreamUse>& streams,
                                   std::vector<std::string>& notes, std::vector<Error>& errors) {
    return LayerPlanner(spec, facts, rate, streams, notes, errors).plan();
}

std::optional<Rational> trimmed_duration(const InputSpec& input, std::optional<Rational> end_of_file) {
    const Rational start = input.start.value_or(0);
    std::optional<Rational> end = end_of_file;
    const auto limit = [&](Rational at) { end = end ? std::min(*end, at) : at; };
    if (input.end) limit(*input.end);
    if (input.duration) limit(start + *input.duration);
    if (!end) return std::nullopt;
    return *end - start; // below 0: it starts behind its end, and who complains needs to know by how much
}

} // namespace weft::graph
