#include "media/picture_private.hpp"

namespace weft::media {
namespace {

// What the brightest pixel has (MaxCLL) goes before what the grading display could show.
double peak_of(const void* light, const void* mastering) {
    const auto* content = static_cast<const AVContentLightMetadata*>(light);
    if (content != nullptr && content->MaxCLL > 0) return content->MaxCLL;
    const auto* display = static_cast<const AVMasteringDisplayMetadata*>(mastering);
    if (display != nullptr && display->has_luminance != 0) return av_q2d(display->max_luminance);
    return 0;
}

double peak_of(const AVFrame& frame) {
    const auto data = [&](AVFrameSideDataType kind, size_t bytes) -> const void* {
        const AVFrameSideData* side = av_frame_get_side_data(&frame, kind);
        return side != nullptr && side->size >= bytes ? side->data : nullptr;
    };
    return peak_of(data(AV_FRAME_DATA_CONTENT_LIGHT_LEVEL, sizeof(AVContentLightMetadata)),
                   data(AV_FRAME_DATA_MASTERING_DISPLAY_METADATA, sizeof(AVMasteringDisplayMetadata)));
}

} // namespace

double peak_of(const AVStream& stream) {
    return peak_of(
        compat::stream_side_data(stream, AV_PKT_DATA_CONTENT_LIGHT_LEVEL, sizeof(AVContentLightMetadata)),
        compat::stream_side_data(stream, AV_PKT_DATA_MASTERING_DISPLAY_METADATA,
                                 sizeof(AVMasteringDisplayMetadata)));
}

PictureFacts facts_of(const AVCodecParameters& p) {
    PictureFacts facts;
    facts.width = p.width;
    facts.height = p.height;
    facts.format = static_cast<AVPixelFormat>(p.format);
    facts.matrix = p.color_space;
    facts.range = p.color_range;
    facts.transfer = p.color_trc;
    facts.primaries = p.color_primaries;
    facts.chroma = p.chroma_location;
    if (p.sample_aspect_ratio.num > 0 && p.sample_aspect_ratio.den > 0)
        facts.aspect = to_rational(p.sample_aspect_ratio);
    return facts;
}

PictureFacts facts_of(const AVFrame& f) {
    PictureFacts facts;
    facts.width = f.width - static_cast<int>(f.crop_left + f.crop_right);
    facts.height = f.height - static_cast<int>(f.crop_top + f.crop_bottom);
    facts.format = static_cast<AVPixelFormat>(f.format);
    facts.matrix = f.colorspace;
    facts.range = f.color_range;
    facts.transfer = f.color_trc;
    facts.primaries = f.color_primaries;
    facts.chroma = f.chroma_location;
    facts.peak_nits = peak_of(f);
    if (f.sample_aspect_ratio.num > 0 && f.sample_aspect_ratio.den > 0)
        facts.aspect = to_rational(f.sample_aspect_ratio);
    return facts;
}

colour::ColourSpec tagged_colour(const PictureFacts& facts) {
    colour::ColourSpec spec =
        colour_of(facts.matrix, facts.range, facts.transfer, facts.primaries, facts.chroma);
    const AVPixFmtDescriptor* descriptor = av_pix_fmt_desc_get(facts.format);
    // Chroma has a place only where it is subsampled; decoders fill in a default all the same.
    if (descriptor != nullptr && descriptor->log2_chroma_w + descriptor->log2_chroma_h == 0)
        spec.chroma = colour::ChromaSite::unspecified;
    return spec;
}

colour::PictureFormat picture_format(const PictureFacts& facts, const PictureOverrides& overrides) {
    const AVPixelFormat loadable = loadable_format(facts.format);
    if (loadable == AV_PIX_FMT_NONE)
        throw Error(ErrorKind::unsupported,
                    "the pixel format '" + format_name(facts.format) + "' cannot be read or converted");
    colour::PictureFormat format;
    format.width = facts.width;
    format.height = facts.height;
    format.pixels = colour::pixel_format(format_name(loadable));
    colour::ColourSpec tagged = tagged_colour(facts);
    if (overrides.matrix) tagged.matrix = *overrides.matrix;
    if (overrides.range) tagged.range = *overrides.range;
    format.colour = colour::resolve(tagged, format.pixels, facts.width, facts.height);
    format.sample_aspect = facts.aspect;
    format.rotation = facts.rotation;
    format.mirror = facts.mirror;
    format.peak_nits = facts.peak_nits;
    format.rate = overrides.rate;
    return format;
}

} // namespace weft::media
