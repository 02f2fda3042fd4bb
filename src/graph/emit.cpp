#include "graph/emit_private.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstring>

#include "base/format.hpp"
#include "graph/filter_library.hpp"

namespace weft::graph {

std::string fill(std::string_view text,
                 std::initializer_list<std::pair<std::string_view, std::string>> values) {
    std::string out;
    out.reserve(text.size() * 2);
    for (size_t i = 0; i < text.size();) {
        if (text[i] != '$') {
            out += text[i++];
            continue;
        }
        if (i + 1 < text.size() && text[i + 1] == '$') { // "$$" stands for one
            out += '$';
            i += 2;
            continue;
        }
        size_t end = i + 1;
        while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) || text[end] == '_'))
            ++end;
        const std::string_view name = text.substr(i + 1, end - i - 1);
        const auto found =
            std::find_if(values.begin(), values.end(), [&](const auto& v) { return v.first == name; });
        if (found == values.end())
            throw Error(ErrorKind::internal, "kernel template misses " + std::string(name));
        out += found->second;
        i = end;
    }
    return out;
}

std::string literal(double value) {
    if (!std::isfinite(value)) throw Error(ErrorKind::internal, "a constant of a kernel is not finite");
    std::string text = fmt::format("{:.9g}", value);
    if (text.find_first_of(".e") == std::string::npos) text += ".0";
    return value < 0 ? "(" + text + "f)" : text + "f";
}

std::string literal(int value) {
    return value < 0 ? fmt::format("({})", value) : fmt::format("{}", value);
}

std::string struct_name(const FilterManifest& manifest) {
    return function_name(manifest) + "_params";
}

std::string function_name(const FilterManifest& manifest) {
    const char* kind = manifest.kind == FilterKind::picture      ? "picture"
                       : manifest.kind == FilterKind::transition ? "transition"
                                                                 : "generator";
    return fmt::format("wf_{}_{}", kind, manifest.name);
}

bool per_component(const FilterManifest& manifest) {
    const size_t at = manifest.text.find("apply(");
    if (at == std::string::npos) return true;
    const size_t type_end = manifest.text.find_last_not_of(" \t\n", at - 1);
    return at > 0 && type_end != std::string::npos && manifest.text.compare(type_end - 1, 2, "Px") != 0;
}

namespace {

struct Member {
    std::string name;
    bool integer = false;
};

// Members of the parameter struct, in manifest order, each of four bytes.
std::vector<Member> members(const FilterManifest& manifest) {
    std::vector<Member> out;
    for (const ParamSpec& p : manifest.params) {
        switch (p.type) {
        case ParamType::float_:
        case ParamType::time:
            out.push_back({p.name});
            break;
        case ParamType::int_:
        case ParamType::bool_:
        case ParamType::enum_:
            out.push_back({p.name, true});
            break;
        case ParamType::colour:
            for (const char* part : {"_r", "_g", "_b", "_a"})
                out.push_back({p.name + part});
            break;
        case ParamType::file:
        case ParamType::curve:
        case ParamType::list:
        case ParamType::expression:
            break;
        }
    }
    for (const auto& [name, expression] : manifest.derived)
        out.push_back({name});
    if (out.empty()) out.push_back({"wf_none"});
    return out;
}

} // namespace

std::vector<uint8_t> param_bytes(const FilterUse& use) {
    std::map<std::string, double> values = evaluate_params(use);
    for (const auto& [name, value] : use.values)
        if (const auto* parts = std::get_if<std::vector<double>>(&value); parts && parts->size() == 4) {
            const char* suffix[] = {"_r", "_g", "_b", "_a"};
            for (size_t i = 0; i < 4; ++i)
                values[name + suffix[i]] = (*parts)[i];
        }
    std::vector<uint8_t> bytes;
    for (const Member& member : members(*use.manifest)) {
        const auto found = values.find(member.name);
        const double value = found == values.end() ? 0 : found->second;
        if (!std::isfinite(value))
            throw Error(ErrorKind::bad_input,
                        fmt::format("filter '{}': {} is not finite", use.manifest->name, member.name),
                        use.place);
        uint8_t raw[4];
        if (member.integer) {
            const auto whole = static_cast<int32_t>(std::lround(value));
            std::memcpy(raw, &whole, 4);
        } else {
            const auto single = static_cast<float>(value);
            std::memcpy(raw, &single, 4);
        }
        bytes.insert(bytes.end(), raw, raw + 4);
    }
    return bytes;
}

