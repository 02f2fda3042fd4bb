#include "bench/filter_cases.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/format.hpp"
#include "bench/content.hpp"
#include "graph/filter_examples.hpp"
#include "graph/filter_manifest.hpp"
#include "graph/timeline.hpp"
#include "media/picture_filters.hpp"

namespace weft::bench {
namespace {

using graph::FilterKind;
using graph::FilterLibrary;
using graph::FilterSpec;

std::string value_of(const FilterSpec& spec, size_t i) {
    const auto& value = spec.args[i].second;
    if (const auto* words = std::get_if<std::string>(&value)) return *words;
    return fmt::format("{}", fmt::join(std::get<std::vector<std::string>>(value), " "));
}

std::string text_of(const FilterSpec& spec, const std::vector<std::string>& values) {
    std::string options;
    for (size_t i = 0; i < values.size(); ++i) {
        const std::string& name = spec.args[i].first;
        options += (i ? ":" : "") + (name.empty() ? "" : name + "=") + values[i];
    }
    return graph::with_options(spec.name, options);
}

// Values that FFmpeg's parser would take apart are quoted.
std::string ffmpeg_text(const FilterSpec& spec) {
    std::vector<std::string> values;
    for (size_t i = 0; i < spec.args.size(); ++i) {
        values.push_back(value_of(spec, i));
        if (values.back().find_first_of(",;[]:\\") != std::string::npos)
            values.back() = "'" + values.back() + "'";
    }
    return text_of(spec, values);
}

// Long lists are cut: "convolution=1 3 1 1 9 1 ..(9)"; so are long titles.
std::string title_of(const FilterSpec& spec) {
    constexpr size_t most = 20, kept = 12, longest = 46;
    std::vector<std::string> values;
    for (size_t i = 0; i < spec.args.size(); ++i) {
        std::string value = value_of(spec, i);
        if (value.size() > most)
            value = fmt::format("{}..({})", value.substr(0, kept),
                                1 + std::count(value.begin(), value.end(), ' '));
        if (spec.args[i].first.empty() && !values.empty() && values.back() == value) break;
        values.push_back(value);
    }
    const std::string title = text_of(spec, values);
    return title.size() > longest ? title.substr(0, longest - 2) + ".." : title;
}

std::string planar_rgb(int depth) {
    if (depth == 8) return "gbrp";
    return depth <= 16 ? fmt::format("gbrp{}le", depth) : "gbrpf32le";
}

class Cases {
  public:
    Cases(const FilterLibrary& library, const CaseOptions& options)
        : full(options.size), half{options.size.width / 2, options.size.height / 2}, library_(library),
          options_(options) {}

    const Size full, half;

    FilterCase& add(const std::string& title, Size in, Size out,
                    graph::ScaleMethod scale = graph::ScaleMethod::automatic) {
        FilterCase row;
        row.title = title;
        const colour::PictureFormat format = picture_format(options_.pixels, out.width, out.height);
        row.scene.width = out.width;
        row.scene.height = out.height;
        row.scene.rate = format.rate;
        row.scene.colour = format.colour;
        row.scene.outputs.push_back({format});
        row.scene.streams.push_back(picture_format(options_.pixels, in.width, in.height));
        graph::SceneLayer layer;
        layer.w = out.width;
        layer.h = out.height;
        layer.fit = graph::Fit::fill;
        layer.scale = scale;
        layer.name = "layers[0]";
        row.scene.layers.push_back(layer);
        rows_.push_back(std::move(row));
        return rows_.back();
    }

    FilterCase& add_chain(const std::string& chain) {
        const std::vector<FilterSpec> specs = graph::parse_filter_chain(chain);
        std::string title;
        for (const FilterSpec& spec : specs)
            title += (title.empty() ? "" : ",") + title_of(spec);
        std::vector<graph::FilterUse> uses;
        for (const FilterSpec& spec : specs)
            uses.push_back(use(FilterKind::picture, spec));
        FilterCase& row = add(title, full, size_after(specs));
        row.chain = chain;
        row.ffmpeg = ffmpeg_chain(specs, uses);
        row.scene.layers.front().picture.clip.filters = std::move(uses);
        return row;
    }

    FilterCase& add_transition(const std::string& text) {
        const FilterSpec spec = graph::parse_filter_string(text);
        graph::FilterUse transition = use(FilterKind::transition, spec);
        FilterCase& row = add(title_of(spec), full, full);
        row.chain = text;
        row.transition = true;
        // FFmpeg's have no parameters of their own.
        if (spec.args.empty()) row.ffmpeg = "xfade=transition=" + spec.name + ":duration=$DURATION:offset=0";
        row.scene.streams.push_back(row.scene.streams.front());
        graph::PictureNode& picture = row.scene.layers.front().picture;
        picture.transition = std::move(transition);
        picture.next.stream = 1;
        picture.transition_index = 0;
        return row;
    }

