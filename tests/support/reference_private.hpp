// The references that need more than a line each.
#pragma once

#include "support/reference_filters.hpp"

namespace weft::test {

Picture reference_convolution(const graph::FilterUse& use, const Picture& in);
Picture reference_gblur(const graph::FilterUse& use, const Picture& in);
Picture reference_unsharp(const graph::FilterUse& use, const Picture& in);
Picture reference_curves(const graph::FilterUse& use, const Picture& in);
Picture reference_lut3d(const graph::FilterUse& use, const Picture& in);
Picture reference_geometry(const graph::FilterUse& use, const Picture& in);

} // namespace weft::test
