#include "media/raw_frames_private.hpp"

#include <array>
#include <string_view>

namespace weft::media {

RawFrames::RawFrames(AVFormatContext& context) : context_(context) {
    const std::string_view name = context.iformat->name;
    if (context.nb_streams != 1 || context.pb == nullptr) return;
    if (name == "yuv4mpegpipe")
        mark_ = "FRAME\n";
    else if (name != "rawvideo")
        return;
    const AVCodecParameters& codec = *context.streams[0]->codecpar;
    if (codec.codec_id != AV_CODEC_ID_RAWVIDEO) return;
    bytes_ = av_image_get_buffer_size(static_cast<AVPixelFormat>(codec.format), codec.width, codec.height, 1);
    fits_ = bytes_ > 0;
}

void RawFrames::follow(const AVPacket& packet) {
    // Packets that FFmpeg read ahead to know the file end before its position.
    last_.reset();
    const bool here = packet.pos >= 0 && packet.pts != AV_NOPTS_VALUE && packet.size >= bytes_ &&
                      packet.pos + packet.size == avio_tell(context_.pb);
    if (!fits_ || !here) return;
    last_ = new_packet();
    if (av_packet_copy_props(last_.get(), &packet) < 0) last_.reset();
}

std::optional<int> RawFrames::read(AVPacket& packet, FrameMemory& memory) {
    if (!last_) return std::nullopt;
    const int64_t start = avio_tell(context_.pb);
    const auto leave_it = [&]() -> std::optional<int> {
        forget();
        if (avio_seek(context_.pb, start, SEEK_SET) < 0) return AVERROR(EIO);
        return std::nullopt;
    };
    std::array<unsigned char, 8> found{};
    const int marked = static_cast<int>(mark_.size());
    if (marked > 0) {
        const int code = avio_read(context_.pb, found.data(), marked);
        if (code == 0 || code == AVERROR_EOF) return AVERROR_EOF;
        // Parameters of a single picture, or damage.
        if (code != marked ||
            std::string_view(reinterpret_cast<const char*>(found.data()), mark_.size()) != mark_)
            return leave_it();
    }
    AVBufferRef* const block = memory.lend_bytes(static_cast<size_t>(bytes_));
    if (block == nullptr) return leave_it();
    packet.buf = block;
    packet.data = block->data;
    const int64_t pos = start + marked;
    const int got = avio_read(context_.pb, block->data, bytes_);
    if (got <= 0) {
        av_packet_unref(&packet);
        return got < 0 ? got : AVERROR_EOF;
    }
    packet.size = got;
    if (const int code = av_packet_copy_props(&packet, last_.get()); code < 0) return code;
    packet.pos = pos;
    packet.pts = last_->pts + last_->duration;
    packet.dts = packet.pts;
    if (got < bytes_) packet.flags |= AV_PKT_FLAG_CORRUPT;
    last_->pts = last_->dts = packet.pts;
    return 0;
}

} // namespace weft::media
