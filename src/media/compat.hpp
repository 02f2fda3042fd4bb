// FFmpeg's headers, and what differs between its versions 5.1 and 7.1. Private to media; nothing else
// includes FFmpeg.
#pragma once

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavfilter/avfilter.h>
#include <libavfilter/buffersink.h>
#include <libavfilter/buffersrc.h>
#include <libavformat/avformat.h>
#include <libavutil/avutil.h>
#include <libavutil/channel_layout.h>
#include <libavutil/display.h>
#include <libavutil/dovi_meta.h>
#include <libavutil/imgutils.h>
#include <libavutil/mastering_display_metadata.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <libswresample/swresample.h>
#include <libswscale/swscale.h>
}

#include <cstdint>
#include <vector>

namespace weft::media::compat {

// AVFrame::duration came with 6.0, and pkt_duration went with 7.0.
inline int64_t frame_duration(const AVFrame& frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(57, 30, 100)
    return frame.duration;
#else
    return frame.pkt_duration;
#endif
}

// The single-bit members became flags with 6.1.
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(58, 7, 100)
inline bool frame_is_key(const AVFrame& frame) {
    return (frame.flags & AV_FRAME_FLAG_KEY) != 0;
}
inline bool frame_is_interlaced(const AVFrame& frame) {
    return (frame.flags & AV_FRAME_FLAG_INTERLACED) != 0;
}
inline bool frame_is_top_first(const AVFrame& frame) {
    return (frame.flags & AV_FRAME_FLAG_TOP_FIELD_FIRST) != 0;
}
#else
inline bool frame_is_key(const AVFrame& frame) {
    return frame.key_frame != 0;
}
inline bool frame_is_interlaced(const AVFrame& frame) {
    return frame.interlaced_frame != 0;
}
inline bool frame_is_top_first(const AVFrame& frame) {
    return frame.top_field_first != 0;
}
#endif

// A stream's side data of a kind, of at least `bytes`, or nullptr. It moved into the parameters with 6.1.
inline const void* stream_side_data(const AVStream& stream, AVPacketSideDataType kind, size_t bytes) {
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(60, 31, 100)
    const AVPacketSideData* data =
        av_packet_side_data_get(stream.codecpar->coded_side_data, stream.codecpar->nb_coded_side_data, kind);
    return data != nullptr && data->size >= bytes ? data->data : nullptr;
#else
    size_t size = 0;
    const uint8_t* data = av_stream_get_side_data(&stream, kind, &size);
    return size >= bytes ? data : nullptr;
#endif
}
// Nine numbers of a stream's display matrix, or nullptr.
inline const int32_t* stream_display_matrix(const AVStream& stream) {
    return static_cast<const int32_t*>(
        stream_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, 9 * sizeof(int32_t)));
}

// Before 6.0 frame threads asked for memory on the caller's thread unless told that get_buffer2 is
// thread-safe.
inline void set_thread_safe_callbacks([[maybe_unused]] AVCodecContext& codec) {
#if LIBAVCODEC_VERSION_MAJOR < 60
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
    codec.thread_safe_callbacks = 1;
#pragma GCC diagnostic pop
#endif
}

// The lists of a codec became a query with 7.1.
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(61, 13, 100)
template<class T>
std::vector<T> supported(const AVCodec& codec, AVCodecConfig config) {
    const void* list = nullptr;
    int count = 0;
    if (avcodec_get_supported_config(nullptr, &codec, config, 0, &list, &count) < 0 || list == nullptr)
        return {};
    const T* first = static_cast<const T*>(list);
    return std::vector<T>(first, first + count);
}
inline std::vector<AVPixelFormat> pixel_formats(const AVCodec& codec) {
    return supported<AVPixelFormat>(codec, AV_CODEC_CONFIG_PIX_FORMAT);
}
inline std::vector<AVSampleFormat> sample_formats(const AVCodec& codec) {
    return supported<AVSampleFormat>(codec, AV_CODEC_CONFIG_SAMPLE_FORMAT);
}
inline std::vector<int> sample_rates(const AVCodec& codec) {
    return supported<int>(codec, AV_CODEC_CONFIG_SAMPLE_RATE);
}
#else
template<class T>
std::vector<T> until(const T* list, T end) {
    std::vector<T> result;
    for (; list != nullptr && *list != end; ++list)
        result.push_back(*list);
    return result;
}
inline std::vector<AVPixelFormat> pixel_formats(const AVCodec& codec) {
    return until(codec.pix_fmts, AV_PIX_FMT_NONE);
}
inline std::vector<AVSampleFormat> sample_formats(const AVCodec& codec) {
    return until(codec.sample_fmts, AV_SAMPLE_FMT_NONE);
}
inline std::vector<int> sample_rates(const AVCodec& codec) {
    return until(codec.supported_samplerates, 0);
}
#endif

} // namespace weft::media::compat
