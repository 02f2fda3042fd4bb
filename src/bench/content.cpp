#include "bench/content.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/error.hpp"
#include "base/format.hpp"

namespace weft::bench {
namespace {

constexpr int cube_size = 33;

uint32_t next(uint32_t& state) {
    state = state * 1664525u + 1013904223u;
    return state >> 24;
}

double bend(double v, double strength) {
    return v + strength * v * (1 - v) * (2 * v - 1);
}

// 8-bit codes of one component: a wave that moves with `number`, and noise over it.
std::vector<uint8_t> wave(int w, int h, double phase, double height, uint32_t& noise_state) {
    std::vector<uint8_t> out;
    out.reserve(static_cast<size_t>(w) * static_cast<size_t>(h));
    std::vector<double> across;
    for (int x = 0; x < w; ++x)
        across.push_back(std::sin(7.0 * x / w - phase));
    for (int y = 0; y < h; ++y) {
        const double down = std::sin(5.0 * y / h + phase);
        for (int x = 0; x < w; ++x) {
            const int noise = static_cast<int>(next(noise_state) % 13) - 6;
            const int code = 128 + static_cast<int>(height * across[static_cast<size_t>(x)] * down) + noise;
            out.push_back(static_cast<uint8_t>(std::clamp(code, 16, 235)));
        }
    }
    return out;
}

// The word that stores an 8-bit code.
uint32_t word_of(const colour::PixelFormat& format, const colour::Component& component, uint8_t code) {
    if (format.is_float) return std::bit_cast<uint32_t>(static_cast<float>(code) / 255);
    return (static_cast<uint32_t>(code) << component.depth >> 8) << component.shift;
}

} // namespace

colour::PictureFormat picture_format(const std::string& pixels, int width, int height) {
    colour::PictureFormat format;
    format.width = width;
    format.height = height;
    format.pixels = colour::pixel_format(pixels);
    if (format.pixels.is_palette)
        throw Error(ErrorKind::unsupported, fmt::format("'{}' has a palette: nothing to measure", pixels));
    const bool rgb = format.pixels.model == colour::Model::rgb;
    format.colour.range = rgb || format.pixels.full_range_name ? colour::Range::full : colour::Range::limited;
    format.colour.matrix = rgb ? colour::Matrix::rgb : colour::Matrix::bt709;
    format.colour.primaries = colour::Primaries::bt709;
    format.colour.transfer = rgb ? colour::Transfer::srgb : colour::Transfer::bt709;
    if (format.pixels.subsampled()) format.colour.chroma = colour::ChromaSite::left;
    format.rate = 25;
    return format;
}

std::vector<uint8_t> content(const colour::PictureFormat& format, int number, int loop) {
    const colour::PixelFormat& pixels = format.pixels;
    std::vector<size_t> plane_begin{0}, line_bytes;
    for (int p = 0; p < pixels.plane_count; ++p) {
        line_bytes.push_back(static_cast<size_t>(pixels.plane_line_bytes(p, format.width)));
        plane_begin.push_back(plane_begin.back() +
                              line_bytes.back() * static_cast<size_t>(pixels.plane_lines(p, format.height)));
    }
    std::vector<uint8_t> out(plane_begin.back());
    uint32_t noise_state = 12345u + static_cast<uint32_t>(number + 100 * loop);
    for (int c = 0; c < pixels.component_count; ++c) {
        const colour::Component& component = pixels.components[static_cast<size_t>(c)];
        const int w = pixels.component_width(c, format.width), h = pixels.component_height(c, format.height);
        // Few colours leave the RGB cube, where programs part company.
        const std::vector<uint8_t> codes =
            wave(w, h, 0.3 * number + 2 * c + 1.7 * loop, pixels.is_chroma(c) ? 30 : 70, noise_state);
        const uint8_t* code = codes.data();
        for (int y = 0; y < h; ++y) {
            uint8_t* at = out.data() + plane_begin[component.plane] +
                          static_cast<size_t>(y) * line_bytes[component.plane] + component.offset;
            for (int x = 0; x < w; ++x, at += component.step, ++code) {
                const uint32_t word = word_of(pixels, component, *code);
                for (int byte = 0; byte < pixels.sample_bytes(); ++byte) // components may share a word
                    at[byte] = static_cast<uint8_t>(at[byte] | (word >> (8 * byte) & 255));
            }
        }
    }
    return out;
}

std::string cube_text() {
    std::string text = fmt::format("TITLE \"warm\"\nLUT_3D_SIZE {}\n", cube_size);
    for (int b = 0; b < cube_size; ++b)
        for (int g = 0; g < cube_size; ++g)
            for (int r = 0; r < cube_size; ++r) {
                const double red = r / (cube_size - 1.0), green = g / (cube_size - 1.0),
                             blue = b / (cube_size - 1.0);
                const double luma = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
                text +=
                    fmt::format("{:.6f} {:.6f} {:.6f}\n", std::clamp(bend(red, -0.5) + 0.06 * luma, 0.0, 1.0),
                                std::clamp(bend(green, -0.4), 0.0, 1.0),
                                std::clamp(bend(blue, -0.3) + 0.06 * (0.5 - luma), 0.0, 1.0));
            }
    return text;
}

graph::Mask round_mask(int width, int height) {
    graph::Mask mask{width, height, {}};
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            const double dx = 2.0 * x / width - 1, dy = 2.0 * y / height - 1;
            mask.values.push_back(static_cast<float>(std::min(std::hypot(dx, dy) / 1.42, 1.0)));
        }
    return mask;
}

} // namespace weft::bench
