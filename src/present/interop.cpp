#include "present/interop.hpp"

#include <array>
#include <cstdint>

#include "base/error.hpp"
#include "base/log.hpp"
#include "present/gl_private.hpp"
#include "present/painter.hpp"

namespace weft::present {
namespace {

// Odd sizes and a gap after each row, so that a wrong pitch or alignment shows.
constexpr int test_width = 67, test_height = 37, test_pitch = 4 * 80;

std::vector<uint8_t> pattern(uint32_t seed) {
    std::vector<uint8_t> bytes(size_t{test_pitch} * test_height);
    for (uint8_t& byte : bytes) {
        seed = seed * 1664525u + 1013904223u;
        byte = static_cast<uint8_t>(seed >> 24);
    }
    return bytes;
}

bool equal_colours(const OwnedPicture& drawn, const std::vector<uint8_t>& sent) {
    for (size_t y = 0; y < test_height; ++y)
        for (size_t x = 0; x < test_width; ++x)
            for (size_t c = 0; c < 3; ++c)
                if (drawn.pixels[4 * (y * test_width + x) + c] != sent[y * test_pitch + 4 * x + c])
                    return false;
    return true;
}

// Draws into a texture of its own: the window may be hidden, and then its pixels are nobody's.
bool carries_pattern(Window& window, Painter& painter, InteropPath path) {
    const Gl& gl = window.gl();
    const GlTexture target = make_texture(gl);
    gl.BindTexture(GL_TEXTURE_2D, target.get());
    gl.TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, test_width, test_height, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    const GlFramebuffer frame = make_framebuffer(gl);
    gl.BindFramebuffer(GL_FRAMEBUFFER, frame.get());
    gl.FramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, target.get(), 0);
    bool good = gl.CheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
    // More rounds than staging buffers: each must bring its own pattern.
    for (uint32_t seed = 1; good && seed <= 4; ++seed) {
        const std::vector<uint8_t> bytes = pattern(seed);
        painter.upload({bytes.data(), test_pitch, test_width, test_height}, path);
        painter.draw({test_width, test_height});
        good = equal_colours(painter.read_drawn({test_width, test_height}), bytes);
    }
    gl.BindFramebuffer(GL_FRAMEBUFFER, 0);
    return good && gl.GetError() == GL_NO_ERROR;
}

} // namespace

std::string name(InteropPath path) {
    switch (path) {
    case InteropPath::mapped:
        return "mapped";
    case InteropPath::readback:
        return "readback";
    }
    return "unknown";
}

std::vector<InteropPath> working_paths(Window& window) {
    // One of its own: the pattern must never be seen.
    Painter painter(window);
    std::vector<InteropPath> working;
    for (const InteropPath path : {InteropPath::mapped, InteropPath::readback}) {
        if (carries_pattern(window, painter, path))
            working.push_back(path);
        else
            log("present").warn("display path {} fails its test on {}", name(path), window.renderer());
    }
    if (working.empty())
        throw Error(ErrorKind::device, "OpenGL on " + window.renderer() + " does not show what it is given");
    return working;
}

InteropPath choose_path(const std::vector<InteropPath>& working, bool shares_host_memory) {
    WEFT_CHECK(!working.empty());
    for (const InteropPath path : working)
        if (path != InteropPath::mapped || shares_host_memory) return path;
    // Only `mapped` passed its test; without shared memory it is a plain upload, right if not quick.
    return working.front();
}

DisplayInfo probe_display() {
    Window window;
    return {window.renderer(), working_paths(window)};
}

} // namespace weft::present
