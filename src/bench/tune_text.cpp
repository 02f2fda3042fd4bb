#include "bench/tune_text.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "base/format.hpp"

namespace weft::bench {
namespace {

using json = nlohmann::ordered_json;

json spread_json(const Spread& s) {
    return {{"median", s.median}, {"min", s.min}, {"max", s.max}};
}

json key_json(const graph::ShapeKey& key) {
    return {{"work", graph::name(key.work)},
            {"extent", graph::name(key.extent)},
            {"samples", graph::name(key.samples)}};
}

template<class Variant>
void add_measure(json& out, const Variant& variant) {
    if (variant.refusal.empty()) {
        out["ms"] = spread_json(variant.ms);
        out["gain"] = variant.gain;
    } else {
        out["refusal"] = variant.refusal;
    }
}

std::string slots_text(gpu::UploadPath upload, int slots, const std::string& rule) {
    return fmt::format("{}, {} slots", upload == gpu::UploadPath::automatic ? rule : gpu::name(upload),
                       slots);
}

template<class Variant>
std::string variant_line(const std::string& title, const Variant& variant, bool first) {
    if (!variant.refusal.empty()) return fmt::format("  {:<44} refused: {}\n", title, variant.refusal);
    const std::string gain = first ? "" : fmt::format("{:+.1f} %", -100 * variant.gain);
    return fmt::format("  {:<44} {:>9.3f} ({:.3f}..{:.3f}) {:>9}\n", title, variant.ms.median, variant.ms.min,
                       variant.ms.max, gain);
}

std::string verdict(const std::string& chosen, double gain) {
    return gain > 0 ? fmt::format("  -> {}: {:.1f} % less time than by rule\n", chosen, 100 * gain)
                    : std::string("  -> by rule\n");
}

} // namespace

std::string tune_text(const ShapeFinding& finding) {
    std::string out = fmt::format("{} ({})\n", name(finding.key), finding.scene);
    if (finding.variants.size() == 1) return out + "  -> by rule: it has no say in this plan\n";
    for (const ShapeVariant& variant : finding.variants)
        out += variant_line(name(variant.shape), variant, &variant == &finding.variants.front());
    return out + verdict(name(finding.chosen.shape), finding.gain);
}

std::string tune_text(const FlowFinding& finding) {
    std::string out = "upload and slots\n";
    for (const FlowVariant& variant : finding.variants)
        out += variant_line(slots_text(variant.upload, variant.slots, finding.rule), variant,
                            &variant == &finding.variants.front());
    return out + verdict(slots_text(finding.upload, finding.slots > 0 ? finding.slots : engine::usual_slots,
                                    finding.rule),
                         finding.gain);
}

std::string tuned_text(const graph::Tuned& tuned) {
    std::string out = fmt::format("{}\n{}, measured by weft {}\n", tuned.device, tuned.driver, tuned.weft);
    if (!tuned.shapes.empty())
        out += fmt::format("{:<36} {:<36} {:>9} {:>9} {:>8}\n", "work", "shape", "rule ms", "ms", "gain");
    for (const auto& [key, shape] : tuned.shapes) {
        const bool rule = shape.shape == graph::Shape{};
        const auto ms = [](double value) { return value > 0 ? fmt::format("{:.3f}", value) : "-"; };
        out += fmt::format("{:<36} {:<36} {:>9} {:>9} {:>8}\n", name(key), name(shape.shape),
                           ms(shape.rule_ms), ms(shape.ms),
                           rule ? "" : fmt::format("{:.1f} %", 100 * (1 - shape.ms / shape.rule_ms)));
    }
    out += fmt::format("upload: {}\n", tuned.upload.empty() ? "by rule" : tuned.upload);
    return out + fmt::format("slots: {}\n", tuned.slots > 0 ? fmt::format("{}", tuned.slots) : "by rule");
}

std::string to_json(const TuneReport& report) {
    json shapes = json::array();
    for (const ShapeFinding& finding : report.shapes) {
        json one = key_json(finding.key);
        one["scene"] = finding.scene;
        one["variants"] = json::array();
        for (const ShapeVariant& variant : finding.variants) {
            json next{{"shape", name(variant.shape)}};
            add_measure(next, variant);
            one["variants"].push_back(next);
        }
        one["chosen"] = name(finding.chosen.shape);
        one["rule_ms"] = finding.chosen.rule_ms;
        one["ms"] = finding.chosen.ms;
        one["gain"] = finding.gain;
        shapes.push_back(one);
    }
    json out{{"device", report.device}, {"driver", report.driver}, {"file", report.file}, {"shapes", shapes}};
    if (report.flow) {
        json variants = json::array();
        for (const FlowVariant& variant : report.flow->variants) {
            json next{{"upload", gpu::name(variant.upload)}, {"slots", variant.slots}};
            add_measure(next, variant);
            variants.push_back(next);
        }
        out["flow"] = {{"rule", report.flow->rule},
                       {"variants", variants},
                       {"upload", gpu::name(report.flow->upload)},
                       {"slots", report.flow->slots > 0 ? report.flow->slots : engine::usual_slots},
                       {"gain", report.flow->gain}};
    }
    out["errors"] = report.errors;
    return out.dump(2) + "\n";
}

std::string to_json(const graph::Tuned& tuned) {
    json shapes = json::array();
    for (const auto& [key, shape] : tuned.shapes) {
        json one = key_json(key);
        one["shape"] = name(shape.shape);
        one["rule_ms"] = shape.rule_ms;
        one["ms"] = shape.ms;
        shapes.push_back(one);
    }
    json out{{"device", tuned.device}, {"driver", tuned.driver}, {"weft", tuned.weft}};
    out["upload"] = tuned.upload.empty() ? "auto" : tuned.upload;
    out["slots"] = tuned.slots > 0 ? tuned.slots : engine::usual_slots;
    out["shapes"] = shapes;
    return out.dump(2) + "\n";
}

} // namespace weft::bench
