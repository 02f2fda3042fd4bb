#include "gpu/upload.hpp"

#include <cstring>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "gpu/completions.hpp"
#include "gpu/output.hpp"
#include "gpu/program.hpp"
#include "support/device.hpp"

namespace weft::gpu {
namespace {

colour::PictureFormat format_of(const std::string& pixels, int width, int height) {
    colour::PictureFormat format;
    format.width = width;
    format.height = height;
    format.pixels = colour::pixel_format(pixels);
    return format;
}

// A byte that names its plane, line and column, and the picture it belongs to.
uint8_t code(int plane, int x, int y, int picture) {
    return static_cast<uint8_t>(plane * 71 + x * 3 + y * 29 + picture * 101);
}

// A picture in memory of its own or in a block of an allocator, padded by `extra` bytes a line.
struct Source {
    std::vector<uint8_t> own;
    colour::HostPlanes planes;

    Source(const colour::PictureFormat& format, int extra, bool upside_down, int picture,
           FrameAllocator* allocator = nullptr) {
        size_t needed = 0;
        for (int p = 0; p < format.pixels.plane_count; ++p)
            needed += static_cast<size_t>((format.pixels.plane_line_bytes(p, format.width) + extra) *
                                          format.pixels.plane_lines(p, format.height));
        uint8_t* memory = nullptr;
        if (allocator != nullptr) {
            planes.block = allocator->acquire(needed);
            memory = planes.block.data;
        }
        if (memory == nullptr) {
            own.resize(needed);
            memory = own.data();
        }
        for (int p = 0; p < format.pixels.plane_count; ++p) {
            const auto index = static_cast<size_t>(p);
            const int bytes = format.pixels.plane_line_bytes(p, format.width);
            const int lines = format.pixels.plane_lines(p, format.height);
            const int pitch = bytes + extra;
            uint8_t* const first = upside_down ? memory + (lines - 1) * pitch : memory;
            planes.data[index] = first;
            planes.pitch[index] = upside_down ? -pitch : pitch;
            for (int y = 0; y < lines; ++y)
                for (int x = 0; x < bytes; ++x)
                    first[y * planes.pitch[index] + x] = code(p, x, y, picture);
            memory += pitch * lines;
        }
    }
};

const char* const copy_text = R"(
__kernel void copy(__global const uchar* from, int from_offset, int from_pitch,
                   __global uchar* to, int to_offset, int to_pitch) {
    const int x = get_global_id(0), y = get_global_id(1);
    to[to_offset + y * to_pitch + x] = from[from_offset + y * from_pitch + x];
})";

// Copies an uploaded picture into an output by a kernel that waits for the upload, and reads it at the host.
std::vector<uint8_t> through_device(Device& device, const Upload& upload, const colour::PictureFormat& format,
                                    OutputPictures& outputs, size_t index) {
    static Programs programs(device);
    cl::Kernel kernel(programs.build(copy_text, "copy"), "copy");
    std::vector<cl::Event> after;
    if (upload.ready() != nullptr) after.push_back(upload.ready);
    cl::Event painted;
    for (int p = 0; p < format.pixels.plane_count; ++p) {
        const PlaneRef& from = upload.picture.planes[static_cast<size_t>(p)];
        const PlaneRef& to = outputs.device(index).planes[static_cast<size_t>(p)];
        kernel.setArg(0, from.buffer);
        kernel.setArg(1, from.offset);
        kernel.setArg(2, from.pitch);
        kernel.setArg(3, to.buffer);
        kernel.setArg(4, to.offset);
        kernel.setArg(5, to.pitch);
        const auto width = static_cast<size_t>(format.pixels.plane_line_bytes(p, format.width));
        const auto lines = static_cast<size_t>(format.pixels.plane_lines(p, format.height));
        device.compute().enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(width, lines),
                                              cl::NDRange(1, 1), &after, &painted);
    }
    device.compute().flush();
    outputs.fetch(index, painted).wait();
    std::vector<uint8_t> bytes;
    const colour::HostPlanes& host = outputs.host(index);
    for (int p = 0; p < format.pixels.plane_count; ++p)
        for (int y = 0; y < format.pixels.plane_lines(p, format.height); ++y) {
            const uint8_t* const line =
                host.data[static_cast<size_t>(p)] + y * host.pitch[static_cast<size_t>(p)];
            bytes.insert(bytes.end(), line, line + format.pixels.plane_line_bytes(p, format.width));
        }
    return bytes;
}

