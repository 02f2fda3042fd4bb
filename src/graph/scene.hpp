// One picture's recipe, with everything resolved: which streams, which filters, where on the canvas. A
// timeline is a list of scenes that hold for a range of ticks; the planner turns one scene into one plan.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "colour/picture_format.hpp"
#include "colour/tone.hpp"
#include "graph/filter_use.hpp"

namespace weft::graph {

enum class Fit { contain, cover, fill, none };
enum class Blend { normal, add, multiply, screen, overlay, darken, lighten, difference };
enum class ScaleMethod { automatic, area, bilinear, bicubic, lanczos, nearest };
enum class Light { display, linear };

struct Rgba {
    double r = 0, g = 0, b = 0, a = 1; // nominal, straight alpha
};

// One clip: a stream's picture through filters at its own size. `crop` in samples of the upright picture.
struct CropRect {
    double x = 0, y = 0, w = 0, h = 0; // w == 0: whole picture
};
struct ClipNode {
    int stream = 0; // index into Scene::streams
    CropRect crop;
    bool deinterlace = false;       // make whole pictures of fields first
    std::vector<FilterUse> filters; // at the source's size
};

// What a layer shows: one clip, or a transition from one to another.
struct PictureNode {
    ClipNode clip;
    std::optional<FilterUse> transition; // set: from `clip` to `next`
    ClipNode next;
    int transition_index = -1; // which of the scene's progress values drives it
};

struct SceneLayer {
    PictureNode picture;
    std::vector<FilterUse> filters;    // after crop and scaling into the rect
    double x = 0, y = 0, w = 0, h = 0; // rect on the canvas in pixels
    Fit fit = Fit::contain;
    ScaleMethod scale = ScaleMethod::automatic;
    double opacity = 1;
    double rotation_degrees = 0; // clockwise, about the rect's centre
    Blend blend = Blend::normal;
    std::string name; // for messages: "layers[0]"
};

// One form of output the scene must be stored in. width and height are the canvas's, or one more when a 4:2:0
// format needs an even size: then the last line or column is repeated.
struct OutputForm {
    colour::PictureFormat format;
};

struct Scene {
    int width = 0, height = 0;
    Rational rate{30};
    colour::ColourSpec colour; // of the canvas: matrix, primaries, transfer of the working light
    Rgba background{0, 0, 0, 1};
    Light light = Light::display;
    colour::ToneMap tone_map = colour::ToneMap::bt2390; // of HDR pictures on a canvas that is not
    std::vector<colour::PictureFormat> streams;         // formats of the streams in use
    std::vector<SceneLayer> layers;                     // bottom to top
    std::vector<FilterUse> filters;                     // on the whole canvas
    std::vector<OutputForm> outputs;
    // Of 8-bit outputs. Absent: where more than eight bits of meaning reach them.
    std::optional<bool> dither;
};

} // namespace weft::graph
