// Whole bodies for CPUs, put together from stages and rings.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/format.hpp"
#include "graph/chain_build_private.hpp"
#include "graph/codegen_cpu_private.hpp"
#include "graph/codegen_lines_private.hpp"

namespace weft::graph {
namespace {

// Pointer to row `row` (expression, in the cell's rows) of a target's component.
std::string target_row(const std::string& plane, const ImageComponent& component, const std::string& row) {
    return fmt::format("(({})({} + ({}) * {}p) + {})", pointer_type(component.sample.type, true), plane, row,
                       plane, component.sample.offset);
}

// The writer is filled while text is made; the entry needs every name, so functions are closed at the end.
void finish(BodyWriter& writer, const std::vector<LineFunction>& functions, const std::string& entry,
            const std::string& before = {}, const std::string& item = "band") {
    writer.body.text = with_names(
        writer, before + close_functions(writer, functions) +
                    fmt::format("FN void @(const int {}, {}) {{\n", item, writer.formals()) + entry + "}\n");
}

double component_bytes(const Area& area, const SampleLayout& sample) {
    return static_cast<double>(area.w) * area.h * sample.bytes();
}

} // namespace

namespace {

// A separable window straight over stored 8-bit samples: the rows are the source's own, so no ring is needed.
bool reads_rows(const Chain& chain, int component) {
    if (chain.stages.size() != 2 || !chain.stages[0].ops.empty() || chain.mix || chain.float_lines)
        return false;
    const WindowTaps& taps = chain.stages[1].taps[static_cast<size_t>(component)];
    const ImageComponent& in = chain.a.image.components[static_cast<size_t>(component)];
    return taps.separable && taps.radius_y > 0 && chain.a.unscaled() && chain.a.turn.plain() &&
           chain.a.x == 0 && chain.a.y == 0 && in.sample.type == SampleType::u8 && in.sample.step == 1 &&
           !in.palette;
}

// Statements that make row y of such a window and use it so.
std::string row_window(BodyWriter& writer, const Chain& chain, int component, int width, int height, int x0,
                       int x1, const LineUse& use, const std::string& at) {
    const WindowTaps& taps = chain.stages[1].taps[static_cast<size_t>(component)];
    const ImageComponent& in = chain.a.image.components[static_cast<size_t>(component)];
    const std::string s = writer.plane(in, false);
    const int r = taps.radius_x;
    // Down: 12 bits of taps on 8-bit samples, kept as 16 bits with 7 of fraction; along: 12 bits of taps.
    const IntegerTaps down = integer_taps(taps.column, 12), along = integer_taps(taps.row, 12);
    const int fraction = -static_cast<int>(std::lround(std::log2(down.scale)));
    const int shift = std::max(0, fraction - 7);
    std::string text;
    std::vector<std::string> column, line;
    for (int k = -taps.radius_y; k <= taps.radius_y; ++k) {
        const std::string name = fmt::format("r{}", k + taps.radius_y);
        text += fmt::format("const __global uchar* restrict {} = {} + min(max(y + {}, 0), {}) * {}p + {};\n",
                            name, s, k, height - 1, s, in.sample.offset);
        column.push_back(name + "[x]");
    }
    std::vector<std::string> sums{grouped_sum(down.taps, column)};
    if (shift > 0) sums[0] = fmt::format("({} + {}) >> {}", sums[0], 1 << (shift - 1), shift);
    // Taps cut into eight high and four low bits have sums of 16 bits, which are twice as many to a vector. A
    // loop for each part: sums that both would share are kept at 32 bits. Held around zero, two of the line
    // add up in 16 bits as well.
    std::vector<int> high, low;
    for (const int tap : down.taps) {
        high.push_back(tap >> 4);
        low.push_back(tap & 15);
    }
    const auto fits = [](const std::vector<int>& part) {
        return std::accumulate(part.begin(), part.end(), 0) <= 65535 / 255;
    };
    const bool cut = fraction == 12 && *std::min_element(down.taps.begin(), down.taps.end()) >= 0 &&
                     fits(high) && fits(low);
    const int middle = cut ? 255 << 6 : 0;
    if (cut)
        sums = {fmt::format("((ushort)({}) >> 1) - {}", grouped_sum(high, column), middle),
                fmt::format("T[x] + ((ushort)({}) >> 5)", grouped_sum(low, column))};
    const int pad = (r + 31) / 32 * 32;
    text += fmt::format("short L[{}] WF_LINE;\nshort* restrict T = L + {};\n", width + 2 * pad, pad);
    for (const std::string& sum : sums)
        text += fmt::format("VEC for (int x = 0; x < {}; x++) T[x] = (short)({});\n", width, sum);
    text += fill("for (int i = 1; i <= $R; i++) { T[-i] = T[0]; T[$W - 1 + i] = T[$W - 1]; }\n",
                 {{"R", literal(r)}, {"W", literal(width)}});
    for (int i = -r; i <= r; ++i)
        line.push_back(fmt::format("t[{}]", i));
    const std::string row = grouped_sum(along.taps, line, cut ? "(short)" : "");
    const double scale = taps.gain * in.sample.unit * along.scale * std::ldexp(down.scale, shift);
    const double bias = taps.bias + scale * middle * std::accumulate(along.taps.begin(), along.taps.end(), 0);
    const std::string head = fmt::format(
        "{}VEC for (int x = {}; x < {}; x++) {{\n{}const short* restrict t = T + x;\n", text, x0, x1, at);
    if (use.sample != nullptr && taps.keep == 0) {
        const WholeValue whole{row, scale, bias};
        if (const auto stored = store_whole(writer, whole, chain.stages[1].ops, component, *use.sample))
            return head + fmt::format("{} = {};\n}}\n", use.element, *stored);
    }
    std::string value = fmt::format("(float)({}) * {}", row, literal(scale));
    if (taps.keep != 0)
        value += fmt::format(" + (float)r{}[x] * {}", taps.radius_y, literal(taps.keep * in.sample.unit));
    if (bias != 0) value += " + " + literal(bias);
    return head + fmt::format("float v = {};\n{}{}}}\n", value,
                              emit_ops(writer, chain.stages[1].ops, "v", false, component), use.text);
}

} // namespace

Body cpu_plane_body(PlanContext& context, const Target& target, int component, const PlacedLayer& all,
                    const Cell& cell, double cost) {
    const PlacedLayer layer = for_component(all, component);
    const Image& image = target.image;
    const ImageComponent& out = image.components[static_cast<size_t>(component)];
    const Area area = component_area(image, component, cell.x, cell.y, cell.w, cell.h);
    const Area whole = component_area(image, component, layer.x, layer.y, layer.w, layer.h);
    const int x0 = area.x - whole.x, y0 = area.y - whole.y;
    CpuChain cpu{layer.chain,         false,   {component}, image.log2_w,  image.log2_h,
                 image.colour.chroma, whole.w, whole.h,     context.aspect};
    BodyWriter writer(context.buffers);
    shape_planes(writer.body, context, target, component, layer, cell);
    cpu.sums = writer.body.shape.sums;
    const std::string d = writer.plane(out, true, area.x, area.y);
    const bool direct = reads_rows(layer.chain, component);
    RingText ring = direct ? RingText{} : ring_text(writer, cpu, "");
    const size_t last = layer.chain.stages.size() - 1;
    std::string row_formals, row_names;
    std::vector<std::string> lines;
    for (size_t k = 0; k < ring.last_lines.size(); ++k) {
        lines.push_back(fmt::format("i{}", k));
        row_formals +=
            fmt::format(", const {}* restrict i{}", layer.chain.float_lines ? "float" : "short", k);
        row_names += ", " + ring.last_lines[k];
    }
    const std::string index =
        out.sample.step == 1 ? fmt::format("x - {}", x0) : fmt::format("(x - {}) * {}", x0, out.sample.step);
    const LineUse store{
        fmt::format("D[{}] = {};\n", index,
                    store_value(out.sample, "v", dither_at(target, "x", whole.x, "y", whole.y))),
        target.dither ? nullptr : &out.sample, fmt::format("D[{}]", index)};
    std::string row = fmt::format("{} D = {};\n", pointer_type(out.sample.type, true),
                                  target_row(d, out, fmt::format("y - {}", y0)));
    const int rows = band_of(writer.body.shape, context.device, area.h, ring.lead, 1);
    std::optional<Lookup> lookup;
    if (!target.dither)
        lookup =
            lookup_of(writer, cpu, out.sample, cost, static_cast<double>(area.w) * std::min(rows, area.h));
    if (lookup) {
        writer.body.looked_up = lookup->codes;
        row_formals += fmt::format(", const {}* restrict table", lookup->type);
        row_names += ", table";
        row +=
            fmt::format("{}for (int x = {}; x < {}; x++) {{\n{}{} = table[{}];\n}}\n", lookup->source.before,
                        x0, x0 + area.w, lookup->source.in_loop, store.element, lookup->source.whole->text);
    } else if (direct) {
        const std::string at = needs_at(layer.chain.stages[1].ops)
                                   ? emit_at({"x", "y"}, whole.w, whole.h, context.aspect,
                                             writer.tick(layer.chain.transition_index))
                                   : "";
        row += row_window(writer, layer.chain, component, whole.w, whole.h, x0, x0 + area.w, store, at);
    } else {
        row += stage_loop(writer, cpu, last, lines, ring.form, store, x0, x0 + area.w);
    }
    ring.functions.push_back({"@row", row_formals, row});

    std::string entry = ring.declare + (lookup ? lookup->fill : "");
    entry +=
        fmt::format("const int y0 = {} + band * {}, y1 = min(y0 + {}, {});\n", y0, rows, rows, y0 + area.h);
    entry += fmt::format("for (int i = y0 - {}; i < y1; i++) {{\n{}", ring.lead, ring.step);
    entry += fmt::format("{}@row($F, i{});\n}}\n", ring.lead > 0 ? "if (i >= y0) " : "", row_names);
    finish(writer, ring.functions, entry);
    writer.body.items = (area.h + rows - 1) / rows;
    writer.body.depth = layer.chain.depth() + 1;
    writer.body.title = layer.chain.title;
    writer.body.bytes_written = component_bytes(area, out.sample);
    return writer.body;
}

bool quad_applies(const Target& target, const PlacedLayer& layer, const Cell& cell) {
    const Image& source = layer.chain.a.image;
    const Fetch& fetch = layer.chain.a;
    const Image& image = target.image;
    if (layer.chain.mix || layer.chain.stages.size() > 1 || !layer.opaque() || target.keep_alpha)
        return false;
    if (source.gray || source.meaning != Meaning::ycc || image.meaning != Meaning::ycc || image.gray)
        return false;
    if (image.log2_w != 1 || image.log2_h > 1 || source.log2_w != image.log2_w ||
        source.log2_h != image.log2_h)
        return false;
    if (!fetch.turn.plain() || fetch.gaussian()) return false;
    const auto even = [&](double v, int log2) {
        return v == static_cast<int>(v) && static_cast<int>(v) % (1 << log2) == 0;
    };
    // What is read and stored at one place for a whole block must be at one place.
    if (source.colour.chroma != image.colour.chroma) return false;
    return fetch.unscaled() && even(fetch.x, image.log2_w) && even(fetch.y, image.log2_h) &&
           cell.w % 2 == 0 && cell.h % (1 << image.log2_h) == 0 && even(layer.x, 1) &&
           even(layer.y, image.log2_h);
}

namespace {

// A filter that only scales (FilterManifest::scales) before the last matrix goes behind it, where it does the
// same and leaves two matrices side by side.
void scale_last(std::vector<Op>& ops, const Image& target) {
    const size_t n = ops.size();
    if (n < 3 || ops[n - 1].kind != Op::Kind::matrix || ops[n - 3].kind != Op::Kind::matrix) return;
    const Op& scaling = ops[n - 2];
    if (scaling.kind != Op::Kind::text || !scaling.use.manifest->scales || scaling.components != 7) return;
    const auto ranges = stored_ranges(target);
    const double zeros[] = {ranges[0].lo, ranges[1].mid, ranges[1].mid};
    // Zero must go to zero: of RGB from 0, to the target's own.
    if (scaling.ranges[0].lo != 0) return;
    for (size_t c = 0; c < 3; ++c)
        if (std::fabs(ops[n - 1].affine.offset[c] - zeros[c]) > 1e-9) return;
    std::swap(ops[n - 1], ops[n - 2]);
    ops[n - 1].ranges = ranges;
}

void join_matrices(std::vector<Op>& ops) {
    std::vector<Op> out;
    for (Op& op : ops) {
        if (op.kind == Op::Kind::matrix && !out.empty() && out.back().kind == Op::Kind::matrix)
            out.back().affine = compose(op.affine, out.back().affine);
        else
            out.push_back(std::move(op));
    }
    ops = std::move(out);
}

} // namespace

QuadOps quad_ops(const Chain& chain, const std::vector<Op>& to_target, const Image& target) {
    QuadOps out;
    out.each = chain.stages[0].ops;
    out.each.insert(out.each.end(), to_target.begin(), to_target.end());
    scale_last(out.each, target);
    join_matrices(out.each);
    size_t n = out.each.size();
    while (n > 0 && (out.each[n - 1].kind == Op::Kind::matrix || out.each[n - 1].kind == Op::Kind::plane))
        --n;
    out.last.assign(out.each.begin() + static_cast<std::ptrdiff_t>(n), out.each.end());
    out.each.resize(n);
    return out;
}

void QuadSums::add(const std::string& pixel) {
    for (size_t c = 0; c < sums.size(); ++c)
        sums[c] += (sums[c].empty() ? "" : " + ") + pixel + "." + "rgb"[c];
    first = first.empty() ? pixel : first;
}

std::string QuadSums::mean(const std::string& name, const QuadOps& ops, int count,
                           const std::string& last) const {
    const auto mean_of = [&](size_t c) { return fmt::format("({}) * {}", sums[c], literal(1.0 / count)); };
    // Of what was read, all have the same chroma.
    const bool read = ops.each.empty();
    const std::string mean = fmt::format("px_make({}, {}, {}, 1.0f)", mean_of(0),
                                         read ? first + ".g" : mean_of(1), read ? first + ".b" : mean_of(2));
    return fmt::format("const Px {} = {};\n", name, ops.last.empty() ? mean : last + mean + ")");
}

Body quad_body(PlanContext& context, const Target& target, const PlacedLayer& layer, const Cell& cell,
               const std::vector<Op>& to_target) {
    const Image& source = layer.chain.a.image;
    const Image& image = target.image;
    const int rows = 1 << image.log2_h;
    BodyWriter writer(context.buffers);
    shape_pixels(writer.body, context, target, {layer}, {cell.x, cell.y, cell.w, cell.h, {0}}, Work::pixels);
    const int sx = static_cast<int>(layer.chain.a.x) + cell.x - layer.x;
    const int sy = static_cast<int>(layer.chain.a.y) + cell.y - layer.y;
    std::string before, load, work, store;
    const QuadOps ops = quad_ops(layer.chain, to_target, image);
    const bool at = needs_at(ops.each);
    for (int c = 0; c < 3; ++c) {
        const ImageComponent& in = source.components[static_cast<size_t>(c)];
        const ImageComponent& out = image.components[static_cast<size_t>(c)];
        const int sub_x = c ? 1 : 0;
        const int sub_y = c ? image.log2_h : 0;
        const std::string s = writer.plane(in, false, sx >> sub_x, sy >> sub_y);
        const std::string d = writer.plane(out, true, cell.x >> sub_x, cell.y >> sub_y);
        for (int r = 0; r < (c ? 1 : rows); ++r) {
            const std::string row = c ? "band" : fmt::format("band * {} + {}", rows, r);
            before +=
                fmt::format("{} S{}{} = ({})({} + ({}) * {}p) + {};\n", pointer_type(in.sample.type, false),
                            c, r, pointer_type(in.sample.type, false), s, row, s, in.sample.offset);
            before += fmt::format("{} D{}{} = {};\n", pointer_type(out.sample.type, true), c, r,
                                  target_row(d, out, row));
            load += fmt::format("{} s{}{}_ = S{}{} + {} * x;\n", pointer_type(in.sample.type, false), c, r, c,
                                r, (c ? 1 : 2) * in.sample.step);
            store += fmt::format("{} d{}{}_ = D{}{} + {} * x;\n", pointer_type(out.sample.type, true), c, r,
                                 c, r, (c ? 1 : 2) * out.sample.step);
        }
    }
    const auto value = [&](int c, const std::string& element) {
        const SampleLayout& s = source.components[static_cast<size_t>(c)].sample;
        const std::string v = fmt::format("(float){} * {}", raw_value(s, element), literal(s.unit));
        return s.bias == 0 ? v : v + " + " + literal(s.bias);
    };
    load += fmt::format("const float u = {}, w = {};\n", value(1, "s10_[0]"), value(2, "s20_[0]"));
    const std::string tick = at ? writer.tick(layer.chain.transition_index) : "";
    // Functions of one pixel.
    std::string each = emit_ops(writer, ops.each, "v", true, 0);
    if (at) each = emit_at({"x", "y"}, layer.w, layer.h, context.aspect, tick) + each;
    const std::string last = emit_ops(writer, ops.last, "v", true, 0);
    const auto listed = [](const std::string& list) { return list.empty() ? list : list + ", "; };
    QuadSums sums;
    for (int r = 0; r < rows; ++r)
        for (int k = 0; k < 2; ++k) {
            const std::string v = fmt::format("v{}{}", r, k);
            const SampleLayout& in = source.components[0].sample;
            const SampleLayout& out = image.components[0].sample;
            work +=
                fmt::format("const Px {} = @px({}px_make({}, u, w, 1.0f){});\n", v,
                            listed(writer.names(each)), value(0, fmt::format("s0{}_[{}]", r, k * in.step)),
                            at ? fmt::format(", 2 * x + {}, band * {} + {}", k + cell.x - layer.x, rows,
                                             r + cell.y - layer.y)
                               : "");
            sums.add(v);
            const std::string luma =
                ops.last.empty() ? v : fmt::format("@last({}{})", listed(writer.names(last)), v);
            const std::string dither =
                dither_at(target, "2 * x", cell.x + k, fmt::format("band * {}", rows), cell.y + r);
            store += fmt::format("d0{}_[{}] = {};\n", r, k * out.step, store_value(out, luma + ".r", dither));
        }
    work += sums.mean("m", ops, 2 * rows, "@last(" + listed(writer.names(last)));
    const std::string dither = dither_at(target, "x", cell.x >> 1, "band", cell.y >> image.log2_h);
    store += fmt::format("d10_[0] = {};\n", store_value(image.components[1].sample, "m.g", dither));
    store += fmt::format("d20_[0] = {};\n", store_value(image.components[2].sample, "m.b", dither));
    const std::string entry = before + fmt::format("VEC for (int x = 0; x < {}; x++) {{\n{}{}{}}}\n",
                                                   cell.w / 2, load, work, store);
    std::string functions =
        fmt::format("FN Px @px({}Px v{}) {{\n{}return v;\n}}\n", listed(writer.formals(each)),
                    at ? ", const int x, const int y" : "", each);
    if (!ops.last.empty())
        functions +=
            fmt::format("FN Px @last({}Px v) {{\n{}return v;\n}}\n", listed(writer.formals(last)), last);
    finish(writer, {}, entry, functions);
    writer.body.items = cell.h / rows;
    writer.body.depth = source.depth + 1;
    writer.body.title = layer.chain.title;
    for (int c = 0; c < 3; ++c)
        writer.body.bytes_written += component_bytes(component_area(image, c, cell.x, cell.y, cell.w, cell.h),
                                                     image.components[static_cast<size_t>(c)].sample);
    return writer.body;
}

} // namespace weft::graph
