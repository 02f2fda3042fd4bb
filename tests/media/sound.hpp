// Samples into WAV files, written by hand so that tests know every one of them.
#pragma once

#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

namespace weft::test {

using Samples = std::vector<float>;

// 32-bit float WAV. Source : Microsoft's WAVE format, tag 3 (IEEE float).
inline void write_wav(const std::string& file, const Samples& interleaved, int channels, int rate) {
    std::ofstream out(file, std::ios::binary);
    const auto put32 = [&](uint32_t v) { out.write(reinterpret_cast<const char*>(&v), 4); };
    const auto put16 = [&](uint16_t v) { out.write(reinterpret_cast<const char*>(&v), 2); };
    const auto bytes = static_cast<uint32_t>(interleaved.size() * 4);
    out << "RIFF";
    put32(36 + bytes);
    out << "WAVEfmt ";
    put32(16);
    put16(3);
    put16(static_cast<uint16_t>(channels));
    put32(static_cast<uint32_t>(rate));
    put32(static_cast<uint32_t>(rate * channels * 4));
    put16(static_cast<uint16_t>(channels * 4));
    put16(32);
    out << "data";
    put32(bytes);
    out.write(reinterpret_cast<const char*>(interleaved.data()), static_cast<std::streamsize>(bytes));
}

// Stereo; sample n is left(n), right is its negative.
template<class F>
Samples stereo(size_t frames, F left) {
    Samples samples;
    for (size_t n = 0; n < frames; ++n) {
        samples.push_back(left(n));
        samples.push_back(-left(n));
    }
    return samples;
}

// Sample n of this can be told from every other within 20000.
inline float sawtooth(size_t n) {
    return static_cast<float>(n % 20000) / 32768.0f;
}

} // namespace weft::test