    void add_examples(const graph::FilterManifest& manifest) {
        if (manifest.kind == FilterKind::generator) return;
        for (std::string options : graph::example_options(manifest)) {
            const std::string title =
                title_of(graph::parse_filter_string(graph::with_options(manifest.name, options)));
            const std::string file = graph::example_file;
            if (const size_t at = options.find("=" + file); at != std::string::npos)
                options.replace(at + 1, file.size(), options_.cube);
            const std::string text = graph::with_options(manifest.name, options);
            (manifest.kind == FilterKind::transition ? add_transition(text) : add_chain(text)).title = title;
        }
    }

    // Four pictures side by side, each through the chain at half its size.
    void add_grid(const std::string& title, const std::vector<FilterSpec>& chain) {
        FilterCase& row = add(title, full, full, graph::ScaleMethod::area);
        graph::Scene& scene = row.scene;
        scene.layers.front().w = half.width;
        scene.layers.front().h = half.height;
        for (const FilterSpec& spec : chain)
            scene.layers.front().filters.push_back(use(FilterKind::picture, spec));
        for (int tile = 1; tile < 4; ++tile) {
            scene.streams.push_back(scene.streams.front());
            graph::SceneLayer next = scene.layers.front();
            next.picture.clip.stream = tile;
            next.x = (tile % 2) * half.width;
            next.y = (tile / 2) * half.height;
            next.name = fmt::format("layers[{}]", tile);
            scene.layers.push_back(next);
        }
    }

    // A second picture over the first: half as wide and high, changed by `change`.
    template<class Change>
    void add_overlay(const std::string& title, Change change) {
        FilterCase& row = add(title, full, full);
        row.scene.streams.push_back(row.scene.streams.front());
        graph::SceneLayer over = row.scene.layers.front();
        over.picture.clip.stream = 1;
        over.x = full.width / 7 | 1; // nothing aligned
        over.y = full.height / 5 | 1;
        over.w = half.width;
        over.h = half.height;
        over.name = "layers[1]";
        change(over);
        row.scene.layers.push_back(over);
    }

    // Ten bits of PQ on an SDR canvas.
    void add_tone_map(colour::ToneMap map, const std::string& ffmpeg) {
        FilterCase& row = add("PQ to SDR, " + colour::name(map), full, full);
        row.ffmpeg = ffmpeg;
        row.scene.tone_map = map;
        colour::PictureFormat& stream = row.scene.streams.front();
        stream = picture_format("yuv420p10le", full.width, full.height);
        stream.colour.matrix = colour::Matrix::bt2020;
        stream.colour.primaries = colour::Primaries::bt2020;
        stream.colour.transfer = colour::Transfer::pq;
    }

    std::vector<FilterCase> take() { return std::move(rows_); }

  private:
    graph::FilterUse use(FilterKind kind, const FilterSpec& spec) const {
        std::vector<Error> errors;
        auto found = library_.use(kind, spec, errors);
        if (!found) throw Errors(std::move(errors));
        return std::move(*found);
    }

    // Of a picture of full size behind its filters, which may crop or turn it.
    Size size_after(const std::vector<FilterSpec>& filters) const {
        graph::PipelineSpec pipeline;
        pipeline.inputs.emplace_back().name = "1";
        pipeline.inputs.back().filters = filters;
        pipeline.layers.emplace_back().from = "1";
        graph::InputFacts facts;
        facts.format = picture_format(options_.pixels, full.width, full.height);
        const auto canvas = graph::resolve_canvas(pipeline, {facts}, library_);
        return {canvas.width, canvas.height};
    }

    std::string ffmpeg_chain(const std::vector<FilterSpec>& specs,
                             const std::vector<graph::FilterUse>& uses) const {
        const colour::PixelFormat pixels = colour::pixel_format(options_.pixels);
        std::string text, format = options_.pixels;
        for (size_t i = 0; i < specs.size(); ++i) {
            if (!media::ffmpeg_has_filter(specs[i].name)) return {};
            // Left to itself, FFmpeg takes a packed format with fewer bits.
            const bool rgb = uses[i].manifest->space == graph::Space::rgb;
            const std::string wanted =
                rgb && pixels.model == colour::Model::ycbcr ? planar_rgb(pixels.depth()) : options_.pixels;
            if (wanted != format) text += (text.empty() ? "format=" : ",format=") + wanted;
            format = wanted;
            text += (text.empty() ? "" : ",") + ffmpeg_text(specs[i]);
        }
        return text;
    }

