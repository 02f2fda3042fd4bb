#include "graph/chain_build_private.hpp"

#include <algorithm>
#include <cmath>

#include "base/format.hpp"
#include "graph/emit_private.hpp"
#include "graph/filter_library.hpp"

namespace weft::graph {
namespace {

// Sigma from which a Gaussian is cheaper at a lower resolution than as taps.
constexpr double wide_sigma = 4.5;

// A cascade blurs all planes alike, so a choice of planes keeps the taps.
bool wide_gaussian(const FilterUse& use) {
    const auto [x, y] = gaussian_sigmas(use);
    const int all = 15;
    return std::max(x, y) > wide_sigma && (static_cast<int>(number(use, "planes")) & all) == all;
}

constexpr double q6_limit = 2.0; // stored value beyond which Q6 saturates

bool affine_holds(const FilterUse& use, const std::map<std::string, double>& values) {
    const std::string& when = use.manifest->affine_when;
    return when.empty() || evaluate(when, values) != 0;
}

bool has_affine_plane(const FilterUse& use) {
    return use.manifest->affine_plane && affine_holds(use, evaluate_params(use));
}

bool has_affine_matrix(const FilterUse& use) {
    return use.manifest->affine_matrix && affine_holds(use, evaluate_params(use));
}

} // namespace

bool is_identity(const FilterUse& use) {
    const FilterManifest& manifest = *use.manifest;
    if (manifest.neutral.empty()) return false;
    if (manifest.taps != Taps::none) {
        for (int c = 0; c < 3; ++c)
            if (!window_taps(use, c).identity()) return false;
        return true;
    }
    for (const auto& [name, text] : manifest.neutral) {
        const auto found = use.values.find(name);
        if (found == use.values.end()) return false;
        if (const auto* value = std::get_if<double>(&found->second)) {
            const ParamSpec* param = manifest.param(name);
            if (param->type == ParamType::enum_) {
                const auto option = std::find(param->options.begin(), param->options.end(), text);
                if (option == param->options.end() ||
                    *value != static_cast<double>(option - param->options.begin()))
                    return false;
                // "preset: none" says nothing of the curves beside it.
                if (manifest.maker == "curves") return false;
                continue;
            }
            if (*value != evaluate(text, {})) return false;
            continue;
        }
        return false;
    }
    return true;
}

bool is_window(const FilterUse& use) {
    return use.manifest->reads == Reads::window;
}

bool reads_neighbours(const FilterUse& use) {
    return use.manifest->reads_neighbours() && !is_identity(use);
}

bool position_dependent(const FilterUse& use) {
    // Texts may read where they are; only what the manifest declares affine is known not to.
    return !has_affine_plane(use) && !has_affine_matrix(use) && use.manifest->maker != "curves" &&
           use.manifest->maker != "lut3d";
}

bool runs_on_planes(const std::vector<FilterUse>& filters, Meaning meaning) {
    return std::all_of(filters.begin(), filters.end(), [&](const FilterUse& use) {
        const FilterManifest& m = *use.manifest;
        if (m.geometry || is_identity(use)) return true;
        if (m.light == LightNeed::linear) return false;
        if (m.space == Space::any) return m.taps != Taps::none || has_affine_plane(use) || per_component(m);
        if (m.space == Space::rgb) return false;
        if (meaning != Meaning::ycc) return false;
        return m.taps != Taps::none || has_affine_plane(use) || (!m.text.empty() && per_component(m));
    });
}

colour::Affine3 compose(const colour::Affine3& outer, const colour::Affine3& inner) {
    colour::Affine3 out;
    out.m = outer.m * inner.m;
    const colour::Vec3 moved = outer.m * inner.offset;
    for (size_t i = 0; i < 3; ++i)
        out.offset[i] = moved[i] + outer.offset[i];
    return out;
}

bool is_hdr(colour::Transfer transfer) {
    return transfer == colour::Transfer::pq || transfer == colour::Transfer::hlg;
}

ChainBuilder::ChainBuilder(Chain& chain, ValueState state, const colour::ColourSpec& working,
                           colour::ToneMap tone_map)
    : chain_(chain), state_(state), working_(working), tone_map_(tone_map), into_(&chain.stages[0].ops) {}

std::array<colour::StoredRange, 2> ChainBuilder::ranges() const {
    Image image;
    image.meaning = state_.meaning;
    image.colour = state_.colour;
    if (image.meaning == Meaning::rgb) {
        colour::ColourSpec rgb = state_.colour;
        rgb.matrix = colour::Matrix::rgb;
        rgb.range = colour::Range::full;
        const auto range = colour::stored_range(rgb, false);
        return {range, range};
    }
    return {colour::stored_range(image.colour, false), colour::stored_range(image.colour, true)};
}

void ChainBuilder::matrix(const colour::Affine3& affine) {
    for (size_t row = 0; row < 3; ++row) {
        double reach = std::fabs(affine.offset[row]);
        for (int column = 0; column < 3; ++column)
            reach += std::fabs(affine.m(static_cast<int>(row), column));
        if (reach > 4 * q6_limit) chain_.float_lines = true;
    }
    if (!into_->empty() && into_->back().kind == Op::Kind::matrix) {
        into_->back().affine = compose(affine, into_->back().affine);
        return;
    }
    Op op;
    op.kind = Op::Kind::matrix;
    op.affine = affine;
    into_->push_back(op);
}

void ChainBuilder::function(const std::string& name) {
    Op op;
    op.kind = Op::Kind::function;
    op.function = name;
    into_->push_back(op);
}

void ChainBuilder::pixel(const std::string& name, std::vector<double> constants) {
    Op op;
    op.kind = Op::Kind::pixel;
    op.function = name;
    op.constants = std::move(constants);
    into_->push_back(op);
}

void ChainBuilder::want_straight(bool straight) {
    if (!chain_.alpha || state_.premultiplied != straight) return;
    Op op;
    op.kind = straight ? Op::Kind::unpremultiply : Op::Kind::premultiply;
    into_->push_back(op);
    state_.premultiplied = !straight;
}

void ChainBuilder::want_linear(bool linear) {
    if (state_.linear == linear) return;
    want_straight(true);
    switch (colour::light_curve(state_.colour.transfer)) {
    case colour::Transfer::linear:
        break;
    case colour::Transfer::pq:
        function(linear ? "wf_pq_to_linear" : "wf_linear_to_pq");
        break;
    case colour::Transfer::hlg:
        pixel(linear ? "px_hlg_to_linear" : "px_linear_to_hlg");
        break;
    default: // SDR by the sRGB curve whatever its tag
        function(linear ? "wf_srgb_to_linear" : "wf_linear_to_srgb");
    }
    state_.linear = linear;
    chain_.float_lines = true;
}

void ChainBuilder::want_rgb() {
    if (state_.planes) throw Error(ErrorKind::internal, "RGB wanted of planes");
    if (state_.meaning == Meaning::rgb) return;
    want_straight(true);
    matrix(colour::stored_to_rgb(state_.colour));
    state_.meaning = Meaning::rgb;
}

void ChainBuilder::want_ycc() {
    if (state_.meaning == Meaning::ycc) return;
    want_linear(false);
    want_straight(true);
    colour::ColourSpec spec = state_.colour;
    spec.matrix = working_.matrix == colour::Matrix::rgb ? colour::Matrix::bt709 : working_.matrix;
    spec.range = colour::Range::limited;
    matrix(colour::rgb_to_stored(spec));
    state_.meaning = Meaning::ycc;
    state_.colour = spec;
}

void ChainBuilder::window(const std::array<WindowTaps, 4>& taps, const std::string& title) {
    want_straight(false);
    Stage stage;
    stage.windowed = true;
    stage.taps = taps;
    stage.title = title;
    // A window is linear, so a plane's affine step can as well follow it: W(a v + b) is a W(v) + b * (the sum
    // of the taps). What the window then reads is often nothing but stored samples, whole numbers.
    if (!into_->empty() && into_->back().kind == Op::Kind::plane) {
        Op op = into_->back();
        into_->pop_back();
        for (size_t c = 0; c < 4; ++c)
            op.b[c] = op.b[c] * taps[c].sum() + taps[c].bias - op.a[c] * taps[c].bias;
        stage.ops.push_back(op);
    }
    chain_.stages.push_back(stage);
    into_ = &chain_.stages.back().ops;
}

void ChainBuilder::want_space(const FilterManifest& manifest) {
    if (state_.planes) return;
    if (manifest.light == LightNeed::linear) {
        want_rgb();
        want_linear(true);
    } else if (manifest.light == LightNeed::display) {
        want_linear(false);
    }
    if (manifest.space == Space::rgb || manifest.space == Space::any)
        want_rgb();
    else
        want_ycc();
}

void ChainBuilder::conform(const FilterUse& use) {
    const FilterManifest& m = *use.manifest;
    want_space(m);
    want_straight(m.alpha == AlphaNeed::automatic ? !is_window(use) : m.alpha == AlphaNeed::straight);
}

void ChainBuilder::add(const FilterUse& use) {
    const FilterManifest& m = *use.manifest;
    if (is_identity(use)) return;
    if (m.geometry)
        throw Error(ErrorKind::internal, "filter '" + m.name + "' is no step of a chain", use.place);
    want_space(m);
    chain_.title += (chain_.title.empty() ? "" : ", ") + m.name;
    if (m.maker == "gaussian" && wide_gaussian(use)) {
        const auto [x, y] = gaussian_sigmas(use);
        std::array<WindowTaps, 4> none{};
        window(none, m.name);
        Stage& stage = chain_.stages.back();
        stage.windowed = false;
        stage.cascade = true;
        stage.sigma_x = x;
        stage.sigma_y = y;
        return;
    }
    if (m.taps != Taps::none) {
        std::array<WindowTaps, 4> taps;
        for (int c = 0; c < 4; ++c)
            taps[static_cast<size_t>(c)] = window_taps(use, c);
        window(taps, m.name);
        return;
    }
    conform(use);
    Op op;
    op.ranges = ranges();
    if (m.maker == "curves" || m.maker == "lut3d") {
        op.kind = Op::Kind::table;
        const LookupTable table =
            m.maker == "curves" ? curves_table(use) : read_cube(std::get<std::string>(use.values.at("file")));
        if (table.dimensions == 1)
            op.function = "wf_curves";
        else {
            const auto interp = static_cast<int>(number(use, "interp"));
            op.function = interp == 0   ? "wf_lut_nearest"
                          : interp == 1 ? "wf_lut_trilinear"
                                        : "wf_lut_tetrahedral";
        }
        op.table = std::make_shared<const LookupTable>(table);
        into_->push_back(op);
        return;
    }
    if (has_affine_matrix(use) && !state_.planes) {
        std::map<std::string, double> values = evaluate_params(use);
        const auto range = op.ranges;
        values["lo"] = range[0].lo;
        values["mid"] = range[0].mid;
        values["hi"] = range[0].hi;
        colour::Affine3 affine;
        for (size_t row = 0; row < 3; ++row) {
            for (size_t column = 0; column < 3; ++column)
                affine.m(static_cast<int>(row), static_cast<int>(column)) =
                    evaluate((*m.affine_matrix)[row * 4 + column], values);
            affine.offset[row] = evaluate((*m.affine_matrix)[row * 4 + 3], values);
        }
        matrix(affine);
        return;
    }
    if (has_affine_plane(use)) {
        op.kind = Op::Kind::plane;
        const bool ycc = state_.meaning == Meaning::ycc;
        for (size_t c = 0; c < 3; ++c) {
            const bool chroma = ycc && c > 0;
            const colour::StoredRange& range = op.ranges[chroma ? 1 : 0];
            std::map<std::string, double> values = evaluate_params(use);
            values["lo"] = range.lo;
            values["mid"] = range.mid;
            values["hi"] = range.hi;
            values["is_chroma"] = chroma ? 1 : 0;
            op.a[c] = evaluate((*m.affine_plane)[0], values);
            op.b[c] = evaluate((*m.affine_plane)[1], values);
            if (std::fabs(op.a[c]) + std::fabs(op.b[c]) > 4 * q6_limit) chain_.float_lines = true;
        }
        if (!state_.planes) {
            colour::Affine3 affine;
            for (int c = 0; c < 3; ++c) {
                affine.m(c, c) = op.a[static_cast<size_t>(c)];
                affine.offset[static_cast<size_t>(c)] = op.b[static_cast<size_t>(c)];
            }
            matrix(affine);
            return;
        }
        if (!into_->empty() && into_->back().kind == Op::Kind::plane) {
            Op& before = into_->back();
            for (size_t c = 0; c < 4; ++c) {
                before.b[c] = op.a[c] * before.b[c] + op.b[c];
                before.a[c] *= op.a[c];
            }
            return;
        }
        into_->push_back(op);
        return;
    }
    op.kind = Op::Kind::text;
    op.use = use;
    if (m.space == Space::luma) op.components = 1;
    into_->push_back(op);
    if (m.clamp) {
        Op clamp;
        clamp.kind = Op::Kind::clamp;
        into_->push_back(clamp);
    }
}

void ChainBuilder::tone_map(double peak) {
    // Nothing changes below white, and behind the end of any curve colours are held to white: no kink in it.
    if (tone_map_ == colour::ToneMap::clip) peak = 1;
    pixel("px_tone", {peak});
    into_->back().table = std::make_shared<const LookupTable>(tone_table({tone_map_, peak}));
}

void ChainBuilder::to_working(bool linear_light) {
    want_rgb();
    const colour::ColourSpec from = state_.colour;
    const bool other_gamut = !colour::same_primaries(from.primaries, working_.primaries);
    const bool hdr = is_hdr(from.transfer), hdr_canvas = is_hdr(working_.transfer);
    const bool curve = from.transfer != working_.transfer && (hdr || hdr_canvas);
    if (other_gamut || curve) {
        want_linear(true);
        if (other_gamut) {
            colour::Affine3 gamut;
            gamut.m = colour::convert_primaries(from.primaries, working_.primaries);
            matrix(gamut);
            // Into a narrower gamut: what it does not hold has something below 0 there.
            if (std::any_of(gamut.m.m.begin(), gamut.m.m.end(), [](double v) { return v < -1e-6; })) {
                const colour::Vec3 weights = colour::luminance_weights(working_.primaries);
                pixel("px_into_gamut", {weights[0], weights[1], weights[2]});
            }
        }
        // Behind the gamut, so that no component of the result is above white.
        if (hdr && !hdr_canvas) tone_map(colour::source_peak(from.transfer, state_.peak_nits));
        state_.colour.primaries = working_.primaries;
        state_.colour.transfer = working_.transfer;
    }
    want_linear(linear_light);
    want_straight(false);
}

void ChainBuilder::to_planes(const Image& target) {
    if (state_.meaning == Meaning::rgb) return;
    const colour::ColourSpec& from = state_.colour;
    const colour::ColourSpec& to = target.colour;
    if (from.range == to.range) return;
    Op op;
    op.kind = Op::Kind::plane;
    for (size_t c = 0; c < 3; ++c) {
        // nominal = (code - offset) / scale, in 8-bit codes over 255 on both sides.
        const colour::CodeScale s = colour::code_scale(from.range, 8, c > 0);
        const colour::CodeScale d = colour::code_scale(to.range, 8, c > 0);
        op.a[c] = d.scale / s.scale;
        op.b[c] = (d.offset - s.offset * d.scale / s.scale) / 255;
    }
    into_->push_back(op);
}

} // namespace weft::graph
