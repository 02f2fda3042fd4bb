// How the work of a pass is cut up for a device: choices that change its speed and never its picture.
#pragma once

#include <compare>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/device_traits.hpp"

namespace weft::graph {

// Kinds of work that want different shapes.
enum class Work {
    point,          // planes, sample by sample
    pixels,         // the same through RGB, a block of the chroma grid at a time
    window3,        // planes through a window of 3x3
    window7,        // of up to 7x7
    window,         // of more
    separable,      // down, then along
    scale,          // planes, scaled
    mix,            // planes of several pictures: transitions, neighbours in time
    layers,         // what is blended, turned, scaled through RGB
    layers_windowed // the same with a window in it
};
// Pixels that are painted at once: up to 640x480, 1280x720, 2560x1440, and more.
enum class Extent { tile, small, medium, large };
// The widest samples that are read or written.
enum class Samples { bytes, words, floats };

// What is measured and looked up as one.
struct ShapeKey {
    Work work = Work::point;
    Extent extent = Extent::medium;
    Samples samples = Samples::bytes;
    friend auto operator<=>(const ShapeKey&, const ShapeKey&) = default; // NOLINT: no null pointer is there
};
Extent extent_of(double pixels);
// Every key that there is.
std::vector<ShapeKey> all_shape_keys();

// How a window of whole numbers is summed up on a CPU.
enum class WindowSums { by_rule, at_once, by_columns };

// The choices for one key. 0: by rule; a member that is not for the device's kind is not looked at.
struct Shape {
    int band = 0;  // CPU: rows of a work-item, fewer where that leaves units idle
    int lanes = 0; // CPU: results of a step of a vectorised loop
    WindowSums sums = WindowSums::by_rule;
    int across = 0, down = 0; // GPU: samples of a work-item, as far as its kind of work has a say
    int group = 0;            // GPU: work-items of a group
    friend bool operator==(const Shape&, const Shape&) = default;
};

// What was found best; a key that is not there goes by rule.
using Shapes = std::map<ShapeKey, Shape>;

// The parts of a shape that have a say in such work on such a device, one list of values for each; a
// shape takes one value of each list, and all but the rule's own are worth a try. The rule's is 0.
struct ShapePart {
    int Shape::*member = nullptr; // nullptr: `sums`
    std::vector<int> values;
};
std::vector<ShapePart> shape_parts(Work work, const DeviceTraits& device);
Shape with_part(Shape shape, const ShapePart& part, int value);

// The rule's, where the shape leaves them to it.
int lanes_of(const Shape& shape, const DeviceTraits& device);
size_t group_of(const Shape& shape, const DeviceTraits& device);
// rows : to be painted. lead : rows before a band that must be computed again. grid : what a band's rows are
// a multiple of
int band_of(const Shape& shape, const DeviceTraits& device, int rows, int lead, int grid);

// "window 3x3", "medium", "bytes".
std::string name(Work work);
std::string name(Extent extent);
std::string name(Samples samples);
std::vector<std::string> work_names();
std::vector<std::string> extent_names();
std::vector<std::string> samples_names();
// "window 3x3, medium, bytes".
std::string name(const ShapeKey& key);
// "band 64, lanes 16"; "by rule".
std::string name(const Shape& shape);

} // namespace weft::graph
