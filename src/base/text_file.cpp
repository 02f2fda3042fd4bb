#include "base/text_file.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "base/error.hpp"

namespace fs = std::filesystem;

namespace weft {
namespace {

constexpr uintmax_t longest = uintmax_t{64} << 20;

struct Beginning {
    size_t at;
    std::string_view bytes;
    std::string_view kind;
};
using namespace std::string_view_literals;
constexpr std::array<Beginning, 21> beginnings{{
    {4, "ftyp"sv, "an MP4 or QuickTime file"},
    {4, "moov"sv, "a QuickTime file"},
    {4, "mdat"sv, "a QuickTime file"},
    {0, "\x1A\x45\xDF\xA3"sv, "a Matroska or WebM file"},
    {8, "AVI "sv, "an AVI file"},
    {8, "WAVE"sv, "a WAV sound"},
    {8, "WEBP"sv, "a WebP picture"},
    {0, "FLV\1"sv, "an FLV file"},
    {0, "OggS"sv, "an Ogg file"},
    {0, "fLaC"sv, "a FLAC sound"},
    {0, "ID3"sv, "an MP3 sound"},
    {0, "\0\0\1\xBA"sv, "an MPEG file"},
    {0, "\x30\x26\xB2\x75"sv, "a Windows Media file"},
    {0, "YUV4MPEG2"sv, "a Y4M file"},
    {0, "\x89PNG"sv, "a PNG picture"},
    {0, "\xFF\xD8\xFF"sv, "a JPEG picture"},
    {0, "GIF8"sv, "a GIF picture"},
    {0, "%PDF"sv, "a PDF document"},
    {0, "PK\3\4"sv, "a ZIP archive"},
    {0, "\x1F\x8B"sv, "a gzip archive"},
    {0,
     "\x7F"
     "ELF"sv,
     "a program"},
}};

// UTF-16 has zero bytes in every line, and says what it is.
bool is_utf16(std::string_view text) {
    return text.starts_with("\xFF\xFE"sv) || text.starts_with("\xFE\xFF"sv);
}

} // namespace

std::string kind_of_bytes(std::string_view head) {
    for (const Beginning& known : beginnings)
        if (head.size() > known.at && head.substr(known.at).starts_with(known.bytes))
            return std::string(known.kind);
    constexpr size_t packet = 188; // of a transport stream, each begun by 0x47
    if (head.size() > 2 * packet && head[0] == 0x47 && head[packet] == 0x47 && head[2 * packet] == 0x47)
        return "an MPEG transport stream";
    return "";
}

std::optional<size_t> first_not_utf8(std::string_view text) {
    // RFC 3629: the first byte says how many follow; the second one's range keeps out longer forms than
    // needed, surrogates, and what is beyond U+10FFFF.
    for (size_t at = 0; at < text.size();) {
        const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
        const unsigned first = byte(at);
        size_t more = 0;
        unsigned low = 0x80, high = 0xBF;
        if (first >= 0xC2 && first <= 0xDF) more = 1;
        if (first >= 0xE0 && first <= 0xEF) more = 2;
        if (first >= 0xF0 && first <= 0xF4) more = 3;
        if (more == 0 && first >= 0x80) return at;
        if (first == 0xE0) low = 0xA0;
        if (first == 0xED) high = 0x9F;
        if (first == 0xF0) low = 0x90;
        if (first == 0xF4) high = 0x8F;
        for (size_t i = 1; i <= more; ++i, low = 0x80, high = 0xBF)
            if (at + i >= text.size() || byte(at + i) < low || byte(at + i) > high) return at;
        at += more + 1;
    }
    return std::nullopt;
}

std::string read_text(const fs::path& file) {
    const Place place{file.string(), 0, 0};
    std::error_code error;
    if (!fs::exists(file, error)) throw Error(ErrorKind::not_found, "no such file", place);
    if (fs::is_directory(file, error)) throw Error(ErrorKind::bad_input, "is a folder, not a file", place);
    std::ifstream in(file, std::ios::binary);
    std::string text(4096, '\0');
    const auto not_read = [&] {
        return Error(ErrorKind::bad_input, std::string("cannot be read: ") + std::strerror(errno), place);
    };
    if (!in) throw not_read();
    in.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<size_t>(in.gcount()));
    const auto no_text = [&] {
        const std::string kind = kind_of_bytes(text);
        return Error(ErrorKind::bad_input,
                     "is no text file" +
                         (kind.empty() ? "" : " but " + kind + " (weft probe tells about media)"),
                     place);
    };
    if (!is_utf16(text) && (text.find('\0') != std::string::npos || !kind_of_bytes(text).empty()))
        throw no_text();
    while (in && text.size() <= longest) {
        const size_t before = text.size();
        text.resize(before + (size_t{1} << 16));
        in.read(text.data() + before, static_cast<std::streamsize>(text.size() - before));
        text.resize(before + static_cast<size_t>(in.gcount()));
    }
    if (in.bad()) throw not_read();
    if (text.size() > longest)
        throw Error(ErrorKind::bad_input, "is larger than 64 MiB, which no text that is read here is", place);
    if (!is_utf16(text) && text.find('\0') != std::string::npos) throw no_text();
    return text;
}

} // namespace weft
