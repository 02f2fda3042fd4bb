// The ffmpeg program as an independent implementation of filters.
#pragma once

#include <string>
#include <vector>

#include "support/picture.hpp"

namespace weft::test {

// Raw planes of pictures of one size, one after another, in the order of the layout's ffmpeg_name().
void write_raw(const std::string& file, const std::vector<Picture>& pictures);
std::vector<Picture> read_raw(const std::string& file, const Layout& layout, int width, int height);

// Pictures at 25 a second through `ffmpeg -vf filter`; output pictures are of the same layout, and of the
// given size where the filter changes it. Errors : internal with what the program said.
std::vector<Picture> ffmpeg_filter(const std::vector<Picture>& pictures, const std::string& filter,
                                   int out_width = 0, int out_height = 0);
Picture ffmpeg_filter(const Picture& picture, const std::string& filter, int out_width = 0,
                      int out_height = 0);

// The k-th of `count` pictures of `-filter_complex xfade` from a to b: progress k / count.
std::vector<Picture> ffmpeg_transition(const Picture& a, const Picture& b, const std::string& transition,
                                       int count);

// The program's version: 5 for 5.1.
int ffmpeg_major();

// Runs a shell command. Errors : internal with its output when it fails.
std::string run_command(const std::string& command);
std::string shell_quoted(const std::string& text);

} // namespace weft::test
