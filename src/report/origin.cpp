#include <algorithm>

#include "report/origin_private.hpp"

namespace weft::report {

Nanoseconds origin(const engine::Recording& recording) {
    Nanoseconds first = Nanoseconds::max();
    for (const auto* records : {&recording.host, &recording.device})
        for (const engine::Record& record : *records) {
            first = std::min(first, record.begin);
            if (engine::on_device(record.stage)) first = std::min(first, record.queued);
        }
    return first == Nanoseconds::max() ? Nanoseconds(0) : first;
}

std::string lane_of(const engine::Record& record) {
    switch (record.stage) {
    case engine::Stage::upload:
        return "copy up";
    case engine::Stage::kernel:
        return "compute";
    case engine::Stage::download:
        return "copy down";
    case engine::Stage::read:
        return "read " + record.what;
    default:
        return record.what.empty() ? "conductor" : record.what;
    }
}

} // namespace weft::report
