#include "media/picture_private.hpp"

namespace weft::media {

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
    format.rate = overrides.rate;
    return format;
}

} // namespace weft::media
