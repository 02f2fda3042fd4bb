#include "support/picture.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace weft::test {
namespace {

// FFmpeg's planar RGB has the order G B R A.
std::vector<size_t> file_order(const Layout& layout) {
    std::vector<size_t> order;
    if (layout.model == colour::Model::rgb)
        order = {1, 2, 0};
    else
        for (size_t i = 0; i < layout.colours(); ++i)
            order.push_back(i);
    if (layout.alpha) order.push_back(layout.colours());
    return order;
}

int shrunk(int size, int log2) {
    return -((-size) >> log2);
}

Plane make_plane(const Layout& layout, size_t plane, int width, int height) {
    if (!layout.is_chroma(plane)) return Plane(width, height);
    return Plane(shrunk(width, layout.log2_w), shrunk(height, layout.log2_h));
}

template<class F>
Picture painted(const Layout& layout, int width, int height, F code) {
    Picture out(layout, width, height);
    for (size_t p = 0; p < out.planes.size(); ++p)
        for (int y = 0; y < out.planes[p].height; ++y)
            for (int x = 0; x < out.planes[p].width; ++x)
                out.planes[p](x, y) = std::clamp(code(p, x, y), 0.0, 255.0) / 255;
    return out.rounded();
}

} // namespace

Plane::Plane(int w, int h, double value)
    : width(w), height(h), values(static_cast<size_t>(w) * static_cast<size_t>(h), value) {}

double Plane::edge(int x, int y) const {
    return (*this)(std::clamp(x, 0, width - 1), std::clamp(y, 0, height - 1));
}

colour::StoredRange Layout::stored(size_t plane) const {
    const bool limited = model != colour::Model::rgb && range == colour::Range::limited && !is_alpha(plane);
    if (is_chroma(plane))
        return limited ? colour::StoredRange{16 / 255.0, 128 / 255.0, 240 / 255.0}
                       : colour::StoredRange{0, 128 / 255.0, 1};
    return limited ? colour::StoredRange{16 / 255.0, 127.5 / 255, 235 / 255.0}
                   : colour::StoredRange{0, 0.5, 1};
}

double Layout::unit(size_t plane) const {
    const bool limited = model != colour::Model::rgb && range == colour::Range::limited && !is_alpha(plane);
    return limited ? 1 / std::ldexp(255.0, depth - 8) : 1 / (std::ldexp(1.0, depth) - 1);
}

std::string Layout::ffmpeg_name() const {
    const std::string bits = depth > 8 ? std::to_string(depth) + "le" : "";
    if (model == colour::Model::gray) return "gray" + bits;
    if (model == colour::Model::rgb) return (alpha ? "gbrap" : "gbrp") + bits;
    const std::string name = alpha ? "yuva" : range == colour::Range::full && depth == 8 ? "yuvj" : "yuv";
    return name + (log2_w == 0 ? "444p" : log2_w == 2 ? "411p" : log2_h == 0 ? "422p" : "420p") + bits;
}

Layout yuv444() {
    return {};
}
Layout yuv420() {
    return {.log2_w = 1, .log2_h = 1};
}
Layout yuv444_full() {
    return {.range = colour::Range::full};
}
Layout rgb() {
    return {.model = colour::Model::rgb, .range = colour::Range::full};
}
Layout gray() {
    return {.model = colour::Model::gray, .range = colour::Range::full};
}
Layout with_alpha(Layout layout) {
    layout.alpha = true;
    return layout;
}

Layout with_depth(Layout layout, int depth) {
    layout.depth = depth;
    return layout;
}

Picture::Picture(const Layout& l, int width, int height, double value) : layout(l) {
    for (size_t p = 0; p < l.planes(); ++p) {
        planes.push_back(make_plane(l, p, width, height));
        std::fill(planes.back().values.begin(), planes.back().values.end(), value);
    }
}

Picture Picture::rounded() const {
    Picture out = *this;
    const double last = std::ldexp(1.0, layout.depth) - 1;
    for (size_t p = 0; p < planes.size(); ++p) {
        const double unit = layout.unit(p);
        for (double& v : out.planes[p].values)
            v = std::clamp(std::round(v / unit), 0.0, last) * unit;
    }
    return out;
}

