#include "support/plan_rig.hpp"

#include <filesystem>
#include <memory>

#include "base/error.hpp"
#include "engine/plan_runner.hpp"
#include "gpu/device.hpp"
#include "gpu/program.hpp"

namespace weft::test {
namespace {

struct Rig {
    gpu::Device device;
    gpu::Programs programs;
    std::string prelude;

    Rig()
        : device([] {
              const auto devices = gpu::list_devices();
              return devices.at(gpu::choose_device(devices, "").index);
          }()),
          programs(device),
          prelude(graph::load_prelude((std::filesystem::path(WEFT_SOURCE_DIR) / "kernels").string())) {}
};

Rig& rig() {
    static Rig one;
    return one;
}

// Memory of a picture on the device: planes one after another, lines padded.
struct DevicePicture {
    std::array<int, 4> pitch{}, offset{}, lines{}, line_bytes{};
    int planes = 0;
    size_t bytes = 0;

    explicit DevicePicture(const colour::PictureFormat& format) : planes(format.pixels.plane_count) {
        for (int p = 0; p < planes; ++p) {
            const auto i = static_cast<size_t>(p);
            line_bytes[i] = format.pixels.plane_line_bytes(p, format.width);
            lines[i] = format.pixels.plane_lines(p, format.height);
            pitch[i] = (line_bytes[i] + 63) / 64 * 64 + 64;
            offset[i] = static_cast<int>(bytes);
            bytes += static_cast<size_t>(pitch[i]) * static_cast<size_t>(lines[i]);
        }
    }
    gpu::PictureRef ref(const cl::Buffer& buffer) const {
        gpu::PictureRef out;
        out.plane_count = planes;
        for (size_t i = 0; i < static_cast<size_t>(planes); ++i)
            out.planes[i] = {buffer, offset[i], pitch[i]};
        return out;
    }
};

std::vector<uint8_t> padded(const DevicePicture& layout, const std::vector<uint8_t>& codes) {
    std::vector<uint8_t> out(layout.bytes, 0xa5); // padding that must not be read
    const uint8_t* from = codes.data();
    for (size_t p = 0; p < static_cast<size_t>(layout.planes); ++p)
        for (int y = 0; y < layout.lines[p]; ++y) {
            std::copy(from, from + layout.line_bytes[p], out.data() + layout.offset[p] + y * layout.pitch[p]);
            from += layout.line_bytes[p];
        }
    return out;
}

std::vector<uint8_t> packed(const DevicePicture& layout, const std::vector<uint8_t>& bytes) {
    std::vector<uint8_t> out;
    for (size_t p = 0; p < static_cast<size_t>(layout.planes); ++p)
        for (int y = 0; y < layout.lines[p]; ++y) {
            const auto line = bytes.begin() + layout.offset[p] + y * layout.pitch[p];
            out.insert(out.end(), line, line + layout.line_bytes[p]);
        }
    return out;
}

Layout layout_of_format(const colour::PictureFormat& format) {
    Layout out;
    out.model = format.pixels.model;
    out.range = format.colour.range;
    out.alpha = format.pixels.has_alpha;
    out.log2_w = format.pixels.log2_chroma_w;
    out.log2_h = format.pixels.log2_chroma_h;
    out.depth = format.pixels.depth();
    return out;
}

graph::Plan plan_of(const graph::Scene& scene, const PlanShape& shape) {
    graph::PlannerOptions options;
    options.prelude = rig().prelude;
    options.fuse = shape.fuse;
    options.planes = shape.planes;
    options.shapes = shape.shapes;
    if (shape.mask)
        options.load_mask = [mask = shape.mask](const std::string&) {
            graph::Mask out{mask->width, mask->height, {}};
            for (const double v : mask->values)
                out.values.push_back(static_cast<float>(v));
            return out;
        };
    DeviceTraits traits = rig().device.traits();
    if (shape.gpu) traits.kind = DeviceKind::gpu;
    return graph::make_plan(scene, traits, options);
}

} // namespace

colour::PictureFormat format_of(const Layout& layout, int width, int height) {
    colour::PictureFormat out;
    out.width = width;
    out.height = height;
    out.pixels = colour::pixel_format(layout.ffmpeg_name());
    out.colour.range = layout.range;
    out.colour.primaries = colour::Primaries::bt709;
    out.colour.matrix = layout.model == colour::Model::rgb ? colour::Matrix::rgb : colour::Matrix::bt709;
    out.colour.transfer =
        layout.model == colour::Model::rgb ? colour::Transfer::srgb : colour::Transfer::bt709;
    out.colour.chroma = colour::ChromaSite::left;
    return out;
}

graph::Scene empty_scene(const Layout& layout, int width, int height) {
    graph::Scene scene;
    scene.width = width;
    scene.height = height;
    scene.rate = 25;
    const colour::PictureFormat format = format_of(layout, width, height);
    scene.colour = format.colour;
    scene.background = {0, 0, 0, layout.alpha ? 0.0 : 1.0};
    scene.outputs.push_back({format});
    return scene;
}

std::vector<graph::ShapeUse> shapes_of_scene(const graph::Scene& scene, const PlanShape& shape) {
    return plan_of(scene, shape).shapes;
}

std::string explain_scene(const graph::Scene& scene, const PlanShape& shape) {
    return plan_of(scene, shape).explain();
}

Picture run_scene(const graph::Scene& scene, const std::vector<Picture>& streams, const Moment& moment,
                  const PlanShape& shape, const std::vector<Around>& around) {
    Rig& r = rig();
    engine::PlanRunner runner(r.device, r.programs, plan_of(scene, shape));
    engine::TickInputs inputs;
    WEFT_CHECK(streams.size() == scene.streams.size());
    for (size_t i = 0; i < streams.size(); ++i) {
        const DevicePicture layout(scene.streams[i]);
        const auto up = [&](const Picture& picture) {
            std::vector<uint8_t> bytes = padded(layout, picture.codes());
            return layout.ref(cl::Buffer(r.device.context(), CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
                                         bytes.size(), bytes.data()));
        };
        inputs.streams.push_back(up(streams[i]));
        inputs.uploads.emplace_back();
        if (i >= around.size()) continue;
        engine::History history;
        for (const Picture& picture : around[i].before)
            history.before.push_back({up(picture), {}});
        for (const Picture& picture : around[i].behind)
            history.behind.push_back({up(picture), {}});
        history.fields = around[i].fields;
        inputs.history.push_back(std::move(history));
    }
    const colour::PictureFormat& format = scene.outputs[0].format;
    const DevicePicture layout(format);
    const cl::Buffer out(r.device.context(), CL_MEM_READ_WRITE, layout.bytes);
    inputs.outputs.push_back(layout.ref(out));
    inputs.tick = {static_cast<float>(moment.t), static_cast<float>(moment.n), 0, moment.seed};
    int transitions = 0;
    for (const graph::SceneLayer& layer : scene.layers)
        transitions = std::max(transitions, layer.picture.transition_index + 1);
    inputs.progress.assign(static_cast<size_t>(transitions), static_cast<float>(moment.progress));
    runner.run(inputs).wait();
    std::vector<uint8_t> bytes(layout.bytes);
    r.device.compute().enqueueReadBuffer(out, CL_TRUE, 0, bytes.size(), bytes.data());
    return Picture::from_codes(layout_of_format(format), format.width, format.height,
                               packed(layout, bytes).data());
}

Picture run_chain(const std::vector<graph::FilterUse>& filters, const Picture& in, const Moment& moment,
                  const PlanShape& shape, int out_width, int out_height) {
    const int width = out_width ? out_width : in.width(), height = out_height ? out_height : in.height();
    graph::Scene scene = empty_scene(in.layout, width, height);
    scene.streams.push_back(format_of(in.layout, in.width(), in.height()));
    graph::SceneLayer layer;
    layer.w = width;
    layer.h = height;
    layer.name = "layers[0]";
    layer.picture.clip.filters = filters;
    scene.layers.push_back(layer);
    return run_scene(scene, {in}, moment, shape);
}

Picture run_transition(const graph::FilterUse& transition, const Picture& a, const Picture& b,
                       const Moment& moment, const PlanShape& shape) {
    graph::Scene scene = empty_scene(a.layout, a.width(), a.height());
    for (int i = 0; i < 2; ++i)
        scene.streams.push_back(format_of(a.layout, a.width(), a.height()));
    graph::SceneLayer layer;
    layer.w = a.width();
    layer.h = a.height();
    layer.name = "layers[0]";
    layer.picture.transition = transition;
    layer.picture.next.stream = 1;
    layer.picture.transition_index = 0;
    scene.layers.push_back(layer);
    return run_scene(scene, {a, b}, moment, shape);
}

} // namespace weft::test
