// From bodies to passes: who runs when, one program a pass, and which buffers share memory.
#include <algorithm>
#include <map>
#include <set>

#include "base/format.hpp"
#include "graph/planner_private.hpp"
#include "graph/work_private.hpp"

namespace weft::graph {
namespace {

std::set<int> buffers_read(const Body& body) {
    std::set<int> out;
    for (const Actual& actual : body.actuals)
        if (const auto* b = std::get_if<BufferArg>(&actual.arg);
            b && (actual.kind == Actual::Kind::pointer || actual.kind == Actual::Kind::table))
            out.insert(b->buffer);
    for (const int written : body.writes)
        out.erase(written);
    return out;
}

// Bodies whose pictures nobody reads are left out (a layer's variant for planes where pixels were needed).
std::vector<Body> living(std::vector<Body> bodies) {
    for (;;) {
        std::set<int> wanted;
        for (const Body& body : bodies) {
            const auto read = buffers_read(body);
            wanted.insert(read.begin(), read.end());
        }
        const size_t before = bodies.size();
        std::erase_if(bodies, [&](const Body& body) {
            return !body.writes.empty() && std::none_of(body.writes.begin(), body.writes.end(),
                                                        [&](int b) { return wanted.count(b) > 0; });
        });
        if (bodies.size() == before) return bodies;
    }
}

// The arguments of one kernel: each plane, buffer and constant once.
class Arguments {
  public:
    std::string pointer(const Actual& a) {
        if (const auto* buffer = std::get_if<BufferArg>(&a.arg)) {
            const std::string base = buffer_name(buffer->buffer);
            const long offset = a.byte_offset + static_cast<long>(a.lines) * a.integer;
            return offset ? fmt::format("({} + {})", base, offset) : base;
        }
        const std::string base = plane_name(a.arg);
        std::string text = fmt::format("{} + {}o", base, base);
        if (a.byte_offset) text += fmt::format(" + {}", a.byte_offset);
        if (a.lines) text += fmt::format(" + {} * {}p", a.lines, base);
        return "(" + text + ")";
    }
    std::string pitch(const Actual& a) { return plane_name(a.arg) + "p"; }
    std::string bytes(const Actual& a, const std::string& type) {
        const auto& value = std::get<BytesArg>(a.arg);
        for (size_t i = 0; i < blobs_.size(); ++i)
            if (blobs_[i].first == value.bytes && blobs_[i].second == type) return fmt::format("x{}", i);
        blobs_.emplace_back(value.bytes, type);
        add(a.arg, fmt::format("{} x{}", type, blobs_.size() - 1), value.bytes.size());
        return fmt::format("x{}", blobs_.size() - 1);
    }
    std::string tick(const Actual& a) {
        const int t = std::get<TickArg>(a.arg).transition;
        std::string name = fmt::format("k{}", t + 1);
        if (names_.insert(name).second) add(a.arg, "const WfTick " + name, 16);
        return name;
    }
    std::string fields(const Actual& a) {
        const auto& of = std::get<FieldsArg>(a.arg);
        std::string name = fmt::format("fields{}{}", of.stream, frame_name(of.frame));
        if (names_.insert(name).second) add(a.arg, "const int " + name, 4);
        return name;
    }
    std::string table(const Actual& a, const std::string& type) {
        // Tables are typed: "const __global float* restrict".
        const int b = std::get<BufferArg>(a.arg).buffer;
        std::string name = fmt::format("t{}", b);
        if (names_.insert(name).second) add(a.arg, type + " " + name, 8);
        return name;
    }
    std::vector<Arg> args;
    std::string formals;
    size_t size = 0;

