// Troubles that people really had with video: each test makes the input that showed it, runs the program as a
// user would, and knows the right picture by arithmetic. Where FFmpeg gives another one, that is said.
#pragma once

#include <algorithm>
#include <cmath>
#include <ostream>
#include <string>
#include <vector>

#include "app/cli.hpp"

namespace weft::test {

struct Rgb {
    int r = 0, g = 0, b = 0;
};
inline std::ostream& operator<<(std::ostream& out, const Rgb& c) {
    return out << c.r << "," << c.g << "," << c.b;
}

// Pictures as packed bytes: R, G, B.
struct Shown {
    int width = 0, height = 0;
    std::string bytes;

    size_t picture_bytes() const { return static_cast<size_t>(width) * static_cast<size_t>(height) * 3; }
    int frames() const { return static_cast<int>(bytes.size() / picture_bytes()); }
    Rgb at(int frame, int x, int y) const {
        const size_t i = static_cast<size_t>(frame) * picture_bytes() +
                         (static_cast<size_t>(y) * static_cast<size_t>(width) + static_cast<size_t>(x)) * 3;
        const auto byte = [&](size_t k) { return static_cast<int>(static_cast<unsigned char>(bytes.at(k))); };
        return {byte(i), byte(i + 1), byte(i + 2)};
    }
    Rgb centre(int frame = 0) const { return at(frame, width / 2, height / 2); }
    std::string picture(int frame) const {
        return bytes.substr(static_cast<size_t>(frame) * picture_bytes(), picture_bytes());
    }
};

inline bool near(Rgb a, Rgb b, int tolerance) {
    return std::abs(a.r - b.r) <= tolerance && std::abs(a.g - b.g) <= tolerance &&
           std::abs(a.b - b.b) <= tolerance;
}

// EXPECT_NEAR for colours, saying where.
#define EXPECT_RGB(got, expected, tolerance)                                                                 \
    EXPECT_PRED3(weft::test::near, (got), (weft::test::Rgb expected), (tolerance))

class Cases : public Cli {
  protected:
    using Words = std::vector<std::string>;

    // What weft makes of these words after "render", as R'G'B' of 8 bits; the test fails when it does, or
    // when the picture has another size.
    Shown shown(Words words, int width, int height, int status = 0) {
        words.insert(words.begin(), "render");
        words.insert(words.end(), {"--format", "raw", "--pix-fmt", "rgb24", "-y", "-o", "shown.raw"});
        last_ = weft(words);
        EXPECT_EQ(last_.status, status) << last_.err;
        return whole({width, height, read_file(at("shown.raw"))});
    }
    // What the ffmpeg program decodes from a file, as R'G'B' of 8 bits.
    Shown decoded(const std::string& file, int width, int height, Words before = {}) {
        before.insert(before.end(),
                      {"-i", file, "-fps_mode", "passthrough", "-sws_flags", "accurate_rnd+full_chroma_int",
                       "-f", "rawvideo", "-pix_fmt", "rgb24", "decoded.raw"});
        ffmpeg(before);
        return whole({width, height, read_file(at("decoded.raw"))});
    }
    void ffmpeg_clip(const std::string& name, const std::string& source, Words more = {}) {
        Words all{"-f", "lavfi", "-i", source};
        all.insert(all.end(), more.begin(), more.end());
        if (more.empty() || more.back() != "-") all.push_back(name);
        ffmpeg(all);
    }
    // Every pixel of picture n has luma 16 + 2 n.
    void numbered_clip(const std::string& name, const std::string& rate, const std::string& seconds,
                       Words more = {}) {
        Words all{"-vf", "geq=lum='16+2*N':cb=128:cr=128", "-c:v", "libx264", "-qp", "0"};
        all.insert(all.end(), more.begin(), more.end());
        ffmpeg_clip(name, "color=black:s=64x64:r=" + rate + ":d=" + seconds, all);
    }
    // The grey that a luma of limited range shows as.
    static int grey(double luma) {
        return static_cast<int>(std::lround(std::clamp((luma - 16) * 255 / 219, 0.0, 255.0)));
    }
    // Writes pipeline.yaml.
    std::string pipeline(const std::string& text) {
        write_file(at("pipeline.yaml"), "weft: 1\n" + text);
        return "pipeline.yaml";
    }
    // White on transparent black; straight alpha.
    void make_halo() {
        const std::string inside = "'255*between(X,16,47)*between(Y,16,47)'";
        ffmpeg_clip("halo.png",
                    "color=c=black:s=64x64:r=1,format=rgba,geq=r=" + inside + ":g=" + inside +
                        ":b=" + inside + ":a=" + inside,
                    {"-frames:v", "1"});
    }

    Result last_; // of the last shown()

  private:
    Shown whole(Shown shown) {
        EXPECT_GT(shown.bytes.size(), 0U);
        EXPECT_EQ(shown.bytes.size() % shown.picture_bytes(), 0U) << "another size: " << last_.err;
        return shown;
    }
};

} // namespace weft::test
