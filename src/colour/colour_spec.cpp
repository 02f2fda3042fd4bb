#include "colour/colour_spec.hpp"

#include <cmath>

#include "base/error.hpp"

namespace weft::colour {
namespace {

// A float picture holds nominal values already; everything else holds codes.
bool is_float_depth(int depth) {
    return depth >= 32;
}

double largest_code(int depth) {
    return std::ldexp(1.0, depth) - 1;
}

Mat3 diagonal(double a, double b, double c) {
    return {{a, 0, 0, 0, b, 0, 0, 0, c}};
}

} // namespace

ColourSpec resolve(ColourSpec tagged, const PixelFormat& format, int width, int height) {
    ColourSpec out = tagged;
    const bool rgb = format.model == Model::rgb;
    const bool high_definition = width >= 1280 || height > 576;

    // A matrix is a property of Y'CbCr alone; a tag that contradicts the samples is ignored.
    if (rgb)
        out.matrix = Matrix::rgb;
    else if (out.matrix == Matrix::unspecified || out.matrix == Matrix::rgb)
        out.matrix = high_definition ? Matrix::bt709 : Matrix::bt601;

    if (format.full_range_name) out.range = Range::full;
    if (out.range == Range::unspecified)
        out.range = format.model == Model::ycbcr ? Range::limited : Range::full;

    if (out.transfer == Transfer::unspecified) out.transfer = rgb ? Transfer::srgb : Transfer::bt709;

    if (out.primaries == Primaries::unspecified) {
        if (rgb || high_definition)
            out.primaries = Primaries::bt709;
        else
            out.primaries = height == 576 || height == 288 ? Primaries::bt601_625 : Primaries::bt601_525;
    }

    if (!format.subsampled())
        out.chroma = ChromaSite::left;
    else if (out.chroma == ChromaSite::unspecified)
        out.chroma = format.full_range_name ? ChromaSite::centre : ChromaSite::left;
    return out;
}

Mat3 ycbcr_to_rgb(double kr, double kb) {
    if (!(kr > 0 && kb > 0 && kr + kb < 1))
        throw Error(ErrorKind::bad_input, "luma weights are " + std::to_string(kr) + " and " +
                                              std::to_string(kb) +
                                              ", allowed: both above 0 and their sum below 1");
    const double kg = 1 - kr - kb;
    const double red = 2 * (1 - kr), blue = 2 * (1 - kb); // spans of R'-Y' and B'-Y'
    return {{1, 0, red, 1, -blue * kb / kg, -red * kr / kg, 1, blue, 0}};
}

LumaWeights luma_weights(Matrix matrix) {
    switch (matrix) {
    case Matrix::bt601:
        return {0.299, 0.114};
    case Matrix::rgb: // the weights of sRGB's primaries
    case Matrix::bt709:
        return {0.2126, 0.0722};
    case Matrix::bt2020:
        return {0.2627, 0.0593};
    case Matrix::fcc:
        return {0.30, 0.11};
    case Matrix::smpte240m:
        return {0.212, 0.087};
    case Matrix::unspecified:
        break;
    }
    WEFT_CHECK(matrix != Matrix::unspecified);
    return {};
}

CodeScale code_scale(Range range, int depth, bool chroma) {
    if (is_float_depth(depth)) return {0, 1};
    const double eighth = std::ldexp(1.0, depth - 8); // codes of this depth in one 8-bit code
    if (range == Range::limited)
        return chroma ? CodeScale{128 * eighth, 224 * eighth} : CodeScale{16 * eighth, 219 * eighth};
    return {chroma ? std::ldexp(1.0, depth - 1) : 0, largest_code(depth)};
}

double stored_unit(Range range, int depth) {
    if (is_float_depth(depth)) return 1;
    return range == Range::limited ? std::ldexp(1.0, 8 - depth) / 255 : 1 / largest_code(depth);
}

double stored_offset(Range range, int depth, bool chroma) {
    if (!chroma) return 0;
    const CodeScale scale = code_scale(range, depth, true);
    return 128.0 / 255 - scale.offset * stored_unit(range, depth);
}

StoredRange stored_range(const ColourSpec& spec, bool chroma) {
    const double mid = (chroma ? 128 : 127.5) / 255;
    if (spec.range != Range::limited) return {0, mid, 1};
    return {16.0 / 255, mid, (chroma ? 240.0 : 235.0) / 255};
}

Affine3 stored_to_rgb(const ColourSpec& spec) {
    const bool limited = spec.range == Range::limited;
    const double luma = limited ? 255.0 / 219 : 1;
    const double black = limited ? 16.0 / 255 : 0;
    Affine3 out;
    Vec3 zero{black, black, black}; // stored values of nominal zero
    if (spec.matrix == Matrix::rgb) {
        out.m = diagonal(luma, luma, luma);
    } else {
        const double chroma = limited ? 255.0 / 224 : 1;
        const LumaWeights weights = luma_weights(spec.matrix);
        out.m = ycbcr_to_rgb(weights.kr, weights.kb) * diagonal(luma, chroma, chroma);
        zero = {black, 128.0 / 255, 128.0 / 255};
    }
    const Vec3 shift = out.m * zero;
    out.offset = {-shift[0], -shift[1], -shift[2]};
    return out;
}

Affine3 rgb_to_stored(const ColourSpec& spec) {
    const Affine3 forward = stored_to_rgb(spec);
    Affine3 out;
    out.m = inverse(forward.m);
    const Vec3 shift = out.m * forward.offset;
    out.offset = {-shift[0], -shift[1], -shift[2]};
    return out;
}

double chroma_offset_x(ChromaSite site, int log2_chroma_w) {
    const bool centred = site == ChromaSite::centre || site == ChromaSite::top;
    return centred ? (std::ldexp(1.0, log2_chroma_w) - 1) / 2 : 0;
}

double chroma_offset_y(ChromaSite site, int log2_chroma_h) {
    const bool top = site == ChromaSite::top_left || site == ChromaSite::top;
    return top ? 0 : (std::ldexp(1.0, log2_chroma_h) - 1) / 2;
}

std::string name(Matrix matrix) {
    switch (matrix) {
    case Matrix::rgb:
        return "rgb";
    case Matrix::bt601:
        return "bt601";
    case Matrix::bt709:
        return "bt709";
    case Matrix::bt2020:
        return "bt2020";
    case Matrix::fcc:
        return "fcc";
    case Matrix::smpte240m:
        return "smpte240m";
    case Matrix::unspecified:
        break;
    }
    return "unspecified";
}

std::string name(Range range) {
    switch (range) {
    case Range::limited:
        return "limited";
    case Range::full:
        return "full";
    case Range::unspecified:
        break;
    }
    return "unspecified";
}

std::string name(Transfer transfer) {
    switch (transfer) {
    case Transfer::bt709:
        return "bt709";
    case Transfer::srgb:
        return "srgb";
    case Transfer::linear:
        return "linear";
    case Transfer::pq:
        return "pq";
    case Transfer::hlg:
        return "hlg";
    case Transfer::gamma22:
        return "gamma22";
    case Transfer::gamma28:
        return "gamma28";
    case Transfer::unspecified:
        break;
    }
    return "unspecified";
}

std::string name(Primaries primaries) {
    switch (primaries) {
    case Primaries::bt601_525:
        return "bt601-525";
    case Primaries::bt601_625:
        return "bt601-625";
    case Primaries::bt709:
        return "bt709";
    case Primaries::bt2020:
        return "bt2020";
    case Primaries::display_p3:
        return "display-p3";
    case Primaries::unspecified:
        break;
    }
    return "unspecified";
}

std::string name(ChromaSite site) {
    switch (site) {
    case ChromaSite::left:
        return "left";
    case ChromaSite::centre:
        return "centre";
    case ChromaSite::top_left:
        return "top-left";
    case ChromaSite::top:
        return "top";
    case ChromaSite::unspecified:
        break;
    }
    return "unspecified";
}

} // namespace weft::colour
