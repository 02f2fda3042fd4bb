// What the host computes for filters that name a maker: window taps, tables.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "colour/tone.hpp"
#include "graph/filter_manifest.hpp"

namespace weft::graph {

// Fixed weights of a window filter for one component. out = keep * centre + gain * sum(weights * samples) +
// bias. separable: weights = column[j] * row[i]; otherwise matrix, row by row, (2 * radius_y + 1) x (2 *
// radius_x + 1).
struct WindowTaps {
    int radius_x = 0, radius_y = 0;
    bool separable = false;
    std::vector<double> matrix;
    std::vector<double> row, column;
    double keep = 0, gain = 1;
    double bias = 0; // in stored values
    bool identity() const;
    double sum() const; // what a picture of ones becomes, bias left out
};

// Taps of a use of the makers `convolution`, `gaussian` and `unsharp` for one component.
//   component : 0 luma, red or the only one; 1 Cb or green; 2 Cr or blue; 3 alpha
// Rows and columns of separable taps are scaled by powers of two so that their magnitudes add up to at most
// 1; `gain` makes up for it. Errors : bad_input naming the filter, the count and what is allowed.
WindowTaps window_taps(const FilterUse& use, int component);

// Gaussian weights of this sigma, radius ceil(4 sigma), normalised to 1. sigma 0: the single weight 1.
std::vector<double> gaussian_row(double sigma);

// Sigma (x, y) of a use of the maker `gaussian`.
std::pair<double, double> gaussian_sigmas(const FilterUse& use);

// A matrix, row by row, as column[j] * row[i], exact to 1e-6 of its largest weight: (column, row). Both are
// whole numbers where the matrix is. nullopt: not separable.
std::optional<std::pair<std::vector<double>, std::vector<double>>>
split_separable(const std::vector<double>& matrix, int width, int height);

// A table that a filter's text looks up.
struct LookupTable {
    std::vector<float> values;
    int size = 0; // samples along one axis
    int dimensions =
        1; // 1: curves of `size` one after another, most often r, g and b; 3: size^3 x rgb, red fastest
    double domain_min[3] = {0, 0, 0}, domain_max[3] = {1, 1, 1};
    // What the device reads, one word where it would read several: gathers are what a table costs on a CPU.
    // dimensions 1: bits of two floats a sample, the value in the low half and the step to the next in the
    // high one. dimensions 3: 21 bits a component, red lowest; value = packed_low + bits * packed_step.
    std::vector<uint64_t> packed;
    double packed_low[3] = {0, 0, 0}, packed_step[3] = {0, 0, 0};
};
// Fills `packed` from `values`; curves_table and read_cube have done so.
void pack(LookupTable& table);
LookupTable curves_table(const FilterUse& use);
// One curve: the gains of a tone curve as the kernels' px_tone reads them.
LookupTable tone_table(const colour::ToneCurve& curve);
// Reads a .cube file, 1D or 3D. Errors : bad_input with file and line.
LookupTable read_cube(const std::string& file);

// Crop and turns of the geometry filters.
struct Geometry {
    bool swap = false, flip_x = false, flip_y = false; // after the crop: transpose first, then flips
    double x = 0, y = 0, w = 0, h = 0;                 // part of the input that is kept
};
// Of a use of `crop`, `hflip`, `vflip` or `transpose` on a picture of this size. Errors : bad_input when the
// crop is not inside the picture or an expression cannot be read.
Geometry geometry_of(const FilterUse& use, int width, int height);

// Values of a use by the parameter's name. Errors : internal when there is none of this type.
double number(const FilterUse& use, const std::string& name);
const std::vector<double>& number_list(const FilterUse& use, const std::string& name);
const std::string& text_value(const FilterUse& use, const std::string& name);

// bad_input at the place of the use: "filter 'crop': ...".
Error maker_error(const FilterUse& use, const std::string& problem);

} // namespace weft::graph
