// Pictures that stand on their side are turned once, into a buffer of the same codes, before anything else
// reads them: whatever else is done to them then reads along lines.
#include <algorithm>

#include "base/format.hpp"
#include "graph/codegen_cpu_private.hpp"
#include "graph/codegen_lines_private.hpp"
#include "graph/planner_private.hpp"
#include "graph/work_private.hpp"

namespace weft::graph {
namespace {

using colour::ChromaSite;

// Elements are moved as they are: kernels/62_turn.cl knows words of these sizes.
struct Words {
    const char* type;
    int to_a_side; // of a square
};
Words words_of(const SampleLayout& sample, bool gpu) {
    if (sample.bytes() == 1) return {"uchar", gpu ? 8 : 16};
    if (sample.bytes() == 2) return {"ushort", 8};
    return {"uint", 4};
}

// out(x, y) = in(y, x). backwards : of the rows from the last one on; upwards : into rows from the last one
// on. A square a work-item on a GPU; on a CPU a band of four columns of squares.
Body turn_body(PlanContext& context, const ImageComponent& in, const ImageComponent& out, bool backwards,
               bool upwards, int depth) {
    BodyWriter writer(context.buffers);
    const bool gpu = context.device.kind == DeviceKind::gpu;
    const auto [type, n] = words_of(in.sample, gpu);
    const int across = (in.width + n - 1) / n, down = (in.height + n - 1) / n;
    const std::string s = writer.plane(in, false), d = writer.plane(out, true);
    const auto last_row = [](const std::string& plane, int rows) {
        return fmt::format("{} + {} * {}p", plane, rows - 1, plane);
    };
    const std::string first = backwards ? last_row(s, in.height) : s;
    const std::string target = upwards ? last_row(d, in.width) : d;
    const std::string whole =
        in.sample.step != 1
            ? ""
            : fmt::format("if (x + {} <= {} && y + {} <= {}) wf_turn_{}(from, pitch, to, to_pitch);\nelse ",
                          n, in.width, n, in.height, type);
    const std::string square =
        fill(R"(const __global uchar* from = $FIRST + y * pitch + (x * $STEP + $OFFSET) * $BYTES;
__global uchar* to = $D + x * to_pitch + y * $BYTES;
$WHOLE wf_turn_part_$T(from, pitch, $STEP, to, to_pitch, min($N, $W - x), min($N, $H - y));
)",
             {{"FIRST", first},
              {"STEP", literal(in.sample.step)},
              {"OFFSET", literal(in.sample.offset)},
              {"BYTES", literal(in.sample.bytes())},
              {"D", target},
              {"N", literal(n)},
              {"W", literal(in.width)},
              {"H", literal(in.height)},
              {"T", type},
              {"WHOLE", whole}});
    std::string text = fmt::format("const int pitch = {}{}p, to_pitch = {}{}p;\n", backwards ? "-" : "", s,
                                   upwards ? "-" : "", d);
    if (gpu) {
        // Neighbours among the work-items are squares of a tile, so that the memory that they read and the
        // memory that they write are whole lines of it.
        constexpr int tile_w = 4, tile_h = 8;
        const int tiles_across = (across + tile_w - 1) / tile_w, tiles_down = (down + tile_h - 1) / tile_h;
        text += fill(R"(const int tile = item / ($TW * $TH), lane = item - tile * ($TW * $TH);
const int tx = tile / $TILES, ty = tile - tx * $TILES;
const int x = (tx * $TW + lane / $TH) * $N, y = (ty * $TH + lane % $TH) * $N;
if (x >= $W || y >= $H) return;
)",
                     {{"TW", literal(tile_w)},
                      {"TH", literal(tile_h)},
                      {"TILES", literal(tiles_down)},
                      {"N", literal(n)},
                      {"W", literal(in.width)},
                      {"H", literal(in.height)}});
        text += square;
        writer.body.items = tiles_across * tiles_down * tile_w * tile_h;
    } else {
        const int band = 4 * n;
        text +=
            fmt::format("for (int y = 0; y < {}; y += {})\nfor (int x = item * {}; x < min(item * {} + {}, "
                        "{}); x += {}) {{\n{}}}\n",
                        in.height, n, band, band, band, in.width, n, square);
        writer.body.items = (in.width + band - 1) / band;
    }
    writer.body.text = fmt::format("FN void @(const int item, {}) {{\n{}}}\n", writer.formals(), text);
    writer.body.depth = depth;
    writer.body.title = "turn upright";
    writer.body.reads = {whole_read(in)};
    writer.body.bytes_written = static_cast<double>(in.width) * in.height * out.sample.bytes();
    return writer.body;
}

