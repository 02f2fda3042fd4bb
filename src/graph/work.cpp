#include "graph/work_private.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>

#include "graph/codegen_cpu_private.hpp"

namespace weft::graph {
namespace {

// A matrix of a pixel's three colours with an offset; an affine step on one value; rotating a place and
// weighing four pixels of four components around it.
constexpr double matrix_cost = 18, affine_cost = 2, rotation_cost = 60;
// Of px_over, for the modes that are macros.
constexpr double blend_cost = 4;

struct Range {
    int from = 0, until = 0;
    int size() const { return until - from; }
};

// The part of a result that is asked for, in its samples.
struct Part {
    Range x, y;
    double samples() const { return static_cast<double>(x.size()) * y.size(); }
};

Range widened(Range range, int radius, int size) {
    return {std::max(range.from - radius, 0), std::min(range.until + radius, size)};
}

// Of a sum of products with these weights.
double sum_cost(const std::vector<double>& weights) {
    const auto terms = std::count_if(weights.begin(), weights.end(), [](double w) { return w != 0; });
    const bool copy = terms == 1 && std::count(weights.begin(), weights.end(), 1.0) == 1;
    return copy ? 0 : 2.0 * static_cast<double>(terms);
}

// What an axis of a scale reads for a range of its results.
struct AxisReads {
    std::vector<int> samples; // in order
    double cost = 0;          // of all results, for one line across
};

AxisReads axis_reads(const AxisTaps& axis, Range range) {
    AxisReads out;
    std::vector<bool> read(static_cast<size_t>(axis.in));
    const auto taps = static_cast<size_t>(axis.taps);
    for (int k = range.from; k < range.until; ++k) {
        const auto begin = axis.weight.begin() + static_cast<std::ptrdiff_t>(static_cast<size_t>(k) * taps);
        const std::vector<double> weights(begin, begin + axis.taps);
        for (int j = 0; j < axis.taps; ++j)
            if (weights[static_cast<size_t>(j)] != 0)
                read[static_cast<size_t>(axis.first[static_cast<size_t>(k)] + j)] = true;
        // Their sum is 1: where only one is left it is a copy.
        if (std::count_if(weights.begin(), weights.end(), [](double w) { return w != 0; }) > 1)
            out.cost += sum_cost(weights);
    }
    for (int i = 0; i < axis.in; ++i)
        if (read[static_cast<size_t>(i)]) out.samples.push_back(i);
    return out;
}

std::vector<int> all_until(int end) {
    std::vector<int> lines(static_cast<size_t>(end));
    std::iota(lines.begin(), lines.end(), 0);
    return lines;
}

// Counts one body.
class Tally {
  public:
    Tally(Body& body, const TextCost& texts) : body_(body), texts_(texts) {}

    void chain(const CpuChain& of, Part part) {
        const Chain& chain = of.chain;
        for (size_t j = chain.stages.size() - 1; j > 0; --j) {
            const Stage& stage = chain.stages[j];
            steps(stage.ops, of, part);
            if (!stage.windowed) continue;
            const Part wide{widened(part.x, of.radius_x(j), of.width),
                            widened(part.y, of.radius_y(j), of.height)};
            for (const int c : of.components)
                window(stage.taps[static_cast<size_t>(c)], part, of.width);
            part = wide;
        }
        steps(chain.stages[0].ops, of, part);
        fetch(chain.a, of, part);
        if (chain.mix) mix(of, part);
    }

    void steps(const std::vector<Op>& ops, const CpuChain& of, const Part& part) {
        for (const Op& op : ops)
            add(part.samples() * (of.pixel ? pixel_step(op) : plane_cost(texts_, {op}, of.components[0])));
    }

    // One component of affine steps; each needs all three of the one before.
    void component_of_steps(const std::vector<Op>& ops, double samples) {
        for (size_t i = 0; i < ops.size(); ++i)
            add(samples * pixel_step(ops[i]) / (i + 1 < ops.size() ? 1 : 3));
    }

