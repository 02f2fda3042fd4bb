// Finished pictures as the window sees them: RGBA, 8 bit, rows top to bottom.
#pragma once

#include <cstdint>
#include <vector>

namespace weft::present {

// Borrowed pixels. pitch: bytes from row to row, a multiple of 4, at least 4 * width.
struct PictureView {
    const uint8_t* pixels = nullptr;
    int pitch = 0;
    int width = 0, height = 0;
};

// Pixels of one's own, without gaps between rows.
struct OwnedPicture {
    std::vector<uint8_t> pixels;
    int width = 0, height = 0;
    PictureView view() const { return {pixels.data(), 4 * width, width, height}; }
};

} // namespace weft::present
