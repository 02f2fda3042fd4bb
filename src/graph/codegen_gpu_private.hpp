// Blocks: what a GPU's work-item reads and computes at once, so that memory is met in wide words and windows
// read each sample once for many results.
#pragma once

#include <functional>

#include "graph/codegen_cpu_private.hpp"
#include "graph/codegen_lines_private.hpp"

namespace weft::graph {

// The chroma grid of the result; all 0: every component at full size.
struct Grid {
    int log2_w = 0, log2_h = 0;
    colour::ChromaSite site = colour::ChromaSite::left;
};

struct Block {
    int w = 1, h = 1;  // samples
    bool only = false; // no smaller one serves: the weights of a scale repeat after its width
    bool loop = false; // over the rows that a window reads, which are too many to be written out
};

// The values of a block's samples: text that declares them and an expression (float) for each, row by row.
struct BlockValues {
    std::string text;
    std::vector<std::string> values;
    std::vector<WholeValue> whole; // the same as they are stored; empty: sums of a window, or stored floats
};

// The block that suits a fetch of one component, by itself or through a window (nullptr: none); nothing when
// its samples are not stored one by one in the order of the result (packed, palettes, scales whose weights
// hardly repeat). x0, y0 : where the result begins, which blocks are counted from.
std::optional<Block> block_of(const Fetch& fetch, int component, const Grid& grid, const WindowTaps* window,
                              int x0, int y0, const Shape& shape);
// Reads it. x, y : expressions of the block's first sample, whole blocks away from x0.
BlockValues block_values(BodyWriter& writer, const Fetch& fetch, int component, const Grid& grid,
                         const WindowTaps* window, const Block& block, int x0, const std::string& tag,
                         const std::string& x, const std::string& y);

// The same for a picture that a transition displaces; blocks are a row high.
std::optional<Block> moved_block(const Fetch& fetch, int component, const Grid& grid, const MovedSide& moved);
BlockValues moved_values(BodyWriter& writer, const Fetch& fetch, int component, const MovedSide& moved,
                         const Block& block, int x0, const std::string& tag, const std::string& x,
                         const std::string& y);

// Where a block's functions run. Centres are sums of floats, exact, and cost a conversion less for each
// sample.
inline const PlaceText block_place{"x", "y", "fx", "fy"};
constexpr const char* block_place_formals = "const int x, const int y, const float fx, const float fy";
constexpr const char* block_start = "const float Xf = (float)X, Yf = (float)Y;\n"; // behind X and Y
std::string place_in_block(int column, int row); // what such a function is passed

// A row of the plane that is painted.
std::string row_of(const std::string& plane, const ImageComponent& component, const std::string& row);
// A body's text: $D in its functions becomes the formals.
std::string finished(const BodyWriter& writer, std::string functions, const std::string& entry);
// The function of one pixel of a chain: "FN float @name(formals, const int x, const int y)".
std::string chain_function(BodyWriter& writer, const CpuChain& chain, const std::string& name);

// The largest power of two up to `most` that divides all of `offsets`.
int common_alignment(std::initializer_list<int> offsets, int most);

// Statements that store a row of a block. D : pointer to the target's row; x : expression, a multiple of the
// block's width; width : of the target's samples; aligned : see common_alignment(), of where D begins.
std::string store_block_row(const SampleLayout& sample, const std::vector<std::string>& elements,
                            const std::string& x, int width, int aligned);

} // namespace weft::graph
