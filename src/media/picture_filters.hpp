// FFmpeg's own picture filters, to compare with.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "colour/picture_format.hpp"

namespace weft::media {

// Whether FFmpeg has a filter of this name.
bool ffmpeg_has_filter(const std::string& name);

// A chain of FFmpeg's filters on pictures in memory, as the ffmpeg program runs it.
//   threads: one; FFmpeg's filters start their own
class PictureFilters {
  public:
    // chain  : in FFmpeg's words; with two inputs its first filter takes both: "xfade=transition=fade"
    // inputs : one or two formats, of the same rate
    // output : pixel format of what comes out
    // Errors : bad_input with FFmpeg's reason, unsupported for a pixel format that it does not know, resource
    PictureFilters(const std::string& chain, const std::vector<colour::PictureFormat>& inputs,
                   const std::string& output);
    ~PictureFilters();
    PictureFilters(const PictureFilters&) = delete;
    PictureFilters& operator=(const PictureFilters&) = delete;

    // The next picture of each input. The planes are read where they lie, and must stay as they are for as
    // long as this lives. Errors : bad_input, resource.
    void feed(const std::vector<colour::HostPlanes>& pictures);
    // Throws the next finished picture away; false when there is none yet.
    bool skip();
    // The next finished picture's planes without gaps; nullopt when there is none yet.
    std::optional<std::vector<uint8_t>> take();

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace weft::media
