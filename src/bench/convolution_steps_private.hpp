// The rungs of the convolution's ladder as a table: which text, in which shape.
#pragma once

#include <string>
#include <vector>

#include "base/device_traits.hpp"
#include "bench/host_filter.hpp"

namespace weft::bench {

// No launch reaches further behind the last column or row of the result than this.
constexpr int reach_across = 256, reach_down = 256;

// One launch of a text of kernels/bench/convolution.
struct StepLaunch {
    enum class Source { buffer, image, between }; // `between`: what the launch before it has written
    enum class Weights { buffer, in_text };
    std::string file;
    std::vector<std::string> defines;
    int across = 1, down = 1; // results of a work-item
    int gx = 1, gy = 1;       // the group
    Source source = Source::buffer;
    Weights weights = Weights::in_text;
    int rows_more = 0; // rows of results beyond the picture's that the next launch reads
};

struct Step {
    std::string name, about;
    std::vector<StepLaunch> launches;
    bool separable = false;
};

// factors : of a filter of rank one, else nullptr
std::vector<Step> convolution_steps(DeviceKind device, const FilterJob& job, const Factors* factors);

// Weights as C floats, separated by commas.
std::string literals(const std::vector<float>& values);

} // namespace weft::bench
