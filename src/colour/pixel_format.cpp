#include "colour/pixel_format.hpp"

#include <algorithm>
#include <initializer_list>
#include <map>

#include "base/error.hpp"

namespace weft::colour {
namespace {

using Table = std::map<std::string, PixelFormat, std::less<>>;

uint8_t byte(int value) {
    return static_cast<uint8_t>(value);
}

// "10le" and the like: FFmpeg leaves the depth out of 8-bit names.
std::string depth_suffix(int depth) {
    return depth == 8 ? "" : std::to_string(depth) + "le";
}

struct Shape {
    const char* name; // without the depth
    int log2_chroma_w, log2_chroma_h;
};

PixelFormat base_format(std::string name, Model model, int components, bool alpha) {
    PixelFormat format;
    format.name = std::move(name);
    format.model = model;
    format.component_count = components;
    format.has_alpha = alpha;
    return format;
}

// One plane a component: `planes` says which, in the order of the components.
PixelFormat planar(std::string name, Model model, bool alpha, int depth, std::initializer_list<int> planes) {
    PixelFormat format = base_format(std::move(name), model, static_cast<int>(planes.size()), alpha);
    format.plane_count = format.component_count;
    format.is_float = depth == 32;
    const int bytes = (depth + 7) / 8;
    size_t c = 0;
    for (const int plane : planes)
        format.components[c++] = {byte(plane), byte(bytes), 0, 0, byte(depth)};
    return format;
}

// Luma, then one plane of chroma pairs. Values lie in the upper bits of their word when `shift` is not 0.
PixelFormat semi_planar(std::string name, Shape chroma, int depth, int shift, bool v_first = false) {
    PixelFormat format = base_format(std::move(name), Model::ycbcr, 3, false);
    format.plane_count = 2;
    format.log2_chroma_w = chroma.log2_chroma_w;
    format.log2_chroma_h = chroma.log2_chroma_h;
    const int bytes = depth > 8 ? 2 : 1;
    const auto component = [&](int plane, int step, int offset) {
        return Component{byte(plane), byte(step), byte(offset), byte(shift), byte(depth)};
    };
    format.components[0] = component(0, bytes, 0);
    format.components[1] = component(1, 2 * bytes, v_first ? bytes : 0);
    format.components[2] = component(1, 2 * bytes, v_first ? 0 : bytes);
    return format;
}

// Everything in one plane, `step` bytes a pixel; `offsets` are in bytes, in the order of the components.
PixelFormat packed(std::string name, Model model, bool alpha, int depth, int step,
                   std::initializer_list<int> offsets) {
    PixelFormat format = base_format(std::move(name), model, static_cast<int>(offsets.size()), alpha);
    size_t c = 0;
    for (const int offset : offsets)
        format.components[c++] = {0, byte(step), byte(offset), 0, byte(depth)};
    return format;
}

// Two pixels share one Cb and one Cr in one plane of `bytes`-wide words; offsets count words.
PixelFormat packed_422(std::string name, int depth, int shift, int y, int cb, int cr) {
    PixelFormat format = base_format(std::move(name), Model::ycbcr, 3, false);
    format.log2_chroma_w = 1;
    const int bytes = depth > 8 ? 2 : 1;
    format.components[0] = {0, byte(2 * bytes), byte(y * bytes), byte(shift), byte(depth)};
    format.components[1] = {0, byte(4 * bytes), byte(cb * bytes), byte(shift), byte(depth)};
    format.components[2] = {0, byte(4 * bytes), byte(cr * bytes), byte(shift), byte(depth)};
    return format;
}

void add(Table& table, PixelFormat format) {
    std::string name = format.name;
    table.emplace(std::move(name), std::move(format));
}

void add_planar_ycbcr(Table& table, Shape shape, std::initializer_list<int> depths, bool alpha = false,
                      bool full_range_name = false) {
    for (const int depth : depths) {
        const std::string name = shape.name + depth_suffix(depth);
        PixelFormat format = alpha ? planar(name, Model::ycbcr, true, depth, {0, 1, 2, 3})
                                   : planar(name, Model::ycbcr, false, depth, {0, 1, 2});
        format.log2_chroma_w = shape.log2_chroma_w;
        format.log2_chroma_h = shape.log2_chroma_h;
        format.full_range_name = full_range_name;
        add(table, std::move(format));
    }
}

void add_ycbcr(Table& table) {
    add_planar_ycbcr(table, {"yuv420p", 1, 1}, {8, 9, 10, 12, 14, 16});
    add_planar_ycbcr(table, {"yuv422p", 1, 0}, {8, 9, 10, 12, 14, 16});
    add_planar_ycbcr(table, {"yuv444p", 0, 0}, {8, 9, 10, 12, 14, 16});
    add_planar_ycbcr(table, {"yuv440p", 0, 1}, {8, 10, 12});
    add_planar_ycbcr(table, {"yuv410p", 2, 2}, {8});
    add_planar_ycbcr(table, {"yuv411p", 2, 0}, {8});
    for (const Shape shape : {Shape{"yuvj420p", 1, 1}, Shape{"yuvj422p", 1, 0}, Shape{"yuvj444p", 0, 0},
                              Shape{"yuvj440p", 0, 1}, Shape{"yuvj411p", 2, 0}})
        add_planar_ycbcr(table, shape, {8}, false, true);
    add_planar_ycbcr(table, {"yuva420p", 1, 1}, {8, 9, 10, 16}, true);
    add_planar_ycbcr(table, {"yuva422p", 1, 0}, {8, 9, 10, 12, 16}, true);
    add_planar_ycbcr(table, {"yuva444p", 0, 0}, {8, 9, 10, 12, 16}, true);

    const Shape c420{"", 1, 1}, c422{"", 1, 0}, c444{"", 0, 0};
    add(table, semi_planar("nv12", c420, 8, 0));
    add(table, semi_planar("nv21", c420, 8, 0, true));
    add(table, semi_planar("nv16", c422, 8, 0));
    add(table, semi_planar("nv24", c444, 8, 0));
    add(table, semi_planar("nv42", c444, 8, 0, true));
    add(table, semi_planar("nv20le", c422, 10, 0));
    for (const int depth : {10, 12, 16}) {
        const std::string suffix = depth_suffix(depth);
        add(table, semi_planar("p0" + suffix, c420, depth, 16 - depth));
        add(table, semi_planar("p2" + suffix, c422, depth, 16 - depth));
        add(table, semi_planar("p4" + suffix, c444, depth, 16 - depth));
    }
    add(table, packed_422("yuyv422", 8, 0, 0, 1, 3));
    add(table, packed_422("uyvy422", 8, 0, 1, 0, 2));
    add(table, packed_422("yvyu422", 8, 0, 0, 3, 1));
    add(table, packed_422("y210le", 10, 6, 0, 1, 3));
    add(table, packed_422("y212le", 12, 4, 0, 1, 3));
    add(table, packed("vuya", Model::ycbcr, true, 8, 4, {2, 1, 0, 3}));
    add(table, packed("vuyx", Model::ycbcr, false, 8, 4, {2, 1, 0}));
    add(table, packed("ayuv64le", Model::ycbcr, true, 16, 8, {2, 4, 6, 0}));
}

void add_gray(Table& table) {
    for (const int depth : {8, 9, 10, 12, 14, 16})
        add(table, planar("gray" + depth_suffix(depth), Model::gray, false, depth, {0}));
    add(table, planar("grayf32le", Model::gray, false, 32, {0}));
    add(table, packed("ya8", Model::gray, true, 8, 2, {0, 1}));
    add(table, packed("ya16le", Model::gray, true, 16, 4, {0, 2}));
}

void add_rgb(Table& table) {
    for (const int depth : {8, 9, 10, 12, 14, 16})
        add(table, planar("gbrp" + depth_suffix(depth), Model::rgb, false, depth, {2, 0, 1}));
    for (const int depth : {8, 10, 12, 16})
        add(table, planar("gbrap" + depth_suffix(depth), Model::rgb, true, depth, {2, 0, 1, 3}));
    add(table, planar("gbrpf32le", Model::rgb, false, 32, {2, 0, 1}));
    add(table, planar("gbrapf32le", Model::rgb, true, 32, {2, 0, 1, 3}));

    add(table, packed("rgb24", Model::rgb, false, 8, 3, {0, 1, 2}));
    add(table, packed("bgr24", Model::rgb, false, 8, 3, {2, 1, 0}));
    add(table, packed("rgba", Model::rgb, true, 8, 4, {0, 1, 2, 3}));
    add(table, packed("bgra", Model::rgb, true, 8, 4, {2, 1, 0, 3}));
    add(table, packed("argb", Model::rgb, true, 8, 4, {1, 2, 3, 0}));
    add(table, packed("abgr", Model::rgb, true, 8, 4, {3, 2, 1, 0}));
    add(table, packed("rgb0", Model::rgb, false, 8, 4, {0, 1, 2}));
    add(table, packed("bgr0", Model::rgb, false, 8, 4, {2, 1, 0}));
    add(table, packed("0rgb", Model::rgb, false, 8, 4, {1, 2, 3}));
    add(table, packed("0bgr", Model::rgb, false, 8, 4, {3, 2, 1}));
    add(table, packed("rgb48le", Model::rgb, false, 16, 6, {0, 2, 4}));
    add(table, packed("bgr48le", Model::rgb, false, 16, 6, {4, 2, 0}));
    add(table, packed("rgba64le", Model::rgb, true, 16, 8, {0, 2, 4, 6}));
    add(table, packed("bgra64le", Model::rgb, true, 16, 8, {4, 2, 0, 6}));

    PixelFormat palette = packed("pal8", Model::rgb, true, 8, 1, {0});
    palette.is_palette = true;
    palette.plane_count = 2;
    add(table, std::move(palette));
}

const Table& formats() {
    static const Table table = [] {
        Table all;
        add_ycbcr(all);
        add_gray(all);
        add_rgb(all);
        return all;
    }();
    return table;
}

// FFmpeg lets "le" be left out of a name on a little-endian machine.
const PixelFormat* find(const std::string& name) {
    auto found = formats().find(name);
    if (found == formats().end()) found = formats().find(name + "le");
    return found == formats().end() ? nullptr : &found->second;
}

constexpr int palette_bytes = 256 * 4;

} // namespace

int PixelFormat::plane_line_bytes(int plane, int w) const {
    if (is_palette && plane == 1) return palette_bytes;
    int bytes = 0;
    for (int c = 0; c < component_count; ++c) {
        const Component& component = components[static_cast<size_t>(c)];
        if (component.plane == plane) bytes = std::max(bytes, component_width(c, w) * component.step);
    }
    return bytes;
}

int PixelFormat::plane_lines(int plane, int h) const {
    if (is_palette && plane == 1) return 1;
    int lines = 0;
    for (int c = 0; c < component_count; ++c)
        if (components[static_cast<size_t>(c)].plane == plane)
            lines = std::max(lines, component_height(c, h));
    return lines;
}

PixelFormat pixel_format(const std::string& ffmpeg_name) {
    if (const PixelFormat* found = find(ffmpeg_name)) return *found;
    const std::string nearest = nearest_name(ffmpeg_name, pixel_format_names());
    throw Error(ErrorKind::unsupported,
                "pixel format '" + ffmpeg_name + "' is not one that kernels load" +
                    (nearest.empty() ? std::string() : "; the nearest is '" + nearest + "'"));
}

bool has_device_loader(const std::string& ffmpeg_name) {
    return find(ffmpeg_name) != nullptr;
}

std::vector<std::string> pixel_format_names() {
    std::vector<std::string> names;
    names.reserve(formats().size());
    for (const auto& [name, format] : formats())
        names.push_back(name);
    return names;
}

} // namespace weft::colour
