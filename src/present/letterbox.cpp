#include "present/letterbox.hpp"

#include <algorithm>
#include <cstdint>

namespace weft::present {
namespace {

// round(a * b / c) for positive numbers, at least 1.
int scaled(int a, int b, int c) {
    const int64_t twice = int64_t{2} * a * b + c;
    return std::max(1, static_cast<int>(twice / (int64_t{2} * c)));
}

} // namespace

Rect letterbox(int picture_width, int picture_height, int window_width, int window_height) {
    const bool full_width = int64_t{window_width} * picture_height <= int64_t{window_height} * picture_width;
    Rect rect;
    rect.width = full_width ? window_width : scaled(picture_width, window_height, picture_height);
    rect.height = full_width ? scaled(picture_height, window_width, picture_width) : window_height;
    rect.width = std::min(rect.width, window_width);
    rect.height = std::min(rect.height, window_height);
    rect.x = (window_width - rect.width) / 2;
    rect.y = (window_height - rect.height) / 2;
    return rect;
}

Rect fitted_window(int picture_width, int picture_height, int space_width, int space_height) {
    if (picture_width <= space_width && picture_height <= space_height)
        return {0, 0, picture_width, picture_height};
    Rect rect = letterbox(picture_width, picture_height, space_width, space_height);
    rect.x = rect.y = 0;
    return rect;
}

} // namespace weft::present
