#include "graph/timeline.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "graph/planner.hpp"
#include "graph/text_private.hpp"
#include "graph/timeline_private.hpp"

namespace weft::graph {
namespace {

// What a layer shows at one tick.
struct LayerState {
    int clip = -1; // index into LayerPlan::clips; -1: nothing
    int next = -1; // >= 0: a transition from `clip` to this one is on
    friend bool operator==(const LayerState&, const LayerState&) = default;
};
using SceneState = std::vector<LayerState>; // one for each layer

bool shows(const ClipPlan& clip, int64_t tick) {
    return clip.has_picture && clip.stream >= 0 && tick >= clip.shows_from && tick < clip.shows_until;
}

LayerState state_at(const LayerPlan& plan, int64_t tick) {
    LayerState out;
    if (tick < plan.first || tick >= plan.until || plan.clips.empty()) return out;
    size_t current = 0;
    while (current + 1 < plan.clips.size() && plan.clips[current + 1].first <= tick)
        ++current;
    if (shows(plan.clips[current], tick)) out.clip = static_cast<int>(current);
    if (current == 0) return out;
    const TransitionPlan& transition = plan.transitions[current - 1];
    const ClipPlan& before = plan.clips[current - 1];
    if (tick >= transition.first + transition.ticks || !before.has_picture || before.stream < 0) return out;
    if (out.clip < 0) return {static_cast<int>(current) - 1, -1}; // the next has no picture yet
    return {static_cast<int>(current) - 1, static_cast<int>(current)};
}

// Ticks of (first, end) at which any layer may begin to show something else.
std::vector<int64_t> breaks(const std::vector<LayerPlan>& plans, int64_t first, int64_t end) {
    std::set<int64_t> out{first};
    const auto add = [&](int64_t tick) {
        if (tick > first && tick < end) out.insert(tick);
    };
    for (const LayerPlan& plan : plans) {
        add(plan.first);
        add(plan.until);
        for (const ClipPlan& clip : plan.clips) {
            add(clip.first);
            add(clip.shows_from);
            add(clip.shows_until);
        }
        for (const TransitionPlan& transition : plan.transitions)
            add(transition.first + transition.ticks);
    }
    return {out.begin(), out.end()};
}

class SceneBuilder {
  public:
    SceneBuilder(const PipelineSpec& spec, const std::vector<InputFacts>& facts, const FilterUses& uses,
                 const std::vector<LayerPlan>& plans, const CanvasFormat& canvas,
                 std::vector<LayerRect> rects, const std::vector<OutputForm>& outputs,
                 std::vector<Error>& errors)
        : spec_(spec), facts_(facts), uses_(uses), plans_(plans), canvas_(canvas), outputs_(outputs),
          rects_(std::move(rects)), errors_(errors) {}

    // `origin` is the tick that becomes tick 0.
    TimelineScene build(const SceneState& state, int64_t origin) {
        TimelineScene out;
        Scene& scene = out.scene;
        scene.width = canvas_.width;
        scene.height = canvas_.height;
        scene.rate = canvas_.rate;
        scene.colour = canvas_.colour;
        scene.background = spec_.canvas.background;
        scene.light = spec_.canvas.light;
        scene.tone_map = spec_.canvas.tone_map;
        scene.filters = uses_of(spec_.canvas.filters, uses_);
        scene.outputs = outputs_;
        for (size_t i = 0; i < plans_.size(); ++i)
            if (state[i].clip >= 0) add_layer(plans_[i], state[i], rects_[i], origin, out);
        scene.dither = spec_.canvas.dither;
        return out;
    }

  private:
    void add_layer(const LayerPlan& plan, const LayerState& state, const LayerRect& rect, int64_t origin,
                   TimelineScene& out) {
        const LayerSpec& spec = *plan.layer;
        SceneLayer layer;
        layer.name = plan.name;
        layer.x = rect.x;
        layer.y = rect.y;
        layer.w = rect.w;
        layer.h = rect.h;
        layer.fit = spec.fit;
        layer.scale = spec.scale;
        layer.opacity = spec.opacity;
        layer.rotation_degrees = spec.rotate_degrees;
        layer.blend = spec.blend;
        // What changes the shape acts on the picture before it is placed; see move_shapes().
        layer.filters = uses_of(spec.filters, uses_);
        const auto rest = std::find_if(layer.filters.begin(), layer.filters.end(),
                                       [](const FilterUse& use) { return !use.manifest->geometry; });
        const std::vector<FilterUse> shapes(layer.filters.begin(), rest);
        layer.filters.erase(layer.filters.begin(), rest);
        layer.picture.clip = clip_node(spec, plan.clips[static_cast<size_t>(state.clip)], shapes, out);
        if (state.next >= 0) {
            const TransitionPlan& transition = plan.transitions[static_cast<size_t>(state.clip)];
            if (const auto use = uses_.find(&transition.entry->transition); use != uses_.end())
                layer.picture.transition = use->second;
            layer.picture.next = clip_node(spec, plan.clips[static_cast<size_t>(state.next)], shapes, out);
            layer.picture.transition_index = static_cast<int>(out.transitions.size());
            out.transitions.push_back({transition.first - origin, transition.ticks});
        }
        out.scene.layers.push_back(std::move(layer));
    }

