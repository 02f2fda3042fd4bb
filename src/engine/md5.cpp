#include "engine/md5.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace weft::engine {
namespace {

// RFC 1321, 3.4: the integer part of 4294967296 * |sin(i + 1)|.
const std::array<uint32_t, 64>& sines() {
    static const std::array<uint32_t, 64> table = [] {
        std::array<uint32_t, 64> values{};
        for (size_t i = 0; i < values.size(); ++i)
            values[i] = static_cast<uint32_t>(std::floor(4294967296.0 * std::abs(std::sin(double(i + 1)))));
        return values;
    }();
    return table;
}

constexpr int turns[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};

} // namespace

void Md5::block(const uint8_t* data) {
    std::array<uint32_t, 16> words{};
    std::memcpy(words.data(), data, sizeof words); // little-endian, as the machine is
    auto [a, b, c, d] = state_;
    for (uint32_t i = 0; i < 64; ++i) {
        uint32_t f = 0, g = 0;
        if (i < 16) {
            f = (b & c) | (~b & d);
            g = i;
        } else if (i < 32) {
            f = (d & b) | (~d & c);
            g = (5 * i + 1) % 16;
        } else if (i < 48) {
            f = b ^ c ^ d;
            g = (3 * i + 5) % 16;
        } else {
            f = c ^ (b | ~d);
            g = (7 * i) % 16;
        }
        const uint32_t sum = a + f + sines()[i] + words[g];
        a = d;
        d = c;
        c = b;
        b += std::rotl(sum, turns[i / 16][i % 4]);
    }
    state_[0] += a;
    state_[1] += b;
    state_[2] += c;
    state_[3] += d;
}

void Md5::add(const uint8_t* data, size_t bytes) {
    size_t held = bytes_ % 64;
    bytes_ += bytes;
    if (held > 0) {
        const size_t part = std::min(bytes, 64 - held);
        std::memcpy(rest_.data() + held, data, part);
        data += part;
        bytes -= part;
        if (held + part < 64) return;
        block(rest_.data());
    }
    for (; bytes >= 64; data += 64, bytes -= 64)
        block(data);
    if (bytes > 0) std::memcpy(rest_.data(), data, bytes);
}

std::string Md5::hex() {
    const uint64_t bits = bytes_ * 8;
    static constexpr std::array<uint8_t, 64> padding{0x80};
    const size_t held = bytes_ % 64;
    add(padding.data(), held < 56 ? 56 - held : 120 - held);
    std::array<uint8_t, 8> length{};
    std::memcpy(length.data(), &bits, sizeof bits);
    add(length.data(), length.size());
    std::string text;
    for (const uint32_t word : state_)
        for (int byte = 0; byte < 4; ++byte) {
            const uint32_t value = (word >> (8 * byte)) & 0xff;
            text += "0123456789abcdef"[value >> 4];
            text += "0123456789abcdef"[value & 15];
        }
    return text;
}

} // namespace weft::engine
