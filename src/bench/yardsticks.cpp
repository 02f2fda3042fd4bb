#include "bench/yardsticks.hpp"

#include <algorithm>
#include <chrono>

#include "base/format.hpp"
#include "base/text_file.hpp"

namespace weft::bench {
namespace {

constexpr int most_runs = 1000;
constexpr size_t copy_blocks = 3;

double now_ms() {
    const auto time = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration<double, std::milli>(time).count();
}

// `batch` runs the work so many times and comes back when it is done.
Spread time_batches(const Timing& timing, const std::function<void(int)>& batch) {
    const auto cost = [&](int count) {
        const double begin = now_ms();
        batch(count);
        return (now_ms() - begin) / count;
    };
    cost(1); // the first launch may compile
    const double once = cost(1);
    const int count = std::clamp(static_cast<int>(timing.ms / std::max(once, 1e-4)), 1, most_runs);
    // What takes much longer than a round is not repeated as often as asked.
    const int rounds = once > 4 * timing.ms ? std::min(timing.rounds, 2) : timing.rounds;
    std::vector<double> costs;
    for (int round = 0; round < rounds; ++round)
        costs.push_back(cost(count));
    return spread(costs);
}

} // namespace

Spread time_on(gpu::Device& device, const Timing& timing, const std::function<void()>& run) {
    return time_batches(timing, [&](int count) {
        for (int i = 0; i < count; ++i)
            run();
        device.compute().finish();
    });
}

Spread time_host(const Timing& timing, const std::function<void()>& run) {
    return time_batches(timing, [&](int count) {
        for (int i = 0; i < count; ++i)
            run();
    });
}

cl::Kernel BenchKernels::load(const std::string& file, const std::vector<std::string>& defines,
                              const char* entry) const {
    const std::filesystem::path path = folder / file;
    const std::string text = read_text(path);
    std::string head;
    for (const std::string& define : defines)
        head += "#define " + define + "\n";
    const gpu::SourceRange range{static_cast<int>(defines.size()) + 1,
                                 static_cast<int>(std::count(text.begin(), text.end(), '\n')) + 1,
                                 path.string(), 1};
    return {programs.build(head + text, file, {range}), entry};
}

double measure_copy(gpu::Device& device, double bytes, const Timing& timing) {
    const auto each = static_cast<size_t>(std::max(bytes, 1.0));
    std::vector<cl::Buffer> blocks;
    for (size_t i = 0; i < copy_blocks; ++i) {
        blocks.emplace_back(device.context(), CL_MEM_READ_WRITE, each);
        // Memory that nobody has written costs page faults, or all of it is the same page.
        device.compute().enqueueFillBuffer(blocks.back(), uint8_t{1}, 0, each);
    }
    size_t turn = 0;
    const Spread ms = time_on(device, timing, [&] {
        device.compute().enqueueCopyBuffer(blocks[turn], blocks[(turn + 1) % copy_blocks], 0, 0, each);
        turn = (turn + 1) % copy_blocks;
    });
    return 2 * static_cast<double>(each) / ms.median / 1e6;
}

double measure_multiply_adds(gpu::Device& device, const BenchKernels& kernels, const Timing& timing) {
    // Enough chains and work-items to fill the device; a processor's work in vectors.
    const bool cpu = device.traits().kind == DeviceKind::cpu;
    const int width = cpu ? 16 : 1, chains = 16, steps = cpu ? 1 << 14 : 1 << 11;
    const size_t group = cpu ? 1 : 256;
    const size_t items = static_cast<size_t>(device.traits().compute_units) * (cpu ? 8 : 32 * group);
    cl::Kernel peak = kernels.load(
        "fma_peak.cl",
        {fmt::format("WIDTH {}", width), fmt::format("COUNT {}", chains), fmt::format("STEPS {}", steps)},
        "peak");
    const cl::Buffer out(device.context(), CL_MEM_READ_WRITE, items * sizeof(float));
    peak.setArg(0, out);
    peak.setArg(1, 0.5f);
    const Spread ms = time_on(device, timing, [&] {
        device.compute().enqueueNDRangeKernel(peak, cl::NullRange, cl::NDRange(items), cl::NDRange(group));
    });
    return 2.0 * static_cast<double>(items) * width * chains * steps / ms.min / 1e6;
}

} // namespace weft::bench
