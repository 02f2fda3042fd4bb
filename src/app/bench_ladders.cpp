// weft bench convolution and the other ladders.
#include <algorithm>
#include <array>
#include <cstdio>

#include "app/bench_options.hpp"
#include "app/interrupt.hpp"
#include "base/error.hpp"
#include "base/format.hpp"
#include "bench/convolution.hpp"
#include "bench/planes.hpp"

namespace weft::app {
namespace {

using bench::Ladder;
using bench::Size;

constexpr int most_filter_side = 32;

// Where a ladder is run, and who hears of it.
struct Place {
    gpu::Device& device;
    const bench::BenchKernels& kernels;
    const BenchOptions& options;
    const bench::Told& told;

    bench::Timing timing() const { return {options.measure.rounds, options.measure.ms}; }
};

std::vector<Ladder> convolution(const Place& place, Size size) {
    bench::ConvolutionOptions options;
    options.width = size.width;
    options.height = size.height;
    char rest = 0;
    const std::string& text = place.options.filter_size;
    if (std::sscanf(text.c_str(), "%dx%d%c", &options.filter_width, &options.filter_height, &rest) != 2 ||
        std::min(options.filter_width, options.filter_height) < 1 ||
        std::max(options.filter_width, options.filter_height) > most_filter_side)
        throw Error(ErrorKind::usage,
                    fmt::format("--filter-size '{}': expected WxH, each side 1..{}", text, most_filter_side));
    options.dense = place.options.dense;
    options.only = place.options.only;
    options.timing = place.timing();
    return {bench::convolution_ladder(place.device, place.kernels, options, place.told)};
}

template<auto ladder>
std::vector<Ladder> of_planes(const Place& place, Size size) {
    std::vector<Ladder> ladders;
    for (const bool floats : {false, true})
        ladders.push_back(ladder(place.device, place.kernels,
                                 {size.width, size.height, floats, place.options.only, place.timing()},
                                 place.told));
    return ladders;
}

struct Kind {
    const char* name;
    Size usual;
    std::vector<Ladder> (*run)(const Place&, Size);
};
const std::array<Kind, 3> kinds{{{"convolution", {4096, 4096}, convolution},
                                 {"transpose", {3840, 2160}, of_planes<bench::transpose_ladder>},
                                 {"reduce", {3840, 2160}, of_planes<bench::reduce_ladder>}}};

// Ctrl-C ended a ladder between two rungs.
struct Interrupted {};

int measure(const Common& common, const BenchOptions& options, const Kind& kind,
            const engine::RunControl& control) {
    gpu::Device device(device_of(options));
    gpu::Programs programs(device);
    const bench::BenchKernels kernels{programs, DataDirs(common.assets).kernels() / "bench"};
    size_t told_of = 0;
    const bench::Told told = [&](const Ladder& ladder, const bench::Rung* rung) {
        if (control.stop_requested()) throw Interrupted{};
        if (options.json) return;
        if (rung == nullptr)
            print((told_of++ > 0 ? "\n" : "") + bench::ladder_head(ladder));
        else
            print(bench::ladder_line(ladder, *rung));
    };
    std::vector<Ladder> ladders;
    for (const Size size : sizes_of(options, kind.usual))
        for (Ladder& ladder : kind.run({device, kernels, options, told}, size))
            ladders.push_back(std::move(ladder));
    if (ladders.front().rungs.empty())
        throw Error(ErrorKind::not_found,
                    fmt::format("no rung's name holds '{}'", fmt::join(options.only, "' or '")));
    if (options.json) print(bench::to_json(ladders));
    return std::all_of(ladders.begin(), ladders.end(), [](const Ladder& ladder) { return ladder.good(); })
               ? 0
               : 1;
}

} // namespace

std::vector<std::string> ladder_names() {
    std::vector<std::string> names;
    for (const Kind& kind : kinds)
        names.emplace_back(kind.name);
    return names;
}

int bench_ladder(const Common& common, const BenchOptions& options) {
    const Kind& kind =
        *std::find_if(kinds.begin(), kinds.end(), [&](const Kind& one) { return one.name == options.what; });
    engine::RunControl control;
    const Interrupt interrupt(control);
    return interrupt.guard([&] {
        try {
            return measure(common, options, kind, control);
        } catch (const Interrupted&) {
            return interrupt.exit_status();
        }
    });
}

} // namespace weft::app
