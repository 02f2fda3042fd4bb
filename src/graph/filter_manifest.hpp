// The two files of a filter as a value.
#pragma once

#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "graph/filter_use.hpp"

namespace weft::graph {

enum class FilterKind { picture, transition, generator };
enum class Reads { pixel, window, anywhere };
enum class Space { any, rgb, ycbcr, luma };
enum class LightNeed { any, linear, display };
enum class AlphaNeed { automatic, straight, premultiplied };
// `expression` is kept as text (ParamValue's string) and evaluated where its variables are known, e.g. crop's
// "in_w/2".
enum class ParamType { float_, int_, bool_, enum_, colour, time, file, curve, list, expression };
// How a window filter's fixed weights are declared; none = free-form text with fetch().
enum class Taps { none, matrix, separable };

struct ParamSpec {
    std::string name;
    ParamType type = ParamType::float_;
    ParamValue default_value;
    bool required = false;
    double min = -1e30, max = 1e30;
    std::vector<std::string> options; // of an enum
    std::vector<std::string> aliases; // FFmpeg's short names: "b" of blur
    std::string unit, help;
};

struct FilterManifest {
    FilterKind kind = FilterKind::picture;
    std::string name;
    std::string summary;
    std::string help; // longer text for people, may be empty
    Reads reads = Reads::pixel;
    // Which pictures of the clip a text of pixels takes, in this order, one argument each: the one that is
    // due is 0, the one before it -1. Those beyond the clip's first and last picture are these.
    std::vector<int> frames{0};
    std::string radius; // of a window: a number or an expression of the parameters, in samples
    Space space = Space::any;
    LightNeed light = LightNeed::any;
    AlphaNeed alpha = AlphaNeed::automatic;
    Taps taps = Taps::none;
    // A filter whose taps, table, geometry or curve the host computes names the built-in maker:
    // "convolution", "gaussian", "unsharp", "lut3d", "curves", "crop", "hflip", "vflip", "transpose". See
    // graph/makers.hpp.
    std::string maker;
    bool geometry = false; // size and address map only, no kernel text
    bool clamp = false;
    // value' = zero + k * (value - zero), one k for all components: as right before a colour matrix as after
    // it.
    bool scales = false;
    // A transition whose result is a (1 - m) + b m, with an m that the pictures have no part in: the same in
    // stored codes as in values.
    bool mixes = false;
    std::vector<ParamSpec> params; // in order; the struct's members
    std::vector<std::pair<std::string, std::string>>
        derived;                                // name -> expression, in order, after the params
    std::map<std::string, std::string> neutral; // parameter -> value text
    // Per-component affine: value' = a * value + b as expressions of params, derived, lo, mid, hi (space
    // any), and of is_chroma (0 or 1). RGB affine (space rgb/ycbcr): 9 + 3 expressions.
    std::optional<std::array<std::string, 2>> affine_plane;
    std::optional<std::vector<std::string>> affine_matrix; // 12 expressions, row by row: m00 m01 m02 o0 ...
    // YAML key `affine_when`: the affine form holds only where this expression of params and derived is not
    // 0; empty = always.
    std::string affine_when;
    // Transitions that move their pictures (YAML keys `offset_a`, `offset_b`: [x, y]): how far picture a or b
    // is displaced, in its widths and heights, to the right and down. Expressions of params and `progress`;
    // in a filter with a parameter `ease` that is the eased progress, wf_ease(at.progress, p.ease).
    std::optional<std::array<std::string, 2>> offset_a, offset_b;
    std::filesystem::path manifest_file;
    std::filesystem::path text_file; // the .cl; empty for geometry filters and makers without text
    std::string text;                // its content

    bool reads_neighbours() const { return frames != std::vector<int>{0}; }
    int reach() const; // how many pictures away the farthest of `frames` is
    const ParamSpec* param(const std::string& name_or_alias) const;
};

// Reads one manifest and the .cl beside it. Errors : Errors with every problem as file:line:column.
FilterManifest load_manifest(const std::filesystem::path& yaml, FilterKind kind);

} // namespace weft::graph
