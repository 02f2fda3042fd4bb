#include "media/converter_private.hpp"

namespace weft::media {

Av<AVFrame> Converter::convert(Av<AVFrame> frame, AVPixelFormat to, FrameMemory& memory) {
    const AVPixelFormat from = static_cast<AVPixelFormat>(frame->format);
    if (av_frame_apply_cropping(frame.get(), AV_FRAME_CROP_UNALIGNED) < 0)
        throw Error(ErrorKind::bad_input, "a picture's crop is larger than the picture");
    scaler_.reset(sws_getCachedContext(scaler_.release(), frame->width, frame->height, from, frame->width,
                                       frame->height, to, SWS_BICUBIC | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT,
                                       nullptr, nullptr, nullptr));
    if (!scaler_)
        throw Error(ErrorKind::unsupported,
                    "no conversion from " + format_name(from) + " to " + format_name(to));
    keep_range(*frame);
    Av<AVFrame> result = new_frame();
    result->format = to;
    result->width = frame->width;
    result->height = frame->height;
    memory.allocate(*result);
    av_frame_copy_props(result.get(), frame.get());
    result->crop_left = result->crop_right = result->crop_top = result->crop_bottom = 0;
    sws_scale(scaler_.get(), frame->data, frame->linesize, 0, frame->height, result->data, result->linesize);
    return result;
}

void Converter::keep_range(const AVFrame& frame) {
    const bool large = frame.width >= 1280 || frame.height > 576;
    const int matrix = frame.colorspace != AVCOL_SPC_UNSPECIFIED ? static_cast<int>(frame.colorspace)
                       : large                                   ? SWS_CS_ITU709
                                                                 : SWS_CS_ITU601;
    const int* coefficients = sws_getCoefficients(matrix);
    const int full = frame.color_range == AVCOL_RANGE_JPEG ? 1 : 0;
    sws_setColorspaceDetails(scaler_.get(), coefficients, full, coefficients, full, 0, 1 << 16, 1 << 16);
}

} // namespace weft::media
