// The planner's own values: images, what is fetched from them, and the chain of work between fetch and store.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "graph/makers_private.hpp"
#include "graph/plan.hpp"
#include "graph/resample.hpp"
#include "graph/scene.hpp"

namespace weft::graph {

// How one component's samples lie in memory, as the kernel text sees it.
enum class SampleType { u8, u16, q6, f32 }; // q6: signed 16 bit, value * 255 * 64
struct SampleLayout {
    SampleType type = SampleType::u8;
    int step = 1;   // elements from sample to sample
    int offset = 0; // elements before the first
    int shift = 0;
    int mask = 0;            // 0: the element holds nothing else
    int depth = 8;           // bits of the value
    double unit = 1.0 / 255; // value = element * unit + bias
    double bias = 0;         // see colour::stored_offset
    int bytes() const { return type == SampleType::u8 ? 1 : type == SampleType::f32 ? 4 : 2; }
    friend bool operator==(const SampleLayout&, const SampleLayout&) = default;
};

struct ImageComponent {
    Arg plane; // StreamPlane, OutputPlane or BufferArg
    SampleLayout sample;
    int width = 0, height = 0;
    int byte_offset = 0, pitch = 0; // of buffers; streams and outputs bring their own
    // Set: elements are indices into this plane's 256 words 0xAARRGGBB, of which `sample` takes one byte.
    std::optional<Arg> palette;
};

enum class Meaning { ycc, rgb };

// A picture in device memory. Components: Y Cb Cr, R G B or Y alone, then alpha.
struct Image {
    std::string name;
    int width = 0, height = 0;
    std::vector<ImageComponent> components;
    Meaning meaning = Meaning::ycc;
    bool gray = false;
    bool alpha = false;
    bool premultiplied = false;
    bool linear = false;
    colour::ColourSpec colour;
    double peak_nits = 0;       // see colour::PictureFormat
    int log2_w = 0, log2_h = 0; // of chroma
    int depth = 0;              // pass depth after which it is there; streams 0
    int colours() const { return gray ? 1 : 3; }
    // Holds more than lines of 16 bits with 6 of fraction do.
    bool deep() const {
        const SampleLayout& s = components[0].sample;
        return s.type == SampleType::f32 || (s.type == SampleType::u16 && s.depth > 10);
    }
};

// From stored to upright: transposed first, then flipped, all in stored samples.
struct Orientation {
    bool swap = false, flip_x = false, flip_y = false;
    bool plain() const { return !swap && !flip_x && !flip_y; }
};

// A rectangle of an image brought to width x height.
struct Fetch {
    Image image;
    Orientation turn;
    double x = 0, y = 0, w = 0, h = 0; // part of the upright image, luma samples
    int width = 0, height = 0;         // result
    ScaleMethod method = ScaleMethod::automatic;
    // > 0: the scale's kernel is a Gaussian of this sigma, in samples of the component that is read.
    double gaussian_x = 0, gaussian_y = 0;
    bool gaussian() const { return gaussian_x > 0 || gaussian_y > 0; }
    // Sample by sample, all of them within the image.
    bool unscaled() const {
        const double across = turn.swap ? image.height : image.width,
                     down = turn.swap ? image.width : image.height;
        return w == width && h == height && x == static_cast<int>(x) && y == static_cast<int>(y) && x >= 0 &&
               y >= 0 && x + w <= across && y + h <= down;
    }
};

// One step on the values of a pixel.
struct Op {
    enum class Kind {
        matrix,   // rgb' = m * rgb + offset (pixels only)
        plane,    // per component: a * v + b
        text,     // a filter's text
        function, // a prelude function of one float on r, g, b
        pixel,    // a prelude function of a pixel, its `table` if any, and `constants`
        premultiply,
        unpremultiply,
        clamp,
        table // curves or lut3d
    };
    Kind kind = Kind::plane;
    colour::Affine3 affine;
    std::array<double, 4> a{1, 1, 1, 1}, b{0, 0, 0, 0};
    FilterUse use;
    std::string function;
    std::vector<double> constants;
    int buffer = -1;    // of a table, index into Plan::buffers
    int components = 7; // bit mask of the components that a text or function is applied to
    std::array<colour::StoredRange, 2> ranges{}; // what the text is told: luma (or all of RGB), chroma
    std::shared_ptr<const LookupTable> table;
};

// A window filter (not in stage 0) and the steps that follow it.
struct Stage {
    std::array<WindowTaps, 4> taps; // per component
    std::vector<Op> ops;
    bool windowed = false;
    // A Gaussian too wide for taps: runs at a lower resolution. Sigmas in samples.
    bool cascade = false;
    double sigma_x = 0, sigma_y = 0;
    std::string title;
};

// Where the numbers of a chain's result stand.
struct ValueState {
    bool planes = false; // components as stored, each at its own size
    Meaning meaning = Meaning::rgb;
    colour::ColourSpec colour;
    double peak_nits = 0; // of HDR light, see colour::PictureFormat
    bool linear = false;
    bool premultiplied = false;
};

// One of several pictures that are mixed, and the steps on it before.
struct Side {
    Fetch fetch;
    std::vector<Op> ops;
};

// What one layer shows, from fetch to value.
struct Chain {
    Fetch a;
    // Of several pictures: what makes one of them, a transition or a filter that reads neighbours in time,
    // the steps on the first before it, and the others.
    std::optional<FilterUse> mix;
    std::vector<Op> ops_a;
    std::vector<Side> others;
    int transition_index = -1;
    std::array<colour::StoredRange, 2> mix_ranges{}; // lo, mid, hi of the values that are mixed
    std::shared_ptr<const LookupTable> mask;         // of a transition with a mask: size x rows
    std::vector<Stage> stages{1};                    // stages[0] has no window
    int width = 0, height = 0;
    bool alpha = false;
    bool float_lines = false; // Q6 would lose depth or range
    std::string title;
    // The pass after which everything that is fetched is there.
    int depth() const {
        int depth = a.image.depth;
        for (const Side& other : others)
            depth = std::max(depth, other.fetch.image.depth);
        return depth;
    }
};

struct PlacedLayer {
    Chain chain;
    int x = 0, y = 0, w = 0, h = 0; // on the canvas
    double opacity = 1;
    Blend blend = Blend::normal;
    double rotation = 0; // degrees, when not 0 the chain is a plain fetch of an image with alpha
    std::string name;
    bool opaque() const { return !chain.alpha && opacity >= 1 && blend == Blend::normal && rotation == 0; }
};

// A rectangle of the target with a constant list of visible layers, bottom to top.
struct Cell {
    int x = 0, y = 0, w = 0, h = 0;
    std::vector<int> layers;
};

} // namespace weft::graph
