// Several fetches and a text that makes one picture of them: a transition, or a filter that reads neighbours
// in time.
#include <cctype>
#include <cmath>

#include "base/format.hpp"
#include "graph/codegen_cpu_private.hpp"
#include "graph/filter_library.hpp"

namespace weft::graph {
namespace {

// A manifest's expression as C: parameters become members of `q`.
std::string as_c(const std::string& expression, const FilterManifest& manifest, const std::string& q) {
    std::string out;
    for (size_t i = 0; i < expression.size();) {
        if (!std::isalpha(static_cast<unsigned char>(expression[i])) && expression[i] != '_') {
            out += expression[i++];
            continue;
        }
        size_t end = i;
        while (end < expression.size() &&
               (std::isalnum(static_cast<unsigned char>(expression[end])) || expression[end] == '_'))
            ++end;
        const std::string word = expression.substr(i, end - i);
        bool member = manifest.param(word) != nullptr;
        for (const auto& [name, text] : manifest.derived)
            member = member || name == word;
        if (member) out += q + ".";
        out += word;
        i = end;
    }
    return out;
}

// expression : of the displacement, in sizes.  luma_size, log2 : of the whole picture, and how thin this
// component is
MovedAxis moved_axis(const std::string& name, const std::string& expression, int luma_size, int log2) {
    MovedAxis out;
    if (expression == "0") return out;
    // Of two pictures side by side one moves by what the other leaves: halves go the same way for both,
    // whatever floats make of them.
    out.before = fmt::format("const int {} = (int)ceil(rint((float)({}) * {}) * {} - 0.5f);\n", name,
                             expression, literal(luma_size * 1024.0), literal(1.0 / 1024));
    if (log2 == 0) {
        out.first = "-" + name;
        return out;
    }
    out.before += fill("const int $N0 = -$N >> $L;\nconst float $Nf = (float)(-$N - ($N0 << $L)) * $U;\n",
                       {{"N", name},
                        {"N0", name + "0"},
                        {"Nf", name + "f"},
                        {"L", literal(log2)},
                        {"U", literal(1.0 / (1 << log2))}});
    constexpr const char* weights[] = {
        "((1.0f - 0.5f * $F) * $F - 0.5f) * $F", "(1.5f * $F - 2.5f) * $F * $F + 1.0f",
        "((2.0f - 1.5f * $F) * $F + 0.5f) * $F", "(0.5f * $F - 0.5f) * $F * $F"};
    out.first = name + "0 - 1";
    for (int k = 0; k < 4; ++k) {
        out.weights.push_back(fmt::format("{}w{}", name, k));
        out.before +=
            fmt::format("const float {} = {};\n", out.weights.back(), fill(weights[k], {{"F", name + "f"}}));
    }
    return out;
}

// The pictures in the order in which the text takes them.
struct SideView {
    const Fetch* fetch;
    const std::vector<Op>* ops;
    std::string tag;
};

std::vector<SideView> sides_of(const Chain& chain) {
    std::vector<SideView> sides{{&chain.a, &chain.ops_a, side_tag(0)}};
    for (const Side& other : chain.others)
        sides.push_back({&other.fetch, &other.ops, side_tag(sides.size())});
    return sides;
}

// A place inside the picture: expressions.
std::string held(const std::string& at, const MovedAxis& axis, size_t tap, int size) {
    if (axis.first.empty()) return fmt::format("min(max({}, 0), {})", at, size - 1);
    return fmt::format("min(max({} + {} + {}, 0), {})", at, axis.first, tap, size - 1);
}

// A statement that makes a displaced line from one, both of `size` samples and at place `index` of theirs.
std::string moved_line(const MovedAxis& axis, const std::string& to, const std::string& from, int size,
                       int index) {
    std::string weights;
    for (const std::string& weight : axis.weights)
        weights += ", " + weight;
    return fmt::format("wf_moved{}({} + {}, {} + {}, {}, {}{});\n", axis.weights.empty() ? "" : "4", to,
                       index * size, from, index * size, size, axis.first, weights);
}

// Statements that mix the pictures' values (ta, tb, ...) into tv.
std::string mixed_text(BodyWriter& writer, const CpuChain& cpu) {
    const Chain& chain = cpu.chain;
    const FilterManifest& manifest = *chain.mix->manifest;
    std::string out;
    const std::string q = settled_params(writer, *chain.mix, out);
    const auto call = [&](const std::string& member) {
        std::string values;
        for (size_t i = 0; i <= chain.others.size(); ++i)
            values += fmt::format("t{}{}, ", side_tag(i), member);
        return fmt::format("{}({}at, {})", function_name(manifest), values, q);
    };
    Op ranges;
    ranges.ranges = chain.mix_ranges;
    if (chain.mask) {
        const std::string t = writer.table("mask of a transition", chain.mask->values);
        const int rows = static_cast<int>(chain.mask->values.size()) / chain.mask->size;
        out += fmt::format("at.m = wf_picture_at({}, {}, {}, at.x, at.y);\n", t, chain.mask->size, rows);
    }
    if (!cpu.pixel)
        return out + emit_at_component(ranges, cpu.components[0]) +
               fmt::format("const float tv = {};\n", call(""));
    if (!per_component(manifest))
        return out + emit_at_component(ranges, 0) + fmt::format("const Px tv = {};\n", call(""));
    out += "Px tv;\n";
    for (const int c : {0, 1, 2, 3}) {
        const std::string member = std::string(".") + "rgba"[c];
        out += emit_at_component(ranges, c) + fmt::format("tv{} = {};\n", member, call(member));
    }
    return out;
}

} // namespace

std::string MovedAxis::sum(const std::vector<std::string>& values) const {
    if (weights.empty()) return values[0];
    std::string text;
    for (size_t k = 0; k < values.size(); ++k)
        text += fmt::format("{}{} * {}", k ? " + " : "", weights[k], values[k]);
    return "(" + text + ")";
}

bool displaces(const FilterManifest& transition) {
    return transition.offset_a || transition.offset_b;
}

Moves moves_of(BodyWriter& writer, const CpuChain& cpu, const std::string& prefix) {
    const Chain& chain = cpu.chain;
    const FilterManifest& manifest = *chain.mix->manifest;
    Moves out;
    if (!displaces(manifest)) return out;
    const std::string q = writer.params(*chain.mix);
    const std::string tick = writer.tick(chain.transition_index);
    const std::map<std::string, double> values = evaluate_params(*chain.mix);
    const auto ease = values.find("ease"); // a literal, as in settled_params()
    out.before = ease != values.end() ? fmt::format("const float progress = wf_ease({}.progress, {});\n",
                                                    tick, std::lround(ease->second))
                                      : fmt::format("const float progress = {}.progress;\n", tick);
    const bool thin = !cpu.pixel && cpu.components[0] % 3 != 0;
    for (size_t side = 0; side <= chain.others.size(); ++side) {
        const auto offset = (side == 0 ? manifest.offset_a : manifest.offset_b)
                                .value_or(std::array<std::string, 2>{"0", "0"});
        const std::string name = prefix + side_tag(side);
        out.sides.push_back(
            {moved_axis(name + "x", as_c(offset[0], manifest, q), chain.width, thin ? cpu.log2_w : 0),
             moved_axis(name + "y", as_c(offset[1], manifest, q), chain.height, thin ? cpu.log2_h : 0)});
    }
    return out;
}

std::string side_tag(size_t side) {
    return side == 0 ? "a" : side == 1 ? "b" : fmt::format("n{}", side);
}

MixText mix_text(BodyWriter& writer, const CpuChain& cpu, const std::vector<std::string>& values) {
    const std::vector<SideView> sides = sides_of(cpu.chain);
    MixText out;
    out.value = "tv";
    for (size_t side = 0; side < sides.size(); ++side)
        out.in_loop +=
            fmt::format("{} t{} = {};\n", cpu.pixel ? "Px" : "float", sides[side].tag, values[side]) +
            emit_ops(writer, *sides[side].ops, "t" + sides[side].tag, cpu.pixel,
                     cpu.pixel ? 0 : cpu.components[0]);
    out.in_loop += mixed_text(writer, cpu);
    return out;
}

std::string share_text(BodyWriter& writer, const CpuChain& cpu) {
    return "const float ta = 0.0f, tb = 1.0f;\n" + mixed_text(writer, cpu);
}

MixText moving_mix_text(BodyWriter& writer, const CpuChain& cpu) {
    const std::vector<SideView> sides = sides_of(cpu.chain);
    const std::string type = cpu.pixel ? "Px" : "float";
    const int component = cpu.pixel ? 0 : cpu.components[0];
    const Chain& chain = cpu.chain;
    const Moves moves = moves_of(writer, cpu);
    MixText out;
    out.value = "tv";
    // Whole lines first, then picked with the shift of the moment.
    out.before = moves.before;
    for (size_t side = 0; side < sides.size(); ++side) {
        const std::string& n = sides[side].tag;
        const MovedSide& moved = moves.sides[side];
        out.before += moved.y.before + moved.x.before;
        std::string loop;
        if (needs_at(*sides[side].ops))
            loop +=
                emit_at({"x", "y"}, cpu.width, cpu.height, cpu.aspect, writer.tick(chain.transition_index));
        std::vector<std::string> rows;
        for (size_t k = 0; k < moved.y.taps(); ++k) {
            const std::string row = fmt::format("{}row{}", n, k);
            const SourceText source =
                fetch_text(writer, cpu, *sides[side].fetch, fmt::format("{}t{}_", n, k), row);
            out.before +=
                fmt::format("const int {} = {};\n", row, held("y", moved.y, k, cpu.height)) + source.before;
            loop += source.in_loop;
            rows.push_back(source.value(cpu.pixel));
        }
        const int columns = cpu.pixel ? 4 : 1;
        if (moved.x.weights.empty())
            out.before += fmt::format("float {}line[{}];\n", n, cpu.width * columns);
        else // with room at its ends
            out.before += fmt::format("float {}room[{}];\nfloat* restrict {}line = {}room + 16;\n", n,
                                      cpu.width + 32, n, n);
        std::string store;
        if (cpu.pixel)
            store =
                fill("$N$L[x] = v.r; $N$L[x + $W] = v.g; $N$L[x + $W * 2] = v.b; $N$L[x + $W * 3] = v.a;\n",
                     {{"N", n}, {"L", "line"}, {"W", literal(cpu.width)}});
        else
            store = fmt::format("{}line[x] = v;\n", n);
        out.before += fmt::format("VEC for (int x = 0; x < {}; x++) {{\n{}{} v = {};\n{}{}}}\n", cpu.width,
                                  loop, type, moved.y.sum(rows),
                                  emit_ops(writer, *sides[side].ops, "v", cpu.pixel, component), store);
        const std::string line = n + (moved.x.first.empty() ? "line" : "moved");
        if (!moved.x.first.empty()) {
            out.before += fmt::format("float {}[{}];\n", line, cpu.width * columns);
            for (int c = 0; c < columns; ++c)
                out.before += moved_line(moved.x, line, n + "line", cpu.width, c);
        }
        if (cpu.pixel)
            out.in_loop +=
                fill("const Px t$N = px_make($L[x], $L[x + $W], $L[x + $W * 2], $L[x + $W * 3]);\n",
                     {{"N", n}, {"L", line}, {"W", literal(cpu.width)}});
        else
            out.in_loop += fmt::format("const float t{} = {}[x];\n", n, line);
    }
    out.in_loop += mixed_text(writer, cpu);
    return out;
}

std::string mix_at(BodyWriter& writer, const CpuChain& cpu, const FetchAt& fetch_at) {
    const int component = cpu.pixel ? 0 : cpu.components[0];
    const std::vector<SideView> sides = sides_of(cpu.chain);
    const Moves moves = moves_of(writer, cpu);
    std::string out = moves.before;
    for (size_t side = 0; side < sides.size(); ++side) {
        const std::string& n = sides[side].tag;
        const std::string v = "t" + n;
        if (moves.sides.empty()) {
            out += fetch_at(*sides[side].fetch, n, v, "x", "y");
        } else {
            const MovedSide& moved = moves.sides[side];
            out += moved.x.before + moved.y.before;
            std::vector<std::string> rows;
            for (size_t r = 0; r < moved.y.taps(); ++r) {
                std::vector<std::string> values;
                for (size_t c = 0; c < moved.x.taps(); ++c) {
                    values.push_back(fmt::format("{}_{}{}", v, r, c));
                    out += fetch_at(*sides[side].fetch, fmt::format("{}{}{}_", n, r, c), values.back(),
                                    held("x", moved.x, c, cpu.width), held("y", moved.y, r, cpu.height));
                }
                rows.push_back(moved.x.sum(values));
            }
            out += fmt::format("{} {} = {};\n", cpu.pixel ? "Px" : "float", v, moved.y.sum(rows));
        }
        out += emit_ops(writer, *sides[side].ops, v, cpu.pixel, component);
    }
    return out + mixed_text(writer, cpu);
}

} // namespace weft::graph
