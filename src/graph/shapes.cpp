#include "graph/shapes.hpp"

#include <algorithm>

#include "base/format.hpp"

namespace weft::graph {
namespace {

constexpr int columns_listed = static_cast<int>(WindowSums::by_columns);
constexpr int at_once_listed = static_cast<int>(WindowSums::at_once);

bool has_window(Work work) {
    return work == Work::window3 || work == Work::window7 || work == Work::window;
}

std::vector<ShapePart> cpu_parts(Work work, const DeviceTraits& device) {
    std::vector<ShapePart> parts;
    // A block row of the chroma grid is a work-item there.
    if (work != Work::pixels) parts.push_back({&Shape::band, {8, 16, 32, 54, 96, 160, 270}});
    std::vector<int> lanes{8, 16, 32, 64};
    std::erase(lanes, lanes_of({}, device));
    parts.push_back({&Shape::lanes, lanes});
    if (has_window(work)) parts.push_back({nullptr, {at_once_listed, columns_listed}});
    return parts;
}

std::vector<ShapePart> gpu_parts(Work work, const DeviceTraits& device) {
    std::vector<ShapePart> parts;
    const bool block = work != Work::layers && work != Work::layers_windowed;
    if (block) parts.push_back({&Shape::across, {4, 8, 16}});
    if (has_window(work) || work == Work::separable)
        parts.push_back({&Shape::down, {1, 2, 4, 8}});
    else if (work == Work::scale)
        parts.push_back({&Shape::down, {1, 2, 4}});
    else if (work == Work::point || work == Work::mix)
        parts.push_back({&Shape::down, {2, 4}});
    std::vector<int> groups;
    for (const int group : {32, 64, 128, 256, 512})
        if (static_cast<size_t>(group) <= device.max_group_size &&
            static_cast<size_t>(group) != group_of({}, device))
            groups.push_back(group);
    parts.push_back({&Shape::group, groups});
    return parts;
}

} // namespace

Extent extent_of(double pixels) {
    if (pixels <= 640.0 * 480) return Extent::tile;
    if (pixels <= 1280.0 * 720) return Extent::small;
    return pixels <= 2560.0 * 1440 ? Extent::medium : Extent::large;
}

std::vector<ShapeKey> all_shape_keys() {
    std::vector<ShapeKey> keys;
    for (size_t work = 0; work < work_names().size(); ++work)
        for (size_t extent = 0; extent < extent_names().size(); ++extent)
            for (size_t samples = 0; samples < samples_names().size(); ++samples)
                keys.push_back(
                    {static_cast<Work>(work), static_cast<Extent>(extent), static_cast<Samples>(samples)});
    return keys;
}

std::vector<ShapePart> shape_parts(Work work, const DeviceTraits& device) {
    return device.kind == DeviceKind::gpu ? gpu_parts(work, device) : cpu_parts(work, device);
}

Shape with_part(Shape shape, const ShapePart& part, int value) {
    if (part.member)
        shape.*part.member = value;
    else
        shape.sums = static_cast<WindowSums>(value);
    return shape;
}

int lanes_of(const Shape& shape, const DeviceTraits& device) {
    if (shape.lanes > 0) return shape.lanes;
    return device.vector_width >= 16 ? 32 : 16;
}

size_t group_of(const Shape& shape, const DeviceTraits& device) {
    if (device.kind != DeviceKind::gpu) return 1;
    return std::min<size_t>(shape.group > 0 ? static_cast<size_t>(shape.group) : 128, device.max_group_size);
}

int band_of(const Shape& shape, const DeviceTraits& device, int rows, int lead, int grid) {
    // Flat from 54 rows up with windows; without, bands only share out the work. Bands that leave a core idle
    // cost more than their warm-up.
    int band = shape.band > 0 ? shape.band : lead > 0 ? std::max(54, 4 * lead) : 32;
    const int share = (rows + device.compute_units - 1) / device.compute_units;
    band = std::clamp(std::min(band, share), 1, std::max(1, rows));
    return (band + grid - 1) / grid * grid;
}

std::vector<std::string> work_names() {
    return {"point",     "pixels", "window 3x3", "window 7x7", "window larger",
            "separable", "scale",  "mix",        "layers",     "layers with windows"};
}
std::vector<std::string> extent_names() {
    return {"tile", "small", "medium", "large"};
}
std::vector<std::string> samples_names() {
    return {"bytes", "words", "floats"};
}

std::string name(Work work) {
    return work_names()[static_cast<size_t>(work)];
}
std::string name(Extent extent) {
    return extent_names()[static_cast<size_t>(extent)];
}
std::string name(Samples samples) {
    return samples_names()[static_cast<size_t>(samples)];
}

std::string name(const ShapeKey& key) {
    return fmt::format("{}, {}, {}", name(key.work), name(key.extent), name(key.samples));
}

std::string name(const Shape& shape) {
    std::string out;
    const auto part = [&](const char* what, const std::string& value) {
        out += (out.empty() ? "" : ", ") + std::string(what) + " " + value;
    };
    const auto number = [&](const char* what, int value) {
        if (value > 0) part(what, fmt::format("{}", value));
    };
    number("band", shape.band);
    number("lanes", shape.lanes);
    if (shape.sums != WindowSums::by_rule)
        part("sums", shape.sums == WindowSums::at_once ? "at once" : "by columns");
    number("across", shape.across);
    number("down", shape.down);
    number("group", shape.group);
    return out.empty() ? "by rule" : out;
}

} // namespace weft::graph
