// Weights of one axis of a scale: which source samples make up each output sample.
#pragma once

#include <vector>

#include "graph/scene.hpp"

namespace weft::graph {

// Where output sample k lies in the source, in samples of the source's component: position(k) = origin + k *
// step. Both count sample centres: 0 is the centre of sample 0.
struct AxisMap {
    int in = 0;  // samples of the source's line or column that may be read
    int out = 0; // samples to make
    double origin = 0;
    double step = 1;
};

// Map of an axis with chroma siting.
//   in_luma, out_luma : size of the axis in luma samples
//   start, length     : the part of the source that fills the output, luma samples, edges (0 = left edge of
//   sample 0) in_sub, out_sub   : subsampling factor of the component in source and output (1, 2, 4) in_site,
//   out_site : position of component sample 0 in luma sample centres (left: 0, centred: 0.5)
AxisMap axis_map(int in, int out, double start, double length, int out_luma, int in_sub, double in_site,
                 int out_sub, double out_site);

// Output sample k = sum over j < taps of weight[k * taps + j] * source[first[k] + j]; every index is inside
// the source: weights of samples beyond an edge are added to the edge's (replication). Weights of one k sum
// to 1.
struct AxisTaps {
    int in = 0, out = 0;
    int taps = 1;
    std::vector<int> first;
    std::vector<double> weight;
    // The same unclamped and periodic: output q * i + f reads from p * i + phase_first[f]. q == 0: not
    // periodic.
    int q = 0, p = 0;
    int phase_taps = 0; // common to all phases, zero weights trimmed
    std::vector<int> phase_first;
    std::vector<double> phase_weight; // q * phase_taps
    int reach_low = 0; // samples that the periodic form reads before the first one, and after the last one
    int reach_high = 0;

    int periodic_reads() const { return q > 0 ? phase_taps : taps; }      // taps a sample takes
    bool identity() const { return q == 1 && p == 1 && phase_taps == 1; } // a shift by phase_first[0] only
};

// `automatic` is area when shrinking and bicubic when enlarging. Kernels of bilinear, bicubic and lanczos are
// widened by the ratio when shrinking. bicubic: B = 0, C = 0.6 as swscale; lanczos: 3 lobes. max_period :
// largest q that is still written out as literals.
AxisTaps make_axis(const AxisMap& map, ScaleMethod method, int max_period = 8);

// The kernel of a Gaussian of this sigma (in source samples), sampled at the output positions: for blurs that
// run at a lower resolution.
AxisTaps make_gaussian_axis(const AxisMap& map, double sigma, int max_period = 8);

} // namespace weft::graph
