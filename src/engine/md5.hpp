// MD5 of a picture's bytes: what ffmpeg's framemd5 and md5sum print, so that results can be compared with
// theirs.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace weft::engine {

// Source : RFC 1321.
class Md5 {
  public:
    void add(const uint8_t* data, size_t bytes);
    std::string hex(); // of everything added; ends the computation

  private:
    void block(const uint8_t* data);
    std::array<uint32_t, 4> state_{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
    std::array<uint8_t, 64> rest_{};
    uint64_t bytes_ = 0;
};

} // namespace weft::engine
