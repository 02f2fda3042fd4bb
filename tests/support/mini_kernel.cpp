#include "support/mini_kernel.hpp"

#include <algorithm>
#include <cstring>
#include <map>

#include <CL/opencl.hpp>

#include "base/error.hpp"
#include "base/format.hpp"
#include "base/text_file.hpp"
#include "graph/filter_manifest.hpp"

namespace weft::test {
namespace {

using graph::ParamType;

struct Machine {
    cl::Device device;
    cl::Context context;
    cl::CommandQueue queue;
    std::string prelude;
    std::map<std::string, cl::Program> programs;

    Machine() {
        std::vector<cl::Platform> platforms;
        cl::Platform::get(&platforms);
        std::vector<cl::Device> devices;
        for (cl::Platform& platform : platforms) {
            platform.getDevices(CL_DEVICE_TYPE_ALL, &devices);
            if (!devices.empty()) break;
        }
        WEFT_CHECK(!devices.empty());
        device = devices.front();
        context = cl::Context(device);
        queue = cl::CommandQueue(context, device);
        std::vector<std::filesystem::path> files;
        const std::filesystem::path folder = std::filesystem::path(WEFT_SOURCE_DIR) / "kernels";
        for (const auto& entry : std::filesystem::directory_iterator(folder))
            if (entry.path().extension() == ".cl") files.push_back(entry.path());
        std::sort(files.begin(), files.end());
        for (const auto& file : files)
            prelude += read_text(file);
    }

    cl::Program& build(const std::string& text) {
        const auto found = programs.find(text);
        if (found != programs.end()) return found->second;
        cl::Program program(context, prelude + text);
        try {
            program.build("-cl-std=CL1.2");
        } catch (const cl::Error&) {
            throw Error(ErrorKind::internal, program.getBuildInfo<CL_PROGRAM_BUILD_LOG>(device));
        }
        return programs.emplace(text, program).first->second;
    }

    cl::Buffer upload(const std::vector<float>& values) {
        const size_t bytes = std::max<size_t>(values.size(), 1) * sizeof(float);
        cl::Buffer buffer(context, CL_MEM_READ_WRITE, bytes);
        if (!values.empty()) queue.enqueueWriteBuffer(buffer, CL_TRUE, 0, bytes, values.data());
        return buffer;
    }

