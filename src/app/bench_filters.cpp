// weft bench filters.
#include <algorithm>

#include "app/bench_options.hpp"
#include "app/interrupt.hpp"
#include "app/temporary_file.hpp"
#include "base/error.hpp"
#include "base/format.hpp"
#include "bench/content.hpp"
#include "bench/filter_text.hpp"
#include "bench/ladder.hpp"
#include "engine/tuned_files.hpp"

namespace weft::app {
namespace {

using bench::Size;

std::vector<bench::FilterCase> cases_of(const graph::FilterLibrary& library, const BenchOptions& options,
                                        const bench::CaseOptions& given) {
    std::vector<bench::FilterCase> all;
    if (options.chains.empty() || !options.only.empty()) all = bench::filter_cases(library, given);
    std::erase_if(all, [&](const bench::FilterCase& row) {
        return !bench::wanted(row.title + "\n" + row.chain, options.only);
    });
    for (const std::string& chain : options.chains)
        all.push_back(bench::chain_case(library, chain, given));
    if (all.empty())
        throw Error(ErrorKind::not_found,
                    fmt::format("no row holds '{}' (weft bench --list)", fmt::join(options.only, "' or '")));
    return all;
}

class FilterBench {
  public:
    FilterBench(const Common& common, const BenchOptions& options)
        : options_(options), library_(load_library(common)), interrupt_(control_),
          prelude_(graph::load_prelude(DataDirs(common.assets).kernels().string())) {}

    int run() {
        return interrupt_.guard([&] { return measure(); });
    }

  private:
    int measure() {
        const std::vector<Size> sizes = sizes_of(options_, {});
        if (options_.list) {
            for (const bench::FilterCase& row : cases(sizes.front()))
                print(row.title + "\n");
            return 0;
        }
        const gpu::DeviceInfo info = device_of(options_);
        gpu::Device device(info);
        gpu::Programs programs(device);
        graph::PlannerOptions planner;
        planner.prelude = prelude_;
        if (!options_.no_tune)
            planner.shapes = engine::TunedFiles::of_user().load(info).value_or(graph::Tuned{}).for_planner();
        planner.load_mask = [](const std::string&) { return bench::round_mask(480, 270); };
        bool good = true;
        std::vector<bench::FilterTable> tables;
        for (const Size size : sizes) {
            const std::vector<bench::FilterCase> all = cases(size);
            bench::FilterTable& table = tables.emplace_back();
            table.device = info.traits.name;
            table.driver = driver_text(info);
            table.pixels = options_.pixels;
            table.size = size;
            say(fmt::format("{}{}, {}x{} {}\n{}", tables.size() > 1 ? "\n" : "", table.device, size.width,
                            size.height, table.pixels, bench::filter_head(options_.measure)));
            bench::Rig rig(device, programs, planner);
            for (const bench::FilterCase& one : all) {
                const bench::FilterRow& row =
                    table.rows.emplace_back(bench::measure_filter(rig, one, options_.measure));
                say(bench::filter_line(row, options_.measure));
                good = good && row.error.empty() && (!row.check || row.check->good);
                if (control_.stop_requested()) break;
            }
            if (control_.stop_requested()) break;
        }
        if (options_.json) print(bench::to_json(tables));
        return control_.stop_requested() ? interrupt_.exit_status() : good ? 0 : 1;
    }

    std::vector<bench::FilterCase> cases(Size size) const {
        return cases_of(library_, options_, {size, options_.pixels, cube_.path()});
    }

    void say(const std::string& text) const {
        if (!options_.json) print(text);
    }

    const BenchOptions& options_;
    graph::FilterLibrary library_;
    engine::RunControl control_;
    Interrupt interrupt_;
    const TemporaryFile cube_{"weft-bench-", ".cube", bench::cube_text()};
    std::string prelude_;
};

} // namespace

int bench_filters(const Common& common, const BenchOptions& options) {
    return FilterBench(common, options).run();
}

} // namespace weft::app
