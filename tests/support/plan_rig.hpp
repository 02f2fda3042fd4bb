// Pictures through the planner, the generator and a device: weft's real way, without decoders.
#pragma once

#include <string>
#include <vector>

#include "graph/planner.hpp"
#include "support/filters.hpp"
#include "support/picture.hpp"

namespace weft::test {

// What a plan's result must not depend on.
struct PlanShape {
    bool fuse = true;
    bool planes = true;          // false: everything through RGB
    const Plane* mask = nullptr; // what every mask file holds
    bool gpu = false;            // written for a GPU, whatever the device is
    graph::Shapes shapes = {};   // how its passes are cut up, where not by rule
};

// What a stream or output of this layout and size is: BT.709 primaries, sRGB or BT.709 curves, square pixels.
colour::PictureFormat format_of(const Layout& layout, int width, int height);

// A canvas of this layout and size with one output of the same and no layers.
graph::Scene empty_scene(const Layout& layout, int width, int height);

// The pictures around a stream's, the nearest first, and its fields as graph::FieldsOf says.
struct Around {
    std::vector<Picture> before, behind;
    int fields = graph::FieldsOf::whole;
};

// The scene's first output at this moment; every transition of the scene is at moment.progress. `around` of
// every stream where the scene reads neighbours in time of any.
Picture run_scene(const graph::Scene& scene, const std::vector<Picture>& streams, const Moment& moment = {},
                  const PlanShape& shape = {}, const std::vector<Around>& around = {});
// The plan's passes as text, for messages.
std::string explain_scene(const graph::Scene& scene, const PlanShape& shape = {});

// The kinds of work of its plan and their shapes.
std::vector<graph::ShapeUse> shapes_of_scene(const graph::Scene& scene, const PlanShape& shape = {});

// A chain on a whole picture, canvas and output of its layout; of another size where the chain changes it.
Picture run_chain(const std::vector<graph::FilterUse>& filters, const Picture& in, const Moment& moment = {},
                  const PlanShape& shape = {}, int out_width = 0, int out_height = 0);
Picture run_transition(const graph::FilterUse& transition, const Picture& a, const Picture& b,
                       const Moment& moment, const PlanShape& shape = {});

} // namespace weft::test