std::string filter_text(const FilterManifest& manifest, int first_line, std::vector<SourceLines>& lines) {
    std::string out = "typedef struct {\n";
    for (const Member& m : members(manifest))
        out += fmt::format("    {} {};\n", m.integer ? "int" : "float", m.name);
    const std::string name = function_name(manifest);
    const std::string params = struct_name(manifest);
    out += "} " + params + ";\n";
    if (manifest.text.empty()) return out;
    const bool one = per_component(manifest);
    const std::string type = one ? "float" : "Px";
    const bool window = manifest.reads == Reads::window;
    std::string input = manifest.kind == FilterKind::transition ? type + ", " + type : window ? "Win" : type;
    for (size_t i = 1; i < manifest.frames.size(); ++i)
        input += ", " + type;
    out += fmt::format("FN {} {}({}, At, {});\n#define apply {}\n#define Params {}\n", type, name, input,
                       params, name, params);
    SourceLines place;
    place.first_line = first_line + static_cast<int>(std::count(out.begin(), out.end(), '\n'));
    place.line_count = static_cast<int>(std::count(manifest.text.begin(), manifest.text.end(), '\n')) + 1;
    place.file = manifest.text_file.string();
    lines.push_back(place);
    out += manifest.text;
    if (out.back() != '\n') out += '\n';
    out += "#undef apply\n#undef Params\n";
    return out;
}

std::string frame_name(const FramePath& frame) {
    std::string out;
    for (const int step : frame)
        out += fmt::format("{}{}", step < 0 ? "_m" : "_p", std::abs(step));
    return out;
}

const char* element_type(SampleType type) {
    return type == SampleType::u8    ? "uchar"
           : type == SampleType::u16 ? "ushort"
           : type == SampleType::q6  ? "short"
                                     : "float";
}

std::string pointer_type(SampleType type, bool written) {
    return fmt::format("{}__global {}* restrict", written ? "" : "const ", element_type(type));
}

std::string BodyWriter::plane(const ImageComponent& component, bool written, int x, int y) {
    const SampleLayout& s = component.sample;
    const bool runtime_pitch = !std::holds_alternative<BufferArg>(component.plane);
    std::string key = fmt::format("plane{}:{}:{}:{}:", written, x, y, component.plane.index());
    if (const auto* stream = std::get_if<StreamPlane>(&component.plane))
        key += fmt::format("{}.{}{}", stream->stream, stream->plane, frame_name(stream->frame));
    else if (const auto* output = std::get_if<OutputPlane>(&component.plane))
        key += fmt::format("{}.{}", output->output, output->plane);
    else
        key += fmt::format("{}+{}", std::get<BufferArg>(component.plane).buffer, component.byte_offset);
    if (const auto found = known_.find(key); found != known_.end()) return found->second;
    std::string name = fmt::format("{}{}", written ? "d" : "s", body.formals.size());
    known_[key] = name;
    body.formals.push_back({fmt::format("{}__global uchar*", written ? "" : "const "), name});
    Actual pointer;
    pointer.kind = Actual::Kind::pointer;
    pointer.arg = component.plane;
    pointer.byte_offset = component.byte_offset + x * s.step * s.bytes();
    pointer.lines = y;
    pointer.integer = component.pitch;
    body.actuals.push_back(pointer);
    body.formals.push_back({"const int", name + "p"});
    Actual pitch;
    pitch.kind = runtime_pitch ? Actual::Kind::pitch : Actual::Kind::integer;
    pitch.arg = component.plane;
    pitch.integer = component.pitch;
    body.actuals.push_back(pitch);
    if (written && !runtime_pitch) body.writes.push_back(std::get<BufferArg>(component.plane).buffer);
    return name;
}

