#include "kernel_cases.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "base/error.hpp"
#include "base/format.hpp"
#include "content.hpp"
#include "graph/filter_manifest.hpp"

namespace weft::bench {
namespace {

using graph::FilterKind;

// Whole numbers that are no product of a row and a column, so that nobody can take the window apart.
std::string dense_matrix(int size) {
    std::string text;
    for (int i = 0; i < size * size; ++i)
        text += fmt::format("{}{}", i ? " " : "", i == size * size / 2 ? 9 : 1 + (i * 7 + i * i) % 3);
    return text;
}

std::string ffmpeg_convolution(const std::string& matrix) {
    return fmt::format("convolution='{0}:{0}:{0}:{0}'", matrix);
}

std::string through_rgb(const std::string& filter) {
    return "format=gbrp," + filter + ",format=yuv420p";
}

class Cases {
  public:
    Cases(const graph::FilterLibrary& library, Size all)
        : full(all), half{all.width / 2, all.height / 2}, library_(library) {}

    const Size full, half;

    KernelCase& add(const std::string& title, const std::string& chain, const std::string& ffmpeg) {
        return add(title, chain, ffmpeg, full, full);
    }
    KernelCase& add(const std::string& title, const std::string& chain, const std::string& ffmpeg, Size in,
                    Size out, graph::ScaleMethod scale = graph::ScaleMethod::automatic) {
        KernelCase& row = begin(title, ffmpeg, in, out, scale);
        if (!chain.empty())
            for (const graph::FilterSpec& spec : graph::parse_filter_chain(chain))
                layer(row).picture.clip.filters.push_back(use(FilterKind::picture, spec));
        return row;
    }

    KernelCase& add_transition(const std::string& title, const std::string& text, const std::string& xfade) {
        const std::string ffmpeg =
            xfade.empty() ? "" : "xfade=transition=" + xfade + ":duration=$DURATION:offset=0";
        KernelCase& row = begin(title, ffmpeg, full, full, graph::ScaleMethod::automatic);
        row.transition = true;
        row.scene.streams.push_back(row.scene.streams.front());
        layer(row).picture.transition = use(FilterKind::transition, graph::parse_filter_string(text));
        layer(row).picture.next.stream = 1;
        layer(row).picture.transition_index = 0;
        return row;
    }

    // Four pictures side by side, each through the chain at half its size.
    void add_grid(const std::string& title, const std::string& chain) {
        KernelCase& row = begin(title, "", full, full, graph::ScaleMethod::area);
        layer(row).w = half.width;
        layer(row).h = half.height;
        for (const graph::FilterSpec& spec : graph::parse_filter_chain(chain))
            layer(row).filters.push_back(use(FilterKind::picture, spec));
        for (int tile = 1; tile < 4; ++tile) {
            row.scene.streams.push_back(row.scene.streams.front());
            graph::SceneLayer next = layer(row);
            next.picture.clip.stream = tile;
            next.x = (tile % 2) * half.width;
            next.y = (tile / 2) * half.height;
            next.name = fmt::format("layers[{}]", tile);
            row.scene.layers.push_back(next);
        }
    }

    // A second picture over the first: a quarter of its size, changed by `change`.
    template<class Change>
    void add_overlay(const std::string& title, Change change) {
        KernelCase& row = begin(title, "", full, full, graph::ScaleMethod::automatic);
        row.scene.streams.push_back(row.scene.streams.front());
        graph::SceneLayer over = layer(row);
        over.picture.clip.stream = 1;
        over.x = 301;
        over.y = 201;
        over.w = half.width;
        over.h = half.height;
        over.name = "layers[1]";
        change(over);
        row.scene.layers.push_back(over);
    }

    // Ten bits of PQ on an SDR canvas.
    void add_tone_map(colour::ToneMap map, const std::string& ffmpeg) {
        KernelCase& row =
            begin("PQ to SDR, " + colour::name(map), ffmpeg, full, full, graph::ScaleMethod::automatic);
        row.tags = "colorspace=bt2020nc:color_trc=smpte2084:color_primaries=bt2020:range=tv";
        row.scene.tone_map = map;
        colour::PictureFormat& stream = row.scene.streams.front();
        stream.pixels = colour::pixel_format("yuv420p10le");
        stream.colour.matrix = colour::Matrix::bt2020;
        stream.colour.primaries = colour::Primaries::bt2020;
        stream.colour.transfer = colour::Transfer::pq;
    }

