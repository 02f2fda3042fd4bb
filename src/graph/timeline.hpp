// From a pipeline and what its inputs turned out to be, to the scenes that are shown when.
#pragma once

#include <string>
#include <vector>

#include "base/error.hpp"
#include "colour/picture_format.hpp"
#include "graph/filter_library.hpp"
#include "graph/pipeline_spec.hpp"
#include "graph/scene.hpp"

namespace weft::graph {

// What the engine found out about an input by opening it.
struct InputFacts {
    colour::PictureFormat format; // valid() false: no video
    std::optional<Rational>
        duration;       // of the video that is left to play, see trimmed_duration(); none: endless or still
    bool still = false; // one picture, shown for as long as it is used
    Rational first; // of the video: from its zero to its first picture, above 0 where an edit list delays it
                    // or it begins between key frames
    bool interlaced = false;      // its pictures are pairs of fields, by the file or its first picture
    bool may_have_fields = false; // any of its pictures may say that it is one, whatever the file says
    bool has_audio = false;
    std::optional<Rational> audio_duration;
};

// What InputSpec::start, end and duration leave of an input whose own end (seconds from its zero) is known or
// not; below 0 when it starts behind that end.
std::optional<Rational> trimmed_duration(const InputSpec& input, std::optional<Rational> end_of_file);

// A stream: one use of an input with one time map. Input time = start + (tick_time - from) while shown;
// InputSpec's start is in `start` already. A loop jumps from the input's trimmed end to its InputSpec::start.
// A scene that shows a stream past its length or its end shows its last picture.
struct StreamUse {
    int input = 0;  // index into PipelineSpec::inputs
    Rational from;  // canvas time at which the use begins, offset included; below 0 for loops cut by --start
    Rational start; // input time shown at `from`
    std::optional<Rational> length; // canvas time it lasts; none: to the end of the run
    bool to_its_end = false;        // `length` is where the input ends, not what anybody asked for
    bool loop = false;              // end: loop
    // It may show pictures that are pairs of fields and are to be made whole: with one more picture on each
    // side, while they do.
    bool deinterlace = false;
    int neighbours = 0; // pictures before and behind the one that is due that plans read in any case
    std::string name;   // "left", "show[2]"
};

// An interval of one transition, for the progress value: k-th of N frames has progress k / N.
struct TransitionTime {
    int64_t first_tick = 0;
    int64_t ticks = 1; // N
};

struct TimelineScene {
    int64_t from_tick = 0, until_tick = 0; // [from, until)
    Scene scene;
    std::vector<int> streams;                // Scene::streams[i] is Timeline::streams[streams[i]]
    std::vector<TransitionTime> transitions; // progress of PictureNode::transition_index
};

// Audio of one use: gain over canvas time is piecewise (fades at transitions are constant-power).
struct AudioUse {
    int stream = 0;             // index into Timeline::streams: same input and time map
    double gain = 1;            // linear
    Rational fade_in, fade_out; // seconds at the use's begin and end
};

struct Timeline {
    int width = 0, height = 0;
    Rational rate;
    colour::ColourSpec colour;
    std::vector<StreamUse> streams;
    std::vector<TimelineScene> scenes; // gapless, in order
    std::vector<AudioUse> audio;
    std::optional<int64_t> ticks;   // none: endless (live only)
    std::vector<std::string> notes; // what defaults decided, one line each
    std::vector<Error> warnings;    // what is allowed and hardly meant, each with its place

    const TimelineScene& at(int64_t tick) const;
};

// A pipeline made by short options, once its inputs are known: what only sounds leaves the sequence of
// pictures that --transition made and plays beside it from the beginning. A pipeline file says itself what
// plays when and comes back as it is, as does a sequence of sounds alone.
PipelineSpec with_sound_aside(const PipelineSpec& spec, const std::vector<InputFacts>& facts);

// facts[i] belongs to spec.inputs[i]; `outputs` are the forms the canvas is stored in (each one's size is
// filled in here, and whatever of its colour is unspecified). Time 0 of the result is spec.start.
//   live : without an end of its own the timeline is endless instead of an error
// Errors : Errors with every problem (unknown input, transition longer than a clip, no duration, ...).
Timeline resolve_timeline(const PipelineSpec& spec, const std::vector<InputFacts>& facts,
                          const FilterLibrary& library, const std::vector<OutputForm>& outputs,
                          bool live = false);

// The pipeline as it is run: shape-changing filters that --filter gave first belong to the inputs, which is
// how a file must say it too.
PipelineSpec with_shapes_first(PipelineSpec spec, const FilterLibrary& library);

// What is wrong with the filters and transitions of a pipeline, without opening any input.
std::vector<Error> check_filters(const PipelineSpec& spec, const FilterLibrary& library);

// Size and matrix of the canvas by the default rule, without building anything (for probe, window size).
// Filters of shape (crop, transpose) of the input that it takes after count: what is cropped to 320x180 makes
// a canvas of that.
struct CanvasFormat {
    int width, height;
    Rational rate;
    colour::ColourSpec colour;
};
CanvasFormat resolve_canvas(const PipelineSpec& spec, const std::vector<InputFacts>& facts,
                            const FilterLibrary& library);

} // namespace weft::graph
