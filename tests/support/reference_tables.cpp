// curves and lut3d.
#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <numeric>
#include <sstream>

#include "base/error.hpp"
#include "graph/filter_manifest.hpp"
#include "support/reference_private.hpp"

namespace weft::test {
namespace {

using graph::FilterUse;
using Points = std::vector<double>;

// Points of the presets, by FFmpeg's documentation of `curves`; master, red, green, blue.
struct Preset {
    Points master, red, green, blue;
};
Preset preset(int index) {
    switch (index) {
    case 1: // color_negative
        return {{},
                {.129, 1, .466, .498, .725, 0},
                {.109, 1, .301, .498, .517, 0},
                {.098, 1, .235, .498, .423, 0}};
    case 2: // cross_process
        return {{},
                {0, 0, .25, .156, .501, .501, .686, .745, 1, 1},
                {0, 0, .25, .188, .38, .501, .745, .815, 1, .815},
                {0, 0, .231, .094, .709, .874, 1, 1}};
    case 3:
        return {{0, 0, .5, .4, 1, 1}, {}, {}, {}}; // darker
    case 4:
        return {{0, 0, .149, .066, .831, .905, .905, .98, 1, 1}, {}, {}, {}}; // increase_contrast
    case 5:
        return {{0, 0, .4, .5, 1, 1}, {}, {}, {}}; // lighter
    case 6:
        return {{0, 0, .305, .286, .694, .713, 1, 1}, {}, {}, {}}; // linear_contrast
    case 7:
        return {{0, 0, .286, .219, .639, .643, 1, 1}, {}, {}, {}}; // medium_contrast
    case 8:
        return {{0, 1, 1, 0}, {}, {}, {}}; // negative
    case 9:
        return {{0, 0, .301, .196, .592, .6, .686, .737, 1, 1}, {}, {}, {}}; // strong_contrast
    case 10:                                                                 // vintage
        return {{}, {0, .11, .42, .51, 1, .95}, {0, 0, .5, .48, 1, 1}, {0, .22, .49, .44, 1, .8}};
    default:
        return {};
    }
}

struct Cube {
    int size = 0;
    bool one_dimensional = false;
    std::array<double, 3> low{0, 0, 0}, high{1, 1, 1};
    std::vector<std::array<double, 3>> nodes; // red fastest
    const std::array<double, 3>& at(int r, int g, int b) const {
        return nodes[static_cast<size_t>((b * size + g) * size + r)];
    }
};

Cube read_cube_file(const std::string& file) {
    std::ifstream in(file);
    WEFT_CHECK(in.good());
    Cube cube;
    for (std::string line; std::getline(in, line);) {
        std::istringstream words(line);
        std::string key;
        if (!(words >> key) || key[0] == '#' || key == "TITLE") continue;
        if (key == "LUT_3D_SIZE" || key == "LUT_1D_SIZE") {
            words >> cube.size;
            cube.one_dimensional = key == "LUT_1D_SIZE";
        } else if (key == "DOMAIN_MIN") {
            words >> cube.low[0] >> cube.low[1] >> cube.low[2];
        } else if (key == "DOMAIN_MAX") {
            words >> cube.high[0] >> cube.high[1] >> cube.high[2];
        } else {
            std::array<double, 3> node{std::stod(key), 0, 0};
            words >> node[1] >> node[2];
            cube.nodes.push_back(node);
        }
    }
    return cube;
}

std::array<double, 3> look_up(const Cube& cube, const std::array<double, 3>& rgb, int interpolation) {
    std::array<int, 3> base{};
    std::array<double, 3> part{};
    const int last = cube.size - 1;
    for (size_t i = 0; i < 3; ++i) {
        const double s = std::clamp((rgb[i] - cube.low[i]) / (cube.high[i] - cube.low[i]), 0.0, 1.0) * last;
        base[i] = std::min(static_cast<int>(s), std::max(last - 1, 0));
        part[i] = s - base[i];
    }
    std::array<double, 3> out{};
    if (cube.one_dimensional) {
        for (size_t i = 0; i < 3; ++i)
            out[i] = cube.nodes[static_cast<size_t>(base[i])][i] * (1 - part[i]) +
                     cube.nodes[static_cast<size_t>(std::min(base[i] + 1, last))][i] * part[i];
        return out;
    }
    if (interpolation == 0) {
        return cube.at(base[0] + (part[0] >= 0.5), base[1] + (part[1] >= 0.5), base[2] + (part[2] >= 0.5));
    }
    if (interpolation == 1) {
        for (int corner = 0; corner < 8; ++corner) {
            const int r = corner & 1, g = corner >> 1 & 1, b = corner >> 2;
            const double weight =
                (r ? part[0] : 1 - part[0]) * (g ? part[1] : 1 - part[1]) * (b ? part[2] : 1 - part[2]);
            for (size_t i = 0; i < 3; ++i)
                out[i] += weight * cube.at(base[0] + r, base[1] + g, base[2] + b)[i];
        }
        return out;
    }
    // Tetrahedron: walk from the low corner to the high one along the axes in falling order of their parts.
    std::array<size_t, 3> order{0, 1, 2};
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return part[a] > part[b]; });
    std::array<int, 3> corner = base;
    std::array<double, 3> before = cube.at(corner[0], corner[1], corner[2]);
    out = before;
    for (const size_t axis : order) {
        ++corner[axis];
        const std::array<double, 3> after = cube.at(corner[0], corner[1], corner[2]);
        for (size_t i = 0; i < 3; ++i)
            out[i] += part[axis] * (after[i] - before[i]);
        before = after;
    }
    return out;
}

} // namespace

