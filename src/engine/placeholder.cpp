#include "engine/placeholder.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstring>
#include <string_view>

namespace weft::engine {
namespace {

constexpr double dark = 0.12, light = 0.55; // of nominal white

// Letters of 3 x 5 dots, a row after another from the top, the left dot first.
constexpr std::string_view known = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_:";
constexpr std::array<uint16_t, known.size()> dots{
    0b010101111101101, 0b110101110101110, 0b011100100100011, 0b110101101101110, 0b111100110100111,
    0b111100110100100, 0b011100101101011, 0b101101111101101, 0b111010010010111, 0b001001001101010,
    0b101101110101101, 0b100100100100111, 0b101111111101101, 0b110101101101101, 0b010101101101010,
    0b110101110100100, 0b010101101110011, 0b110101110101101, 0b011100010001110, 0b111010010010010,
    0b101101101101111, 0b101101101101010, 0b101101111111101, 0b101101010101101, 0b101101010010010,
    0b111001010100111, 0b111101101101111, 0b010110010010111, 0b110001010100111, 0b110001010001110,
    0b101101111001001, 0b111100110001110, 0b011100111101111, 0b111001010010010, 0b111101111101111,
    0b111101111001110, 0b000000000000010, 0b000000111000000, 0b000000000000111, 0b000010000010000};

// Where the dots of a name lie in an upright picture.
class Lettering {
  public:
    Lettering(const std::string& name, int width, int height) {
        size_ = std::max(1, height / 24);
        const auto fits = static_cast<size_t>(std::max(1, width / (4 * size_) - 1));
        name_ = name.substr(0, fits);
        left_ = (width - static_cast<int>(name_.size()) * 4 * size_ + size_) / 2;
        top_ = (height - 5 * size_) / 2;
    }
    bool covers(int x, int y) const {
        if (x < left_ || y < top_) return false;
        const int column = (x - left_) / size_, row = (y - top_) / size_;
        const auto letter = static_cast<size_t>(column / 4);
        if (row >= 5 || column % 4 == 3 || letter >= name_.size()) return false;
        const auto code = static_cast<unsigned char>(name_[letter]);
        const size_t index = known.find(static_cast<char>(std::toupper(code)));
        if (index == std::string_view::npos) return false;
        return (dots[index] >> (14 - row * 3 - column % 4) & 1) != 0;
    }

  private:
    std::string name_;
    int size_ = 1, left_ = 0, top_ = 0;
};

// The bits of one sample of `level` (nominal) of component c.
uint32_t word_of(const colour::PictureFormat& format, int c, double level) {
    const colour::PixelFormat& pixels = format.pixels;
    const colour::Component& component = pixels.components[static_cast<size_t>(c)];
    const bool alpha = pixels.has_alpha && c == pixels.component_count - 1;
    const bool chroma = pixels.is_chroma(c);
    const double value = alpha ? 1 : chroma ? 0 : level;
    if (pixels.is_float) {
        const auto number = static_cast<float>(value);
        uint32_t bits = 0;
        std::memcpy(&bits, &number, sizeof bits);
        return bits;
    }
    const colour::CodeScale scale =
        colour::code_scale(alpha ? colour::Range::full : format.colour.range, component.depth, chroma);
    return static_cast<uint32_t>(std::lround(value * scale.scale + scale.offset)) << component.shift;
}

void put_word(uint8_t* at, uint32_t word, int bytes) { // several components may share a word
    for (int i = 0; i < bytes; ++i)
        at[i] = static_cast<uint8_t>(at[i] | word >> (8 * i));
}

} // namespace

HostPlaceholder::HostPlaceholder(const std::string& name, const colour::PictureFormat& format) {
    constexpr size_t alignment = 4096; // what kernels that read host memory ask for
    const gpu::Layout layout = gpu::layout_of(format);
    memory_.assign(layout.bytes + alignment, 0);
    void* begin = memory_.data();
    size_t space = memory_.size();
    auto* const base = static_cast<uint8_t*>(std::align(alignment, layout.bytes, begin, space));
    const colour::PixelFormat& pixels = format.pixels;
    for (size_t p = 0; p < static_cast<size_t>(pixels.plane_count); ++p) {
        planes_.data[p] = base + layout.offset[p];
        planes_.pitch[p] = layout.pitch[p];
    }
    const bool turned = format.rotation % 2 != 0;
    const Lettering lettering(name, turned ? format.height : format.width,
                              turned ? format.width : format.height);
    const auto level_at = [&](int x, int y) { // of the stored picture
        if (format.mirror) x = format.width - 1 - x;
        for (int turn = 0, w = format.width, h = format.height; turn < format.rotation; ++turn) {
            const int before = x;
            x = h - 1 - y;
            y = before;
            std::swap(w, h);
        }
        return lettering.covers(x, y) ? light : dark;
    };
    if (pixels.is_palette) {
        uint8_t* const palette = base + layout.offset[1];
        for (const auto& [entry, level] : {std::pair(0, dark), std::pair(1, light)}) {
            const auto code = static_cast<uint8_t>(std::lround(level * 255));
            const uint8_t colour[4] = {code, code, code, 255};
            std::memcpy(palette + 4 * entry, colour, 4);
        }
        for (int y = 0; y < format.height; ++y)
            for (int x = 0; x < format.width; ++x)
                base[layout.offset[0] + y * layout.pitch[0] + x] = level_at(x, y) > dark ? 1 : 0;
        return;
    }
    for (int c = 0; c < pixels.component_count; ++c) {
        const colour::Component& component = pixels.components[static_cast<size_t>(c)];
        const uint32_t low = word_of(format, c, dark), high = word_of(format, c, light);
        const int right = pixels.is_chroma(c) ? pixels.log2_chroma_w : 0;
        const int down = pixels.is_chroma(c) ? pixels.log2_chroma_h : 0;
        for (int y = 0; y < pixels.component_height(c, format.height); ++y) {
            uint8_t* const line = base + layout.offset[component.plane] + y * layout.pitch[component.plane];
            for (int x = 0; x < pixels.component_width(c, format.width); ++x)
                put_word(line + x * component.step + component.offset,
                         level_at(x << right, y << down) > dark ? high : low, pixels.sample_bytes());
        }
    }
}

Placeholder::Placeholder(const std::string& name, const colour::PictureFormat& format,
                         std::unique_ptr<gpu::Uploader> uploader)
    : format_(format), picture_(name, format_), uploader_(std::move(uploader)),
      upload_(uploader_->upload(0, picture_.planes(), format_)) {}

} // namespace weft::engine
