// The shapes for GPUs: a work-item is a few pixels, every value is computed where it is needed, windows read
// stored pictures (the planner cuts before them).
#include <algorithm>

#include "base/format.hpp"
#include "graph/codegen_cpu_private.hpp"
#include "graph/codegen_lines_private.hpp"

namespace weft::graph {
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
        const std::string name = format("{}{}", tag, position);
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
    if (!c.pixel) return before + format("float {} = {};\n", v, values[0]);
    return before + format("Px {} = px_make({}, {}, {}, {});\n", v, values[0], values[1], values[2],
                           values.size() > 3 ? values[3] : "1.0f");
}

// The function of one pixel of a chain: "FN float @name(formals, const int x, const int y)".
std::string chain_function(BodyWriter& writer, const CpuChain& c, const std::string& name) {
    const Chain& chain = c.chain;
    const int component = c.pixel ? 0 : c.components[0];
    const bool window = chain.stages.size() > 1;
    std::string body;
    const std::vector<Op>& ops = chain.stages.back().ops;
    const std::string at =
        chain.transition || needs_at(ops) || needs_at(chain.ops_a) || needs_at(chain.ops_b)
            ? emit_at("x", "y", c.width, c.height, c.aspect, writer.tick(chain.transition_index))
            : "";
    if (!chain.transition) {
        body = fetch_at(writer, c, chain.a, window ? &chain.stages[1] : nullptr, "a", "v", "x", "y");
    } else {
        body = transition_at(
            writer, c,
            [&](const Fetch& fetch, const std::string& tag, const std::string& v, const std::string& x,
                const std::string& y) { return fetch_at(writer, c, fetch, nullptr, tag, v, x, y); });
        body += format("{} v = tv;\n", c.pixel ? "Px" : "float");
    }
    body += emit_ops(writer, ops, "v", c.pixel, component);
    return format("FN {} {}($D, const int x, const int y) {{\n{}{}return v;\n}}\n", c.pixel ? "Px" : "float",
                  name, at, body);
}

std::string finished(const BodyWriter& writer, std::string functions, const std::string& entry) {
    const std::string formals = writer.formals();
    for (size_t at = functions.find("$D"); at != std::string::npos; at = functions.find("$D", at))
        functions.replace(at, 2, formals);
    return with_names(writer,
                      functions + format("FN void @(const int item, {}) {{\n", formals) + entry + "}\n");
}

std::string row_of(const std::string& plane, const ImageComponent& component, const std::string& row) {
    const std::string type = pointer_type(component.sample.type, true);
    return format("(({})({} + ({}) * {}p) + {})", type, plane, row, plane, component.sample.offset);
}

} // namespace

Body gpu_plane_body(PlanContext& context, const Target& target, int component, const PlacedLayer& all,
                    const Cell& cell) {
    const PlacedLayer layer = for_component(all, component);
    constexpr int step = 4; // samples a work-item: one 32-bit word of an 8-bit plane
    const Image& image = target.image;
    const ImageComponent& out = image.components[static_cast<size_t>(component)];
    const Area area = component_area(image, component, cell.x, cell.y, cell.w, cell.h);
    const Area whole = component_area(image, component, layer.x, layer.y, layer.w, layer.h);
    const int x0 = area.x - whole.x, y0 = area.y - whole.y;
    const CpuChain chain{layer.chain,         false,   {component}, image.log2_w,  image.log2_h,
                         image.colour.chroma, whole.w, whole.h,     context.aspect};
    BodyWriter writer(context.buffers);
    const std::string d = writer.plane(out, true, area.x, area.y);
    const std::string function = chain_function(writer, chain, "@v");
    const int across = (area.w + step - 1) / step;
    std::string entry =
        format("const int row = item / {}, first = (item - row * {}) * {};\n", across, across, step);
    entry += format("{} D = {};\n", pointer_type(out.sample.type, true), row_of(d, out, "row"));
    const std::string store = format(
        "D[x * {}] = {};\n", out.sample.step,
        store_value(out.sample, "v", target.dither ? format("wf_dither(x + {}, row + {})", x0, y0) : ""));
    entry += format("for (int x = first; x < min(first + {}, {}); x++) {{\nconst float v = @v($F, x + {}, "
                    "row + {});\n{}}}\n",
                    step, area.w, x0, y0, store);
    writer.body.text = finished(writer, function, entry);
    writer.body.items = across * area.h;
    writer.body.depth =
        std::max(layer.chain.a.image.depth, layer.chain.transition ? layer.chain.b.image.depth : 0) + 1;
    writer.body.title = layer.chain.title;
    writer.body.bytes_written = static_cast<double>(area.w) * area.h * out.sample.bytes();
    return writer.body;
}