    void add_deinterlace() {
        KernelCase& row = begin("deinterlace", "bwdif=mode=send_frame:parity=tff:deint=all", full, full,
                                graph::ScaleMethod::automatic);
        layer(row).picture.clip.deinterlace = true;
    }

    // Whatever the library holds and no row uses yet, with its defaults.
    void add_the_rest(const std::string& cube, const std::string& mask) {
        for (const auto& manifest : library_.all()) {
            if (manifest->kind == FilterKind::generator || used_.contains({manifest->kind, manifest->name}))
                continue;
            std::string text = manifest->name;
            for (const graph::ParamSpec& p : manifest->params)
                if (p.required && p.type == graph::ParamType::file)
                    text +=
                        "=" + p.name + "='" + (manifest->kind == FilterKind::transition ? mask : cube) + "'";
            if (manifest->kind == FilterKind::transition)
                add_transition(manifest->name, text, "");
            else if (manifest->maker == "crop")
                add("crop to a quarter", "crop=w=in_w/2:h=in_h/2", "", full, half);
            else if (manifest->maker == "transpose")
                add(manifest->name, text, "", full, {full.height, full.width});
            else
                add(manifest->name, text, "");
        }
    }

    std::vector<KernelCase> take() { return std::move(rows_); }

  private:
    KernelCase& begin(const std::string& title, const std::string& ffmpeg, Size in, Size out,
                      graph::ScaleMethod scale) {
        KernelCase row;
        row.title = title;
        row.ffmpeg = ffmpeg;
        row.in = in;
        row.scene.width = out.width;
        row.scene.height = out.height;
        row.scene.rate = 25;
        const colour::PictureFormat format = format_420(out.width, out.height);
        row.scene.colour = format.colour;
        row.scene.outputs.push_back({format});
        row.scene.streams.push_back(format_420(in.width, in.height));
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

    static graph::SceneLayer& layer(KernelCase& row) { return row.scene.layers.front(); }

    graph::FilterUse use(FilterKind kind, const graph::FilterSpec& spec) {
        std::vector<Error> errors;
        const auto found = library_.use(kind, spec, errors);
        if (!found) throw Errors(std::move(errors));
        used_.insert({kind, spec.name});
        return *found;
    }

    const graph::FilterLibrary& library_;
    std::set<std::pair<FilterKind, std::string>> used_;
    std::vector<KernelCase> rows_;
};

void add_windows(Cases& cases) {
    const struct {
        const char* title;
        std::string matrix;
        double goal;
    } windows[] = {{"convolution 3x3 cross", "0 -1 0 -1 5 -1 0 -1 0", 6},
                   {"convolution 3x3 dense", dense_matrix(3), 6},
                   {"convolution 5x5", dense_matrix(5), 20},
                   {"convolution 7x7", dense_matrix(7), 20}};
    for (const auto& window : windows)
        cases
            .add(window.title, "convolution=matrix='" + window.matrix + "'",
                 ffmpeg_convolution(window.matrix))
            .goal = window.goal;
    cases.add("gblur sigma 1.5", "gblur=sigma=1.5", "gblur=sigma=1.5").goal = 2.5;
    cases.add("gblur sigma 5", "gblur=sigma=5", "gblur=sigma=5");
    cases.add("gblur sigma 20", "gblur=sigma=20", "gblur=sigma=20").goal = 1;
    cases.add("unsharp 5x5", "unsharp", "unsharp");
}

void add_points(Cases& cases, const std::string& cube) {
    const std::string eq = "eq=brightness=0.05:contrast=1.2:saturation=1.3";
    const std::string gamma = "eq=gamma=1.3:contrast=1.1";
    const std::string mixer = "colorchannelmixer=rr=.7:rg=.2:rb=.1:gr=.1:gg=.8:gb=.1:br=.1:bg=.2:bb=.7";
    cases.add("eq", eq, eq).goal = 1;
    cases.add("eq with gamma", gamma, gamma);
    cases.add("hue", "hue=h=30:s=1.2", "hue=h=30:s=1.2");
    cases.add("colorchannelmixer", mixer, through_rgb(mixer)).goal = 12;
    const std::string lut = "lut3d=file='" + cube + "':interp=tetrahedral";
    cases.add("lut3d 33^3 tetrahedral", lut, through_rgb(lut)).goal = 5;
    cases.add("curves", "curves=preset=vintage", through_rgb("curves=preset=vintage"));
    cases.add("vignette", "vignette", "vignette=dither=0");
    KernelCase& chain = cases.add(
        "eq, hue, colorchannelmixer, eq, vignette",
        eq + ",hue=h=30:s=1.2," + mixer + ",eq=contrast=0.9:brightness=-0.02,vignette",
        eq + ",hue=h=30:s=1.2," + through_rgb(mixer) + ",eq=contrast=0.9:brightness=-0.02,vignette=dither=0");
    chain.beside = "colorchannelmixer";
    chain.at_most = 1.3;
}

void add_scalers(Cases& cases) {
    using graph::ScaleMethod;
    const Size full = cases.full, half = cases.half, two_thirds{full.width * 2 / 3, full.height * 2 / 3};
    const auto scale = [&](Size in, Size out, const char* method, ScaleMethod way) {
        cases.add(fmt::format("scale {} -> {} {}", in.height, out.height, method), "",
                  fmt::format("scale={}:{}:flags={}", out.width, out.height, method), in, out, way);
    };
    scale(full, half, "area", ScaleMethod::area);
    scale(full, two_thirds, "area", ScaleMethod::area);
    scale(full, two_thirds, "bicubic", ScaleMethod::bicubic);
    scale(half, full, "bicubic", ScaleMethod::bicubic);
}

void add_scenes(Cases& cases) {
    const std::string eq = "eq=brightness=0.05:contrast=1.2:saturation=1.3";
    cases.add_grid("grid of four, area, eq, 3x3", eq + ",convolution=matrix='0 -1 0 -1 5 -1 0 -1 0'");
    cases.add_grid("grid of four, area, eq, 7x7", eq + ",convolution=matrix='" + dense_matrix(7) + "'");
    cases.add_overlay("half-size picture, opacity 0.5", [](graph::SceneLayer& l) { l.opacity = 0.5; });
    cases.add_overlay("half-size picture, screen",
                      [](graph::SceneLayer& l) { l.blend = graph::Blend::screen; });
    cases.add_overlay("half-size picture, turned by 10",
                      [](graph::SceneLayer& l) { l.rotation_degrees = 10; });
    cases.add_overlay("half-size picture, lanczos",
                      [](graph::SceneLayer& l) { l.scale = graph::ScaleMethod::lanczos; });
}

} // namespace

std::vector<KernelCase> kernel_cases(const graph::FilterLibrary& library, const std::string& cube,
                                     const std::string& mask, Size full) {
    Cases cases(library, full);
    cases.add("no filter", "", "");
    add_windows(cases);
    add_points(cases, cube);
    cases.add_transition("fade between two", "fade", "fade");
    cases.add_transition("wipeleft", "wipeleft", "wipeleft").goal = 10;
    cases.add_transition("dissolve", "dissolve", "dissolve");
    add_scalers(cases);
    add_scenes(cases);
    cases.add_deinterlace();
    cases.add_tone_map(colour::ToneMap::bt2390, "");
    cases.add_tone_map(
        colour::ToneMap::hable,
        "zscale=t=linear:npl=203,format=gbrpf32le,zscale=p=bt709,tonemap=hable:desat=0:peak=4.926,"
        "zscale=t=iec61966-2-1:m=bt709:r=tv,format=yuv420p");
    cases.add_the_rest(cube, mask);
    return cases.take();
}

} // namespace weft::bench
