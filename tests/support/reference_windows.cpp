// Filters that look at neighbours or move samples.
#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "graph/filter_manifest.hpp"
#include "support/reference_private.hpp"

namespace weft::test {
namespace {

using graph::FilterUse;

bool plane_chosen(const FilterUse& use, const Layout& layout, size_t plane) {
    const auto bit = layout.is_alpha(plane) ? 3u : static_cast<unsigned>(plane);
    return (static_cast<unsigned>(number(use, "planes")) >> bit & 1u) != 0;
}

struct Weights {
    int radius_x = 0, radius_y = 0;
    std::vector<double> values; // row by row
    double sum() const {
        double s = 0;
        for (const double v : values)
            s += v;
        return s;
    }
};

Weights square(const std::vector<double>& values) {
    const int side = static_cast<int>(std::lround(std::sqrt(static_cast<double>(values.size()))));
    WEFT_CHECK(side * side == static_cast<int>(values.size()) && side % 2 == 1);
    return {side / 2, side / 2, values};
}

// Weights of a plane by the rule of the manifest; none = the plane is left alone.
Weights weights_of(const FilterUse& use, const Layout& layout, size_t plane) {
    const std::string own = layout.is_alpha(plane) ? "m3" : "m" + std::to_string(plane);
    if (const auto values = numbers(use, own); !values.empty()) return square(values);
    if (const auto values = numbers(use, "matrix"); !values.empty()) return square(values);
    if (const auto values = numbers(use, "row"); !values.empty())
        return {static_cast<int>(values.size() / 2), 0, values};
    if (const auto values = numbers(use, "column"); !values.empty())
        return {0, static_cast<int>(values.size() / 2), values};
    return {};
}

// Weights of size n that (1 1)/2 convolved n - 1 times with itself gives.
std::vector<double> binomial(int size) {
    std::vector<double> row{1};
    while (static_cast<int>(row.size()) < size) {
        std::vector<double> next(row.size() + 1, 0.0);
        for (size_t i = 0; i < row.size(); ++i) {
            next[i] += row[i] / 2;
            next[i + 1] += row[i] / 2;
        }
        row = next;
    }
    return row;
}

} // namespace

Plane separable(const Plane& in, const std::vector<double>& row, const std::vector<double>& column) {
    const int rx = static_cast<int>(row.size() / 2), ry = static_cast<int>(column.size() / 2);
    Plane across(in.width, in.height), out(in.width, in.height);
    for (int y = 0; y < in.height; ++y)
        for (int x = 0; x < in.width; ++x)
            for (int i = -rx; i <= rx; ++i)
                across(x, y) += row[static_cast<size_t>(i + rx)] * in.edge(x + i, y);
    for (int y = 0; y < in.height; ++y)
        for (int x = 0; x < in.width; ++x)
            for (int j = -ry; j <= ry; ++j)
                out(x, y) += column[static_cast<size_t>(j + ry)] * across.edge(x, y + j);
    return out;
}

std::vector<double> bell(double sigma, int radius) {
    std::vector<double> out;
    double sum = 0;
    for (int i = -radius; i <= radius; ++i) {
        out.push_back(sigma > 0 ? std::exp(-0.5 * i * i / (sigma * sigma)) : (i == 0 ? 1.0 : 0.0));
        sum += out.back();
    }
    for (double& v : out)
        v /= sum;
    return out;
}

Picture reference_convolution(const FilterUse& use, const Picture& in) {
    Picture out = in;
    for (size_t p = 0; p < in.planes.size(); ++p) {
        const Weights weights = weights_of(use, in.layout, p);
        if (weights.values.empty() || !plane_chosen(use, in.layout, p)) continue;
        const double sum = weights.sum();
        const double factor = number(use, "rdiv") != 0 ? number(use, "rdiv") : sum != 0 ? 1 / sum : 1;
        const Plane& from = in.planes[p];
        for (int y = 0; y < from.height; ++y)
            for (int x = 0; x < from.width; ++x) {
                double total = 0;
                size_t i = 0;
                for (int dy = -weights.radius_y; dy <= weights.radius_y; ++dy)
                    for (int dx = -weights.radius_x; dx <= weights.radius_x; ++dx)
                        total += weights.values[i++] * from.edge(x + dx, y + dy);
                out.planes[p](x, y) = total * factor + number(use, "bias") / 255;
            }
    }
    return out;
}

Picture reference_gblur(const FilterUse& use, const Picture& in) {
    const double across = number(use, "sigma");
    const double down = number(use, "sigmaV") < 0 ? across : number(use, "sigmaV");
    const auto row = bell(across, static_cast<int>(std::ceil(8 * across)));
    const auto column = bell(down, static_cast<int>(std::ceil(8 * down)));
    Picture out = in;
    for (size_t p = 0; p < in.planes.size(); ++p)
        if (plane_chosen(use, in.layout, p)) out.planes[p] = separable(in.planes[p], row, column);
    return out;
}

Picture reference_unsharp(const FilterUse& use, const Picture& in) {
    Picture out = in;
    for (size_t p = 0; p < in.planes.size(); ++p) {
        const std::string kind = in.layout.is_alpha(p) ? "alpha" : in.layout.is_chroma(p) ? "chroma" : "luma";
        const double amount = number(use, kind + "_amount");
        const Plane soft = separable(in.planes[p], binomial(static_cast<int>(number(use, kind + "_msize_x"))),
                                     binomial(static_cast<int>(number(use, kind + "_msize_y"))));
        for (size_t i = 0; i < soft.values.size(); ++i)
            out.planes[p].values[i] += amount * (in.planes[p].values[i] - soft.values[i]);
    }
    return out;
}

Picture reference_geometry(const FilterUse& use, const Picture& in) {
    const std::string& name = use.manifest->name;
    const int w = in.width(), h = in.height();
    int ow = w, oh = h, left = 0, top = 0, dir = -1;
    if (name == "crop") {
        std::map<std::string, double> names{{"in_w", w}, {"in_h", h}, {"iw", w}, {"ih", h}};
        const auto size = [&](const char* key) {
            return static_cast<int>(graph::evaluate(text(use, key), names));
        };
        ow = size("w");
        oh = size("h");
        names.insert({{"out_w", ow}, {"out_h", oh}, {"ow", ow}, {"oh", oh}});
        left = size("x");
        top = size("y");
    } else if (name == "transpose") {
        const bool wide = w >= h, tall = h >= w;
        const int pass = static_cast<int>(number(use, "passthrough"));
        if ((pass == 1 && wide) || (pass == 2 && tall)) return in;
        dir = static_cast<int>(number(use, "dir"));
        std::swap(ow, oh);
    }
    Picture out(in.layout, ow, oh);
    for (size_t p = 0; p < in.planes.size(); ++p) {
        const Plane& from = in.planes[p];
        Plane& to = out.planes[p];
        const bool chroma = in.layout.is_chroma(p);
        const int dx = chroma ? left >> in.layout.log2_w : left, dy = chroma ? top >> in.layout.log2_h : top;
        for (int y = 0; y < to.height; ++y)
            for (int x = 0; x < to.width; ++x) {
                if (name == "crop") to(x, y) = from(x + dx, y + dy);
                if (name == "hflip") to(x, y) = from(from.width - 1 - x, y);
                if (name == "vflip") to(x, y) = from(x, from.height - 1 - y);
                // A quarter clockwise puts the left column at the top; the mirrored turns flip that left to
                // right.
                if (dir == 0) to(x, y) = from(y, x);
                if (dir == 1) to(x, y) = from(y, from.height - 1 - x);
                if (dir == 2) to(x, y) = from(from.width - 1 - y, x);
                if (dir == 3) to(x, y) = from(from.width - 1 - y, from.height - 1 - x);
            }
    }
    return out;
}

} // namespace weft::test
