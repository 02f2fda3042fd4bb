#include <algorithm>
#include <map>

#include "base/format.hpp"
#include "graph/codegen_private.hpp"

namespace weft::graph {

std::array<colour::StoredRange, 2> stored_ranges(const Image& image) {
    if (image.meaning == Meaning::rgb) {
        colour::ColourSpec rgb;
        rgb.matrix = colour::Matrix::rgb;
        rgb.range = colour::Range::full;
        const auto range = colour::stored_range(rgb, false);
        return {range, range};
    }
    return {colour::stored_range(image.colour, false), colour::stored_range(image.colour, true)};
}

std::string dither_at(const Target& target, const std::string& x, int x0, const std::string& y, int y0) {
    return target.dither ? fmt::format("wf_dither({} + {}, {} + {})", x, x0, y, y0) : "";
}

std::vector<std::pair<int, double>> chroma_weights(int log2, double offset) {
    std::map<int, double> weights;
    const double width = 1 << log2, from = offset - width / 2, until = offset + width / 2;
    for (int i = -2; i <= 1 << log2; ++i) {
        const double covered = std::min(until, i + 0.5) - std::max(from, i - 0.5);
        if (covered > 0) weights[i] = covered / width;
    }
    return {weights.begin(), weights.end()};
}

Area component_area(const Image& image, int component, int x, int y, int w, int h) {
    const bool chroma = image.meaning == Meaning::ycc && !image.gray && (component == 1 || component == 2);
    const int lw = chroma ? image.log2_w : 0;
    const int lh = chroma ? image.log2_h : 0;
    const auto up = [](int v, int log2) { return -((-v) >> log2); };
    const int x0 = up(x, lw), y0 = up(y, lh);
    return {x0, y0, up(x + w, lw) - x0, up(y + h, lh) - y0};
}

FetchAxes fetch_axes(const Fetch& fetch, int component, int log2_w, int log2_h, colour::ChromaSite site) {
    const Image& image = fetch.image;
    const Orientation& turn = fetch.turn;
    const bool chroma = image.meaning == Meaning::ycc && !image.gray && (component == 1 || component == 2);
    const auto& plane = image.components[static_cast<size_t>(component)];

    // Stored axes, then the turn.
    double site_x = chroma ? colour::chroma_offset_x(image.colour.chroma, image.log2_w) : 0;
    double site_y = chroma ? colour::chroma_offset_y(image.colour.chroma, image.log2_h) : 0;
    int sub_x = chroma ? 1 << image.log2_w : 1;
    int sub_y = chroma ? 1 << image.log2_h : 1;
    int in_x = plane.width, in_y = plane.height;
    int luma_x = image.width, luma_y = image.height;
    if (turn.swap) {
        std::swap(site_x, site_y);
        std::swap(sub_x, sub_y);
        std::swap(in_x, in_y);
        std::swap(luma_x, luma_y);
    }
    // A flipped axis counts from the other end: sample 0 is the last one stored.
    if (turn.flip_x) site_x = (luma_x - 1) - (site_x + sub_x * (in_x - 1));
    if (turn.flip_y) site_y = (luma_y - 1) - (site_y + sub_y * (in_y - 1));

    FetchAxes axes;
    const int out_sub_x = chroma ? 1 << log2_w : 1;
    const int out_sub_y = chroma ? 1 << log2_h : 1;
    const double out_site_x = chroma ? colour::chroma_offset_x(site, log2_w) : 0;
    const double out_site_y = chroma ? colour::chroma_offset_y(site, log2_h) : 0;
    axes.width = (fetch.width + out_sub_x - 1) / out_sub_x;
    axes.height = (fetch.height + out_sub_y - 1) / out_sub_y;
    const AxisMap map_x =
        axis_map(in_x, axes.width, fetch.x, fetch.w, fetch.width, sub_x, site_x, out_sub_x, out_site_x);
    const AxisMap map_y =
        axis_map(in_y, axes.height, fetch.y, fetch.h, fetch.height, sub_y, site_y, out_sub_y, out_site_y);
    if (fetch.gaussian()) {
        const auto axis = [](const AxisMap& map, double sigma) {
            return sigma > 0 ? make_gaussian_axis(map, sigma) : make_axis(map, ScaleMethod::nearest);
        };
        axes.x = axis(map_x, fetch.gaussian_x);
        axes.y = axis(map_y, fetch.gaussian_y);
        return axes;
    }
    // Chroma that is only brought to luma's grid is interpolated linearly; anything sharper would ring.
    const auto method = [&](double luma_ratio, const AxisMap& map) {
        const bool only_chroma = chroma && luma_ratio == 1.0 && map.step < 1;
        return only_chroma && fetch.method == ScaleMethod::automatic ? ScaleMethod::bilinear : fetch.method;
    };
    axes.x = make_axis(map_x, method(fetch.w / fetch.width, map_x));
    axes.y = make_axis(map_y, method(fetch.h / fetch.height, map_y));
    return axes;
}

} // namespace weft::graph
