// Which kind of work a body is, and the shape that it takes.
#include <algorithm>

#include "graph/codegen_private.hpp"

namespace weft::graph {
namespace {

Samples samples_of(SampleType type) {
    return type == SampleType::u8    ? Samples::bytes
           : type == SampleType::f32 ? Samples::floats
                                     : Samples::words;
}

Samples widest(const Image& image) {
    Samples out = Samples::bytes;
    for (const ImageComponent& component : image.components)
        out = std::max(out, samples_of(component.sample.type));
    return out;
}

// Of everything that a chain fetches.
Samples widest(const Chain& chain) {
    Samples out = widest(chain.a.image);
    for (const Side& other : chain.others)
        out = std::max(out, widest(other.fetch.image));
    return out;
}

bool windowed(const Chain& chain) {
    return std::any_of(chain.stages.begin(), chain.stages.end(), [](const Stage& s) { return s.windowed; });
}

Work plane_work(const Chain& chain, int component) {
    if (chain.mix) return Work::mix;
    if (!windowed(chain)) return chain.a.unscaled() ? Work::point : Work::scale;
    int radius = 0;
    for (const Stage& stage : chain.stages) {
        const WindowTaps& taps = stage.taps[static_cast<size_t>(component)];
        if (!stage.windowed) continue;
        if (taps.separable) return Work::separable;
        radius = std::max({radius, taps.radius_x, taps.radius_y});
    }
    return radius <= 1 ? Work::window3 : radius <= 3 ? Work::window7 : Work::window;
}

void set(Body& body, const PlanContext& context, const ShapeKey& key) {
    body.key = key;
    const auto found = context.shapes.find(key);
    body.tuned = found != context.shapes.end();
    if (body.tuned) body.shape = found->second;
}

double pixels_of(const Cell& cell) {
    return static_cast<double>(cell.w) * cell.h;
}

} // namespace

void shape_planes(Body& body, const PlanContext& context, const Target& target, int component,
                  const PlacedLayer& layer, const Cell& cell) {
    set(body, context,
        {plane_work(layer.chain, component), extent_of(pixels_of(cell)),
         std::max(widest(layer.chain), widest(target.image))});
}

void shape_pixels(Body& body, const PlanContext& context, const Target& target,
                  const std::vector<PlacedLayer>& layers, const Cell& cell, Work work) {
    Samples samples = widest(target.image);
    for (const int number : cell.layers) {
        const Chain& chain = layers[static_cast<size_t>(number)].chain;
        samples = std::max(samples, widest(chain));
        if (work == Work::layers && windowed(chain)) work = Work::layers_windowed;
    }
    set(body, context, {work, extent_of(pixels_of(cell)), samples});
}

} // namespace weft::graph
