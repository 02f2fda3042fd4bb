// weft bench filters.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <unistd.h>

#include "app/bench_options.hpp"
#include "app/interrupt.hpp"
#include "base/error.hpp"
#include "base/format.hpp"
#include "bench/content.hpp"
#include "bench/filter_text.hpp"
#include "engine/tuned_files.hpp"

namespace weft::app {
namespace {

using bench::Size;

// A .cube file that goes with this object.
class CubeFile {
  public:
    CubeFile() : path_((std::filesystem::temp_directory_path() / "weft-bench-XXXXXX.cube").string()) {
        const int handle = mkstemps(path_.data(), 5);
        if (handle < 0)
            throw Error(ErrorKind::resource, fmt::format("a temporary file like '{}' cannot be made", path_));
        close(handle);
        std::ofstream(path_) << bench::cube_text();
    }
    ~CubeFile() {
        std::error_code ignored;
        std::filesystem::remove(path_, ignored);
    }
    CubeFile(const CubeFile&) = delete;
    CubeFile& operator=(const CubeFile&) = delete;
    const std::string& path() const { return path_; }

  private:
    std::string path_;
};

bool wanted(const bench::FilterCase& row, const BenchOptions& options) {
    return options.only.empty() ||
           std::any_of(options.only.begin(), options.only.end(), [&](const std::string& text) {
               return (row.title + "\n" + row.chain).find(text) != std::string::npos;
           });
}

std::vector<bench::FilterCase> cases_of(const graph::FilterLibrary& library, const BenchOptions& options,
                                        const bench::CaseOptions& given) {
    std::vector<bench::FilterCase> all;
    if (options.chains.empty() || !options.only.empty()) all = bench::filter_cases(library, given);
    std::erase_if(all, [&](const bench::FilterCase& row) { return !wanted(row, options); });
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
    CubeFile cube_;
    std::string prelude_;
};

} // namespace

int bench_filters(const Common& common, const BenchOptions& options) {
    return FilterBench(common, options).run();
}

} // namespace weft::app
