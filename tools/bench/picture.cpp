// The canvas of the grid job in double, straight from its definition, and how far two programs' canvases are
// from it. Shares no code with weft: what it says about weft's pictures is said by another witness.
//
//   bench_picture FRAMES CLIP0.raw CLIP1.raw CLIP2.raw CLIP3.raw WEFT.raw FFMPEG.raw
//
// All files hold FRAMES pictures of 1920x1080 yuv420p, limited range, chroma left of luma. Prints one JSON
// object with PSNR in dB over all frames: weft and ffmpeg to the reference rounded once, weft to ffmpeg.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

namespace {

constexpr int width = 1920, height = 1080;
constexpr double brightness = 0.05, contrast = 1.2, saturation = 1.3;

// Codes, not clipped, not rounded.
struct Plane {
    int w = 0, h = 0;
    std::vector<double> values;
    Plane(int w_, int h_) : w(w_), h(h_), values(static_cast<size_t>(w_) * static_cast<size_t>(h_)) {}
    double& at(int x, int y) {
        return values[static_cast<size_t>(y) * static_cast<size_t>(w) + static_cast<size_t>(x)];
    }
    // The nearest sample inside.
    double edge(int x, int y) const {
        x = std::clamp(x, 0, w - 1);
        y = std::clamp(y, 0, h - 1);
        return values[static_cast<size_t>(y) * static_cast<size_t>(w) + static_cast<size_t>(x)];
    }
};
using Picture = std::array<Plane, 3>;

Picture blank() {
    return {Plane(width, height), Plane(width / 2, height / 2), Plane(width / 2, height / 2)};
}

bool read(std::ifstream& in, Picture& picture) {
    for (Plane& plane : picture) {
        std::vector<uint8_t> bytes(plane.values.size());
        if (!in.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size())))
            return false;
        std::copy(bytes.begin(), bytes.end(), plane.values.begin());
    }
    return true;
}

// Half the size: every sample of the result is the mean of the source over its own area.
//   shift : where the centre of result sample 0 lies, in source samples; the area is 2 samples wide
Plane halved_across(const Plane& in, double shift) {
    Plane out(in.w / 2, in.h);
    for (int y = 0; y < out.h; ++y)
        for (int x = 0; x < out.w; ++x) {
            const double from = 2 * x + shift - 1, until = from + 2;
            double sum = 0;
            for (int i = static_cast<int>(std::floor(from - 0.5));
                 i <= static_cast<int>(std::ceil(until + 0.5)); ++i) {
                const double share = std::min(until, i + 0.5) - std::max(from, i - 0.5);
                if (share > 0) sum += share * in.edge(i, y);
            }
            out.at(x, y) = sum / 2;
        }
    return out;
}

Plane halved_down(const Plane& in) {
    Plane out(in.w, in.h / 2);
    for (int y = 0; y < out.h; ++y)
        for (int x = 0; x < out.w; ++x)
            out.at(x, y) = (in.edge(x, 2 * y) + in.edge(x, 2 * y + 1)) / 2;
    return out;
}

// contrast about 127.5 and brightness of the whole range for luma, saturation about 128 for chroma.
void adjust(Plane& plane, bool chroma) {
    for (double& v : plane.values)
        v = chroma ? (v - 128) * saturation + 128 : (v - 127.5) * contrast + 127.5 + brightness * 255;
}

Plane sharpened(const Plane& in) {
    Plane out(in.w, in.h);
    for (int y = 0; y < in.h; ++y)
        for (int x = 0; x < in.w; ++x)
            out.at(x, y) = 5 * in.edge(x, y) - in.edge(x - 1, y) - in.edge(x + 1, y) - in.edge(x, y - 1) -
                           in.edge(x, y + 1);
    return out;
}

void place_tile(const Picture& source, int tile, Picture& canvas) {
    for (size_t p = 0; p < 3; ++p) {
        // Left-sited chroma sample x of the tile lies at the source's luma 4x + 1/2, its chroma 2x + 1/4.
        Plane plane = halved_down(halved_across(source[p], p ? 0.25 : 0.5));
        adjust(plane, p > 0);
        plane = sharpened(plane);
        for (int y = 0; y < plane.h; ++y)
            for (int x = 0; x < plane.w; ++x)
                canvas[p].at(x + (tile % 2) * plane.w, y + (tile / 2) * plane.h) =
                    std::clamp(std::floor(plane.edge(x, y) + 0.5), 0.0, 255.0);
    }
}

// Sums of squared differences, and their greatest, of luma and chroma.
struct Distance {
    std::array<double, 2> squares{}, count{}, worst{};
    void add(const Picture& a, const Picture& b) {
        for (size_t p = 0; p < 3; ++p)
            for (size_t i = 0; i < a[p].values.size(); ++i) {
                const double d = std::abs(a[p].values[i] - b[p].values[i]);
                squares[p > 0] += d * d;
                count[p > 0] += 1;
                worst[p > 0] = std::max(worst[p > 0], d);
            }
    }
    static double psnr(double sum, double n) {
        return sum > 0 ? 10 * std::log10(255.0 * 255.0 * n / sum) : 200;
    }
    std::string json() const {
        char text[200];
        std::snprintf(text, sizeof text,
                      R"({"luma_db": %.2f, "chroma_db": %.2f, "all_db": %.2f, "worst": [%g, %g]})",
                      psnr(squares[0], count[0]), psnr(squares[1], count[1]),
                      psnr(squares[0] + squares[1], count[0] + count[1]), worst[0], worst[1]);
        return text;
    }
};

} // namespace

int main(int count, char** words) {
    if (count != 8) {
        std::cerr
            << "usage: bench_picture FRAMES CLIP0.raw CLIP1.raw CLIP2.raw CLIP3.raw WEFT.raw FFMPEG.raw\n";
        return 2;
    }
    std::vector<std::ifstream> files;
    for (int i = 2; i < count; ++i)
        files.emplace_back(words[i], std::ios::binary);
    Picture source = blank(), canvas = blank(), weft = blank(), ffmpeg = blank();
    Distance ours, theirs, between;
    for (int frame = 0; frame < std::atoi(words[1]); ++frame) {
        for (int tile = 0; tile < 4; ++tile) {
            if (!read(files[static_cast<size_t>(tile)], source)) {
                std::cerr << words[2 + tile] << " ends at picture " << frame << "\n";
                return 1;
            }
            place_tile(source, tile, canvas);
        }
        if (!read(files[4], weft) || !read(files[5], ffmpeg)) {
            std::cerr << "a canvas file ends at picture " << frame << "\n";
            return 1;
        }
        ours.add(weft, canvas);
        theirs.add(ffmpeg, canvas);
        between.add(weft, ffmpeg);
    }
    std::cout << R"({"weft": )" << ours.json() << R"(, "ffmpeg": )" << theirs.json() << R"(, "between": )"
              << between.json() << "}\n";
    return 0;
}
