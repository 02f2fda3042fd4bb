// The prelude and filters' texts on a device, without planner and generator: one work-item a sample, floats
// in and out.
#pragma once

#include <string>
#include <vector>

#include "support/filters.hpp"
#include "support/picture.hpp"

namespace weft::test {

// out[i] = expression of x[i] and y[i], an OpenCL C expression that may call the prelude. Also of int i.
std::vector<float> map_floats(const std::string& expression, const std::vector<float>& x,
                              const std::vector<float>& y = {});

// A point filter's text on a picture; `mask` is what at.m holds. Nothing is rounded but to float.
// Errors : internal when the filter has no text or the program does not build, with the compiler's words.
Picture run_text(const graph::FilterUse& use, const Picture& in, const Moment& moment = {});
Picture run_text(const graph::FilterUse& use, const Picture& a, const Picture& b, const Moment& moment,
                 const Plane& mask = {});

} // namespace weft::test
