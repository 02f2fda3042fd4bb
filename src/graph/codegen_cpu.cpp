// The shapes for CPUs: a work-item is a band of rows; stages hand each other lines; x loops inside vectorise.
#include <algorithm>
#include <cmath>

#include "base/format.hpp"
#include "graph/codegen_cpu_private.hpp"
#include "graph/codegen_lines_private.hpp"

namespace weft::graph {
namespace {

// Copies the ends of a line into its margins.
std::string margins(const std::string& line, int width, int radius) {
    if (radius == 0) return {};
    return fmt::format("for (int i = 1; i <= {}; i++) {{ {}[-i] = {}[0]; {}[{} + i] = {}[{}]; }}\n", radius,
                       line, line, line, width - 1, line, width - 1);
}

// The sum of a window as a float in stored values, and what must be computed before the x loop for it.
struct WindowText {
    std::string before, in_loop, value;
    std::optional<WholeValue> whole; // the same, where it is one
};

// A sum of products tap * element, and between which values it lies.
struct NarrowSum {
    std::vector<int> taps;
    std::vector<std::string> elements;
    int64_t low = 0, high = 0;

    // lowest, highest : of the product
    void add(int tap, const std::string& element, int64_t lowest, int64_t highest) {
        taps.push_back(tap);
        elements.push_back(element);
        low += lowest;
        high += highest;
    }
    bool is_signed() const { return low >= -32768 && high <= 32767; }
    bool fits() const { return is_signed() || (low >= 0 && high <= 65535); }
    const char* type() const { return is_signed() ? "short" : fits() ? "ushort" : "int"; }
    // Cast to what holds it: where that is 16 bits the loop adds in such lanes, whatever its parts wrap to.
    std::string text() const { return fmt::format("({})({})", type(), grouped_sum(taps, elements)); }
};

NarrowSum product(int tap, const std::string& element, int64_t low, int64_t high) {
    NarrowSum out;
    out.add(tap, element, tap < 0 ? tap * high : tap * low, tap < 0 ? tap * low : tap * high);
    return out;
}

// The sum of products, cut into sums that fit 16 bits. Widening one costs about four times what an element
// costs in 16-bit lanes, and an element four times as much in 32-bit ones.
std::string narrow_sum(const std::vector<NarrowSum>& products) {
    const size_t most = std::max<size_t>(4, products.size() / 4);
    std::vector<NarrowSum> parts(1);
    NarrowSum all;
    bool fit = true;
    for (const NarrowSum& next : products) {
        const auto added = [&next](NarrowSum to) {
            to.add(next.taps[0], next.elements[0], next.low, next.high);
            return to;
        };
        all = added(std::move(all));
        if (NarrowSum longer = added(parts.back()); longer.fits())
            parts.back() = std::move(longer);
        else
            parts.push_back(next);
        fit = fit && next.fits();
    }
    if (!fit || parts.size() > most) return grouped_sum(all.taps, all.elements);
    std::string out;
    for (const NarrowSum& part : parts)
        out += (out.empty() ? "" : " + ") + part.text();
    return out;
}

// What a window's sum is made of: statements before the x loop, in it, and the sum.
struct WindowSum {
    std::string before, in_loop, sum;
};

// A whole window in one expression. Elements lie within 0..peak. A pointer for each line: indices x - 1, x, x
// + 1 would be carried from one x to the next, and such a loop does not vectorise.
WindowSum whole_window(const std::vector<int>& taps, const std::vector<std::string>& lines, int radius,
                       int peak, const std::string& tag) {
    WindowSum out;
    std::vector<NarrowSum> products;
    size_t at = 0;
    for (size_t k = 0; k < lines.size(); ++k) {
        const std::string p = fmt::format("{}a{}", tag, k);
        out.in_loop += fmt::format("const short* restrict {} = {} + x;\n", p, lines[k]);
        for (int dx = -radius; dx <= radius; ++dx)
            if (const int tap = taps[at++]; tap != 0)
                products.push_back(product(tap, fmt::format("{}[{}]", p, dx), 0, peak));
    }
    if (!products.empty()) out.sum = narrow_sum(products);
    return out;
}

// The same by columns: sums down the lines, in lines of their own, which are added up along. So the lines are
// read once, and at places that are aligned; a load that is not costs two.
WindowSum columns_window(const std::vector<int>& taps, const std::vector<std::string>& lines, int radius,
                         int peak, int width, const std::string& tag) {
    const auto columns = static_cast<size_t>(2 * radius + 1);
    const int pad = (radius + 31) / 32 * 32;
    WindowSum out;
    std::string loop, ends;
    std::vector<NarrowSum> along;
    for (size_t c = 0; c < columns; ++c) {
        NarrowSum down;
        for (size_t k = 0; k < lines.size(); ++k)
            if (const int tap = taps[k * columns + c]; tap != 0)
                down.add(tap, lines[k] + "[x]", std::min(0, tap) * int64_t{peak},
                         std::max(0, tap) * int64_t{peak});
        if (down.taps.empty()) continue;
        const std::string name = fmt::format("{}c{}", tag, c);
        out.before += fmt::format("{0} {1}m[{2}] WF_LINE;\n{0}* restrict {1} = {1}m + {3};\n", down.type(),
                                  name, width + 2 * pad, pad);
        loop += fmt::format("{}[x] = {};\n", name, down.text());
        ends += margins(name, width, radius);
        const std::string p = fmt::format("{}p{}", tag, c);
        out.in_loop += fmt::format("const {}* restrict {} = {} + x;\n", down.type(), p, name);
        along.push_back(
            product(1, fmt::format("{}[{}]", p, static_cast<int>(c) - radius), down.low, down.high));
    }
    if (along.empty()) return out;
    out.before += fmt::format("VEC for (int x = 0; x < {}; x++) {{\n{}}}\n{}", width, loop, ends);
    out.sum = narrow_sum(along);
    return out;
}

// lines : names of the pointers to the 2 * radius_y + 1 lines, top to bottom.
WindowText window_text(const WindowTaps& taps, const std::vector<std::string>& lines, const LineFormat& form,
                       int width, const std::string& tag, WindowSums sums) {
    WindowText out;
    const int columns = 2 * taps.radius_x + 1;
    const size_t rows = lines.size();
    const bool float_lines = form.floats;
    const std::string type = form.type();
    const double unit = form.unit;
    const std::string& centre = lines[rows / 2];
    double scale = taps.gain * unit;
    std::string sum;
    if (taps.separable) {
        // Down into a line, then along it. Integers: 13 bits of taps down, 11 along, 10 bits of fraction
        // between.
        const int r = taps.radius_x;
        std::string down;
        if (float_lines) {
            for (size_t k = 0; k < rows; ++k)
                down += float_product(taps.column[k], fmt::format("{}[x]", lines[k]), down.empty());
        } else {
            const IntegerTaps t = integer_taps(taps.column, 13);
            std::vector<std::string> elements;
            for (const std::string& line : lines)
                elements.push_back(line + "[x]");
            down = grouped_sum(t.taps, elements);
            const int fraction = -static_cast<int>(std::lround(std::log2(t.scale)));
            if (fraction > 4)
                down = fmt::format("(({}) + {}) >> {}", down, 1 << (fraction - 5), fraction - 4);
            scale *= fraction > 4 ? 1.0 / 16 : t.scale;
        }
        out.before = fill("$T $Gv[$N];\nVEC for (int x = $A; x < $B; x++) $Gv[x + $R] = $V;\n",
                          {{"T", float_lines ? "float" : "int"},
                           {"Gv", tag + "v"},
                           {"N", literal(width + 2 * r)},
                           {"A", literal(-r)},
                           {"B", literal(width + r)},
                           {"R", literal(r)},
                           {"V", down}});
        out.in_loop = fmt::format("const {}* restrict {}c = {}v + {} + x;\n", float_lines ? "float" : "int",
                                  tag, tag, r);
        if (float_lines) {
            for (int i = -r; i <= r; ++i)
                sum += float_product(taps.row[static_cast<size_t>(i + r)], fmt::format("{}c[{}]", tag, i),
                                     sum.empty());
        } else {
            const IntegerTaps t = integer_taps(taps.row, 11);
            std::vector<std::string> elements;
            for (int i = -r; i <= r; ++i)
                elements.push_back(fmt::format("{}c[{}]", tag, i));
            sum = grouped_sum(t.taps, elements);
            scale *= t.scale;
        }
    } else {
        IntegerTaps t;
        if (!float_lines) {
            const int room = 30 - static_cast<int>(std::log2(form.peak));
            t = whole_taps(taps.matrix, (1 << 30) / form.peak).value_or(IntegerTaps{});
            if (t.taps.empty()) t = integer_taps(taps.matrix, room);
            scale *= t.scale;
        }
        // Up to 9x9 all taps stand in one expression; larger ones go line by line through a line of sums,
        // because the vectoriser and the register file give up on hundreds of terms.
        const bool by_line = columns * static_cast<int>(rows) > 81;
        if (!float_lines && !by_line) {
            // Measured: by columns 5x5 takes as long and 7x7 two thirds, 3x3 half as long again.
            const bool large = std::count(t.taps.begin(), t.taps.end(), 0) + 25 < std::ssize(t.taps);
            const bool by_columns = sums == WindowSums::by_rule ? large : sums == WindowSums::by_columns;
            WindowSum window = by_columns
                                   ? columns_window(t.taps, lines, taps.radius_x, form.peak, width, tag)
                                   : whole_window(t.taps, lines, taps.radius_x, form.peak, tag);
            out.before = std::move(window.before);
            out.in_loop = std::move(window.in_loop);
            sum = std::move(window.sum);
        } else {
            if (by_line) out.before = fmt::format("{} {}v[{}];\n", float_lines ? "float" : "int", tag, width);
            bool any = false;
            for (size_t k = 0; k < rows; ++k) {
                const std::string p = fmt::format("{}a{}", tag, k);
                const std::string declare =
                    fmt::format("const {}* restrict {} = {} + x;\n", type, p, lines[k]);
                std::string part;
                for (int i = -taps.radius_x; i <= taps.radius_x; ++i) {
                    const size_t index =
                        k * static_cast<size_t>(columns) + static_cast<size_t>(i + taps.radius_x);
                    const std::string element = fmt::format("{}[{}]", p, i);
                    if (float_lines)
                        part += float_product(taps.matrix[index], element, part.empty() && (by_line || !any));
                    else
                        part += tap_product(t.taps[index], element, part.empty());
                }
                if (part.empty()) continue;
                if (by_line) {
                    out.before += fmt::format("VEC for (int x = 0; x < {}; x++) {{ {}{}v[x] {}= {}; }}\n",
                                              width, declare, tag, any ? "+" : "", part);
                } else {
                    out.in_loop += declare;
                    sum += part;
                }
                any = true;
            }
            if (by_line) sum = any ? fmt::format("{}v[x]", tag) : "";
        }
    }
    if (sum.empty()) sum = "0";
    out.value = fmt::format("{}({}) * {}", float_lines ? "" : "(float)", sum, literal(scale));
    if (!float_lines && taps.keep == 0) out.whole = WholeValue{sum, scale, taps.bias};
    if (taps.keep != 0) out.value += fmt::format(" + {} * {}[x]", literal(taps.keep * unit), centre);
    if (taps.bias != 0) out.value += fmt::format(" + {}", literal(taps.bias));
    return out;
}

} // namespace

int CpuChain::radius_after(size_t stage) const {
    int sum = 0;
    for (size_t j = stage; j < chain.stages.size(); ++j)
        if (chain.stages[j].windowed) sum += radius_y(j);
    return sum;
}

int CpuChain::radius_x(size_t stage) const {
    int r = 0;
    for (const int c : components)
        r = std::max(r, chain.stages[stage].taps[static_cast<size_t>(c)].radius_x);
    return r;
}

int CpuChain::radius_y(size_t stage) const {
    int r = 0;
    for (const int c : components)
        r = std::max(r, chain.stages[stage].taps[static_cast<size_t>(c)].radius_y);
    return r;
}

namespace {

// A window's taps brought to the stage's common radius, so that all components share the lines' pointers.
WindowTaps widened(const WindowTaps& taps, int radius_y) {
    WindowTaps out = taps;
    const int extra = radius_y - taps.radius_y;
    if (extra == 0) return out;
    out.radius_y = radius_y;
    const std::vector<double> none(static_cast<size_t>(extra), 0.0);
    if (taps.separable) {
        out.column.insert(out.column.begin(), none.begin(), none.end());
        out.column.insert(out.column.end(), none.begin(), none.end());
    } else {
        const std::vector<double> lines(static_cast<size_t>(extra * (2 * taps.radius_x + 1)), 0.0);
        out.matrix.insert(out.matrix.begin(), lines.begin(), lines.end());
        out.matrix.insert(out.matrix.end(), lines.begin(), lines.end());
    }
    return out;
}

} // namespace

SourceText fetch_text(BodyWriter& writer, const CpuChain& cpu, const Fetch& fetch, const std::string& tag,
                      const std::string& y) {
    SourceText out;
    int position = -1; // names count positions, so that Cb and Cr share their text
    for (const int c : cpu.components) {
        ++position;
        if (c == 3 && !fetch.image.alpha) {
            out.values.push_back("1.0f");
            continue;
        }
        int component = c;
        if (fetch.image.gray && (c == 1 || c == 2)) {
            // Gray read as pixels: chroma without colour, or the one component thrice.
            if (fetch.image.meaning == Meaning::ycc) {
                out.values.push_back(literal(128.0 / 255));
                continue;
            }
            component = 0;
        } else if (c == 3) {
            component = fetch.image.gray ? 1 : 3;
        }
        const FetchAxes axes = fetch_axes(fetch, component, cpu.log2_w, cpu.log2_h, cpu.site);
        const LineFetch line =
            line_fetch(writer, fetch, component, axes, fmt::format("{}{}", tag, position), y);
        out.before += line.before;
        out.in_loop += line.in_loop;
        out.values.push_back(line.value);
        if (position == 0) out.whole = line.whole;
    }
    return out;
}

std::string SourceText::value(bool pixel) const {
    if (!pixel || values.size() == 1) return values[0];
    return fmt::format("px_make({}, {}, {}, {})", values[0], values[1], values[2],
                       values.size() > 3 ? values[3] : "1.0f");
}

namespace {

std::string tick_name(BodyWriter& writer, const Chain& chain) {
    return writer.tick(chain.transition_index);
}

std::string at_text(BodyWriter& writer, const CpuChain& cpu, const std::string& y) {
    return emit_at({"x", y}, cpu.width, cpu.height, cpu.aspect, tick_name(writer, cpu.chain));
}

} // namespace

namespace {

// What a transition makes of stored codes, where that is the same in whole codes: it only mixes, and the
// pictures count alike.
std::optional<WholeValue> mixed_whole(const Chain& chain, const std::vector<SourceText>& sides) {
    const bool plain = chain.ops_a.empty() && std::all_of(chain.others.begin(), chain.others.end(),
                                                          [](const Side& side) { return side.ops.empty(); });
    if (!chain.mix->manifest->mixes || !plain) return std::nullopt;
    const std::optional<WholeValue>& first = sides[0].whole;
    const bool alike = std::all_of(sides.begin(), sides.end(), [&](const SourceText& side) {
        return side.whole && side.whole->unit == first->unit && side.whole->bias == first->bias;
    });
    if (!alike) return std::nullopt;
    return WholeValue{"tv", first->unit, first->bias, {}, true};
}

} // namespace

std::string stage_loop(BodyWriter& writer, const CpuChain& cpu, size_t stage,
                       const std::vector<std::string>& lines, const LineFormat& form, const LineUse& use,
                       int x_from, int x_until) {
    const Chain& chain = cpu.chain;
    const Stage& s = chain.stages[stage];
    const std::vector<Op>& ops = s.ops;
    const bool at = needs_at(ops) || (stage == 0 && chain.mix);
    const auto store = [&](const WholeValue& value) {
        return use.sample == nullptr ? std::nullopt
                                     : store_whole(writer, value, ops, cpu.components[0], *use.sample);
    };
    SourceText source;
    std::optional<std::string> stored;
    if (stage == 0 && !chain.mix) {
        source = fetch_text(writer, cpu, chain.a, "a", "y");
        if (source.whole) stored = store(*source.whole);
    } else if (stage == 0) {
        MixText mix;
        if (displaces(*chain.mix->manifest)) {
            mix = moving_mix_text(writer, cpu);
        } else {
            std::vector<SourceText> sides{fetch_text(writer, cpu, chain.a, side_tag(0), "y")};
            for (const Side& other : chain.others)
                sides.push_back(fetch_text(writer, cpu, other.fetch, side_tag(sides.size()), "y"));
            if (const auto whole = mixed_whole(chain, sides)) stored = store(*whole);
            std::vector<std::string> values;
            for (const SourceText& side : sides) {
                source.before += side.before;
                source.in_loop += side.in_loop;
                values.push_back(stored ? fmt::format("(float)({})", side.whole->text)
                                        : side.value(cpu.pixel));
            }
            mix = mix_text(writer, cpu, values);
        }
        source.before += mix.before;
        source.in_loop += mix.in_loop;
        source.values = {mix.value};
    } else {
        // lines: per component, then top to bottom.
        const auto rows = static_cast<size_t>(2 * cpu.radius_y(stage) + 1);
        for (size_t i = 0; i < cpu.components.size(); ++i) {
            const auto c = static_cast<size_t>(cpu.components[i]);
            const std::vector<std::string> own(lines.begin() + static_cast<std::ptrdiff_t>(i * rows),
                                               lines.begin() + static_cast<std::ptrdiff_t>((i + 1) * rows));
            const WindowText w = window_text(widened(s.taps[c], cpu.radius_y(stage)), own, form, cpu.width,
                                             fmt::format("w{}", i), cpu.sums);
            source.before += w.before;
            source.in_loop += w.in_loop;
            source.values.push_back(w.value);
            source.whole = w.whole;
        }
        if (source.whole) stored = store(*source.whole);
    }
    std::string body;
    if (at) body += at_text(writer, cpu, "y");
    body += source.in_loop;
    if (stored) {
        body += fmt::format("{} = {};\n", use.element, *stored);
    } else {
        body += fmt::format("{} v = {};\n", cpu.pixel ? "Px" : "float", source.value(cpu.pixel));
        body += emit_ops(writer, ops, "v", cpu.pixel, cpu.pixel ? 0 : cpu.components[0]) + use.text;
    }
    return source.before + fmt::format("VEC for (int x = {}; x < {}; x++) {{\n{}}}\n", x_from, x_until, body);
}

namespace {

// Whether stage 1 can read stored samples as whole numbers, and then the loop that makes such a line, `form`
// filled in. Separable windows keep more bits between their halves than 16-bit sums do.
std::optional<std::string> whole_line(BodyWriter& writer, const CpuChain& cpu, LineFormat& form) {
    const Chain& chain = cpu.chain;
    if (cpu.pixel || chain.float_lines || chain.mix || !chain.stages[0].ops.empty()) return std::nullopt;
    const auto component = static_cast<size_t>(cpu.components[0]);
    if (!chain.stages[1].windowed || chain.stages[1].taps[component].separable) return std::nullopt;
    const SourceText source = fetch_text(writer, cpu, chain.a, "a", "y");
    if (!source.whole) return std::nullopt;
    form.unit = source.whole->unit;
    form.peak = *source.whole->peak;
    return source.before + fmt::format("VEC for (int x = 0; x < {}; x++) {{\n{}o0[x] = (short)({});\n}}\n",
                                       cpu.width, source.in_loop, source.whole->text);
}

} // namespace

// Functions that make the lines between stages, and the code that keeps the rings turning.
RingText ring_text(BodyWriter& writer, const CpuChain& cpu, const std::string& prefix) {
    RingText out;
    const Chain& chain = cpu.chain;
    LineFormat form = LineFormat::of(chain);
    const std::string type = form.type();
    constexpr const char* member[] = {"r", "g", "b", "a"};
    for (size_t j = 1; j < chain.stages.size(); ++j) {
        const int rx = cpu.radius_x(j), ry = cpu.radius_y(j);
        const int count = 2 * ry + 1;
        const int pad = (rx + 31) / 32 * 32;
        const int pitch = (cpu.width + 2 * pad + 31) / 32 * 32;
        // The line function of stage j - 1.
        std::vector<std::string> in_lines;
        std::string in_formals, in_names;
        const int count_c = static_cast<int>(cpu.components.size());
        if (j > 1)
            for (int c = 0; c < count_c; ++c)
                for (int k = 0; k < 2 * cpu.radius_y(j - 1) + 1; ++k) {
                    in_lines.push_back(fmt::format("i{}_{}", c, k));
                    in_formals += fmt::format(", const {}* restrict i{}_{}", type, c, k);
                    in_names += fmt::format(", {}p{}_{}_{}", prefix, j - 1, c, k);
                }
        std::string outs, use, ends;
        for (int c = 0; c < count_c; ++c) {
            outs += fmt::format(", {}* restrict o{}", type, c);
            const std::string v = cpu.pixel ? fmt::format("v.{}", member[c]) : "v";
            use += fmt::format("o{}[x] = {};\n", c, form.floats ? v : fmt::format("WF_Q6({})", v));
            ends += margins(fmt::format("o{}", c), cpu.width, rx);
        }
        LineFormat next = LineFormat::of(chain);
        const auto whole = j == 1 ? whole_line(writer, cpu, next) : std::nullopt;
        const std::string loop =
            whole ? *whole : stage_loop(writer, cpu, j - 1, in_lines, form, {use}, 0, cpu.width);
        form = next;
        const std::string name = fmt::format("@{}l{}", prefix, j - 1);
        out.functions.push_back({name, in_formals + outs, loop + ends});
        // The ring that feeds stage j.
        std::string rotate, copy_up, repeat, out_names;
        for (int c = 0; c < count_c; ++c) {
            const std::string p = fmt::format("{}p{}_{}_", prefix, j, c);
            out.declare += fmt::format("{} {}m[{}] WF_LINE;\n{} {};\n", type, p, pitch * count, type, [&] {
                std::string pointers;
                for (int k = 0; k < count; ++k)
                    pointers += fmt::format("{}*{}{} = {}m + {}", k ? ", " : "", p, k, p, k * pitch + pad);
                return pointers;
            }());
            rotate += fmt::format("{{ {}* t = {}0; ", type, p);
            for (int k = 0; k + 1 < count; ++k)
                rotate += fmt::format("{}{} = {}{}; ", p, k, p, k + 1);
            rotate += fmt::format("{}{} = t; }}\n", p, count - 1);
            for (int k = 0; k < ry; ++k)
                copy_up += fmt::format("wf_copy_{}({}{}, {}{}, {}, {});\n", type, p, count - 2 - k, p,
                                       count - 1, -rx, cpu.width + rx);
            if (ry > 0)
                repeat += fmt::format("wf_copy_{}({}{}, {}{}, {}, {});\n", type, p, count - 1, p, count - 2,
                                      -rx, cpu.width + rx);
            out_names += fmt::format(", {}{}", p, count - 1);
        }
        const int ahead = cpu.radius_after(j);
        // A line beyond the picture repeats the filtered edge line, not a filter of repeated source lines.
        out.step +=
            fill("if (i >= y0 - $START) {\nconst int r = i + $AHEAD;\n$ROTATE\n"
                 "if (r >= 0 && r < $H) {\n$NAME($$F, r$IN$OUT);\nif (r == 0) {\n$UP}\n}\nelse if (r >= $H) "
                 "{\n$REPEAT}\n}\n",
                 {{"START", literal(2 * ahead)},
                  {"AHEAD", literal(ahead)},
                  {"ROTATE", rotate},
                  {"H", literal(cpu.height)},
                  {"NAME", name},
                  {"IN", in_names},
                  {"OUT", out_names},
                  {"UP", copy_up},
                  {"REPEAT", repeat}});
    }
    out.form = form;
    out.lead = 2 * cpu.radius_after(1);
    const size_t last = chain.stages.size() - 1;
    if (last > 0)
        for (int c = 0; c < static_cast<int>(cpu.components.size()); ++c)
            for (int k = 0; k < 2 * cpu.radius_y(last) + 1; ++k)
                out.last_lines.push_back(fmt::format("{}p{}_{}_{}", prefix, last, c, k));
    return out;
}

std::string close_functions(const BodyWriter& writer, const std::vector<LineFunction>& functions) {
    std::string out;
    for (const LineFunction& f : functions)
        out += fmt::format("FN void {}({}, const int y{}) {{\n{}}}\n", f.name, writer.formals(), f.formals,
                           f.text);
    return out;
}

std::string with_names(const BodyWriter& writer, std::string text) {
    for (size_t at = text.find("$F"); at != std::string::npos; at = text.find("$F", at))
        text.replace(at, 2, writer.names());
    return text;
}

PlacedLayer for_component(const PlacedLayer& layer, int component) {
    PlacedLayer out = layer;
    std::vector<Stage> stages;
    for (const Stage& stage : layer.chain.stages) {
        if (stage.windowed && stage.taps[static_cast<size_t>(component)].identity() && !stages.empty())
            stages.back().ops.insert(stages.back().ops.end(), stage.ops.begin(), stage.ops.end());
        else
            stages.push_back(stage);
    }
    out.chain.stages = std::move(stages);
    return out;
}

} // namespace weft::graph
