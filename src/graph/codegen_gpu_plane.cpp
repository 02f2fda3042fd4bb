// One component on a GPU. Where a value needs no more than the samples at its own place, or a window around
// it, a work-item is a block: wide loads, a value for each of its samples, wide stores.
#include <functional>

#include "base/format.hpp"
#include "graph/codegen_gpu_private.hpp"
#include "graph/codegen_lines_private.hpp"

namespace weft::graph {
namespace {

// What is read by blocks: the fetches, and the functions that make a value of theirs.
struct BlockSource {
    Block block;
    std::vector<const Fetch*> fetches;
    const WindowTaps* window = nullptr;
    Moves moves;           // of the fetches, by a transition
    std::string functions; // "FN float @v($D, float a_[, float b_ ...], place)" and the like
    bool as_read = false;  // @v would give what it is passed; there is none
    std::string table;     // of the elements for all codes that are read; "": they are computed
    // Of two pictures that are only mixed: @m($D, place) is the second one's share and the last argument of
    // @v; @sa and @sb give what one of them alone comes to, where `alone` says that this is not what is read.
    bool shares = false;
    std::array<bool, 2> alone{};
};

Grid grid_of(const CpuChain& c) {
    return {c.log2_w, c.log2_h, c.site};
}

// Finds blocks that serve all fetches; false: there are none.
bool find_blocks(BlockSource& source, const CpuChain& c, int x0, int y0, Shape shape) {
    const Chain& chain = c.chain;
    if (source.fetches.size() > 1) shape.down = 1;
    const int component = c.components[0];
    for (size_t i = 0; i < source.fetches.size(); ++i) {
        const Fetch* fetch = source.fetches[i];
        const auto block = source.moves.sides.empty()
                               ? block_of(*fetch, component, grid_of(c), source.window, x0, y0, shape)
                               : moved_block(*fetch, component, grid_of(c), source.moves.sides[i]);
        if (!block) return false;
        // Two of different depth: the smaller block serves both.
        if (fetch != &chain.a && block->w != source.block.w && (block->only || source.block.only))
            return false;
        if (fetch == &chain.a || block->w < source.block.w) source.block = *block;
        if (chain.mix && fetch->turn.swap) return false;
    }
    return true;
}

std::string block_function(const std::string& name, const std::string& values, const std::string& body) {
    return fmt::format("FN float {}($D, {}{}) {{\n{}return v;\n}}\n", name, values, block_place_formals,
                       body);
}

void write_functions(BodyWriter& writer, BlockSource& source, const CpuChain& c) {
    const Chain& chain = c.chain;
    const int component = c.components[0];
    const std::vector<Op>& ops = chain.stages.back().ops;
    const auto at = [&](bool needed) {
        return needed ? emit_at(block_place, c.width, c.height, c.aspect, writer.tick(chain.transition_index))
                      : "";
    };
    const std::string after = emit_ops(writer, ops, "v", false, component);
    if (!chain.mix) {
        source.as_read = ops.empty();
        if (!source.as_read)
            source.functions =
                block_function("@v", "const float a_, ", at(needs_at(ops)) + "float v = a_;\n" + after);
        return;
    }
    std::string formals;
    std::vector<std::string> values;
    for (size_t i = 0; i < source.fetches.size(); ++i) {
        values.push_back(side_tag(i) + "_");
        formals += fmt::format("const float {}, ", values.back());
    }
    source.shares = chain.mix->manifest->mixes && source.fetches.size() == 2;
    if (!source.shares) {
        const MixText mix = mix_text(writer, c, values);
        source.functions = block_function("@v", formals,
                                          at(true) + mix.before + mix.in_loop +
                                              fmt::format("float v = {};\n", mix.value) + after);
        return;
    }
    const std::array<const std::vector<Op>*, 2> before{&chain.ops_a, &chain.others[0].ops};
    std::string sides;
    bool placed = needs_at(ops);
    for (size_t i = 0; i < 2; ++i) {
        const std::string v = "t" + side_tag(i);
        sides +=
            fmt::format("float {} = {};\n", v, values[i]) + emit_ops(writer, *before[i], v, false, component);
        placed = placed || needs_at(*before[i]);
        source.alone[i] = !before[i]->empty() || !ops.empty();
        if (source.alone[i])
            source.functions += block_function(
                "@s" + side_tag(i), fmt::format("const float {}, ", values[i]),
                at(needs_at(*before[i]) || needs_at(ops)) + fmt::format("float v = {};\n", values[i]) +
                    emit_ops(writer, *before[i], "v", false, component) + after);
    }
    if (!source.moves.sides.empty()) source.functions += chain_function(writer, c, "@one");
    source.functions += block_function("@m", "", at(true) + share_text(writer, c) + "const float v = tv;\n");
    source.functions += block_function("@v", formals + "const float m_, ",
                                       at(placed) + sides + "float v = wf_mix(ta, tb, m_);\n" + after);
}

std::optional<BlockSource> block_source(BodyWriter& writer, const CpuChain& c, int x0, int y0,
                                        const Shape& shape) {
    const Chain& chain = c.chain;
    BlockSource source;
    source.fetches.push_back(&chain.a);
    for (const Side& other : chain.others)
        source.fetches.push_back(&other.fetch);
    if (chain.stages.size() > 1) source.window = &chain.stages[1].taps[static_cast<size_t>(c.components[0])];
    if (chain.mix) source.moves = moves_of(writer, c, "moved_");
    if (!find_blocks(source, c, x0, y0, shape)) return std::nullopt;
    write_functions(writer, source, c);
    return source;
}

// The statements of a work-item.
class BlockEntry {
  public:
    BlockEntry(BodyWriter& writer, const CpuChain& chain, const BlockSource& source, const Target& target,
               const ImageComponent& out, const Area& area, int x0, int y0, std::string d)
        : writer_(writer), chain_(chain), source_(source), target_(target), out_(out), area_(area), x0_(x0),
          y0_(y0), d_(std::move(d)) {}

