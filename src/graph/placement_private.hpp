// Where pictures go: turns, crops, fits, and the rectangles of the canvas.
#pragma once

#include <vector>

#include "graph/chain_private.hpp"

namespace weft::graph {

// An upright view of an image: turns of the stream and of geometry filters, and the part that is shown.
struct View {
    Image image;
    Orientation turn;
    double x = 0, y = 0, w = 0, h = 0; // part, in upright luma samples
    double sample_aspect = 1;          // of the upright picture
    int upright_width() const { return turn.swap ? image.height : image.width; }
    int upright_height() const { return turn.swap ? image.width : image.height; }
};

View view_of(const Image& image, const colour::PictureFormat& format);
View whole_view(const Image& image);
void flip_x(View& view);
void flip_y(View& view);
void transpose(View& view);
void crop(View& view, double x, double y, double w, double h);

// A view in a rectangle of the canvas: the pixels it covers and the part of the view that fills them.
struct Placement {
    int x = 0, y = 0, w = 0, h = 0;
    double sx = 0, sy = 0, sw = 0, sh = 0; // inside the view's part, upright luma samples of the image
};
// grid_x, grid_y : edges fall on multiples of these (chroma), except at the canvas's own edges.
Placement place(const View& view, double x, double y, double w, double h, Fit fit, int grid_x, int grid_y,
                int canvas_w, int canvas_h);

// Cuts the canvas into rectangles with a constant list of layers, hidden ones left out.
std::vector<Cell> cut_canvas(int width, int height, int grid_x, int grid_y,
                             const std::vector<PlacedLayer>& layers);

} // namespace weft::graph
