// Where a chain is cut into passes: windows that read stored pictures, and blurs that run at a lower
// resolution.
#include <algorithm>
#include <cmath>

#include "base/format.hpp"
#include "graph/planner_private.hpp"

namespace weft::graph {
namespace {

// Weights up to which one window costs less than two, with a picture written and read between.
constexpr int most_weights = 49;

// Down and along as two windows, where nothing of the centre is kept: 2 * K taps instead of K * K.
std::vector<Stage> split_windows(const std::vector<Stage>& stages) {
    std::vector<Stage> out;
    for (const Stage& stage : stages) {
        const bool apart =
            stage.windowed && std::all_of(stage.taps.begin(), stage.taps.end(), [](const WindowTaps& t) {
                return t.separable && t.keep == 0 && t.bias == 0 && t.radius_x > 0 && t.radius_y > 0 &&
                       (2 * t.radius_x + 1) * (2 * t.radius_y + 1) > most_weights;
            });
        if (!apart) {
            out.push_back(stage);
            continue;
        }
        Stage down = stage, along = stage;
        down.ops.clear();
        for (WindowTaps& t : down.taps) {
            t.row = {1.0};
            t.radius_x = 0;
            t.gain = 1;
        }
        for (WindowTaps& t : along.taps) {
            t.column = {1.0};
            t.radius_y = 0;
        }
        out.push_back(down);
        out.push_back(along);
    }
    return out;
}

// Sigmas up to which a GPU takes taps: a picture at a lower resolution costs it four launches.
constexpr double most_sigma = 30;

std::vector<Stage> with_taps(std::vector<Stage> stages) {
    for (Stage& stage : stages) {
        if (!stage.cascade || std::max(stage.sigma_x, stage.sigma_y) > most_sigma) continue;
        WindowTaps taps;
        taps.separable = true;
        taps.row = gaussian_row(stage.sigma_x);
        taps.column = gaussian_row(stage.sigma_y);
        taps.radius_x = static_cast<int>(taps.row.size()) / 2;
        taps.radius_y = static_cast<int>(taps.column.size()) / 2;
        stage.taps.fill(taps);
        stage.windowed = true;
        stage.cascade = false;
    }
    return stages;
}

} // namespace

Image Planner::cascade(const Image& image, const Stage& stage, Mode mode, Fetch& fetch) {
    // Down by f with a Gaussian of 0.7 f, a Gaussian of taps there, up with one of 0.7: variances add. The
    // low picture has margins, so that the edge is extended as the full one would be.
    struct Axis {
        int factor, margin, size;
        double inner;
    };
    const auto axis = [](double sigma, int size) {
        Axis a{1, 0, size, sigma};
        while (sigma / (2 * a.factor) >= 2)
            a.factor *= 2;
        if (a.factor == 1) return a;
        a.inner = std::sqrt(sigma * sigma / (a.factor * a.factor) - 2 * 0.49);
        a.margin = (static_cast<int>(std::ceil(4 * a.inner)) + 4) / 2 * 2;
        a.size = ((size + a.factor - 1) / a.factor + 1) / 2 * 2 + 2 * a.margin;
        return a;
    };
    const Axis ax = axis(stage.sigma_x, image.width), ay = axis(stage.sigma_y, image.height);
    Chain low;
    low.a.image = image;
    low.a.x = -ax.margin * ax.factor;
    low.a.y = -ay.margin * ay.factor;
    low.a.w = ax.size * ax.factor;
    low.a.h = ay.size * ay.factor;
    low.a.width = low.width = ax.size;
    low.a.height = low.height = ay.size;
    low.a.gaussian_x = ax.factor > 1 ? 0.7 * ax.factor : 0;
    low.a.gaussian_y = ay.factor > 1 ? 0.7 * ay.factor : 0;
    low.float_lines = image.deep();
    low.alpha = image.alpha;
    low.title = "blur at 1/" + std::to_string(std::max(ax.factor, ay.factor));
    WindowTaps taps;
    taps.separable = true;
    taps.row = gaussian_row(ax.inner);
    taps.column = gaussian_row(ay.inner);
    taps.radius_x = static_cast<int>(taps.row.size()) / 2;
    taps.radius_y = static_cast<int>(taps.column.size()) / 2;
    Stage window;
    window.windowed = true;
    window.taps.fill(taps);
    low.stages.push_back(window);
    Image blurred = materialise(std::move(low), mode, image, image.name + " blurred");
    fetch = Fetch{};
    fetch.image = blurred;
    fetch.x = ax.margin;
    fetch.y = ay.margin;
    fetch.w = static_cast<double>(image.width) / ax.factor;
    fetch.h = static_cast<double>(image.height) / ay.factor;
    fetch.width = image.width;
    fetch.height = image.height;
    fetch.gaussian_x = ax.factor > 1 ? 0.7 : 0;
    fetch.gaussian_y = ay.factor > 1 ? 0.7 : 0;
    return blurred;
}

void Planner::cut(Chain& chain, Mode mode, const Image& like) {
    // GPUs read windows from stored pictures; so does everything when fusing is off.
    const bool every_window = gpu() || !options_.fuse;
    if (gpu()) chain.stages = split_windows(with_taps(chain.stages));
    // Samples that a window reads as they are stored: of the planner's own pictures, and on GPUs any that lie
    // one by one on the grid of the result.
    const auto readable = [&](const Image& image) {
        const ImageComponent& c = image.components[0];
        if (c.sample.type >= SampleType::q6) return true;
        return gpu() && mode == Mode::planes && image.log2_w == like.log2_w && image.log2_h == like.log2_h &&
               c.sample.step == 1 && c.sample.bias == 0 && !c.palette;
    };
    // Nothing happens to the image before the first window.
    const auto bare = [&] {
        const Fetch& a = chain.a;
        return chain.stages[0].ops.empty() && !chain.mix && a.unscaled() && a.turn.plain() && a.x == 0 &&
               a.y == 0 && a.image.width == chain.width && a.image.height == chain.height;
    };
    for (;;) {
        const Image& source = chain.a.image;
        size_t at = 0;
        for (size_t j = 1; j < chain.stages.size() && at == 0; ++j) {
            const bool fits = j == 1 && bare() && readable(source);
            if (chain.stages[j].cascade || (every_window && !fits)) at = j;
        }
        if (at == 0) return;
        Chain before = chain;
        before.stages.resize(at);
        // The first kernel of a cascade scales, and so reads any samples of the same grid.
        const bool same_grid =
            mode == Mode::planes && source.log2_w == like.log2_w && source.log2_h == like.log2_h;
        const bool as_stored =
            at == 1 && chain.stages[1].cascade && bare() && (readable(source) || same_grid);
        const Image image = as_stored ? source
                                      : materialise(std::move(before), mode, like,
                                                    layer_name_ + fmt::format(" stage {}", at));
        chain.mix.reset();
        chain.ops_a.clear();
        chain.others.clear();
        chain.a = Fetch{};
        chain.a.image = image;
        chain.a.w = chain.a.width = chain.width;
        chain.a.h = chain.a.height = chain.height;
        const Stage stage = chain.stages[at];
        std::vector<Stage> later(chain.stages.begin() + static_cast<std::ptrdiff_t>(at) + 1,
                                 chain.stages.end());
        if (stage.cascade) {
            cascade(image, stage, mode, chain.a);
            Stage first;
            first.ops = stage.ops;
            later.insert(later.begin(), first);
        } else {
            later.insert(later.begin(), stage);
            later.insert(later.begin(), Stage{});
        }
        chain.stages = std::move(later);
    }
}

} // namespace weft::graph