    std::vector<float> download(const cl::Buffer& buffer, size_t count) {
        std::vector<float> out(count);
        queue.enqueueReadBuffer(buffer, CL_TRUE, 0, count * sizeof(float), out.data());
        return out;
    }
};

Machine& machine() {
    static Machine one;
    return one;
}

struct Member {
    std::string name;
    bool integer = false;
};

std::vector<Member> members(const graph::FilterManifest& manifest) {
    std::vector<Member> out;
    for (const graph::ParamSpec& p : manifest.params) {
        if (p.type == ParamType::float_ || p.type == ParamType::time) out.push_back({p.name});
        if (p.type == ParamType::int_ || p.type == ParamType::bool_ || p.type == ParamType::enum_)
            out.push_back({p.name, true});
        if (p.type == ParamType::colour)
            for (const char* part : {"_r", "_g", "_b", "_a"})
                out.push_back({p.name + part});
    }
    for (const auto& derived : manifest.derived)
        out.push_back({derived.first});
    if (out.empty()) out.push_back({"unused"});
    return out;
}

std::vector<unsigned char> packed(const graph::FilterUse& use) {
    std::map<std::string, double> values = graph::evaluate_params(use);
    std::vector<unsigned char> out;
    for (const Member& member : members(*use.manifest)) {
        unsigned char raw[4];
        const double value = member.name == "unused" ? 0 : values.at(member.name);
        if (member.integer) {
            const int whole = static_cast<int>(value);
            std::memcpy(raw, &whole, 4);
        } else {
            const auto single = static_cast<float>(value);
            std::memcpy(raw, &single, 4);
        }
        out.insert(out.end(), raw, raw + 4);
    }
    return out;
}

bool whole_pixel(const graph::FilterManifest& manifest) {
    return manifest.text.find("Px apply") != std::string::npos;
}

std::string program_text(const graph::FilterManifest& manifest) {
    std::string fields;
    for (const Member& m : members(manifest))
        fields += fmt::format("    {} {};\n", m.integer ? "int" : "float", m.name);
    const bool two = manifest.kind == graph::FilterKind::transition;
    const bool pixel = whole_pixel(manifest);
    std::string text =
        fmt::format("typedef struct {{\n{}}} Params;\n#define apply test_apply\n{}\n#undef apply\n", fields,
                    manifest.text);
    text += R"(
typedef struct { float aspect, t, n, progress; uint seed; float lo, mid, hi; int c; } Surroundings;
__kernel void run(const __global float* a, const __global float* b, const __global float* m, __global float* out,
                  int w, int h, Surroundings s, Params p) {
    int i = (int)get_global_id(0), x = i % w, y = i / w, z = w * h;
    At at = {((float)x + 0.5f) / (float)w, ((float)y + 0.5f) / (float)h, x, y, w, h, s.aspect, s.t, s.n, s.progress,
             s.seed, s.lo, s.mid, s.hi, s.c, m[i]};
)";
    if (pixel) {
        text += "    Px va = {a[i], a[z + i], a[2 * z + i], a[3 * z + i]};\n";
        if (two) text += "    Px vb = {b[i], b[z + i], b[2 * z + i], b[3 * z + i]};\n";
        text += fmt::format("    Px o = test_apply({}, at, p);\n", two ? "va, vb" : "va");
        text += "    out[i] = o.r; out[z + i] = o.g; out[2 * z + i] = o.b; out[3 * z + i] = o.a;\n}\n";
    } else {
        text += fmt::format("    out[i] = test_apply({}, at, p);\n}}\n", two ? "a[i], b[i]" : "a[i]");
    }
    return text;
}

struct Surroundings { // as in the kernel
    float aspect, t, n, progress;
    uint32_t seed;
    float lo, mid, hi;
    int c;
};

Surroundings surroundings(const Picture& picture, size_t plane, const Moment& moment) {
    const colour::StoredRange range = picture.layout.stored(plane);
    const int component = picture.layout.is_alpha(plane)    ? 3
                          : picture.layout.is_chroma(plane) ? static_cast<int>(plane)
                                                            : 0;
    return {static_cast<float>(picture.aspect()),
            static_cast<float>(moment.t),
            static_cast<float>(moment.n),
            static_cast<float>(moment.progress),
            moment.seed,
            static_cast<float>(range.lo),
            static_cast<float>(range.mid),
            static_cast<float>(range.hi),
            component};
}

std::vector<float> floats(const Plane& plane) {
    std::vector<float> out;
    for (const double v : plane.values)
        out.push_back(static_cast<float>(v));
    return out;
}

std::vector<float> four_planes(const Picture& picture) {
    WEFT_CHECK(picture.layout.colours() == 3 && !picture.layout.log2_w && !picture.layout.log2_h);
    std::vector<float> out;
    for (const Plane& plane : picture.planes) {
        const std::vector<float> values = floats(plane);
        out.insert(out.end(), values.begin(), values.end());
    }
    if (!picture.layout.alpha) out.resize(out.size() / 3 * 4, 1.0f);
    return out;
}

std::vector<float> run(const graph::FilterUse& use, const std::vector<float>& a, const std::vector<float>& b,
                       Plane mask, int width, int height, const Surroundings& around) {
    if (mask.values.empty()) mask = Plane(width, height);
    WEFT_CHECK(mask.width == width && mask.height == height);
    Machine& m = machine();
    cl::Kernel kernel(m.build(program_text(*use.manifest)), "run");
    const cl::Buffer first = m.upload(a), second = m.upload(b), third = m.upload(floats(mask));
    const cl::Buffer out = m.upload(std::vector<float>(a.size()));
    const std::vector<unsigned char> params = packed(use);
    kernel.setArg(0, first);
    kernel.setArg(1, second);
    kernel.setArg(2, third);
    kernel.setArg(3, out);
    kernel.setArg(4, width);
    kernel.setArg(5, height);
    kernel.setArg(6, sizeof around, &around);
    kernel.setArg(7, params.size(), params.data());
    m.queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(static_cast<size_t>(width * height)));
    return m.download(out, a.size());
}

void fill(Plane& plane, const float* values) {
    for (double& v : plane.values)
        v = *values++;
}

} // namespace

std::vector<float> map_floats(const std::string& expression, const std::vector<float>& x,
                              const std::vector<float>& y) {
    const std::string text =
        "__kernel void run(const __global float* xs, const __global float* ys, __global float* out) {\n"
        "    int i = (int)get_global_id(0);\n"
        "    float x = xs[i], y = ys[i];\n"
        "    out[i] = (float)(" +
        expression + ");\n}\n";
    Machine& m = machine();
    cl::Kernel kernel(m.build(text), "run");
    const cl::Buffer first = m.upload(x), second = m.upload(y.empty() ? x : y), out = m.upload(x);
    kernel.setArg(0, first);
    kernel.setArg(1, second);
    kernel.setArg(2, out);
    m.queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(x.size()), cl::NullRange);
    return m.download(out, x.size());
}

Picture run_text(const graph::FilterUse& use, const Picture& in, const Moment& moment) {
    return run_text(use, in, in, moment);
}

Picture run_text(const graph::FilterUse& use, const Picture& a, const Picture& b, const Moment& moment,
                 const Plane& mask) {
    WEFT_CHECK(!use.manifest->text.empty());
    Picture out = a;
    if (whole_pixel(*use.manifest)) {
        const std::vector<float> values =
            run(use, four_planes(a), four_planes(b), mask, a.width(), a.height(), surroundings(a, 0, moment));
        for (size_t p = 0; p < out.planes.size(); ++p)
            fill(out.planes[p], &values[p * out.planes[p].values.size()]);
        return out;
    }
    for (size_t p = 0; p < out.planes.size(); ++p) {
        const std::vector<float> values =
            run(use, floats(a.planes[p]), floats(b.planes[p]), mask, a.planes[p].width, a.planes[p].height,
                surroundings(a, p, moment));
        fill(out.planes[p], values.data());
    }
    return out;
}

} // namespace weft::test
