#include "engine/scene_plans_private.hpp"

#include <algorithm>
#include <chrono>
#include <set>

#include "base/error.hpp"
#include "base/log.hpp"
#include "media/video_decoder.hpp"

namespace weft::engine {
namespace {

bool same(const graph::PlanBuffer& a, const graph::PlanBuffer& b) {
    return a.bytes == b.bytes && a.slot == b.slot && a.initial == b.initial;
}

bool same(const graph::Pass& a, const graph::Pass& b) {
    return a.kernel == b.kernel && a.global == b.global && a.local == b.local && a.args == b.args &&
           a.text == b.text;
}

bool same(const graph::Plan& a, const graph::Plan& b) {
    const auto equal = [](const auto& x, const auto& y) { return same(x, y); };
    return std::equal(a.passes.begin(), a.passes.end(), b.passes.begin(), b.passes.end(), equal) &&
           std::equal(a.buffers.begin(), a.buffers.end(), b.buffers.begin(), b.buffers.end(), equal);
}

// What the planner looks at in a stream's format.
bool same_format(const colour::PictureFormat& a, const colour::PictureFormat& b) {
    return a.width == b.width && a.height == b.height && a.pixels == b.pixels && a.colour == b.colour &&
           a.sample_aspect == b.sample_aspect && a.rotation == b.rotation && a.mirror == b.mirror &&
           a.premultiplied == b.premultiplied && a.peak_nits == b.peak_nits;
}

} // namespace

graph::Mask load_mask(const std::string& file) {
    media::VideoDecoder decoder(std::make_shared<media::Input>(file));
    const auto frame = decoder.next();
    if (!frame) throw Error(ErrorKind::bad_input, "mask '" + file + "' holds no picture");
    const colour::PictureFormat& format = *frame->format();
    const colour::PixelFormat& pixels = format.pixels;
    if (pixels.is_palette || pixels.is_float)
        throw Error(ErrorKind::unsupported,
                    "mask '" + file + "' has pixel format " + pixels.name +
                        "; allowed are grey, Y'CbCr and RGB pictures of 8 to 16 bits");
    const colour::HostPlanes& planes = frame->planes();
    const auto sample = [&](size_t c, int x, int y) {
        const colour::Component& component = pixels.components[c];
        const uint8_t* const at = planes.data[component.plane] + y * planes.pitch[component.plane] +
                                  x * component.step + component.offset;
        const int word = pixels.sample_bytes() == 1 ? at[0] : at[0] | at[1] << 8;
        const int code = (word >> component.shift) & ((1 << component.depth) - 1);
        const colour::CodeScale scale = colour::code_scale(format.colour.range, component.depth, false);
        return (code - scale.offset) / scale.scale;
    };
    const bool rgb = pixels.model == colour::Model::rgb;
    const colour::LumaWeights weights = colour::luma_weights(colour::Matrix::bt709);
    graph::Mask mask{format.width, format.height, {}};
    mask.values.reserve(static_cast<size_t>(mask.width) * static_cast<size_t>(mask.height));
    for (int y = 0; y < mask.height; ++y)
        for (int x = 0; x < mask.width; ++x) {
            double value = sample(0, x, y);
            if (rgb)
                value = weights.kr * value + (1 - weights.kr - weights.kb) * sample(1, x, y) +
                        weights.kb * sample(2, x, y);
            mask.values.push_back(static_cast<float>(std::clamp(value, 0.0, 1.0)));
        }
    return mask;
}

ScenePlans::ScenePlans(const graph::Timeline& timeline, const DeviceTraits& traits,
                       graph::PlannerOptions options)
    : timeline_(timeline), traits_(traits), options_(std::move(options)) {
    if (!options_.load_mask) options_.load_mask = load_mask;
    for (const graph::TimelineScene& scene : timeline.scenes)
        of_scene_.push_back(add(graph::make_plan(scene.scene, traits_, options_)));
}

size_t ScenePlans::add(graph::Plan plan) {
    for (size_t i = 0; i < plans_.size(); ++i)
        if (same(plans_[i], plan)) return i;
    plans_.push_back(std::move(plan));
    return plans_.size() - 1;
}

void ScenePlans::load(gpu::Device& device, Trace* trace) {
    device_ = &device;
    trace_ = trace;
    programs_ = std::make_unique<gpu::Programs>(device);
    runners_.resize(plans_.size());
    for (size_t scene = 0; scene < of_scene_.size(); ++scene) {
        std::unique_ptr<PlanRunner>& runner = runners_[of_scene_[scene]];
        if (runner) continue;
        runner = std::make_unique<PlanRunner>(device, *programs_, plans_[of_scene_[scene]], trace);
        runner->warm(timeline_.scenes[scene].scene.streams);
    }
}

PlanRunner& ScenePlans::runner(size_t index, const std::vector<const colour::PictureFormat*>& streams) {
    const auto& expected = timeline_.scenes[index].scene.streams;
    const bool as_planned =
        std::equal(streams.begin(), streams.end(), expected.begin(), expected.end(),
                   [](const auto* now, const auto& then) { return same_format(*now, then); });
    return *runners_[as_planned ? of_scene_[index] : plan_for(index, streams)];
}

size_t ScenePlans::plan_for(size_t index, const std::vector<const colour::PictureFormat*>& streams) {
    for (const Variant& variant : variants_)
        if (variant.scene == index &&
            std::equal(streams.begin(), streams.end(), variant.streams.begin(), variant.streams.end(),
                       [](const auto* now, const auto& then) { return same_format(*now, then); }))
            return variant.plan;
    graph::Scene scene = timeline_.scenes[index].scene;
    for (size_t i = 0; i < streams.size(); ++i)
        scene.streams[i] = *streams[i];
    log("engine").info("a stream's pictures changed their form: planning again");
    const size_t plan = add(graph::make_plan(scene, traits_, options_));
    runners_.resize(plans_.size());
    if (!runners_[plan])
        runners_[plan] = std::make_unique<PlanRunner>(*device_, *programs_, plans_[plan], trace_);
    variants_.push_back({index, scene.streams, plan});
    return plan;
}

PlanRunner* ScenePlans::without(size_t index, const std::vector<const colour::PictureFormat*>& streams,
                                const std::vector<bool>& hidden, bool wait) {
    const auto same_streams = [&](const Reduced& r) {
        return std::equal(streams.begin(), streams.end(), r.streams.begin(), r.streams.end(),
                          [](const auto* now, const auto& then) { return same_format(*now, then); });
    };
    auto found = std::find_if(reduced_.begin(), reduced_.end(), [&](const Reduced& r) {
        return r.scene == index && r.hidden == hidden && same_streams(r);
    });
    if (found == reduced_.end()) {
        graph::Scene scene = timeline_.scenes[index].scene;
        for (size_t i = 0; i < streams.size(); ++i)
            scene.streams[i] = *streams[i];
        std::erase_if(scene.layers, [&](const graph::SceneLayer& layer) {
            const graph::PictureNode& picture = layer.picture;
            return hidden[static_cast<size_t>(picture.clip.stream)] ||
                   (picture.transition && hidden[static_cast<size_t>(picture.next.stream)]);
        });
        Reduced made;
        made.scene = index;
        made.streams = scene.streams;
        made.hidden = hidden;
        made.building = std::async(std::launch::async, [this, scene = std::move(scene)] {
            gpu::Programs programs(*device_);
            auto runner = std::make_unique<PlanRunner>(*device_, programs,
                                                       graph::make_plan(scene, traits_, options_), trace_);
            runner->warm(scene.streams);
            return runner;
        });
        reduced_.push_back(std::move(made));
        found = reduced_.end() - 1;
    }
    using namespace std::chrono_literals;
    if (found->building.valid() && (wait || found->building.wait_for(0s) == std::future_status::ready)) {
        try {
            found->runner = found->building.get();
        } catch (const std::exception& error) {
            if (wait) throw;
            log("engine").warn("an input cannot be hidden: {}", describe(error));
        }
    }
    return found->runner.get();
}

std::vector<std::string> ScenePlans::notes() const {
    std::vector<std::string> lines;
    std::set<std::string> seen;
    for (const graph::Plan& plan : plans_)
        for (const std::string& line : plan.report)
            if (seen.insert(line).second) lines.push_back(line);
    return lines;
}

size_t ScenePlans::device_bytes() const {
    size_t sum = 0;
    for (const auto& runner : runners_)
        if (runner) sum += runner->bytes();
    for (const Reduced& reduced : reduced_)
        if (reduced.runner) sum += reduced.runner->bytes();
    return sum;
}

} // namespace weft::engine
