// Measures every built-in filter, transition and scaler on pictures in memory: weft's own plans, the
// ffmpeg program's filters beside them in the same run, turn about, and a copy of the same bytes. Times are
// of one picture, medians; CPU times are those of all threads. Prints a Markdown table.
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>

#include <nlohmann/json.hpp>

#include "base/data_dirs.hpp"
#include "base/error.hpp"
#include "base/format.hpp"
#include "content.hpp"
#include "ffmpeg_side.hpp"
#include "kernel_cases.hpp"
#include "weft_side.hpp"

namespace weft::bench {
namespace {

const char* const usage = R"(usage: bench_kernels [OPTION...]
  --only TEXT     rows whose title holds TEXT; repeat for several
  --rounds N      batches of weft's, the median counts (7)
  --ffmpeg N      runs of ffmpeg's, turn about with weft's (3); 0: none
  --ms N          about how long a batch or a run lasts (300)
  --size WxH      of the pictures (1920x1080)
  --device NAME   as weft's --device
  --json FILE     every number
  --list          titles only
)";

struct Options {
    std::vector<std::string> only;
    int rounds = 7, ffmpeg = 3;
    double ms = 300;
    Size size;
    std::string device, json;
    bool list = false;
};

struct Row {
    KernelCase kernel;
    CostSpread weft, copy, ffmpeg;
    double bytes = 0;
    double psnr = 0; // luma, to FFmpeg's picture; 0: not compared
    size_t passes = 0;
    bool on_cpu = true; // else the device's time counts, which is the wall's

    const Spread& time(const CostSpread& of) const { return on_cpu ? of.cpu : of.wall; }

