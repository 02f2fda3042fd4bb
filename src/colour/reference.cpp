#include "colour/reference.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "base/error.hpp"

namespace weft::colour::reference {
namespace {

constexpr double chosen_white = 1.0; // alpha of a pixel without alpha

const Component& component_of(const PixelFormat& format, int c) {
    return format.components[static_cast<size_t>(c)];
}

bool is_alpha(const PixelFormat& format, int c) {
    return format.has_alpha && c == format.component_count - 1;
}

// Alpha is full range whatever the colour's range is.
CodeScale scale_of(const PictureFormat& format, int c) {
    const int depth = component_of(format.pixels, c).depth;
    return code_scale(is_alpha(format.pixels, c) ? Range::full : format.colour.range, depth,
                      format.pixels.is_chroma(c));
}

void put(uint8_t* at, const PixelFormat& format, const Component& component, double value) {
    if (format.is_float) {
        const float single = static_cast<float>(value);
        std::memcpy(at, &single, sizeof single);
        return;
    }
    const double largest = std::ldexp(1.0, component.depth) - 1;
    const auto code = static_cast<uint32_t>(std::clamp(std::floor(value + 0.5), 0.0, largest))
                      << component.shift;
    for (int i = 0; i < format.sample_bytes(); ++i)
        at[i] = static_cast<uint8_t>(code >> (8 * i));
}

PictureFormat as_rgba(PictureFormat format) {
    format.pixels = pixel_format("rgba");
    return format;
}

Samples read_palette(const HostPlanes& planes, const PictureFormat& format) {
    Samples out = blank(as_rgba(format));
    constexpr size_t byte_of[4] = {2, 1, 0, 3}; // 0xAARRGGBB, low byte first
    for (int y = 0; y < format.height; ++y)
        for (int x = 0; x < format.width; ++x) {
            const auto index = static_cast<size_t>(load(planes, format.pixels, 0, x, y));
            for (int c = 0; c < 4; ++c)
                out(c, x, y) = planes.data[1][index * 4 + byte_of[c]];
        }
    return out;
}

Rgba with_colour(const Rgba& pixel, const Vec3& colour) {
    return {colour[0], colour[1], colour[2], pixel.a};
}

Rgba premultiplied(const Rgba& p) {
    return {p.r * p.a, p.g * p.a, p.b * p.a, p.a};
}
Rgba straight(const Rgba& p) {
    return p.a > 0 ? Rgba{p.r / p.a, p.g / p.a, p.b / p.a, p.a} : Rgba{0, 0, 0, p.a};
}

struct Weight {
    int index;
    double weight;
};

// What part of each luma sample a window of `width` around `centre` covers; luma sample i spans i -+ 0.5.
std::vector<Weight> coverage(double centre, double width) {
    std::vector<Weight> out;
    const double from = centre - width / 2, until = centre + width / 2;
    for (int i = static_cast<int>(std::floor(from)); i <= static_cast<int>(std::ceil(until)); ++i) {
        const double covered = std::min(until, i + 0.5) - std::max(from, i - 0.5);
        if (covered > 0) out.push_back({i, covered / width});
    }
    return out;
}

} // namespace

double Samples::at(int component, int x, int y) const {
    const int width = format.pixels.component_width(component, format.width);
    const int height = format.pixels.component_height(component, format.height);
    const size_t line = static_cast<size_t>(std::clamp(y, 0, height - 1));
    return values[static_cast<size_t>(component)]
                 [line * static_cast<size_t>(width) + static_cast<size_t>(std::clamp(x, 0, width - 1))];
}

double& Samples::operator()(int component, int x, int y) {
    const int width = format.pixels.component_width(component, format.width);
    WEFT_CHECK(x >= 0 && x < width && y >= 0 && y < format.pixels.component_height(component, format.height));
    return values[static_cast<size_t>(component)]
                 [static_cast<size_t>(y) * static_cast<size_t>(width) + static_cast<size_t>(x)];
}

Samples blank(const PictureFormat& format) {
    Samples out;
    out.format = format;
    for (int c = 0; c < format.pixels.component_count; ++c)
        out.values[static_cast<size_t>(c)].assign(
            static_cast<size_t>(format.pixels.component_width(c, format.width)) *
                static_cast<size_t>(format.pixels.component_height(c, format.height)),
            0.0);
    return out;
}

HostPlanes Planes::view() const {
    HostPlanes out;
    for (size_t i = 0; i < 4; ++i)
        out.data[i] = data[i].empty() ? nullptr : data[i].data();
    out.pitch = pitch;
    return out;
}

double load(const HostPlanes& planes, const PixelFormat& format, int component, int x, int y) {
    const Component& c = component_of(format, component);
    const uint8_t* at = planes.data[c.plane] + static_cast<ptrdiff_t>(y) * planes.pitch[c.plane] +
                        static_cast<ptrdiff_t>(x) * c.step + c.offset;
    uint32_t word = 0;
    for (int i = 0; i < format.sample_bytes(); ++i)
        word |= static_cast<uint32_t>(at[i]) << (8 * i);
    if (format.is_float) return std::bit_cast<float>(word);
    return (word >> c.shift) & ((1u << c.depth) - 1);
}

Samples read(const HostPlanes& planes, const PictureFormat& format) {
    if (format.pixels.is_palette) return read_palette(planes, format);
    Samples out = blank(format);
    for (int c = 0; c < format.pixels.component_count; ++c)
        for (int y = 0; y < format.pixels.component_height(c, format.height); ++y)
            for (int x = 0; x < format.pixels.component_width(c, format.width); ++x)
                out(c, x, y) = load(planes, format.pixels, c, x, y);
    return out;
}

Planes write(const Samples& samples) {
    const PictureFormat& format = samples.format;
    if (format.pixels.is_palette)
        throw Error(ErrorKind::unsupported,
                    "pictures in " + format.pixels.name + " can be read, not written");
    Planes out;
    for (int plane = 0; plane < format.pixels.plane_count; ++plane) {
        const auto i = static_cast<size_t>(plane);
        out.pitch[i] = format.pixels.plane_line_bytes(plane, format.width);
        out.data[i].assign(static_cast<size_t>(out.pitch[i]) *
                               static_cast<size_t>(format.pixels.plane_lines(plane, format.height)),
                           uint8_t{0});
    }
    for (int c = 0; c < format.pixels.component_count; ++c) {
        const Component& component = component_of(format.pixels, c);
        uint8_t* plane = out.data[component.plane].data();
        for (int y = 0; y < format.pixels.component_height(c, format.height); ++y)
            for (int x = 0; x < format.pixels.component_width(c, format.width); ++x)
                put(plane + static_cast<ptrdiff_t>(y) * out.pitch[component.plane] +
                        static_cast<ptrdiff_t>(x) * component.step + component.offset,
                    format.pixels, component, samples.at(c, x, y));
    }
    return out;
}

Rgba to_rgb(const PictureFormat& format, const Codes& codes) {
    const PixelFormat& pixels = format.pixels;
    std::array<double, 4> nominal{};
    for (int c = 0; c < pixels.component_count; ++c) {
        const CodeScale scale = scale_of(format, c);
        const auto i = static_cast<size_t>(c);
        nominal[i] = (codes[i] - scale.offset) / scale.scale;
    }
    const double a =
        pixels.has_alpha ? nominal[static_cast<size_t>(pixels.component_count - 1)] : chosen_white;
    if (pixels.model == Model::gray) return {nominal[0], nominal[0], nominal[0], a};
    if (pixels.model == Model::rgb) return {nominal[0], nominal[1], nominal[2], a};
    const LumaWeights weights = luma_weights(format.colour.matrix);
    const Vec3 rgb = ycbcr_to_rgb(weights.kr, weights.kb) * Vec3{nominal[0], nominal[1], nominal[2]};
    return {rgb[0], rgb[1], rgb[2], a};
}

Codes from_rgb(const PictureFormat& format, const Rgba& rgb) {
    const PixelFormat& pixels = format.pixels;
    std::array<double, 4> nominal{rgb.r, rgb.g, rgb.b, 0};
    if (pixels.model != Model::rgb) {
        // BT.601 and its successors: luma is the weighted sum, colour differences are scaled to span
        // -0.5..0.5.
        const LumaWeights weights = luma_weights(format.colour.matrix);
        const double luma = weights.kr * rgb.r + (1 - weights.kr - weights.kb) * rgb.g + weights.kb * rgb.b;
        nominal = {luma, (rgb.b - luma) / (2 * (1 - weights.kb)), (rgb.r - luma) / (2 * (1 - weights.kr)), 0};
    }
    if (pixels.has_alpha) nominal[static_cast<size_t>(pixels.component_count - 1)] = rgb.a;
    Codes out{};
    for (int c = 0; c < pixels.component_count; ++c) {
        const CodeScale scale = scale_of(format, c);
        const auto i = static_cast<size_t>(c);
        out[i] = nominal[i] * scale.scale + scale.offset;
    }
    return out;
}

Rgba convert(const Rgba& rgb, const ColourSpec& from, const ColourSpec& to) {
    const Transfer in = light_curve(from.transfer), out = light_curve(to.transfer);
    if (in == out && same_primaries(from.primaries, to.primaries)) return rgb;
    const Vec3 light =
        convert_primaries(from.primaries, to.primaries) * to_linear(in, Vec3{rgb.r, rgb.g, rgb.b});
    return with_colour(rgb, from_linear(out, light));
}

double chroma_at(const Samples& samples, int component, int luma_x, int luma_y) {
    const PixelFormat& pixels = samples.format.pixels;
    const ChromaSite site = samples.format.colour.chroma;
    const auto place = [](int luma, double offset, int log2) { return (luma - offset) / (1 << log2); };
    const double x = place(luma_x, chroma_offset_x(site, pixels.log2_chroma_w), pixels.log2_chroma_w);
    const double y = place(luma_y, chroma_offset_y(site, pixels.log2_chroma_h), pixels.log2_chroma_h);
    const int x0 = static_cast<int>(std::floor(x)), y0 = static_cast<int>(std::floor(y));
    const double fx = x - x0, fy = y - y0;
    const auto line = [&](int at_y) {
        return (1 - fx) * samples.at(component, x0, at_y) + fx * samples.at(component, x0 + 1, at_y);
    };
    return (1 - fy) * line(y0) + fy * line(y0 + 1);
}

Rgba rgb_at(const Samples& samples, int x, int y) {
    Codes codes{};
    for (int c = 0; c < samples.format.pixels.component_count; ++c)
        codes[static_cast<size_t>(c)] =
            samples.format.pixels.is_chroma(c) ? chroma_at(samples, c, x, y) : samples.at(c, x, y);
    return to_rgb(samples.format, codes);
}

Samples convert(const Samples& from, const PictureFormat& to) {
    WEFT_CHECK(from.format.width == to.width && from.format.height == to.height);
    WEFT_CHECK(!to.pixels.is_palette);

    // The picture in the new description, every component at every pixel; chroma is thinned out afterwards.
    Samples full;
    full.format = to;
    full.format.pixels.log2_chroma_w = full.format.pixels.log2_chroma_h = 0;
    full = blank(full.format);
    for (int y = 0; y < to.height; ++y)
        for (int x = 0; x < to.width; ++x) {
            Rgba pixel = rgb_at(from, x, y);
            if (from.format.premultiplied) pixel = straight(pixel);
            pixel = convert(pixel, from.format.colour, to.colour);
            if (to.premultiplied) pixel = premultiplied(pixel);
            const Codes codes = from_rgb(to, pixel);
            for (int c = 0; c < to.pixels.component_count; ++c)
                full(c, x, y) = codes[static_cast<size_t>(c)];
        }

    Samples out = blank(to);
    const int step_x = 1 << to.pixels.log2_chroma_w, step_y = 1 << to.pixels.log2_chroma_h;
    const double offset_x = chroma_offset_x(to.colour.chroma, to.pixels.log2_chroma_w);
    const double offset_y = chroma_offset_y(to.colour.chroma, to.pixels.log2_chroma_h);
    for (int c = 0; c < to.pixels.component_count; ++c) {
        if (!to.pixels.is_chroma(c)) {
            out.values[static_cast<size_t>(c)] = full.values[static_cast<size_t>(c)];
            continue;
        }
        for (int y = 0; y < to.pixels.component_height(c, to.height); ++y)
            for (int x = 0; x < to.pixels.component_width(c, to.width); ++x) {
                double sum = 0;
                for (const Weight v : coverage(y * step_y + offset_y, step_y))
                    for (const Weight h : coverage(x * step_x + offset_x, step_x))
                        sum += v.weight * h.weight * full.at(c, h.index, v.index);
                out(c, x, y) = sum;
            }
    }
    return out;
}

} // namespace weft::colour::reference
