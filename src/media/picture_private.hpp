// A stream's or frame's picture format, from FFmpeg's words to ours.
#pragma once

#include <optional>

#include "media/av_private.hpp"

namespace weft::media {

struct PictureFacts {
    int width = 0, height = 0; // visible
    AVPixelFormat format = AV_PIX_FMT_NONE;
    AVColorSpace matrix = AVCOL_SPC_UNSPECIFIED;
    AVColorRange range = AVCOL_RANGE_UNSPECIFIED;
    AVColorTransferCharacteristic transfer = AVCOL_TRC_UNSPECIFIED;
    AVColorPrimaries primaries = AVCOL_PRI_UNSPECIFIED;
    AVChromaLocation chroma = AVCHROMA_LOC_UNSPECIFIED;
    Rational aspect{1};
    double peak_nits = 0; // see colour::PictureFormat
    int rotation = 0;
    bool mirror = false;
    friend bool operator==(const PictureFacts&, const PictureFacts&) = default;
};

PictureFacts facts_of(const AVCodecParameters& parameters);
PictureFacts facts_of(const AVFrame& frame); // its crop applied
// The brightest light that the metadata of a stream state, cd/m2; 0: none do.
double peak_of(const AVStream& stream);

struct PictureOverrides {
    std::optional<colour::Matrix> matrix;
    std::optional<colour::Range> range;
    Rational rate{0};
};
// Errors : unsupported when neither kernels nor swscale can read the pixel format.
colour::PictureFormat picture_format(const PictureFacts& facts, const PictureOverrides& overrides);
colour::ColourSpec tagged_colour(const PictureFacts& facts);

} // namespace weft::media
