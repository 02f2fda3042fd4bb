// Two clips, one picture: the smallest program on weft's modules.
//
// Two clips are made, decoded on two threads, taken up through two slots each, and wiped into each other by
// one kernel whose launch waits on the events of both uploads. The result is checked: the program exits with
// 1 when a sample is wrong. It needs no arguments and leaves nothing behind.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <unistd.h>

#include "base/error.hpp"
#include "engine/plan_runner.hpp"
#include "engine/stream.hpp"
#include "gpu/output.hpp"
#include "media/writer.hpp"

namespace {

using namespace weft;

constexpr int width = 160, height = 96, frames = 40;

// Columns left of the edge show the second stream; the edge moves from left to right.
const char* const wipe = R"(
typedef struct { float t, n, progress; uint seed; } Tick;
__kernel void wipe(__global const uchar* a, int a_offset, int a_pitch, __global const uchar* b, int b_offset,
                   int b_pitch, __global uchar* out, int out_offset, int out_pitch, Tick tick) {
    const int y = get_global_id(0);
    __global const uchar* line_a = a + a_offset + y * a_pitch;
    __global const uchar* line_b = b + b_offset + y * b_pitch;
    __global uchar* line = out + out_offset + y * out_pitch;
    const int edge = (int)(tick.progress * 160.0f + 0.5f);
    for (int x = 0; x < 160; x++) line[x] = x < edge ? line_b[x] : line_a[x];
})";

colour::PictureFormat gray_format() {
    colour::PictureFormat format;
    format.width = width;
    format.height = height;
    format.pixels = colour::pixel_format("gray");
    format.colour = colour::resolve({}, format.pixels, width, height);
    format.rate = 25;
    return format;
}

// Every sample of frame n of clip c.
int code(int clip, int n) {
    return clip == 0 ? 20 + n : 200 - n;
}

std::string make_clip(const std::string& folder, int clip) {
    media::OutputSettings settings;
    settings.target = folder + "/clip" + std::to_string(clip) + ".mkv";
    settings.video_codec = "ffv1";
    settings.pixel_format = "gray";
    std::vector<std::vector<uint8_t>> pictures; // the writer reads them until it has finished
    const auto writer = media::open_writer(settings, gray_format());
    for (int n = 0; n < frames; ++n) {
        pictures.emplace_back(width * height, static_cast<uint8_t>(code(clip, n)));
        colour::HostPlanes planes;
        planes.data[0] = pictures.back().data();
        planes.pitch[0] = width;
        writer->write_video(planes, n, [] {});
    }
    writer->finish();
    return settings.target;
}

std::unique_ptr<engine::Stream> open_stream(gpu::Device& device, const std::string& file) {
    engine::OpenedInput opened;
    opened.input = std::make_shared<media::Input>(file);
    opened.uploader = std::make_unique<gpu::Uploader>(
        device, gpu::choose_upload_path(device, gpu::UploadPath::automatic), 2);
    media::VideoOptions options;
    options.allocator = opened.uploader->allocator();
    opened.decoder = std::make_unique<media::VideoDecoder>(opened.input, options);
    engine::StreamSettings settings;
    settings.name = file;
    settings.ticks = frames;
    return std::make_unique<engine::Stream>(std::move(opened), settings);
}

graph::Plan wipe_plan() {
    graph::Pass pass;
    pass.title = "wipe";
    pass.text = wipe;
    pass.kernel = "wipe";
    pass.global = {height, 1};
    pass.args = {graph::StreamPlane{0, 0}, graph::StreamPlane{1, 0}, graph::OutputPlane{0, 0},
                 graph::TickArg{0}};
    graph::Plan plan;
    plan.passes = {pass};
    plan.outputs = {{gray_format()}};
    return plan;
}

int wrong_samples(const colour::HostPlanes& picture, int n) {
    const int edge = n * width / frames;
    int wrong = 0;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            wrong += picture.data[0][y * picture.pitch[0] + x] != code(x < edge ? 1 : 0, n);
    return wrong;
}

int run(const std::string& folder) {
    const auto devices = gpu::list_devices();
    gpu::Device device(devices.at(gpu::choose_device(devices, "").index));
    std::array<std::unique_ptr<engine::Stream>, 2> streams;
    for (int i = 0; i < 2; ++i)
        streams[static_cast<size_t>(i)] = open_stream(device, make_clip(folder, i));
    gpu::Programs programs(device);
    engine::PlanRunner runner(device, programs, wipe_plan());
    gpu::OutputPictures outputs(device, gray_format(), 1);

    int wrong = 0;
    for (int n = 0; n < frames; ++n) {
        engine::TickInputs tick;
        for (const auto& stream : streams) {
            const engine::StreamSlot* slot = stream->due(Rational(n, 25));
            tick.streams.push_back(slot->upload.picture);
            tick.uploads.push_back(slot->upload.ready); // the kernel waits for it, this thread does not
        }
        tick.outputs = {outputs.device(0)};
        tick.progress = {static_cast<float>(n) / frames};
        outputs.fetch(0, runner.run(tick)).wait();
        wrong += wrong_samples(outputs.host(0), n);
    }
    std::printf("%s: %d pictures of two streams, %d samples wrong\n", device.traits().name.c_str(), frames,
                wrong);
    return wrong == 0 ? 0 : 1;
}

} // namespace

int main() {
    std::string folder = (std::filesystem::temp_directory_path() / "two-streams-XXXXXX").string();
    if (mkdtemp(folder.data()) == nullptr) return 1;
    int status = 1;
    try {
        status = run(folder);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "error: %s\n", describe(error).c_str());
    }
    std::filesystem::remove_all(folder);
    return status;
}