  private:
    void add(const Arg& arg, const std::string& formal, size_t bytes) {
        args.push_back(arg);
        formals += (formals.empty() ? "" : ",\n    ") + formal;
        size += bytes;
    }
    std::string buffer_name(int buffer) {
        std::string name = fmt::format("b{}", buffer);
        if (names_.insert(name).second) add(BufferArg{buffer}, "__global uchar* " + name, 8);
        return name;
    }
    std::string plane_name(const Arg& arg) {
        std::string name;
        bool written = false;
        if (const auto* stream = std::get_if<StreamPlane>(&arg))
            name = fmt::format("s{}_{}{}", stream->stream, stream->plane, frame_name(stream->frame));
        else {
            const auto& output = std::get<OutputPlane>(arg);
            name = fmt::format("d{}_{}", output.output, output.plane);
            written = true;
        }
        if (names_.insert(name).second)
            add(arg,
                fmt::format("{}__global uchar* {},\n    const int {}o, const int {}p",
                            written ? "" : "const ", name, name, name),
                16);
        return name;
    }
    std::set<std::string> names_;
    std::vector<std::pair<std::vector<uint8_t>, std::string>> blobs_;
};

std::string actual_text(Arguments& arguments, const Actual& actual, const std::string& type) {
    switch (actual.kind) {
    case Actual::Kind::pointer:
        return arguments.pointer(actual);
    case Actual::Kind::pitch:
        return arguments.pitch(actual);
    case Actual::Kind::bytes:
        return arguments.bytes(actual, type);
    case Actual::Kind::tick:
        return arguments.tick(actual);
    case Actual::Kind::fields:
        return arguments.fields(actual);
    case Actual::Kind::table:
        return arguments.table(actual, type);
    case Actual::Kind::integer:
        return literal(actual.integer);
    }
    return {};
}

// Formals of equal type and name in equal text: one function serves all of them.
std::string shape_key(const Body& body) {
    std::string key = body.text + fmt::format("#{}#{}", body.items, body.shape.lanes);
    for (const Formal& f : body.formals)
        key += "|" + f.type + " " + f.name;
    return key;
}

std::string renamed(std::string text, const std::string& name) {
    std::string out;
    out.reserve(text.size());
    for (size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '@') {
            out += text[i];
            continue;
        }
        const bool more = i + 1 < text.size() && (std::isalnum(static_cast<unsigned char>(text[i + 1])) != 0);
        out += more ? name + "_" : name;
    }
    return out;
}

struct Group {
    const Body* body;
    std::vector<const Body*> instances;
};

std::string dispatch(const std::vector<Group>& groups, Arguments& arguments, size_t& total) {
    std::string out;
    for (size_t g = 0; g < groups.size(); ++g) {
        const Group& group = groups[g];
        const auto count = group.instances.size();
        const size_t items = static_cast<size_t>(group.body->items);
        const size_t end = total + items * count;
        out += fmt::format("if (id < {}) {{\nconst int at = id - {};\n", end, total);
        out += count > 1
                   ? fmt::format("const int k = at / {};\nconst int item = at - k * {};\n", items, items)
                   : "const int item = at;\n";
        std::string call = fmt::format("p{}(item", g);
        for (size_t f = 0; f < group.body->formals.size(); ++f) {
            const Formal& formal = group.body->formals[f];
            std::vector<std::string> texts;
            for (const Body* instance : group.instances)
                texts.push_back(actual_text(arguments, instance->actuals[f], formal.type));
            const bool same =
                std::all_of(texts.begin(), texts.end(), [&](const std::string& t) { return t == texts[0]; });
            if (same) {
                call += ", " + texts[0];
                continue;
            }
            std::string choice = texts.back();
            for (size_t i = texts.size() - 1; i-- > 0;)
                choice = fmt::format("k == {} ? {} : {}", i, texts[i], choice);
            out += fmt::format("{} {} = {};\n", formal.type, formal.name, choice);
            call += ", " + formal.name;
        }
        out += call + ");\nreturn;\n}\n";
        total = end;
    }
    return out;
}

// What marks a loop whose results are independent.
std::string vectorising(int lanes) {
    return fmt::format("#define VEC _Pragma(\"clang loop vectorize(assume_safety) vectorize_width({})\")\n",
                       lanes);
}

Pass make_pass(const std::vector<const Body*>& bodies, const DeviceTraits& device, const std::string& prelude,
               std::vector<SourceLines>& sources, size_t& argument_bytes) {
    Pass pass;
    std::vector<Group> groups;
    std::map<std::string, size_t> known;
    std::map<std::string, const FilterManifest*> filters;
    std::set<std::string> float_structs;
    std::map<std::string, int> titles;
    for (const Body* body : bodies) {
        const auto [found, fresh] = known.try_emplace(shape_key(*body), groups.size());
        if (fresh) groups.push_back({body, {}});
        groups[found->second].instances.push_back(body);
        for (const FilterUse& use : body->filters)
            filters[function_name(*use.manifest)] = use.manifest.get();
        for (const Formal& f : body->formals)
            if (f.type.rfind("const wf_floats", 0) == 0) float_structs.insert(f.type.substr(6));
        if (!body->title.empty()) ++titles[body->title];
        pass.bytes_written += body->bytes_written;
        pass.operations += body->operations;
    }
    int lanes = lanes_of(groups.front().body->shape, device);
    std::string text;
    if (device.kind == DeviceKind::gpu) {
        text = "#define VEC\n#define WF_WIDE\n#define WF_WIDEST\n";
    } else {
        text = vectorising(lanes);
        // Compilers of CPU devices are clang's. As built-ins these are instructions from the start; as calls
        // into the device's library they hold up the first pass of the vectoriser, which complains on stderr.
        text += "#ifdef __clang__\n#define WF_CLANG\n";
        for (const char* name : {"fmin", "fmax", "fabs", "sqrt", "floor", "rint"})
            text += fmt::format("#undef {}\n#define {} __builtin_{}f\n", name, name, name);
        // It takes half of AVX-512's width unless a function says that it needs more: scaling by ratios that
        // are not whole costs more than twice as much with it, and nothing gains.
        text += fmt::format("#define WF_WIDEST {}\n#else\n#define WF_WIDEST\n#endif\n",
                            device.vector_width >= 16 ? "__attribute__((min_vector_width(512)))" : "");
    }
    text += prelude;
    for (const std::string& name : float_structs) {
        const int count = std::stoi(name.substr(9));
        if (count == 6) continue; // the prelude's own
        std::string members;
        for (int i = 0; i < count; ++i)
            members += fmt::format("{}f{}", i ? ", " : "", i);
        text += fmt::format("typedef struct {{ float {}; }} {};\n", members, name);
    }
    for (const auto& [name, manifest] : filters) {
        const int line = static_cast<int>(std::count(text.begin(), text.end(), '\n')) + 1;
        text += filter_text(*manifest, line, sources);
    }
    for (size_t g = 0; g < groups.size(); ++g) {
        if (const int wanted = lanes_of(groups[g].body->shape, device);
            wanted != lanes && device.kind != DeviceKind::gpu) {
            text += "#undef VEC\n" + vectorising(wanted);
            lanes = wanted;
        }
        text += renamed(groups[g].body->text, fmt::format("p{}", g));
    }
    Arguments arguments;
    size_t total = 0;
    const std::string body = dispatch(groups, arguments, total);
    text += fmt::format(
        "__kernel WF_WIDEST void weft_pass(\n    {}) {{\nconst int id = (int)get_global_id(0);\n{}}}\n",
        arguments.formals, body);
    pass.kernel = "weft_pass";
    pass.args = arguments.args;
    argument_bytes = arguments.size;
    // Bodies of one launch share its groups; the one with most to do has its way.
    const Body& largest = **std::max_element(bodies.begin(), bodies.end(), [](const Body* a, const Body* b) {
        return a->bytes_written < b->bytes_written;
    });
    const size_t local = group_of(largest.shape, device);
    pass.local = {local, 1};
    pass.global = {(total + local - 1) / local * local, 1};
    pass.text = std::move(text);
    for (const auto& [title, count] : titles)
        pass.title += (pass.title.empty() ? "" : "; ") + title;
    if (pass.title.empty()) pass.title = "convert"; // from the stream's form to the output's, nothing between
    return pass;
}

// Of the constant tables that a pass is given.
double table_bytes(const Plan& plan, const Pass& pass) {
    double sum = 0;
    for (const Arg& arg : pass.args)
        if (const auto* b = std::get_if<BufferArg>(&arg))
            sum += static_cast<double>(plan.buffers[static_cast<size_t>(b->buffer)].initial.size());
    return sum;
}

// Buffers are alive from the first pass that writes to the last that reads; those never alive at once share a
// slot.
void place_buffers(Plan& plan) {
    struct Life {
        size_t first = SIZE_MAX, last = 0;
    };
    std::vector<Life> lives(plan.buffers.size());
    for (size_t p = 0; p < plan.passes.size(); ++p)
        for (const Arg& arg : plan.passes[p].args)
            if (const auto* b = std::get_if<BufferArg>(&arg)) {
                Life& life = lives[static_cast<size_t>(b->buffer)];
                life.first = std::min(life.first, p);
                life.last = std::max(life.last, p);
            }
    struct Slot {
        size_t bytes = 0, last = 0;
    };
    std::vector<Slot> slots;
    std::vector<size_t> order;
    for (size_t b = 0; b < plan.buffers.size(); ++b)
        if (lives[b].first != SIZE_MAX) order.push_back(b);
    std::sort(order.begin(), order.end(),
              [&](size_t a, size_t b) { return lives[a].first < lives[b].first; });
    for (const size_t b : order) {
        PlanBuffer& buffer = plan.buffers[b];
        size_t chosen = slots.size();
        if (buffer.initial.empty())
            for (size_t s = 0; s < slots.size() && chosen == slots.size(); ++s)
                if (slots[s].last < lives[b].first) chosen = s;
        if (chosen == slots.size()) slots.push_back({});
        slots[chosen].bytes = std::max(slots[chosen].bytes, buffer.bytes);
        slots[chosen].last = buffer.initial.empty() ? lives[b].last : SIZE_MAX;
        buffer.slot = static_cast<int>(chosen);
    }
    for (size_t b = 0; b < plan.buffers.size(); ++b) {
        if (lives[b].first != SIZE_MAX) continue;
        plan.buffers[b].bytes = 0; // of bodies that are left out
        plan.buffers[b].initial.clear();
    }
    plan.slot_count = static_cast<int>(slots.size());
    plan.device_bytes = 0;
    for (const Slot& slot : slots)
        plan.device_bytes += slot.bytes;
}

void note_shapes(Plan& plan, const std::map<int, std::vector<const Body*>>& by_depth) {
    for (const auto& [depth, list] : by_depth)
        for (const Body* body : list) {
            if (!body->key) continue;
            const ShapeUse use{*body->key, body->shape, body->tuned};
            if (std::find(plan.shapes.begin(), plan.shapes.end(), use) == plan.shapes.end())
                plan.shapes.push_back(use);
        }
}

} // namespace

