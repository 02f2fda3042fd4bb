// Bodies: the text of one rectangle's work, in the shapes for CPUs and GPUs.
#pragma once

#include "base/device_traits.hpp"
#include "graph/emit_private.hpp"

namespace weft::graph {

// What every body is made with.
struct PlanContext {
    const DeviceTraits& device;
    const Shapes& shapes;
    std::vector<PlanBuffer>& buffers; // constant tables and intermediate images are added here
    double aspect = 1;                // of the canvas
};

// What a body paints into.
struct Target {
    Image image;
    Rgba background; // nominal RGB, straight
    bool dither = false;
    bool keep_alpha = false; // the target stores alpha
};

// "wf_dither(...)" of a component's sample (x, y), expressions that count from sample (x0, y0) of the canvas;
// "" where the target is not dithered. The pattern is the canvas's, whatever cells and shapes it is painted
// in.
std::string dither_at(const Target& target, const std::string& x, int x0, const std::string& y, int y0);

// Stored values of a target's or image's component 0 (luma or RGB) and 1 (chroma).
std::array<colour::StoredRange, 2> stored_ranges(const Image& image);

// One component of a single opaque layer, straight from planes to planes.
//   component : of source and target alike
//   cost : of the first stage's steps on a sample, see plane_cost()
Body cpu_plane_body(PlanContext& context, const Target& target, int component, const PlacedLayer& layer,
                    const Cell& cell, double cost);
// Any number of layers through pixels. `to_target` brings working RGB to the target's stored values.
Body cpu_pixel_body(PlanContext& context, const Target& target, const std::vector<PlacedLayer>& layers,
                    const Cell& cell, const std::vector<Op>& to_target);
// One unscaled layer without windows through pixels, block by block of the shared chroma grid.
Body quad_body(PlanContext& context, const Target& target, const PlacedLayer& layer, const Cell& cell,
               const std::vector<Op>& to_target);
bool quad_applies(const Target& target, const PlacedLayer& layer, const Cell& cell);
// The steps of such a chain. A mean of affine results is the result of the mean: what chroma needs of the
// affine steps at the end is computed once for a block, not for each of its pixels.
struct QuadOps {
    std::vector<Op> each; // on every pixel
    std::vector<Op> last; // affine, all that the chain ends with: luma of every pixel, chroma of their mean
};
QuadOps quad_ops(const Chain& chain, const std::vector<Op>& to_target, const Image& target);
// Pixels of a block, and the one that has its chroma.
struct QuadSums {
    std::array<std::string, 3> sums;
    std::string first;
    void add(const std::string& pixel);
    // "const Px @name = ...;" of `count` pixels; last : "@last(" and what the function takes before a pixel
    std::string mean(const std::string& name, const QuadOps& ops, int count, const std::string& last) const;
};
// Say what kind of work a body is and give it the shape for that.
//   layer : as the component needs it, see for_component()
void shape_planes(Body& body, const PlanContext& context, const Target& target, int component,
                  const PlacedLayer& layer, const Cell& cell);
//   work : pixels or layers; windows make layers_windowed of the latter
void shape_pixels(Body& body, const PlanContext& context, const Target& target,
                  const std::vector<PlacedLayer>& layers, const Cell& cell, Work work);

Body gpu_plane_body(PlanContext& context, const Target& target, int component, const PlacedLayer& layer,
                    const Cell& cell);
// The same in two passes where the picture is large and results depend on nothing but codes of 8 bits: a
// table of all results, then what looks them up. cost : see plane_cost()
struct TableBodies {
    Body table, plane;
};
std::optional<TableBodies> gpu_table_bodies(PlanContext& context, const Target& target, int component,
                                            const PlacedLayer& layer, const Cell& cell, double cost);
// As quad_body(), several blocks of the chroma grid to a work-item.
Body gpu_quad_body(PlanContext& context, const Target& target, const PlacedLayer& layer, const Cell& cell,
                   const std::vector<Op>& to_target);
Body gpu_pixel_body(PlanContext& context, const Target& target, const std::vector<PlacedLayer>& layers,
                    const Cell& cell, const std::vector<Op>& to_target);

// Which samples of the full grid, counted from the block's first (from -2 on), become one of a grid thinned
// out by 2^log2, and their weights: the mean over one thin sample's width, centred on its place.
std::vector<std::pair<int, double>> chroma_weights(int log2, double offset);

bool displaces(const FilterManifest& transition); // its pictures, before it mixes them

// Rectangle of a cell in a component's samples.
struct Area {
    int x = 0, y = 0, w = 0, h = 0;
};
Area component_area(const Image& image, int component, int x, int y, int w, int h);

// Taps of both axes of a fetch for one component of a target with this chroma grid.
struct FetchAxes {
    AxisTaps x, y;
    int width = 0, height = 0; // of the result, in the component's samples
};
// Full resolution (the chroma brought to luma's grid) when log2_w and log2_h are 0.
FetchAxes fetch_axes(const Fetch& fetch, int component, int log2_w, int log2_h, colour::ChromaSite site);

// Taps as integers for Q6 lines: weight = tap * scale. The sum is exact, so a flat picture stays flat.
struct IntegerTaps {
    std::vector<int> taps;
    double scale = 1;
};
// limit_bits : the sum of |taps| stays below 2^limit_bits (a line's 15 bits and this must fit 31).
IntegerTaps integer_taps(const std::vector<double>& weights, int limit_bits = 16);
// Weights that are whole multiples of one unit (area, bilinear, most windows) as those multiples; nothing
// when they are not, or when the magnitudes add up to more than `limit`.
std::optional<IntegerTaps> whole_taps(const std::vector<double>& weights, int limit);
// " + 5 * a[0]"; nothing for 0.
std::string tap_product(int tap, const std::string& element, bool first);
// The sum of all products, elements of equal taps added first: symmetric windows take half the
// multiplications. pair_cast: put before the sum of two elements, "(short)" where no two leave 16 bits.
std::string grouped_sum(const std::vector<int>& taps, const std::vector<std::string>& elements,
                        const std::string& pair_cast = {});
std::string float_product(double tap, const std::string& element, bool first);

} // namespace weft::graph
