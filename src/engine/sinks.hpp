// The sinks that need no window.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "engine/sink.hpp"
#include "graph/pipeline_spec.hpp"

namespace weft::engine {

// Takes every picture and throws it away: for measuring.
std::unique_ptr<FrameSink> make_null_sink(const std::string& pixel_format = "yuv420p");

// One line "index hash" per picture and a last one "total hash", each handed to `line` without its newline,
// on the sink's thread. The hash depends on the visible samples alone: not on pitch, memory, path or device.
std::unique_ptr<FrameSink> make_hash_sink(std::function<void(const std::string&)> line,
                                          const std::string& pixel_format = "yuv420p");

struct EncodeOptions {
    bool reproducible = false; // bit-exact muxing, fixed encoder threads
};
// Encodes into a file, pipe or network address.
// Errors : usage or unsupported naming codec, container or pixel format; before anything is written.
std::unique_ptr<FrameSink> make_encode_sink(const graph::OutputSpec& output, const EncodeOptions& options);

} // namespace weft::engine
