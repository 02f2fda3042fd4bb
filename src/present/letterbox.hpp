// Where a picture lies in a window.
#pragma once

namespace weft::present {

// Pixels, from the top left corner.
struct Rect {
    int x = 0, y = 0, width = 0, height = 0;
    friend bool operator==(const Rect&, const Rect&) = default;
};

// The largest centred rectangle of the picture's aspect inside the window, sides rounded to the nearest pixel
// and at least 1. Sizes are positive.
Rect letterbox(int picture_width, int picture_height, int window_width, int window_height);

// The picture's size, shrunk (never enlarged) to fit the space that a desktop leaves for windows.
Rect fitted_window(int picture_width, int picture_height, int space_width, int space_height);

} // namespace weft::present