    void fetch(const Fetch& fetch, const CpuChain& of, const Part& part) {
        for (const int c : of.components) {
            const Image& image = fetch.image;
            const bool colour = c == 1 || c == 2;
            if (c == 3 && !image.alpha) continue;
            if (image.gray && colour && image.meaning == Meaning::ycc) continue; // a constant
            const int component = image.gray ? (c == 3 ? 1 : 0) : c;
            // In pixels, components that stay on their own grid are asked for by its samples.
            const bool thin = of.pixel && colour && (of.log2_w > 0 || of.log2_h > 0);
            const auto thinned = [&](Range r, int log2) {
                return Range{r.from >> log2, (r.until + (1 << log2) - 1) >> log2};
            };
            const Part own = thin ? Part{thinned(part.x, of.log2_w), thinned(part.y, of.log2_h)} : part;
            fetch_component(fetch, component, fetch_axes(fetch, component, of.log2_w, of.log2_h, of.site),
                            own);
        }
    }

    // A layer's picture of pixels at an angle.
    void rotated(const PlacedLayer& layer, const Cell& cell) {
        add(static_cast<double>(cell.w) * cell.h * rotation_cost);
        const double angle = layer.rotation * 3.14159265358979323846 / 180;
        double left = HUGE_VAL, right = -HUGE_VAL, top = HUGE_VAL, bottom = -HUGE_VAL;
        for (const int x : {cell.x, cell.x + cell.w})
            for (const int y : {cell.y, cell.y + cell.h}) {
                const double cx = x - layer.x - layer.w / 2.0, cy = y - layer.y - layer.h / 2.0;
                const double u = std::cos(angle) * cx + std::sin(angle) * cy + layer.w / 2.0,
                             v = std::cos(angle) * cy - std::sin(angle) * cx + layer.h / 2.0;
                left = std::min(left, u);
                right = std::max(right, u);
                top = std::min(top, v);
                bottom = std::max(bottom, v);
            }
        const auto held = [](double low, double high, int size) {
            return Range{std::clamp(static_cast<int>(low) - 1, 0, size),
                         std::clamp(static_cast<int>(high) + 2, 0, size)};
        };
        const Range x = held(left, right, layer.w), y = held(top, bottom, layer.h);
        if (x.size() <= 0 || y.size() <= 0) return;
        std::vector<int> lines = all_until(y.until);
        lines.erase(lines.begin(), lines.begin() + y.from);
        for (const ImageComponent& component : layer.chain.a.image.components)
            read(component, x, lines);
    }

    void add(double operations) { body_.operations += operations; }
    double text(const std::string& function) const { return texts_.of(function); }

  private:
    void window(const WindowTaps& taps, const Part& part, int width) {
        if (taps.separable) {
            add(sum_cost(taps.column) * widened(part.x, taps.radius_x, width).size() * part.y.size());
            add(sum_cost(taps.row) * part.samples());
        } else {
            add(sum_cost(taps.matrix) * part.samples());
        }
        add(part.samples() * ((taps.keep != 0 ? 2 : 0) + (taps.bias != 0 ? 1 : 0)));
    }

    // Displaced pictures are read by whole lines, whatever is shown of them.
    void mix(const CpuChain& of, const Part& part) {
        const Chain& chain = of.chain;
        steps(chain.ops_a, of, part);
        for (const Side& side : chain.others) {
            fetch(side.fetch, of, part);
            steps(side.ops, of, part);
        }
        const FilterManifest& manifest = *chain.mix->manifest;
        const double each = texts_.of(manifest) * (of.pixel && per_component(manifest) ? 4 : 1);
        add(part.samples() * (each + (chain.mask ? text("wf_picture_at") : 0)));
    }

    double pixel_step(const Op& op) const {
        switch (op.kind) {
        case Op::Kind::matrix:
            return matrix_cost;
        case Op::Kind::plane:
            return 3 * affine_cost;
        case Op::Kind::text:
            return texts_.of(*op.use.manifest) * (per_component(*op.use.manifest)
                                                      ? std::popcount(static_cast<unsigned>(op.components))
                                                      : 1);
        case Op::Kind::function:
            return 3 * text(op.function);
        case Op::Kind::pixel:
        case Op::Kind::table:
            return text(op.function);
        case Op::Kind::premultiply:
            return 3;
        case Op::Kind::unpremultiply:
            return 4;
        case Op::Kind::clamp:
            return text("px_clamp01");
        }
        return 0;
    }

