#include "media/writer.hpp"

#include <algorithm>
#include <filesystem>

#include "media/encoder_private.hpp"
#include "media/file_writer_private.hpp"
#include "media/reader_private.hpp"

namespace weft::media {
namespace {

std::string lower_extension(const std::string& target) {
    std::string extension = std::filesystem::path(target).extension().string();
    if (!extension.empty()) extension.erase(0, 1);
    std::transform(extension.begin(), extension.end(), extension.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return extension;
}

bool one_of(const std::string& word, std::initializer_list<const char*> words) {
    return std::any_of(words.begin(), words.end(), [&](const char* each) { return word == each; });
}

std::string joined(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names)
        text += (text.empty() ? "" : " ") + name;
    return text;
}

std::vector<std::string> muxer_names() {
    std::vector<std::string> names{"y4m", "raw", "png"};
    void* state = nullptr;
    while (const AVOutputFormat* muxer = av_muxer_iterate(&state))
        names.emplace_back(muxer->name);
    return names;
}

const AVOutputFormat& find_muxer(const OutputSettings& settings) {
    if (!settings.format.empty()) {
        // A muxer's own name, or the extension people call it by.
        if (const AVOutputFormat* muxer = av_guess_format(settings.format.c_str(), nullptr, nullptr))
            return *muxer;
        const std::string name = "x." + settings.format;
        if (const AVOutputFormat* muxer = av_guess_format(nullptr, name.c_str(), nullptr)) return *muxer;
        std::string message = settings.target + ": there is no output format '" + settings.format + "'";
        const std::string nearest = nearest_name(settings.format, muxer_names());
        if (!nearest.empty()) message += "; did you mean '" + nearest + "'?";
        throw Error(ErrorKind::usage, message);
    }
    if (settings.target == "-")
        throw Error(ErrorKind::usage,
                    "output to - (standard output) needs a format: y4m, raw, or a muxer's name");
    const std::string scheme = settings.target.substr(0, settings.target.find(':'));
    if (is_address(settings.target) && scheme != "file") {
        const char* name = one_of(scheme, {"rtmp", "rtmps"}) ? "flv" : scheme == "rtsp" ? "rtsp" : nullptr;
        if (name == nullptr && one_of(scheme, {"udp", "tcp", "srt", "rtp"})) name = "mpegts";
        if (name != nullptr)
            if (const AVOutputFormat* muxer = av_guess_format(name, nullptr, nullptr)) return *muxer;
    }
    if (const AVOutputFormat* muxer = av_guess_format(nullptr, settings.target.c_str(), nullptr))
        if (muxer->video_codec != AV_CODEC_ID_NONE || muxer->codec_tag != nullptr) return *muxer;
    throw Error(ErrorKind::usage,
                settings.target + ": the extension '" + lower_extension(settings.target) +
                    "' names no video format; known are mp4, mkv, mov, webm, avi, ts, y4m, png and "
                    "what ffmpeg has, or give the format by name (--format)");
}

bool holds(const AVOutputFormat& muxer, AVCodecID codec) {
    return avformat_query_codec(&muxer, codec, FF_COMPLIANCE_NORMAL) == 1;
}

std::string default_video_codec(const AVOutputFormat& muxer) {
    const bool webm = std::string(muxer.name) == "webm";
    if (webm && avcodec_find_encoder_by_name("libvpx-vp9") != nullptr) return "libvpx-vp9";
    if (!webm && holds(muxer, AV_CODEC_ID_H264) && avcodec_find_encoder_by_name("libx264") != nullptr)
        return "libx264";
    const AVCodec* codec = avcodec_find_encoder(muxer.video_codec);
    return codec == nullptr ? "" : codec->name;
}

std::string default_audio_codec(const AVOutputFormat& muxer) {
    const bool webm = std::string(muxer.name) == "webm";
    if (webm && avcodec_find_encoder_by_name("libopus") != nullptr) return "libopus";
    if (!webm && holds(muxer, AV_CODEC_ID_AAC) && avcodec_find_encoder_by_name("aac") != nullptr)
        return "aac";
    const AVCodec* codec = avcodec_find_encoder(muxer.audio_codec);
    return codec == nullptr ? "" : codec->name;
}

void choose_pixel_format(const OutputSettings& settings, const std::string& taker,
                         const std::string& favourite, OutputChoice& choice) {
    if (choice.accepted.empty())
        throw Error(ErrorKind::unsupported,
                    settings.target + ": " + taker + " takes no pixel format that kernels store");
    const auto taken = [&](const std::string& name) {
        return std::find(choice.accepted.begin(), choice.accepted.end(), name) != choice.accepted.end();
    };
    if (!settings.pixel_format.empty()) {
        if (!taken(settings.pixel_format))
            throw Error(ErrorKind::usage, settings.target + ": " + taker + " does not take pixel format '" +
                                              settings.pixel_format +
                                              "', allowed: " + joined(choice.accepted));
        choice.pixel_format = settings.pixel_format;
        return;
    }
    choice.pixel_format = taken(favourite) ? favourite : choice.accepted.front();
}

// Its encoder takes 256 fixed colours or grey; a sensible GIF needs a palette made from the pictures.
[[noreturn]] void refuse_gif(const std::string& target) {
    throw Error(ErrorKind::unsupported,
                target +
                    ": GIF needs a palette, which weft does not make; write -o - and pipe it into: ffmpeg "
                    "-i - -vf 'split[a][b];[a]palettegen[p];[b][p]paletteuse' OUT.gif");
}

OutputChoice choose_file(const OutputSettings& settings) {
    const AVOutputFormat& muxer = find_muxer(settings);
    OutputChoice choice;
    choice.muxer = muxer.name;
    choice.video_codec = settings.video_codec.empty() ? default_video_codec(muxer) : settings.video_codec;
    if (choice.video_codec.empty())
        throw Error(ErrorKind::unsupported, settings.target + ": format " + choice.muxer + " holds no video");
    const AVCodec& video = find_encoder(choice.video_codec, AVMEDIA_TYPE_VIDEO, settings.target);
    choice.video_codec = video.name;
    if (avformat_query_codec(&muxer, video.id, FF_COMPLIANCE_NORMAL) == 0)
        throw Error(ErrorKind::unsupported, settings.target + ": format " + choice.muxer + " cannot hold " +
                                                avcodec_get_name(video.id));
    if (settings.crf) check_option(video, "crf", settings.target);
    if (!settings.preset.empty()) check_option(video, "preset", settings.target);
    for (const auto& [key, value] : settings.video_options)
        check_option(video, key, settings.target);
    if (video.id == AV_CODEC_ID_GIF) refuse_gif(settings.target);
    choice.accepted = storable_formats(video);
    const bool jpeg = video.id == AV_CODEC_ID_MJPEG;
    // The encoder lists limited range too, and refuses it.
    if (jpeg)
        std::erase_if(choice.accepted, [](const std::string& name) { return !name.starts_with("yuvj"); });
    choose_pixel_format(settings, "encoder " + choice.video_codec, jpeg ? "yuvj420p" : "yuv420p", choice);

    if (settings.audio) {
        choice.audio_codec = settings.audio_codec.empty() ? default_audio_codec(muxer) : settings.audio_codec;
        if (choice.audio_codec.empty())
            throw Error(ErrorKind::unsupported,
                        settings.target + ": format " + choice.muxer + " holds no sound");
        const AVCodec& audio = find_encoder(choice.audio_codec, AVMEDIA_TYPE_AUDIO, settings.target);
        choice.audio_codec = audio.name;
        if (avformat_query_codec(&muxer, audio.id, FF_COMPLIANCE_NORMAL) == 0)
            throw Error(ErrorKind::unsupported, settings.target + ": format " + choice.muxer +
                                                    " cannot hold " + avcodec_get_name(audio.id));
        for (const auto& [key, value] : settings.audio_options)
            check_option(audio, key, settings.target);
    }
    choice.even_size = colour::pixel_format(choice.pixel_format).subsampled();
    return choice;
}

OutputChoice choose_raw(const OutputSettings& settings, bool y4m) {
    OutputChoice choice;
    choice.kind = OutputChoice::Kind::raw;
    choice.muxer = y4m ? "y4m" : "raw";
    for (const std::string& name : colour::pixel_format_names())
        if (y4m ? !y4m_chroma(name, colour::ChromaSite::left).empty()
                : !colour::pixel_format(name).is_palette)
            choice.accepted.push_back(name);
    choose_pixel_format(settings, choice.muxer, "yuv420p", choice);
    return choice;
}

OutputChoice choose_pictures(const OutputSettings& settings) {
    OutputChoice choice;
    choice.kind = OutputChoice::Kind::pictures;
    choice.muxer = choice.video_codec = "png";
    choice.accepted = storable_formats(find_encoder("png", AVMEDIA_TYPE_VIDEO, settings.target));
    choose_pixel_format(settings, "encoder png", "rgb24", choice);
    return choice;
}

} // namespace

OutputChoice choose_output(const OutputSettings& settings) {
    if (settings.target.empty()) throw Error(ErrorKind::usage, "an output needs a file name");
    const std::string kind = settings.format.empty() ? lower_extension(settings.target) : settings.format;
    OutputChoice choice;
    if (settings.video_codec.empty() && one_of(kind, {"y4m", "yuv4mpegpipe"}))
        choice = choose_raw(settings, true);
    else if (settings.video_codec.empty() && one_of(kind, {"raw", "yuv", "rgb", "rawvideo"}))
        choice = choose_raw(settings, false);
    else if (one_of(kind, {"png"}))
        choice = choose_pictures(settings);
    else
        return choose_file(settings);
    if (settings.audio)
        throw Error(ErrorKind::unsupported, settings.target + ": " + choice.muxer + " output holds no sound");
    return choice;
}

std::unique_ptr<VideoWriter> open_writer(const OutputSettings& settings,
                                         const colour::PictureFormat& format) {
    WEFT_CHECK(format.valid());
    OutputChoice choice = choose_output(settings);
    if (std::find(choice.accepted.begin(), choice.accepted.end(), format.pixels.name) ==
        choice.accepted.end())
        throw Error(ErrorKind::usage, settings.target + ": pictures are " + format.pixels.name +
                                          ", allowed: " + joined(choice.accepted));
    choice.pixel_format = format.pixels.name;
    switch (choice.kind) {
    case OutputChoice::Kind::raw:
        return make_raw_writer(settings, std::move(choice), format);
    case OutputChoice::Kind::pictures:
        return make_png_writer(settings, std::move(choice), format);
    case OutputChoice::Kind::file:
        break;
    }
    return make_file_writer(settings, std::move(choice), format);
}

} // namespace weft::media
