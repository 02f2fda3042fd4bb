#include "bench/plan_side.hpp"

#include <algorithm>
#include <cstring>

#include "bench/content.hpp"
#include "gpu/upload.hpp"

namespace weft::bench {
namespace {

constexpr size_t output_count = 3; // as many as a sink's ring

} // namespace

Loop::Loop(gpu::Device& device, const colour::PictureFormat& format, int number) {
    const gpu::Layout layout = gpu::layout_of(format);
    const bool shared = device.traits().shares_host_memory;
    for (int n = 0; n < loop_length; ++n) {
        auto& memory = memory_.emplace_back(std::make_unique<gpu::HostMemory>(layout.bytes));
        const std::vector<uint8_t> bytes = content(format, n, number);
        const uint8_t* from = bytes.data();
        colour::HostPlanes& planes = host_.emplace_back();
        for (int p = 0; p < format.pixels.plane_count; ++p) {
            const auto i = static_cast<size_t>(p);
            const int line = format.pixels.plane_line_bytes(p, format.width);
            planes.data[i] = memory->data() + layout.offset[i];
            planes.pitch[i] = layout.pitch[i];
            for (int y = 0; y < format.pixels.plane_lines(p, format.height); ++y, from += line)
                std::memcpy(memory->data() + layout.offset[i] + y * layout.pitch[i], from,
                            static_cast<size_t>(line));
        }
        const auto flags = static_cast<cl_mem_flags>(CL_MEM_READ_ONLY |
                                                     (shared ? CL_MEM_USE_HOST_PTR : CL_MEM_COPY_HOST_PTR));
        const cl::Buffer buffer(device.context(), flags, memory->bytes(), memory->data());
        gpu::PictureRef& picture = device_.emplace_back();
        picture.plane_count = format.pixels.plane_count;
        for (size_t i = 0; i < static_cast<size_t>(picture.plane_count); ++i)
            picture.planes[i] = {buffer, layout.offset[i], layout.pitch[i]};
    }
}

const colour::HostPlanes& Loop::host(int picture) const {
    return host_[static_cast<size_t>(picture % loop_length)];
}

const gpu::PictureRef& Loop::device(int picture) const {
    return device_[static_cast<size_t>(picture % loop_length)];
}

Rig::Rig(gpu::Device& on, gpu::Programs& built, graph::PlannerOptions options)
    : device(on), programs(built), planner(std::move(options)) {}

const Loop& Rig::loop(const colour::PictureFormat& format, int number) {
    auto& made = loops_[{format.pixels.name, format.width, format.height, number}];
    if (!made) made = std::make_unique<Loop>(device, format, number);
    return *made;
}

std::vector<const Loop*> loops_of(Rig& rig, const graph::Scene& scene) {
    std::vector<const Loop*> loops;
    for (size_t i = 0; i < scene.streams.size(); ++i)
        loops.push_back(&rig.loop(scene.streams[i], static_cast<int>(i % 2)));
    return loops;
}

PlanSide::PlanSide(Rig& rig, const graph::Scene& scene, graph::Plan plan)
    : rig_(rig), output_(scene.outputs.front().format), loops_(loops_of(rig, scene)),
      outputs_(std::make_unique<gpu::OutputPictures>(rig.device, output_, static_cast<int>(output_count))),
      runner_(std::make_unique<engine::PlanRunner>(rig.device, rig.programs, std::move(plan))) {
    for (size_t i = 0; i < loops_.size(); ++i)
        neighbours_.push_back(1 + graph::neighbours_read(scene, static_cast<int>(i)));
    for (const graph::SceneLayer& layer : scene.layers)
        transitions_ = std::max(transitions_, static_cast<size_t>(layer.picture.transition_index + 1));
    runner_->warm(scene.streams);
}

PlanSide::~PlanSide() {
    try {
        rig_.device.compute().finish();
    } catch (const cl::Error&) {
        // Whoever measured has heard of it.
    }
}

engine::TickInputs PlanSide::inputs(int number, int count) const {
    engine::TickInputs in;
    for (size_t i = 0; i < loops_.size(); ++i) {
        const Loop& loop = *loops_[i];
        in.streams.push_back(loop.device(number));
        in.uploads.emplace_back();
        // Around it those of the loop; fields, for plans that read them, with the top one first.
        engine::History& history = in.history.emplace_back();
        for (int k = 1; k <= neighbours_[i]; ++k) {
            history.before.push_back({loop.device(number + k * (loop_length - 1)), {}});
            history.behind.push_back({loop.device(number + k), {}});
        }
        history.fields = 0;
    }
    in.outputs.push_back(outputs_->device(static_cast<size_t>(number) % output_count));
    in.tick.t = static_cast<float>(number) / 25;
    in.tick.n = static_cast<float>(number);
    in.tick.seed = static_cast<uint32_t>(number);
    in.progress.assign(transitions_, static_cast<float>(number) / static_cast<float>(count));
    in.number = number;
    return in;
}

Cost PlanSide::batch(int count) {
    const CostMeter meter;
    cl::Event last;
    for (int n = 0; n < count; ++n)
        last = runner_->run(inputs(n, count));
    last.wait();
    return meter.spent() / count;
}

std::vector<uint8_t> PlanSide::picture(int number, int count) {
    const cl::Event painted = runner_->run(inputs(number, count));
    const size_t slot = static_cast<size_t>(number) % output_count;
    outputs_->fetch(slot, painted).wait();
    const colour::HostPlanes& planes = outputs_->host(slot);
    std::vector<uint8_t> out;
    for (int p = 0; p < output_.pixels.plane_count; ++p) {
        const auto i = static_cast<size_t>(p);
        for (int y = 0; y < output_.pixels.plane_lines(p, output_.height); ++y) {
            const uint8_t* const line = planes.data[i] + y * planes.pitch[i];
            out.insert(out.end(), line, line + output_.pixels.plane_line_bytes(p, output_.width));
        }
    }
    return out;
}

double PlanSide::bytes() const {
    double sum = 0;
    for (const graph::Pass& pass : plan().passes)
        sum += pass.bytes_read + pass.bytes_written;
    return sum;
}

CopySide::CopySide(gpu::Device& device, double bytes)
    : device_(device), bytes_each_(std::max<size_t>(static_cast<size_t>(bytes / 2), 1)) {
    for (int n = 0; n < loop_length; ++n)
        from_.emplace_back(device.context(), CL_MEM_READ_WRITE, bytes_each_);
    for (size_t n = 0; n < output_count; ++n)
        to_.emplace_back(device.context(), CL_MEM_READ_WRITE, bytes_each_);
    // Memory that nobody has written costs page faults, or all of it is the same page.
    for (const auto& list : {from_, to_})
        for (const cl::Buffer& buffer : list)
            device.compute().enqueueFillBuffer(buffer, uint8_t{1}, 0, bytes_each_);
    device.compute().finish();
}

Cost CopySide::batch(int count) {
    const CostMeter meter;
    for (int n = 0; n < count; ++n)
        device_.compute().enqueueCopyBuffer(from_[static_cast<size_t>(n) % from_.size()],
                                            to_[static_cast<size_t>(n) % to_.size()], 0, 0, bytes_each_);
    device_.compute().finish();
    return meter.spent() / count;
}

} // namespace weft::bench
