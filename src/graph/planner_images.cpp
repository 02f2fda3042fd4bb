#include "base/format.hpp"
#include "graph/planner_private.hpp"

namespace weft::graph {
namespace {

SampleLayout layout(const colour::PixelFormat& format, const colour::Component& c, colour::Range range,
                    bool chroma) {
    SampleLayout s;
    const int bytes = format.sample_bytes();
    s.type = format.is_float ? SampleType::f32 : bytes == 2 ? SampleType::u16 : SampleType::u8;
    s.step = c.step / bytes;
    s.offset = c.offset / bytes;
    s.shift = format.is_float ? 0 : c.shift;
    s.depth = c.depth;
    // Bits above the value are zero in every format that FFmpeg defines with one component a word.
    const bool shared = !format.is_float && c.shift + c.depth < bytes * 8 && c.step % bytes != 0;
    s.mask = shared ? (1 << c.depth) - 1 : 0;
    s.unit = format.is_float ? 1.0 : colour::stored_unit(range, c.depth);
    s.bias = format.is_float ? 0.0 : colour::stored_offset(range, c.depth, chroma);
    return s;
}

template<class MakeArg>
Image describe(const colour::PictureFormat& f, const std::string& name, MakeArg arg) {
    const colour::PixelFormat& p = f.pixels;
    Image image;
    image.name = name;
    image.width = f.width;
    image.height = f.height;
    image.meaning = p.model == colour::Model::rgb ? Meaning::rgb : Meaning::ycc;
    image.gray = p.model == colour::Model::gray;
    image.alpha = p.has_alpha;
    image.premultiplied = f.premultiplied;
    image.colour = f.colour;
    image.peak_nits = f.peak_nits;
    image.log2_w = p.log2_chroma_w;
    image.log2_h = p.log2_chroma_h;
    if (p.is_palette) {
        // Red, green, blue and alpha of the palette's words, all through plane 0.
        image.meaning = Meaning::rgb;
        image.gray = false;
        image.alpha = true;
        for (const int shift : {16, 8, 0, 24}) {
            ImageComponent component;
            component.plane = arg(0);
            component.palette = arg(1);
            component.sample.shift = shift;
            component.sample.mask = 255;
            component.width = f.width;
            component.height = f.height;
            image.components.push_back(component);
        }
        return image;
    }
    for (int c = 0; c < p.component_count; ++c) {
        const colour::Component& part = p.components[static_cast<size_t>(c)];
        const bool is_alpha = p.has_alpha && c == p.component_count - 1;
        ImageComponent component;
        component.plane = arg(part.plane);
        component.sample =
            layout(p, part, is_alpha || image.meaning == Meaning::rgb ? colour::Range::full : f.colour.range,
                   p.is_chroma(c));
        component.width = p.component_width(c, f.width);
        component.height = p.component_height(c, f.height);
        image.components.push_back(component);
    }
    return image;
}

} // namespace

Image Planner::stream_image(int stream, const FramePath& frame) const {
    return describe(scene_.streams[static_cast<size_t>(stream)],
                    fmt::format("stream {}{}", stream, frame_name(frame)), [&](int plane) {
                        return Arg(StreamPlane{stream, plane, frame});
                    });
}

Image Planner::output_image(int output) const {
    return describe(scene_.outputs[static_cast<size_t>(output)].format, fmt::format("output {}", output),
                    [&](int plane) {
                        return Arg(OutputPlane{output, plane});
                    });
}

void Planner::place_planes(Image& image) {
    PlanBuffer store;
    store.name = image.name;
    const int buffer = static_cast<int>(plan_.buffers.size());
    for (ImageComponent& component : image.components) {
        component.pitch = (component.width * component.sample.bytes() + 63) / 64 * 64;
        component.byte_offset = static_cast<int>(store.bytes);
        component.plane = BufferArg{buffer};
        store.bytes += static_cast<size_t>(component.pitch) * static_cast<size_t>(component.height);
    }
    plan_.buffers.push_back(store);
}

Image Planner::new_image(const std::string& name, const Image& like, int width, int height, bool floats) {
    Image image = like;
    image.name = name;
    image.width = width;
    image.height = height;
    image.depth = 0;
    image.components.clear();
    const int count = image.colours() + (image.alpha ? 1 : 0);
    for (int c = 0; c < count; ++c) {
        const Area area = component_area(image, c, 0, 0, width, height);
        ImageComponent component;
        component.sample.type = floats ? SampleType::f32 : SampleType::q6;
        component.sample.unit = floats ? 1.0 : 1.0 / (255.0 * 64.0);
        component.sample.depth = floats ? 32 : 16;
        component.width = area.w;
        component.height = area.h;
        image.components.push_back(component);
    }
    place_planes(image);
    return image;
}

Image Planner::new_pixels(const std::string& name, int width, int height, bool alpha, bool floats) {
    Image like;
    like.meaning = Meaning::rgb;
    like.alpha = alpha;
    like.premultiplied = alpha;
    like.linear = scene_.light == Light::linear;
    like.colour = scene_.colour;
    return new_image(name, like, width, height, floats);
}

} // namespace weft::graph
