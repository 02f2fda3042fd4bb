// The steps from a pipeline to its scenes, each a value that the next one reads.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "graph/timeline.hpp"

namespace weft::graph {

constexpr int64_t never = std::numeric_limits<int64_t>::max();

// Every filter of the spec, checked: by the address of its FilterSpec, which the spec keeps still meanwhile.
using FilterUses = std::map<const FilterSpec*, FilterUse>;
FilterUses resolve_filters(const PipelineSpec& spec, const FilterLibrary& library,
                           std::vector<Error>& errors);
// Filters that change the picture's shape come before all others of a layer, or it is a complaint: they act
// before the picture is placed. Those of --filter, which also shape the canvas, become the last
// of its inputs' own: only there can the size change. One behind another filter is a complaint.
void move_shapes(PipelineSpec& spec, const FilterLibrary& library, std::vector<Error>& errors);
std::vector<FilterUse> uses_of(const std::vector<FilterSpec>& filters, const FilterUses& uses);

// One clip of a layer: a slot of ticks, and which stream is seen in it. A layer that shows an input has one
// clip.
struct ClipPlan {
    int input = 0;                               // index into the spec's inputs
    const PlayEntry* entry = nullptr;            // of a track, else nullptr
    int64_t first = 0, until = never;            // the slot
    int64_t shows_from = 0, shows_until = never; // when there is a picture, by offset and end rule
    int64_t media_end = never;                   // tick at which the input itself is over
    int stream = -1;                             // index into Timeline::streams; -1: nothing to see or hear
    bool has_picture = false;
};

// Between clips[i] and clips[i + 1]; ticks == 0 is a cut.
struct TransitionPlan {
    const TransitionEntry* entry = nullptr;
    int64_t first = 0, ticks = 0;
};

struct LayerPlan {
    const LayerSpec* layer = nullptr;
    std::string name; // "layers[0]"
    std::vector<ClipPlan> clips;
    std::vector<TransitionPlan> transitions;
    int64_t first = 0, until = never; // the window in which the layer may be seen
    std::optional<int64_t> ends;      // when it has nothing more to play; none: it never ends by itself
    std::optional<int64_t> stops;     // when `end: stop` ends the run
};

// Places every layer on the canvas's ticks and gives its clips their streams.
std::vector<LayerPlan> plan_layers(const PipelineSpec& spec, const std::vector<InputFacts>& facts,
                                   Rational rate, std::vector<StreamUse>& streams,
                                   std::vector<std::string>& notes, std::vector<Error>& errors);

// The facts with each picture as its input's own filters of shape leave it, upright: what the canvas and its
// layout go by.
std::vector<InputFacts> shaped(const PipelineSpec& spec, const std::vector<InputFacts>& facts,
                               const FilterUses& uses);
// resolve_canvas() of such facts.
CanvasFormat canvas_of(const PipelineSpec& spec, const std::vector<InputFacts>& shapes);

// Whether an input's pictures are to be deinterlaced: from the first on, or once one says that it is fields.
bool deinterlaces(const InputSpec& input, const InputFacts& facts);
bool may_deinterlace(const InputSpec& input, const InputFacts& facts);

// Where a layer stands on the canvas, in pixels.
struct LayerRect {
    double x = 0, y = 0, w = 0, h = 0;
};
// One for each layer: its rect, its place in canvas.layout, or the whole canvas. A layer that only sounds
// takes no place in the layout.
std::vector<LayerRect> layer_rects(const PipelineSpec& spec, const std::vector<InputFacts>& facts,
                                   const CanvasFormat& canvas);
OutputForm complete_output(OutputForm form, const CanvasFormat& canvas, std::vector<std::string>& notes);

// Has it sound and no picture? A missing input has neither, and keeps its place.
bool is_sound_only(const InputFacts& facts);

// Index of the input that the canvas takes after: the first moving one, else the first still; -1: none has a
// picture.
int leading_input(const PipelineSpec& spec, const std::vector<InputFacts>& facts);

// Index of the input that a layer shows, or shows first; -1 when there is none.
int first_input(const PipelineSpec& spec, const LayerSpec& layer);
int input_index(const PipelineSpec& spec, const std::string& name);

// The input's format with what the pipeline says over what the file says.
colour::PictureFormat input_format(const InputSpec& input, const InputFacts& facts);

} // namespace weft::graph
