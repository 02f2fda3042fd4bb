// Parts of the CPU shapes: stages as line functions, rings of lines between them.
#pragma once

#include <functional>

#include "graph/codegen_lines_private.hpp"
#include "graph/codegen_private.hpp"

namespace weft::graph {

// One chain as a CPU body sees it.
struct CpuChain {
    const Chain& chain;
    bool pixel = false;          // all components together, at full resolution
    std::vector<int> components; // {c} in plane mode, {0, 1, 2[, 3]} in pixel mode
    int log2_w = 0, log2_h = 0;  // of the target's chroma, plane mode
    colour::ChromaSite site = colour::ChromaSite::left;
    int width = 0, height = 0; // of the layer in the component's samples
    double aspect = 1;
    WindowSums sums = WindowSums::by_rule;

    int radius_x(size_t stage) const;
    int radius_y(size_t stage) const;
    int radius_after(size_t stage) const; // sum of the vertical radii of this stage and later ones
};

// How values lie in the lines between stages: floats, or whole numbers of 16 bits.
struct LineFormat {
    bool floats = false;
    double unit = 1.0 / (255 * 64); // value = element * unit; Q6 unless the samples themselves are kept
    int peak = 32767;               // of an element's magnitude; below 32767 elements are 0..peak
    std::string type() const { return floats ? "float" : "short"; }
    static LineFormat of(const Chain& chain) {
        return chain.float_lines ? LineFormat{true, 1.0, 0} : LineFormat{};
    }
};

struct LineFunction {
    std::string name, formals, text; // formals: ", short* restrict o0" behind the common ones and `y`
};
struct RingText {
    std::vector<LineFunction> functions;
    std::string declare; // lines and their pointers
    std::string step;    // for row `i` of the loop, `y0` the band's first; $F stands for the common names
    std::vector<std::string> last_lines; // what the last stage reads
    LineFormat form;                     // of those
    int lead = 0;                        // rows the loop starts before the band
};

// Values of a fetch in an x loop.
struct SourceText {
    std::string before, in_loop;
    std::vector<std::string> values; // per component of the chain
    std::optional<WholeValue> whole; // the first component's
    // A Px of the values, or the one value of a plane.
    std::string value(bool pixel) const;
};

struct MixText {
    std::string before, in_loop, value;
};

// What becomes of the value at column x.
struct LineUse {
    std::string text; // statements that use `v`
    // Set, in plane mode only: they do nothing but store it so, undithered, in `element`.
    const SampleLayout* sample = nullptr;
    std::string element = {};
};
// Text of an x loop that makes row y of a stage. lines : what it reads, laid out as `form` says.
std::string stage_loop(BodyWriter& writer, const CpuChain& cpu, size_t stage,
                       const std::vector<std::string>& lines, const LineFormat& form, const LineUse& use,
                       int x_from, int x_until);
SourceText fetch_text(BodyWriter& writer, const CpuChain& cpu, const Fetch& fetch, const std::string& tag,
                      const std::string& y);
// Of pictures that stay where they are: expressions of their values, in order.
MixText mix_text(BodyWriter& writer, const CpuChain& cpu, const std::vector<std::string>& values);
// Statements that declare the second picture's share of a place as `tv`, of a transition that mixes.
std::string share_text(BodyWriter& writer, const CpuChain& cpu);
// Of pictures that the transition displaces; fetches them itself.
MixText moving_mix_text(BodyWriter& writer, const CpuChain& cpu);
// The same at one point: `fetch_at` gives statements that declare `v` as the fetch's value at (x, y).
using FetchAt = std::function<std::string(const Fetch& fetch, const std::string& tag, const std::string& v,
                                          const std::string& x, const std::string& y)>;
// Prefix of the names of what is fetched for a mix's picture: "a", "b", "n2", ...
std::string side_tag(size_t side);
// Where one axis of a displaced picture is read. Luma moves by whole samples; chroma that is thinned out
// along the axis then lies between its own samples, and four of them make one (Catmull-Rom).
struct MovedAxis {
    std::string before;               // statements, of what is the same for all samples
    std::string first;                // added to the place that is painted, gives the first read; "": nothing
    std::vector<std::string> weights; // of neighbours from there on, expressions; empty: that one as it is
    size_t taps() const { return weights.empty() ? 1 : weights.size(); }
    // "w0 * v0 + w1 * v1 + ...", in parentheses; the one value where there are no weights.
    std::string sum(const std::vector<std::string>& values) const;
};
struct MovedSide {
    MovedAxis x, y;
};
// How the mix displaces each of its pictures, with names that begin with `prefix`, and statements that what
// they say needs; no sides when it moves none.
struct Moves {
    std::string before;
    std::vector<MovedSide> sides;
};
Moves moves_of(BodyWriter& writer, const CpuChain& cpu, const std::string& prefix = {});
std::string mix_at(BodyWriter& writer, const CpuChain& cpu, const FetchAt& fetch_at);
// A chain whose result depends on nothing but a stored code, and costs more than to look it up.
struct Lookup {
    SourceText source; // its `whole` is the code
    int codes = 0;
    std::string type; // of the results, as they are stored
    std::string fill; // statements that declare `table` and fill it
};
// Whether a chain may be one: as far as its steps and what they are stored as tell.
// cost : of the steps on a sample, in operations
bool worth_looking_up(const Chain& chain, const SampleLayout& out, double cost);
// Statements that store the result of the code `name` in `element`; they find their At in `at`.
// code : its unit and bias
std::string result_text(BodyWriter& writer, const CpuChain& cpu, const SampleLayout& out,
                        const WholeValue& code, const std::string& name, const std::string& element);
// samples : that one table serves
std::optional<Lookup> lookup_of(BodyWriter& writer, const CpuChain& cpu, const SampleLayout& out, double cost,
                                double samples);
// "d = ..." for source `s` over canvas `d`, both premultiplied.
std::string blend_text(Blend blend);
// A function of canvas pixel (x, y) that samples a rotated layer: premultiplied, opacity included. A call
// passes `names`, x, y.
struct RotatedFunction {
    std::string text, names;
};
RotatedFunction rotated_function(BodyWriter& writer, const PlacedLayer& layer, const std::string& name);
// The layer as one component needs it: windows that leave it alone are gone.
PlacedLayer for_component(const PlacedLayer& layer, int component);
RingText ring_text(BodyWriter& writer, const CpuChain& cpu, const std::string& prefix);
std::string close_functions(const BodyWriter& writer, const std::vector<LineFunction>& functions);
std::string with_names(const BodyWriter& writer, std::string text);
} // namespace weft::graph
