#include "media/exif_private.hpp"

#include <algorithm>
#include <string_view>

namespace weft::media {
namespace {

using Bytes = std::span<const uint8_t>;

bool begins_with(Bytes bytes, std::string_view text) {
    return bytes.size() >= text.size() &&
           std::equal(text.begin(), text.end(), bytes.begin(),
                      [](char c, uint8_t byte) { return static_cast<uint8_t>(c) == byte; });
}

uint32_t number(Bytes bytes, bool big_endian) {
    uint32_t value = 0;
    for (size_t i = 0; i < bytes.size(); ++i)
        value = value << 8 | bytes[big_endian ? i : bytes.size() - 1 - i];
    return value;
}

std::optional<int> orientation_in_tiff(Bytes tiff) {
    constexpr size_t entry_bytes = 12;
    constexpr uint32_t orientation = 0x0112, type_short = 3;
    const bool big_endian = begins_with(tiff, {"MM\0*", 4});
    if (tiff.size() < 8 || (!big_endian && !begins_with(tiff, {"II*\0", 4}))) return std::nullopt;
    const size_t directory = number(tiff.subspan(4, 4), big_endian);
    if (directory > tiff.size() - 2) return std::nullopt;
    const size_t entries = number(tiff.subspan(directory, 2), big_endian);
    Bytes rest = tiff.subspan(directory + 2);
    for (size_t i = 0; i < entries && rest.size() >= entry_bytes; ++i, rest = rest.subspan(entry_bytes))
        if (number(rest.first(2), big_endian) == orientation &&
            number(rest.subspan(2, 2), big_endian) == type_short)
            return static_cast<int>(number(rest.subspan(8, 2), big_endian));
    return std::nullopt;
}

std::optional<int> orientation_in_png(Bytes png) {
    constexpr size_t signature = 8, head = 8, check = 4; // of a chunk: length and name; a sum at its end
    if (!begins_with(png, {"\x89PNG\r\n\x1a\n", signature})) return std::nullopt;
    png = png.subspan(signature);
    while (png.size() >= head) {
        const size_t length = number(png.first(4), true);
        if (length > png.size() - head) return std::nullopt;
        if (begins_with(png.subspan(4), "eXIf")) return orientation_in_tiff(png.subspan(head, length));
        png = png.subspan(std::min(png.size(), head + length + check));
    }
    return std::nullopt;
}

} // namespace

std::optional<int> stored_orientation(AVCodecID codec, std::span<const uint8_t> coded) {
    if (codec == AV_CODEC_ID_PNG) return orientation_in_png(coded);
    if (codec == AV_CODEC_ID_TIFF) return orientation_in_tiff(coded);
    return std::nullopt;
}

} // namespace weft::media
