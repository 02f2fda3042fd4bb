#include "content.hpp"

#include <algorithm>
#include <cmath>

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

} // namespace

colour::PictureFormat format_420(int width, int height) {
    colour::PictureFormat format;
    format.width = width;
    format.height = height;
    format.pixels = colour::pixel_format("yuv420p");
    format.colour.range = colour::Range::limited;
    format.colour.matrix = colour::Matrix::bt709;
    format.colour.primaries = colour::Primaries::bt709;
    format.colour.transfer = colour::Transfer::bt709;
    format.colour.chroma = colour::ChromaSite::left;
    format.rate = 25;
    return format;
}

std::vector<uint8_t> content(int width, int height, int number, int loop) {
    std::vector<uint8_t> out;
    out.reserve(static_cast<size_t>(width) * static_cast<size_t>(height) * 3 / 2);
    uint32_t state = 12345u + static_cast<uint32_t>(number + 100 * loop);
    for (int plane = 0; plane < 3; ++plane) {
        const int w = plane ? width / 2 : width, h = plane ? height / 2 : height;
        const double phase = 0.3 * number + 2 * plane + 1.7 * loop;
        std::vector<double> across;
        for (int x = 0; x < w; ++x)
            across.push_back(std::sin(7.0 * x / w - phase));
        for (int y = 0; y < h; ++y) {
            const double down = std::sin(5.0 * y / h + phase);
            for (int x = 0; x < w; ++x) {
                const double wave = across[static_cast<size_t>(x)] * down;
                const int noise = static_cast<int>(next(state) % 13) - 6;
                // Few colours leave the RGB cube, where programs part company.
                const int code = 128 + static_cast<int>((plane ? 30 : 70) * wave) + noise;
                out.push_back(static_cast<uint8_t>(std::clamp(code, 16, 235)));
            }
        }
    }
    return out;
}

std::vector<uint8_t> content(const colour::PictureFormat& format, int number, int loop) {
    const std::vector<uint8_t> eight = content(format.width, format.height, number, loop);
    const int depth = format.pixels.depth();
    if (depth == 8) return eight;
    std::vector<uint8_t> out;
    for (const uint8_t code : eight) {
        const int deep = code << (depth - 8);
        out.push_back(static_cast<uint8_t>(deep & 255));
        out.push_back(static_cast<uint8_t>(deep >> 8));
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

std::string mask_pgm(int width, int height) {
    std::string text = fmt::format("P5\n{} {}\n255\n", width, height);
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            const double dx = 2.0 * x / width - 1, dy = 2.0 * y / height - 1;
            text += static_cast<char>(static_cast<uint8_t>(255 * std::min(std::hypot(dx, dy) / 1.42, 1.0)));
        }
    return text;
}

} // namespace weft::bench