std::string BodyWriter::params(const FilterUse& use) {
    std::string name = fmt::format("q{}", body.formals.size());
    body.formals.push_back({"const " + struct_name(*use.manifest), name});
    Actual actual;
    actual.kind = Actual::Kind::bytes;
    actual.arg = BytesArg{param_bytes(use), -1};
    body.actuals.push_back(actual);
    body.filters.push_back(use);
    return name;
}

std::string BodyWriter::floats(const std::vector<double>& values) {
    std::string name = fmt::format("f{}", body.formals.size());
    body.formals.push_back({fmt::format("const wf_floats{}", values.size()), name});
    Actual actual;
    actual.kind = Actual::Kind::bytes;
    BytesArg bytes;
    for (const double value : values) {
        if (!std::isfinite(value)) throw Error(ErrorKind::internal, "a constant of a kernel is not finite");
        const auto single = static_cast<float>(value);
        const auto* raw = reinterpret_cast<const uint8_t*>(&single);
        bytes.bytes.insert(bytes.bytes.end(), raw, raw + 4);
    }
    actual.arg = bytes;
    body.actuals.push_back(actual);
    return name;
}

std::string BodyWriter::tick(int transition) {
    const std::string key = fmt::format("tick{}", transition);
    if (const auto found = known_.find(key); found != known_.end()) return found->second;
    std::string name = fmt::format("tk{}", body.formals.size());
    known_[key] = name;
    body.formals.push_back({"const WfTick", name});
    Actual actual;
    actual.kind = Actual::Kind::tick;
    actual.arg = TickArg{transition};
    body.actuals.push_back(actual);
    return name;
}

std::string BodyWriter::fields(int stream, const FramePath& frame) {
    std::string name = fmt::format("fl{}", body.formals.size());
    body.formals.push_back({"const int", name});
    Actual actual;
    actual.kind = Actual::Kind::fields;
    actual.arg = FieldsArg{stream, frame};
    body.actuals.push_back(actual);
    return name;
}

std::string BodyWriter::table(int buffer, const std::string& type) {
    const std::string key = fmt::format("table{}", buffer);
    if (const auto found = known_.find(key); found != known_.end()) return found->second;
    // Not "t5", as a kernel's own arguments are called: "t5 = k == 0 ? t4 : t5" would read itself.
    std::string name = fmt::format("table{}", body.formals.size());
    known_[key] = name;
    body.formals.push_back({type, name});
    Actual actual;
    actual.kind = Actual::Kind::table;
    actual.arg = BufferArg{buffer};
    body.actuals.push_back(actual);
    return name;
}

std::string BodyWriter::table(const std::string& title, const void* data, size_t bytes,
                              const std::string& type) {
    const auto* raw = static_cast<const uint8_t*>(data);
    const std::vector<uint8_t> content(raw, raw + bytes);
    for (size_t i = 0; i < buffers_.size(); ++i)
        if (buffers_[i].initial == content) return table(static_cast<int>(i), type);
    PlanBuffer buffer;
    buffer.name = title;
    buffer.bytes = bytes;
    buffer.initial = content;
    buffers_.push_back(std::move(buffer));
    return table(static_cast<int>(buffers_.size()) - 1, type);
}

std::string BodyWriter::table(const std::string& title, const std::vector<float>& values) {
    return table(title, values.data(), values.size() * sizeof(float), "const __global float* restrict");
}

std::string BodyWriter::table(const std::string& title, const std::vector<int>& values) {
    return table(title, values.data(), values.size() * sizeof(int), "const __global int* restrict");
}

std::string BodyWriter::table(const std::string& title, const std::vector<uint64_t>& values) {
    return table(title, values.data(), values.size() * sizeof(uint64_t), "const __global ulong* restrict");
}

namespace {

bool names_word(const std::string& text, const std::string& word) {
    const auto inside = [&](size_t at) {
        return at < text.size() &&
               (std::isalnum(static_cast<unsigned char>(text[at])) != 0 || text[at] == '_');
    };
    for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1))
        if ((at == 0 || !inside(at - 1)) && !inside(at + word.size())) return true;
    return false;
}

std::string listed(const std::vector<Formal>& formals, const std::string* used_by, bool types) {
    std::string out;
    for (const Formal& f : formals)
        if (used_by == nullptr || names_word(*used_by, f.name))
            out += (out.empty() ? "" : ", ") + (types ? f.type + " " : "") + f.name;
    return out;
}

} // namespace