    std::string text() {
        const Block& block = source_.block;
        const int across = (area_.w + block.w - 1) / block.w;
        std::string text = fmt::format(
            "const int by = item / {}, bx = (item - by * {}) * {}, X = bx + {}, Y = by * {} + {};\n{}",
            across, across, block.w, x0_, block.h, y0_, block_start);
        text += source_.moves.before;
        if (source_.shares) return text + mixed();
        std::vector<BlockValues> read;
        for (size_t i = 0; i < source_.fetches.size(); ++i) {
            read.push_back(values_of(i));
            text += read.back().text;
        }
        if (!source_.table.empty())
            return text + rows([&](size_t at, const std::string&, std::string&) {
                       return fmt::format("{}[{}]", source_.table, read[0].whole[at].text);
                   });
        if (read.size() == 1)
            return text + alone(read[0], chain_.chain.stages.back().ops, source_.as_read ? "" : "@v");
        return text + rows([&](size_t at, const std::string& place, std::string& before) {
                   std::string arguments;
                   for (const BlockValues& values : read)
                       arguments += values.values[at] + ", ";
                   return stored(fmt::format("@v($F, {}{})", arguments, place), at, before);
               });
    }

  private:
    // An element for each sample: its number in the block, what block functions take of its place, and
    // statements that the element needs.
    using Element = std::function<std::string(size_t at, const std::string& place, std::string& before)>;

    BlockValues values_of(size_t i) {
        const Fetch& fetch = *source_.fetches[i];
        const std::string tag = "f" + side_tag(i);
        const int component = chain_.components[0];
        if (source_.moves.sides.empty())
            return block_values(writer_, fetch, component, grid_of(chain_), source_.window, source_.block,
                                x0_, tag, "X", "Y");
        return moved_values(writer_, fetch, component, source_.moves.sides[i], source_.block, x0_, tag, "X",
                            "Y");
    }

