// The planner at work: one object per call of make_plan.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "graph/chain_build_private.hpp"
#include "graph/codegen_private.hpp"
#include "graph/planner.hpp"
#include "graph/text_cost_private.hpp"

namespace weft::graph {

class Planner {
  public:
    Planner(const Scene& scene, const DeviceTraits& device, const PlannerOptions& options);
    Plan run();

  private:
    // A clip after its own filters: what is left to do while it is fetched.
    struct Clip {
        View view;
        std::vector<FilterUse> folded; // affine, may run after the scale
        std::vector<FilterUse> rest;   // must run at the source's size
    };
    enum class Mode { planes, pixels };

    Image stream_image(int stream, const FramePath& frame = {}) const;
    // A picture of the stream as stored, or deinterlaced into an image of the same codes.
    Image clip_image(const ClipNode& node, const FramePath& frame);
    Image output_image(int output) const;
    // Gives the components of an image, whose sizes and layouts are known, their places one after another in
    // a buffer of its name.
    void place_planes(Image& image);
    Image new_image(const std::string& name, const Image& like, int width, int height, bool floats);
    Image new_pixels(const std::string& name, int width, int height, bool alpha, bool floats);

    // A picture of the clip and the first `count` of its filters.
    Clip prepare(const ClipNode& node, Mode mode, const FramePath& frame = {}, size_t count = SIZE_MAX);
    Image materialise_clip(const Clip& clip, Mode mode, const std::string& name);
    // The whole view of a clip, unscaled.
    Fetch whole_fetch(const View& view);
    // Makes a fetch whose picture stands on its side read one that is upright, mirrored at most.
    void stand_upright(Fetch& fetch);
    // Paints a component that is a copy of an upright picture's straight from what stands on its side;
    // nothing where it is more than that.
    std::optional<Body> turned_straight(const Target& target, int component, const PlacedLayer& layer,
                                        const Cell& cell);
    // Adds the turns of what bodies read.
    void add_turns();
    // The clip behind filter `index`, which reads neighbours in time, as an image at the source's size.
    Image mix_clip(const ClipNode& node, size_t index, Mode mode, const FramePath& frame);
    // Fills `chain` with a picture of a layer without a transition, `clip` fetched, and the first `count` of
    // its filters.
    void chain_layer(Chain& chain, const SceneLayer& layer, size_t count, Mode mode, const Target& target,
                     const Placement& at, const FramePath& frame, Clip clip);
    // What filter `index`, which reads neighbours in time, makes of the pictures before it; gives the state
    // of the values.
    ValueState mix_layer(Chain& chain, const SceneLayer& layer, size_t index, Mode mode, const Target& target,
                         const Placement& at, const FramePath& frame);
    ValueState mixed(Chain& chain, const FilterUse& use, ValueState state) const;
    Image materialise(Chain chain, Mode mode, const Image& like, const std::string& name);
    // `layer` placed and chained for a mode; the chain is cut where the shape demands it.
    PlacedLayer build(const SceneLayer& layer, Mode mode, const Target& target);
    void fetch_clip(const SceneLayer& layer, Clip clip, Mode mode, const Placement& at, Fetch& fetch,
                    std::vector<FilterUse>& point_filters, bool keep_window);
    Placement placed(const SceneLayer& layer, const View& view, const Target& target) const;
    // Whether an 8-bit target must be dithered where these layers, of the scene, are seen.
    bool dithers(const std::vector<int>& layers) const;
    void note_light(const ClipNode& clip);
    void cut(Chain& chain, Mode mode, const Image& like);
    Image cascade(const Image& image, const Stage& stage, Mode mode, Fetch& fetch);
    bool planes_allowed(const SceneLayer& layer, const Target& target);
    void paint(Target target, const std::vector<SceneLayer>& layers);
    std::vector<Op> to_target(const Target& target);
    ValueState state_of(const Image& image, Mode mode) const;
    // Make bodies, count what they do and add them; give the depth of the pass.
    int add_planes(const Target& target, const PlacedLayer& layer, const Cell& cell);
    int add_pixels(const Target& target, const std::vector<PlacedLayer>& layers, const Cell& cell,
                   const std::vector<Op>& to_target);
    void add_body(Body body);
    bool gpu() const { return device_.kind == DeviceKind::gpu; }

    const Scene& scene_;
    const DeviceTraits& device_;
    const PlannerOptions& options_;
    Plan plan_;
    PlanContext context_;
    TextCost texts_;
    std::vector<Body> bodies_;
    std::string layer_name_;
    std::map<std::pair<int, FramePath>, Image> whole_pictures_; // of streams that are deinterlaced
    struct Upright {
        Image stored, image;
        bool backwards = false; // read from the last row on
    };
    std::map<std::string, Upright> upright_; // by the upright image's name
};

// Puts bodies into passes by depth, writes the programs and places the buffers.
void assemble(Plan& plan, std::vector<Body> bodies, const DeviceTraits& device, const std::string& prelude);

} // namespace weft::graph