    ClipNode clip_node(const LayerSpec& layer, const ClipPlan& clip, const std::vector<FilterUse>& shapes,
                       TimelineScene& out) {
        const InputSpec& input = spec_.inputs[static_cast<size_t>(clip.input)];
        const colour::PictureFormat format = input_format(input, facts_[static_cast<size_t>(clip.input)]);
        ClipNode node;
        const auto found = std::find(out.streams.begin(), out.streams.end(), clip.stream);
        node.stream = static_cast<int>(found - out.streams.begin());
        if (found == out.streams.end()) {
            out.streams.push_back(clip.stream);
            out.scene.streams.push_back(format);
        }
        node.deinterlace = deinterlaces(input, facts_[static_cast<size_t>(clip.input)]);
        node.filters = uses_of(input.filters, uses_);
        if (clip.entry) {
            const std::vector<FilterUse> own = uses_of(clip.entry->filters, uses_);
            node.filters.insert(node.filters.end(), own.begin(), own.end());
        }
        if (layer.crop) node.crop = crop_rect(layer, format, node.filters.empty());
        node.filters.insert(node.filters.end(), shapes.begin(), shapes.end());
        return node;
    }

    // Filters may change the size, and then only the planner knows it.
    CropRect crop_rect(const LayerSpec& layer, const colour::PictureFormat& format, bool size_known) {
        const bool turned = format.rotation % 2 != 0;
        const double w = turned ? format.height : format.width, h = turned ? format.width : format.height;
        const auto pixels = [](const Length& length, double whole) {
            return length.percent ? length.value * whole / 100 : length.value;
        };
        const auto& crop = *layer.crop;
        const CropRect out{pixels(crop[0], w), pixels(crop[1], h), pixels(crop[2], w), pixels(crop[3], h)};
        const bool inside = out.x >= 0 && out.y >= 0 && out.w > 0 && out.h > 0 && out.x + out.w <= w + 1e-6 &&
                            out.y + out.h <= h + 1e-6;
        if (size_known && !inside && cropped_.insert(&layer).second)
            errors_.emplace_back(ErrorKind::usage,
                                 "crop of '" + layer.from + "' reaches beyond its picture of " +
                                     std::to_string(static_cast<int>(w)) + "x" +
                                     std::to_string(static_cast<int>(h)),
                                 layer.place);
        return out;
    }

