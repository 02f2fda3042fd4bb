// Several fetches and a text that makes one picture of them: a transition, or a filter that reads neighbours
// in time.
#include <cctype>

#include "base/format.hpp"
#include "graph/codegen_cpu_private.hpp"

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

// Where one axis of a displaced picture is read. Luma moves by whole samples; chroma that is thinned out
// along the axis then lies between its own samples, and four of them make one (Catmull-Rom).
struct Displaced {
    std::string before;               // statements
    std::vector<std::string> places;  // held inside the picture, expressions
    std::vector<std::string> weights; // of each; empty: one place, as it is
};

// expression : of the displacement, in sizes.  luma_size, log2 : of the whole picture, and how thin this
// component is.  at : the place that is painted
Displaced displaced(const std::string& name, const std::string& expression, int luma_size, int size, int log2,
                    const std::string& at) {
    const auto held = [&](const std::string& place) {
        return fmt::format("min(max({}, 0), {})", place, size - 1);
    };
    if (expression == "0") return {{}, {held(at)}, {}};
    Displaced out;
    // Of two pictures side by side one moves by what the other leaves: halves go the same way for both,
    // whatever floats make of them.
    out.before = fmt::format("const int {} = (int)ceil(rint((float)({}) * {}) * {} - 0.5f);\n", name,
                             expression, literal(luma_size * 1024.0), literal(1.0 / 1024));
    if (log2 == 0) {
        out.places = {held(fmt::format("{} - {}", at, name))};
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
    for (int k = 0; k < 4; ++k) {
        const std::string weight = fmt::format("{}w{}", name, k);
        out.before += fmt::format("const float {} = {};\n", weight, fill(weights[k], {{"F", name + "f"}}));
        out.places.push_back(held(fmt::format("{} + {}0 + {}", at, name, k - 1)));
        out.weights.push_back(weight);
    }
    return out;
}

// "w0 * v0 + w1 * v1 + ..." of values and their weights; the one value where there are none.
std::string weighted(const Displaced& axis, const std::vector<std::string>& values) {
    if (axis.weights.empty()) return values[0];
    std::string sum;
    for (size_t k = 0; k < values.size(); ++k)
        sum += fmt::format("{}{} * {}", k ? " + " : "", axis.weights[k], values[k]);
    return "(" + sum + ")";
}

struct DisplacedPicture {
    Displaced x, y;
};

DisplacedPicture displaced_picture(const CpuChain& cpu, const std::array<std::string, 2>& offset,
                                   const std::string& q, const std::string& n) {
    const Chain& chain = cpu.chain;
    const bool thin = !cpu.pixel && cpu.components[0] % 3 != 0;
    return {displaced(n + "x", as_c(offset[0], *chain.mix->manifest, q), chain.width, cpu.width,
                      thin ? cpu.log2_w : 0, "x"),
            displaced(n + "y", as_c(offset[1], *chain.mix->manifest, q), chain.height, cpu.height,
                      thin ? cpu.log2_h : 0, "y")};
}

std::string progress_text(BodyWriter& writer, const Chain& chain, const std::string& q) {
    const std::string tick = writer.tick(chain.transition_index);
    return chain.mix->manifest->param("ease")
               ? fmt::format("const float progress = wf_ease({}.progress, {}.ease);\n", tick, q)
               : fmt::format("const float progress = {}.progress;\n", tick);
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

// How far a transition displaces a picture; nothing when neither is.
std::optional<std::array<std::string, 2>> offset_of(const FilterManifest& manifest, size_t side) {
    if (!manifest.offset_a && !manifest.offset_b) return std::nullopt;
    return (side == 0 ? manifest.offset_a : manifest.offset_b).value_or(std::array<std::string, 2>{"0", "0"});
}

// Statements that mix the pictures' values (ta, tb, ...) into tv.
std::string mixed_text(BodyWriter& writer, const CpuChain& cpu, const std::string& q) {
    const Chain& chain = cpu.chain;
    const FilterManifest& manifest = *chain.mix->manifest;
    const auto call = [&](const std::string& member) {
        std::string values;
        for (size_t i = 0; i <= chain.others.size(); ++i)
            values += fmt::format("t{}{}, ", side_tag(i), member);
        return fmt::format("{}({}at, {})", function_name(manifest), values, q);
    };
    Op ranges;
    ranges.ranges = chain.mix_ranges;
    std::string out;
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
    out.in_loop += mixed_text(writer, cpu, writer.params(*cpu.chain.mix));
    return out;
}

MixText moving_mix_text(BodyWriter& writer, const CpuChain& cpu) {
    const Chain& chain = cpu.chain;
    const FilterManifest& manifest = *chain.mix->manifest;
    const std::string q = writer.params(*chain.mix);
    const std::vector<SideView> sides = sides_of(chain);
    const std::string type = cpu.pixel ? "Px" : "float";
    const int component = cpu.pixel ? 0 : cpu.components[0];
    MixText out;
    out.value = "tv";
    // Whole lines first, then picked with the shift of the moment.
    out.before = progress_text(writer, chain, q);
    for (size_t side = 0; side < sides.size(); ++side) {
        const std::string& n = sides[side].tag;
        const DisplacedPicture moved = displaced_picture(cpu, *offset_of(manifest, side), q, n);
        out.before += moved.y.before + moved.x.before;
        std::string loop;
        std::vector<std::string> rows;
        for (size_t k = 0; k < moved.y.places.size(); ++k) {
            const std::string row = fmt::format("{}row{}", n, k);
            const SourceText source =
                fetch_text(writer, cpu, *sides[side].fetch, fmt::format("{}t{}_", n, k), row);
            out.before += fmt::format("const int {} = {};\n", row, moved.y.places[k]) + source.before;
            loop += source.in_loop;
            rows.push_back(source.value(cpu.pixel));
        }
        const int columns = cpu.pixel ? 4 : 1;
        out.before += fmt::format("float {}line[{}];\n", n, cpu.width * columns);
        std::string store;
        if (cpu.pixel)
            store =
                fill("$N$L[x] = v.r; $N$L[x + $W] = v.g; $N$L[x + $W * 2] = v.b; $N$L[x + $W * 3] = v.a;\n",
                     {{"N", n}, {"L", "line"}, {"W", literal(cpu.width)}});
        else
            store = fmt::format("{}line[x] = v;\n", n);
        out.before += fmt::format("VEC for (int x = 0; x < {}; x++) {{\n{}{} v = {};\n{}{}}}\n", cpu.width,
                                  loop, type, weighted(moved.y, rows),
                                  emit_ops(writer, *sides[side].ops, "v", cpu.pixel, component), store);
        if (cpu.pixel) {
            out.in_loop += fmt::format("const int {}i = {};\n", n, moved.x.places[0]) +
                           fill("const Px t$N = px_make($N$L[$N$I], $N$L[$N$I + $W], $N$L[$N$I + $W * 2], "
                                "$N$L[$N$I + $W * 3]);\n",
                                {{"N", n}, {"L", "line"}, {"I", "i"}, {"W", literal(cpu.width)}});
            continue;
        }
        std::vector<std::string> values;
        for (const std::string& place : moved.x.places)
            values.push_back(fmt::format("{}line[{}]", n, place));
        out.in_loop += fmt::format("const float t{} = {};\n", n, weighted(moved.x, values));
    }
    out.in_loop += mixed_text(writer, cpu, q);
    return out;
}

std::string mix_at(BodyWriter& writer, const CpuChain& cpu, const FetchAt& fetch_at) {
    const Chain& chain = cpu.chain;
    const FilterManifest& manifest = *chain.mix->manifest;
    const std::string q = writer.params(*chain.mix);
    const int component = cpu.pixel ? 0 : cpu.components[0];
    const std::vector<SideView> sides = sides_of(chain);
    std::string out;
    if (offset_of(manifest, 0)) out += progress_text(writer, chain, q);
    for (size_t side = 0; side < sides.size(); ++side) {
        const std::string& n = sides[side].tag;
        const std::string v = "t" + n;
        const auto offset = offset_of(manifest, side);
        if (!offset) {
            out += fetch_at(*sides[side].fetch, n, v, "x", "y");
        } else {
            const DisplacedPicture moved = displaced_picture(cpu, *offset, q, n);
            out += moved.x.before + moved.y.before;
            std::vector<std::string> rows;
            for (size_t r = 0; r < moved.y.places.size(); ++r) {
                std::vector<std::string> values;
                for (size_t c = 0; c < moved.x.places.size(); ++c) {
                    values.push_back(fmt::format("{}_{}{}", v, r, c));
                    out += fetch_at(*sides[side].fetch, fmt::format("{}{}{}_", n, r, c), values.back(),
                                    moved.x.places[c], moved.y.places[r]);
                }
                rows.push_back(weighted(moved.x, values));
            }
            out += fmt::format("{} {} = {};\n", cpu.pixel ? "Px" : "float", v, weighted(moved.y, rows));
        }
        out += emit_ops(writer, *sides[side].ops, v, cpu.pixel, component);
    }
    return out + mixed_text(writer, cpu, q);
}

} // namespace weft::graph
