#include "engine/trace.hpp"

#include "base/clock.hpp"

namespace weft::engine {

Stretch::Stretch(Trace* trace, Stage stage, const std::string& what, int64_t frame)
    : trace_(trace), stage_(stage), what_(what), frame_(frame) {
    if (trace_ != nullptr) begin_ = SteadyClock().now();
}

Stretch::~Stretch() {
    if (trace_ != nullptr) trace_->host(stage_, what_, frame_, begin_, SteadyClock().now());
}

} // namespace weft::engine
