#include "support/reference_filters.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "base/error.hpp"
#include "graph/filter_manifest.hpp"
#include "support/reference_private.hpp"

namespace weft::test {
namespace {

using graph::FilterUse;

// Every sample of the planes that `which` admits.
Picture each_sample(const Picture& in, const std::function<double(size_t plane, int x, int y, double v)>& f) {
    Picture out = in;
    for (size_t p = 0; p < out.planes.size(); ++p)
        for (int y = 0; y < out.planes[p].height; ++y)
            for (int x = 0; x < out.planes[p].width; ++x)
                out.planes[p](x, y) = f(p, x, y, in.planes[p](x, y));
    return out;
}

// The value of a plane that means no light or no colour.
double neutral_value(const Layout& layout, size_t plane, bool white) {
    const colour::StoredRange range = layout.stored(plane);
    if (layout.is_chroma(plane)) return range.mid;
    return white ? range.hi : range.lo;
}

// Contrast, saturation and gamma on codes: the part of gamma that green has goes to luma, those of blue and
// red to the colour differences that carry them.
Picture eq(const FilterUse& use, const Picture& in) {
    const double r = number(use, "gamma_r"), g = number(use, "gamma_g"), b = number(use, "gamma_b");
    const double weight = number(use, "gamma_weight");
    const double gammas[3] = {number(use, "gamma") * g, std::sqrt(b / g), std::sqrt(r / g)};
    const bool curved = weight > 0 && (number(use, "gamma") != 1 || r != 1 || g != 1 || b != 1);
    return each_sample(in, [&](size_t p, int, int, double v) {
        if (in.layout.is_alpha(p)) return v;
        const double middle = in.layout.stored(p).mid;
        double s = in.layout.is_chroma(p)
                       ? middle + number(use, "saturation") * (v - middle)
                       : middle + number(use, "contrast") * (v - middle) + number(use, "brightness");
        if (!curved) return s;
        s = std::max(s, 0.0);
        return s * (1 - weight) + std::pow(s, 1 / gammas[p]) * weight;
    });
}

// The colour difference as an arrow: turned by the angle, its length by the saturation.
Picture hue(const FilterUse& use, const Picture& in) {
    const double angle = number(use, "h") * M_PI / 180 + number(use, "H");
    const double c = std::cos(angle) * number(use, "s"), s = std::sin(angle) * number(use, "s");
    constexpr double middle = 128 / 255.0;
    Picture out = in;
    for (double& v : out.planes[0].values)
        v += number(use, "b") / 10;
    for (size_t i = 0; i < in.planes[1].values.size(); ++i) {
        const double cb = in.planes[1].values[i] - middle, cr = in.planes[2].values[i] - middle;
        out.planes[1].values[i] = middle + c * cb - s * cr;
        out.planes[2].values[i] = middle + s * cb + c * cr;
    }
    return out;
}

Picture mix_channels(const FilterUse& use, const Picture& in) {
    constexpr const char* names = "rgba";
    Picture out = in;
    for (size_t to = 0; to < in.planes.size(); ++to)
        for (size_t i = 0; i < in.planes[0].values.size(); ++i) {
            double sum = 0;
            for (size_t from = 0; from < 4; ++from) {
                const double v = from < in.planes.size() ? in.planes[from].values[i] : 1;
                sum += number(use, std::string{names[to], names[from]}) * v;
            }
            out.planes[to].values[i] = sum;
        }
    return out;
}

// cos^4 of an angle that grows with the distance from the centre and is `angle` in the corner.
Picture vignette(const FilterUse& use, const Picture& in) {
    const double angle = number(use, "angle"), shape = number(use, "aspect");
    const double width = in.aspect(), height = 1; // as shown
    return each_sample(in, [&](size_t p, int x, int y, double v) {
        if (in.layout.is_alpha(p)) return v;
        const Plane& plane = in.planes[p];
        const double dx = ((x + 0.5) / plane.width - number(use, "x0")) * width * (shape > 1 ? shape : 1);
        const double dy = ((y + 0.5) / plane.height - number(use, "y0")) * height * (shape > 1 ? 1 : shape);
        const double distance = std::hypot(dx, dy) / std::hypot(width / 2, height / 2);
        double light = distance > 1 && angle > 0 ? 0 : std::pow(std::cos(angle * distance), 4);
        if (number(use, "mode") == 1) light = 1 / std::max(light, 1e-4);
        const double zero = neutral_value(in.layout, p, false);
        return zero + (v - zero) * light;
    });
}

Picture negate(const FilterUse& use, const Picture& in) {
    return each_sample(in, [&](size_t p, int, int, double v) {
        if (in.layout.is_alpha(p) && number(use, "negate_alpha") == 0) return v;
        const colour::StoredRange range = in.layout.stored(p);
        return in.layout.is_chroma(p) ? 2 * range.mid - v : range.hi + range.lo - v;
    });
}

Picture fade(const FilterUse& use, const Picture& in, const Moment& moment) {
    const double seconds = number(use, "duration");
    const double done = seconds > 0 ? (moment.t - number(use, "start_time")) / seconds
                                    : (moment.n - number(use, "start_frame")) / number(use, "nb_frames");
    double shown = std::clamp(done, 0.0, 1.0);
    if (number(use, "type") == 1) shown = 1 - shown;
    return each_sample(in, [&](size_t p, int, int, double v) {
        if (in.layout.is_alpha(p)) return v;
        const double under = neutral_value(in.layout, p, number(use, "color") == 1);
        return under + (v - under) * shown;
    });
}

} // namespace

Picture reference(const FilterUse& use, const Picture& in, const Moment& moment) {
    const std::string& name = use.manifest->name;
    if (name == "eq") return eq(use, in);
    if (name == "hue") return hue(use, in);
    if (name == "colorchannelmixer") return mix_channels(use, in);
    if (name == "vignette") return vignette(use, in);
    if (name == "negate") return negate(use, in);
    if (name == "fade") return fade(use, in, moment);
    if (name == "convolution") return reference_convolution(use, in);
    if (name == "gblur") return reference_gblur(use, in);
    if (name == "unsharp") return reference_unsharp(use, in);
    if (name == "curves") return reference_curves(use, in);
    if (name == "lut3d") return reference_lut3d(use, in);
    if (use.manifest->geometry) return reference_geometry(use, in);
    throw Error(ErrorKind::internal, "no reference for filter '" + name + "'");
}

} // namespace weft::test
