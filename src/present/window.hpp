// A window with an OpenGL 3.3 context. The gate of SDL's video half.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "present/controls.hpp"

namespace weft::present {

struct Gl;

struct WindowOptions {
    std::string title = "weft";
    bool fullscreen = false;
    bool vsync = true;
};

struct PixelSize {
    int width = 0, height = 0;
    friend bool operator==(const PixelSize&, const PixelSize&) = default;
};

// Hidden until open(). Everything on the thread that made it, which must be the process's main one; the
// context is current there.
class Window {
  public:
    // Errors : device "no display: ..." saying how to go on; device when there is no OpenGL 3.3.
    explicit Window(const WindowOptions& options = {});
    ~Window();
    Window(const Window&) = delete;
    Window& operator=(const Window&) = delete;

    // Shows the window at the size of a picture, shrunk to fit the desktop.
    void open(int picture_width, int picture_height);
    // What the user asked since the last call. Keeps track of size and exposure on the way.
    std::vector<Action> poll();
    // Waits until there is something to poll, at most so long.
    void wait(Nanoseconds longest);
    // The window must be drawn anew (resized, uncovered) though the picture is the old one: true for two
    // rounds.
    bool take_stale();
    void toggle_fullscreen();
    void set_title(const std::string& title);
    // A running film keeps the screen awake; a paused one need not.
    void keep_awake(bool awake);
    // Shows what was drawn; with vsync, waits for the display.
    void swap();
    PixelSize size() const; // drawable pixels, which a HiDPI desktop has more of than points
    double scale() const;   // pixels per point
    const Gl& gl() const;
    std::string renderer() const; // "llvmpipe (LLVM 15.0.6, 256 bits)"

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace weft::present
