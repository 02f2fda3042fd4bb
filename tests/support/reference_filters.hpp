// What every built-in filter and transition means, in double and from its definition: what weft's kernels are
// held against. Values are stored codes / 255 and are neither rounded nor held to a range.
#pragma once

#include "support/filters.hpp"
#include "support/picture.hpp"

namespace weft::test {

// A picture filter on a picture of the model that it works in (eq, hue: Y'CbCr; colorchannelmixer, curves,
// lut3d: RGB; others: any), straight or premultiplied as the filter wants it. Geometry filters give another
// size.
Picture reference(const graph::FilterUse& use, const Picture& in, const Moment& moment = {});

// A transition at moment.progress. `mask`: of the transition `luma`, one value 0..1 for each luma sample.
Picture reference(const graph::FilterUse& use, const Picture& a, const Picture& b, const Moment& moment,
                  const Plane& mask = {});

// Parts that tests of other modules use as well.
// The natural cubic spline through points x0 y0 x1 y1 ..., flat outside; the identity without points.
double spline(const std::vector<double>& points, double x);
// Sampled bell, radius weights to each side, sum 1.
std::vector<double> bell(double sigma, int radius);
// row[i] * column[j] weights around each sample, edges repeated.
Plane separable(const Plane& in, const std::vector<double>& row, const std::vector<double>& column);
double ease(double progress, int kind);

} // namespace weft::test
