#include <algorithm>
#include <cmath>

#include "base/format.hpp"
#include "graph/codegen_gpu_private.hpp"
#include "graph/codegen_lines_private.hpp"
#include "graph/sample_reader_private.hpp"

namespace weft::graph {
namespace {

// Multiplications and additions that are written out; beyond, rows of the window become a loop.
constexpr int most_written = 2048;
constexpr int most_columns = 256;

// Samples of the widest access, 16 bytes.
int widest(SampleType type) {
    return type == SampleType::u8 ? 16 : type == SampleType::f32 ? 4 : 8;
}

bool in_words(SampleType type) {
    return type == SampleType::u8 || type == SampleType::u16;
}

std::string vector_type(const std::string& type, int n) {
    return n > 1 ? fmt::format("{}{}", type, n) : type;
}

bool stored(const Image& image, int component) {
    if (image.gray && component != 0) return false;
    if (component == 3 && !image.alpha) return false;
    return !image.components[static_cast<size_t>(component)].palette;
}

// Where the fetch begins in the component's upright samples, when each value is one of them.
struct Origin {
    int x = 0, y = 0;
};
std::optional<Origin> origin_of(const FetchAxes& axes) {
    const auto copies = [](const AxisTaps& axis) {
        return axis.p == 1 && axis.q == 1 && axis.phase_taps == 1 &&
               std::fabs(axis.phase_weight[0] - 1) < 1e-9;
    };
    if (!copies(axes.x) || !copies(axes.y)) return std::nullopt;
    return Origin{axes.x.phase_first[0], axes.y.phase_first[0]};
}

// Statement that declares `name` as what `call` reads, n samples, and an expression of each. Whole codes are
// taken out of words of 32 bits: out of vectors of bytes NVIDIA's compiler takes twice the instructions.
std::string declare_vector(const SampleLayout& sample, const std::string& name, const std::string& call,
                           int n) {
    const std::string type = fmt::format("{}{}", element_type(sample.type), n);
    if (!in_words(sample.type)) return fmt::format("const {} {} = {};\n", type, name, call);
    const std::string words = vector_type("uint", n * sample.bytes() / 4);
    return fmt::format("const {} {} = as_{}({});\n", words, name, words, call);
}
std::string lane(const SampleLayout& sample, const std::string& name, int k, int n) {
    if (!in_words(sample.type)) return fmt::format("{}.s{}", name, "0123456789abcdef"[k]);
    const int each = 4 / sample.bytes(), bits = 8 * sample.bytes();
    const std::string word = n == each ? name : fmt::format("{}.s{}", name, k / each);
    return fmt::format("({} >> {} & {}u)", word, k % each * bits, (1 << bits) - 1);
}

// A row's samples from `low` up to `high`, counted from column `x`, as they are stored.
struct Row {
    std::string text;
    std::vector<std::string> samples;
};

// Reads along memory: `reversed` where the result runs against it.
struct Run {
    const SampleReader& reader;
    int aligned = 1; // of the column that low = 0 stands for, in memory
    bool reversed = false;
    int length = 0; // samples of a stored row
};

// Samples of an access; below 4: one by one.
int vector_length(const Run& run) {
    const SampleLayout& s = run.reader.sample();
    return s.step == 1 && s.offset == 0 ? std::min(run.aligned, widest(s.type)) : 1;
}

// The multiple of n at or before a column, which may be negative.
int column_before(int column, int n) {
    return column >= 0 ? column / n * n : -((-column + n - 1) / n * n);
}

Row load_row(const Run& run, const std::string& row, const std::string& x, int low, int high,
             const std::string& inside, const std::string& tag) {
    const SampleLayout& sample = run.reader.sample();
    const char* type = element_type(sample.type);
    const int n = vector_length(run);
    Row out;
    const auto value = [&](const std::string& element) { out.samples.push_back(raw_value(sample, element)); };
    const int last = run.length - 1;
    if (n < 4) {
        for (int e = low; e < high; ++e) {
            const std::string column = fmt::format("min(max({} + {}, 0), {})", x, e, last);
            const std::string at = run.reversed ? fmt::format("({} - {})", last, column) : column;
            value(sample.step == 1 ? fmt::format("{}[{}]", row, at)
                                   : fmt::format("{}[{} * {}]", row, at, sample.step));
        }
        return out;
    }
    const int first = column_before(low, n);
    int count = 0;
    for (int v = first; v < high; v += n, ++count) {
        const std::string at =
            run.reversed ? fmt::format("{} - ({} + {})", run.length - n, x, v) : fmt::format("{} + {}", x, v);
        const std::string name = fmt::format("{}v{}", tag, count);
        out.text += declare_vector(
            sample, name, fmt::format("wf_load_{}{}({}, {}, {}, {})", type, n, row, at, last, inside), n);
        for (int k = 0; k < n; ++k)
            if (v + k >= low && v + k < high) value(lane(sample, name, run.reversed ? n - 1 - k : k, n));
    }
    return out;
}

// The samples as variables: each is read by many products.
std::string declare_floats(Row& row, const std::string& tag) {
    std::string text;
    for (size_t i = 0; i < row.samples.size(); ++i) {
        text += fmt::format("const float {}_{} = (float){};\n", tag, i, row.samples[i]);
        row.samples[i] = fmt::format("{}_{}", tag, i);
    }
    return text;
}

// "inside" of load_row() for all rows of a block.
std::string inside_text(const Run& run, const std::string& x, int low, int high, const std::string& name) {
    const int n = vector_length(run);
    if (n < 4) return "";
    const int first = column_before(low, n);
    const int end = first + (high - first + n - 1) / n * n;
    return fmt::format("const int {} = {} + {} >= 0 && {} + {} <= {};\n", name, x, first, x, end, run.length);
}

// Value `i` of a block is this element.
void put(BlockValues& out, const SampleLayout& sample, int i, const std::string& element) {
    const auto at = static_cast<size_t>(i);
    out.values[at] = fmt::format("(float){} * {}", element, literal(sample.unit));
    if (sample.bias != 0) out.values[at] += " + " + literal(sample.bias);
    if (sample.type == SampleType::f32) return;
    out.whole.resize(out.values.size());
    const bool codes = sample.type == SampleType::u8 || sample.type == SampleType::u16;
    out.whole[at] = {element, sample.unit, sample.bias,
                     codes ? std::optional((1 << sample.depth) - 1) : std::nullopt};
}

// Value `i` is this sum of elements.
void put_sum(BlockValues& out, const SampleLayout& sample, int i, const std::string& sum) {
    const auto at = static_cast<size_t>(i);
    out.values[at] = fmt::format("({}) * {}", sum, literal(sample.unit));
    if (sample.bias != 0) out.values[at] += " + " + literal(sample.bias);
    out.whole.resize(out.values.size());
    out.whole[at] = {"(" + sum + ")", sample.unit, sample.bias, std::nullopt, true};
}

// A scale whose weights repeat after a few columns.
bool repeats(const AxisTaps& axis) {
    return axis.q > 0 && axis.q <= 8;
}

// Rows that a block of a scale reads, and what each of its own rows takes of them: weights are expressions.
struct ScaledRows {
    std::string text;
    std::vector<std::string> pointers;
    std::vector<std::vector<std::string>>
        weights; // of each row of the block, for each that is read; "": none
};

ScaledRows scaled_rows(BodyWriter& writer, const SampleReader& reader, const AxisTaps& axis, int height,
                       const std::string& tag, const std::string& y) {
    ScaledRows out;
    if (height == 1) {
        const Rows rows = row_taps(writer, reader, axis, tag, y);
        out.text = rows.text;
        out.pointers = rows.pointers;
        out.weights.push_back(rows.runtime);
        for (const double weight : rows.weights)
            out.weights[0].push_back(literal(weight));
        return out;
    }
    // Several rows, whose weights repeat.
    const int first = *std::min_element(axis.phase_first.begin(), axis.phase_first.end());
    const auto at = [&](int r) {
        return r / axis.q * axis.p + axis.phase_first[static_cast<size_t>(r % axis.q)] - first;
    };
    int count = 0;
    for (int r = 0; r < height; ++r)
        count = std::max(count, at(r) + axis.phase_taps);
    out.text =
        fmt::format("const int {0}b = ({1}) / {2} * {3} + {4};\n", tag, y, axis.q, axis.p, literal(first));
    for (int k = 0; k < count; ++k) {
        out.pointers.push_back(fmt::format("{}r{}", tag, k));
        out.text += fmt::format(
            "{} {} = {};\n", reader.type(), out.pointers.back(),
            reader.row_pointer(fmt::format("min(max({}b + {}, 0), {})", tag, k, reader.rows() - 1)));
    }
    for (int r = 0; r < height; ++r) {
        std::vector<std::string>& weights = out.weights.emplace_back(static_cast<size_t>(count));
        for (int k = 0; k < axis.phase_taps; ++k) {
            const double w = axis.phase_weight[static_cast<size_t>(r % axis.q * axis.phase_taps + k)];
            if (w != 0) weights[static_cast<size_t>(at(r) + k)] = literal(w);
        }
    }
    return out;
}

// Down first, into the columns that the block needs, then along: weights of the columns are literals.
BlockValues scaled_values(BodyWriter& writer, const SampleReader& reader, const FetchAxes& axes,
                          const Block& block, int x0, int columns, bool reversed, const std::string& tag,
                          const std::string& x, const std::string& y) {
    const SampleLayout& sample = reader.sample();
    const AxisTaps& h = axes.x;
    const ScaledRows rows = scaled_rows(writer, reader, axes.y, block.h, tag, y);
    const int periods = block.w / h.q, begin = x0 / h.q * h.p;
    const int first = *std::min_element(h.phase_first.begin(), h.phase_first.end());
    const int last = *std::max_element(h.phase_first.begin(), h.phase_first.end());
    const int high = h.p * (periods - 1) + last + h.phase_taps;
    // Few rows: the sums stand behind all loads, which then wait for memory together. Many would take too
    // many registers.
    const bool together = rows.pointers.size() <= 8;
    const Run run{reader, common_alignment({reversed ? columns - begin : begin, h.p * periods}, 16), reversed,
                  columns};
    const std::string c = tag + "c", inside = tag + "in";
    const auto column = [&](int r, size_t e) { return fmt::format("{}s{}_{}", tag, r, e); };
    BlockValues out;
    out.values.resize(static_cast<size_t>(block.w * block.h));
    out.text = rows.text + fmt::format("const int {} = ({}) / {} * {};\n", c, x, h.q, h.p);
    out.text += inside_text(run, c, first, high, inside);
    std::string sums;
    std::vector<bool> begun(static_cast<size_t>(block.h));
    for (size_t k = 0; k < rows.pointers.size(); ++k) {
        const std::string name = fmt::format("{}{}", tag, k);
        Row row = load_row(run, rows.pointers[k], c, first, high, inside, name);
        out.text += row.text;
        std::string& to = together ? sums : out.text;
        if (block.h > 1) to += declare_floats(row, name + "f");
        for (int r = 0; r < block.h; ++r) {
            const std::string& weight = rows.weights[static_cast<size_t>(r)][k];
            if (weight.empty()) continue;
            const bool more = begun[static_cast<size_t>(r)];
            begun[static_cast<size_t>(r)] = true;
            for (size_t e = 0; e < row.samples.size(); ++e)
                to += fmt::format("{}{} {} {} * (float){};\n", more ? "" : "float ", column(r, e),
                                  more ? "+=" : "=", weight, row.samples[e]);
        }
    }
    out.text += sums;
    for (int r = 0; r < block.h; ++r)
        for (int k = 0; k < block.w; ++k) {
            const int phase = k % h.q, at = k / h.q * h.p + h.phase_first[static_cast<size_t>(phase)] - first;
            std::string sum;
            for (int j = 0; j < h.phase_taps; ++j) {
                const double w = h.phase_weight[static_cast<size_t>(phase * h.phase_taps + j)];
                if (w != 0) sum += float_product(w, column(r, static_cast<size_t>(at + j)), sum.empty());
            }
            if (sum.empty()) sum = "0.0f";
            put_sum(out, sample, r * block.w + k, sum);
        }
    return out;
}

std::vector<std::vector<double>> weights_of(const WindowTaps& taps, double unit) {
    const int columns = 2 * taps.radius_x + 1, rows = 2 * taps.radius_y + 1;
    std::vector<std::vector<double>> out(static_cast<size_t>(rows),
                                         std::vector<double>(static_cast<size_t>(columns)));
    for (size_t j = 0; j < out.size(); ++j)
        for (size_t i = 0; i < out[j].size(); ++i)
            out[j][i] = unit * taps.gain *
                        (taps.separable ? taps.column[j] * taps.row[i] : taps.matrix[j * out[j].size() + i]);
    out[static_cast<size_t>(taps.radius_y)][static_cast<size_t>(taps.radius_x)] += unit * taps.keep;
    return out;
}

} // namespace

int common_alignment(std::initializer_list<int> offsets, int most) {
    int n = most;
    for (const int offset : offsets)
        while (n > 1 && offset % n != 0)
            n /= 2;
    return n;
}

namespace {

// Enlarged, neighbours share what they read: larger blocks convert each code once for many of them. Shrunk,
// they share little, and sums of many products need the registers.
std::optional<Block> scaled_block(const FetchAxes& axes, int x0, int y0, const Shape& shape) {
    const AxisTaps &h = axes.x, &v = axes.y;
    if (!repeats(h) || x0 % h.q != 0 || v.taps > 16 || h.phase_taps > 32) return std::nullopt;
    const int across = shape.across > 0 ? shape.across : h.p <= h.q || h.phase_taps <= 2 ? 16 : 8;
    const bool shared = v.p < v.q || (v.p == v.q && v.phase_taps > 1);
    const int down = shape.down > 0 ? shape.down : shared ? 4 : 1;
    const bool rows = repeats(v) && y0 % v.q == 0;
    return Block{h.q * std::max(1, across / h.q), rows ? v.q * std::max(1, down / v.q) : 1, true};
}

// Sums are written out or made in a loop by the rule alone: the two round apart.
Block window_block(const WindowTaps& window, int most, const Shape& shape) {
    const int columns = 2 * window.radius_x + 1, rows = 2 * window.radius_y + 1;
    const auto products = [&](const Block& block) { return block.w * block.h * columns * rows; };
    Block block{std::max(most / 2, 4), 4};
    while (block.h > 1 && products(block) > most_written)
        block.h /= 2;
    if (columns == 1) block.h = 8; // a loop over rows, when there are many
    if (rows == 1) block.h = 1;
    block.loop = products(block) > most_written;
    if (shape.across > 0) block.w = shape.across;
    if (shape.down > 0 && rows > 1) block.h = shape.down;
    while (!block.loop && block.h > 1 && products(block) > most_written)
        block.h /= 2;
    while (!block.loop && block.w > 4 && products(block) > most_written)
        block.w /= 2;
    return block;
}

} // namespace

std::optional<Block> block_of(const Fetch& fetch, int component, const Grid& grid, const WindowTaps* window,
                              int x0, int y0, const Shape& shape) {
    if (!stored(fetch.image, component)) return std::nullopt;
    const FetchAxes axes = fetch_axes(fetch, component, grid.log2_w, grid.log2_h, grid.site);
    if (fetch.turn.swap) return std::nullopt;
    if (!origin_of(axes)) return window ? std::nullopt : scaled_block(axes, x0, y0, shape);
    const ImageComponent& in = fetch.image.components[static_cast<size_t>(component)];
    const int most = widest(in.sample.type);
    if (!window) return Block{shape.across > 0 ? shape.across : most, std::max(shape.down, 1)};
    if (in.sample.bias != 0 || 2 * window->radius_x + 1 > most_columns) return std::nullopt;
    return window_block(*window, most, shape);
}

BlockValues block_values(BodyWriter& writer, const Fetch& fetch, int component, const Grid& grid,
                         const WindowTaps* window, const Block& block, int x0, const std::string& tag,
                         const std::string& x, const std::string& y) {
    const SampleReader reader(writer, fetch, component);
    const ImageComponent& in = fetch.image.components[static_cast<size_t>(component)];
    const FetchAxes axes = fetch_axes(fetch, component, grid.log2_w, grid.log2_h, grid.site);
    const auto found = origin_of(axes);
    if (!found) return scaled_values(writer, reader, axes, block, x0, in.width, fetch.turn.flip_x, tag, x, y);
    const Origin origin = *found;
    const SampleLayout& sample = reader.sample();
    BlockValues out;
    const std::string cx = tag + "x", cy = tag + "y", inside = tag + "in";
    out.text = fmt::format("const int {} = {} + {}, {} = {} + {};\n", cx, x, origin.x, cy, y, origin.y);
    out.values.resize(static_cast<size_t>(block.w * block.h));
    const int begin = origin.x + x0;
    Run run{reader, common_alignment({fetch.turn.flip_x ? in.width - begin : begin, block.w}, 16),
            fetch.turn.flip_x, in.width};
    const auto row_at = [&](const std::string& row) {
        std::string index = fmt::format("min(max({}, 0), {})", row, in.height - 1);
        if (fetch.turn.flip_y) index = fmt::format("{} - {}", in.height - 1, index);
        return reader.stored_row(index);
    };
    if (!window) {
        out.text += inside_text(run, cx, 0, block.w, inside);
        for (int j = 0; j < block.h; ++j) {
            const Row row = load_row(run, row_at(fmt::format("{} + {}", cy, j)), cx, 0, block.w, inside,
                                     fmt::format("{}{}", tag, j));
            out.text += row.text;
            for (int i = 0; i < block.w; ++i)
                put(out, sample, j * block.w + i, row.samples[static_cast<size_t>(i)]);
        }
        return out;
    }
    const int low = -window->radius_x, high = block.w + window->radius_x;
    const auto weights = weights_of(*window, sample.unit);
    const int rows = static_cast<int>(weights.size());
    const auto sum = [&](int r, int k) { return fmt::format("{}s{}_{}", tag, r, k); };
    out.text += inside_text(run, cx, low, high, inside);
    for (int r = 0; r < block.h; ++r)
        for (int k = 0; k < block.w; ++k) {
            out.text += fmt::format("float {} = {};\n", sum(r, k), literal(window->bias));
            out.values[static_cast<size_t>(r * block.w + k)] = sum(r, k);
        }
    const int columns = static_cast<int>(weights[0].size());
    if (!block.loop) {
        for (int j = 0; j < block.h + rows - 1; ++j) {
            Row row = load_row(run, row_at(fmt::format("{} + {}", cy, j - window->radius_y)), cx, low, high,
                               inside, fmt::format("{}{}", tag, j));
            out.text += "{\n" + row.text;
            out.text += declare_floats(row, fmt::format("{}{}", tag, j));
            for (int r = std::max(0, j - rows + 1); r < std::min(block.h, j + 1); ++r)
                // A multiplication and addition at a time, which is one instruction; neighbours in turn, none
                // of which waits for the other.
                for (int i = 0; i < columns; ++i) {
                    const double w = weights[static_cast<size_t>(j - r)][static_cast<size_t>(i)];
                    for (int k = 0; k < block.w && w != 0; ++k)
                        out.text += fmt::format("{} += {} * {};\n", sum(r, k), literal(w),
                                                row.samples[static_cast<size_t>(k + i)]);
                }
            out.text += "}\n";
        }
        return out;
    }
    // Too many to be written out: a loop over the rows that are read, weights of zero around the window's
    // own.
    const int margin = block.h - 1;
    std::vector<float> table(static_cast<size_t>((rows + 2 * margin) * columns), 0.0f);
    for (int j = 0; j < rows; ++j)
        for (int i = 0; i < columns; ++i)
            table[static_cast<size_t>((j + margin) * columns + i)] =
                static_cast<float>(weights[static_cast<size_t>(j)][static_cast<size_t>(i)]);
    const std::string t = writer.table("weights of a window", table);
    out.text += fmt::format("for (int j = 0; j < {}; j++) {{\n", block.h + rows - 1);
    Row row = load_row(run, row_at(fmt::format("{} + j - {}", cy, window->radius_y)), cx, low, high, inside,
                       tag + "r");
    out.text += row.text;
    out.text += declare_floats(row, tag + "r");
    for (int r = 0; r < block.h; ++r)
        for (int i = 0; i < columns; ++i) {
            out.text +=
                fmt::format("{{ const float w = {}[(j + {}) * {} + {}];\n", t, margin - r, columns, i);
            for (int k = 0; k < block.w; ++k)
                out.text +=
                    fmt::format("{} += w * {};\n", sum(r, k), row.samples[static_cast<size_t>(k + i)]);
            out.text += "}\n";
        }
    out.text += "}\n";
    return out;
}

std::optional<Block> moved_block(const Fetch& fetch, int component, const Grid& grid,
                                 const MovedSide& moved) {
    if (!stored(fetch.image, component) || !fetch.turn.plain()) return std::nullopt;
    const ImageComponent& in = fetch.image.components[static_cast<size_t>(component)];
    const SampleLayout& sample = in.sample;
    if ((sample.type != SampleType::u8 && sample.type != SampleType::u16) || sample.step != 1 ||
        sample.offset != 0)
        return std::nullopt;
    const FetchAxes axes = fetch_axes(fetch, component, grid.log2_w, grid.log2_h, grid.site);
    const auto origin = origin_of(axes);
    // Beyond the picture its edge is repeated, which here is the stored one.
    if (!origin || origin->x != 0 || origin->y != 0 || axes.width != in.width || axes.height != in.height)
        return std::nullopt;
    return Block{widest(sample.type) / (moved.x.taps() > 1 ? 2 : 1), 1};
}

BlockValues moved_values(BodyWriter& writer, const Fetch& fetch, int component, const MovedSide& moved,
                         const Block& block, int x0, const std::string& tag, const std::string& x,
                         const std::string& y) {
    const SampleReader reader(writer, fetch, component);
    const SampleLayout& sample = reader.sample();
    const int n = widest(sample.type), samples = block.w + static_cast<int>(moved.x.taps()) - 1;
    const std::string cx = tag + "x", inside = tag + "in";
    const Run run{reader, common_alignment({x0, block.w}, 16), false, reader.columns()};
    BlockValues out;
    out.text = moved.x.before + moved.y.before;
    out.text += fmt::format("const int {} = {} + {};\n", cx, x, moved.x.first.empty() ? "0" : moved.x.first);
    if (moved.x.first.empty()) out.text += inside_text(run, cx, 0, block.w, inside);
    std::vector<Row> rows;
    for (size_t r = 0; r < moved.y.taps(); ++r) {
        const std::string line =
            fmt::format("min(max({} + {} + {}, 0), {})", y, moved.y.first.empty() ? "0" : moved.y.first, r,
                        reader.rows() - 1);
        const std::string name = fmt::format("{}{}", tag, r);
        if (moved.x.first.empty()) {
            rows.push_back(load_row(run, reader.stored_row(line), cx, 0, block.w, inside, name));
        } else {
            // Where it begins is known at run time only.
            Row& row = rows.emplace_back();
            const std::string type = fmt::format("{}{}", element_type(sample.type), n);
            row.text = declare_vector(
                sample, name,
                fmt::format("wf_run_{}({}, {}, {})", type, reader.stored_row(line), cx, reader.columns() - 1),
                n);
            for (int k = 0; k < samples; ++k)
                row.samples.push_back(raw_value(sample, lane(sample, name, k, n)));
        }
        out.text += rows.back().text;
    }
    out.values.resize(static_cast<size_t>(block.w));
    const bool copies = moved.x.weights.empty() && moved.y.weights.empty();
    for (int k = 0; k < block.w; ++k) {
        if (copies) {
            put(out, sample, k, rows[0].samples[static_cast<size_t>(k)]);
            continue;
        }
        std::vector<std::string> sums;
        for (const Row& row : rows) {
            std::vector<std::string> values;
            for (size_t j = 0; j < moved.x.taps(); ++j)
                values.push_back("(float)" + row.samples[static_cast<size_t>(k) + j]);
            sums.push_back(moved.x.sum(values));
        }
        put_sum(out, sample, k, moved.y.sum(sums));
    }
    return out;
}

std::string store_block_row(const SampleLayout& sample, const std::vector<std::string>& elements,
                            const std::string& x, int width, int aligned) {
    const int count = static_cast<int>(elements.size());
    const char* type = element_type(sample.type);
    const int n = sample.step == 1 ? std::min({aligned, widest(sample.type), count}) : 1;
    std::string whole, parts;
    for (int k = 0; k < count; ++k)
        parts += fmt::format("if ({} + {} < {}) D[({} + {}) * {}] = {};\n", x, k, width, x, k, sample.step,
                             elements[static_cast<size_t>(k)]);
    if (n < 4) return parts;
    // The same words, put together: codes that were read so are then never taken apart.
    const int each = sample.type == SampleType::f32 ? 1 : 4 / sample.bytes();
    const std::string stored_type = vector_type(each > 1 ? "uint" : type, n / each);
    const std::string from = sample.type == SampleType::q6 ? "(uint)(ushort)" : each > 1 ? "(uint)" : "";
    for (int k = 0; k < count; k += n) {
        std::string list;
        for (int i = 0; i < n; ++i) {
            const int bits = i % each * (32 / each);
            list += (i == 0 ? "" : bits == 0 ? ", " : " | ") + from + elements[static_cast<size_t>(k + i)];
            if (bits > 0) list += fmt::format(" << {}", bits);
        }
        whole +=
            fmt::format("*(__global {}*)(D + {} + {}) = ({})({});\n", stored_type, x, k, stored_type, list);
    }
    return fmt::format("if ({} + {} <= {}) {{\n{}}} else {{\n{}}}\n", x, count, width, whole, parts);
}

} // namespace weft::graph