Picture Picture::inside(int border) const {
    Picture out(layout, width() - 2 * border, height() - 2 * border);
    for (size_t p = 0; p < planes.size(); ++p) {
        const int dx = layout.is_chroma(p) ? border >> layout.log2_w : border;
        const int dy = layout.is_chroma(p) ? border >> layout.log2_h : border;
        for (int y = 0; y < out.planes[p].height; ++y)
            for (int x = 0; x < out.planes[p].width; ++x)
                out.planes[p](x, y) = planes[p](x + dx, y + dy);
    }
    return out;
}

std::vector<uint8_t> Picture::codes() const {
    std::vector<uint8_t> out;
    const Picture whole = rounded();
    for (const size_t p : file_order(layout))
        for (const double v : whole.planes[p].values) {
            const auto code = static_cast<unsigned>(std::lround(v / layout.unit(p)));
            out.push_back(static_cast<uint8_t>(code & 255u));
            if (layout.depth > 8) out.push_back(static_cast<uint8_t>(code >> 8));
        }
    return out;
}

Picture Picture::from_codes(const Layout& layout, int width, int height, const uint8_t* bytes) {
    Picture out(layout, width, height);
    for (const size_t p : file_order(layout))
        for (double& v : out.planes[p].values) {
            unsigned code = *bytes++;
            if (layout.depth > 8) code |= static_cast<unsigned>(*bytes++) << 8;
            v = code * layout.unit(p);
        }
    return out;
}

size_t Picture::byte_count(const Layout& layout, int width, int height) {
    size_t count = 0;
    for (size_t p = 0; p < layout.planes(); ++p)
        count += make_plane(layout, p, width, height).values.size();
    return count * (layout.depth > 8 ? 2 : 1);
}

Picture ramp(const Layout& layout, int width, int height) {
    return painted(layout, width, height, [&](size_t p, int x, int y) {
        // Across, down, and both ways, so that every plane meets other values of the others.
        const int along = p % 3 == 0 ? x + y * 7 : p % 3 == 1 ? y * 5 + x * 3 : x * 11 - y;
        return static_cast<double>(((along % 256) + 256) % 256);
    });
}

Picture noise(const Layout& layout, int width, int height, uint32_t seed) {
    uint32_t state = seed * 2654435761u + 12345;
    return painted(layout, width, height, [&](size_t, int, int) {
        state = state * 1664525u + 1013904223u;
        return static_cast<double>(state >> 24);
    });
}

Picture edges(const Layout& layout, int width, int height) {
    return painted(layout, width, height, [&](size_t p, int x, int y) {
        const bool square = ((x / 8) + (y / 8) + static_cast<int>(p)) % 2 == 0;
        const bool line = x % 13 == 0 || y % 11 == 5;
        return square != line ? 250.0 : 5.0;
    });
}

Picture bars(const Layout& layout, int width, int height) {
    // Codes without meaning in one model or the other, but all apart.
    constexpr std::array<std::array<int, 3>, 8> codes{{{180, 128, 128},
                                                       {168, 44, 136},
                                                       {145, 147, 44},
                                                       {133, 63, 52},
                                                       {63, 193, 204},
                                                       {51, 109, 212},
                                                       {28, 212, 120},
                                                       {16, 128, 128}}};
    return painted(layout, width, height, [&](size_t p, int x, int) {
        const int across = layout.is_chroma(p) ? shrunk(width, layout.log2_w) : width;
        const auto bar = static_cast<size_t>(x * 8 / across);
        return p == 3 || layout.is_alpha(p) ? 255.0 - 30.0 * static_cast<double>(bar)
                                            : static_cast<double>(codes[bar][p]);
    });
}

Picture smooth(const Layout& layout, int width, int height) {
    return painted(layout, width, height, [&](size_t p, int x, int y) {
        const double phase = static_cast<double>(p) * 0.7;
        return 127.5 + 60 * std::sin(x * 0.11 + phase) + 50 * std::cos(y * 0.07 - phase);
    });
}

} // namespace weft::test
