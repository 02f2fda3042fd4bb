// The shapes for GPUs: a work-item is a few pixels, every value is computed where it is needed, windows read
// stored pictures (the planner cuts before them).
#include <algorithm>

#include "base/format.hpp"
#include "graph/codegen_gpu_private.hpp"
#include "graph/codegen_lines_private.hpp"

namespace weft::graph {

std::string row_of(const std::string& plane, const ImageComponent& component, const std::string& row) {
    const std::string type = pointer_type(component.sample.type, true);
    return fmt::format("(({})({} + ({}) * {}p) + {})", type, plane, row, plane, component.sample.offset);
}

std::string finished(const BodyWriter& writer, std::string functions, const std::string& entry) {
    const std::string formals = writer.formals();
    for (size_t at = functions.find("$D"); at != std::string::npos; at = functions.find("$D", at))
        functions.replace(at, 2, formals);
    return with_names(writer,
                      functions + fmt::format("FN void @(const int item, {}) {{\n", formals) + entry + "}\n");
}

namespace {

constexpr const char* member[] = {"r", "g", "b", "a"};

// Statements that make `v` (float or Px) the value of a fetch at (x, y).
std::string fetch_at(BodyWriter& writer, const CpuChain& c, const Fetch& fetch, const Stage* window,
                     const std::string& tag, const std::string& v, const std::string& x,
                     const std::string& y) {
    std::string before;
    std::vector<std::string> values;
    int position = -1;
    for (const int component : c.components) {
        ++position;
        int from = component;
        if (component == 3 && !fetch.image.alpha) {
            values.push_back("1.0f");
            continue;
        }
        if (fetch.image.gray && (component == 1 || component == 2)) {
            if (fetch.image.meaning == Meaning::ycc) {
                values.push_back(literal(128.0 / 255));
                continue;
            }
            from = 0;
        } else if (component == 3) {
            from = fetch.image.gray ? 1 : 3;
        }
        const std::string name = fmt::format("{}{}", tag, position);
        PointFetch p;
        if (window) {
            p = point_window(writer, fetch, from, window->taps[static_cast<size_t>(component)], name, x, y);
        } else {
            const FetchAxes axes = fetch_axes(fetch, from, c.log2_w, c.log2_h, c.site);
            p = point_fetch(writer, fetch, from, axes, name, x, y);
        }
        before += p.before;
        values.push_back(p.value);
    }
    if (!c.pixel) return before + fmt::format("float {} = {};\n", v, values[0]);
    return before + fmt::format("Px {} = px_make({}, {}, {}, {});\n", v, values[0], values[1], values[2],
                                values.size() > 3 ? values[3] : "1.0f");
}

} // namespace

std::string chain_function(BodyWriter& writer, const CpuChain& c, const std::string& name) {
    const Chain& chain = c.chain;
    const int component = c.pixel ? 0 : c.components[0];
    const bool window = chain.stages.size() > 1;
    std::string body;
    const std::vector<Op>& ops = chain.stages.back().ops;
    const std::string at = chain.mix || needs_at(ops) ? emit_at({"x", "y"}, c.width, c.height, c.aspect,
                                                                writer.tick(chain.transition_index))
                                                      : "";
    if (!chain.mix) {
        body = fetch_at(writer, c, chain.a, window ? &chain.stages[1] : nullptr, "a", "v", "x", "y");
    } else {
        body =
            mix_at(writer, c,
                   [&](const Fetch& fetch, const std::string& tag, const std::string& v, const std::string& x,
                       const std::string& y) { return fetch_at(writer, c, fetch, nullptr, tag, v, x, y); });
        body += fmt::format("{} v = tv;\n", c.pixel ? "Px" : "float");
    }
    body += emit_ops(writer, ops, "v", c.pixel, component);
    return fmt::format("FN {} {}($D, const int x, const int y) {{\n{}{}return v;\n}}\n",
                       c.pixel ? "Px" : "float", name, at, body);
}

Body gpu_quad_body(PlanContext& context, const Target& target, const PlacedLayer& layer, const Cell& cell,
                   const std::vector<Op>& to_target) {
    const Image& image = target.image;
    const int rows = 1 << image.log2_h;
    const Grid grid{image.log2_w, image.log2_h, layer.chain.a.image.colour.chroma};
    BodyWriter writer(context.buffers);
    shape_pixels(writer.body, context, target, {layer}, {cell.x, cell.y, cell.w, cell.h, {0}}, Work::pixels);
    const int across_luma = writer.body.shape.across > 0 ? writer.body.shape.across : 8;
    const Block luma{across_luma, rows}, chroma{across_luma / 2, 1};
    const QuadOps ops = quad_ops(layer.chain, to_target, image);
    const int across = (cell.w + luma.w - 1) / luma.w;
    std::string entry = fmt::format("const int by = item / {}, bx = item - by * {};\n", across, across);
    entry += fmt::format("const int X = bx * {}, Y = by * {}, CX = bx * {}, CY = by;\n{}", luma.w, rows,
                         chroma.w, block_start);
    const int dx = cell.x - layer.x, dy = cell.y - layer.y;
    std::array<BlockValues, 3> in;
    std::array<std::string, 3> d;
    for (int c = 0; c < 3; ++c) {
        const auto i = static_cast<size_t>(c);
        const int sub_x = c ? 1 : 0, sub_y = c ? image.log2_h : 0;
        d[i] = writer.plane(image.components[i], true, cell.x >> sub_x, cell.y >> sub_y);
        in[i] = block_values(writer, layer.chain.a, c, grid, nullptr, c ? chroma : luma, dx >> sub_x,
                             fmt::format("c{}", c), fmt::format("({} + {})", c ? "CX" : "X", dx >> sub_x),
                             fmt::format("({} + {})", c ? "CY" : "Y", dy >> sub_y));
        entry += in[i].text;
    }
    std::string body = needs_at(ops.each) ? emit_at(block_place, layer.w, layer.h, context.aspect,
                                                    writer.tick(layer.chain.transition_index))
                                          : "";
    body += emit_ops(writer, ops.each, "v", true, 0);
    std::string functions =
        fmt::format("FN Px @px($D, Px v, {}) {{\n{}return v;\n}}\n", block_place_formals, body);
    if (!ops.last.empty())
        functions += fmt::format("FN Px @last($D, Px v) {{\n{}return v;\n}}\n",
                                 emit_ops(writer, ops.last, "v", true, 0));
    std::vector<std::string> cb, cr;
    for (int k = 0; k < chroma.w; ++k) {
        const auto i = static_cast<size_t>(k);
        QuadSums sums;
        for (int y = 0; y < rows; ++y)
            for (int x = 2 * k; x < 2 * k + 2; ++x) {
                const std::string v = fmt::format("v{}_{}", y, x);
                entry += fmt::format("const Px {} = @px($F, px_make({}, {}, {}, 1.0f), {});\n", v,
                                     in[0].values[static_cast<size_t>(y * luma.w + x)], in[1].values[i],
                                     in[2].values[i], place_in_block(x + dx, y + dy));
                sums.add(v);
            }
        const std::string m = fmt::format("m{}", k);
        entry += sums.mean(m, ops, 2 * rows, "@last($F, ");
        const std::string dither =
            dither_at(target, fmt::format("CX + {}", k), cell.x >> 1, "CY", cell.y >> image.log2_h);
        cb.push_back(store_value(image.components[1].sample, m + ".g", dither));
        cr.push_back(store_value(image.components[2].sample, m + ".b", dither));
    }
    const auto row = [&](int c, const std::string& y, const std::vector<std::string>& elements) {
        const ImageComponent& out = image.components[static_cast<size_t>(c)];
        const int w = c ? chroma.w : luma.w;
        return fmt::format("{{ {} D = {};\n{}}}\n", pointer_type(out.sample.type, true),
                           row_of(d[static_cast<size_t>(c)], out, y),
                           store_block_row(out.sample, elements, c ? "CX" : "X", c ? cell.w / 2 : cell.w,
                                           common_alignment({c ? cell.x / 2 : cell.x, w}, w)));
    };
    for (int y = 0; y < rows; ++y) {
        std::vector<std::string> elements;
        for (int x = 0; x < luma.w; ++x)
            elements.push_back(store_value(
                image.components[0].sample,
                fmt::format("{}v{}_{}{}.r", ops.last.empty() ? "" : "@last($F, ", y, x,
                            ops.last.empty() ? "" : ")"),
                dither_at(target, fmt::format("X + {}", x), cell.x, fmt::format("Y + {}", y), cell.y)));
        entry += row(0, fmt::format("Y + {}", y), elements);
    }
    entry += row(1, "CY", cb) + row(2, "CY", cr);
    writer.body.text = finished(writer, functions, entry);
    writer.body.items = across * (cell.h / rows);
    writer.body.depth = layer.chain.a.image.depth + 1;
    writer.body.title = layer.chain.title;
    for (int c = 0; c < 3; ++c) {
        const Area area = component_area(image, c, cell.x, cell.y, cell.w, cell.h);
        writer.body.bytes_written +=
            static_cast<double>(area.w) * area.h * image.components[static_cast<size_t>(c)].sample.bytes();
    }
    return writer.body;
}

Body gpu_pixel_body(PlanContext& context, const Target& target, const std::vector<PlacedLayer>& layers,
                    const Cell& cell, const std::vector<Op>& to_target) {
    const Image& image = target.image;
    const bool sub = image.meaning == Meaning::ycc && !image.gray;
    const int cols = sub ? 1 << image.log2_w : 1, rows = sub ? 1 << image.log2_h : 1;
    BodyWriter writer(context.buffers);
    shape_pixels(writer.body, context, target, layers, cell, Work::layers);
    std::string functions, composite;
    int depth = 0;
    const Rgba& b = target.background;
    const std::string f = writer.floats({b.r * b.a, b.g * b.a, b.b * b.a, target.keep_alpha ? b.a : 1.0});
    composite = fill("Px d = px_make($F.f0, $F.f1, $F.f2, $F.f3);\n", {{"F", f}});
    int index = 0;
    for (const int number : cell.layers) {
        const PlacedLayer& layer = layers[static_cast<size_t>(number)];
        const std::string name = fmt::format("@L{}", index++);
        depth = std::max(depth, layer.chain.depth());
        writer.body.title += (writer.body.title.empty() ? "" : " + ") + layer.chain.title;
        if (layer.rotation != 0) {
            const RotatedFunction rotated = rotated_function(writer, layer, name);
            functions += rotated.text;
            composite += fmt::format("{{ const Px s = {}({}, x + {}, y + {});\n{}}}\n", name, rotated.names,
                                     cell.x, cell.y, blend_text(layer.blend));
            continue;
        }
        std::vector<int> components{0, 1, 2};
        if (layer.chain.alpha) components.push_back(3);
        const CpuChain chain{layer.chain, true,    components,    0, 0, image.colour.chroma,
                             layer.w,     layer.h, context.aspect};
        functions += chain_function(writer, chain, name);
        composite +=
            fmt::format("{{ Px s = {}($F, x + {}, y + {});\n", name, cell.x - layer.x, cell.y - layer.y);
        if (!layer.chain.alpha) composite += "s.a = 1.0f;\n";
        if (layer.opacity < 1)
            composite += fmt::format("s = px_scale4(s, {}.f0);\n", writer.floats({layer.opacity}));
        composite += (layer.opaque() ? std::string("d = s;\n") : blend_text(layer.blend)) + "}\n";
    }
    functions += fmt::format("FN Px @px($D, const int x, const int y) {{\n{}{}return d;\n}}\n", composite,
                             emit_ops(writer, to_target, "d", true, 0));
    // A block of the chroma grid: its pixels, and those before it that its chroma reaches to by its siting.
    const auto across_weights = chroma_weights(
        sub ? image.log2_w : 0, colour::chroma_offset_x(image.colour.chroma, sub ? image.log2_w : 0));
    const auto down_weights = chroma_weights(
        sub ? image.log2_h : 0, colour::chroma_offset_y(image.colour.chroma, sub ? image.log2_h : 0));
    const auto pixel = [](int row, int column) { return fmt::format("v{}_{}", row + 2, column + 2); };
    std::string entry;
    const int across = (cell.w + cols - 1) / cols, down = (cell.h + rows - 1) / rows;
    entry =
        fmt::format("const int by = item / {}, bx = item - by * {};\nconst int x0 = bx * {}, y0 = by * {};\n",
                    across, across, cols, rows);
    for (int r = down_weights.front().first; r < rows; ++r)
        for (int c = across_weights.front().first; c < cols; ++c)
            entry +=
                fmt::format("const Px {} = @px($F, min(max(x0 + {}, 0), {}), min(max(y0 + {}, 0), {}));\n",
                            pixel(r, c), c, cell.w - 1, r, cell.h - 1);
    for (size_t i = 0; i < image.components.size(); ++i) {
        const ImageComponent& component = image.components[i];
        const int c = image.gray && i == 1 ? 3 : static_cast<int>(i);
        const bool chroma = sub && (c == 1 || c == 2);
        const Area area = component_area(image, static_cast<int>(i), cell.x, cell.y, cell.w, cell.h);
        const std::string d = writer.plane(component, true, area.x, area.y);
        const std::string type = pointer_type(component.sample.type, true);
        if (chroma) {
            std::string sum;
            for (const auto& [r, weight_r] : down_weights)
                for (const auto& [k, weight_k] : across_weights)
                    sum += float_product(weight_r * weight_k, pixel(r, k) + "." + member[c], sum.empty());
            entry += fmt::format(
                "{{ {} D = {};\nconst float v = {};\nD[bx * {}] = {}; }}\n", type, row_of(d, component, "by"),
                sum, component.sample.step,
                store_value(component.sample, "v", dither_at(target, "bx", area.x, "by", area.y)));
            continue;
        }
        for (int r = 0; r < rows; ++r)
            for (int k = 0; k < cols; ++k)
                entry += fmt::format(
                    "if (x0 + {} < {} && y0 + {} < {}) {{ {} D = {};\nconst int x = x0 + {};\nD[x * {}] = "
                    "{}; }}\n",
                    k, area.w, r, area.h, type, row_of(d, component, fmt::format("y0 + {}", r)), k,
                    component.sample.step,
                    store_value(component.sample, pixel(r, k) + "." + member[c],
                                dither_at(target, "x", area.x, fmt::format("y0 + {}", r), area.y)));
        writer.body.bytes_written += static_cast<double>(area.w) * area.h * component.sample.bytes();
    }
    writer.body.text = finished(writer, functions, entry);
    writer.body.items = across * down;
    writer.body.depth = depth + 1;
    if (cell.layers.empty()) writer.body.title = "background";
    return writer.body;
}

} // namespace weft::graph
