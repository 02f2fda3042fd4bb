// Line-wise text for CPU shapes: how a row of one component is read and scaled.
#pragma once

#include "graph/codegen_private.hpp"

namespace weft::graph {

// A value as a whole number: value = text * unit + bias.
struct WholeValue {
    std::string text;
    double unit = 1, bias = 0;
    std::optional<int> peak = {}; // the text's values are 0..peak; none: anything
    bool fractions = false;       // the text is a float all the same
};

// Text that makes one output row of a component available inside an x loop.
struct LineFetch {
    std::string before;  // statements before the loop; `y` is the output row
    std::string in_loop; // statements in the loop, before the value is used; `x` is the output column
    std::string value;   // float expression, in stored values
    int reads = 1;       // samples read per value, for the plan's figures
    std::optional<WholeValue> whole; // the same, where it is one; with a peak that 16 bits hold
};
// tag : prefix of the variables it declares.  y : expression of the row.
LineFetch line_fetch(BodyWriter& writer, const Fetch& fetch, int component, const FetchAxes& axes,
                     const std::string& tag, const std::string& y);

// One value at any (x, y), both expressions: for shapes without lines. Reads at the edges are clamped.
struct PointFetch {
    std::string before; // statements
    std::string value;
};
PointFetch point_fetch(BodyWriter& writer, const Fetch& fetch, int component, const FetchAxes& axes,
                       const std::string& tag, const std::string& x, const std::string& y);
// A window's sum around (x, y) of a stored image's component, in stored values.
PointFetch point_window(BodyWriter& writer, const Fetch& fetch, int component, const WindowTaps& taps,
                        const std::string& tag, const std::string& x, const std::string& y);

// "v" as an element of this layout: clamped and rounded. dither: a name of a float 0..1 in place of 0.5, or
// "".
std::string store_value(const SampleLayout& sample, const std::string& v, const std::string& dither);

// The same straight from a whole number, with at most one affine step between: one multiplication and
// addition, or none. Nothing when the steps or the layout are of another kind.
std::optional<std::string> store_whole(BodyWriter& writer, const WholeValue& value,
                                       const std::vector<Op>& ops, int component, const SampleLayout& sample);

// Value of an element expression: the integer or float that SampleLayout::unit scales.
std::string raw_value(const SampleLayout& sample, const std::string& element);

} // namespace weft::graph
