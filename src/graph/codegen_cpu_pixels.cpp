// The CPU shape for pixels: layers are made line by line, composited, converted and stored.
#include <algorithm>
#include <cmath>

#include "base/format.hpp"
#include "graph/codegen_cpu_private.hpp"
#include "graph/codegen_lines_private.hpp"

namespace weft::graph {

// One blended pixel: `s` premultiplied source, `d` the canvas so far (premultiplied), as statements that
// change d.
std::string blend_text(Blend blend) {
    const char* mode = nullptr;
    switch (blend) {
    case Blend::normal:
        return "d = px_over(d, s);\n";
    case Blend::add:
        return "d = px_plus(d, s);\n";
    case Blend::multiply:
        mode = "multiply";
        break;
    case Blend::screen:
        mode = "screen";
        break;
    case Blend::overlay:
        mode = "overlay";
        break;
    case Blend::darken:
        mode = "darken";
        break;
    case Blend::lighten:
        mode = "lighten";
        break;
    case Blend::difference:
        mode = "difference";
        break;
    }
    return fmt::format("d = px_blend_{}(d, s);\n", mode);
}

namespace {

constexpr const char* member[] = {"r", "g", "b", "a"};

// Text that stores canvas lines C (two of them where chroma has half the lines) of the cell's rows.
std::string store_text(BodyWriter& writer, const Target& target, const Cell& cell) {
    const Image& image = target.image;
    const int rows = image.meaning == Meaning::ycc && !image.gray ? 1 << image.log2_h : 1;
    std::string out;
    const auto count = image.components.size();
    for (size_t i = 0; i < count; ++i) {
        const ImageComponent& component = image.components[i];
        const int c = image.gray && i == 1 ? 3 : static_cast<int>(i);
        const bool chroma = image.meaning == Meaning::ycc && !image.gray && (c == 1 || c == 2);
        const Area area = component_area(image, static_cast<int>(i), cell.x, cell.y, cell.w, cell.h);
        const std::string d = writer.plane(component, true, area.x, area.y);
        const std::string type = pointer_type(component.sample.type, true);
        const auto row = [&](const std::string& line) {
            return fmt::format("{} D = ({})({} + ({}) * {}p) + {};\n", type, type, d, line, d,
                               component.sample.offset);
        };
        const auto loop = [&](const std::string& value, const std::string& line) {
            return fmt::format(
                "VEC for (int x = 0; x < {}; x++) {{\nconst float v = {};\nD[x * {}] = {};\n}}\n", area.w,
                value, component.sample.step,
                store_value(component.sample, "v", dither_at(target, "x", area.x, line, area.y)));
        };
        if (!chroma) {
            for (int r = 0; r < rows; ++r) {
                const std::string guard = r > 0 ? fmt::format("if (y + {} < {})\n", r, cell.h) : "";
                const std::string line = fmt::format("y + {}", r);
                out += guard + "{\n" + row(line) + loop(fmt::format("C{}_{}[x]", c, r), line) + "}\n";
            }
            continue;
        }
        // Down first, into a line with a margin, then along.
        const int margin = 4;
        const double site_x = colour::chroma_offset_x(image.colour.chroma, image.log2_w),
                     site_y = colour::chroma_offset_y(image.colour.chroma, image.log2_h);
        std::string sum, value;
        for (const auto& [line, weight] : chroma_weights(image.log2_h, site_y))
            sum += float_product(
                weight, line < 0 ? fmt::format("B{}[x]", c) : fmt::format("C{}_{}[x]", c, line), sum.empty());
        const std::string line = fmt::format("(y >> {})", image.log2_h);
        out += "{\n" + row(line);
        const std::string base = image.log2_h == 0 ? fmt::format("C{}_0", c) : fmt::format("T + {}", margin);
        if (image.log2_h > 0)
            out += fmt::format("float T[{}];\nVEC for (int x = -2; x < {}; x++) T[x + {}] = {};\n",
                               cell.w + 2 * margin + 4, cell.w + 3, margin, sum);
        for (const auto& [column, weight] : chroma_weights(image.log2_w, site_x))
            value += float_product(weight, fmt::format("t[{}]", column), value.empty());
        out += fmt::format("VEC for (int x = 0; x < {}; x++) {{\nconst float* restrict t = {} + {} * "
                           "x;\nconst float v = {};\nD[x * {}] = {};\n}}\n}}\n",
                           area.w, base, 1 << image.log2_w, value, component.sample.step,
                           store_value(component.sample, "v", dither_at(target, "x", area.x, line, area.y)));
    }
    return out;
}

} // namespace

Body cpu_pixel_body(PlanContext& context, const Target& target, const std::vector<PlacedLayer>& layers,
                    const Cell& cell, const std::vector<Op>& to_target) {
    const Image& image = target.image;
    const int rows = image.meaning == Meaning::ycc && !image.gray ? 1 << image.log2_h : 1;
    BodyWriter writer(context.buffers);
    shape_pixels(writer.body, context, target, layers, cell, Work::layers);
    std::vector<LineFunction> functions;
    std::string declare, steps, canvas, extra; // extra: functions of points
    int lead = 0, depth = 0;
    std::vector<std::string> titles;

    // Layers bottom to top onto lines A (premultiplied working RGB and alpha), in the cell's columns.
    const int a = target.keep_alpha ? 4 : 3;
    std::string a_names, a_formals;
    for (int c = 0; c < a; ++c) {
        declare += fmt::format("float A{}[{}];\n", c, cell.w);
        a_names += fmt::format(", A{}", c);
        a_formals += fmt::format(", float* restrict A{}", c);
    }
    const bool covered = !cell.layers.empty() && layers[static_cast<size_t>(cell.layers.front())].opaque();
    const double back[4] = {target.background.r * target.background.a,
                            target.background.g * target.background.a,
                            target.background.b * target.background.a, target.background.a};
    if (!covered) {
        const std::string f = writer.floats({back[0], back[1], back[2], back[3]});
        std::string set;
        for (int c = 0; c < a; ++c)
            set += fmt::format("A{}[x] = {}.f{}; ", c, f, c);
        canvas += fmt::format("VEC for (int x = 0; x < {}; x++) {{ {}}}\n", cell.w, set);
    }
    int index = 0;
    for (const int number : cell.layers) {
        const PlacedLayer& layer = layers[static_cast<size_t>(number)];
        const std::string prefix = fmt::format("L{}", index++);
        const Chain& chain = layer.chain;
        depth = std::max(depth, chain.depth());
        titles.push_back(chain.title);
        if (layer.rotation != 0) {
            const RotatedFunction rotated = rotated_function(writer, layer, fmt::format("@{}px", prefix));
            extra += rotated.text;
            std::string put;
            for (int c = 0; c < a; ++c)
                put += fmt::format("A{}[x] = d.{}; ", c, member[c]);
            const std::string loop = fmt::format(
                "VEC for (int x = 0; x < {}; x++) {{\nconst Px s = @{}px({}, x + {}, y + {});\nPx d = "
                "px_make(A0[x], A1[x], A2[x], {});\n{}{}\n}}\n",
                cell.w, prefix, rotated.names, cell.x, cell.y, target.keep_alpha ? "A3[x]" : "1.0f",
                blend_text(layer.blend), put);
            functions.push_back({fmt::format("@{}row", prefix), a_formals, loop});
            canvas += fmt::format("@{}row($F, k{});\n", prefix, a_names);
            continue;
        }
        std::vector<int> components{0, 1, 2};
        if (chain.alpha) components.push_back(3);
        CpuChain cpu{chain, true, components, 0, 0, image.colour.chroma, layer.w, layer.h, context.aspect};
        cpu.sums = writer.body.shape.sums;
        RingText ring = ring_text(writer, cpu, prefix);
        const size_t last = chain.stages.size() - 1;
        std::string row_formals, row_names;
        std::vector<std::string> lines;
        for (size_t k = 0; k < ring.last_lines.size(); ++k) {
            lines.push_back(fmt::format("i{}", k));
            row_formals += fmt::format(", const {}* restrict i{}", chain.float_lines ? "float" : "short", k);
            row_names += ", " + ring.last_lines[k];
        }
        const int x0 = cell.x - layer.x, y0 = cell.y - layer.y;
        std::string use = fmt::format("Px s = v;\n");
        if (layer.opacity < 1) {
            const std::string f = writer.floats({layer.opacity});
            use += chain.alpha ? fmt::format("s = px_scale4(s, {}.f0);\n", f)
                               : fmt::format("s.a = 1.0f; s = px_scale4(s, {}.f0);\n", f);
        } else if (!chain.alpha) {
            use += "s.a = 1.0f;\n";
        }
        std::string put;
        for (int c = 0; c < a; ++c)
            put += fmt::format("A{}[x - {}] = d.{}; ", c, x0, member[c]);
        if (layer.opaque()) {
            use += "const Px d = s;\n" + put + "\n";
        } else {
            use += fill(
                "Px d = px_make(A0[x - $X], A1[x - $X], A2[x - $X], $ALPHA);\n",
                {{"X", literal(x0)}, {"ALPHA", target.keep_alpha ? fmt::format("A3[x - {}]", x0) : "1.0f"}});
            use += blend_text(layer.blend) + put + "\n";
        }
        const std::string text = stage_loop(writer, cpu, last, lines, ring.form, {use}, x0, x0 + cell.w);
        functions.insert(functions.end(), ring.functions.begin(), ring.functions.end());
        functions.push_back({fmt::format("@{}row", prefix), row_formals + a_formals, text});
        declare += ring.declare;
        // Rings count rows of the layer; y0 of the band in them.
        if (!ring.step.empty())
            steps += fmt::format("{{ const int i = k + {}, y0 = first + {};\n{}}}\n", y0, y0, ring.step);
        canvas += fmt::format("@{}row($F, k + {}{}{});\n", prefix, y0, row_names, a_names);
        lead = std::max(lead, ring.lead);
    }

    // Working RGB to the target's values, into lines C with a margin for the chroma filter.
    const int margin = 4;
    std::string convert, c_declare, ends;
    std::vector<int> stored;
    for (size_t i = 0; i < image.components.size(); ++i)
        stored.push_back(image.gray && i == 1 ? 3 : static_cast<int>(i));
    const std::string ops = emit_ops(writer, to_target, "v", true, 0);
    const std::string alpha = target.keep_alpha ? "A3[x]" : "1.0f";
    for (int r = 0; r < rows; ++r) {
        for (const int c : stored) {
            c_declare += fmt::format("float M{}_{}[{}]; float* restrict C{}_{} = M{}_{} + {};\n", c, r,
                                     cell.w + 2 * margin + 4, c, r, c, r, margin);
        }
    }
    std::string put;
    for (const int c : stored)
        put += fmt::format("o{}[x] = v.{}; ", c, member[c]);
    for (const int c : stored)
        ends +=
            fmt::format("o{}[-1] = o{}[-2] = o{}[0]; for (int i = 0; i < 3; i++) o{}[{} + i] = o{}[{}];\n", c,
                        c, c, c, cell.w, c, cell.w - 1);
    convert = fmt::format(
        "VEC for (int x = 0; x < {}; x++) {{\nPx v = px_make(A0[x], A1[x], A2[x], {});\n{}{}\n}}\n{}", cell.w,
        alpha, ops, put, ends);

    const int band = band_of(writer.body.shape, context.device, cell.h, lead, rows);
    // Chroma that stands on the first line of its block reaches to the line before it: B, of the block
    // before.
    const bool reaches_back =
        rows > 1 && chroma_weights(image.log2_h, colour::chroma_offset_y(image.colour.chroma, image.log2_h))
                            .front()
                            .first < 0;
    std::string keep_last;
    if (reaches_back)
        for (const int c : {1, 2}) {
            c_declare += fmt::format("float MB{}[{}]; float* restrict B{} = MB{} + {};\n", c,
                                     cell.w + 2 * margin + 4, c, c, margin);
            keep_last += fmt::format("wf_copy_float(B{}, C{}_{}, -2, {});\n", c, c, rows - 1, cell.w + 3);
        }
    std::string entry = declare + c_declare;
    entry += fmt::format("const int b0 = band * {}, b1 = min(b0 + {}, {});\n", band, band, cell.h);
    entry += reaches_back ? "const int first = max(b0 - 1, 0);\n" : "const int first = b0;\n";
    entry += fmt::format("for (int k = first - {}; k < b1; k++) {{\n{}", lead, steps);
    if (lead > 0) entry += "if (k < first) continue;\n";
    entry += canvas;
    std::string pointers;
    for (const int c : stored) {
        std::string expression = fmt::format("C{}_0", c);
        for (int r = 1; r < rows; ++r)
            expression = fmt::format("(k & {}) == {} ? C{}_{} : {}", rows - 1, r, c, r, expression);
        pointers += fmt::format("float* restrict o{} = {};\n", c, expression);
    }
    entry += "{\n" + pointers + convert + "}\n";
    // The last line of an odd picture stands in for the missing ones of its block.
    if (rows > 1) {
        std::string repeat;
        for (int r = 1; r < rows; ++r)
            for (const int c : stored)
                repeat += fmt::format(
                    "if ((k & {}) < {}) wf_copy_float(C{}_{}, (k & {}) == 0 ? C{}_0 : C{}_{}, -2, {});\n",
                    rows - 1, r, c, r, rows - 1, c, c, r - 1, cell.w + 3);
        entry += fmt::format("if (k + 1 == {}) {{\n{}}}\n", cell.h, repeat);
        entry += fmt::format("if ((k & {}) != {} && k + 1 < {}) continue;\n", rows - 1, rows - 1, cell.h);
    }
    entry += fmt::format("const int y = k & ~{};\n", rows - 1);
    if (reaches_back) {
        entry += "if (k < b0) {\n" + keep_last + "continue;\n}\n";
        for (const int c : {1, 2})
            entry += fmt::format("if (y == 0) wf_copy_float(B{}, C{}_0, -2, {});\n", c, c, cell.w + 3);
    }
    entry += store_text(writer, target, cell) + keep_last + "}\n";
    writer.body.text = with_names(
        writer, extra + close_functions(writer, functions) +
                    fmt::format("FN void @(const int band, {}) {{\n", writer.formals()) + entry + "}\n");
    writer.body.items = (cell.h + band - 1) / band;
    writer.body.depth = depth + 1;
    for (size_t i = 0; i < titles.size(); ++i)
        writer.body.title += (i ? " + " : "") + titles[i];
    if (titles.empty()) writer.body.title = "background";
    for (size_t i = 0; i < image.components.size(); ++i) {
        const Area area = component_area(image, static_cast<int>(i), cell.x, cell.y, cell.w, cell.h);
        writer.body.bytes_written +=
            static_cast<double>(area.w) * area.h * image.components[i].sample.bytes();
    }
    return writer.body;
}

RotatedFunction rotated_function(BodyWriter& writer, const PlacedLayer& layer, const std::string& name) {
    // An RGBA picture, premultiplied, of layer.w x layer.h.
    const Image& image = layer.chain.a.image;
    std::string taps, before;
    for (size_t c = 0; c < 4; ++c) {
        const ImageComponent& component = image.components[c];
        const std::string s = writer.plane(component, false);
        const std::string type = pointer_type(component.sample.type, false);
        before += fmt::format("{} S{} = ({}){};\nconst int P{} = {}p / {};\n", type, c, type, s, c, s,
                              component.sample.bytes());
        taps += fill(
            "v.$M = (((float)$S[j0 * $P + i0] * (1.0f - fx) + (float)$S[j0 * $P + i1] * fx) * (1.0f - fy) + "
            "((float)$S[j1 * $P + i0] * (1.0f - fx) + (float)$S[j1 * $P + i1] * fx) * fy) * $U;\n",
            {{"M", member[c]},
             {"S", fmt::format("S{}", c)},
             {"P", fmt::format("P{}", c)},
             {"U", literal(component.sample.unit)}});
    }
    const double radians = layer.rotation * 3.14159265358979323846 / 180;
    const std::string f = writer.floats({std::cos(radians), std::sin(radians), layer.w / 2.0, layer.h / 2.0,
                                         layer.x + layer.w / 2.0, layer.y + layer.h / 2.0, layer.opacity});
    const std::string body = fill(R"($BEFORE
const float cx = (float)x + 0.5f - $F.f4, cy = (float)y + 0.5f - $F.f5;
const float u = $F.f0 * cx + $F.f1 * cy + $F.f2, w = $F.f0 * cy - $F.f1 * cx + $F.f3;
const float cover = wf_clamp01(fmin(u, $LW - u) + 0.5f) * wf_clamp01(fmin(w, $LH - w) + 0.5f) * $F.f6;
const float px = wf_clamp(u - 0.5f, 0.0f, $LW - 1.0f), py = wf_clamp(w - 0.5f, 0.0f, $LH - 1.0f);
const int i0 = (int)px, j0 = (int)py;
const int i1 = min(i0 + 1, $LASTX), j1 = min(j0 + 1, $LASTY);
const float fx = px - (float)i0, fy = py - (float)j0;
Px v;
$TAPS
return px_scale4(v, cover);
)",
                                  {{"BEFORE", before},
                                   {"F", f},
                                   {"LW", literal(static_cast<double>(layer.w))},
                                   {"LH", literal(static_cast<double>(layer.h))},
                                   {"LASTX", literal(layer.w - 1)},
                                   {"LASTY", literal(layer.h - 1)},
                                   {"TAPS", taps}});
    return {
        fmt::format("FN Px {}({}, const int x, const int y) {{\n{}}}\n", name, writer.formals(body), body),
        writer.names(body)};
}

} // namespace weft::graph