    std::string rows(const Element& element) {
        const Block& block = source_.block;
        const int aligned = common_alignment({area_.x, block.w}, 16);
        std::string text;
        for (int r = 0; r < block.h; ++r) {
            std::vector<std::string> elements;
            std::string row;
            for (int k = 0; k < block.w; ++k)
                elements.push_back(element(static_cast<size_t>(r * block.w + k), place_in_block(k, r), row));
            row += fmt::format("{} D = {};\n", pointer_type(out_.sample.type, true),
                               row_of(d_, out_, fmt::format("by * {} + {}", block.h, r)));
            row += store_block_row(out_.sample, elements, "bx", area_.w, aligned);
            text += block.h > 1 ? fmt::format("if (by * {} + {} < {}) {{\n{}}}\n", block.h, r, area_.h, row)
                                : row;
        }
        return text;
    }

    // A value as an element.
    std::string stored(const std::string& value, size_t at, std::string& before) {
        const int r = static_cast<int>(at) / source_.block.w, k = static_cast<int>(at) % source_.block.w;
        const std::string v = fmt::format("v{}", at);
        before += fmt::format("const float {} = {};\n", v, value);
        return store_value(out_.sample, v,
                           dither_at(target_, fmt::format("X + {}", k), area_.x - x0_,
                                     fmt::format("Y + {}", r), area_.y - y0_));
    }

    // What is stored straight from what is read, "$E"; "": values go through floats.
    std::string straight(const BlockValues& read, const std::vector<Op>& ops) {
        if (read.whole.empty() || target_.dither) return "";
        WholeValue one = read.whole[0];
        one.text = "$E";
        return store_whole(writer_, one, ops, chain_.components[0], out_.sample).value_or("");
    }

    // Of one picture; `function` makes the value of what is read and is the same as `ops`.
    std::string alone(const BlockValues& read, const std::vector<Op>& ops, const std::string& function) {
        const std::string whole = straight(read, ops);
        return rows([&](size_t at, const std::string& place, std::string& before) {
            if (!whole.empty()) return fill(whole, {{"E", read.whole[at].text}});
            return stored(function.empty() ? read.values[at]
                                           : fmt::format("{}($F, {}, {})", function, read.values[at], place),
                          at, before);
        });
    }

    // Shares first: most blocks of a wipe show one picture, and the other is then not even read.
    std::string mixed() {
        const Block& block = source_.block;
        const std::vector<Op>& after = chain_.chain.stages.back().ops;
        std::string text, some, rest, soft;
        const int count = block.w * block.h;
        for (int i = 0; i < count; ++i) {
            text +=
                fmt::format("const float m{} = @m($F, {});\n", i, place_in_block(i % block.w, i / block.w));
            some += fmt::format("{}as_int(m{})", i ? " | " : "", i);
            rest += fmt::format("{}(as_int(m{}) ^ 0x3f800000)", i ? " | " : "", i);
            soft += fmt::format("{}as_int(m{} - m{} * m{})", i ? " | " : "", i, i, i, i);
        }
        std::array<BlockValues, 2> read{values_of(0), values_of(1)};
        std::array<std::string, 2> ways, whole;
        for (size_t i = 0; i < 2; ++i) {
            // One step before the mix or behind it can be taken straight, like a single picture's.
            const std::vector<Op>& before = i == 0 ? chain_.chain.ops_a : chain_.chain.others[0].ops;
            const std::vector<Op>& ops = before.empty() ? after : before;
            whole[i] = before.empty() || after.empty() ? straight(read[i], ops) : "";
            ways[i] = read[i].text + rows([&](size_t at, const std::string& place, std::string& declared) {
                          if (!whole[i].empty()) return fill(whole[i], {{"E", read[i].whole[at].text}});
                          return stored(source_.alone[i] ? fmt::format("@s{}($F, {}, {})", side_tag(i),
                                                                       read[i].values[at], place)
                                                         : read[i].values[at],
                                        at, declared);
                      });
        }
        text += fmt::format("if (({}) == 0) {{\n{}}} else if (({}) == 0) {{\n{}}} else {{\n", some, ways[0],
                            rest, ways[1]);
        if (!source_.moves.sides.empty()) return text + seam() + "}\n";
        text += read[0].text + read[1].text;
        std::string both = rows([&](size_t at, const std::string& place, std::string& before) {
            return stored(
                fmt::format("@v($F, {}, {}, m{}, {})", read[0].values[at], read[1].values[at], at, place), at,
                before);
        });
        if (!whole[0].empty() && !whole[1].empty()) {
            // Hard edges: a choice of codes.
            const std::string chosen = rows([&](size_t at, const std::string&, std::string&) {
                return fmt::format("(m{} != 0.0f ? {} : {})", at,
                                   fill(whole[1], {{"E", read[1].whole[at].text}}),
                                   fill(whole[0], {{"E", read[0].whole[at].text}}));
            });
            both = fmt::format("if (({}) == 0) {{\n{}}} else {{\n{}}}\n", soft, chosen, both);
        }
        return text + both + "}\n";
    }

