// The rows of the table of kernels: what weft runs and what FFmpeg runs beside it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "graph/filter_library.hpp"
#include "graph/scene.hpp"

namespace weft::bench {

struct Size {
    int width = 1920, height = 1080;
};

struct KernelCase {
    std::string title;
    graph::Scene scene; // every stream is of the size `in`
    Size in;
    // What ffmpeg is told of its pictures. Untagged ones would be converted by BT.601, and chroma be taken
    // for centred.
    std::string tags = "colorspace=bt709:range=tv";
    std::string ffmpeg;         // filter chain that does the same to yuv420p; "": nothing to compare with
    bool transition = false;    // `ffmpeg` is then an xfade
    std::optional<double> goal; // at least so many times FFmpeg's CPU time
    std::string beside;         // or at most `at_most` times the cost of the row of this title
    double at_most = 0;
};

// Every row on pictures of the size `full`; `cube` and `mask` name files for the filters that read one.
std::vector<KernelCase> kernel_cases(const graph::FilterLibrary& library, const std::string& cube,
                                     const std::string& mask, Size full = {});

} // namespace weft::bench
