// Whole pictures from fields: a pass of its own at the stream's size, before anything else reads the stream.
#include "base/format.hpp"
#include "graph/codegen_lines_private.hpp"
#include "graph/planner_private.hpp"
#include "graph/work_private.hpp"

namespace weft::graph {
namespace {

// Smaller planes stay as they are: there is nothing to interpolate from.
constexpr int least_lines = 4;

ImageComponent stepped(ImageComponent component, int step) {
    std::get<StreamPlane>(component.plane).frame.push_back(step);
    return component;
}

// One component, line by line on a CPU, sixteen samples a work-item on a GPU.
Body deinterlace_body(PlanContext& context, const ImageComponent& in, const ImageComponent& out) {
    BodyWriter writer(context.buffers);
    const SampleLayout& sample = in.sample;
    const auto& of = std::get<StreamPlane>(in.plane);
    const bool gpu = context.device.kind == DeviceKind::gpu;
    const int chunk = gpu ? 16 : in.width, across = (in.width + chunk - 1) / chunk;
    const std::string type = pointer_type(sample.type, false);
    const std::string before = writer.plane(stepped(in, -1), false), due = writer.plane(in, false),
                      behind = writer.plane(stepped(in, 1), false), d = writer.plane(out, true),
                      fields = writer.fields(of.stream, of.frame);
    // Line `y` (an expression) of a picture, and a line as a pointer of its own for the loops.
    const auto line = [&](const std::string& picture, const std::string& pitch, const std::string& y) {
        return fmt::format("({})({} + ({}) * {}) + {}", type, picture, y, pitch, sample.offset);
    };
    const auto named = [&](const std::string& name, const std::string& picture, const std::string& pitch,
                           const std::string& y) {
        return fmt::format("{} {} = {};\n", type, name, line(picture, pitch, y));
    };
    const auto at = [&](const std::string& name) {
        return raw_value(sample, sample.step == 1 ? fmt::format("{}[x]", name)
                                                  : fmt::format("{}[x * {}]", name, sample.step));
    };
    const std::string loop =
        gpu ? fmt::format("for (int x = x0; x < min(x0 + {}, {}); x++) {{\n", chunk, in.width)
            : fmt::format("VEC for (int x = 0; x < {}; x++) {{\n", in.width);
    const std::string element = sample.depth > 8 ? "ushort" : "uchar";
    const auto store = [&](const std::string& code) {
        return fmt::format("D[x] = ({})({});\n}}\n", element, code);
    };
    const std::string top = literal((1 << sample.depth) - 1), last = literal(in.height - 1);

    std::string text =
        gpu ? fmt::format("const int y = item / {}, x0 = (item - y * {}) * {};\n", across, across, chunk)
            : "const int y = item;\n";
    text += fmt::format("__global {}* restrict D = (__global {}*)({} + y * {}p);\n", element, element, d, d);
    text += named("C", due, due + "p", "y");
    const std::string copy = loop + store(at("C"));
    if (in.height < least_lines) {
        text += copy;
    } else {
        text += fmt::format("if ({} < 0 || ((y ^ {}) & 1) == 0) {{\n{}return;\n}}\n", fields, fields, copy);
        text +=
            fmt::format("const int up = y > 0 ? y - 1 : 1, down = y < {} ? y + 1 : {} - 1;\n", last, last);
        text += named("U", due, due + "p", "up") + named("W", due, due + "p", "down");
        text += named("U3", due, due + "p", "y > 2 ? y - 3 : y + 1") +
                named("W3", due, due + "p", fmt::format("y + 3 <= {} ? y + 3 : y - 1", last));
        text += fmt::format("if ({} & {}) {{\n{}", fields, FieldsOf::alone, loop) +
                store(fmt::format("wf_held(wf_field_spatial({}, {}, {}, {}), {})", at("U"), at("W"), at("U3"),
                                  at("W3"), top)) +
                "return;\n}\n";
        // The other field, before and behind this one.
        text += fmt::format("const int later = {} & {};\n", fields, FieldsOf::second);
        text += fmt::format("const __global uchar* P = later ? {} : {};\nconst int PP = later ? {}p : {}p;\n",
                            due, before, due, before);
        text += fmt::format("const __global uchar* N = later ? {} : {};\nconst int NP = later ? {}p : {}p;\n",
                            behind, due, behind, due);
        text += named("BU", before, before + "p", "up") + named("BW", before, before + "p", "down");
        text += named("AU", behind, behind + "p", "up") + named("AW", behind, behind + "p", "down");
        for (const int away : {0, -2, 2, -4, 4}) {
            const std::string y = away == 0 ? "y" : fmt::format("min(max(y + {}, 0), {})", away, last);
            const std::string tag = away < 0 ? fmt::format("u{}", -away) : fmt::format("w{}", away);
            text += named("P" + tag, "P", "PP", y) + named("N" + tag, "N", "NP", y);
        }
        const auto sum = [&](const std::string& tag) { return at("P" + tag) + " + " + at("N" + tag); };
        const std::string common =
            loop +
            fmt::format("const int c = {}, e = {}, p = {}, n = {}, d = (p + n) >> 1;\n", at("U"), at("W"),
                        at("Pw0"), at("Nw0")) +
            fmt::format("const int motion = wf_field_motion(p, n, c, e, {}, {}, {}, {});\n", at("BU"),
                        at("BW"), at("AU"), at("AW")) +
            fmt::format("const int above = {}, below = {};\n", sum("u2"), sum("w2")) +
            "const int wide = wf_field_widened(motion, d, c, e, above >> 1, below >> 1);\n";
        const std::string edge = common + "const int limit = inner ? wide : motion;\n" +
                                 store(fmt::format("wf_field_held((c + e) >> 1, d, motion, limit, {})", top));
        const std::string inside =
            common + fmt::format("const int c3 = {}, e3 = {};\n", at("U3"), at("W3")) +
            fmt::format("const int mixed = wf_field_temporal(c, e, c3, e3, p + n, above + below, {} + {});\n",
                        sum("u4"), sum("w4")) +
            "const int v = wf_size(c - e) > wf_size(p - n) ? mixed : wf_field_spatial(c, e, c3, e3);\n" +
            store(fmt::format("wf_field_held(v, d, motion, wide, {})", top));
        text += fmt::format(
            "if (y < 4 || y + 5 > {}) {{\nconst int inner = y >= 2 && y + 3 <= {};\n{}return;\n}}\n",
            in.height, in.height, edge);
        text += inside;
    }
    writer.body.text = fmt::format("FN void @(const int item, {}) {{\n{}}}\n", writer.formals(), text);
    writer.body.items = in.height * across;
    writer.body.depth = 1;
    writer.body.title = "deinterlace";
    writer.body.bytes_written = static_cast<double>(in.width) * in.height * out.sample.bytes();
    return writer.body;
}

} // namespace

Image Planner::clip_image(const ClipNode& node, const FramePath& frame) {
    Image stored = stream_image(node.stream, frame);
    if (!node.deinterlace || stored.components[0].palette) return stored;
    const auto [known, fresh] = whole_pictures_.try_emplace({node.stream, frame}, stored);
    Image& image = known->second;
    if (!fresh) return image;
    image.name = stored.name + " deinterlaced";
    image.depth = 1;
    for (ImageComponent& component : image.components) { // the same codes, one after another
        component.sample.type = component.sample.depth > 8 ? SampleType::u16 : SampleType::u8;
        component.sample.step = 1;
        component.sample.offset = component.sample.shift = component.sample.mask = 0;
    }
    place_planes(image);
    for (size_t c = 0; c < image.components.size(); ++c) {
        const ImageComponent& out = image.components[c];
        Body body = deinterlace_body(context_, stored.components[c], out);
        for (const int step : {-1, 0, 1})
            body.reads.push_back(
                whole_read(step == 0 ? stored.components[c] : stepped(stored.components[c], step)));
        // Every other line is made anew.
        for (const char* text : {"wf_field_spatial", "wf_field_temporal", "wf_field_motion",
                                 "wf_field_widened", "wf_field_held"})
            body.operations += texts_.of(text) * out.width * (out.height / 2);
        add_body(std::move(body));
    }
    if (frame.empty())
        plan_.report.push_back(fmt::format("{}: fields become whole pictures (bwdif)", layer_name_));
    return image;
}

} // namespace weft::graph
