// How the samples of a picture lie in memory.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace weft::colour {

enum class Model { gray, ycbcr, rgb };

// Where one component of a picture lies. Sample (x, y) is the little-endian word of sample_bytes() at
// plane_base + y * pitch + x * step + offset, shifted right by `shift`, masked to `depth` bits.
struct Component {
    uint8_t plane = 0;
    uint8_t step = 1;   // bytes from one sample to the next in a line
    uint8_t offset = 0; // bytes before the first sample
    uint8_t shift = 0;  // bits below the value (P010: 6)
    uint8_t depth = 8;  // bits of the value
};

// Components are in the order Y Cb Cr A, R G B A, or Y A. Covers planar, semi-planar and packed pictures of 8
// to 16 bits, and 32-bit float planes (`is_float`). Names are FFmpeg's.
struct PixelFormat {
    std::string name;
    Model model = Model::ycbcr;
    bool has_alpha = false;
    bool is_float = false;
    bool is_palette = false;      // plane 0: 8-bit indices, plane 1: 256 words of 0xAARRGGBB
    bool full_range_name = false; // yuvj*: the name itself says full range
    int log2_chroma_w = 0;
    int log2_chroma_h = 0;
    int plane_count = 1;
    int component_count = 1; // with alpha
    std::array<Component, 4> components{};

    int depth() const { return components[0].depth; }
    // 1, 2 or 4 bytes: the word that holds one sample.
    int sample_bytes() const {
        return is_float ? 4 : (components[0].depth + components[0].shift > 8 ? 2 : 1);
    }
    bool is_chroma(int component) const {
        return model == Model::ycbcr && (component == 1 || component == 2);
    }
    bool subsampled() const { return log2_chroma_w + log2_chroma_h > 0; }
    bool valid() const { return !name.empty(); }
    // Size of component c of a picture of w x h, rounded up as FFmpeg does.
    int component_width(int c, int w) const { return is_chroma(c) ? -((-w) >> log2_chroma_w) : w; }
    int component_height(int c, int h) const { return is_chroma(c) ? -((-h) >> log2_chroma_h) : h; }
    // Bytes of one line of a plane, and its lines, for a picture of w x h.
    int plane_line_bytes(int plane, int w) const;
    int plane_lines(int plane, int h) const;
    friend bool operator==(const PixelFormat& a, const PixelFormat& b) { return a.name == b.name; }
};

// The formats that kernels load without help; "yuv420p10" finds yuv420p10le. Errors : unsupported naming the
// format and listing the nearest.
PixelFormat pixel_format(const std::string& ffmpeg_name);
bool has_device_loader(const std::string& ffmpeg_name);
std::vector<std::string> pixel_format_names();

} // namespace weft::colour
