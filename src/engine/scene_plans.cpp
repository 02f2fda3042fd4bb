#include "engine/scene_plans_private.hpp"

#include <algorithm>
#include <chrono>
#include <set>

#include "base/error.hpp"
#include "base/log.hpp"
#include "engine/run.hpp"
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

bool same_formats(const std::vector<const colour::PictureFormat*>& now,
                  const std::vector<colour::PictureFormat>& then) {
    return std::equal(now.begin(), now.end(), then.begin(), then.end(),
                      [](const auto* a, const auto& b) { return same_format(*a, b); });
}

// Streams whose pictures the scene makes whole.
std::vector<bool> fields_of(const graph::Scene& scene) {
    std::vector<bool> out(scene.streams.size(), false);
    for (const graph::SceneLayer& layer : scene.layers)
        for (const graph::ClipNode* clip : {&layer.picture.clip, &layer.picture.next})
            if (clip->deinterlace) out[static_cast<size_t>(clip->stream)] = true;
    return out;
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
    for (const graph::TimelineScene& scene : timeline.scenes) {
        of_scene_.push_back(add(graph::make_plan(scene.scene, traits_, options_)));
        fields_of_scene_.push_back(fields_of(scene.scene));
    }
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

bool ScenePlans::as_planned(const SceneNow& now) const {
    return std::find(now.hidden.begin(), now.hidden.end(), true) == now.hidden.end() &&
           now.fields == fields_of_scene_[now.scene] &&
           same_formats(now.formats, timeline_.scenes[now.scene].scene.streams);
}

ScenePlans::Variant* ScenePlans::variant(const SceneNow& now) {
    const auto found = std::find_if(variants_.begin(), variants_.end(), [&](const Variant& v) {
        return v.scene == now.scene && v.hidden == now.hidden && v.fields == now.fields &&
               same_formats(now.formats, v.streams);
    });
    return found != variants_.end() ? &*found : nullptr;
}

PlanRunner* ScenePlans::find(const SceneNow& now) {
    if (as_planned(now)) return runners_[of_scene_[now.scene]].get();
    Variant* const found = variant(now);
    if (found == nullptr) return nullptr;
    using namespace std::chrono_literals;
    if (found->building.valid() && found->building.wait_for(0s) == std::future_status::ready) {
        try {
            found->runner = found->building.get();
        } catch (const std::exception& error) {
            log("engine").warn("what is shown stays as it was: {}", describe(error));
        }
    }
    return found->runner.get();
}

PlanRunner& ScenePlans::wait_for(const SceneNow& now) {
    if (as_planned(now)) return *runners_[of_scene_[now.scene]];
    start(now);
    Variant& found = *variant(now);
    if (found.building.valid()) found.runner = found.building.get();
    if (!found.runner)
        throw Error(ErrorKind::device, "there is no plan for what the inputs' pictures have become");
    return *found.runner;
}

void ScenePlans::start(const SceneNow& now) {
    if (as_planned(now) || variant(now) != nullptr) return;
    Variant made;
    made.scene = now.scene;
    made.hidden = now.hidden;
    made.fields = now.fields;
    graph::Scene scene = timeline_.scenes[now.scene].scene;
    for (size_t i = 0; i < now.formats.size(); ++i)
        scene.streams[i] = *now.formats[i];
    made.streams = scene.streams;
    std::erase_if(scene.layers, [&](const graph::SceneLayer& layer) {
        const graph::PictureNode& picture = layer.picture;
        return now.hidden[static_cast<size_t>(picture.clip.stream)] ||
               (picture.transition && now.hidden[static_cast<size_t>(picture.next.stream)]);
    });
    for (graph::SceneLayer& layer : scene.layers)
        for (graph::ClipNode* clip : {&layer.picture.clip, &layer.picture.next})
            clip->deinterlace = now.fields[static_cast<size_t>(clip->stream)];
    log("engine").debug("scene {} is planned anew for what its streams have become", now.scene);
    made.building = std::async(std::launch::async, [this, scene = std::move(scene)] {
        auto runner = std::make_unique<PlanRunner>(*device_, *programs_,
                                                   graph::make_plan(scene, traits_, options_), trace_);
        runner->warm(scene.streams);
        return runner;
    });
    variants_.push_back(std::move(made));
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
    for (const Variant& variant : variants_)
        if (variant.runner) sum += variant.runner->bytes();
    return sum;
}

} // namespace weft::engine