    const FilterLibrary& library_;
    const CaseOptions& options_;
    std::vector<FilterCase> rows_;
};

void add_scalers(Cases& cases) {
    using graph::ScaleMethod;
    const Size full = cases.full, half = cases.half, two_thirds{full.width * 2 / 3, full.height * 2 / 3};
    const auto scale = [&](Size in, Size out, const char* method, ScaleMethod way) {
        FilterCase& row =
            cases.add(fmt::format("scale {} -> {} {}", in.height, out.height, method), in, out, way);
        row.ffmpeg = fmt::format("scale={}:{}:flags={}", out.width, out.height,
                                 way == ScaleMethod::nearest ? "neighbor" : method);
    };
    scale(full, half, "area", ScaleMethod::area);
    scale(full, two_thirds, "area", ScaleMethod::area);
    scale(full, two_thirds, "bilinear", ScaleMethod::bilinear);
    scale(full, two_thirds, "bicubic", ScaleMethod::bicubic);
    scale(full, two_thirds, "lanczos", ScaleMethod::lanczos);
    scale(half, full, "nearest", ScaleMethod::nearest);
    scale(half, full, "bilinear", ScaleMethod::bilinear);
    scale(half, full, "bicubic", ScaleMethod::bicubic);
    scale(half, full, "lanczos", ScaleMethod::lanczos);
}

void add_compositor(Cases& cases) {
    const std::string eq = "eq=brightness=0.05:contrast=1.2:saturation=1.3";
    const std::string sharpen = "convolution=matrix='0 -1 0 -1 5 -1 0 -1 0'";
    cases.add_grid("grid of four, area", {});
    cases.add_grid("grid of four, area, eq, 3x3", graph::parse_filter_chain(eq + "," + sharpen));
    cases.add_overlay("half-size picture, opacity 0.5", [](graph::SceneLayer& l) { l.opacity = 0.5; });
    cases.add_overlay("half-size picture, screen",
                      [](graph::SceneLayer& l) { l.blend = graph::Blend::screen; });
    cases.add_overlay("half-size picture, turned by 10",
                      [](graph::SceneLayer& l) { l.rotation_degrees = 10; });
    cases.add_overlay("half-size picture, lanczos",
                      [](graph::SceneLayer& l) { l.scale = graph::ScaleMethod::lanczos; });
}

void add_conversions(Cases& cases) {
    FilterCase& fields = cases.add("deinterlace", cases.full, cases.full);
    fields.scene.layers.front().picture.clip.deinterlace = true;
    fields.ffmpeg = "bwdif=mode=send_frame:parity=tff:deint=all";
    cases.add_tone_map(colour::ToneMap::bt2390, "");
    cases.add_tone_map(colour::ToneMap::hable,
                       "zscale=t=linear:npl=203,format=gbrpf32le,zscale=p=bt709,tonemap=hable:desat=0:"
                       "peak=4.926,zscale=t=iec61966-2-1:m=bt709:r=tv");
}

} // namespace

std::vector<FilterCase> filter_cases(const FilterLibrary& library, const CaseOptions& options) {
    Cases cases(library, options);
    cases.add("no filter", cases.full, cases.full);
    for (const FilterKind kind : {FilterKind::picture, FilterKind::transition})
        for (const auto& manifest : library.all())
            if (manifest->kind == kind) cases.add_examples(*manifest);
    add_scalers(cases);
    add_compositor(cases);
    add_conversions(cases);
    return cases.take();
}

std::vector<FilterCase> tune_cases(const FilterLibrary& library, const CaseOptions& options) {
    Cases cases(library, options);
    const auto matrix = [](int side) {
        std::string text;
        for (int i = 0; i < side * side; ++i)
            text += fmt::format("{}{}", i ? " " : "", 1 + i % 5);
        return text;
    };
    for (const std::string& chain :
         {std::string("eq=contrast=1.2:saturation=1.3"), std::string("colorchannelmixer=rg=0.2"),
          "convolution=matrix='" + matrix(3) + "'", "convolution=matrix='" + matrix(7) + "'",
          std::string("gblur=sigma=2")})
        cases.add_chain(chain);
    cases.add_grid("grid of four, area", {});
    cases.add(fmt::format("scale {} -> {} bicubic", cases.half.height, cases.full.height), cases.half,
              cases.full, graph::ScaleMethod::bicubic);
    cases.add_transition("fade");
    cases.add_overlay("half-size picture, opacity 0.5", [](graph::SceneLayer& l) { l.opacity = 0.5; });
    return cases.take();
}

FilterCase chain_case(const FilterLibrary& library, const std::string& chain, const CaseOptions& options) {
    Cases cases(library, options);
    cases.add_chain(chain);
    return cases.take().front();
}

} // namespace weft::bench
