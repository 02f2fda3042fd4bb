// Clips made at test time by the ffmpeg program, and what that program decodes from them.
#pragma once

#include <cstdint>
#include <cstring>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "media/input.hpp"
#include "media/video_decoder.hpp"
#include "support/ffmpeg.hpp"
#include "support/temp_folder.hpp"

namespace weft::test {

using Bytes = std::vector<uint8_t>;

// ffmpeg -y <arguments> <file>
inline std::string make_clip(const TempFolder& folder, const std::string& name,
                             const std::string& arguments) {
    const std::string file = folder.file(name);
    run_command("ffmpeg -v error -nostdin -y " + arguments + " " + shell_quoted("file:" + file));
    return file;
}

inline Bytes read_bytes(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    return Bytes(std::istreambuf_iterator<char>(in), {});
}

// Pictures as the ffmpeg program decodes them, planes packed one after another.
inline std::vector<Bytes> reference_pictures(const std::string& file, const std::string& pixel_format,
                                             size_t bytes, const std::string& before = "") {
    const TempFolder folder;
    const std::string raw = folder.file("raw");
    run_command("ffmpeg -v error -nostdin -y -noautorotate " + before + " -i " +
                shell_quoted("file:" + file) + " -map 0:v:0 -fps_mode passthrough -f rawvideo -pix_fmt " +
                pixel_format + " " + shell_quoted(raw));
    const Bytes all = read_bytes(raw);
    std::vector<Bytes> pictures;
    for (size_t at = 0; at + bytes <= all.size(); at += bytes)
        pictures.emplace_back(all.begin() + static_cast<std::ptrdiff_t>(at),
                              all.begin() + static_cast<std::ptrdiff_t>(at + bytes));
    return pictures;
}

// One column of ffprobe's csv, a line an entry.
inline std::vector<std::string> probed(const std::string& file, const std::string& entries,
                                       const std::string& stream = "v:0") {
    std::istringstream text(run_command("ffprobe -v error -select_streams " + stream + " -show_entries " +
                                        entries + " -of csv=p=0 " + shell_quoted("file:" + file)));
    std::vector<std::string> lines;
    for (std::string line; std::getline(text, line);) {
        while (!line.empty() && line.back() == ',')
            line.pop_back();
        if (!line.empty()) lines.push_back(line);
    }
    return lines;
}

inline Bytes packed(const colour::HostPlanes& planes, const colour::PictureFormat& format) {
    Bytes bytes;
    for (int plane = 0; plane < format.pixels.plane_count; ++plane) {
        const auto p = static_cast<size_t>(plane);
        const auto line_bytes = format.pixels.plane_line_bytes(plane, format.width);
        for (int y = 0; y < format.pixels.plane_lines(plane, format.height); ++y) {
            const uint8_t* line = planes.data[p] + static_cast<std::ptrdiff_t>(y) * planes.pitch[p];
            bytes.insert(bytes.end(), line, line + line_bytes);
        }
    }
    return bytes;
}

inline Bytes packed(const media::HostFrame& frame) {
    return packed(frame.planes(), *frame.format());
}

inline media::VideoDecoder open_video(const std::string& file, const media::VideoOptions& options = {}) {
    return media::VideoDecoder(std::make_shared<media::Input>(file), options);
}

// "" when equal, else where they differ first.
inline std::string difference(const Bytes& expected, const Bytes& got) {
    if (expected.size() != got.size())
        return "sizes " + std::to_string(expected.size()) + " and " + std::to_string(got.size());
    for (size_t i = 0; i < expected.size(); ++i)
        if (expected[i] != got[i])
            return "byte " + std::to_string(i) + ": expected " + std::to_string(expected[i]) + ", got " +
                   std::to_string(got[i]);
    return "";
}

// A clip whose n-th picture has luma 16 + 2 n everywhere: the number can be read from the picture.
inline std::string numbered_video(int seconds, const std::string& rate = "25",
                                  const std::string& more_inputs = "") {
    return "-f lavfi -i color=c=black:s=64x64:r=" + rate + ":d=" + std::to_string(seconds) + " " +
           more_inputs + " -vf \"geq=lum='16+2*mod(N,100)':cb=128:cr=128\" -c:v libx264 -qp 0";
}

inline int number_of(const media::HostFrame& frame) {
    return (frame.planes().data[0][0] - 16) / 2;
}

} // namespace weft::test