std::vector<uint8_t> expected(const colour::PictureFormat& format, int picture) {
    std::vector<uint8_t> bytes;
    for (int p = 0; p < format.pixels.plane_count; ++p)
        for (int y = 0; y < format.pixels.plane_lines(p, format.height); ++y)
            for (int x = 0; x < format.pixels.plane_line_bytes(p, format.width); ++x)
                bytes.push_back(code(p, x, y, picture));
    return bytes;
}

std::vector<UploadPath> paths() {
    std::vector<UploadPath> all{UploadPath::direct, UploadPath::pinned, UploadPath::pageable};
    if (test::device().traits().shares_host_memory) all.push_back(UploadPath::host);
    return all;
}

struct Case {
    const char* pixels;
    int width, height, extra;
    bool upside_down;
};

class UploadCases : public ::testing::TestWithParam<Case> {};

// Three pictures through two slots: the third takes a used slot again.
TEST_P(UploadCases, EveryPathDeliversThePicturesBytes) {
    const Case& c = GetParam();
    const colour::PictureFormat format = format_of(c.pixels, c.width, c.height);
    OutputPictures outputs(test::device(), format, 2);
    for (const UploadPath path : paths()) {
        Uploader uploader(test::device(), path, 2);
        for (int picture = 0; picture < 3; ++picture) {
            const Source source(format, c.extra, c.upside_down, picture, uploader.allocator());
            const Upload upload = uploader.upload(picture % 2, source.planes, format);
            EXPECT_EQ(
                through_device(test::device(), upload, format, outputs, static_cast<size_t>(picture % 2)),
                expected(format, picture))
                << name(path) << ", picture " << picture;
            if (source.planes.block.data != nullptr) uploader.allocator()->release(source.planes.block);
        }
    }
}

TEST_P(UploadCases, PicturesInMemoryOfTheCodecArriveToo) {
    const Case& c = GetParam();
    const colour::PictureFormat format = format_of(c.pixels, c.width, c.height);
    OutputPictures outputs(test::device(), format, 1);
    for (const UploadPath path : paths()) {
        Uploader uploader(test::device(), path, 1);
        const Source source(format, c.extra, c.upside_down, 5);
        const Upload upload = uploader.upload(0, source.planes, format);
        EXPECT_EQ(through_device(test::device(), upload, format, outputs, 0), expected(format, 5))
            << name(path);
    }
}

INSTANTIATE_TEST_SUITE_P(Shapes, UploadCases,
                         ::testing::Values(Case{"yuv420p", 64, 48, 0, false},
                                           Case{"yuv420p", 161, 121, 7, false},
                                           Case{"yuv420p", 161, 121, 31, true},
                                           Case{"nv12", 33, 17, 1, false},
                                           Case{"yuv420p10le", 35, 19, 200, false},
                                           Case{"rgba", 13, 9, 3, true}, Case{"gray", 1, 1, 0, false},
                                           Case{"yuva444p", 50, 3, 64, true}, Case{"pal8", 31, 7, 1, false}));

// A picture decoded before there was a device, and one after.
TEST(Uploader, BlocksWrittenBeforeTheDeviceStartedArriveToo) {
    const colour::PictureFormat format = format_of("yuv420p", 64, 48);
    OutputPictures outputs(test::device(), format, 1);
    for (const UploadPath path : paths()) {
        const auto blocks = std::make_shared<HostBlocks>();
        const Source early(format, 0, false, 3, blocks.get());
        ASSERT_NE(early.planes.block.data, nullptr);
        const size_t early_bytes = blocks->bytes();
        Uploader uploader(test::device(), path, 1, blocks);
        const Source later(format, 0, false, 4, uploader.allocator());
        const size_t held = blocks->bytes();
        EXPECT_GT(held, early_bytes);
        for (const Source* source : {&early, &later}) {
            const Upload upload = uploader.upload(0, source->planes, format);
            EXPECT_EQ(upload.bytes == 0, path == UploadPath::host);
            EXPECT_EQ(through_device(test::device(), upload, format, outputs, 0),
                      expected(format, source == &early ? 3 : 4))
                << name(path);
            blocks->release(source->planes.block);
        }
        // What could not be pinned then was given up when it came back.
        EXPECT_EQ(blocks->bytes(), held - (path == UploadPath::direct ? early_bytes : 0)) << name(path);
    }
}