    void fetch_component(const Fetch& fetch, int component, const FetchAxes& axes, const Part& part) {
        const AxisReads across = axis_reads(axes.x, part.x), down = axis_reads(axes.y, part.y);
        if (across.samples.empty() || down.samples.empty()) return;
        // Down into a line, then along it.
        Range columns{across.samples.front(), across.samples.back() + 1};
        add(down.cost * columns.size() + across.cost * part.y.size());
        // Back from upright to stored: unflipped, then untransposed.
        std::vector<int> lines = down.samples;
        if (fetch.turn.flip_x) columns = {axes.x.in - columns.until, axes.x.in - columns.from};
        if (fetch.turn.flip_y) {
            for (int& line : lines)
                line = axes.y.in - 1 - line;
            std::reverse(lines.begin(), lines.end());
        }
        if (fetch.turn.swap) {
            std::vector<int> turned;
            for (int x = columns.from; x < columns.until; ++x)
                turned.push_back(x);
            columns = {lines.front(), lines.back() + 1};
            lines = std::move(turned);
        }
        read(fetch.image.components[static_cast<size_t>(component)], columns, std::move(lines));
    }

    void read(const ImageComponent& component, Range columns, std::vector<int> lines) {
        const SampleLayout& s = component.sample;
        body_.reads.push_back({component.plane, component.byte_offset,
                               (columns.from * s.step + s.offset) * s.bytes(),
                               ((columns.until - 1) * s.step + s.offset + 1) * s.bytes(), std::move(lines)});
        if (component.palette) body_.reads.push_back({*component.palette, 0, 0, 256 * 4, {0}});
    }

