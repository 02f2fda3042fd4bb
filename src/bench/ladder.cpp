#include "bench/ladder.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/format.hpp"

namespace weft::bench {
namespace {

using json = nlohmann::ordered_json;

double share(double part, double whole) {
    return whole > 0 ? part / whole : 0;
}

const Rung* first_that_ran(const Ladder& ladder) {
    const auto found =
        std::find_if(ladder.rungs.begin(), ladder.rungs.end(), [](const Rung& rung) { return rung.ran(); });
    return found == ladder.rungs.end() ? nullptr : &*found;
}

double speedup(const Ladder& ladder, const Rung& rung) {
    const Rung* first = first_that_ran(ladder);
    return first != nullptr ? share(first->ms.median, rung.ms.median) : 0;
}

} // namespace

bool Ladder::good() const {
    return std::all_of(rungs.begin(), rungs.end(), [](const Rung& rung) { return rung.good(); });
}

bool wanted(const std::string& name, const std::vector<std::string>& only) {
    return only.empty() || std::any_of(only.begin(), only.end(), [&](const std::string& text) {
               return name.find(text) != std::string::npos;
           });
}

void attempt(Rung& rung, const std::function<void()>& work) {
    try {
        work();
    } catch (const cl::Error& error) {
        rung.refusal = fmt::format("{}: {}", error.what(), gpu::cl_error_name(error.err()));
    } catch (const Error& error) {
        if (error.kind() != ErrorKind::device && error.kind() != ErrorKind::unsupported &&
            error.kind() != ErrorKind::resource)
            throw;
        rung.refusal = describe(error);
    }
}

std::string ladder_head(const Ladder& ladder) {
    std::string out = fmt::format("{}\n{}\n{}\ndevice copy {:.1f} GB/s", ladder.device, ladder.job,
                                  ladder.comparison, ladder.peak.copy_gb_per_s);
    if (ladder.peak.gflop_per_s > 0)
        out += fmt::format(", multiply-adds {:.1f} GFLOP/s", ladder.peak.gflop_per_s);
    out += fmt::format("\n{:<26} {:<18} {:>10} {:>9} {:>8} {:>7}", "", "", "ms", "times", "GB/s", "of copy");
    if (ladder.peak.gflop_per_s > 0) out += fmt::format(" {:>9} {:>7}", "GFLOP/s", "of peak");
    return out + fmt::format(" {:>9}\n", "worst");
}

std::string ladder_line(const Ladder& ladder, const Rung& rung) {
    std::string out = fmt::format("{:<26} {:<18} ", rung.name, rung.about);
    if (!rung.ran()) return out + "not run: " + rung.refusal.substr(0, rung.refusal.find('\n')) + "\n";
    out += fmt::format(
        "{:>10.4g} {:>8.2f}x {:>8.1f} {:>7}", rung.ms.median, speedup(ladder, rung), rung.gb_per_s(),
        rung.host ? "" : fmt::format("{:.0f}%", 100 * share(rung.gb_per_s(), ladder.peak.copy_gb_per_s)));
    if (ladder.peak.gflop_per_s > 0)
        out += fmt::format(
            " {:>9.1f} {:>7}", rung.gflop_per_s(),
            rung.host ? ""
                      : fmt::format("{:.0f}%", 100 * share(rung.gflop_per_s(), ladder.peak.gflop_per_s)));
    out += fmt::format(" {:>9.2g}", rung.worst);
    return out + (rung.good() ? "\n" : fmt::format(" WRONG, allowed {:.2g}\n", rung.tolerance));
}

std::string to_json(const std::vector<Ladder>& ladders) {
    json all = json::array();
    for (const Ladder& ladder : ladders) {
        json rungs = json::array();
        for (const Rung& rung : ladder.rungs) {
            json one{{"name", rung.name}, {"about", rung.about}, {"host", rung.host}};
            if (rung.ran()) {
                one["ms"] = {{"median", rung.ms.median}, {"min", rung.ms.min}, {"max", rung.ms.max}};
                one["speedup"] = speedup(ladder, rung);
                one["gb_per_s"] = rung.gb_per_s();
                one["of_copy"] = share(rung.gb_per_s(), ladder.peak.copy_gb_per_s);
                if (ladder.peak.gflop_per_s > 0) {
                    one["gflop_per_s"] = rung.gflop_per_s();
                    one["of_peak"] = share(rung.gflop_per_s(), ladder.peak.gflop_per_s);
                }
                one["worst"] = rung.worst;
                one["tolerance"] = rung.tolerance;
                one["good"] = rung.good();
            } else {
                one["refusal"] = rung.refusal;
            }
            rungs.push_back(one);
        }
        json table{{"bench", ladder.bench},
                   {"job", ladder.job},
                   {"device", ladder.device},
                   {"driver", ladder.driver},
                   {"width", ladder.width},
                   {"height", ladder.height},
                   {"copy_gb_per_s", ladder.peak.copy_gb_per_s}};
        if (ladder.peak.gflop_per_s > 0) table["peak_gflop_per_s"] = ladder.peak.gflop_per_s;
        table["rungs"] = rungs;
        all.push_back(table);
    }
    return json{{"bench", ladders.empty() ? "" : ladders.front().bench}, {"tables", all}}.dump(2) + "\n";
}

} // namespace weft::bench
