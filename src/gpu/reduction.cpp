#include "gpu/reduction.hpp"

#include <algorithm>
#include <bit>

#include "base/format.hpp"
#include "base/text_file.hpp"
#include "gpu/device_private.hpp"

namespace weft::gpu {
namespace {

constexpr size_t part_words = 4;
constexpr size_t gpu_group = 256;
constexpr size_t groups_per_unit = 8;
constexpr size_t cpu_items_per_unit = 16; // so that no core waits long for another
constexpr int cpu_copies = 4, most_copies = 32;

std::string sample_name(SampleKind kind) {
    return kind == SampleKind::uint8    ? "SAMPLE_UCHAR"
           : kind == SampleKind::uint16 ? "SAMPLE_USHORT"
                                        : "SAMPLE_FLOAT";
}

size_t word_samples(SampleKind kind) {
    return kind == SampleKind::uint8 ? 16 : kind == SampleKind::uint16 ? 8 : 4;
}

} // namespace

PlaneReduction::PlaneReduction(Device& device, Programs& programs, const std::filesystem::path& kernels,
                               const PlaneShape& shape, Figures figures)
    : device_(device), shape_(shape), figures_(figures) {
    WEFT_CHECK(shape.width > 0 && shape.height > 0);
    const bool cpu = device.traits().kind == DeviceKind::cpu, histogram = figures == Figures::histogram;
    const auto units = static_cast<size_t>(std::max(device.traits().compute_units, 1));
    const auto height = static_cast<size_t>(shape.height);
    size_t group = 1, groups = std::min(units * cpu_items_per_unit, height);
    int copies = cpu_copies;
    if (!cpu) {
        group = std::bit_floor(std::min(gpu_group, std::max<size_t>(device.traits().max_group_size, 2)));
        const size_t width = static_cast<size_t>(shape.width), samples = word_samples(shape.kind);
        const size_t words = (width + samples - 1) / samples * height;
        groups = std::clamp((words + 4 * group - 1) / (4 * group), size_t{1}, units * groups_per_unit);
        copies = most_copies;
        while (copies > 1 &&
               sizeof(uint32_t) * bins * static_cast<size_t>(copies) > device.traits().local_bytes * 3 / 4)
            copies /= 2;
    }
    std::string head = fmt::format("#define WIDTH {}\n#define HEIGHT {}\n#define {}\n#define GROUP {}\n",
                                   shape.width, shape.height, sample_name(shape.kind), group);
    if (histogram)
        head += fmt::format("#define DEPTH {}\n#define COPIES {}\n", shape.depth, copies);
    else
        head += fmt::format("{}{}", figures != Figures::extremes ? "#define WITH_SUM\n" : "",
                            figures != Figures::sum ? "#define WITH_EXTREMES\n" : "");
    const std::string name = histogram ? "histogram" : "statistics";
    const std::filesystem::path file = kernels / "reduce" / (name + ".cl");
    const std::string text = read_text(file);
    const auto lines = [](const std::string& t) {
        return static_cast<int>(std::count(t.begin(), t.end(), '\n'));
    };
    const cl::Program program =
        programs.build(head + text, name, {{lines(head) + 1, lines(text) + 1, file.string(), 1}});
    guarded(name, [&] {
        kernel_ = cl::Kernel(program, name.c_str());
        global_ = cl::NDRange(groups * group);
        local_ = cl::NDRange(group);
        const size_t part_bytes =
            sizeof(uint32_t) * (histogram ? static_cast<size_t>(bins) : part_words * groups);
        parts_ = cl::Buffer(device.context(), CL_MEM_READ_WRITE, part_bytes);
        counter_ = cl::Buffer(device.context(), CL_MEM_READ_WRITE, sizeof(uint32_t));
        result_ = cl::Buffer(device.context(), CL_MEM_READ_WRITE,
                             sizeof(uint32_t) * (histogram ? static_cast<size_t>(bins) : part_words));
        device.compute().enqueueFillBuffer(parts_, uint32_t{0}, 0, part_bytes);
        device.compute().enqueueFillBuffer(counter_, uint32_t{0}, 0, sizeof(uint32_t));
        device.compute().finish();
        kernel_.setArg(3, parts_);
        kernel_.setArg(4, counter_);
        kernel_.setArg(5, cl_uint{0});
        kernel_.setArg(6, result_);
    });
}

cl::Event PlaneReduction::enqueue(const PlaneRef& plane, const std::vector<cl::Event>* after) {
    return guarded("figures of a plane", [&] {
        kernel_.setArg(0, plane.buffer);
        kernel_.setArg(1, plane.offset);
        kernel_.setArg(2, plane.pitch);
        cl::Event done;
        device_.compute().enqueueNDRangeKernel(kernel_, cl::NullRange, global_, local_, after, &done);
        return done;
    });
}

PlaneReduction::Values PlaneReduction::read() {
    Values values;
    guarded("figures of a plane", [&] {
        if (figures_ == Figures::histogram) {
            device_.compute().enqueueReadBuffer(result_, CL_TRUE, 0, sizeof values.counts,
                                                values.counts.data());
            return;
        }
        std::array<uint32_t, part_words> words{};
        device_.compute().enqueueReadBuffer(result_, CL_TRUE, 0, sizeof words, words.data());
        const bool real = shape_.kind == SampleKind::float32;
        const auto value = [&](uint32_t word) {
            return real ? static_cast<double>(std::bit_cast<float>(word)) : static_cast<double>(word);
        };
        if (figures_ != Figures::sum) {
            values.least = value(words[0]);
            values.most = value(words[1]);
        }
        if (figures_ != Figures::extremes)
            values.sum = real ? value(words[2])
                              : static_cast<double>(static_cast<uint64_t>(words[3]) << 32 | words[2]);
    });
    return values;
}

} // namespace weft::gpu
