#include "graph/placement_private.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace weft::graph {

View whole_view(const Image& image) {
    View view;
    view.image = image;
    view.w = image.width;
    view.h = image.height;
    return view;
}

View view_of(const Image& image, const colour::PictureFormat& format) {
    View view = whole_view(image);
    view.sample_aspect = format.sample_aspect.value() > 0 ? format.sample_aspect.value() : 1;
    if (format.mirror) flip_x(view);
    for (int turn = 0; turn < format.rotation; ++turn) {
        transpose(view);
        flip_x(view);
    }
    return view;
}

void flip_x(View& view) {
    view.turn.flip_x = !view.turn.flip_x;
    view.x = view.upright_width() - (view.x + view.w);
}

void flip_y(View& view) {
    view.turn.flip_y = !view.turn.flip_y;
    view.y = view.upright_height() - (view.y + view.h);
}

void transpose(View& view) {
    view.turn.swap = !view.turn.swap;
    std::swap(view.turn.flip_x, view.turn.flip_y);
    std::swap(view.x, view.y);
    std::swap(view.w, view.h);
    view.sample_aspect = 1 / view.sample_aspect;
}

void crop(View& view, double x, double y, double w, double h) {
    view.x += x;
    view.y += y;
    view.w = w;
    view.h = h;
}

namespace {

int snap(double v, int grid, int end) {
    const int snapped = static_cast<int>(std::lround(v / grid)) * grid;
    // The canvas's own edge need not lie on the grid.
    return std::fabs(v - end) < 0.5 ? end : snapped;
}

struct Span {
    int begin = 0, length = 1;
    bool free = false;
};

// free : between bars, where the nearest length on the grid keeps the picture's shape best; else both ends
// are the rectangle's, which its neighbours share.
Span snapped(double begin, double length, bool free, int grid, int end) {
    Span out;
    out.free = free;
    if (free) {
        out.length = std::max(grid, snap(length, grid, end));
        out.begin = snap(begin + (length - out.length) / 2, grid, end);
    } else {
        out.begin = snap(begin, grid, end);
        out.length = std::max(1, snap(begin + length, grid, end) - out.begin);
    }
    return out;
}

// A whole picture that is shown sample by sample stays so where the grid moved its ends: its edge is
// repeated, or cut by a sample, instead of a scale by 162 / 161.
void keep_one_to_one(const Span& to, double begin, double length, bool whole, double& from, double& size) {
    if (!whole || length != size) return;
    if (!to.free) from += to.begin - begin;
    size = to.length;
}

} // namespace

Placement place(const View& view, double x, double y, double w, double h, Fit fit, int grid_x, int grid_y,
                int canvas_w, int canvas_h) {
    Placement p;
    p.sx = view.x;
    p.sy = view.y;
    p.sw = view.w;
    p.sh = view.h;
    const double shown_w = view.w * view.sample_aspect;
    double dx = x, dy = y, dw = w, dh = h;
    if (fit == Fit::contain) {
        const double scale = std::min(w / shown_w, h / view.h);
        dw = shown_w * scale;
        dh = view.h * scale;
        // A picture that misses the rectangle by less than a pixel fills it: nobody wants a one-pixel rim.
        if (w - dw < 1) dw = w;
        if (h - dh < 1) dh = h;
        dx = x + (w - dw) / 2;
        dy = y + (h - dh) / 2;
    } else if (fit == Fit::none) {
        dw = shown_w;
        dh = view.h;
        dx = x + std::floor((w - dw) / 2);
        dy = y + std::floor((h - dh) / 2);
    }
    const Span across = snapped(dx, dw, fit == Fit::contain && dw < w, grid_x, canvas_w);
    const Span down = snapped(dy, dh, fit == Fit::contain && dh < h, grid_y, canvas_h);
    p.x = across.begin;
    p.w = across.length;
    p.y = down.begin;
    p.h = down.length;
    if (fit != Fit::cover && fit != Fit::none) {
        const bool whole_w = view.x == 0 && view.w == view.upright_width() && view.sample_aspect == 1;
        const bool whole_h = view.y == 0 && view.h == view.upright_height();
        keep_one_to_one(across, dx, dw, whole_w, p.sx, p.sw);
        keep_one_to_one(down, dy, dh, whole_h, p.sy, p.sh);
    }
    if (fit == Fit::cover) {
        // The part of the view that has the rectangle's shape.
        const double scale = std::max(p.w / shown_w, p.h / view.h);
        const double part_w = p.w / scale / view.sample_aspect;
        const double part_h = p.h / scale;
        p.sx += (view.w - part_w) / 2;
        p.sy += (view.h - part_h) / 2;
        p.sw = part_w;
        p.sh = part_h;
    } else if (fit == Fit::none) {
        // One to one, whatever the grid did to the edges; what sticks out of the rectangle is cut off.
        const int left = std::max(p.x, snap(x, grid_x, canvas_w)),
                  right = std::min(p.x + p.w, snap(x + w, grid_x, canvas_w));
        const int top = std::max(p.y, snap(y, grid_y, canvas_h)),
                  bottom = std::min(p.y + p.h, snap(y + h, grid_y, canvas_h));
        const double per_pixel = view.w / std::max(1, p.w);
        const double per_line = view.h / std::max(1, p.h);
        const bool exact = view.sample_aspect == 1;
        p.sx += (left - p.x) * (exact ? 1.0 : per_pixel);
        p.sy += (top - p.y) * (exact ? 1.0 : per_line);
        p.w = std::max(1, right - left);
        p.h = std::max(1, bottom - top);
        p.sw = p.w * (exact ? 1.0 : per_pixel);
        p.sh = p.h * (exact ? 1.0 : per_line);
        p.x = left;
        p.y = top;
    }
    return p;
}