std::string BodyWriter::formals() const {
    return listed(body.formals, nullptr, true);
}
std::string BodyWriter::names() const {
    return listed(body.formals, nullptr, false);
}
std::string BodyWriter::formals(const std::string& used_by) const {
    return listed(body.formals, &used_by, true);
}
std::string BodyWriter::names(const std::string& used_by) const {
    return listed(body.formals, &used_by, false);
}

bool needs_at(const std::vector<Op>& ops) {
    return std::any_of(ops.begin(), ops.end(), [](const Op& op) { return op.kind == Op::Kind::text; });
}

std::string emit_at(const PlaceText& place, int w, int h, double aspect, const std::string& tick) {
    return fill("At at = {($CX) * $IW, ($CY) * $IH, $X, $Y, $W, $H, $A, $T.t, $T.n, "
                "$T.progress, $T.seed, 0.0f, 0.0f, 1.0f, 0, 0.0f};\n",
                {{"X", place.x},
                 {"Y", place.y},
                 {"CX", place.centre_x},
                 {"CY", place.centre_y},
                 {"W", literal(w)},
                 {"H", literal(h)},
                 {"IW", literal(1.0 / w)},
                 {"IH", literal(1.0 / h)},
                 {"A", literal(aspect)},
                 {"T", tick}});
}

std::string settled_params(BodyWriter& writer, const FilterUse& use, std::string& settle) {
    const std::string q = writer.params(use);
    const std::map<std::string, double> values = evaluate_params(use);
    for (const ParamSpec& param : use.manifest->params) {
        if (param.type != ParamType::enum_ && param.type != ParamType::bool_) continue;
        const auto value = values.find(param.name);
        if (value == values.end()) continue;
        if (settle.empty()) settle = fmt::format("{} {}s = {};\n", struct_name(*use.manifest), q, q);
        settle += fmt::format("{}s.{} = {};\n", q, param.name, std::lround(value->second));
    }
    return settle.empty() ? q : q + "s";
}

std::string emit_at_component(const Op& op, int component) {
    const bool chroma = component == 1 || component == 2;
    const bool distinct = op.ranges[0].lo != op.ranges[1].lo || op.ranges[0].mid != op.ranges[1].mid ||
                          op.ranges[0].hi != op.ranges[1].hi;
    const colour::StoredRange& range = op.ranges[chroma ? 1 : 0];
    return fill("at.c = $C; at.lo = $LO; at.mid = $MID; at.hi = $HI;\n",
                {{"C", literal(distinct         ? component
                               : component == 3 ? 3
                                                : 0)},
                 {"LO", literal(range.lo)},
                 {"MID", literal(range.mid)},
                 {"HI", literal(range.hi)}});
}