double spline(const std::vector<double>& points, double x) {
    const size_t n = points.size() / 2;
    if (n == 0) return std::clamp(x, 0.0, 1.0);
    const auto px = [&](size_t i) { return points[2 * i]; };
    const auto py = [&](size_t i) { return points[2 * i + 1]; };
    if (n == 1 || x <= px(0)) return py(0);
    if (x >= px(n - 1)) return py(n - 1);
    // Second derivatives m: 0 at both ends; between, the first derivative is continuous. Gauss-Seidel
    // converges, as the system is diagonally dominant.
    std::vector<double> m(n, 0.0);
    for (int round = 0; round < 200; ++round)
        for (size_t i = 1; i + 1 < n; ++i) {
            const double left = px(i) - px(i - 1), right = px(i + 1) - px(i);
            const double bend = 6 * ((py(i + 1) - py(i)) / right - (py(i) - py(i - 1)) / left);
            m[i] = (bend - left * m[i - 1] - right * m[i + 1]) / (2 * (left + right));
        }
    size_t i = 0;
    while (x > px(i + 1))
        ++i;
    const double h = px(i + 1) - px(i), a = (px(i + 1) - x) / h, b = 1 - a;
    const double y =
        a * py(i) + b * py(i + 1) + ((a * a * a - a) * m[i] + (b * b * b - b) * m[i + 1]) * h * h / 6;
    return std::clamp(y, 0.0, 1.0);
}

Picture reference_curves(const FilterUse& use, const Picture& in) {
    const Preset ready = preset(static_cast<int>(number(use, "preset")));
    const Points all = numbers(use, "all");
    const auto chosen = [&](const char* name, const Points& from_preset, bool may_be_all) {
        if (const Points own = numbers(use, name); !own.empty()) return own;
        return may_be_all && !all.empty() ? all : from_preset;
    };
    const Points master = chosen("master", ready.master, false);
    const Points curves[3] = {chosen("red", ready.red, true), chosen("green", ready.green, true),
                              chosen("blue", ready.blue, true)};
    Picture out = in;
    for (size_t p = 0; p < 3; ++p)
        for (double& v : out.planes[p].values)
            v = spline(master, spline(curves[p], v));
    return out;
}

Picture reference_lut3d(const FilterUse& use, const Picture& in) {
    const Cube cube = read_cube_file(text(use, "file"));
    Picture out = in;
    for (size_t i = 0; i < in.planes[0].values.size(); ++i) {
        const auto rgb =
            look_up(cube, {in.planes[0].values[i], in.planes[1].values[i], in.planes[2].values[i]},
                    static_cast<int>(number(use, "interp")));
        for (size_t p = 0; p < 3; ++p)
            out.planes[p].values[i] = rgb[p];
    }
    return out;
}

} // namespace weft::test
