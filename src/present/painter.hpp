// Brings pictures into a texture and draws them letterboxed.
#pragma once

#include <memory>

#include "present/interop.hpp"
#include "present/letterbox.hpp"
#include "present/picture_view.hpp"
#include "present/window.hpp"

namespace weft::present {

// On the window's thread; the window outlives it.
class Painter {
  public:
    explicit Painter(Window& window);
    ~Painter();
    Painter(const Painter&) = delete;
    Painter& operator=(const Painter&) = delete;

    // Takes a picture over; the view's memory is free again on return.
    // Errors : device naming size and limit when the picture is larger than textures can be.
    void upload(const PictureView& picture, InteropPath path);
    bool has_picture() const;
    // Draws the picture into the bound framebuffer of this size, black around it. Equal sizes copy pixels,
    // smaller ones average, larger ones interpolate. Without a picture all is black.
    Rect draw(PixelSize size);
    // The picture as uploaded.
    OwnedPicture read_picture() const;
    // What the bound framebuffer holds, alpha made opaque: after draw() and before swap().
    OwnedPicture read_drawn(PixelSize size) const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace weft::present