    // A few blocks show two displaced pictures: one by one, so that the others need fewer registers.
    std::string seam() {
        const Block& block = source_.block;
        return fmt::format(
            "{} D = {};\n#pragma unroll 1\nfor (int k = 0; k < {}; k++)\nif (bx + k < {}) {{\nconst float v "
            "= "
            "@one($F, X + k, Y);\nD[(bx + k) * {}] = {};\n}}\n",
            pointer_type(out_.sample.type, true), row_of(d_, out_, "by"), block.w, area_.w, out_.sample.step,
            store_value(out_.sample, "v", dither_at(target_, "X + k", area_.x - x0_, "Y", area_.y - y0_)));
    }

    BodyWriter& writer_;
    const CpuChain& chain_;
    const BlockSource& source_;
    const Target& target_;
    const ImageComponent& out_;
    const Area& area_;
    int x0_, y0_;
    std::string d_;
};

} // namespace

std::string place_in_block(int column, int row) {
    return fmt::format("X + {}, Y + {}, Xf + {}, Yf + {}", column, row, literal(column + 0.5),
                       literal(row + 0.5));
}

namespace {

// One component of a layer in a cell.
struct PlanePart {
    PlanePart(const PlanContext& context, const Target& target, int component, const PlacedLayer& all,
              const Cell& cell)
        : layer(for_component(all, component)), image(target.image),
          out(image.components[static_cast<size_t>(component)]),
          area(component_area(image, component, cell.x, cell.y, cell.w, cell.h)),
          whole(component_area(image, component, layer.x, layer.y, layer.w, layer.h)), x0(area.x - whole.x),
          y0(area.y - whole.y), chain{layer.chain,         false,   {component}, image.log2_w,  image.log2_h,
                                      image.colour.chroma, whole.w, whole.h,     context.aspect} {}
    PlanePart(const PlanePart&) = delete;
    PlanePart& operator=(const PlanePart&) = delete;

