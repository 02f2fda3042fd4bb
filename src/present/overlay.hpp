// Text over the picture: statistics in a corner and short messages. The gate of Dear ImGui.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "present/window.hpp"

namespace weft::present {

// On the window's thread; the window outlives it. Without a working ImGui backend it draws nothing, and says
// so once in the log.
class Overlay {
  public:
    explicit Overlay(Window& window);
    ~Overlay();
    Overlay(const Overlay&) = delete;
    Overlay& operator=(const Overlay&) = delete;

    // Draws into the window's back buffer, after the picture. No lines, no box; an empty message, none
    // either.
    void draw(const std::vector<std::string>& lines, const std::string& message);

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace weft::present
