// Costly texts of a code: a table of the results for all codes, which costs less than a result for every
// sample.
#include "base/format.hpp"
#include "graph/codegen_cpu_private.hpp"
#include "graph/codegen_lines_private.hpp"
#include "graph/text_cost_private.hpp"

namespace weft::graph {
namespace {

// Operations on a sample that take as long as looking it up (measured: a table's byte takes a good cycle, an
// operation on a vector of 16 about a twentieth of one). On GPUs a byte of a table takes some six
// instructions.
constexpr double worth = 24;

bool same_everywhere(const std::vector<Op>& ops) {
    return std::none_of(ops.begin(), ops.end(), [](const Op& op) {
        return op.kind == Op::Kind::text && reads_place(op.use.manifest->text);
    });
}

} // namespace

bool worth_looking_up(const Chain& chain, const SampleLayout& out, double cost) {
    return chain.stages.size() == 1 && !chain.mix && cost >= worth && same_everywhere(chain.stages[0].ops) &&
           (out.type == SampleType::u8 || out.type == SampleType::u16);
}

std::string result_text(BodyWriter& writer, const CpuChain& cpu, const SampleLayout& out,
                        const WholeValue& code, const std::string& name, const std::string& element) {
    return fmt::format("float v = (float){} * {} + {};\n{}{} = {};\n", name, literal(code.unit),
                       literal(code.bias),
                       emit_ops(writer, cpu.chain.stages[0].ops, "v", false, cpu.components[0]), element,
                       store_value(out, "v", ""));
}

std::optional<Lookup> lookup_of(BodyWriter& writer, const CpuChain& cpu, const SampleLayout& out, double cost,
                                double samples) {
    const Chain& chain = cpu.chain;
    if (!worth_looking_up(chain, out, cost)) return std::nullopt;
    Lookup lookup;
    lookup.source = fetch_text(writer, cpu, chain.a, "a", "y");
    const auto& whole = lookup.source.whole;
    if (!whole || !whole->peak || whole->fractions) return std::nullopt;
    lookup.codes = *whole->peak + 1;
    if (lookup.codes * 4 > samples) return std::nullopt;
    lookup.type = out.type == SampleType::u8 ? "uchar" : "ushort";
    lookup.fill = fmt::format(
        "{} table[{}];\n{}VEC for (int c = 0; c < {}; c++) {{\n{}}}\n", lookup.type, lookup.codes,
        emit_at({"0", "0"}, cpu.width, cpu.height, cpu.aspect, writer.tick(chain.transition_index)),
        lookup.codes, result_text(writer, cpu, out, *whole, "c", "table[c]"));
    return lookup;
}

} // namespace weft::graph