    const PlacedLayer layer;
    const Image& image;
    const ImageComponent& out;
    const Area area, whole;
    const int x0, y0;
    const CpuChain chain;
};

void describe(Body& body, const PlanePart& part, const Block& block, int depth) {
    const Area& area = part.area;
    body.items = ((area.w + block.w - 1) / block.w) * ((area.h + block.h - 1) / block.h);
    body.depth = depth;
    body.title = part.layer.chain.title;
    body.bytes_written = static_cast<double>(area.w) * area.h * part.out.sample.bytes();
}

} // namespace

std::optional<TableBodies> gpu_table_bodies(PlanContext& context, const Target& target, int component,
                                            const PlacedLayer& all, const Cell& cell, double cost) {
    const PlanePart part(context, target, component, all, cell);
    const Chain& chain = part.layer.chain;
    // A pass of its own costs as much as a smaller picture.
    if (extent_of(static_cast<double>(cell.w) * cell.h) != Extent::large || target.dither ||
        !worth_looking_up(chain, part.out.sample, cost))
        return std::nullopt;
    BodyWriter writer(context.buffers);
    shape_planes(writer.body, context, target, component, part.layer, cell);
    BlockSource source;
    source.fetches.push_back(&chain.a);
    // Blocks are of stored samples; a gray picture has none of chroma.
    if (!find_blocks(source, part.chain, part.x0, part.y0, writer.body.shape)) return std::nullopt;
    const SampleLayout& in = chain.a.image.components[static_cast<size_t>(component)].sample;
    const FetchAxes axes =
        fetch_axes(chain.a, component, part.image.log2_w, part.image.log2_h, part.chain.site);
    // Sums have no codes.
    if (in.type != SampleType::u8 || !axes.x.identity() || !axes.y.identity()) return std::nullopt;

    constexpr int codes = 256;
    ImageComponent table;
    table.plane = BufferArg{static_cast<int>(context.buffers.size())};
    table.sample = part.out.sample;
    table.sample.step = 1;
    table.sample.offset = 0;
    table.width = codes;
    table.height = 1;
    table.pitch = codes * table.sample.bytes();
    PlanBuffer store;
    store.name = fmt::format("results of {}", chain.title);
    store.bytes = static_cast<size_t>(table.pitch);
    context.buffers.push_back(store);

    BodyWriter filler(context.buffers);
    const std::string to = filler.plane(table, true);
    std::string text = emit_at({"0", "0"}, part.chain.width, part.chain.height, part.chain.aspect,
                               filler.tick(chain.transition_index));
    text += result_text(filler, part.chain, table.sample, {"", in.unit, in.bias}, "item",
                        fmt::format("(({}){})[item]", pointer_type(table.sample.type, true), to));
    filler.body.text = finished(filler, "", text);
    filler.body.items = codes;
    filler.body.depth = chain.depth() + 1;
    filler.body.title = store.name;
    filler.body.bytes_written = table.pitch;
    filler.body.operations = codes * cost;

    const std::string d = writer.plane(part.out, true, part.area.x, part.area.y);
    source.table =
        fmt::format("(({}){})", pointer_type(table.sample.type, false), writer.plane(table, false));
    const std::string entry =
        BlockEntry(writer, part.chain, source, target, part.out, part.area, part.x0, part.y0, d).text();
    writer.body.text = finished(writer, "", entry);
    describe(writer.body, part, source.block, filler.body.depth + 1);
    writer.body.looked_up = 0;
    return TableBodies{filler.body, writer.body};
}

Body gpu_plane_body(PlanContext& context, const Target& target, int component, const PlacedLayer& all,
                    const Cell& cell) {
    const PlanePart part(context, target, component, all, cell);
    const auto& [layer, image, out, area, whole, x0, y0, chain] = part;
    BodyWriter writer(context.buffers);
    shape_planes(writer.body, context, target, component, layer, cell);
    const Shape& shape = writer.body.shape;
    const std::string d = writer.plane(out, true, area.x, area.y);
    Block block{shape.across > 0 ? shape.across : 4, 1};
    if (const auto source = block_source(writer, chain, x0, y0, shape)) {
        block = source->block;
        const std::string entry = BlockEntry(writer, chain, *source, target, out, area, x0, y0, d).text();
        writer.body.text = finished(writer, source->functions, entry);
    } else {
        const std::string function = chain_function(writer, chain, "@v");
        const int across = (area.w + block.w - 1) / block.w;
        std::string entry = fmt::format("const int row = item / {}, first = (item - row * {}) * {};\n",
                                        across, across, block.w);
        entry += fmt::format("{} D = {};\n", pointer_type(out.sample.type, true), row_of(d, out, "row"));
        const std::string store =
            fmt::format("D[x * {}] = {};\n", out.sample.step,
                        store_value(out.sample, "v", dither_at(target, "x", area.x, "row", area.y)));
        entry += fmt::format(
            "for (int x = first; x < min(first + {}, {}); x++) {{\nconst float v = @v($F, x + {}, "
            "row + {});\n{}}}\n",
            block.w, area.w, x0, y0, store);
        writer.body.text = finished(writer, function, entry);
    }
    describe(writer.body, part, block, layer.chain.depth() + 1);
    return writer.body;
}

} // namespace weft::graph
