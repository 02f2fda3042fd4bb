#include "media/av_private.hpp"

namespace weft::media {

colour::ColourSpec colour_of(AVColorSpace matrix, AVColorRange range, AVColorTransferCharacteristic transfer,
                             AVColorPrimaries primaries, AVChromaLocation chroma) {
    using namespace colour;
    ColourSpec spec;
    switch (matrix) {
    case AVCOL_SPC_RGB:
        spec.matrix = Matrix::rgb;
        break;
    case AVCOL_SPC_BT709:
        spec.matrix = Matrix::bt709;
        break;
    case AVCOL_SPC_FCC:
        spec.matrix = Matrix::fcc;
        break;
    case AVCOL_SPC_BT470BG:
    case AVCOL_SPC_SMPTE170M:
        spec.matrix = Matrix::bt601;
        break;
    case AVCOL_SPC_SMPTE240M:
        spec.matrix = Matrix::smpte240m;
        break;
    case AVCOL_SPC_BT2020_NCL:
    case AVCOL_SPC_BT2020_CL:
        spec.matrix = Matrix::bt2020;
        break;
    default:
        break;
    }
    switch (range) {
    case AVCOL_RANGE_MPEG:
        spec.range = Range::limited;
        break;
    case AVCOL_RANGE_JPEG:
        spec.range = Range::full;
        break;
    default:
        break;
    }
    switch (transfer) {
    case AVCOL_TRC_BT709:
    case AVCOL_TRC_SMPTE170M:
    case AVCOL_TRC_SMPTE240M: // differs from BT.709 in the fourth digit
    case AVCOL_TRC_IEC61966_2_4:
    case AVCOL_TRC_BT1361_ECG:
    case AVCOL_TRC_BT2020_10:
    case AVCOL_TRC_BT2020_12:
        spec.transfer = Transfer::bt709;
        break;
    case AVCOL_TRC_GAMMA22:
        spec.transfer = Transfer::gamma22;
        break;
    case AVCOL_TRC_GAMMA28:
        spec.transfer = Transfer::gamma28;
        break;
    case AVCOL_TRC_LINEAR:
        spec.transfer = Transfer::linear;
        break;
    case AVCOL_TRC_IEC61966_2_1:
        spec.transfer = Transfer::srgb;
        break;
    case AVCOL_TRC_SMPTE2084:
        spec.transfer = Transfer::pq;
        break;
    case AVCOL_TRC_ARIB_STD_B67:
        spec.transfer = Transfer::hlg;
        break;
    default:
        break;
    }
    switch (primaries) {
    case AVCOL_PRI_BT709:
        spec.primaries = Primaries::bt709;
        break;
    case AVCOL_PRI_BT470BG:
        spec.primaries = Primaries::bt601_625;
        break;
    case AVCOL_PRI_SMPTE170M:
    case AVCOL_PRI_SMPTE240M:
        spec.primaries = Primaries::bt601_525;
        break;
    case AVCOL_PRI_BT2020:
        spec.primaries = Primaries::bt2020;
        break;
    case AVCOL_PRI_SMPTE431:
    case AVCOL_PRI_SMPTE432:
        spec.primaries = Primaries::display_p3;
        break;
    default:
        break;
    }
    switch (chroma) {
    case AVCHROMA_LOC_LEFT:
        spec.chroma = ChromaSite::left;
        break;
    case AVCHROMA_LOC_CENTER:
        spec.chroma = ChromaSite::centre;
        break;
    case AVCHROMA_LOC_TOPLEFT:
        spec.chroma = ChromaSite::top_left;
        break;
    case AVCHROMA_LOC_TOP:
        spec.chroma = ChromaSite::top;
        break;
    default:
        break;
    }
    return spec;
}

AvColour av_colour(const colour::ColourSpec& spec, bool ycbcr, bool subsampled) {
    using namespace colour;
    AvColour result{AVCOL_SPC_UNSPECIFIED, AVCOL_RANGE_UNSPECIFIED, AVCOL_TRC_UNSPECIFIED,
                    AVCOL_PRI_UNSPECIFIED, AVCHROMA_LOC_UNSPECIFIED};
    switch (spec.primaries) {
    case Primaries::bt601_525:
        result.primaries = AVCOL_PRI_SMPTE170M;
        break;
    case Primaries::bt601_625:
        result.primaries = AVCOL_PRI_BT470BG;
        break;
    case Primaries::bt709:
        result.primaries = AVCOL_PRI_BT709;
        break;
    case Primaries::bt2020:
        result.primaries = AVCOL_PRI_BT2020;
        break;
    case Primaries::display_p3:
        result.primaries = AVCOL_PRI_SMPTE432;
        break;
    case Primaries::unspecified:
        break;
    }
    switch (spec.matrix) {
    case Matrix::rgb:
        break;
    case Matrix::bt601:
        result.matrix = spec.primaries == Primaries::bt601_625 ? AVCOL_SPC_BT470BG : AVCOL_SPC_SMPTE170M;
        break;
    case Matrix::bt709:
        result.matrix = AVCOL_SPC_BT709;
        break;
    case Matrix::bt2020:
        result.matrix = AVCOL_SPC_BT2020_NCL;
        break;
    case Matrix::fcc:
        result.matrix = AVCOL_SPC_FCC;
        break;
    case Matrix::smpte240m:
        result.matrix = AVCOL_SPC_SMPTE240M;
        break;
    case Matrix::unspecified:
        break;
    }
    if (!ycbcr) result.matrix = AVCOL_SPC_RGB;
    switch (spec.range) {
    case Range::limited:
        result.range = AVCOL_RANGE_MPEG;
        break;
    case Range::full:
        result.range = AVCOL_RANGE_JPEG;
        break;
    case Range::unspecified:
        break;
    }
    switch (spec.transfer) {
    case Transfer::bt709:
        result.transfer = spec.matrix == Matrix::bt601    ? AVCOL_TRC_SMPTE170M
                          : spec.matrix == Matrix::bt2020 ? AVCOL_TRC_BT2020_10
                                                          : AVCOL_TRC_BT709;
        break;
    case Transfer::srgb:
        result.transfer = AVCOL_TRC_IEC61966_2_1;
        break;
    case Transfer::linear:
        result.transfer = AVCOL_TRC_LINEAR;
        break;
    case Transfer::pq:
        result.transfer = AVCOL_TRC_SMPTE2084;
        break;
    case Transfer::hlg:
        result.transfer = AVCOL_TRC_ARIB_STD_B67;
        break;
    case Transfer::gamma22:
        result.transfer = AVCOL_TRC_GAMMA22;
        break;
    case Transfer::gamma28:
        result.transfer = AVCOL_TRC_GAMMA28;
        break;
    case Transfer::unspecified:
        break;
    }
    if (ycbcr && subsampled) {
        switch (spec.chroma) {
        case ChromaSite::left:
            result.chroma = AVCHROMA_LOC_LEFT;
            break;
        case ChromaSite::centre:
            result.chroma = AVCHROMA_LOC_CENTER;
            break;
        case ChromaSite::top_left:
            result.chroma = AVCHROMA_LOC_TOPLEFT;
            break;
        case ChromaSite::top:
            result.chroma = AVCHROMA_LOC_TOP;
            break;
        case ChromaSite::unspecified:
            break;
        }
    }
    return result;
}

} // namespace weft::media
