#include "media/file_end_private.hpp"

#include <algorithm>
#include <bit>
#include <filesystem>
#include <fstream>
#include <string_view>

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

// Adobe's FLV: a script tag at the beginning holds, among others, a name with its length before it, then 0
// for a number and eight bytes of it.
std::optional<int64_t> flv_bytes(Stream& file) {
    const std::string head = bytes_at(file, 0, 4096);
    const std::string name("\0\x08"
                           "filesize\0",
                           11);
    const size_t at = head.find(name);
    if (!head.starts_with("FLV") || at == std::string::npos || at + name.size() + 8 > head.size())
        return std::nullopt;
    const auto bytes = std::bit_cast<double>(number_of(head, at + name.size(), 8, true));
    if (!(bytes > 0 && bytes < 1e15)) return std::nullopt; // filled in at the end, which never came
    return static_cast<int64_t>(bytes);
}

struct Box {
    std::string type; // "" when not even that is there
    int64_t size = 0; // 0: to the end of the file
};

Box box_at(Stream& file, int64_t place) {
    const std::string head = bytes_at(file, place, 16);
    if (head.size() < 8) return {"", INT64_MAX};
    uint64_t size = number_of(head, 0, 4, true);
    if (size == 1) size = head.size() < 16 ? INT64_MAX : number_of(head, 8, 8, true);
    return {head.substr(4, 4), static_cast<int64_t>(std::min<uint64_t>(size, INT64_MAX))};
}

bool is_one_of(const std::string& type, std::initializer_list<std::string_view> types) {
    return std::find(types.begin(), types.end(), type) != types.end();
}

template<class Visit>
void for_each_shown(const AVStream& stream, Visit&& visit) {
    const int count = avformat_index_get_entries_count(&stream);
    for (int i = 0; i < count; ++i) {
        const AVIndexEntry* entry =
            avformat_index_get_entry(const_cast<AVStream*>(&stream), i); // NOLINT: it is only read
        if ((entry->flags & AVINDEX_DISCARD_FRAME) == 0 && entry->pos >= 0 && entry->size > 0) visit(*entry);
    }
}

bool ends_beyond(const AVIndexEntry& entry, int64_t bytes) {
    return entry.pos + entry.size > bytes;
}

} // namespace

std::optional<int64_t> declared_bytes(const std::string& path) {
    Stream file(path, std::ios::binary);
    if (const auto bytes = matroska_bytes(file)) return bytes;
    if (const auto bytes = flv_bytes(file)) return bytes;
    return riff_bytes(file);
}

std::optional<TornFragment> torn_fragment(const std::string& path) {
    Stream file(path, std::ios::binary);
    std::error_code error;
    const auto bytes = static_cast<int64_t>(std::filesystem::file_size(path, error));
    if (error || !is_one_of(box_at(file, 0).type, {"ftyp", "styp", "moov", "moof", "sidx"}))
        return std::nullopt;
    bool fragmented = false;
    for (int64_t place = 0; place < bytes;) {
        const auto [type, size] = box_at(file, place);
        fragmented = fragmented || type == "moof";
        if (size == 0 || (size < 8 && size > 0)) return std::nullopt; // the last one, or no box
        if (size > bytes - place) {
            if (!fragmented || !is_one_of(type, {"", "moof", "mdat", "styp", "sidx", "ssix", "emsg", "prft"}))
                return std::nullopt;
            return TornFragment{place, type == "mdat"};
        }
        place += size;
    }
    return std::nullopt;
}

bool is_torn_jpeg(std::span<const uint8_t> coded) {
    constexpr uint8_t start_of_image = 0xD8, end_of_image = 0xD9, start_of_scan = 0xDA;
    const auto stands_alone = [](uint8_t marker) {
        return marker == 0x01 || (marker >= 0xD0 && marker <= 0xD7);
    };
    bool samples = false;
    size_t at = 0;
    while (at + 1 < coded.size()) {
        const uint8_t marker = coded[at + 1];
        if (coded[at] != 0xFF || marker == 0xFF || marker == 0 || marker == start_of_image ||
            stands_alone(marker)) {
            ++at; // coded samples, and what stands in them
            continue;
        }
        if (marker == end_of_image) return false;
        if (at + 4 > coded.size()) break;
        samples = samples || marker == start_of_scan;
        at += 2 + (static_cast<size_t>(coded[at + 2]) << 8 | coded[at + 3]);
    }
    return samples;
}

int64_t packets_beyond(const AVStream& stream, int64_t bytes) {
    int64_t beyond = 0;
    for_each_shown(stream, [&](const AVIndexEntry& entry) { beyond += ends_beyond(entry, bytes) ? 1 : 0; });
    return beyond;
}

std::optional<int64_t> last_within(const AVStream& stream, int64_t bytes) {
    std::optional<int64_t> last;
    bool any_beyond = false;
    for_each_shown(stream, [&](const AVIndexEntry& entry) {
        if (ends_beyond(entry, bytes))
            any_beyond = true;
        else
            last = std::max(last.value_or(entry.timestamp), entry.timestamp);
    });
    return any_beyond ? last : std::nullopt;
}

} // namespace weft::media
