#include "graph/planner.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numeric>

#include "base/format.hpp"
#include "base/text_file.hpp"
#include "graph/planner_private.hpp"
#include "graph/work_private.hpp"

namespace weft::graph {
namespace {

const char* fit_name(Fit fit) {
    constexpr const char* names[] = {"contain", "cover", "fill", "none"};
    return names[static_cast<int>(fit)];
}

} // namespace

Planner::Planner(const Scene& scene, const DeviceTraits& device, const PlannerOptions& options)
    : scene_(scene), device_(device), options_(options), context_{device, options.shapes, plan_.buffers, 1.0},
      texts_(options.prelude) {
    WEFT_CHECK(scene.width > 0 && scene.height > 0);
    context_.aspect = static_cast<double>(scene.width) / scene.height;
}

ValueState Planner::state_of(const Image& image, Mode mode) const {
    ValueState state;
    state.planes = mode == Mode::planes;
    state.meaning = image.meaning;
    state.colour = image.colour;
    state.peak_nits = image.peak_nits;
    state.linear = image.linear;
    state.premultiplied = image.premultiplied;
    return state;
}

void Planner::add_body(Body body) {
    bodies_.push_back(std::move(body));
}

int Planner::add_planes(const Target& target, const PlacedLayer& layer, const Cell& cell) {
    int depth = 0;
    for (int c = 0; c < target.image.colours(); ++c) {
        if (auto turned = turned_straight(target, c, layer, cell)) {
            depth = std::max(depth, turned->depth);
            add_body(*std::move(turned));
            continue;
        }
        const double cost = plane_cost(texts_, layer.chain.stages[0].ops, c);
        if (gpu())
            if (auto bodies = gpu_table_bodies(context_, target, c, layer, cell, cost)) {
                count_plane(bodies->plane, texts_, target, c, layer, cell);
                depth = std::max(depth, bodies->plane.depth);
                add_body(std::move(bodies->table));
                add_body(std::move(bodies->plane));
                continue;
            }
        Body body = gpu() ? gpu_plane_body(context_, target, c, layer, cell)
                          : cpu_plane_body(context_, target, c, layer, cell, cost);
        count_plane(body, texts_, target, c, layer, cell);
        depth = std::max(depth, body.depth);
        add_body(std::move(body));
    }
    return depth;
}

int Planner::add_pixels(const Target& target, const std::vector<PlacedLayer>& layers, const Cell& cell,
                        const std::vector<Op>& to_target) {
    Body body;
    if (cell.layers.size() == 1 && !to_target.empty() &&
        quad_applies(target, layers[static_cast<size_t>(cell.layers[0])], cell)) {
        const PlacedLayer& layer = layers[static_cast<size_t>(cell.layers[0])];
        body = gpu() ? gpu_quad_body(context_, target, layer, cell, to_target)
                     : quad_body(context_, target, layer, cell, to_target);
        count_quad(body, texts_, target, layer, cell, to_target);
    } else {
        body = gpu() ? gpu_pixel_body(context_, target, layers, cell, to_target)
                     : cpu_pixel_body(context_, target, layers, cell, to_target);
        count_pixels(body, texts_, target, layers, cell, to_target);
    }
    const int depth = body.depth;
    add_body(std::move(body));
    return depth;
}

Planner::Clip Planner::prepare(const ClipNode& node, Mode mode, const FramePath& frame, size_t count) {
    Clip clip;
    clip.view = view_of(clip_image(node, frame), scene_.streams[static_cast<size_t>(node.stream)]);
    if (node.crop.w > 0 && node.crop.h > 0)
        crop(clip.view, node.crop.x, node.crop.y, node.crop.w, node.crop.h);
    const auto become = [&](const Image& image) {
        const double aspect = clip.view.sample_aspect;
        clip = Clip{whole_view(image), {}, {}};
        clip.view.sample_aspect = aspect;
    };
    for (size_t i = 0; i < std::min(count, node.filters.size()); ++i) {
        const FilterUse& use = node.filters[i];
        if (is_identity(use)) continue;
        if (reads_neighbours(use)) {
            become(mix_clip(node, i, mode, frame));
            continue;
        }
        if (use.manifest->geometry) {
            if (!clip.rest.empty())
                become(materialise_clip(clip, mode, layer_name_ + " before " + use.manifest->name));
            const Geometry g = geometry_of(use, static_cast<int>(clip.view.w), static_cast<int>(clip.view.h));
            crop(clip.view, g.x, g.y, g.w, g.h);
            if (g.swap) transpose(clip.view);
            if (g.flip_x) flip_x(clip.view);
            if (g.flip_y) flip_y(clip.view);
            continue;
        }
        const bool folds = clip.rest.empty() && !is_window(use) && !position_dependent(use) &&
                           use.manifest->maker.empty() && use.manifest->light != LightNeed::linear;
        (folds ? clip.folded : clip.rest).push_back(use);
    }
    return clip;
}

Fetch Planner::whole_fetch(const View& view) {
    Fetch fetch;
    fetch.image = view.image;
    fetch.turn = view.turn;
    fetch.x = std::floor(view.x);
    fetch.y = std::floor(view.y);
    fetch.width = static_cast<int>(std::lround(view.w));
    fetch.height = static_cast<int>(std::lround(view.h));
    fetch.w = fetch.width;
    fetch.h = fetch.height;
    stand_upright(fetch);
    return fetch;
}

Image Planner::materialise_clip(const Clip& clip, Mode mode, const std::string& name) {
    Chain chain;
    const Fetch& fetch = chain.a = whole_fetch(clip.view);
    chain.width = fetch.width;
    chain.height = fetch.height;
    chain.alpha = fetch.image.alpha;
    chain.float_lines = fetch.image.deep();
    ChainBuilder builder(chain, state_of(fetch.image, mode), scene_.colour, scene_.tone_map);
    for (const FilterUse& use : clip.folded)
        builder.add(use);
    for (const FilterUse& use : clip.rest)
        builder.add(use);
    if (mode == Mode::pixels) builder.to_working(scene_.light == Light::linear);
    Image like = clip.view.image;
    if (clip.view.turn.swap) std::swap(like.log2_w, like.log2_h);
    return materialise(std::move(chain), mode, like, name);
}

Image Planner::materialise(Chain chain, Mode mode, const Image& like, const std::string& name) {
    cut(chain, mode, like);
    const bool floats = chain.float_lines;
    Image image = mode == Mode::planes ? new_image(name, like, chain.width, chain.height, floats)
                                       : new_pixels(name, chain.width, chain.height, chain.alpha, floats);
    Target target;
    target.image = image;
    target.keep_alpha = chain.alpha && mode == Mode::pixels;
    target.background = {0, 0, 0, target.keep_alpha ? 0.0 : 1.0};
    PlacedLayer layer;
    layer.w = chain.width;
    layer.h = chain.height;
    layer.chain = std::move(chain);
    const Cell cell{0, 0, layer.w, layer.h, {0}};
    int depth = 0;
    if (mode == Mode::planes) {
        depth = add_planes(target, layer, cell);
        image.alpha = false;
    } else {
        depth = add_pixels(target, {layer}, cell, {});
    }
    image.depth = depth;
    return image;
}

Placement Planner::placed(const SceneLayer& layer, const View& view, const Target& target) const {
    const bool ycc = target.image.meaning == Meaning::ycc && !target.image.gray;
    const double w = layer.w > 0 ? layer.w : scene_.width, h = layer.h > 0 ? layer.h : scene_.height;
    return place(view, layer.x, layer.y, w, h, layer.fit, ycc ? 1 << target.image.log2_w : 1,
                 ycc ? 1 << target.image.log2_h : 1, target.image.width, target.image.height);
}

bool Planner::planes_allowed(const SceneLayer& layer, const Target& target) {
    layer_name_ = layer.name.empty() ? "layer" : layer.name;
    if (!options_.planes || scene_.light == Light::linear || target.keep_alpha) return false;
    if (layer.opacity < 1 || layer.blend != Blend::normal || std::fmod(layer.rotation_degrees, 360.0) != 0)
        return false;
    const auto clip_ok = [&](const ClipNode& clip) {
        const Image image = stream_image(clip.stream);
        if (image.alpha || image.meaning != target.image.meaning || image.gray != target.image.gray)
            return false;
        if (image.meaning == Meaning::ycc && !image.gray && image.colour.matrix != target.image.colour.matrix)
            return false;
        if (!colour::same_primaries(image.colour.primaries, target.image.colour.primaries)) return false;
        const colour::Transfer from = image.colour.transfer, to = target.image.colour.transfer;
        if (from != to && (is_hdr(from) || is_hdr(to))) return false;
        return runs_on_planes(clip.filters, image.meaning);
    };
    if (!clip_ok(layer.picture.clip) || !runs_on_planes(layer.filters, target.image.meaning)) return false;
    if (!layer.picture.transition) return true;
    const FilterManifest& m = *layer.picture.transition->manifest;
    if (m.space != Space::any || !per_component(m) || !clip_ok(layer.picture.next)) return false;
    const Clip a = prepare(layer.picture.clip, Mode::planes), b = prepare(layer.picture.next, Mode::planes);
    const Placement pa = placed(layer, a.view, target), pb = placed(layer, b.view, target);
    return pa.x == pb.x && pa.y == pb.y && pa.w == pb.w && pa.h == pb.h;
}

void Planner::fetch_clip(const SceneLayer& layer, Clip clip, Mode mode, const Placement& at, Fetch& fetch,
                         std::vector<FilterUse>& point_filters, bool keep_window) {
    const bool scaled =
        at.sw != at.w || at.sh != at.h || at.sx != std::floor(at.sx) || at.sy != std::floor(at.sy);
    const bool windows = std::any_of(clip.rest.begin(), clip.rest.end(), is_window);
    const bool whole =
        at.sx == clip.view.x && at.sy == clip.view.y && at.sw == clip.view.w && at.sh == clip.view.h;
    // Where a picture is displaced, what depends on the place in it goes with it.
    const bool carried = layer.picture.transition && displaces(*layer.picture.transition->manifest) &&
                         std::any_of(clip.rest.begin(), clip.rest.end(),
                                     [](const FilterUse& use) { return reads_place(use.manifest->text); });
    Placement p = at;
    const bool alpha_needs_weight = clip.view.image.alpha && !clip.view.image.premultiplied && scaled;
    if ((!clip.rest.empty() && (scaled || !whole || carried || (windows && !keep_window))) ||
        alpha_needs_weight) {
        const double x = clip.view.x, y = clip.view.y;
        const Image image = materialise_clip(clip, mode, layer_name_ + " at the source's size");
        clip.view = whole_view(image);
        clip.folded.clear();
        clip.rest.clear();
        p.sx -= std::floor(x);
        p.sy -= std::floor(y);
    }
    fetch.image = clip.view.image;
    fetch.turn = clip.view.turn;
    fetch.x = p.sx;
    fetch.y = p.sy;
    fetch.w = p.sw;
    fetch.h = p.sh;
    fetch.width = p.w;
    fetch.height = p.h;
    fetch.method = layer.scale;
    stand_upright(fetch);
    point_filters = clip.folded;
    point_filters.insert(point_filters.end(), clip.rest.begin(), clip.rest.end());
}

PlacedLayer Planner::build(const SceneLayer& layer, Mode mode, const Target& target) {
    layer_name_ = layer.name.empty() ? "layer" : layer.name;
    PlacedLayer placed_layer;
    placed_layer.name = layer_name_;
    placed_layer.opacity = layer.opacity;
    placed_layer.blend = layer.blend;
    Chain& chain = placed_layer.chain;
    Clip a = prepare(layer.picture.clip, mode);
    Placement at = placed(layer, a.view, target);
    const bool linear = scene_.light == Light::linear;
    const std::string scale_note =
        at.sw != at.w || at.sh != at.h ? fmt::format("scale to {}x{}", at.w, at.h) : "";
    chain.title = scale_note;

    std::optional<Clip> b;
    Placement at_b = at;
    if (layer.picture.transition) {
        b = prepare(layer.picture.next, mode);
        at_b = placed(layer, b->view, target);
        const bool same = at.x == at_b.x && at.y == at_b.y && at.w == at_b.w && at.h == at_b.h;
        if (!same) {
            // Pictures of different shape: each is laid into the whole rectangle first, with nothing around
            // it.
            const auto lay = [&](const Clip& clip, const Placement& p, const char* side) {
                const double w = layer.w > 0 ? layer.w : scene_.width,
                             h = layer.h > 0 ? layer.h : scene_.height;
                const int x0 = static_cast<int>(std::lround(layer.x)),
                          y0 = static_cast<int>(std::lround(layer.y));
                Image image = new_pixels(layer_name_ + " " + side, static_cast<int>(std::lround(w)),
                                         static_cast<int>(std::lround(h)), true, clip.view.image.deep());
                PlacedLayer inner;
                std::vector<FilterUse> filters;
                fetch_clip(layer, clip, mode, p, inner.chain.a, filters, false);
                inner.chain.width = p.w;
                inner.chain.height = p.h;
                inner.chain.alpha = inner.chain.a.image.alpha;
                inner.chain.float_lines = inner.chain.a.image.deep();
                ChainBuilder builder(inner.chain, state_of(inner.chain.a.image, mode), scene_.colour,
                                     scene_.tone_map);
                for (const FilterUse& use : filters)
                    builder.add(use);
                builder.to_working(linear);
                inner.x = p.x - x0;
                inner.y = p.y - y0;
                inner.w = p.w;
                inner.h = p.h;
                Target t;
                t.image = image;
                t.keep_alpha = true;
                t.background = {0, 0, 0, 0};
                int depth = 0;
                for (const Cell& cell : cut_canvas(image.width, image.height, 1, 1, {inner}))
                    depth = std::max(depth, add_pixels(t, {inner}, cell, {}));
                image.depth = depth;
                return image;
            };
            const Image ia = lay(a, at, "first"), ib = lay(*b, at_b, "second");
            a = Clip{whole_view(ia), {}, {}};
            b = Clip{whole_view(ib), {}, {}};
            Placement all;
            all.x = static_cast<int>(std::lround(layer.x));
            all.y = static_cast<int>(std::lround(layer.y));
            all.w = ia.width;
            all.h = ia.height;
            all.sw = ia.width;
            all.sh = ia.height;
            at = at_b = all;
        }
    }

    chain.width = at.w;
    chain.height = at.h;
    if (b) {
        if (const auto timed = std::find_if(layer.filters.begin(), layer.filters.end(), reads_neighbours);
            timed != layer.filters.end())
            throw Error(
                ErrorKind::unsupported,
                fmt::format("filter '{}' reads neighbours in time, which a transition has none of: it "
                            "belongs to the filters of what the track plays",
                            timed->manifest->name),
                timed->place);
        std::vector<FilterUse> filters_a, filters_b;
        fetch_clip(layer, a, mode, at, chain.a, filters_a, false);
        chain.alpha = chain.a.image.alpha;
        chain.float_lines = chain.a.image.deep();
        ChainBuilder builder(chain, state_of(chain.a.image, mode), scene_.colour, scene_.tone_map);
        Side& other = chain.others.emplace_back();
        fetch_clip(layer, *b, mode, at_b, other.fetch, filters_b, false);
        chain.alpha = chain.alpha || other.fetch.image.alpha;
        chain.float_lines = chain.float_lines || other.fetch.image.deep();
        ChainBuilder second(chain, state_of(other.fetch.image, mode), scene_.colour, scene_.tone_map);
        const auto finish = [&](ChainBuilder& side, const std::vector<FilterUse>& filters,
                                std::vector<Op>& ops) {
            side.write_into(ops);
            for (const FilterUse& use : filters)
                side.add(use);
            if (mode == Mode::pixels)
                side.to_working(linear);
            else
                side.to_planes(target.image);
        };
        finish(builder, filters_a, chain.ops_a);
        finish(second, filters_b, other.ops);
        chain.mix = layer.picture.transition;
        chain.transition_index = layer.picture.transition_index;
        chain.mix_ranges = stored_ranges(target.image);
        if (mode == Mode::pixels) {
            Image rgb;
            rgb.meaning = Meaning::rgb;
            chain.mix_ranges = stored_ranges(rgb);
        }
        const auto file = chain.mix->values.find("file");
        if (file != chain.mix->values.end()) {
            if (!options_.load_mask)
                throw Error(ErrorKind::unsupported, "this caller cannot read mask pictures");
            const Mask mask = options_.load_mask(std::get<std::string>(file->second));
            LookupTable table;
            table.dimensions = 2;
            table.size = mask.width;
            table.values = mask.values;
            chain.mask = std::make_shared<const LookupTable>(std::move(table));
        }
        chain.title += (chain.title.empty() ? "" : ", ") + chain.mix->manifest->name;
        ValueState mixed = builder.state();
        if (mode == Mode::planes) mixed.colour = target.image.colour;
        ChainBuilder after(chain, mixed, scene_.colour, scene_.tone_map);
        for (const FilterUse& use : layer.filters)
            after.add(use);
        if (mode == Mode::pixels) after.to_working(linear);
    } else {
        chain_layer(chain, layer, layer.filters.size(), mode, target, at, {}, std::move(a));
    }
    cut(chain, mode, target.image);
    placed_layer.x = at.x;
    placed_layer.y = at.y;
    placed_layer.w = at.w;
    placed_layer.h = at.h;
    double turn = std::fmod(layer.rotation_degrees, 360.0);
    if (turn < 0) turn += 360;
    if (turn != 0) {
        // The layer as a picture of its own, with alpha, then sampled.
        if (!chain.alpha) {
            chain.alpha = true; // opaque pixels; the border is what turns transparent
            if (!chain.a.image.alpha) chain.title += " (turned)";
        }
        const Image image =
            materialise(chain, Mode::pixels, target.image, layer_name_ + " before its rotation");
        Chain turned;
        turned.a.image = image;
        turned.alpha = true;
        turned.title = fmt::format("rotate {:g} degrees", turn);
        placed_layer.chain = std::move(turned);
        placed_layer.rotation = turn;
    }
    if (!scale_note.empty())
        plan_.report.push_back(fmt::format("{}: {}x{} -> {}x{} at {},{} ({})", layer_name_,
                                           std::lround(at.sw), std::lround(at.sh), at.w, at.h, at.x, at.y,
                                           fit_name(layer.fit)));
    note_light(layer.picture.clip);
    if (layer.picture.transition) note_light(layer.picture.next);
    return placed_layer;
}

bool Planner::dithers(const std::vector<int>& layers) const {
    if (scene_.dither) return *scene_.dither;
    if (scene_.light == Light::linear) return true;
    const auto is_deep_clip = [&](const ClipNode& clip) {
        const colour::PictureFormat& format = scene_.streams[static_cast<size_t>(clip.stream)];
        return format.pixels.is_float || format.pixels.depth() > 8 || is_hdr(format.colour.transfer);
    };
    return std::any_of(layers.begin(), layers.end(), [&](int layer) {
        const PictureNode& picture = scene_.layers[static_cast<size_t>(layer)].picture;
        return is_deep_clip(picture.clip) || (picture.transition && is_deep_clip(picture.next));
    });
}

void Planner::note_light(const ClipNode& clip) {
    const colour::PictureFormat& stream = scene_.streams[static_cast<size_t>(clip.stream)];
    const colour::Transfer transfer = stream.colour.transfer;
    if (!is_hdr(transfer) || is_hdr(scene_.colour.transfer)) return;
    plan_.report.push_back(fmt::format("{}: {} is tone mapped by {}, its peak taken as {:.0f} cd/m2",
                                       layer_name_, colour::name(transfer), colour::name(scene_.tone_map),
                                       colour::source_peak(transfer, stream.peak_nits) * colour::sdr_white));
}

std::vector<Op> Planner::to_target(const Target& target) {
    // From working RGB (display or linear, premultiplied) to the target's stored values.
    Chain chain;
    chain.alpha = target.keep_alpha;
    Image working;
    working.meaning = Meaning::rgb;
    working.colour = scene_.colour;
    working.linear = scene_.light == Light::linear;
    working.premultiplied = true;
    ChainBuilder builder(chain, state_of(working, Mode::pixels), target.image.colour, scene_.tone_map);
    builder.to_working(false);
    std::vector<Op> ops = chain.stages[0].ops;
    if (target.keep_alpha) {
        Op straight;
        straight.kind = Op::Kind::unpremultiply;
        ops.push_back(straight);
    }
    if (target.image.meaning == Meaning::ycc) {
        Op matrix;
        matrix.kind = Op::Kind::matrix;
        colour::ColourSpec spec = target.image.colour;
        if (target.image.gray && spec.matrix == colour::Matrix::rgb) spec.matrix = colour::Matrix::bt709;
        matrix.affine = colour::rgb_to_stored(spec);
        ops.push_back(matrix);
    }
    return ops;
}

void Planner::paint(Target target, const std::vector<SceneLayer>& scene_layers) {
    const bool eight_bits = target.image.components[0].sample.type == SampleType::u8;
    const bool ycc = target.image.meaning == Meaning::ycc && !target.image.gray;
    const int gx = ycc ? 1 << target.image.log2_w : 1, gy = ycc ? 1 << target.image.log2_h : 1;
    // First where everything is, from placements alone; then only what is visible is built.
    std::vector<PlacedLayer> outline;
    std::vector<bool> planes;
    for (const SceneLayer& layer : scene_layers) {
        PlacedLayer place;
        planes.push_back(planes_allowed(layer, target));
        place = build(layer, planes.back() ? Mode::planes : Mode::pixels, target);
        outline.push_back(std::move(place));
    }
    std::vector<PlacedLayer> pixels(outline.size());
    std::vector<bool> built(outline.size(), false);
    const std::vector<Op> convert = to_target(target);
    const std::vector<Cell> cells = cut_canvas(target.image.width, target.image.height, gx, gy, outline);
    for (const Cell& cell : cells) {
        target.dither = eight_bits && dithers(cell.layers);
        if (cell.layers.size() == 1 && planes[static_cast<size_t>(cell.layers[0])]) {
            add_planes(target, outline[static_cast<size_t>(cell.layers[0])], cell);
            // A target with alpha never comes here: its layers run through pixels.
            continue;
        }
        for (const int number : cell.layers) {
            const auto i = static_cast<size_t>(number);
            if (built[i]) continue;
            pixels[i] = planes[i] ? build(scene_layers[i], Mode::pixels, target) : outline[i];
            built[i] = true;
        }
        add_pixels(target, pixels, cell, convert);
    }
}

Plan Planner::run() {
    for (size_t o = 0; o < scene_.outputs.size(); ++o) {
        plan_.outputs.push_back({scene_.outputs[o].format});
        Target target;
        target.image = output_image(static_cast<int>(o));
        target.background = scene_.background;
        target.keep_alpha = target.image.alpha;
        if (scene_.filters.empty()) {
            paint(target, scene_.layers);
            continue;
        }
        // The canvas as a picture, then its filters on the way to the output.
        Target canvas;
        canvas.background = scene_.background;
        if (const auto timed = std::find_if(scene_.filters.begin(), scene_.filters.end(), reads_neighbours);
            timed != scene_.filters.end())
            throw Error(ErrorKind::unsupported,
                        fmt::format("filter '{}' reads neighbours in time, which the canvas has none of: it "
                                    "belongs to the filters of an input or a layer",
                                    timed->manifest->name),
                        timed->place);
        bool planes = runs_on_planes(scene_.filters, target.image.meaning) && !target.keep_alpha;
        for (const SceneLayer& layer : scene_.layers)
            planes = planes && planes_allowed(layer, target);
        const Mode mode = planes ? Mode::planes : Mode::pixels;
        canvas.keep_alpha = target.keep_alpha;
        canvas.image = planes
                           ? new_image("canvas", target.image, target.image.width, target.image.height, false)
                           : new_pixels("canvas", target.image.width, target.image.height, target.keep_alpha,
                                        scene_.light == Light::linear);
        paint(canvas, scene_.layers);
        for (const Body& body : bodies_)
            canvas.image.depth = std::max(canvas.image.depth, body.depth);
        PlacedLayer whole;
        whole.w = target.image.width;
        whole.h = target.image.height;
        Chain& chain = whole.chain;
        chain.a.image = canvas.image;
        chain.a.w = chain.a.width = chain.width = whole.w;
        chain.a.h = chain.a.height = chain.height = whole.h;
        chain.alpha = target.keep_alpha;
        layer_name_ = "canvas";
        ChainBuilder builder(chain, state_of(canvas.image, mode), scene_.colour, scene_.tone_map);
        for (const FilterUse& use : scene_.filters)
            builder.add(use);
        if (mode == Mode::pixels) builder.to_working(scene_.light == Light::linear);
        cut(chain, mode, target.image);
        std::vector<int> all(scene_.layers.size());
        std::iota(all.begin(), all.end(), 0);
        target.dither = target.image.components[0].sample.type == SampleType::u8 && dithers(all);
        const Cell cell{0, 0, whole.w, whole.h, {0}};
        if (planes) {
            add_planes(target, whole, cell);
        } else {
            Target last = target;
            if (target.keep_alpha) last.background = {0, 0, 0, 0};
            add_pixels(last, {whole}, cell, to_target(target));
        }
    }
    add_turns();
    assemble(plan_, std::move(bodies_), device_, options_.prelude);
    return std::move(plan_);
}

Plan make_plan(const Scene& scene, const DeviceTraits& device, const PlannerOptions& options) {
    return Planner(scene, device, options).run();
}

std::string load_prelude(const std::string& kernels_folder) {
    std::vector<std::filesystem::path> files;
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator(kernels_folder, none))
        if (entry.path().extension() == ".cl") files.push_back(entry.path());
    if (files.empty()) throw Error(ErrorKind::not_found, "no kernels in " + kernels_folder);
    std::sort(files.begin(), files.end());
    std::string text;
    for (const auto& file : files)
        text += read_text(file) + "\n";
    return text;
}

} // namespace weft::graph
