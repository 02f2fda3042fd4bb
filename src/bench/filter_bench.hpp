// Measures filter cases: weft's plan, a device copy of the same bytes, and FFmpeg's filter, turn about.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bench/filter_cases.hpp"
#include "bench/plan_side.hpp"

namespace weft::bench {

struct FilterOptions {
    int rounds = 5;  // batches of each, turn about; the median counts
    double ms = 100; // about how long a batch lasts
    bool check = false;
    bool ffmpeg = false;
};

// How far the picture is from that of another way to compute it. Codes of the output's depth.
struct Agreement {
    double worst = 0;
    double beyond_one = 0; // share of the samples that differ by more than one code
    bool good = false;     // at most 0.01 % of them do: a threshold's luck
};

struct FfmpegSide {
    CostSpread cost;
    double psnr_db = 0; // weft's first component to FFmpeg's; 100 where they are equal
};

struct FilterRow {
    std::string title, chain;
    CostSpread weft, copy; // of a picture; `copy`: of a device copy of `bytes`
    double bytes = 0;      // that the plan moves, read and written
    size_t passes = 0;
    std::optional<Agreement> check;
    std::optional<FfmpegSide> ffmpeg;
    std::string ffmpeg_chain;   // what FFmpeg ran, or would have
    std::string ffmpeg_refusal; // why it did not
    std::string error;          // the case could not be measured; the rest is empty then

    double gb_per_s() const { return weft.wall.median > 0 ? bytes / weft.wall.median / 1e6 : 0; }
    double copy_gb_per_s() const { return copy.wall.median > 0 ? bytes / copy.wall.median / 1e6 : 0; }
    double of_copy() const { return weft.wall.median > 0 ? copy.wall.median / weft.wall.median : 0; }
};

// One case. What goes wrong in it is told in the row.
//   options.check : paints one picture with the plan as it is measured, and one with every stage in a pass of
//                   its own and in the shape for the other kind of device (a work-item a row for GPUs, blocks
//                   of pixels for CPUs), on the same device
FilterRow measure_filter(Rig& rig, const FilterCase& filter, const FilterOptions& options);

} // namespace weft::bench
