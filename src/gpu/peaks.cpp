#include "gpu/peaks.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "base/clock.hpp"
#include "gpu/device_private.hpp"
#include "gpu/host_memory.hpp"

namespace weft::gpu {
namespace {

// Long enough to hide what a command costs; on a processor no longer than pictures are, whose copies stay in
// a cache.
constexpr size_t gpu_block = size_t{64} << 20, cpu_block = size_t{2} << 20;
constexpr int blocks = 4; // taken in turn
constexpr int rounds = 5;

} // namespace

Peaks measure_peaks(Device& device) {
    return guarded("measuring copies", [&] {
        const bool gpu = device.traits().kind == DeviceKind::gpu;
        const size_t bytes =
            std::min<size_t>(gpu ? gpu_block : cpu_block, device.traits().max_alloc_bytes / 4);
        std::vector<cl::Buffer> buffers;
        for (int i = 0; i < blocks; ++i)
            buffers.emplace_back(device.context(), CL_MEM_READ_WRITE, bytes);
        PinnedMemory host(device, bytes);
        // A round is one command for each block, waited for once.
        const auto best = [&](cl::CommandQueue& queue, double bytes_each, const auto& command) {
            double rate = 0;
            for (int round = 0; round <= rounds; ++round) {
                const Nanoseconds begin = SteadyClock().now();
                for (size_t i = 0; i < blocks; ++i)
                    command(i);
                queue.finish();
                const double seconds = std::chrono::duration<double>(SteadyClock().now() - begin).count();
                // The first one touches the memory.
                if (round > 0) rate = std::max(rate, bytes_each * blocks / std::max(seconds, 1e-9));
            }
            return rate;
        };
        const auto size = static_cast<double>(bytes);
        Peaks peaks;
        peaks.up = best(device.up(), size, [&](size_t i) {
            device.up().enqueueWriteBuffer(buffers[i], CL_FALSE, 0, bytes, host.data());
        });
        peaks.down = best(device.down(), size, [&](size_t i) {
            device.down().enqueueReadBuffer(buffers[i], CL_FALSE, 0, bytes, host.data());
        });
        peaks.copy = best(device.compute(), 2 * size, [&](size_t i) {
            device.compute().enqueueCopyBuffer(buffers[i], buffers[(i + 1) % blocks], 0, 0, bytes);
        });
        return peaks;
    });
}

} // namespace weft::gpu
