// One slot or two: the smallest program that shows what double buffering gains.
//
// The same pictures go up, through a kernel and back down twice: with one slot, where each step waits for the
// one before it, and with two, where the copy of the next picture runs beside the kernel of this one because
// only events tie the queues to each other. Both must give the same sums. It needs no arguments; the program
// exits with 1 when a picture is wrong.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "base/error.hpp"
#include "gpu/output.hpp"
#include "gpu/program.hpp"
#include "gpu/upload.hpp"

namespace {

using namespace weft;

constexpr int width = 1280, height = 720, frames = 60;

// Some rounds of arithmetic on each sample, so that the kernel lasts about as long as the copies.
const char* const work = R"(
__kernel void work(__global const uchar* in, int in_offset, int in_pitch, __global uchar* out, int out_offset,
                   int out_pitch) {
    const int y = get_global_id(0);
    for (int x = 0; x < 1280; x++) {
        uint v = in[in_offset + y * in_pitch + x];
        for (int i = 0; i < 8; i++) v = v * 5 + 1;
        out[out_offset + y * out_pitch + x] = (uchar)v;
    }
})";

uint8_t expected(uint8_t v) {
    for (int i = 0; i < 8; ++i)
        v = static_cast<uint8_t>(v * 5 + 1);
    return v;
}

colour::PictureFormat gray_format() {
    colour::PictureFormat format;
    format.width = width;
    format.height = height;
    format.pixels = colour::pixel_format("gray");
    format.colour = colour::resolve({}, format.pixels, width, height);
    return format;
}

// Everything for one picture on its way. A slot is free again when `down` is complete.
struct Slot {
    cl::Kernel kernel;
    cl::Event down;
};

class Pipeline {
  public:
    Pipeline(gpu::Device& device, int slots)
        : device_(device), programs_(device), uploader_(device, gpu::UploadPath::pinned, slots),
          outputs_(device, gray_format(), slots), slots_(static_cast<size_t>(slots)) {
        const cl::Program program = programs_.build(work, "sample");
        for (Slot& slot : slots_)
            slot.kernel = cl::Kernel(program, "work");
    }

    // Milliseconds for all pictures; counts those that are wrong.
    double run(const std::vector<uint8_t>& codes, int& wrong) {
        std::vector<uint8_t> picture(width * height);
        const auto begin = std::chrono::steady_clock::now();
        for (size_t n = 0; n < codes.size() + slots_.size(); ++n) {
            const size_t slot = n % slots_.size();
            if (n >= slots_.size()) { // the picture that was here before has to be out
                slots_[slot].down.wait();
                wrong += *outputs_.host(slot).data[0] != expected(codes[n - slots_.size()]) ? 1 : 0;
            }
            if (n >= codes.size()) continue;
            std::fill(picture.begin(), picture.end(), codes[n]);
            enqueue(slot, picture);
        }
        return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
    }

  private:
    // Three queues, tied by two events; nothing waits here.
    void enqueue(size_t index, const std::vector<uint8_t>& picture) {
        colour::HostPlanes planes;
        planes.data[0] = picture.data();
        planes.pitch[0] = width;
        const gpu::Upload up = uploader_.upload(static_cast<int>(index), planes, gray_format());
        cl::Kernel& kernel = slots_[index].kernel;
        cl_uint argument = 0;
        for (const gpu::PictureRef* image : {&up.picture, &outputs_.device(index)}) {
            kernel.setArg(argument++, image->planes[0].buffer);
            kernel.setArg(argument++, image->planes[0].offset);
            kernel.setArg(argument++, image->planes[0].pitch);
        }
        const std::vector<cl::Event> uploaded{up.ready};
        cl::Event done;
        device_.compute().enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(height), cl::NDRange(1),
                                               &uploaded, &done);
        device_.compute().flush();
        slots_[index].down = outputs_.fetch(index, done);
    }

    gpu::Device& device_;
    gpu::Programs programs_;
    gpu::Uploader uploader_;
    gpu::OutputPictures outputs_;
    std::vector<Slot> slots_;
};

int run() {
    const auto devices = gpu::list_devices();
    gpu::Device device(devices.at(gpu::choose_device(devices, "").index));
    std::vector<uint8_t> codes;
    for (int n = 0; n < frames; ++n)
        codes.push_back(static_cast<uint8_t>(n * 3));
    int wrong = 0;
    double serial = 0, doubled = 0;
    for (const int slots : {1, 2}) {
        Pipeline pipeline(device, slots);
        pipeline.run({1}, wrong); // the first launch may compile
        (slots == 1 ? serial : doubled) = pipeline.run(codes, wrong) / frames;
    }
    std::printf("%s: %.3f ms a picture with one slot, %.3f with two: %.2f times as fast; %d pictures wrong\n",
                device.traits().name.c_str(), serial, doubled, serial / doubled, wrong);
    return wrong == 0 ? 0 : 1;
}

} // namespace

int main() {
    try {
        return run();
    } catch (const std::exception& error) {
        std::fprintf(stderr, "error: %s\n", describe(error).c_str());
        return 2;
    }
}
