// Runs a plan on a device: programs, buffers and arguments are made once, a tick only enqueues.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "engine/trace.hpp"
#include "gpu/device.hpp"
#include "gpu/picture.hpp"
#include "gpu/program.hpp"
#include "graph/plan.hpp"

namespace weft::engine {

// The pictures around the one that is due, for plans that read them (graph::FramePath).
struct History {
    struct Frame {
        gpu::PictureRef picture;
        cl::Event ready; // null: nothing to wait for
        int fields = graph::FieldsOf::whole;
    };
    std::vector<Frame> before, behind;   // the nearest first, as many as there are and are read
    int fields = graph::FieldsOf::whole; // of the picture that is due
};

// What one tick reads and paints.
struct TickInputs {
    std::vector<gpu::PictureRef> streams; // of the scene's streams, in its order
    std::vector<cl::Event> uploads;       // of each stream's picture; null: nothing to wait for
    std::vector<History> history;         // of each stream, or of none
    std::vector<gpu::PictureRef> outputs; // of Plan::outputs
    graph::TickValues tick;               // its progress is not looked at
    std::vector<float> progress;          // of each transition of the scene
    int64_t number = 0;                   // for the trace
};

// threads: one, the conductor's; a new one is made on another and handed over.
class PlanRunner {
  public:
    // Builds every program and uploads every table.
    // Errors : device, with the author's file and line where a filter's text does not compile; resource.
    PlanRunner(gpu::Device& device, gpu::Programs& programs, graph::Plan plan, Trace* trace = nullptr);
    ~PlanRunner();
    PlanRunner(const PlanRunner&) = delete;
    PlanRunner& operator=(const PlanRunner&) = delete;

    // Runs everything once on pictures of zeroes and waits: the first launch of a kernel may compile it.
    void warm(const std::vector<colour::PictureFormat>& streams);

    // Enqueues all passes on the compute queue and flushes. Passes run one after another, ticks as well. The
    // event is the last pass's. Errors : device.
    cl::Event run(const TickInputs& inputs);

    // New bytes for every argument that carries this live parameter set; from the next run() on.
    void set_live(int index, std::span<const uint8_t> bytes);

    const graph::Plan& plan() const { return plan_; }
    size_t bytes() const { return bytes_; } // of the plan's buffers on the device

  private:
    struct Launch;
    void place_buffers();
    void build(gpu::Programs& programs);
    void set_constant(Launch& launch, unsigned& argument, const graph::Arg& arg);

    gpu::Device& device_;
    graph::Plan plan_;
    Trace* trace_;
    std::vector<cl::Buffer> buffers_; // of plan_.buffers; those of one slot are the same
    std::vector<std::unique_ptr<Launch>> launches_;
    size_t bytes_ = 0;
    cl::Event last_; // of the last pass enqueued
};

} // namespace weft::engine