Body gpu_pixel_body(PlanContext& context, const Target& target, const std::vector<PlacedLayer>& layers,
                    const Cell& cell, const std::vector<Op>& to_target) {
    const Image& image = target.image;
    const bool sub = image.meaning == Meaning::ycc && !image.gray;
    const int cols = sub ? 1 << image.log2_w : 1, rows = sub ? 1 << image.log2_h : 1;
    BodyWriter writer(context.buffers);
    std::string functions, composite;
    int depth = 0;
    const Rgba& b = target.background;
    const std::string f = writer.floats({b.r * b.a, b.g * b.a, b.b * b.a, target.keep_alpha ? b.a : 1.0});
    composite = fill("Px d = px_make($F.f0, $F.f1, $F.f2, $F.f3);\n", {{"F", f}});
    int index = 0;
    for (const int number : cell.layers) {
        const PlacedLayer& layer = layers[static_cast<size_t>(number)];
        const std::string name = format("@L{}", index++);
        depth = std::max(
            {depth, layer.chain.a.image.depth, layer.chain.transition ? layer.chain.b.image.depth : 0});
        writer.body.title += (writer.body.title.empty() ? "" : " + ") + layer.chain.title;
        if (layer.rotation != 0) {
            const RotatedFunction rotated = rotated_function(writer, layer, name);
            functions += rotated.text;
            composite += format("{{ const Px s = {}({}, x + {}, y + {});\n{}}}\n", name, rotated.names,
                                cell.x, cell.y, blend_text(layer.blend));
            continue;
        }
        std::vector<int> components{0, 1, 2};
        if (layer.chain.alpha) components.push_back(3);
        const CpuChain chain{layer.chain, true,    components,    0, 0, image.colour.chroma,
                             layer.w,     layer.h, context.aspect};
        functions += chain_function(writer, chain, name);
        composite += format("{{ Px s = {}($F, x + {}, y + {});\n", name, cell.x - layer.x, cell.y - layer.y);
        if (!layer.chain.alpha) composite += "s.a = 1.0f;\n";
        if (layer.opacity < 1)
            composite += format("s = px_scale4(s, {}.f0);\n", writer.floats({layer.opacity}));
        composite += (layer.opaque() ? std::string("d = s;\n") : blend_text(layer.blend)) + "}\n";
    }
    functions += format("FN Px @px($D, const int x, const int y) {{\n{}{}return d;\n}}\n", composite,
                        emit_ops(writer, to_target, "d", true, 0));
    // A block of the chroma grid: its pixels, and for left-sited chroma the column before them.
    const bool left = sub && image.log2_w == 1 && image.colour.chroma != colour::ChromaSite::centre &&
                      image.colour.chroma != colour::ChromaSite::top;
    std::string entry;
    const int across = (cell.w + cols - 1) / cols, down = (cell.h + rows - 1) / rows;
    entry = format("const int by = item / {}, bx = item - by * {};\nconst int x0 = bx * {}, y0 = by * {};\n",
                   across, across, cols, rows);
    for (int r = 0; r < rows; ++r)
        for (int c = left ? -1 : 0; c < cols; ++c)
            entry += format("const Px v{}_{} = @px($F, min(max(x0 + {}, 0), {}), min(y0 + {}, {}));\n", r,
                            c + 1, c, cell.w - 1, r, cell.h - 1);
    for (size_t i = 0; i < image.components.size(); ++i) {
        const ImageComponent& component = image.components[i];
        const int c = image.gray && i == 1 ? 3 : static_cast<int>(i);
        const bool chroma = sub && (c == 1 || c == 2);
        const Area area = component_area(image, static_cast<int>(i), cell.x, cell.y, cell.w, cell.h);
        const std::string d = writer.plane(component, true, area.x, area.y);
        const std::string type = pointer_type(component.sample.type, true);
        if (chroma) {
            std::string sum;
            for (int r = 0; r < rows; ++r)
                for (int k = left ? 0 : 1; k <= cols; ++k)
                    sum += format("{}{}v{}_{}.{}", sum.empty() ? "" : " + ", left && k == 1 ? "2.0f * " : "",
                                  r, k, member[c]);
            const double weight = 1.0 / ((left ? 4 : cols) * rows);
            entry += format(
                "{{ {} D = {};\nconst int x = bx, y = by;\nconst float v = ({}) * {};\nD[bx * {}] = {}; }}\n",
                type, row_of(d, component, "by"), sum, literal(weight), component.sample.step,
                store_value(component.sample, "v", target.dither ? "wf_dither(x, y)" : ""));
            continue;
        }
        for (int r = 0; r < rows; ++r)
            for (int k = 0; k < cols; ++k)
                entry += format("if (x0 + {} < {} && y0 + {} < {}) {{ {} D = {};\nconst int x = x0 + {}, y = "
                                "y0 + {};\nD[x * {}] = "
                                "{}; }}\n",
                                k, area.w, r, area.h, type, row_of(d, component, format("y0 + {}", r)), k, r,
                                component.sample.step,
                                store_value(component.sample, format("v{}_{}.{}", r, k + 1, member[c]),
                                            target.dither ? "wf_dither(x, y)" : ""));
        writer.body.bytes_written += static_cast<double>(area.w) * area.h * component.sample.bytes();
    }
    writer.body.text = finished(writer, functions, entry);
    writer.body.items = across * down;
    writer.body.depth = depth + 1;
    if (cell.layers.empty()) writer.body.title = "background";
    return writer.body;
}

} // namespace weft::graph
