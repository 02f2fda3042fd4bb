// Transitions in the CPU shapes: two fetches and a text that mixes them.
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
        out += member ? q + "." + word : word;
        i = end;
    }
    return out;
}

// Whole samples a picture is displaced by, so that chroma and luma move together.
std::string shift_text(const std::string& name, const std::string& expression, int size, int grid) {
    return fmt::format("const int {} = (int)rint((float)({}) * {}) * {};\n", name, expression,
                       literal(static_cast<double>(size) / grid), grid);
}

int grid_x(const CpuChain& cpu, int component) {
    return !cpu.pixel && component % 3 == 0 ? 1 << cpu.log2_w : 1;
}
int grid_y(const CpuChain& cpu, int component) {
    return !cpu.pixel && component % 3 == 0 ? 1 << cpu.log2_h : 1;
}

std::string progress_text(BodyWriter& writer, const Chain& chain, const std::string& q) {
    const std::string tick = writer.tick(chain.transition_index);
    return chain.transition->manifest->param("ease")
               ? fmt::format("const float progress = wf_ease({}.progress, {}.ease);\n", tick, q)
               : fmt::format("const float progress = {}.progress;\n", tick);
}

std::string mix_text(BodyWriter& writer, const CpuChain& cpu, const std::string& q) {
    const Chain& chain = cpu.chain;
    const FilterManifest& manifest = *chain.transition->manifest;
    const std::string call = function_name(manifest);
    Op ranges;
    ranges.ranges = chain.transition_ranges;
    std::string out;
    if (chain.mask) {
        const std::string t = writer.table("mask of a transition", chain.mask->values);
        const int rows = static_cast<int>(chain.mask->values.size()) / chain.mask->size;
        out += fmt::format("at.m = wf_picture_at({}, {}, {}, at.x, at.y);\n", t, chain.mask->size, rows);
    }
    if (!cpu.pixel)
        return out + emit_at_component(ranges, cpu.components[0]) +
               fmt::format("const float tv = {}(ta, tb, at, {});\n", call, q);
    if (!per_component(manifest))
        return out + emit_at_component(ranges, 0) +
               fmt::format("const Px tv = {}(ta, tb, at, {});\n", call, q);
    out += "Px tv;\n";
    constexpr const char* member[] = {"r", "g", "b", "a"};
    for (int c = 0; c < 4; ++c)
        out += emit_at_component(ranges, c) +
               fmt::format("tv.{} = {}(ta.{}, tb.{}, at, {});\n", member[c], call, member[c], member[c], q);
    return out;
}

} // namespace

TransitionText transition_text(BodyWriter& writer, const CpuChain& cpu, const std::string& a,
                               const std::string& b) {
    const Chain& chain = cpu.chain;
    const std::string type = cpu.pixel ? "Px" : "float";
    const int component = cpu.pixel ? 0 : cpu.components[0];
    TransitionText out;
    out.value = "tv";
    out.in_loop =
        fmt::format("{} ta = {};\n", type, a) + emit_ops(writer, chain.ops_a, "ta", cpu.pixel, component) +
        fmt::format("{} tb = {};\n", type, b) + emit_ops(writer, chain.ops_b, "tb", cpu.pixel, component) +
        mix_text(writer, cpu, writer.params(*chain.transition));
    return out;
}

TransitionText moving_transition_text(BodyWriter& writer, const CpuChain& cpu) {
    const Chain& chain = cpu.chain;
    const FilterManifest& manifest = *chain.transition->manifest;
    const std::string q = writer.params(*chain.transition);
    const std::string type = cpu.pixel ? "Px" : "float";
    const int component = cpu.pixel ? 0 : cpu.components[0];
    TransitionText out;
    out.value = "tv";
    // Whole lines first, then picked with the shift of the moment.
    out.before = progress_text(writer, chain, q);
    const std::array<std::string, 2> still{"0", "0"};
    const std::array<std::pair<const Fetch*, const std::vector<Op>*>, 2> sides{
        {{&chain.a, &chain.ops_a}, {&chain.b, &chain.ops_b}}};
    constexpr const char* side_name[] = {"a", "b"};
    for (size_t side = 0; side < 2; ++side) {
        const std::string n = side_name[side];
        const auto& offset = (side == 0 ? manifest.offset_a : manifest.offset_b).value_or(still);
        out.before += shift_text(n + "x", as_c(offset[0], manifest, q), cpu.width, grid_x(cpu, component));
        out.before += shift_text(n + "y", as_c(offset[1], manifest, q), cpu.height, grid_y(cpu, component));
        out.before += fmt::format("const int {}row = min(max(y - {}y, 0), {});\n", n, n, cpu.height - 1);
        const SourceText source = fetch_text(writer, cpu, *sides[side].first, n + "t", n + "row");
        out.before += source.before;
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
                                  source.in_loop, type, source.value(cpu.pixel),
                                  emit_ops(writer, *sides[side].second, "v", cpu.pixel, component), store);
        out.in_loop += fmt::format("const int {}i = min(max(x - {}x, 0), {});\n", n, n, cpu.width - 1);
        out.in_loop += cpu.pixel
                           ? fill("const Px t$N = px_make($N$L[$N$I], $N$L[$N$I + $W], $N$L[$N$I + $W * 2], "
                                  "$N$L[$N$I + $W * 3]);\n",
                                  {{"N", n}, {"L", "line"}, {"I", "i"}, {"W", literal(cpu.width)}})
                           : fmt::format("const float t{} = {}line[{}i];\n", n, n, n);
    }
    out.in_loop += mix_text(writer, cpu, q);
    return out;
}

std::string transition_at(BodyWriter& writer, const CpuChain& cpu, const FetchAt& fetch_at) {
    const Chain& chain = cpu.chain;
    const FilterManifest& manifest = *chain.transition->manifest;
    const std::string q = writer.params(*chain.transition);
    const int component = cpu.pixel ? 0 : cpu.components[0];
    std::string out;
    const bool moves = manifest.offset_a || manifest.offset_b;
    if (moves) out += progress_text(writer, chain, q);
    const std::array<std::string, 2> still{"0", "0"};
    const std::array<std::pair<const Fetch*, const std::vector<Op>*>, 2> sides{
        {{&chain.a, &chain.ops_a}, {&chain.b, &chain.ops_b}}};
    constexpr const char* side_name[] = {"a", "b"};
    for (size_t side = 0; side < 2; ++side) {
        const std::string n = side_name[side];
        std::string x = "x", y = "y";
        if (moves) {
            const auto& offset = (side == 0 ? manifest.offset_a : manifest.offset_b).value_or(still);
            out += shift_text(n + "x", as_c(offset[0], manifest, q), cpu.width, grid_x(cpu, component));
            out += shift_text(n + "y", as_c(offset[1], manifest, q), cpu.height, grid_y(cpu, component));
            x = fmt::format("min(max(x - {}x, 0), {})", n, cpu.width - 1);
            y = fmt::format("min(max(y - {}y, 0), {})", n, cpu.height - 1);
        }
        out += fetch_at(*sides[side].first, n, "t" + n, x, y);
        out += emit_ops(writer, *sides[side].second, "t" + n, cpu.pixel, component);
    }
    return out + mix_text(writer, cpu, q);
}

} // namespace weft::graph
