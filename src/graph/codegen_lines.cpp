#include "graph/codegen_lines_private.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "base/format.hpp"
#include "graph/sample_reader_private.hpp"

namespace weft::graph {

std::string raw_value(const SampleLayout& sample, const std::string& element) {
    std::string out = element;
    if (sample.shift > 0) out = fmt::format("({} >> {})", out, sample.shift);
    if (sample.mask != 0) out = fmt::format("({} & {})", out, sample.mask);
    return out;
}

namespace {

// A code as an element.
std::string element_of(const SampleLayout& sample, const std::string& code) {
    const std::string type = sample.type == SampleType::u8 ? "uchar" : "ushort";
    return sample.shift > 0 ? fmt::format("({})({} << {})", type, code, sample.shift)
                            : fmt::format("({}){}", type, code);
}

} // namespace

std::string store_value(const SampleLayout& sample, const std::string& v, const std::string& dither) {
    switch (sample.type) {
    case SampleType::f32:
        return v;
    case SampleType::q6:
        return fmt::format("WF_Q6({})", v);
    case SampleType::u8:
    case SampleType::u16:
        break;
    }
    const int top = (1 << sample.depth) - 1;
    const std::string value = sample.bias == 0 ? v : fmt::format("({} - {})", v, literal(sample.bias));
    std::string code = fmt::format("wf_code({} * {} + {}, {})", value, literal(1.0 / sample.unit),
                                   dither.empty() ? "0.5f" : dither, top);
    return element_of(sample, code);
}

std::optional<std::string> store_whole(BodyWriter& writer, const WholeValue& value,
                                       const std::vector<Op>& ops, int component,
                                       const SampleLayout& sample) {
    const bool codes = sample.type == SampleType::u8 || sample.type == SampleType::u16;
    if (!codes || ops.size() > 1) return std::nullopt;
    if (!ops.empty() && ops[0].kind != Op::Kind::plane) return std::nullopt;
    const int top = (1 << sample.depth) - 1;
    double scale = value.unit / sample.unit, offset = (value.bias - sample.bias) / sample.unit;
    const auto is_whole = [](double v) { return std::fabs(v - std::round(v)) < 1e-9; };
    std::string code;
    if (ops.empty() && !value.fractions && std::fabs(scale - 1) < 1e-9 && is_whole(offset)) {
        const long added = std::lround(offset);
        code = added != 0 ? fmt::format("{} + {}", value.text, added) : value.text;
        code = added == 0 && value.peak && *value.peak <= top ? "(" + code + ")"
                                                              : fmt::format("wf_held({}, {})", code, top);
    } else {
        std::string factor, sum;
        if (ops.empty()) {
            factor = literal(scale);
            sum = literal(offset + 0.5);
        } else {
            const auto c = static_cast<size_t>(component);
            offset = (ops[0].a[c] * value.bias + ops[0].b[c] - sample.bias) / sample.unit;
            scale *= ops[0].a[c];
            const std::string f = writer.floats({scale, offset + 0.5});
            factor = f + ".f0";
            sum = f + ".f1";
        }
        code = fmt::format("wf_code((float)({}) * {} + {}, {})", value.text, factor, sum, top);
    }
    return element_of(sample, code);
}

namespace {

// Sum of weight * element, equal weights' integer elements added up first.
std::string weighted_sum(const std::vector<std::pair<double, std::string>>& terms, bool integer) {
    std::vector<std::pair<double, std::string>> groups;
    for (const auto& [weight, element] : terms) {
        if (weight == 0) continue;
        const auto same = std::find_if(groups.begin(), groups.end(), [&, w = weight](const auto& g) {
            return std::fabs(g.first - w) <= 1e-12 * std::fabs(w);
        });
        if (same == groups.end())
            groups.emplace_back(weight, element);
        else
            same->second += " + " + element;
    }
    std::string out;
    for (const auto& [weight, sum] : groups) {
        const std::string term = fmt::format("{}({}) * {}", integer ? "(float)" : "", sum, literal(weight));
        out += (out.empty() ? "" : " + ") + term;
    }
    return out.empty() ? "0.0f" : out;
}

} // namespace

Rows row_taps(BodyWriter& writer, const SampleReader& reader, const AxisTaps& axis, const std::string& tag,
              const std::string& y) {
    Rows rows;
    const int last = reader.rows() - 1;
    const std::string type = reader.by_pitch() ? "const __global uchar* restrict" : reader.type();
    const auto declare = [&](const std::string& row) {
        const std::string name = fmt::format("{}r{}", tag, rows.pointers.size());
        rows.text += fmt::format("{} {} = {};\n", type, name, reader.row_pointer(row));
        rows.pointers.push_back(name);
    };
    if (axis.q == 1) {
        for (int k = 0; k < axis.phase_taps; ++k) {
            const int low = axis.phase_first[0] + k;
            const bool inside = low >= 0 && axis.p * (axis.out - 1) + low <= last;
            const std::string row =
                axis.p == 1 ? fmt::format("{} + {}", y, low) : fmt::format("{} * {} + {}", axis.p, y, low);
            declare(inside ? row : fmt::format("min(max({}, 0), {})", row, last));
            rows.weights.push_back(axis.phase_weight[static_cast<size_t>(k)]);
        }
        return rows;
    }
    const std::string first = writer.table("rows of a scale", axis.first);
    const std::string weight =
        writer.table("row weights of a scale", std::vector<float>(axis.weight.begin(), axis.weight.end()));
    rows.text += fmt::format("const int {}f = {}[{}];\n", tag, first, y);
    for (int k = 0; k < axis.taps; ++k) {
        declare(fmt::format("{}f + {}", tag, k));
        rows.text +=
            fmt::format("const float {}w{} = {}[({}) * {} + {}];\n", tag, k, weight, y, axis.taps, k);
        rows.runtime.push_back(fmt::format("{}w{}", tag, k));
    }
    return rows;
}

namespace {

constexpr int line_peak = 32767; // what a line of short holds

// The largest element of a layout that fits a line of short with room for sums; 0: none does.
int peak_of(const SampleLayout& sample) {
    return sample.type == SampleType::u8 && sample.bias == 0 && sample.shift == 0 ? 255 : 0;
}

int magnitude(const std::vector<int>& taps) {
    int sum = 0;
    for (const int tap : taps)
        sum += std::abs(tap);
    return sum;
}

// Weights sum to 1, so a bias is added once to whatever they made.
std::string with_bias(const SampleLayout& sample, const std::string& value) {
    return sample.bias == 0 ? value : fmt::format("({} + {})", value, literal(sample.bias));
}

} // namespace

LineFetch line_fetch(BodyWriter& writer, const Fetch& fetch, int component, const FetchAxes& axes,
                     const std::string& tag, const std::string& y) {
    const SampleReader reader(writer, fetch, component);
    const SampleLayout& sample = reader.sample();
    const bool integer = sample.type != SampleType::f32;
    const AxisTaps& h = axes.x;
    LineFetch out;
    Rows rows = row_taps(writer, reader, axes.y, tag, y);
    out.before = rows.text;
    const size_t row_count = rows.pointers.size();

    // Straight from memory: one period, few taps, nothing beyond the edges.
    const bool few = static_cast<size_t>(h.phase_taps) * row_count <= 16;
    if (h.q == 1 && h.reach_low == 0 && h.reach_high == 0 && few && !rows.weights.empty() &&
        !reader.by_pitch()) {
        std::vector<std::pair<double, std::string>> terms;
        std::vector<double> weights;
        std::vector<std::string> elements;
        for (size_t k = 0; k < row_count; ++k) {
            const std::string p = fmt::format("{}p{}", tag, k);
            out.in_loop +=
                fmt::format("{} {} = {} + {} + ({} * x + {}) * {};\n", reader.type(), p, rows.pointers[k],
                            reader.column_zero(), h.p, h.phase_first[0], reader.column_stride());
            for (int j = 0; j < h.phase_taps; ++j) {
                const std::string element =
                    j == 0 ? p + "[0]" : fmt::format("{}[{} * {}]", p, j, reader.column_stride());
                weights.push_back(rows.weights[k] * h.phase_weight[static_cast<size_t>(j)]);
                elements.push_back(raw_value(sample, reader.looked_up(element)));
                terms.emplace_back(weights.back() * sample.unit, elements.back());
            }
        }
        if (const int peak = peak_of(sample); peak > 0)
            if (const auto taps = whole_taps(weights, line_peak / peak)) {
                out.whole = WholeValue{grouped_sum(taps->taps, elements), taps->scale * sample.unit, 0,
                                       peak * magnitude(taps->taps)};
            }
        out.value = with_bias(sample, "(" + weighted_sum(terms, integer) + ")");
        out.reads = static_cast<int>(terms.size());
        return out;
    }

    // The value of a source column, all vertical taps applied. `element_of(k)` is the element in row tap k.
    const auto column_text = [&](const std::function<std::string(size_t)>& element_of) {
        std::string text;
        std::vector<std::pair<double, std::string>> terms;
        for (size_t k = 0; k < row_count; ++k) {
            const std::string element = raw_value(sample, element_of(k));
            if (!rows.weights.empty())
                terms.emplace_back(rows.weights[k] * sample.unit, element);
            else
                text += fmt::format("{}{} * {}{}", k ? " + " : "", rows.runtime[k], integer ? "(float)" : "",
                                    element);
        }
        return rows.weights.empty() ? fmt::format("({}) * {}", text, literal(sample.unit))
                                    : weighted_sum(terms, integer);
    };
    // Every p-th sample: one line for each remainder, so that all loads along it are contiguous. Strided
    // loads of floats become gathers.
    if (h.q == 1 && h.p >= 2 && h.p <= 4 && !reader.by_pitch() && !fetch.turn.flip_x) {
        const int p = h.p, f = h.phase_first[0], n = h.phase_taps;
        // Whole numbers all the way where both axes allow it: half the bytes, and sums of 16 bits.
        const int peak = rows.weights.empty() ? 0 : peak_of(sample);
        auto down = peak > 0 ? whole_taps(rows.weights, line_peak / peak) : std::nullopt;
        const auto along =
            down ? whole_taps(h.phase_weight, line_peak / (peak * magnitude(down->taps))) : std::nullopt;
        if (!along) down.reset();
        const std::string line_type = down ? "short" : "float";
        const auto line_value = [&](const std::function<std::string(size_t)>& element_of) {
            if (!down) return column_text(element_of);
            std::vector<std::string> elements;
            for (size_t k = 0; k < row_count; ++k)
                elements.push_back(raw_value(sample, element_of(k)));
            return "(short)(" + grouped_sum(down->taps, elements) + ")";
        };
        const auto group = [&](int column) { return column >= 0 ? column / p : -((p - 1 - column) / p); };
        const int low_x = std::min(0, group(f)), end_x = h.out + std::max(0, group(f + n - 1));
        const int whole = std::min(end_x, reader.columns() / p);
        std::string inner, edge;
        for (size_t k = 0; k < row_count; ++k)
            inner += fmt::format("{} {}g{} = {} + {} * x * {};\n", reader.type(), tag, k, rows.pointers[k], p,
                                 sample.step);
        for (int r = 0; r < p; ++r) {
            out.before += fmt::format("{} {}l{}[{}];\n{}* restrict {}o{} = {}l{} + {};\n", line_type, tag, r,
                                      end_x - low_x, line_type, tag, r, tag, r, -low_x);
            inner +=
                fmt::format("{}o{}[x] = {};\n", tag, r, line_value([&](size_t k) {
                                return reader.looked_up(fmt::format("{}g{}[{}]", tag, k, r * sample.step));
                            }));
            edge += fmt::format("{{ const int c = min(max({} * x + {}, 0), {}); {}o{}[x] = {}; }}\n", p, r,
                                reader.columns() - 1, tag, r,
                                line_value([&](size_t k) { return reader.at(rows.pointers[k], "c"); }));
        }
        out.before += fmt::format("VEC for (int x = 0; x < {}; x++) {{\n{}}}\n", whole, inner);
        if (low_x < 0) out.before += fmt::format("for (int x = {}; x < 0; x++) {{\n{}}}\n", low_x, edge);
        if (whole < end_x)
            out.before += fmt::format("for (int x = {}; x < {}; x++) {{\n{}}}\n", whole, end_x, edge);
        // Pointer-first: moved pointers vectorise where offsets in an index need not.
        std::string moved;
        for (int r = 0; r < p; ++r)
            moved += fmt::format("const {}* restrict {}c{} = {}o{} + x;\n", line_type, tag, r, tag, r);
        std::vector<std::pair<double, std::string>> terms;
        std::vector<std::string> elements;
        for (int j = 0; j < n; ++j) {
            const int x = group(f + j), r = f + j - p * x;
            elements.push_back(fmt::format("{}c{}[{}]", tag, r, x));
            terms.emplace_back(h.phase_weight[static_cast<size_t>(j)], elements.back());
        }
        out.in_loop = moved;
        if (down) {
            out.whole =
                WholeValue{grouped_sum(along->taps, elements), down->scale * along->scale * sample.unit, 0,
                           peak * magnitude(down->taps) * magnitude(along->taps)};
            out.value = fmt::format("((float)({}) * {})", out.whole->text, literal(out.whole->unit));
        } else {
            out.value = with_bias(sample, "(" + weighted_sum(terms, false) + ")");
        }
        out.reads = static_cast<int>(row_count) * n;
        return out;
    }

    // Vertical sum into a line of the source's columns, edges replicated, then the horizontal sum from it.
    const bool periodic = h.q > 0;
    const int low = periodic ? std::min(0, -h.reach_low) : 0;
    int first_column = reader.columns(), end_column = 0;
    for (int k = 0; k < h.out; ++k) {
        first_column = std::min(first_column, h.first[static_cast<size_t>(k)]);
        end_column = std::max(end_column, h.first[static_cast<size_t>(k)] + h.taps);
    }
    const int high = periodic ? h.in + h.reach_high : end_column;
    const int line_low = periodic ? std::min(low, first_column) : first_column;
    const int length = std::max(high, end_column) - line_low;
    const std::string column_value = column_text([&](size_t k) { return reader.at(rows.pointers[k], "x"); });
    out.before += fill(
        "float $Tl[$N];\nfloat* restrict $To = $Tl + $OFF;\nVEC for (int x = $A; x < $B; x++) $To[x] = $V;\n",
        {{"Tl", tag + "l"},
         {"To", tag + "o"},
         {"N", literal(length)},
         {"OFF", literal(-line_low)},
         {"A", literal(first_column)},
         {"B", literal(end_column)},
         {"V", column_value}});
    if (line_low < first_column)
        out.before += fmt::format("for (int x = {}; x < {}; x++) {}o[x] = {}o[{}];\n", line_low, first_column,
                                  tag, tag, first_column);
    if (line_low + length > end_column)
        out.before += fmt::format("for (int x = {}; x < {}; x++) {}o[x] = {}o[{}];\n", end_column,
                                  line_low + length, tag, tag, end_column - 1);
    out.reads = static_cast<int>(row_count) * std::max(1, h.periodic_reads());

    if (h.q == 1) {
        std::vector<std::pair<double, std::string>> terms;
        out.in_loop =
            fmt::format("const float* restrict {}c = {}o + {} * x + {};\n", tag, tag, h.p, h.phase_first[0]);
        for (int j = 0; j < h.phase_taps; ++j)
            terms.emplace_back(h.phase_weight[static_cast<size_t>(j)], fmt::format("{}c[{}]", tag, j));
        out.value = with_bias(sample, h.phase_taps == 1 ? fmt::format("{}c[0]", tag)
                                                        : "(" + weighted_sum(terms, false) + ")");
        return out;
    }
    const int rounded = periodic ? (h.out + h.q - 1) / h.q * h.q : h.out;
    out.before += fmt::format("float {}h[{}];\n", tag, rounded);
    if (periodic) {
        std::string body =
            fmt::format("const float* restrict c = {}o + {} * i; float* restrict o = {}h + {} * i;\n", tag,
                        h.p, tag, h.q);
        for (int f = 0; f < h.q; ++f) {
            std::vector<std::pair<double, std::string>> terms;
            for (int j = 0; j < h.phase_taps; ++j)
                terms.emplace_back(h.phase_weight[static_cast<size_t>(f * h.phase_taps + j)],
                                   fmt::format("c[{}]", h.phase_first[static_cast<size_t>(f)] + j));
            body += fmt::format("o[{}] = {};\n", f, weighted_sum(terms, false));
        }
        out.before += fmt::format("VEC for (int i = 0; i < {}; i++) {{\n{}}}\n", rounded / h.q, body);
    } else {
        std::vector<float> by_tap(h.weight.size());
        for (int k = 0; k < h.out; ++k)
            for (int j = 0; j < h.taps; ++j)
                by_tap[static_cast<size_t>(j) * static_cast<size_t>(h.out) + static_cast<size_t>(k)] =
                    static_cast<float>(h.weight[static_cast<size_t>(k) * static_cast<size_t>(h.taps) +
                                                static_cast<size_t>(j)]);
        const std::string first = writer.table("columns of a scale", h.first);
        const std::string weight = writer.table("column weights of a scale", by_tap);
        std::string sum;
        for (int j = 0; j < h.taps; ++j)
            sum += fmt::format("{}{}o[{}[x] + {}] * {}[x + {}]", j ? " + " : "", tag, first, j, weight,
                               j * h.out);
        out.before += fmt::format("VEC for (int x = 0; x < {}; x++) {}h[x] = {};\n", h.out, tag, sum);
    }
    out.value = with_bias(sample, fmt::format("{}h[x]", tag));
    return out;
}

PointFetch point_fetch(BodyWriter& writer, const Fetch& fetch, int component, const FetchAxes& axes,
                       const std::string& tag, const std::string& x, const std::string& y) {
    const SampleReader reader(writer, fetch, component);
    const SampleLayout& sample = reader.sample();
    const bool integer = sample.type != SampleType::f32;
    const AxisTaps& h = axes.x;
    PointFetch out;
    const Rows rows = row_taps(writer, reader, axes.y, tag, y);
    out.before = rows.text;
    const int last = reader.columns() - 1;
    std::vector<std::string> columns;
    std::vector<double> weights;
    std::vector<std::string> runtime;
    if (h.q == 1) {
        for (int j = 0; j < h.phase_taps; ++j) {
            const int low = h.phase_first[0] + j;
            const bool inside = low >= 0 && h.p * (h.out - 1) + low <= last;
            const std::string column = fmt::format("{} * ({}) + {}", h.p, x, low);
            const std::string name = fmt::format("{}x{}", tag, j);
            out.before += fmt::format("const int {} = {};\n", name,
                                      inside ? column : fmt::format("min(max({}, 0), {})", column, last));
            columns.push_back(name);
            weights.push_back(h.phase_weight[static_cast<size_t>(j)]);
        }
    } else {
        const std::string first = writer.table("columns of a scale", h.first);
        const std::string weight =
            writer.table("column weights of a scale", std::vector<float>(h.weight.begin(), h.weight.end()));
        out.before += fmt::format("const int {}xf = {}[{}];\n", tag, first, x);
        for (int j = 0; j < h.taps; ++j) {
            columns.push_back(fmt::format("({}xf + {})", tag, j));
            out.before +=
                fmt::format("const float {}v{} = {}[({}) * {} + {}];\n", tag, j, weight, x, h.taps, j);
            runtime.push_back(fmt::format("{}v{}", tag, j));
        }
    }
    std::vector<std::pair<double, std::string>> terms;
    std::string sum;
    for (size_t k = 0; k < rows.pointers.size(); ++k)
        for (size_t j = 0; j < columns.size(); ++j) {
            const std::string element = raw_value(sample, reader.at(rows.pointers[k], columns[j]));
            if (!rows.weights.empty() && runtime.empty()) {
                terms.emplace_back(rows.weights[k] * weights[j] * sample.unit, element);
                continue;
            }
            const std::string wk = rows.weights.empty() ? rows.runtime[k] : literal(rows.weights[k]);
            const std::string wj = runtime.empty() ? literal(weights[j]) : runtime[j];
            sum += fmt::format("{}{}({}) * ({} * {})", sum.empty() ? "" : " + ", integer ? "(float)" : "",
                               element, wk, wj);
        }
    out.value = with_bias(sample, terms.empty() ? fmt::format("(({}) * {})", sum, literal(sample.unit))
                                                : "(" + weighted_sum(terms, integer) + ")");
    return out;
}

PointFetch point_window(BodyWriter& writer, const Fetch& fetch, int component, const WindowTaps& taps,
                        const std::string& tag, const std::string& x, const std::string& y) {
    const SampleReader reader(writer, fetch, component);
    const SampleLayout& sample = reader.sample();
    const int width = reader.columns(), height = reader.rows();
    const int columns = 2 * taps.radius_x + 1, rows = 2 * taps.radius_y + 1;
    const auto weight = [&](int j, int i) {
        return taps.separable ? taps.column[static_cast<size_t>(j)] * taps.row[static_cast<size_t>(i)]
                              : taps.matrix[static_cast<size_t>(j * columns + i)];
    };
    PointFetch out;
    const double scale = taps.gain * sample.unit;
    if (columns * rows <= 81) {
        std::string sum;
        for (int i = 0; i < columns; ++i)
            out.before += fmt::format("const int {}x{} = min(max({} + {}, 0), {});\n", tag, i, x,
                                      i - taps.radius_x, width - 1);
        for (int j = 0; j < rows; ++j) {
            out.before += fmt::format("{} {}r{} = {};\n", reader.type(), tag, j,
                                      reader.row_pointer(fmt::format("min(max({} + {}, 0), {})", y,
                                                                     j - taps.radius_y, height - 1)));
            for (int i = 0; i < columns; ++i) {
                const std::string element =
                    reader.at(fmt::format("{}r{}", tag, j), fmt::format("{}x{}", tag, i));
                sum += float_product(weight(j, i), "(float)" + element, sum.empty());
            }
        }
        out.before += fmt::format("const float {}s = {};\n", tag, sum.empty() ? "0.0f" : sum);
    } else {
        // Hundreds of taps: loops over a table, unrolled by the compiler as it sees fit.
        std::vector<float> table;
        for (int j = 0; j < rows; ++j)
            for (int i = 0; i < columns; ++i)
                table.push_back(static_cast<float>(weight(j, i)));
        const std::string t = writer.table("weights of a window", table);
        out.before += fill(
            "float $Gs = 0.0f;\nfor (int j = 0; j < $ROWS; j++) {\n$TYPE r = $ROW;\nfor (int i = 0; i < "
            "$COLS; i++) $Gs += $T[j * $COLS + i] * (float)$E;\n}\n",
            {{"Gs", tag + "s"},
             {"ROWS", literal(rows)},
             {"COLS", literal(columns)},
             {"TYPE", reader.type()},
             {"ROW",
              reader.row_pointer(fmt::format("min(max({} + j - {}, 0), {})", y, taps.radius_y, height - 1))},
             {"T", t},
             {"E",
              reader.at("r", fmt::format("min(max({} + i - {}, 0), {})", x, taps.radius_x, width - 1))}});
    }
    out.value = fmt::format("{}s * {}", tag, literal(scale));
    if (taps.keep != 0) {
        out.before += fmt::format("{} {}k = {};\n", reader.type(), tag, reader.row_pointer(y));
        out.value +=
            fmt::format(" + (float){} * {}", reader.at(tag + "k", x), literal(taps.keep * sample.unit));
    }
    if (taps.bias != 0) out.value += fmt::format(" + {}", literal(taps.bias));
    return out;
}

} // namespace weft::graph