    double ratio() const { return weft.cpu.median > 0 ? ffmpeg.cpu.median / weft.cpu.median : 0; }
};

std::optional<Options> parse(int count, char** words) {
    Options options;
    for (int i = 1; i < count; ++i) {
        const std::string word = words[i];
        if (word == "--list") {
            options.list = true;
            continue;
        }
        if (i + 1 >= count) return std::nullopt;
        const std::string value = words[++i];
        if (word == "--only")
            options.only.push_back(value);
        else if (word == "--rounds")
            options.rounds = std::max(1, std::atoi(value.c_str()));
        else if (word == "--ffmpeg")
            options.ffmpeg = std::max(0, std::atoi(value.c_str()));
        else if (word == "--ms")
            options.ms = std::max(1.0, std::atof(value.c_str()));
        else if (word == "--size") {
            if (std::sscanf(value.c_str(), "%dx%d", &options.size.width, &options.size.height) != 2 ||
                options.size.width < 64 || options.size.height < 64)
                return std::nullopt;
        } else if (word == "--device")
            options.device = value;
        else if (word == "--json")
            options.json = value;
        else
            return std::nullopt;
    }
    return options;
}

double luma_psnr(const std::vector<uint8_t>& a, const std::vector<uint8_t>& b, const graph::Scene& scene) {
    const size_t count = static_cast<size_t>(scene.width) * static_cast<size_t>(scene.height);
    if (a.size() != b.size() || a.size() < count) return 0;
    double sum = 0;
    for (size_t i = 0; i < count; ++i)
        sum += std::pow(static_cast<double>(a[i]) - b[i], 2);
    return sum > 0 ? 10 * std::log10(255.0 * 255.0 * static_cast<double>(count) / sum) : 99;
}

// A small batch tells how many pictures fill the time asked for.
template<class Run>
int count_for(double ms, Run run) {
    const Cost once = run(loop_length);
    const double each = std::max({once.wall, once.cpu / 2, 1e-3});
    return std::clamp(static_cast<int>(ms / each), loop_length, 3000);
}

Row measure(Bench& bench, FfmpegSide& ffmpeg, const KernelCase& kernel, const Options& options) {
    Row row{.kernel = kernel, .weft = {}, .copy = {}, .ffmpeg = {}};
    WeftSide weft(bench, kernel.scene);
    row.bytes = weft.bytes();
    row.passes = weft.plan().passes.size();
    row.on_cpu = bench.device.traits().kind == DeviceKind::cpu;
    CopySide copy(bench, row.bytes);
    const int count = count_for(options.ms, [&](int n) { return weft.batch(n); });
    const int copies = count_for(options.ms / 3, [&](int n) { return copy.batch(n); });
    const bool beside = options.ffmpeg > 0 && !kernel.ffmpeg.empty();
    int ffmpeg_count = 0;
    if (beside) {
        // Of the loop's middle; of a transition, half-way.
        const int number = kernel.transition ? 10 : 3, of = 20;
        row.psnr = luma_psnr(weft.picture(number, of), ffmpeg.picture(kernel, number, of), kernel.scene);
        ffmpeg_count = count_for(options.ms * 5, [&](int n) { return ffmpeg.run(kernel, 3 * n); });
        ffmpeg_count = std::clamp(ffmpeg_count, 30, 1000);
    }
    std::vector<Cost> ours, copied, theirs;
    for (int round = 0; round < options.rounds; ++round) {
        ours.push_back(weft.batch(count));
        copied.push_back(copy.batch(copies));
        const bool turn =
            (round * options.ffmpeg) / options.rounds != ((round + 1) * options.ffmpeg) / options.rounds;
        if (beside && turn) theirs.push_back(ffmpeg.run(kernel, ffmpeg_count));
    }
    row.weft = spread(ours);
    row.copy = spread(copied);
    row.ffmpeg = spread(theirs);
    return row;
}

// "2.31 (2.2..2.6)"
std::string text(const Spread& s) {
    return s.median == 0 ? "-" : fmt::format("{:.2f} ({:.2f}..{:.2f})", s.median, s.min, s.max);
}

// Whether the row keeps its goal; nullopt: it has none, or nothing was measured beside it.
std::optional<bool> met(const Row& row, const std::map<std::string, double>& weft_cpu) {
    if (!row.kernel.beside.empty()) {
        const auto other = weft_cpu.find(row.kernel.beside);
        if (other == weft_cpu.end()) return std::nullopt;
        return row.weft.cpu.median <= row.kernel.at_most * other->second;
    }
    if (!row.kernel.goal || row.ffmpeg.cpu.median == 0) return std::nullopt;
    return row.ratio() >= *row.kernel.goal;
}

std::string goal_text(const Row& row) {
    if (!row.kernel.beside.empty()) return fmt::format("<= {} x {}", row.kernel.at_most, row.kernel.beside);
    return row.kernel.goal ? fmt::format(">= {}x", *row.kernel.goal) : "";
}

const char* const head = "| yuv420p | weft cpu ms (min..max) | wall ms | GB/s | copies | FFmpeg cpu ms "
                         "(min..max) | wall ms | FFmpeg / "
                         "weft cpu | goal | met | luma dB |\n| --- | --- | --- | --- | --- | --- | --- | --- "
                         "| --- | --- | --- |\n";

std::string line(const Row& row, const std::map<std::string, double>& weft_cpu) {
    const auto done = met(row, weft_cpu);
    std::string goal = goal_text(row);
    if (!row.kernel.beside.empty() && done)
        goal += fmt::format(" ({:.2f}x)", row.weft.cpu.median / weft_cpu.at(row.kernel.beside));
    const bool beside = row.ffmpeg.cpu.median != 0;
    return fmt::format(
        "| {} | {} | {:.2f} | {:.1f} | {:.1f} | {} | {} | {} | {} | {} | {} |\n", row.kernel.title,
        text(row.weft.cpu), row.weft.wall.median, row.bytes / row.time(row.weft).median / 1e6,
        row.time(row.weft).median / row.time(row.copy).median, text(row.ffmpeg.cpu),
        beside ? fmt::format("{:.2f}", row.ffmpeg.wall.median) : "-",
        beside ? fmt::format("{:.1f}x", row.ratio()) : "-", goal, done ? (*done ? "yes" : "**no**") : "",
        row.psnr > 0 ? fmt::format("{:.1f}", row.psnr) : "");
}

nlohmann::json as_json(const Spread& s) {
    return {{"median", s.median}, {"min", s.min}, {"max", s.max}};
}

nlohmann::json as_json(const Row& row, const std::map<std::string, double>& weft_cpu) {
    nlohmann::json out{{"title", row.kernel.title},
                       {"bytes", row.bytes},
                       {"passes", row.passes},
                       {"weft_cpu_ms", as_json(row.weft.cpu)},
                       {"weft_wall_ms", as_json(row.weft.wall)},
                       {"copy_cpu_ms", as_json(row.copy.cpu)},
                       {"copy_wall_ms", as_json(row.copy.wall)},
                       {"goal", goal_text(row)}};
    if (row.ffmpeg.cpu.median != 0) {
        out["ffmpeg_cpu_ms"] = as_json(row.ffmpeg.cpu);
        out["ffmpeg_wall_ms"] = as_json(row.ffmpeg.wall);
        out["ratio"] = row.ratio();
        out["luma_psnr_db"] = row.psnr;
    }
    if (const auto done = met(row, weft_cpu)) out["met"] = *done;
    return out;
}

// Gone with the program.
struct Scratch {
    std::string path;
    Scratch() {
        const bool memory = std::filesystem::is_directory("/dev/shm");
        path = (memory ? std::string("/dev/shm") : std::filesystem::temp_directory_path().string()) +
               "/weft-bench-XXXXXX";
        if (mkdtemp(path.data()) == nullptr) throw Error(ErrorKind::resource, "no folder for raw pictures");
    }
    ~Scratch() {
        std::error_code ignored;
        std::filesystem::remove_all(path, ignored);
    }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;
    std::string write(const std::string& name, const std::string& text) const {
        std::ofstream(path + "/" + name, std::ios::binary) << text;
        return path + "/" + name;
    }
};

bool wanted(const KernelCase& kernel, const Options& options) {
    if (options.only.empty()) return true;
    return std::any_of(options.only.begin(), options.only.end(),
                       [&](const std::string& t) { return kernel.title.find(t) != std::string::npos; });
}

int run(const Options& options) {
    const Scratch scratch;
    const DataDirs dirs("");
    const graph::FilterLibrary library({dirs.filters()});
    const auto cases = kernel_cases(library, scratch.write("warm.cube", cube_text()),
                                    scratch.write("mask.pgm", mask_pgm(480, 270)), options.size);
    if (options.list) {
        for (const KernelCase& kernel : cases)
            std::cout << kernel.title << "\n";
        return 0;
    }
    const auto devices = gpu::list_devices();
    const gpu::DeviceInfo& info = devices.at(gpu::choose_device(devices, options.device).index);
    gpu::Device device(info);
    gpu::Programs programs(device);
    graph::PlannerOptions planner;
    planner.prelude = graph::load_prelude(dirs.kernels().string());
    planner.load_mask = [](const std::string&) {
        graph::Mask mask{480, 270, {}};
        const std::string bytes = mask_pgm(mask.width, mask.height);
        const size_t count = static_cast<size_t>(mask.width) * static_cast<size_t>(mask.height);
        for (size_t i = bytes.size() - count; i < bytes.size(); ++i)
            mask.values.push_back(static_cast<float>(static_cast<uint8_t>(bytes[i])) / 255);
        return mask;
    };
    Bench bench{device, programs, planner};
    FfmpegSide ffmpeg(scratch.path);

    std::cout << fmt::format("Device: {}, {}x{}\n\n", info.traits.name, options.size.width,
                             options.size.height)
              << head << std::flush;
    std::map<std::string, double> weft_cpu;
    nlohmann::json rows = nlohmann::json::array();
    int broken = 0;
    for (const KernelCase& kernel : cases) {
        if (!wanted(kernel, options)) continue;
        try {
            const Row row = measure(bench, ffmpeg, kernel, options);
            weft_cpu[kernel.title] = row.weft.cpu.median;
            std::cout << line(row, weft_cpu) << std::flush;
            rows.push_back(as_json(row, weft_cpu));
        } catch (const std::exception& error) {
            std::cerr << kernel.title << ": " << describe(error) << "\n";
            ++broken;
        }
    }
    if (!options.json.empty())
        std::ofstream(options.json) << nlohmann::json{{"device", info.traits.name}, {"rows", rows}}.dump(1)
                                    << "\n";
    return broken ? 1 : 0;
}

} // namespace
} // namespace weft::bench

int main(int count, char** words) {
    const auto options = weft::bench::parse(count, words);
    if (!options) {
        std::cerr << weft::bench::usage;
        return 2;
    }
    try {
        return weft::bench::run(*options);
    } catch (const std::exception& error) {
        std::cerr << "bench_kernels: " << weft::describe(error) << "\n";
        return 2;
    }
}
