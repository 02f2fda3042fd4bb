// Transitions: how much of the new picture there is at each place, or where it stands.
#include <algorithm>
#include <cmath>
#include <functional>

#include "base/error.hpp"
#include "graph/filter_manifest.hpp"
#include "support/reference_filters.hpp"

namespace weft::test {
namespace {

using graph::FilterUse;

// Share of the new picture at a place that it reaches when progress is `when`, through a band of width `soft`
// (of the same scale) that has not begun at progress 0 and is over at 1.
double share(double when, double progress, double soft) {
    if (soft <= 0) return when < progress + 1e-6 && progress > 0 ? 1 : 0; // a centre just reached is taken
    const double band_end = progress * (1 + soft);                        // where the share begins
    return std::clamp((band_end - when) / soft, 0.0, 1.0);
}

// A grain's threshold in [0, 1): two rounds of multiply and shift of column, line and seed.
double grain(int x, int y) {
    const auto mixed = [](uint32_t v) {
        v = (v ^ v >> 16) * 0x7feb352du;
        v = (v ^ v >> 15) * 0x846ca68bu;
        return v ^ v >> 16;
    };
    const uint32_t line = mixed(static_cast<uint32_t>(y) + mixed(0x9e3779b9u));
    return ((mixed(static_cast<uint32_t>(x) + line) >> 8) + 0.5) / 16777216.0;
}

double smoothstep(double from, double to, double v) {
    const double s = std::clamp((v - from) / (to - from), 0.0, 1.0);
    return s * s * (3 - 2 * s);
}

struct Place {
    double x, y; // 0..1
    int px, py;
    size_t plane;
};

Picture blended(const Picture& a, const Picture& b, const std::function<double(const Place&)>& amount) {
    Picture out = a;
    for (size_t p = 0; p < out.planes.size(); ++p)
        for (int y = 0; y < out.planes[p].height; ++y)
            for (int x = 0; x < out.planes[p].width; ++x) {
                const double m =
                    amount({(x + 0.5) / out.planes[p].width, (y + 0.5) / out.planes[p].height, x, y, p});
                out.planes[p](x, y) = a.planes[p](x, y) * (1 - m) + b.planes[p](x, y) * m;
            }
    return out;
}

// Between four samples, the place `f` behind the second. Source : Catmull and Rom's interpolating spline.
double between(double a, double b, double c, double d, double f) {
    return b + f / 2 * (c - a + f * (2 * a - 5 * b + 4 * c - d + f * (3 * (b - c) + d - a)));
}

// Both pictures moved along together by whole samples of luma; chroma that is thinned out, by the parts of
// its own that these are. Each sample shows the picture in which its middle lies.
Picture slide(const std::string& name, const Picture& a, const Picture& b, double progress) {
    Picture out = a;
    const bool across = name == "slideleft" || name == "slideright";
    const bool back = name == "slideleft" || name == "slideup"; // towards lower coordinates
    const int whole = across ? a.width() : a.height();
    // The new picture's part of the whole; half a sample of it is none yet.
    const int fresh = static_cast<int>(std::ceil(progress * whole - 0.5));
    const double seam = back ? (1 - progress) * whole : progress * whole;
    for (size_t p = 0; p < out.planes.size(); ++p) {
        Plane& to = out.planes[p];
        const int thin = a.layout.is_chroma(p) ? 1 << (across ? a.layout.log2_w : a.layout.log2_h) : 1;
        for (int y = 0; y < to.height; ++y)
            for (int x = 0; x < to.width; ++x) {
                const int at = across ? x : y;
                const double middle = (at + 0.5) * thin;
                const bool old = back ? middle < seam - 1e-6 : middle > seam - 1e-6;
                const int moved = old ? (back ? -fresh : fresh) : back ? whole - fresh : fresh - whole;
                const Plane& from = (old ? a : b).planes[p];
                const double place = at - static_cast<double>(moved) / thin;
                const int first = static_cast<int>(std::floor(place));
                const auto sample = [&](int k) {
                    return across ? from.edge(first + k, y) : from.edge(x, first + k);
                };
                to(x, y) = between(sample(-1), sample(0), sample(1), sample(2), place - first);
            }
    }
    return out;
}

// Through black or white: the old picture is under it after a fifth, the new one clear of it after four.
Picture through(const Picture& a, const Picture& b, double progress, bool white) {
    const double left = 1 - progress;
    Picture out = a;
    for (size_t p = 0; p < out.planes.size(); ++p) {
        const colour::StoredRange range = a.layout.stored(p);
        const double under = a.layout.is_alpha(p)    ? 1
                             : a.layout.is_chroma(p) ? range.mid
                             : white                 ? range.hi
                                                     : range.lo;
        for (size_t i = 0; i < out.planes[p].values.size(); ++i) {
            const double old = under + (a.planes[p].values[i] - under) * smoothstep(0.8, 1, left);
            const double fresh = under + (b.planes[p].values[i] - under) * (1 - smoothstep(0.2, 1, left));
            out.planes[p].values[i] = old * left + fresh * progress;
        }
    }
    return out;
}

} // namespace

double ease(double progress, int kind) {
    const double p = progress;
    switch (kind) {
    case 1:
        return p < 0.5 ? 4 * std::pow(p, 3) : 1 - std::pow(2 - 2 * p, 3) / 2;
    case 2:
        return (1 - std::cos(M_PI * p)) / 2;
    case 3:
        return 3 * p * p - 2 * p * p * p;
    default:
        return p;
    }
}

Picture reference(const FilterUse& use, const Picture& a, const Picture& b, const Moment& moment,
                  const Plane& mask) {
    const std::string& name = use.manifest->name;
    const double progress = ease(moment.progress, static_cast<int>(number(use, "ease")));
    const double soft = use.values.contains("softness") ? number(use, "softness") : 0;
    const double aspect = a.aspect();
    const auto from_centre = [&](const Place& at) {
        return std::hypot((at.x - 0.5) * aspect, at.y - 0.5) / (0.5 * std::hypot(aspect, 1));
    };
    if (name.starts_with("slide")) return slide(name, a, b, progress);
    if (name == "fadeblack") return through(a, b, progress, false);
    if (name == "fadewhite") return through(a, b, progress, true);
    return blended(a, b, [&](const Place& at) {
        if (name == "fade") return progress;
        if (name == "wipeleft") return share(1 - at.x, progress, soft);
        if (name == "wiperight") return share(at.x, progress, soft);
        if (name == "wipeup") return share(1 - at.y, progress, soft);
        if (name == "wipedown") return share(at.y, progress, soft);
        if (name == "circleopen") return share(from_centre(at), progress, soft);
        if (name == "circleclose") return share(1 - from_centre(at), progress, soft);
        if (name == "dissolve") return share(grain(at.px, at.py), progress, soft);
        if (name == "luma") {
            const double value = mask(at.px * mask.width / a.planes[at.plane].width,
                                      at.py * mask.height / a.planes[at.plane].height);
            return share(number(use, "invert") != 0 ? 1 - value : value, progress, std::max(soft, 1e-4));
        }
        throw Error(ErrorKind::internal, "no reference for transition '" + name + "'");
    });
}

} // namespace weft::test
