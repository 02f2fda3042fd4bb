#include "graph/plan.hpp"

#include <map>

#include "base/format.hpp"

namespace weft::graph {
namespace {

std::string mebibytes(double bytes) {
    return fmt::format("{:.2f} MiB", bytes / (1024 * 1024));
}

std::string arg_name(const Plan& plan, const Arg& arg) {
    if (const auto* s = std::get_if<StreamPlane>(&arg)) return fmt::format("stream {}", s->stream);
    if (const auto* o = std::get_if<OutputPlane>(&arg)) return fmt::format("output {}", o->output);
    if (const auto* b = std::get_if<BufferArg>(&arg))
        return plan.buffers[static_cast<size_t>(b->buffer)].name;
    return {};
}

} // namespace

std::string Plan::explain() const {
    std::string out;
    for (const std::string& line : report)
        out += line + "\n";
    for (size_t i = 0; i < passes.size(); ++i) {
        const Pass& pass = passes[i];
        out += fmt::format("pass {}: {}\n", i + 1, pass.title);
        out += fmt::format("  {} work-items in groups of {}, reads {}, writes {}\n", pass.global[0],
                           pass.local[0], mebibytes(pass.bytes_read), mebibytes(pass.bytes_written));
    }
    for (const ShapeUse& use : shapes)
        out +=
            fmt::format("shape of {}: {}{}\n", name(use.key), name(use.shape), use.tuned ? " (tuned)" : "");
    for (const PlanBuffer& buffer : buffers)
        if (buffer.slot >= 0)
            out += fmt::format("buffer {}: {} in slot {}{}\n", buffer.name,
                               mebibytes(static_cast<double>(buffer.bytes)), buffer.slot,
                               buffer.initial.empty() ? "" : " (constant)");
    out += fmt::format("device memory of the plan: {}\n", mebibytes(static_cast<double>(device_bytes)));
    return out;
}

std::string Plan::dot() const {
    std::string out = "digraph plan {\n  rankdir=LR;\n";
    for (size_t i = 0; i < passes.size(); ++i) {
        out += fmt::format("  p{} [shape=box, label=\"{}\"];\n", i, passes[i].title);
        std::map<std::string, bool> seen;
        for (const Arg& arg : passes[i].args) {
            const std::string name = arg_name(*this, arg);
            if (name.empty() || seen[name]) continue;
            seen[name] = true;
            if (std::holds_alternative<OutputPlane>(arg))
                out += fmt::format("  p{} -> \"{}\";\n", i, name);
            else
                out += fmt::format("  \"{}\" -> p{};\n", name, i);
        }
    }
    return out + "}\n";
}

} // namespace weft::graph
