// A pipeline file as a value. The short options of the commands build the same value, so there is one model.
// Nothing here is resolved against files: see graph/timeline.hpp.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/error.hpp"
#include "base/rational.hpp"
#include "graph/scene.hpp"

namespace weft::graph {

// A filter as the user wrote it: values are still text (scalars) or lists; checked by FilterLibrary::use().
struct FilterSpec {
    std::string name;
    // Named values in the order written. An empty key is a positional value, as in FFmpeg's "gblur=2".
    std::vector<std::pair<std::string, std::variant<std::string, std::vector<std::string>>>> args;
    std::vector<Place> arg_places; // of each value; same size as args
    Place place;
};

enum class LateRule { hold, hide, placeholder };
enum class EndRule { hold, hide, loop, stop };
enum class ErrorRule { hold, placeholder, stop };
enum class Deinterlace { automatic, on, off };

struct InputSpec {
    std::string name; // "left"; short options name them "1", "2", ...
    std::string url;  // made relative to the pipeline file already, unless it has a scheme or is absolute
    std::optional<Rational> start, duration, end; // seconds of the input's own time
    Rational offset;                              // > 0: later
    std::optional<Rational> rate;                 // of the pictures, when the file's own is wrong
    LateRule late = LateRule::hold;
    EndRule end_rule = EndRule::hold;
    ErrorRule on_error = ErrorRule::hold;
    std::optional<Rational> reconnect;
    bool required = true;
    double volume_db = 0; // linear factors are turned into dB
    bool mute = false;
    std::string video_stream, audio_stream; // number or language; empty: the best
    std::optional<colour::Matrix> matrix;   // overrides of what the file says
    std::optional<colour::Range> range;
    Deinterlace deinterlace = Deinterlace::automatic;
    std::vector<FilterSpec> filters; // at the source's size
    Place place;
};

struct PlayEntry {
    std::string input;
    std::optional<Rational> from, duration; // `start:` within the input, `for:`
    std::vector<FilterSpec> filters;
    Place place;
};
struct TransitionEntry {
    FilterSpec transition; // name and its parameters without `duration`, which stands here
    Rational duration;
    Place place;
};
using TrackEntry = std::variant<PlayEntry, TransitionEntry>;

struct TrackSpec {
    std::string name;
    std::vector<TrackEntry> entries;
    Place place;
};

// A length that is pixels or a share of the canvas.
struct Length {
    double value = 0;
    bool percent = false;
};

struct LayerSpec {
    std::string from;                          // input or track
    std::optional<std::array<Length, 4>> rect; // x, y, w, h; absent: the whole canvas
    std::optional<std::array<Length, 4>> crop; // of the source, x, y, w, h
    Fit fit = Fit::contain;
    ScaleMethod scale = ScaleMethod::automatic;
    double opacity = 1;
    double rotate_degrees = 0;
    Blend blend = Blend::normal;
    std::optional<Rational> at, duration; // `at:` and `for:` on the canvas's time
    std::vector<FilterSpec> filters;
    Place place;
};

struct CanvasSpec {
    std::optional<std::pair<int, int>> size;
    std::optional<Rational> rate;
    Rgba background{0, 0, 0, 1};
    Light light = Light::display;
    std::string colour; // "" = the default rule; "bt709", "bt601", "bt2020", "pq", "hlg"
    colour::ToneMap tone_map = colour::ToneMap::bt2390;
    std::optional<bool> dither; // absent: auto
    // Arranges the layers that have no rect, in order: "", "grid", "hstack", "vstack", or columns x rows as
    // "3x2".
    std::string layout;
    std::vector<FilterSpec> filters;
    Place place;
};

struct CodecSpec {
    std::string codec; // FFmpeg encoder name; "" = by container
    std::optional<double> crf;
    std::string preset;
    std::string pix_fmt;
    std::string bitrate;                                      // "6M"
    std::vector<std::pair<std::string, std::string>> options; // any option of the encoder
};

enum class OutputKind { window, file, null, hash };
struct OutputSpec {
    OutputKind kind = OutputKind::file;
    std::string file;   // path, "-" for stdout, "%04d.png" for pictures, or a URL
    std::string format; // muxer name, "" = by extension; "y4m", "raw"
    CodecSpec video, audio;
    bool no_audio = false;
    Place place;
};

struct PipelineSpec {
    std::string file; // "" when built from options
    CanvasSpec canvas;
    std::vector<InputSpec> inputs;
    std::vector<TrackSpec> tracks;
    std::vector<LayerSpec> layers; // bottom to top; empty: the default rule made them explicit already
    std::vector<OutputSpec> outputs;
    std::optional<Rational> start, duration; // of the whole run, on the canvas's time

    const InputSpec* input(const std::string& name) const;
    const TrackSpec* track(const std::string& name) const;
};

// What the short options of `render` and `play` say, beside the files. Strings as given on the command line.
struct ShortOptions {
    std::vector<std::string> files;
    std::string layout;               // "", "grid", "hstack", "vstack", "3x2"
    std::vector<std::string> filters; // "eq=contrast=1.2", "2:gblur=sigma=2"
    std::string transition;           // "wipeleft:1s" or "wipeleft=softness=0.1:1s"
    std::string size, rate, start, duration, background, tonemap, deinterlace;
};

// Reads a pipeline file. Errors : Errors with every problem at once as file:line:column.
PipelineSpec load_pipeline(const std::string& file);
PipelineSpec parse_pipeline(const std::string& text, const std::string& file_name);
// The same without throwing: gives what could be read and adds the problems, so that a check can go on.
PipelineSpec parse_pipeline(const std::string& text, const std::string& file_name,
                            std::vector<Error>& problems);
// Builds the same value from short options. Errors : Errors.
PipelineSpec pipeline_from_options(const ShortOptions& options);
// Puts short options over a pipeline file: files replace its inputs in order, size rescales pixel rects, ...
void apply_options(PipelineSpec& spec, const ShortOptions& options);
// The spec as YAML that load_pipeline() reads back to the same value.
std::string to_yaml(const PipelineSpec& spec);

// "2.5s", "40ms", "1:02.5", "90" (seconds), "12f" (frames, needs a rate). Errors : bad_input at `place`.
Rational parse_time(const std::string& text, const Place& place = {}, std::optional<Rational> rate = {});
// The text that parse_time() reads back to the same time: "2.5s", or "1001/2500".
std::string time_text(Rational seconds);
// One FFmpeg-style filter string "name=key=value:key=value", FFmpeg's quoting and escaping.
// Errors : usage at `place`.
FilterSpec parse_filter_string(const std::string& text, const Place& place = {});
// Several of them separated by commas, each comma followed by a letter: "eq=contrast=1.2,hflip".
std::vector<FilterSpec> parse_filter_chain(const std::string& text, const Place& place = {});
// "grid", "hstack", "vstack" or "3x2"?
bool is_layout(const std::string& text);
// "wipeleft:1s" or "wipeleft=softness=0.1:1s"; 1 s when no duration is given. Errors : usage.
TransitionEntry parse_transition(const std::string& text, std::optional<Rational> rate = {},
                                 const Place& place = {});
// Names that lead nowhere, tracks and layers that cannot be: whatever needs neither files nor filters.
void check_references(const PipelineSpec& spec, std::vector<Error>& errors);

} // namespace weft::graph
