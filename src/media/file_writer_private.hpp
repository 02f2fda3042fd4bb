// The three writers behind open_writer().
#pragma once

#include <memory>

#include "media/writer.hpp"

namespace weft::media {

// An encoder or two and a muxer.
std::unique_ptr<VideoWriter> make_file_writer(const OutputSettings& settings, OutputChoice choice,
                                              const colour::PictureFormat& format);
// Planes as they are, with y4m's headers or without any.
std::unique_ptr<VideoWriter> make_raw_writer(const OutputSettings& settings, OutputChoice choice,
                                             const colour::PictureFormat& format);
// One PNG file a picture.
std::unique_ptr<VideoWriter> make_png_writer(const OutputSettings& settings, OutputChoice choice,
                                             const colour::PictureFormat& format);

// y4m's name of a pixel format's chroma, "420mpeg2"; "" when y4m has none.
std::string y4m_chroma(const std::string& pixel_format, colour::ChromaSite site);

} // namespace weft::media
