// Filters that read neighbours in time: the pictures before and behind the one that is due go through the
// same steps as it does, and one text makes a picture of them all. Nothing is remembered from tick to tick,
// so that a seek, a loop and a late picture need no care; what comes before such a filter is done for each
// picture anew.
#include <algorithm>

#include "base/format.hpp"
#include "graph/planner_private.hpp"

namespace weft::graph {
namespace {

FramePath stepped(FramePath frame, int step) {
    if (step != 0) frame.push_back(step);
    return frame;
}

// Where one picture of a mix goes: the first, or one more.
struct MixPlace {
    Fetch& fetch;
    std::vector<Op>& ops;
};
MixPlace next_place(Chain& chain, bool first) {
    if (first) return {chain.a, chain.ops_a};
    Side& other = chain.others.emplace_back();
    return {other.fetch, other.ops};
}

bool any_window(const std::vector<FilterUse>& filters) {
    return std::any_of(filters.begin(), filters.end(), is_window);
}

} // namespace

int neighbours_read(const Scene& scene, int stream) {
    const auto reach = [](const std::vector<FilterUse>& filters) {
        int sum = 0; // what one filter reads, the one before it has made of neighbours as well
        for (const FilterUse& use : filters)
            if (reads_neighbours(use)) sum += use.manifest->reach();
        return sum;
    };
    int most = 0;
    for (const SceneLayer& layer : scene.layers)
        for (const ClipNode* clip : {&layer.picture.clip, &layer.picture.next})
            if (clip->stream == stream && (clip == &layer.picture.clip || layer.picture.transition))
                most = std::max(most, reach(clip->filters) + reach(layer.filters));
    return most;
}

ValueState Planner::mixed(Chain& chain, const FilterUse& use, ValueState state) const {
    chain.mix = use;
    chain.mix_ranges = ChainBuilder(chain, state, scene_.colour).ranges();
    chain.title += (chain.title.empty() ? "" : ", ") + use.manifest->name;
    if (use.manifest->clamp) {
        Op clamp;
        clamp.kind = Op::Kind::clamp;
        chain.stages[0].ops.push_back(clamp);
    }
    return state;
}

Image Planner::mix_clip(const ClipNode& node, size_t index, Mode mode, const FramePath& frame) {
    const FilterUse& use = node.filters[index];
    const std::string name = layer_name_ + " after " + use.manifest->name + frame_name(frame);
    Chain chain;
    ValueState state;
    for (const int step : use.manifest->frames) {
        Clip clip = prepare(node, mode, stepped(frame, step), index);
        if (any_window(clip.rest)) clip = Clip{whole_view(materialise_clip(clip, mode, name)), {}, {}};
        const MixPlace place = next_place(chain, step == use.manifest->frames.front());
        place.fetch = whole_fetch(clip.view);
        chain.alpha = place.fetch.image.alpha;
        chain.float_lines = chain.float_lines || place.fetch.image.deep();
        ChainBuilder builder(chain, state_of(place.fetch.image, mode), scene_.colour, scene_.tone_map);
        builder.write_into(place.ops);
        for (const std::vector<FilterUse>* filters : {&clip.folded, &clip.rest})
            for (const FilterUse& filter : *filters)
                builder.add(filter);
        builder.conform(use);
        state = builder.state();
    }
    chain.width = chain.a.width;
    chain.height = chain.a.height;
    state = mixed(chain, use, state);
    if (mode == Mode::pixels)
        ChainBuilder(chain, state, scene_.colour, scene_.tone_map).to_working(scene_.light == Light::linear);
    Image like = chain.a.image;
    if (chain.a.turn.swap) std::swap(like.log2_w, like.log2_h);
    return materialise(std::move(chain), mode, like, name);
}

void Planner::chain_layer(Chain& chain, const SceneLayer& layer, size_t count, Mode mode,
                          const Target& target, const Placement& at, const FramePath& frame, Clip clip) {
    const auto first = layer.filters.begin(), behind = first + static_cast<std::ptrdiff_t>(count);
    auto next = behind;
    while (next != first && !reads_neighbours(*(next - 1)))
        --next;
    chain.width = at.w;
    chain.height = at.h;
    std::vector<FilterUse> filters;
    ValueState state;
    if (next != first) {
        state = mix_layer(chain, layer, static_cast<size_t>(next - first) - 1, mode, target, at, frame);
    } else {
        fetch_clip(layer, std::move(clip), mode, at, chain.a, filters, true);
        state = state_of(chain.a.image, mode);
    }
    chain.alpha = chain.a.image.alpha;
    chain.float_lines = chain.float_lines || chain.a.image.deep();
    filters.insert(filters.end(), next, behind);
    ChainBuilder builder(chain, state, scene_.colour, scene_.tone_map);
    for (const FilterUse& use : filters)
        builder.add(use);
    if (mode == Mode::pixels)
        builder.to_working(scene_.light == Light::linear);
    else
        builder.to_planes(target.image);
}

ValueState Planner::mix_layer(Chain& chain, const SceneLayer& layer, size_t index, Mode mode,
                              const Target& target, const Placement& at, const FramePath& frame) {
    const FilterUse& use = layer.filters[index];
    const std::vector<FilterUse> before(layer.filters.begin(),
                                        layer.filters.begin() + static_cast<std::ptrdiff_t>(index));
    const bool apart = any_window(before) || std::any_of(before.begin(), before.end(), reads_neighbours);
    ValueState state;
    for (const int step : use.manifest->frames) {
        const FramePath path = stepped(frame, step);
        Clip clip = prepare(layer.picture.clip, mode, path);
        std::vector<FilterUse> filters = before;
        Fetch fetch;
        if (apart || any_window(clip.rest)) {
            Chain inner;
            chain_layer(inner, layer, index, mode, target, at, path, std::move(clip));
            fetch = whole_fetch(
                whole_view(materialise(std::move(inner), mode, target.image,
                                       layer_name_ + " before " + use.manifest->name + frame_name(path))));
            filters.clear();
        } else {
            fetch_clip(layer, std::move(clip), mode, at, fetch, filters, false);
            filters.insert(filters.end(), before.begin(), before.end());
        }
        const MixPlace place = next_place(chain, step == use.manifest->frames.front());
        place.fetch = std::move(fetch);
        chain.alpha = place.fetch.image.alpha;
        chain.float_lines = chain.float_lines || place.fetch.image.deep();
        ChainBuilder builder(chain, state_of(place.fetch.image, mode), scene_.colour, scene_.tone_map);
        builder.write_into(place.ops);
        for (const FilterUse& filter : filters)
            builder.add(filter);
        builder.conform(use);
        state = builder.state();
    }
    return mixed(chain, use, state);
}

} // namespace weft::graph