    Body& body_;
    const TextCost& texts_;
};

double stored_samples(const Target& target, int component, const Cell& cell) {
    const Area area = component_area(target.image, component, cell.x, cell.y, cell.w, cell.h);
    return static_cast<double>(area.w) * area.h;
}

void count_dither(Tally& tally, const Target& target, int component, const Cell& cell) {
    if (target.dither) tally.add(stored_samples(target, component, cell) * tally.text("wf_dither"));
}

// A picture that a layer's chain begins with, in pixels; the chroma grid is the image's own where it stays
// there.
CpuChain pixel_chain(const Chain& chain, const Image& image, int width, int height) {
    std::vector<int> components{0, 1, 2};
    if (chain.alpha) components.push_back(3);
    return {chain, true, components, 0, 0, image.colour.chroma, width, height, 1};
}

} // namespace

double plane_cost(const TextCost& texts, const std::vector<Op>& ops, int component) {
    double sum = 0;
    for (const Op& op : ops) {
        if (op.kind == Op::Kind::plane)
            sum += affine_cost;
        else if (op.kind == Op::Kind::clamp)
            sum += texts.of("wf_clamp01");
        else if (op.components & (1 << component))
            sum += texts.of(*op.use.manifest);
    }
    return sum;
}

void count_plane(Body& body, const TextCost& texts, const Target& target, int component,
                 const PlacedLayer& all, const Cell& cell) {
    const PlacedLayer layer = for_component(all, component);
    const Image& image = target.image;
    const Area area = component_area(image, component, cell.x, cell.y, cell.w, cell.h);
    const Area whole = component_area(image, component, layer.x, layer.y, layer.w, layer.h);
    const int x0 = area.x - whole.x, y0 = area.y - whole.y;
    Tally tally(body, texts);
    const CpuChain of{layer.chain,  false,        {component},
                      image.log2_w, image.log2_h, image.colour.chroma,
                      whole.w,      whole.h,      1};
    const Part part{{x0, x0 + area.w}, {y0, y0 + area.h}};
    if (body.looked_up) {
        tally.fetch(layer.chain.a, of, part);
        tally.add(static_cast<double>(body.items) * *body.looked_up *
                  plane_cost(texts, layer.chain.stages[0].ops, component));
    } else {
        tally.chain(of, part);
    }
    count_dither(tally, target, component, cell);
}

void count_pixels(Body& body, const TextCost& texts, const Target& target,
                  const std::vector<PlacedLayer>& layers, const Cell& cell,
                  const std::vector<Op>& to_target) {
    const Image& image = target.image;
    const Part part{{0, cell.w}, {0, cell.h}};
    Tally tally(body, texts);
    for (const int number : cell.layers) {
        const PlacedLayer& layer = layers[static_cast<size_t>(number)];
        const int x0 = cell.x - layer.x, y0 = cell.y - layer.y;
        if (layer.rotation != 0)
            tally.rotated(layer, cell);
        else
            tally.chain(pixel_chain(layer.chain, image, layer.w, layer.h),
                        {{x0, x0 + cell.w}, {y0, y0 + cell.h}});
        if (layer.opaque()) continue;
        const bool plain = layer.blend == Blend::normal || layer.blend == Blend::add;
        tally.add(part.samples() *
                  ((layer.opacity < 1 ? 4 : 0) +
                   tally.text(layer.blend == Blend::add ? "px_plus" : "px_over") * (plain ? 1 : blend_cost)));
    }
    const Chain none;
    tally.steps(to_target, pixel_chain(none, image, cell.w, cell.h), part);
    for (int c = 0; c < static_cast<int>(image.components.size()); ++c) {
        count_dither(tally, target, c, cell);
        const bool thinned = image.meaning == Meaning::ycc && !image.gray && (c == 1 || c == 2);
        if (!thinned) continue;
        // Down into a line of full width, then along.
        const auto weights = [](int log2, double offset) {
            return log2 > 0 ? 2.0 * static_cast<double>(chroma_weights(log2, offset).size()) : 0;
        };
        const Area area = component_area(image, c, cell.x, cell.y, cell.w, cell.h);
        tally.add(weights(image.log2_h, colour::chroma_offset_y(image.colour.chroma, image.log2_h)) * cell.w *
                      area.h +
                  weights(image.log2_w, colour::chroma_offset_x(image.colour.chroma, image.log2_w)) * area.w *
                      area.h);
    }
}

void count_quad(Body& body, const TextCost& texts, const Target& target, const PlacedLayer& layer,
                const Cell& cell, const std::vector<Op>& to_target) {
    const Image& image = target.image;
    const int x0 = cell.x - layer.x, y0 = cell.y - layer.y;
    const Part part{{x0, x0 + cell.w}, {y0, y0 + cell.h}};
    CpuChain of = pixel_chain(layer.chain, image, layer.w, layer.h);
    of.log2_w = image.log2_w;
    of.log2_h = image.log2_h;
    const QuadOps ops = quad_ops(layer.chain, to_target, image);
    Tally tally(body, texts);
    tally.fetch(layer.chain.a, of, part);
    tally.steps(ops.each, of, part);
    for (const int c : {0, 1, 2}) {
        count_dither(tally, target, c, cell);
        tally.component_of_steps(ops.last, stored_samples(target, c, cell));
    }
    // The mean of a block: its sum and one product; of what was read luma's alone.
    tally.add(stored_samples(target, 1, cell) * (1 << (image.log2_w + image.log2_h)) *
              (ops.each.empty()   ? 1
               : ops.last.empty() ? 2
                                  : 3));
}

Read whole_read(const ImageComponent& component) {
    const SampleLayout& s = component.sample;
    return {component.plane, component.byte_offset, s.offset * s.bytes(),
            ((component.width - 1) * s.step + s.offset + 1) * s.bytes(), all_until(component.height)};
}

double bytes_of(const std::vector<const Body*>& bodies) {
    using Plane = std::tuple<int, int, int, FramePath>;
    const auto plane_of = [](const Read& read) -> Plane {
        if (const auto* stream = std::get_if<StreamPlane>(&read.plane))
            return {0, stream->stream, stream->plane, stream->frame};
        return {1, std::get<BufferArg>(read.plane).buffer, read.byte_offset, {}};
    };
    std::map<Plane, std::map<int, std::vector<std::pair<int, int>>>> planes; // parts of each line
    for (const Body* body : bodies)
        for (const Read& read : body->reads)
            for (const int line : read.lines)
                planes[plane_of(read)][line].emplace_back(read.from, read.until);
    double sum = 0;
    for (auto& [plane, lines] : planes)
        for (auto& [line, parts] : lines) {
            std::sort(parts.begin(), parts.end());
            int reached = 0;
            for (const auto& [from, until] : parts) {
                sum += std::max(until - std::max(from, reached), 0);
                reached = std::max(reached, until);
            }
        }
    return sum;
}

} // namespace weft::graph