std::vector<Cell> cut_canvas(int width, int height, int grid_x, int grid_y,
                             const std::vector<PlacedLayer>& layers) {
    std::set<int> xs{0, width}, ys{0, height};
    struct Box {
        int x0, y0, x1, y1;
    };
    std::vector<Box> boxes;
    for (const PlacedLayer& layer : layers) {
        Box b{layer.x, layer.y, layer.x + layer.w, layer.y + layer.h};
        if (layer.rotation != 0) {
            const double radians = layer.rotation * 3.14159265358979323846 / 180;
            const double c = std::fabs(std::cos(radians)), s = std::fabs(std::sin(radians));
            const double hw = (layer.w * c + layer.h * s) / 2 + 1, hh = (layer.w * s + layer.h * c) / 2 + 1;
            const double cx = layer.x + layer.w / 2.0, cy = layer.y + layer.h / 2.0;
            b = {static_cast<int>(std::floor((cx - hw) / grid_x)) * grid_x,
                 static_cast<int>(std::floor((cy - hh) / grid_y)) * grid_y,
                 static_cast<int>(std::ceil((cx + hw) / grid_x)) * grid_x,
                 static_cast<int>(std::ceil((cy + hh) / grid_y)) * grid_y};
        }
        b = {std::clamp(b.x0, 0, width), std::clamp(b.y0, 0, height), std::clamp(b.x1, 0, width),
             std::clamp(b.y1, 0, height)};
        boxes.push_back(b);
        xs.insert({b.x0, b.x1});
        ys.insert({b.y0, b.y1});
    }
    std::vector<Cell> cells;
    for (auto y = ys.begin(); std::next(y) != ys.end(); ++y) {
        const size_t row_start = cells.size();
        for (auto x = xs.begin(); std::next(x) != xs.end(); ++x) {
            Cell cell{*x, *y, *std::next(x) - *x, *std::next(y) - *y, {}};
            for (size_t i = layers.size(); i-- > 0;) {
                const Box& b = boxes[i];
                if (b.x0 > cell.x || b.x1 < cell.x + cell.w || b.y0 > cell.y || b.y1 < cell.y + cell.h)
                    continue;
                cell.layers.insert(cell.layers.begin(), static_cast<int>(i));
                if (layers[i].opaque()) break;
            }
            if (cells.size() > row_start && cells.back().layers == cell.layers)
                cells.back().w += cell.w;
            else
                cells.push_back(cell);
        }
    }
    // Rows of equal shape are joined.
    std::vector<Cell> joined;
    for (const Cell& cell : cells) {
        const auto above = std::find_if(joined.begin(), joined.end(), [&](const Cell& c) {
            return c.x == cell.x && c.w == cell.w && c.y + c.h == cell.y && c.layers == cell.layers;
        });
        if (above != joined.end())
            above->h += cell.h;
        else
            joined.push_back(cell);
    }
    return joined;
}

} // namespace weft::graph
