// weft bench: how fast kernels are, beside what the device can do at best.
#include <algorithm>
#include <cstdio>

#include "app/bench_options.hpp"
#include "app/help.hpp"
#include "base/error.hpp"
#include "base/format.hpp"

namespace weft::app {
namespace {

using bench::Size;

constexpr int least_side = 64, most_side = 16384;

Size parse_size(const std::string& text) {
    Size size;
    char rest = 0;
    if (std::sscanf(text.c_str(), "%dx%d%c", &size.width, &size.height, &rest) != 2 ||
        std::min(size.width, size.height) < least_side || std::max(size.width, size.height) > most_side)
        throw Error(ErrorKind::usage,
                    fmt::format("--size '{}': expected WxH, each side {}..{}", text, least_side, most_side));
    return size;
}

void add_bench_options(CLI::App& command, BenchOptions& options) {
    const std::string group = "Bench";
    std::vector<std::string> names = ladder_names();
    names.insert(names.begin(), "filters");
    command.add_option("what", options.what, fmt::format("{} (default: filters)", fmt::join(names, ", ")))
        ->option_text("WHAT")
        ->check(one_of(names));
    const OptionGroup in{command, group};
    in.text("--device", options.device, "NAME", "Which device: a number, P.D or a part of its name");
    in.list("--size", options.sizes, "WxH",
            "Of the pictures (default 1920x1080, convolution 4096x4096, transpose and reduce 3840x2160); "
            "repeat for several");
    in.text("--format", options.pixels, "NAME",
            "Their pixel format (default yuv420p), e.g. gbrp, p010le, rgba");
    in.list("--only", options.only, "TEXT",
            "Only rows whose title or filter holds this, and rungs whose name does; repeat for several");
    in.list("--filter", options.chains, "CHAIN",
            "Measure this chain, as weft render takes it, instead of all rows; repeat for several");
    command
        .add_flag("--check", options.measure.check,
                  "Compute one picture of each row another way too (every stage alone, in the other kind of "
                  "device's shape) and compare: exit status 1 unless at most 0.01% of the samples differ by "
                  "more than one code")
        ->group(group);
    command
        .add_flag("--ffmpeg", options.measure.ffmpeg,
                  "Run FFmpeg's filter of the same name beside it; processor times count")
        ->group(group);
    in.rounds(options.measure.rounds, "Batches of each; the median counts (default 5)");
    in.milliseconds(options.measure.ms, "About how long a batch lasts (default 100)");
    in.text("--filter-size", options.filter_size, "WxH", "Of the convolution's filter (default 16x16)");
    command.add_flag("--dense", options.dense, "Convolution weights without a pattern, instead of a bell")
        ->group(group);
    command.add_flag("--no-tune", options.no_tune, "Ignore what weft tune found for the device")
        ->group(group);
    command.add_flag("--list", options.list, "Print the rows' titles only")->group(group);
    command.add_flag("--json", options.json, "Print JSON instead of tables")->group(group);
}

// An option that would be passed over is a misunderstanding.
void refuse_others_options(const CLI::App& command, const std::string& what) {
    const std::vector<std::pair<std::string, std::vector<std::string>>> owned{
        {"filters", {"--format", "--filter", "--check", "--ffmpeg", "--list", "--no-tune"}},
        {"convolution", {"--filter-size", "--dense"}}};
    std::vector<Error> errors;
    for (const auto& [owner, options] : owned)
        for (const std::string& option : options)
            if (owner != what && command.count(option) > 0)
                errors.emplace_back(ErrorKind::usage,
                                    fmt::format("{} is for weft bench {}, not for {}", option, owner, what));
    if (!errors.empty()) throw Errors(std::move(errors));
}

int run_bench(const Common& common, const BenchOptions& options) {
    try {
        return options.what == "filters" ? bench_filters(common, options) : bench_ladder(common, options);
    } catch (const cl::Error& error) {
        throw Error(ErrorKind::device, fmt::format("{}: {}", error.what(), gpu::cl_error_name(error.err())));
    }
}

} // namespace

void OptionGroup::text(const std::string& option, std::string& value, const std::string& shown,
                       const std::string& help) const {
    command.add_option(option, value, help)->option_text(shown)->group(name);
}

void OptionGroup::list(const std::string& option, std::vector<std::string>& values, const std::string& shown,
                       const std::string& help) const {
    command.add_option(option, values, help)->option_text(shown)->allow_extra_args(false)->group(name);
}

void OptionGroup::rounds(int& value, const std::string& help) const {
    command.add_option("--rounds", value, help)->option_text("N")->check(CLI::Range(1, 1000))->group(name);
}

void OptionGroup::milliseconds(double& value, const std::string& help) const {
    command.add_option("--ms", value, help)->option_text("N")->check(CLI::Range(1.0, 60000.0))->group(name);
}

std::vector<Size> sizes_of(const BenchOptions& options, Size usual) {
    std::vector<Size> sizes;
    for (const std::string& text : options.sizes)
        sizes.push_back(parse_size(text));
    if (sizes.empty()) sizes.push_back(usual);
    return sizes;
}

gpu::DeviceInfo device_of(const BenchOptions& options) {
    const auto devices = gpu::list_devices();
    return devices.at(gpu::choose_device(devices, options.device).index);
}

std::string driver_text(const gpu::DeviceInfo& info) {
    return fmt::format("{}, {}, driver {}", info.platform_name, info.version, info.driver);
}

void add_bench(CLI::App& program, Session& session) {
    auto* command = program.add_subcommand("bench", "Measure how fast kernels run on a device");
    auto options = std::make_shared<BenchOptions>();
    add_bench_options(*command, *options);
    add_common_options(*command, session.common);
    command->footer(
        "filters: every filter (yours from --filters too) and transition with its manifest's examples,\n"
        "the scalers, the compositor, deinterlacing and tone mapping, on pictures in memory. of copy: the\n"
        "time of a device copy of the bytes that the kernels move, over theirs.\n"
        "convolution: one convolution of floats from the plain kernel to the best, each step verified "
        "against\n"
        "sums in double; kernels/bench/convolution has the texts. transpose: a plane of bytes and one of\n"
        "floats, through local memory. reduce: their sum, extremes and histogram.\n\n"
        "Examples:\n"
        "  weft bench\n"
        "  weft bench --size 1920x1080 --size 3840x2160 --format p010le --device nvidia\n"
        "  weft bench --only blur --only scale --ffmpeg\n"
        "  weft bench --filter 'eq=contrast=1.2,gblur=sigma=2' --check\n"
        "  weft bench convolution --filter-size 7x7\n"
        "  weft bench reduce --size 7680x4320 --device nvidia\n"
        "  weft bench --json | jq '.tables[].rows[] | {title, of_copy}'");
    command->callback([&session, command, options] {
        refuse_others_options(*command, options->what);
        session.run = [&session, options] { return run_bench(session.common, *options); };
    });
}

} // namespace weft::app