    const PipelineSpec& spec_;
    const std::vector<InputFacts>& facts_;
    const FilterUses& uses_;
    const std::vector<LayerPlan>& plans_;
    const CanvasFormat& canvas_;
    const std::vector<OutputForm>& outputs_;
    std::vector<LayerRect> rects_;
    std::vector<Error>& errors_;
    std::set<const LayerSpec*> cropped_;
};

std::vector<TimelineScene> build_scenes(SceneBuilder& builder, const std::vector<LayerPlan>& plans,
                                        int64_t first, int64_t end) {
    std::vector<TimelineScene> out;
    SceneState previous;
    const std::vector<int64_t> starts = breaks(plans, first, end);
    for (size_t i = 0; i < starts.size(); ++i) {
        SceneState state;
        for (const LayerPlan& plan : plans)
            state.push_back(state_at(plan, starts[i]));
        const int64_t until = i + 1 < starts.size() ? starts[i + 1] : end;
        const int64_t until_here = until == never ? never : until - first;
        if (!out.empty() && state == previous) {
            out.back().until_tick = until_here;
            continue;
        }
        out.push_back(builder.build(state, first));
        out.back().from_tick = starts[i] - first;
        out.back().until_tick = until_here;
        previous = std::move(state);
    }
    return out;
}

// The tick at which the run ends, on the spec's own time; `never` when it does not.
int64_t run_end(const PipelineSpec& spec, const std::vector<LayerPlan>& plans, int64_t first, Rational rate,
                bool live, std::vector<Error>& errors) {
    int64_t last = 0, stop = never;
    for (const LayerPlan& plan : plans) {
        if (plan.ends) last = std::max(last, *plan.ends);
        if (plan.stops) stop = std::min(stop, *plan.stops);
    }
    int64_t end = std::min(last > 0 ? last : never, stop);
    if (spec.duration) end = std::min(end, first + std::max<int64_t>(1, (*spec.duration * rate).round()));
    if (end == never && !live)
        errors.emplace_back(ErrorKind::usage,
                            "no input ends by itself, so the pipeline needs a duration (--duration)",
                            Place{spec.file, 0, 0});
    if (end <= first) {
        errors.emplace_back(ErrorKind::usage,
                            "start is " + time_text(spec.start.value_or(0)) + ", but the pipeline ends at " +
                                time_text(Rational(end) / rate),
                            Place{spec.file, 0, 0});
        end = first + 1;
    }
    return end;
}

std::vector<AudioUse> audio_uses(const PipelineSpec& spec, const std::vector<InputFacts>& facts,
                                 const std::vector<LayerPlan>& plans, Rational rate) {
    std::vector<AudioUse> out;
    std::set<int> heard;
    for (const LayerPlan& plan : plans) {
        for (size_t i = 0; i < plan.clips.size(); ++i) {
            const ClipPlan& clip = plan.clips[i];
            const InputSpec& input = spec.inputs[static_cast<size_t>(clip.input)];
            if (clip.stream < 0 || input.mute || !facts[static_cast<size_t>(clip.input)].has_audio) continue;
            if (!heard.insert(clip.stream).second) continue;
            AudioUse use;
            use.stream = clip.stream;
            use.gain = std::pow(10.0, input.volume_db / 20);
            if (i > 0) use.fade_in = Rational(plan.transitions[i - 1].ticks) / rate;
            if (i < plan.transitions.size()) use.fade_out = Rational(plan.transitions[i].ticks) / rate;
            out.push_back(use);
        }
    }
    return out;
}

// Makes `origin` (seconds) the new zero and drops what is over by then or never used.
void shift_streams(Timeline& timeline, Rational origin, int64_t end_tick) {
    std::vector<bool> used(timeline.streams.size(), false);
    for (const TimelineScene& scene : timeline.scenes)
        for (const int stream : scene.streams)
            used[static_cast<size_t>(stream)] = true;
    std::erase_if(timeline.audio, [&](const AudioUse& use) {
        const StreamUse& stream = timeline.streams[static_cast<size_t>(use.stream)];
        const bool over = stream.length && stream.from + *stream.length <= origin;
        const bool after = end_tick != never && stream.from >= Rational(end_tick) / timeline.rate;
        return over || after;
    });
    for (const AudioUse& use : timeline.audio)
        used[static_cast<size_t>(use.stream)] = true;

    std::vector<int> moved(timeline.streams.size(), -1);
    std::vector<StreamUse> kept;
    for (size_t i = 0; i < timeline.streams.size(); ++i) {
        if (!used[i]) continue;
        moved[i] = static_cast<int>(kept.size());
        StreamUse use = std::move(timeline.streams[i]);
        use.from = use.from - origin;
        // A loop's map depends on where it began; all others can simply begin later.
        if (use.from < Rational(0) && !use.loop) {
            use.start = use.start - use.from;
            if (use.length) use.length = std::max(*use.length + use.from, Rational(0));
            use.from = 0;
        }
        kept.push_back(std::move(use));
    }
    timeline.streams = std::move(kept);
    for (TimelineScene& scene : timeline.scenes)
        for (int& stream : scene.streams)
            stream = moved[static_cast<size_t>(stream)];
    for (AudioUse& use : timeline.audio)
        use.stream = moved[static_cast<size_t>(use.stream)];
}

void note_canvas(const PipelineSpec& spec, int leader, const CanvasFormat& canvas,
                 std::vector<std::string>& notes) {
    std::string text = "canvas: " + std::to_string(canvas.width) + "x" + std::to_string(canvas.height) +
                       " at " + canvas.rate.text() + ", " + colour::name(canvas.colour.matrix);
    if (canvas.colour.transfer == colour::Transfer::pq || canvas.colour.transfer == colour::Transfer::hlg)
        text += ", " + colour::name(canvas.colour.transfer);
    if (leader >= 0 && (!spec.canvas.size || !spec.canvas.rate))
        text += ", after input '" + spec.inputs[static_cast<size_t>(leader)].name + "'";
    notes.push_back(std::move(text));
}

// Layers that stand beside the canvas.
std::vector<Error> unseen_layers(const std::vector<LayerPlan>& plans, const std::vector<LayerRect>& rects,
                                 const CanvasFormat& canvas) {
    std::vector<Error> out;
    for (size_t i = 0; i < plans.size(); ++i) {
        const LayerPlan& plan = plans[i];
        const bool any = std::any_of(plan.clips.begin(), plan.clips.end(),
                                     [](const ClipPlan& clip) { return clip.has_picture; });
        const LayerRect& rect = rects[i];
        // Turned about its centre, it reaches as far as its diagonal at most.
        const bool turned = std::fmod(plan.layer->rotate_degrees, 360) != 0;
        const double reach = std::hypot(rect.w, rect.h) / 2;
        const double across = turned ? reach : rect.w / 2, down = turned ? reach : rect.h / 2;
        const double x = rect.x + rect.w / 2, y = rect.y + rect.h / 2;
        const bool seen =
            x + across > 0 && y + down > 0 && x - across < canvas.width && y - down < canvas.height;
        if (!any || seen) continue;
        out.emplace_back(ErrorKind::usage,
                         plan.name + ": its rect " + number_text(rect.w) + "x" + number_text(rect.h) +
                             " at " + number_text(rect.x) + "," + number_text(rect.y) +
                             " lies outside the canvas of " + std::to_string(canvas.width) + "x" +
                             std::to_string(canvas.height) + ": nothing of it is seen",
                         plan.layer->place);
    }
    return out;
}

} // namespace

const TimelineScene& Timeline::at(int64_t tick) const {
    WEFT_CHECK(!scenes.empty());
    const auto after =
        std::upper_bound(scenes.begin(), scenes.end(), tick,
                         [](int64_t t, const TimelineScene& scene) { return t < scene.from_tick; });
    return after == scenes.begin() ? scenes.front() : *(after - 1);
}

Timeline resolve_timeline(const PipelineSpec& given, const std::vector<InputFacts>& facts,
                          const FilterLibrary& library, const std::vector<OutputForm>& outputs, bool live) {
    WEFT_CHECK(facts.size() == given.inputs.size());
    std::vector<Error> errors;
    PipelineSpec settled = with_sound_aside(given, facts);
    move_shapes(settled, library, errors);
    const PipelineSpec& spec = settled;
    const auto throw_all = [&] {
        if (!errors.empty()) throw Errors(std::move(errors));
    };
    check_references(spec, errors);
    const FilterUses uses = resolve_filters(spec, library, errors);
    const std::vector<InputFacts> shapes = shaped(spec, facts, uses);
    CanvasFormat canvas{};
    try {
        canvas = canvas_of(spec, shapes);
    } catch (const Error& e) {
        errors.push_back(e);
    }
    throw_all(); // what follows needs names that lead somewhere and a rate

    Timeline out;
    out.width = canvas.width;
    out.height = canvas.height;
    out.rate = canvas.rate;
    out.colour = canvas.colour;
    note_canvas(spec, leading_input(spec, facts), canvas, out.notes);
    std::vector<OutputForm> forms;
    for (const OutputForm& form : outputs)
        forms.push_back(complete_output(form, canvas, out.notes));

    const std::vector<LayerPlan> plans = plan_layers(spec, facts, out.rate, out.streams, out.notes, errors);
    const int64_t first = (spec.start.value_or(0) * out.rate).round();
    const int64_t end = run_end(spec, plans, first, out.rate, live, errors);
    throw_all();
    const std::vector<LayerRect> rects = layer_rects(spec, shapes, canvas);
    out.warnings = unseen_layers(plans, rects, canvas);
    SceneBuilder builder(spec, facts, uses, plans, canvas, rects, forms, errors);
    out.scenes = build_scenes(builder, plans, first, end);
    throw_all();
    out.audio = audio_uses(spec, facts, plans, out.rate);
    if (end != never) out.ticks = end - first;
    shift_streams(out, Rational(first) / out.rate, end);
    for (const TimelineScene& scene : out.scenes)
        for (size_t i = 0; i < scene.streams.size(); ++i) {
            StreamUse& use = out.streams[static_cast<size_t>(scene.streams[i])];
            use.neighbours = std::max(use.neighbours, neighbours_read(scene.scene, static_cast<int>(i)));
        }
    return out;
}

} // namespace weft::graph