namespace {

constexpr const char* member_names[] = {"r", "g", "b", "a"};

std::string emit_pixel_op(BodyWriter& writer, const Op& op, const std::string& v) {
    switch (op.kind) {
    case Op::Kind::matrix: {
        std::vector<double> values;
        for (int row = 0; row < 3; ++row) {
            for (int column = 0; column < 3; ++column)
                values.push_back(op.affine.m(row, column));
            values.push_back(op.affine.offset[static_cast<size_t>(row)]);
        }
        return fill(
            "$V = px_make($F.f0 * $V.r + $F.f1 * $V.g + $F.f2 * $V.b + $F.f3, $F.f4 * $V.r + $F.f5 * $V.g + "
            "$F.f6 * $V.b + $F.f7, $F.f8 * $V.r + $F.f9 * $V.g + $F.f10 * $V.b + $F.f11, $V.a);\n",
            {{"V", v}, {"F", writer.floats(values)}});
    }
    case Op::Kind::plane: {
        const std::string f = writer.floats({op.a[0], op.b[0], op.a[1], op.b[1], op.a[2], op.b[2]});
        return fill("$V = px_make($F.f0 * $V.r + $F.f1, $F.f2 * $V.g + $F.f3, $F.f4 * $V.b + $F.f5, $V.a);\n",
                    {{"V", v}, {"F", f}});
    }
    case Op::Kind::text: {
        const FilterManifest& manifest = *op.use.manifest;
        std::string settle;
        const std::string q = settled_params(writer, op.use, settle);
        const std::string call = function_name(manifest);
        if (!per_component(manifest))
            return settle + emit_at_component(op, 0) +
                   fill("$V = $C($V, at, $Q);\n", {{"V", v}, {"C", call}, {"Q", q}});
        std::string out = settle;
        for (int c = 0; c < 4; ++c)
            if (op.components & (1 << c))
                out += emit_at_component(op, c) +
                       fill("$V.$M = $C($V.$M, at, $Q);\n",
                            {{"V", v}, {"M", member_names[c]}, {"C", call}, {"Q", q}});
        return out;
    }
    case Op::Kind::function: {
        std::string out;
        for (int c = 0; c < 3; ++c)
            out += fill("$V.$M = $C($V.$M);\n", {{"V", v}, {"M", member_names[c]}, {"C", op.function}});
        return out;
    }
    case Op::Kind::pixel: {
        std::string constants;
        if (op.table)
            constants =
                fmt::format(", {}, {}", writer.table("lookup table", op.table->packed), op.table->size);
        for (const double constant : op.constants)
            constants += ", " + literal(constant);
        return fill("$V = $C($V$MORE);\n", {{"V", v}, {"C", op.function}, {"MORE", constants}});
    }
    case Op::Kind::premultiply:
        return fill("$V = px_scale($V, $V.a);\n", {{"V", v}});
    case Op::Kind::unpremultiply:
        return fill("$V = px_scale($V, $V.a > 0.0f ? 1.0f / $V.a : 0.0f);\n", {{"V", v}});
    case Op::Kind::clamp:
        return fill("$V = px_clamp01($V);\n", {{"V", v}});
    case Op::Kind::table: {
        const std::string t = writer.table("lookup table", op.table->packed);
        std::vector<double> domain;
        for (int i = 0; i < 3; ++i) {
            const double scale = 1.0 / (op.table->domain_max[i] - op.table->domain_min[i]);
            domain.push_back(scale * (op.table->size - 1));
            domain.push_back(-op.table->domain_min[i] * scale * (op.table->size - 1));
        }
        std::string more;
        if (op.table->dimensions == 3) {
            std::vector<double> values;
            for (int i = 0; i < 3; ++i)
                values.insert(values.end(), {op.table->packed_step[i], op.table->packed_low[i]});
            more = ", " + writer.floats(values);
        }
        return fill("$V = $C($V, $T, $N, $D$MORE);\n", {{"V", v},
                                                        {"C", op.function},
                                                        {"T", t},
                                                        {"N", literal(op.table->size)},
                                                        {"D", writer.floats(domain)},
                                                        {"MORE", more}});
    }
    }
    return {};
}

std::string emit_plane_op(BodyWriter& writer, const Op& op, const std::string& v, int component) {
    const auto c = static_cast<size_t>(component);
    switch (op.kind) {
    case Op::Kind::plane:
        return fill("$V = $V * $F.f0 + $F.f1;\n", {{"V", v}, {"F", writer.floats({op.a[c], op.b[c]})}});
    case Op::Kind::text: {
        if (!(op.components & (1 << component))) return {};
        std::string settle;
        const std::string q = settled_params(writer, op.use, settle);
        return settle + emit_at_component(op, component) +
               fill("$V = $C($V, at, $Q);\n", {{"V", v}, {"C", function_name(*op.use.manifest)}, {"Q", q}});
    }
    case Op::Kind::clamp:
        return fill("$V = wf_clamp01($V);\n", {{"V", v}});
    default:
        throw Error(ErrorKind::internal, "a step that mixes components reached the planes");
    }
}

} // namespace

std::string emit_ops(BodyWriter& writer, const std::vector<Op>& ops, const std::string& v, bool pixel,
                     int component) {
    std::string out;
    for (const Op& op : ops)
        out += pixel ? emit_pixel_op(writer, op, v) : emit_plane_op(writer, op, v, component);
    return out;
}

} // namespace weft::graph