TEST(Uploader, HostPathReadsTheCodecsBlockItself) {
    if (!test::device().traits().shares_host_memory) return; // asserted for this device in the next test
    const colour::PictureFormat format = format_of("yuv420p", 64, 48);
    Uploader uploader(test::device(), UploadPath::host, 2);
    const Source source(format, 0, false, 0, uploader.allocator());
    const Upload upload = uploader.upload(0, source.planes, format);
    EXPECT_EQ(upload.bytes, 0u);
    EXPECT_EQ(upload.ready(), nullptr);
    EXPECT_EQ(upload.picture.planes[0].offset, 0);
    EXPECT_EQ(upload.picture.planes[1].offset, 64 * 48);
    EXPECT_EQ(upload.picture.planes[0].buffer.getInfo<CL_MEM_HOST_PTR>(), source.planes.block.data);
    uploader.allocator()->release(source.planes.block);
}

TEST(Uploader, HostPathIsRefusedWhereMemoryIsNotShared) {
    if (test::device().traits().shares_host_memory) {
        EXPECT_EQ(choose_upload_path(test::device(), UploadPath::host), UploadPath::host);
        EXPECT_EQ(choose_upload_path(test::device(), UploadPath::automatic), UploadPath::host);
    } else {
        EXPECT_THROW(choose_upload_path(test::device(), UploadPath::host), Error);
        EXPECT_NE(choose_upload_path(test::device(), UploadPath::automatic), UploadPath::host);
    }
}

TEST(Uploader, BlocksAreUsedAgainAndReplacedWhenTheSizeChanges) {
    for (const UploadPath path : {UploadPath::direct, UploadPath::host}) {
        if (path == UploadPath::host && !test::device().traits().shares_host_memory) continue;
        Uploader uploader(test::device(), path, 2);
        FrameAllocator& allocator = *uploader.allocator();
        const FrameBlock a = allocator.acquire(100000), b = allocator.acquire(100000);
        ASSERT_NE(a.data, nullptr);
        EXPECT_GE(a.bytes, 100000u);
        EXPECT_NE(a.data, b.data);
        const size_t held = uploader.bytes();
        allocator.release(a);
        const FrameBlock again = allocator.acquire(100000);
        EXPECT_EQ(again.data, a.data);
        EXPECT_EQ(uploader.bytes(), held);
        allocator.release(again);
        allocator.release(b);
        const FrameBlock larger = allocator.acquire(1000000);
        ASSERT_NE(larger.data, nullptr);
        EXPECT_LT(uploader.bytes(), held + 1000000 + 8192) << "blocks of the old size were kept";
        allocator.release(larger);
    }
}

TEST(UploadPath, NamesAreReadBack) {
    for (const std::string& text : upload_path_names()) {
        const auto path = parse_upload_path(text);
        ASSERT_TRUE(path.has_value()) << text;
        EXPECT_EQ(name(*path), text);
    }
    EXPECT_FALSE(parse_upload_path("teleport").has_value());
}

TEST(Completions, ReportEveryCommandOnceAndNullEventsAtOnce) {
    Device& device = test::device();
    Completions completions(device);
    cl::Buffer buffer(device.context(), CL_MEM_READ_WRITE, 4096);
    const std::vector<uint8_t> data(4096, 7);
    constexpr uint64_t count = 100;
    for (uint64_t token = 1; token < count; ++token) {
        cl::Event event;
        device.up().enqueueWriteBuffer(buffer, CL_FALSE, 0, data.size(), data.data(), nullptr, &event);
        completions.watch(event, token);
    }
    device.up().flush();
    completions.watch(cl::Event(), 0);
    completions.close();
    std::vector<int> seen(count, 0);
    while (const auto done = completions.wait()) {
        EXPECT_EQ(done->status, CL_COMPLETE);
        ++seen.at(done->token);
    }
    EXPECT_EQ(seen, std::vector<int>(count, 1));
}

TEST(Completions, AFailedCommandReportsItsCode) {
    Device& device = test::device();
    Completions completions(device);
    cl::UserEvent event(device.context());
    completions.watch(event, 3);
    event.setStatus(-42);
    completions.close();
    const auto done = completions.wait();
    ASSERT_TRUE(done.has_value());
    EXPECT_EQ(done->token, 3u);
    EXPECT_LT(done->status, 0);
}

} // namespace
} // namespace weft::gpu