// The chroma site seen along the other axis; centre and top left stay.
ChromaSite turned(ChromaSite site) {
    if (site == ChromaSite::top) return ChromaSite::left;
    return site == ChromaSite::left || site == ChromaSite::unspecified ? ChromaSite::top : site;
}

// Whether rows can be read from the last one on and chroma still stands where it did.
bool mirrors(const Image& image) {
    const bool chroma = image.meaning == Meaning::ycc && !image.gray && image.log2_h > 0;
    return !chroma || (image.height % (1 << image.log2_h) == 0 &&
                       colour::chroma_offset_y(image.colour.chroma, image.log2_h) > 0);
}

} // namespace

void Planner::stand_upright(Fetch& fetch) {
    if (!fetch.turn.swap || fetch.image.components[0].palette) return;
    const Image stored = fetch.image;
    const bool backwards = fetch.turn.flip_x && mirrors(stored);
    fetch.turn.swap = false;
    fetch.turn.flip_x = fetch.turn.flip_x && !backwards;
    const auto [known, fresh] = upright_.try_emplace(fmt::format("{} {}", stored.name, backwards));
    Upright& upright = known->second;
    if (fresh) {
        Image& image = upright.image;
        image = stored;
        image.name = stored.name + " upright";
        image.depth = stored.depth + 1;
        image.colour.chroma = turned(stored.colour.chroma);
        std::swap(image.width, image.height);
        std::swap(image.log2_w, image.log2_h);
        for (ImageComponent& component : image.components) {
            std::swap(component.width, component.height);
            component.sample.step = 1;
            component.sample.offset = 0;
        }
        place_planes(image);
        upright.stored = stored;
        upright.backwards = backwards;
        plan_.report.push_back(fmt::format("{}: {} is turned upright first", layer_name_, stored.name));
    }
    fetch.image = upright.image;
}

std::optional<Body> Planner::turned_straight(const Target& target, int component, const PlacedLayer& all,
                                             const Cell& cell) {
    const Image &from = all.chain.a.image, &to = target.image;
    const auto upright = std::find_if(upright_.begin(), upright_.end(), [&](const auto& known) {
        return known.second.image.components[0].plane == from.components[0].plane;
    });
    if (upright == upright_.end() || from.gray != to.gray || target.dither) return {};
    const PlacedLayer layer = for_component(all, component);
    const Chain& chain = layer.chain;
    if (chain.mix || chain.stages.size() > 1 || !chain.stages[0].ops.empty() || chain.a.turn.flip_x)
        return {};
    const auto c = static_cast<size_t>(component);
    const ImageComponent &in = from.components[c], &out = to.components[c];
    const FetchAxes axes = fetch_axes(chain.a, component, to.log2_w, to.log2_h, to.colour.chroma);
    const auto copies = [](const AxisTaps& axis) { return axis.identity() && axis.phase_first[0] == 0; };
    const Area area = component_area(to, component, cell.x, cell.y, cell.w, cell.h);
    const Area whole = component_area(to, component, layer.x, layer.y, layer.w, layer.h);
    const auto fills = [&](const Area& a) {
        return a.x == 0 && a.y == 0 && a.w == in.width && a.h == in.height;
    };
    if (!copies(axes.x) || !copies(axes.y) || !fills(area) || !fills(whole) || in.sample != out.sample)
        return {};
    Body body = turn_body(context_, upright->second.stored.components[c], out, upright->second.backwards,
                          chain.a.turn.flip_y, from.depth);
    body.title = chain.title;
    return body;
}

void Planner::add_turns() {
    const auto is_read = [&](const ImageComponent& component) {
        return std::any_of(bodies_.begin(), bodies_.end(), [&](const Body& body) {
            return std::any_of(body.actuals.begin(), body.actuals.end(), [&](const Actual& actual) {
                return actual.kind == Actual::Kind::pointer && actual.arg == component.plane &&
                       actual.byte_offset == component.byte_offset;
            });
        });
    };
    std::vector<Body> turns;
    for (const auto& [name, upright] : upright_)
        for (size_t c = 0; c < upright.image.components.size(); ++c)
            if (is_read(upright.image.components[c]))
                turns.push_back(turn_body(context_, upright.stored.components[c], upright.image.components[c],
                                          upright.backwards, false, upright.image.depth));
    for (Body& turn : turns)
        add_body(std::move(turn));
}

} // namespace weft::graph
