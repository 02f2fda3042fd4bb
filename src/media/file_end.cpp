#include "media/file_end_private.hpp"

#include <fstream>

namespace weft::media {
namespace {

using Stream = std::ifstream;

uint64_t number_of(const std::string& bytes, size_t at, size_t count, bool big_endian) {
    uint64_t value = 0;
    for (size_t i = 0; i < count; ++i) {
        const auto byte = static_cast<unsigned char>(bytes[at + (big_endian ? i : count - 1 - i)]);
        value = value << 8 | byte;
    }
    return value;
}

std::string bytes_at(Stream& file, int64_t place, size_t count) {
    std::string bytes(count, '\0');
    file.clear();
    file.seekg(place);
    file.read(bytes.data(), static_cast<std::streamsize>(count));
    bytes.resize(static_cast<size_t>(file.gcount()));
    return bytes;
}

// RFC 8794: an element's identifier keeps the mark of its length, its size does not; a size of ones is
// unknown.
struct Element {
    uint64_t id = 0;
    std::optional<uint64_t> size;
    int64_t data = 0; // where it begins
};

std::optional<Element> element_at(Stream& file, int64_t place) {
    const std::string head = bytes_at(file, place, 12);
    size_t at = 0;
    const auto next = [&](size_t longest, bool keep_mark) -> std::optional<uint64_t> {
        if (at >= head.size()) return std::nullopt;
        size_t count = 1;
        for (unsigned first = static_cast<unsigned char>(head[at]); (first & 0x80) == 0 && count <= longest;
             first <<= 1)
            ++count;
        if (count > longest || at + count > head.size()) return std::nullopt;
        uint64_t value = number_of(head, at, count, true);
        if (!keep_mark) value &= (uint64_t{1} << (7 * count)) - 1;
        if (!keep_mark && value == (uint64_t{1} << (7 * count)) - 1) value = UINT64_MAX;
        at += count;
        return value;
    };
    Element element;
    const auto id = next(4, true);
    const auto size = id ? next(8, false) : std::nullopt;
    if (!size) return std::nullopt;
    element.id = *id;
    if (*size <= INT64_MAX / 2) element.size = *size;
    element.data = place + static_cast<int64_t>(at);
    return element;
}

std::optional<int64_t> matroska_bytes(Stream& file) {
    constexpr uint64_t ebml = 0x1A45DFA3, segment = 0x18538067;
    const auto head = element_at(file, 0);
    if (!head || head->id != ebml || !head->size) return std::nullopt;
    const auto body = element_at(file, head->data + static_cast<int64_t>(*head->size));
    if (!body || body->id != segment || !body->size) return std::nullopt;
    return body->data + static_cast<int64_t>(*body->size);
}

// OpenDML: a file above a gigabyte is a RIFF chunk after another.
std::optional<int64_t> riff_bytes(Stream& file) {
    std::optional<int64_t> end;
    for (;;) {
        const std::string head = bytes_at(file, end.value_or(0), 8);
        if (head.size() < 8 || head.substr(0, 4) != "RIFF") return end;
        const uint64_t size = number_of(head, 4, 4, false);
        if (size == 0 || size == UINT32_MAX) return std::nullopt; // filled in at the end, which never came
        end = end.value_or(0) + 8 + static_cast<int64_t>(size);
    }
}

} // namespace

std::optional<int64_t> declared_bytes(const std::string& path) {
    Stream file(path, std::ios::binary);
    if (const auto bytes = matroska_bytes(file)) return bytes;
    return riff_bytes(file);
}

int64_t packets_beyond(const AVStream& stream, int64_t bytes) {
    int64_t beyond = 0;
    const int count = avformat_index_get_entries_count(&stream);
    for (int i = 0; i < count; ++i) {
        const AVIndexEntry* entry =
            avformat_index_get_entry(const_cast<AVStream*>(&stream), i); // NOLINT: it is only read
        const bool shown = (entry->flags & AVINDEX_DISCARD_FRAME) == 0;
        if (shown && entry->pos >= 0 && entry->size > 0 && entry->pos + entry->size > bytes) ++beyond;
    }
    return beyond;
}

} // namespace weft::media
