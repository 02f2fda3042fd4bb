// Size, rate and colour of the canvas, and where its layers stand.
#include <algorithm>
#include <cmath>

#include "graph/makers_private.hpp"
#include "graph/text_private.hpp"
#include "graph/timeline_private.hpp"

namespace weft::graph {
namespace {

using colour::ColourSpec;

ColourSpec sdr(colour::Matrix matrix, colour::Primaries primaries) {
    return {matrix, colour::Range::limited, colour::Transfer::bt709, primaries, colour::ChromaSite::left};
}

// The rule for untagged pictures, by size.
ColourSpec default_colour(int width, int height) {
    using colour::Matrix, colour::Primaries;
    if (width >= 1280 || height > 576) return sdr(Matrix::bt709, Primaries::bt709);
    return sdr(Matrix::bt601, height == 576 ? Primaries::bt601_625 : Primaries::bt601_525);
}

ColourSpec named_canvas_colour(const std::string& name, int width, int height) {
    using colour::Matrix, colour::Primaries, colour::Transfer;
    if (name == "bt709") return sdr(Matrix::bt709, Primaries::bt709);
    if (name == "bt601")
        return sdr(Matrix::bt601, height == 576 ? Primaries::bt601_625 : Primaries::bt601_525);
    ColourSpec out = sdr(Matrix::bt2020, Primaries::bt2020);
    if (name == "pq")
        out.transfer = Transfer::pq;
    else if (name == "hlg")
        out.transfer = Transfer::hlg;
    else if (name != "bt2020")
        return default_colour(width, height);
    return out;
}

ColourSpec colour_after(const ColourSpec& input, int width, int height) {
    using colour::Matrix, colour::Primaries, colour::Transfer;
    if (input.transfer == Transfer::pq || input.transfer == Transfer::hlg)
        return sdr(Matrix::bt709, Primaries::bt709);
    if (input.matrix == Matrix::rgb || input.matrix == Matrix::unspecified) {
        ColourSpec out = default_colour(width, height);
        if (input.primaries != Primaries::unspecified) out.primaries = input.primaries;
        return out;
    }
    const Primaries primaries =
        input.primaries == Primaries::unspecified ? Primaries::bt709 : input.primaries;
    return sdr(input.matrix, primaries);
}

double aspect_of(const PipelineSpec& spec, const std::vector<InputFacts>& facts, const LayerSpec& layer) {
    const int input = first_input(spec, layer);
    if (input < 0 || static_cast<size_t>(input) >= facts.size()) return 0;
    const colour::PictureFormat& format = facts[static_cast<size_t>(input)].format;
    if (!format.valid()) return 0;
    return static_cast<double>(format.display_width()) / format.display_height();
}

// Whether a layer plays nothing but inputs without a picture.
bool is_heard_only(const PipelineSpec& spec, const std::vector<InputFacts>& facts, const LayerSpec& layer) {
    const auto heard = [&](const std::string& name) {
        const int index = input_index(spec, name);
        return index >= 0 && static_cast<size_t>(index) < facts.size() &&
               is_sound_only(facts[static_cast<size_t>(index)]);
    };
    const TrackSpec* track = spec.track(layer.from);
    if (!track) return heard(layer.from);
    return std::all_of(track->entries.begin(), track->entries.end(), [&](const TrackEntry& entry) {
        const auto* play = std::get_if<PlayEntry>(&entry);
        return !play || heard(play->input);
    });
}

std::vector<size_t> arranged_layers(const PipelineSpec& spec, const std::vector<InputFacts>& facts) {
    std::vector<size_t> out;
    for (size_t i = 0; i < spec.layers.size(); ++i)
        if (!spec.layers[i].rect && !is_heard_only(spec, facts, spec.layers[i])) out.push_back(i);
    return out;
}

// Even, so that chroma samples of 4:2:0 pictures belong to one tile alone; the canvas's own end stays where
// it is.
double even_edge(double position, int whole) {
    if (position >= whole - 1e-6) return position > whole + 1e-6 ? 2 * std::round(position / 2) : whole;
    return 2 * std::round(position / 2);
}

// Sides along which an hstack or vstack puts its tiles: the first tile's is exact, the others even.
std::vector<int> stack_sides(const PipelineSpec& spec, const std::vector<InputFacts>& facts, int width,
                             int height, bool across) {
    std::vector<int> out;
    for (const size_t i : arranged_layers(spec, facts)) {
        double aspect = aspect_of(spec, facts, spec.layers[i]);
        if (aspect <= 0) aspect = static_cast<double>(width) / height;
        const double side = across ? height * aspect : width / aspect;
        const double own = across ? width : height;
        const bool same = std::fabs(side - own) < 0.5;
        out.push_back(same ? static_cast<int>(own)
                           : std::max(2, 2 * static_cast<int>(std::lround(side / 2))));
    }
    return out;
}

std::pair<int, int> grid_shape(const std::string& layout, size_t count) {
    if (const size_t x = layout.find('x'); x != std::string::npos)
        return {std::stoi(layout.substr(0, x)), std::stoi(layout.substr(x + 1))};
    int columns = 1;
    while (static_cast<size_t>(columns) * static_cast<size_t>(columns) < count)
        ++columns;
    const int rows = std::max(
        1, static_cast<int>((count + static_cast<size_t>(columns) - 1) / static_cast<size_t>(columns)));
    return {columns, rows};
}

void place_grid(const PipelineSpec& spec, const std::vector<InputFacts>& facts, const CanvasFormat& canvas,
                std::vector<LayerRect>& rects) {
    const std::vector<size_t> layers = arranged_layers(spec, facts);
    const auto [columns, rows] = grid_shape(spec.canvas.layout, layers.size());
    if (layers.size() > static_cast<size_t>(columns) * static_cast<size_t>(rows))
        throw Error(ErrorKind::usage, "layout " + spec.canvas.layout + " has " +
                                          std::to_string(columns * rows) + " cells for " +
                                          std::to_string(layers.size()) +
                                          " layers; grid makes as many as there are layers");
    for (size_t k = 0; k < layers.size(); ++k) {
        const int column = static_cast<int>(k) % columns, row = static_cast<int>(k) / columns;
        const auto edge = [](int index, int count, int whole) {
            return even_edge(static_cast<double>(whole) * index / count, whole);
        };
        LayerRect& r = rects[layers[k]];
        r.x = edge(column, columns, canvas.width);
        r.y = edge(row, rows, canvas.height);
        r.w = edge(column + 1, columns, canvas.width) - r.x;
        r.h = edge(row + 1, rows, canvas.height) - r.y;
    }
}

void place_stack(const PipelineSpec& spec, const std::vector<InputFacts>& facts, const CanvasFormat& canvas,
                 bool across, std::vector<LayerRect>& rects) {
    const std::vector<size_t> layers = arranged_layers(spec, facts);
    const int leader = leading_input(spec, facts);
    const colour::PictureFormat* first = leader >= 0 ? &facts[static_cast<size_t>(leader)].format : nullptr;
    const std::vector<int> sides = stack_sides(spec, facts, first ? first->display_width() : canvas.width,
                                               first ? first->display_height() : canvas.height, across);
    double total = 0, before = 0;
    for (const int side : sides)
        total += side;
    const int whole = across ? canvas.width : canvas.height;
    const auto edge = [&](double position) {
        return total == whole ? position : even_edge(position * whole / total, whole);
    };
    for (size_t k = 0; k < layers.size(); ++k) {
        const double begin = edge(before);
        before += sides[k];
        const double length = edge(before) - begin;
        rects[layers[k]] = across ? LayerRect{begin, 0, length, static_cast<double>(canvas.height)}
                                  : LayerRect{0, begin, static_cast<double>(canvas.width), length};
    }
}

LayerRect explicit_rect(const std::array<Length, 4>& rect, const CanvasFormat& canvas) {
    // Shares of the canvas end on even pixels, as the tiles of a grid do.
    const auto pixels = [](const Length& length, int whole) {
        return length.percent ? even_edge(length.value * whole / 100, whole) : length.value;
    };
    const auto end = [&](const Length& begin, const Length& length, double from, int whole) {
        if (!length.percent) return from + length.value;
        if (!begin.percent) return from + even_edge(length.value * whole / 100, whole);
        return even_edge((begin.value + length.value) * whole / 100, whole);
    };
    LayerRect out;
    out.x = pixels(rect[0], canvas.width);
    out.y = pixels(rect[1], canvas.height);
    out.w = end(rect[0], rect[2], out.x, canvas.width) - out.x;
    out.h = end(rect[1], rect[3], out.y, canvas.height) - out.y;
    return out;
}

} // namespace

bool is_sound_only(const InputFacts& facts) {
    return !facts.format.valid() && facts.has_audio;
}

PipelineSpec with_sound_aside(const PipelineSpec& spec, const std::vector<InputFacts>& facts) {
    PipelineSpec out = spec;
    if (!spec.file.empty()) return out;
    const auto heard = [&](const TrackEntry& entry) {
        const auto* play = std::get_if<PlayEntry>(&entry);
        const int index = play ? input_index(spec, play->input) : -1;
        return index >= 0 && is_sound_only(facts[static_cast<size_t>(index)]);
    };
    for (TrackSpec& track : out.tracks) {
        std::vector<TrackEntry> seen;
        std::vector<LayerSpec> aside;
        const TrackEntry* between = nullptr;
        for (const TrackEntry& entry : track.entries) {
            if (std::holds_alternative<TransitionEntry>(entry)) {
                between = &entry;
            } else if (heard(entry)) {
                LayerSpec layer;
                layer.from = std::get<PlayEntry>(entry).input;
                aside.push_back(std::move(layer));
            } else {
                if (!seen.empty() && between) seen.push_back(*between);
                seen.push_back(entry);
            }
        }
        if (seen.empty()) continue; // songs, one after another
        track.entries = std::move(seen);
        out.layers.insert(out.layers.end(), aside.begin(), aside.end());
    }
    return out;
}

int leading_input(const PipelineSpec& spec, const std::vector<InputFacts>& facts) {
    int still = -1;
    for (size_t i = 0; i < spec.inputs.size() && i < facts.size(); ++i) {
        if (!facts[i].format.valid()) continue;
        if (!facts[i].still) return static_cast<int>(i);
        if (still < 0) still = static_cast<int>(i);
    }
    return still;
}

std::vector<InputFacts> shaped(const PipelineSpec& spec, const std::vector<InputFacts>& facts,
                               const FilterUses& uses) {
    std::vector<InputFacts> out = facts;
    for (size_t i = 0; i < spec.inputs.size() && i < out.size(); ++i) {
        if (!out[i].format.valid()) continue;
        colour::PictureFormat format = out[i].format;
        const auto turn = [&] {
            std::swap(format.width, format.height);
            format.sample_aspect = Rational(1) / format.sample_aspect;
        };
        bool changed = false;
        try {
            for (const FilterUse& use : uses_of(spec.inputs[i].filters, uses)) {
                if (!use.manifest->geometry) continue;
                if (!changed && format.rotation % 2 != 0) turn();
                changed = true;
                const Geometry geometry = geometry_of(use, format.width, format.height);
                format.width = static_cast<int>(geometry.w);
                format.height = static_cast<int>(geometry.h);
                if (geometry.swap) turn();
            }
        } catch (const Error&) {
            continue; // the planner complains of it, with its place
        }
        if (!changed) continue;
        format.rotation = 0;
        format.mirror = false;
        out[i].format = format;
    }
    return out;
}

CanvasFormat resolve_canvas(const PipelineSpec& given, const std::vector<InputFacts>& facts,
                            const FilterLibrary& library) {
    const PipelineSpec spec = with_shapes_first(given, library);
    std::vector<Error> told_elsewhere;
    return canvas_of(spec, shaped(spec, facts, resolve_filters(spec, library, told_elsewhere)));
}

CanvasFormat canvas_of(const PipelineSpec& spec, const std::vector<InputFacts>& facts) {
    const int leader = leading_input(spec, facts);
    CanvasFormat out{0, 0, 25, {}};
    if (leader >= 0) {
        const auto index = static_cast<size_t>(leader);
        const colour::PictureFormat format = input_format(spec.inputs[index], facts[index]);
        out.width = format.display_width();
        out.height = format.display_height();
        if (!facts[index].still && format.rate > Rational(0)) out.rate = format.rate;
        out.colour = colour_after(format.colour, out.width, out.height);
        const bool across = spec.canvas.layout == "hstack", down = spec.canvas.layout == "vstack";
        if (!spec.canvas.size && (across || down)) {
            int total = 0;
            for (const int side : stack_sides(spec, facts, out.width, out.height, across))
                total += side;
            if (total > 0) (across ? out.width : out.height) = total;
        }
    } else if (!spec.canvas.size) {
        throw Error(ErrorKind::usage,
                    "no input has a picture to take the canvas's size from: give size (--size)",
                    spec.canvas.place.known() ? spec.canvas.place : Place{spec.file, 0, 0});
    }
    if (spec.canvas.size) std::tie(out.width, out.height) = *spec.canvas.size;
    if (spec.canvas.rate) out.rate = *spec.canvas.rate;
    if (!spec.canvas.colour.empty())
        out.colour = named_canvas_colour(spec.canvas.colour, out.width, out.height);
    else if (leader < 0)
        out.colour = default_colour(out.width, out.height);
    // Chroma in the corner of its block, where BT.2020 puts it, stays there; nothing needs to be moved.
    if (leader >= 0 &&
        facts[static_cast<size_t>(leader)].format.colour.chroma == colour::ChromaSite::top_left)
        out.colour.chroma = colour::ChromaSite::top_left;
    return out;
}

std::vector<LayerRect> layer_rects(const PipelineSpec& spec, const std::vector<InputFacts>& facts,
                                   const CanvasFormat& canvas) {
    std::vector<LayerRect> out(spec.layers.size(), LayerRect{0, 0, static_cast<double>(canvas.width),
                                                             static_cast<double>(canvas.height)});
    const std::string& layout = spec.canvas.layout;
    if (layout == "hstack" || layout == "vstack")
        place_stack(spec, facts, canvas, layout == "hstack", out);
    else if (!layout.empty())
        place_grid(spec, facts, canvas, out);
    for (size_t i = 0; i < spec.layers.size(); ++i)
        if (const auto& rect = spec.layers[i].rect) out[i] = explicit_rect(*rect, canvas);
    for (LayerRect& rect : out) { // rounding must not lose a layer on a tiny canvas
        rect.w = std::max(rect.w, 1.0);
        rect.h = std::max(rect.h, 1.0);
    }
    return out;
}

OutputForm complete_output(OutputForm form, const CanvasFormat& canvas, std::vector<std::string>& notes) {
    colour::PictureFormat& format = form.format;
    const auto even = [](int side, int log2) { return log2 > 0 ? side + side % 2 : side; };
    format.width = even(canvas.width, format.pixels.log2_chroma_w);
    format.height = even(canvas.height, format.pixels.log2_chroma_h);
    if (format.width != canvas.width || format.height != canvas.height)
        notes.push_back("output " + format.pixels.name + ": " + std::to_string(canvas.width) + "x" +
                        std::to_string(canvas.height) + " is padded to " + std::to_string(format.width) +
                        "x" + std::to_string(format.height) + ", as its chroma needs even sides");
    format.rate = canvas.rate;
    format.sample_aspect = 1;
    format.rotation = 0;
    format.mirror = false;
    // As colour::resolve() reads what says nothing.
    const auto fill = [](auto& value, auto from) {
        if (value == std::remove_reference_t<decltype(value)>::unspecified) value = from;
    };
    ColourSpec& c = format.colour;
    const bool rgb = format.pixels.model == colour::Model::rgb;
    fill(c.matrix, rgb ? colour::Matrix::rgb : canvas.colour.matrix);
    const bool full = rgb || format.pixels.model == colour::Model::gray || format.pixels.full_range_name;
    fill(c.range, full ? colour::Range::full : canvas.colour.range);
    fill(c.transfer, canvas.colour.transfer);
    fill(c.primaries, canvas.colour.primaries);
    fill(c.chroma, format.pixels.full_range_name ? colour::ChromaSite::centre : canvas.colour.chroma);
    return form;
}

colour::PictureFormat input_format(const InputSpec& input, const InputFacts& facts) {
    colour::PictureFormat out = facts.format;
    if (input.rate) out.rate = *input.rate;
    if (input.matrix) out.colour.matrix = *input.matrix;
    if (input.range) out.colour.range = *input.range;
    return out;
}

bool may_deinterlace(const InputSpec& input, const InputFacts& facts) {
    const colour::PixelFormat& pixels = facts.format.pixels;
    if (!facts.format.valid() || facts.still || pixels.is_palette || pixels.is_float) return false;
    return input.deinterlace == Deinterlace::on ||
           (input.deinterlace == Deinterlace::automatic && (facts.interlaced || facts.may_have_fields));
}

bool deinterlaces(const InputSpec& input, const InputFacts& facts) {
    return may_deinterlace(input, facts) && (input.deinterlace == Deinterlace::on || facts.interlaced);
}

int input_index(const PipelineSpec& spec, const std::string& name) {
    const InputSpec* found = spec.input(name);
    return found ? static_cast<int>(found - spec.inputs.data()) : -1;
}

int first_input(const PipelineSpec& spec, const LayerSpec& layer) {
    const TrackSpec* track = spec.track(layer.from);
    if (!track) return input_index(spec, layer.from);
    for (const TrackEntry& entry : track->entries)
        if (const auto* play = std::get_if<PlayEntry>(&entry)) return input_index(spec, play->input);
    return -1;
}

} // namespace weft::graph
