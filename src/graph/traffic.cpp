#include <set>
#include <tuple>

#include "graph/planner_private.hpp"

namespace weft::graph {

void count_reads(Plan& plan, const std::vector<colour::PictureFormat>& streams) {
    std::set<int> written; // scratch buffers that an earlier pass, or this one, fills
    for (Pass& pass : plan.passes) {
        std::set<std::tuple<int, int, FramePath>> planes;
        std::set<int> buffers;
        for (const Arg& arg : pass.args) {
            if (const auto* plane = std::get_if<StreamPlane>(&arg))
                planes.insert({plane->stream, plane->plane, plane->frame});
            if (const auto* buffer = std::get_if<BufferArg>(&arg)) buffers.insert(buffer->buffer);
        }
        pass.bytes_read = 0;
        for (const auto& [stream, plane, frame] : planes) {
            const colour::PictureFormat& format = streams.at(static_cast<size_t>(stream));
            pass.bytes_read += static_cast<double>(format.pixels.plane_line_bytes(plane, format.width)) *
                               format.pixels.plane_lines(plane, format.height);
        }
        for (const int index : buffers) {
            const PlanBuffer& buffer = plan.buffers.at(static_cast<size_t>(index));
            // A pass that meets a scratch buffer first is the one that fills it.
            const bool filled = !buffer.initial.empty() || !written.insert(index).second;
            if (filled) pass.bytes_read += static_cast<double>(buffer.bytes);
        }
    }
}

} // namespace weft::graph
