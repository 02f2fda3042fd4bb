// What weft bench measures of filters: one scene for each row of its table.
#pragma once

#include <string>
#include <vector>

#include "graph/filter_library.hpp"
#include "graph/scene.hpp"

namespace weft::bench {

struct Size {
    int width = 1920, height = 1080;
};

struct FilterCase {
    std::string title;  // for a table: "eq=contrast=1.2", "scale 1080 -> 540 area"
    std::string chain;  // the filters in full, as --filter and --transition take them; "" without any
    graph::Scene scene; // one output; its streams show loops of pictures
    std::string ffmpeg; // what FFmpeg does the same with, see media::PictureFilters; "": nothing
    bool transition = false;
};

struct CaseOptions {
    Size size;
    std::string pixels = "yuv420p";
    std::string cube; // a .cube file, for filters that need a file
};

// Every filter and transition of the library with its examples, then scalers, compositor, deinterlacer and
// tone mapping. Errors : Errors of examples that do not fit their manifest; unsupported for the pixel format.
std::vector<FilterCase> filter_cases(const graph::FilterLibrary& library, const CaseOptions& options);

// A case for each kind of work that weft tune looks at: points, windows of 3x3 and 7x7, a blur, scales, a
// grid of four, a transition, a layer over another. Errors : as filter_cases().
std::vector<FilterCase> tune_cases(const graph::FilterLibrary& library, const CaseOptions& options);

// One chain, as after --filter. Errors : Errors.
FilterCase chain_case(const graph::FilterLibrary& library, const std::string& chain,
                      const CaseOptions& options);

} // namespace weft::bench
