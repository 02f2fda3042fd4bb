// The convolution of the ladder on the host: what its results are held against, and what its times stand
// beside.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace weft::bench {

// A filter and a source with the border that it needs: result (x, y) is the sum of weights[j * width + i] *
// samples[(y + j) * pitch + x + i].
struct FilterJob {
    int out_width = 0, out_height = 0;
    int filter_width = 0, filter_height = 0;
    int pitch = 0; // samples from line to line
    std::vector<float> weights;
    std::vector<float> samples;
};

// Sums in double, line by line without gaps.
std::vector<double> exact_filter(const FilterJob& job);

// The same in float as plain C++ for the compiler to vectorise, on all cores where the compiler knows OpenMP.
// It is compiled for several generations of processors and the best one runs.
//   out : out_width * out_height
void plain_filter(const FilterJob& job, float* out);
// How plain_filter() runs: "OpenMP, 2 threads".
std::string plain_filter_about();

// OpenCV's filter2D. False where weft was built without OpenCV.
bool opencv_filter(const FilterJob& job, float* out);

// The factors of a filter of rank one: weights[j * width + i] = column[j] * row[i] within float's rounding;
// nullopt for others.
struct Factors {
    std::vector<float> row, column;
};
std::optional<Factors> factors_of(const std::vector<float>& weights, int width, int height);

} // namespace weft::bench