void assemble(Plan& plan, std::vector<Body> all, const DeviceTraits& device, const std::string& prelude) {
    const std::vector<Body> bodies = living(std::move(all));
    std::map<int, std::vector<const Body*>> by_depth;
    for (const Body& body : bodies)
        by_depth[body.depth].push_back(&body);
    note_shapes(plan, by_depth);
    for (const auto& [depth, list] : by_depth) {
        // As many bodies a launch as the device's arguments allow.
        size_t from = 0;
        while (from < list.size()) {
            size_t count = list.size() - from;
            for (;;) {
                const std::vector<const Body*> part(list.begin() + static_cast<std::ptrdiff_t>(from),
                                                    list.begin() + static_cast<std::ptrdiff_t>(from + count));
                std::vector<SourceLines> sources;
                size_t bytes = 0;
                Pass pass = make_pass(part, device, prelude, sources, bytes);
                if (bytes > device.max_parameter_bytes && count > 1) {
                    count = std::max<size_t>(1, count / 2);
                    continue;
                }
                pass.bytes_read = bytes_of(part) + table_bytes(plan, pass);
                plan.passes.push_back(std::move(pass));
                plan.sources.push_back(std::move(sources));
                break;
            }
            from += count;
        }
    }
    place_buffers(plan);
}

} // namespace weft::graph
