// Filters become steps: spaces, light and alpha are converted where they disagree, identities dropped, affine
// steps folded, cuts made where the shape cannot carry on.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "graph/chain_private.hpp"
#include "graph/placement_private.hpp"

namespace weft::graph {

// Whether every filter of the list can run on stored planes of this meaning.
bool runs_on_planes(const std::vector<FilterUse>& filters, Meaning meaning);
bool is_identity(const FilterUse& use); // its values are the manifest's neutral ones
bool is_window(const FilterUse& use);
bool reads_neighbours(const FilterUse& use); // in time
bool position_dependent(const FilterUse& use);

// Adds steps to a chain, keeping track of what its values mean.
class ChainBuilder {
  public:
    // state : what the fetch gives. working : the canvas's spec; Y'CbCr filters run in its matrix in pixel
    // mode. tone_map : for light that is HDR where the canvas is not.
    ChainBuilder(Chain& chain, ValueState state, const colour::ColourSpec& working,
                 colour::ToneMap tone_map = colour::ToneMap::bt2390);

    void add(const FilterUse& use); // point and window filters, but none that reads neighbours in time
    // Brings the values to the space, light and alpha that a filter's text works in.
    void conform(const FilterUse& use);
    void window(const std::array<WindowTaps, 4>& taps, const std::string& title);
    void to_working(bool linear_light);  // RGB, display or linear, premultiplied when the chain has alpha
    void to_planes(const Image& target); // plane mode: range changes only
    const ValueState& state() const { return state_; }
    std::array<colour::StoredRange, 2> ranges() const; // of the values, as a text is told
    void write_into(std::vector<Op>& ops) { into_ = &ops; }

  private:
    void want_space(const FilterManifest& manifest);
    void want_rgb();
    void want_ycc();
    void want_linear(bool linear);
    void want_straight(bool straight);
    void matrix(const colour::Affine3& affine);
    void function(const std::string& name);
    void pixel(const std::string& name, std::vector<double> constants = {});
    void tone_map(double peak); // of linear RGB

    Chain& chain_;
    ValueState state_;
    colour::ColourSpec working_;
    colour::ToneMap tone_map_;
    std::vector<Op>* into_;
};

bool is_hdr(colour::Transfer transfer); // PQ or HLG
colour::Affine3 compose(const colour::Affine3& outer, const colour::Affine3& inner);

} // namespace weft::graph
