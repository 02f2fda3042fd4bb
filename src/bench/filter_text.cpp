#include "bench/filter_text.hpp"

#include <nlohmann/json.hpp>

#include "base/format.hpp"

namespace weft::bench {
namespace {

using json = nlohmann::ordered_json;

json spread_json(const Spread& s) {
    return {{"median", s.median}, {"min", s.min}, {"max", s.max}};
}

std::string spread_text(const Spread& s) {
    return fmt::format("{:.3f} ({:.3f}..{:.3f})", s.median, s.min, s.max);
}

json row_json(const FilterRow& row) {
    json out{{"title", row.title}, {"filter", row.chain}};
    if (!row.error.empty()) {
        out["error"] = row.error;
        return out;
    }
    out["ms"] = spread_json(row.weft.wall);
    out["cpu_ms"] = spread_json(row.weft.cpu);
    out["bytes"] = row.bytes;
    out["passes"] = row.passes;
    out["gb_per_s"] = row.gb_per_s();
    out["copy_gb_per_s"] = row.copy_gb_per_s();
    out["copy_cpu_ms"] = spread_json(row.copy.cpu);
    out["of_copy"] = row.of_copy();
    if (row.check)
        out["check"] = {{"worst_codes", row.check->worst},
                        {"beyond_one_code", row.check->beyond_one},
                        {"good", row.check->good}};
    if (row.ffmpeg)
        out["ffmpeg"] = {{"chain", row.ffmpeg_chain},
                         {"ms", spread_json(row.ffmpeg->cost.wall)},
                         {"cpu_ms", spread_json(row.ffmpeg->cost.cpu)},
                         {"psnr_db", row.ffmpeg->psnr_db}};
    else if (!row.ffmpeg_refusal.empty())
        out["ffmpeg"] = {{"chain", row.ffmpeg_chain}, {"error", row.ffmpeg_refusal}};
    return out;
}

} // namespace

std::string filter_head(const FilterOptions& options) {
    std::string out = fmt::format("{:<46} {:>24} {:>8} {:>7}", "filter", "ms (min..max)", "GB/s", "of copy");
    if (options.check) out += fmt::format(" {:>14}", "other way");
    if (options.ffmpeg) out += fmt::format(" {:>8} {:>9} {:>6} {:>5}", "cpu ms", "FFmpeg's", "times", "dB");
    return out + "\n";
}

std::string filter_line(const FilterRow& row, const FilterOptions& options) {
    if (!row.error.empty()) return fmt::format("{:<46} not measured: {}\n", row.title, row.error);
    std::string out = fmt::format("{:<46} {:>24} {:>8.1f} {:>6.0f}%", row.title, spread_text(row.weft.wall),
                                  row.gb_per_s(), 100 * row.of_copy());
    if (row.check)
        out += fmt::format(" {:>14}", row.check->good
                                          ? fmt::format("within {:.3g}", row.check->worst)
                                          : fmt::format("{:.2g}% WRONG", 100 * row.check->beyond_one));
    if (options.ffmpeg && row.ffmpeg)
        out += fmt::format(
            " {:>8.3f} {:>9.3f} {:>5.1f}x {:>5.1f}", row.weft.cpu.median, row.ffmpeg->cost.cpu.median,
            row.ffmpeg->cost.cpu.median / std::max(row.weft.cpu.median, 1e-9), row.ffmpeg->psnr_db);
    return out + "\n";
}

std::string to_json(const std::vector<FilterTable>& tables) {
    json all = json::array();
    for (const FilterTable& table : tables) {
        json rows = json::array();
        for (const FilterRow& row : table.rows)
            rows.push_back(row_json(row));
        all.push_back({{"device", table.device},
                       {"driver", table.driver},
                       {"size", fmt::format("{}x{}", table.size.width, table.size.height)},
                       {"format", table.pixels},
                       {"rows", rows}});
    }
    return json{{"bench", "filters"}, {"tables", all}}.dump(2) + "\n";
}

} // namespace weft::bench
