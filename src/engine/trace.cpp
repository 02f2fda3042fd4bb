#include "engine/trace.hpp"

#include "base/clock.hpp"

namespace weft::engine {

std::string name(Stage stage) {
    switch (stage) {
    case Stage::read:
        return "read";
    case Stage::await:
        return "await";
    case Stage::decode:
        return "decode";
    case Stage::wait:
        return "wait";
    case Stage::enqueue:
        return "enqueue";
    case Stage::deliver:
        return "deliver";
    case Stage::upload:
        return "upload";
    case Stage::kernel:
        return "kernel";
    case Stage::download:
        return "download";
    }
    return {};
}

Stretch::Stretch(Trace* trace, Stage stage, const std::string& what, int64_t frame)
    : trace_(trace), stage_(stage), what_(what), frame_(frame) {
    if (trace_ != nullptr) begin_ = SteadyClock().now();
}

Stretch::~Stretch() {
    if (trace_ != nullptr) trace_->host(stage_, what_, frame_, begin_, SteadyClock().now());
}

} // namespace weft::engine
