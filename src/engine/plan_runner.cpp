#include "engine/plan_runner.hpp"

#include <algorithm>
#include <cstring>
#include <map>

#include "base/error.hpp"
#include "gpu/output.hpp"
#include "gpu/upload.hpp"

namespace weft::engine {
namespace {

// Argument numbers of one StreamPlane or OutputPlane: buffer, offset and pitch follow each other.
struct PlaneArgument {
    unsigned first = 0;
    int picture = 0, plane = 0;
    graph::FramePath frame = {}; // of a stream
};

struct TickArgument {
    unsigned number = 0;
    int transition = -1;
};

struct FieldsArgument {
    unsigned number = 0;
    int stream = 0;
    graph::FramePath frame = {};
};

struct LiveArgument {
    unsigned number = 0;
    int live = 0;
};

void set_plane(cl::Kernel& kernel, unsigned first, const gpu::PictureRef& picture, int plane) {
    const gpu::PlaneRef& ref = picture.planes.at(static_cast<size_t>(plane));
    kernel.setArg(first, ref.buffer);
    kernel.setArg(first + 1, ref.offset);
    kernel.setArg(first + 2, ref.pitch);
}

// What a path leads to; nullptr: the picture that is due.
const History::Frame* frame_at(const TickInputs& inputs, size_t stream, const graph::FramePath& path) {
    if (path.empty() || stream >= inputs.history.size()) return nullptr;
    const History& history = inputs.history[stream];
    int at = 0;
    for (const int step : path)
        at = std::clamp(at + step, -static_cast<int>(history.before.size()),
                        static_cast<int>(history.behind.size()));
    if (at == 0) return nullptr;
    return at < 0 ? &history.before[static_cast<size_t>(-at - 1)]
                  : &history.behind[static_cast<size_t>(at - 1)];
}

const gpu::PictureRef& picture_of(const TickInputs& inputs, const PlaneArgument& plane) {
    const auto stream = static_cast<size_t>(plane.picture);
    const History::Frame* const frame = frame_at(inputs, stream, plane.frame);
    return frame != nullptr ? frame->picture : inputs.streams.at(stream);
}

int fields_of(const TickInputs& inputs, const FieldsArgument& argument) {
    const auto stream = static_cast<size_t>(argument.stream);
    if (const History::Frame* const frame = frame_at(inputs, stream, argument.frame)) return frame->fields;
    return stream < inputs.history.size() ? inputs.history[stream].fields : graph::FieldsOf::whole;
}

std::vector<gpu::SourceRange> ranges_of(const graph::Plan& plan, size_t pass) {
    std::vector<gpu::SourceRange> ranges;
    if (pass < plan.sources.size())
        for (const graph::SourceLines& lines : plan.sources[pass])
            ranges.push_back({lines.first_line, lines.line_count, lines.file, lines.file_line});
    return ranges;
}

[[noreturn]] void fail(const cl::Error& error, const std::string& what) {
    throw Error(ErrorKind::device, what + ": " + error.what() + ": " + gpu::cl_error_name(error.err()));
}

} // namespace

struct PlanRunner::Launch {
    cl::Kernel kernel;
    cl::NDRange global, local;
    std::vector<PlaneArgument> streams, outputs;
    std::vector<TickArgument> ticks;
    std::vector<FieldsArgument> fields;
    std::vector<LiveArgument> live;
    std::vector<int> first_reads; // streams that no pass before has read
};

PlanRunner::PlanRunner(gpu::Device& device, gpu::Programs& programs, graph::Plan plan, Trace* trace)
    : device_(device), plan_(std::move(plan)), trace_(trace) {
    place_buffers();
    build(programs);
}

PlanRunner::~PlanRunner() = default;

void PlanRunner::place_buffers() {
    std::map<int, size_t> slot_bytes;
    for (const graph::PlanBuffer& buffer : plan_.buffers)
        if (buffer.slot >= 0) slot_bytes[buffer.slot] = std::max(slot_bytes[buffer.slot], buffer.bytes);
    std::map<int, cl::Buffer> slots;
    try {
        for (const graph::PlanBuffer& buffer : plan_.buffers) {
            const size_t bytes =
                std::max<size_t>(buffer.slot >= 0 ? slot_bytes[buffer.slot] : buffer.bytes, 1);
            cl::Buffer memory;
            if (buffer.slot >= 0) memory = slots[buffer.slot];
            if (memory() == nullptr) {
                memory = cl::Buffer(device_.context(), CL_MEM_READ_WRITE, bytes);
                bytes_ += bytes;
                if (buffer.slot >= 0) slots[buffer.slot] = memory;
            }
            if (!buffer.initial.empty()) {
                WEFT_CHECK(buffer.initial.size() <= bytes);
                device_.compute().enqueueWriteBuffer(memory, CL_TRUE, 0, buffer.initial.size(),
                                                     buffer.initial.data());
            }
            buffers_.push_back(memory);
        }
    } catch (const cl::Error& error) {
        throw Error(ErrorKind::resource, "memory for the plan's buffers (" +
                                             std::to_string(plan_.device_bytes) +
                                             " bytes in all): " + gpu::cl_error_name(error.err()));
    }
}

namespace {

// The wanted group, or the part of it that a device has registers for: that depends on the kernel.
size_t group_for(const cl::Kernel& kernel, const cl::Device& device, size_t wanted) {
    const auto most = kernel.getWorkGroupInfo<CL_KERNEL_WORK_GROUP_SIZE>(device);
    while (wanted > most && wanted % 2 == 0)
        wanted /= 2;
    return wanted;
}

} // namespace

void PlanRunner::build(gpu::Programs& programs) {
    std::vector<int> seen;
    for (size_t i = 0; i < plan_.passes.size(); ++i) {
        const graph::Pass& pass = plan_.passes[i];
        auto launch = std::make_unique<Launch>();
        const cl::Program program =
            programs.build(pass.text, "pass '" + pass.title + "'", ranges_of(plan_, i));
        try {
            launch->kernel = cl::Kernel(program, pass.kernel.c_str());
            unsigned argument = 0;
            for (const graph::Arg& arg : pass.args)
                set_constant(*launch, argument, arg);
            launch->local =
                cl::NDRange(group_for(launch->kernel, device_.handle(), pass.local[0]), pass.local[1]);
        } catch (const cl::Error& error) {
            fail(error, "arguments of pass '" + pass.title + "'");
        }
        launch->global = cl::NDRange(pass.global[0], pass.global[1]);
        for (const PlaneArgument& plane : launch->streams) {
            if (std::find(seen.begin(), seen.end(), plane.picture) != seen.end()) continue;
            seen.push_back(plane.picture);
            launch->first_reads.push_back(plane.picture);
        }
        launches_.push_back(std::move(launch));
    }
}

void PlanRunner::set_constant(Launch& launch, unsigned& argument, const graph::Arg& arg) {
    if (const auto* stream = std::get_if<graph::StreamPlane>(&arg)) {
        launch.streams.push_back({argument, stream->stream, stream->plane, stream->frame});
        argument += 3;
    } else if (const auto* output = std::get_if<graph::OutputPlane>(&arg)) {
        launch.outputs.push_back({argument, output->output, output->plane});
        argument += 3;
    } else if (const auto* buffer = std::get_if<graph::BufferArg>(&arg)) {
        launch.kernel.setArg(argument++, buffers_.at(static_cast<size_t>(buffer->buffer)));
    } else if (const auto* bytes = std::get_if<graph::BytesArg>(&arg)) {
        WEFT_CHECK(!bytes->bytes.empty());
        if (bytes->live >= 0) launch.live.push_back({argument, bytes->live});
        launch.kernel.setArg(argument++, bytes->bytes.size(), bytes->bytes.data());
    } else if (const auto* tick = std::get_if<graph::TickArg>(&arg)) {
        launch.ticks.push_back({argument++, tick->transition});
    } else if (const auto* fields = std::get_if<graph::FieldsArg>(&arg)) {
        launch.fields.push_back({argument++, fields->stream, fields->frame});
    }
}

void PlanRunner::warm(const std::vector<colour::PictureFormat>& streams) {
    try {
        TickInputs inputs;
        for (const colour::PictureFormat& format : streams) {
            const gpu::Layout layout = gpu::layout_of(format);
            const cl::Buffer buffer(device_.context(), CL_MEM_READ_WRITE, layout.bytes);
            device_.compute().enqueueFillBuffer(buffer, uint8_t{0}, 0, layout.bytes);
            gpu::PictureRef picture;
            picture.plane_count = format.pixels.plane_count;
            for (size_t p = 0; p < static_cast<size_t>(picture.plane_count); ++p)
                picture.planes[p] = {buffer, layout.offset[p], layout.pitch[p]};
            inputs.streams.push_back(picture);
            inputs.uploads.emplace_back();
        }
        std::vector<std::unique_ptr<gpu::OutputPictures>> outputs;
        for (const graph::PlanOutput& output : plan_.outputs) {
            outputs.push_back(std::make_unique<gpu::OutputPictures>(device_, output.format, 1));
            inputs.outputs.push_back(outputs.back()->device(0));
        }
        int transitions = 0;
        for (const auto& launch : launches_)
            for (const TickArgument& tick : launch->ticks)
                transitions = std::max(transitions, tick.transition + 1);
        inputs.progress.assign(static_cast<size_t>(transitions), 0.0f);
        Trace* const trace = std::exchange(trace_, nullptr);
        run(inputs);
        trace_ = trace;
        device_.compute().finish(); // the only place that may: nothing runs yet
    } catch (const cl::Error& error) {
        fail(error, "first run of a plan");
    }
}

cl::Event PlanRunner::run(const TickInputs& inputs) {
    WEFT_CHECK(inputs.uploads.size() == inputs.streams.size());
    WEFT_CHECK(inputs.outputs.size() == plan_.outputs.size());
    cl::Event done;
    std::vector<cl::Event> after;
    for (size_t i = 0; i < launches_.size(); ++i) {
        Launch& launch = *launches_[i];
        try {
            for (const PlaneArgument& plane : launch.streams)
                set_plane(launch.kernel, plane.first, picture_of(inputs, plane), plane.plane);
            for (const FieldsArgument& argument : launch.fields)
                launch.kernel.setArg(argument.number, fields_of(inputs, argument));
            for (const PlaneArgument& plane : launch.outputs)
                set_plane(launch.kernel, plane.first, inputs.outputs.at(static_cast<size_t>(plane.picture)),
                          plane.plane);
            for (const TickArgument& tick : launch.ticks) {
                graph::TickValues values = inputs.tick;
                values.progress =
                    tick.transition < 0 ? 0.0f : inputs.progress.at(static_cast<size_t>(tick.transition));
                launch.kernel.setArg(tick.number, sizeof values, &values);
            }
            after.clear();
            const auto wait_for = [&](const cl::Event& event) {
                if (event() != nullptr) after.push_back(event);
            };
            for (const int stream : launch.first_reads) {
                const auto index = static_cast<size_t>(stream);
                wait_for(inputs.uploads[index]);
                if (index >= inputs.history.size()) continue;
                for (const auto* side : {&inputs.history[index].before, &inputs.history[index].behind})
                    for (const History::Frame& frame : *side)
                        wait_for(frame.ready);
            }
            if (device_.order() == gpu::QueueOrder::out_of_order && last_() != nullptr)
                after.push_back(last_);
            device_.compute().enqueueNDRangeKernel(launch.kernel, cl::NullRange, launch.global, launch.local,
                                                   after.empty() ? nullptr : &after, &done);
        } catch (const cl::Error& error) {
            fail(error, "pass '" + plan_.passes[i].title + "'");
        }
        last_ = done;
        if (trace_ != nullptr) {
            const graph::Pass& pass = plan_.passes[i];
            trace_->device(Stage::kernel, pass.title, inputs.number,
                           {pass.bytes_read + pass.bytes_written, pass.operations}, done);
        }
    }
    device_.compute().flush();
    return done;
}

void PlanRunner::set_live(int index, std::span<const uint8_t> bytes) {
    try {
        for (const auto& launch : launches_)
            for (const LiveArgument& argument : launch->live)
                if (argument.live == index)
                    launch->kernel.setArg(argument.number, bytes.size(), bytes.data());
    } catch (const cl::Error& error) {
        fail(error, "live parameters of '" + plan_.live.at(static_cast<size_t>(index)).path + "'");
    }
}

} // namespace weft::engine
