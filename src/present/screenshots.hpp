// Numbered PNG files of what is shown.
#pragma once

#include <filesystem>
#include <future>
#include <string>
#include <vector>

#include "present/picture_view.hpp"

namespace weft::present {

// Writes an RGBA picture as PNG. Errors : resource or not_found naming the file.
void write_png(const std::filesystem::path& file, const OwnedPicture& picture);

// Files weft-0001.png, weft-0002.png, ... in a folder, each the first number that is free. Written on threads
// of their own; the destructor waits for them.
class Screenshots {
  public:
    explicit Screenshots(std::filesystem::path folder) : folder_(std::move(folder)) {}

    // Starts writing; returns the file's name.
    std::filesystem::path take(OwnedPicture picture);
    // What has been written or has failed since the last call: one message each.
    std::vector<std::string> news();

  private:
    std::filesystem::path folder_;
    int last_number_ = 0;
    std::vector<std::future<std::string>> writing_;
};

} // namespace weft::present
