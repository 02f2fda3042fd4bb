#include "weft_side.hpp"

#include <algorithm>
#include <cstring>

#include "content.hpp"
#include "gpu/host_memory.hpp"
#include "gpu/upload.hpp"

namespace weft::bench {
namespace {

constexpr size_t output_count = 3; // as many as a sink's ring

} // namespace

struct WeftSide::Stream {
    std::vector<std::unique_ptr<gpu::HostMemory>> memory;
    std::vector<gpu::PictureRef> pictures;

    Stream(gpu::Device& device, const colour::PictureFormat& format, int loop) {
        const gpu::Layout layout = gpu::layout_of(format);
        for (int n = 0; n < loop_length; ++n) {
            auto& host = memory.emplace_back(std::make_unique<gpu::HostMemory>(layout.bytes));
            const std::vector<uint8_t> bytes = content(format, n, loop);
            const uint8_t* from = bytes.data();
            gpu::PictureRef picture;
            picture.plane_count = format.pixels.plane_count;
            for (int p = 0; p < picture.plane_count; ++p) {
                const auto i = static_cast<size_t>(p);
                const int line = format.pixels.plane_line_bytes(p, format.width);
                for (int y = 0; y < format.pixels.plane_lines(p, format.height); ++y, from += line)
                    std::memcpy(host->data() + layout.offset[i] + y * layout.pitch[i], from,
                                static_cast<size_t>(line));
            }
            const bool shared = device.traits().shares_host_memory;
            const cl::Buffer buffer(
                device.context(),
                static_cast<cl_mem_flags>(CL_MEM_READ_ONLY |
                                          (shared ? CL_MEM_USE_HOST_PTR : CL_MEM_COPY_HOST_PTR)),
                host->bytes(), host->data());
            for (size_t i = 0; i < static_cast<size_t>(picture.plane_count); ++i)
                picture.planes[i] = {buffer, layout.offset[i], layout.pitch[i]};
            pictures.push_back(picture);
        }
    }
};

WeftSide::WeftSide(Bench& bench, const graph::Scene& scene) : bench_(bench), scene_(scene) {
    for (size_t i = 0; i < scene.streams.size(); ++i)
        streams_.push_back(std::make_unique<Stream>(bench.device, scene.streams[i], static_cast<int>(i)));
    outputs_ = std::make_unique<gpu::OutputPictures>(bench.device, scene.outputs.front().format,
                                                     static_cast<int>(output_count));
    runner_ = std::make_unique<engine::PlanRunner>(
        bench.device, bench.programs, graph::make_plan(scene, bench.device.traits(), bench.planner));
    runner_->warm(scene.streams);
}

WeftSide::~WeftSide() {
    bench_.device.compute().finish();
}

engine::TickInputs WeftSide::inputs(int number, int count) const {
    engine::TickInputs in;
    for (const auto& stream : streams_) {
        in.streams.push_back(stream->pictures[static_cast<size_t>(number % loop_length)]);
        in.uploads.emplace_back();
        // Around it those of the loop; fields, for plans that read them, with the top one first.
        const auto neighbour = [&](int step) {
            return stream->pictures[static_cast<size_t>((number + loop_length + step) % loop_length)];
        };
        in.history.push_back({neighbour(-1), neighbour(1), {}, {}, 0});
    }
    in.outputs.push_back(outputs_->device(static_cast<size_t>(number) % output_count));
    in.tick.t = static_cast<float>(number) / 25;
    in.tick.n = static_cast<float>(number);
    in.tick.seed = static_cast<uint32_t>(number);
    in.progress.assign(1, static_cast<float>(number) / static_cast<float>(count));
    in.number = number;
    return in;
}

Cost WeftSide::batch(int count) {
    const CostMeter meter;
    cl::Event last;
    for (int n = 0; n < count; ++n)
        last = runner_->run(inputs(n, count));
    last.wait();
    return meter.spent() / count;
}

std::vector<uint8_t> WeftSide::picture(int number, int count) {
    cl::Event painted = runner_->run(inputs(number, count));
    const size_t slot = static_cast<size_t>(number) % output_count;
    outputs_->fetch(slot, painted).wait();
    const colour::PictureFormat& format = scene_.outputs.front().format;
    std::vector<uint8_t> out;
    for (int p = 0; p < format.pixels.plane_count; ++p) {
        const auto i = static_cast<size_t>(p);
        for (int y = 0; y < format.pixels.plane_lines(p, format.height); ++y) {
            const uint8_t* const line = outputs_->host(slot).data[i] + y * outputs_->host(slot).pitch[i];
            out.insert(out.end(), line, line + format.pixels.plane_line_bytes(p, format.width));
        }
    }
    return out;
}

double WeftSide::bytes() const {
    double sum = 0;
    for (const graph::Pass& pass : plan().passes)
        sum += pass.bytes_read + pass.bytes_written;
    return sum;
}

CopySide::CopySide(Bench& bench, double bytes)
    : bench_(bench), bytes_each_(std::max<size_t>(static_cast<size_t>(bytes / 2), 1)) {
    for (int n = 0; n < loop_length; ++n)
        from_.emplace_back(bench.device.context(), CL_MEM_READ_WRITE, bytes_each_);
    for (size_t n = 0; n < output_count; ++n)
        to_.emplace_back(bench.device.context(), CL_MEM_READ_WRITE, bytes_each_);
    // Memory that nobody has written costs page faults, or all of it is the same page.
    for (const auto& list : {from_, to_})
        for (const cl::Buffer& buffer : list)
            bench.device.compute().enqueueFillBuffer(buffer, uint8_t{1}, 0, bytes_each_);
    bench.device.compute().finish();
}

Cost CopySide::batch(int count) {
    const CostMeter meter;
    for (int n = 0; n < count; ++n)
        bench_.device.compute().enqueueCopyBuffer(from_[static_cast<size_t>(n) % from_.size()],
                                                  to_[static_cast<size_t>(n) % to_.size()], 0, 0,
                                                  bytes_each_);
    bench_.device.compute().finish();
    return meter.spent() / count;
}

} // namespace weft::bench
