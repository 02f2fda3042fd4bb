#include "present/painter.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "base/error.hpp"
#include "base/format.hpp"
#include "present/gl_private.hpp"

namespace weft::present {
namespace {

// The viewport is the picture's rectangle, so the quad always fills it. Row 0 of the texture is the top.
constexpr const char* vertex_text = R"(#version 330 core
out vec2 at;
void main() {
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
    at = vec2(corner.x, 1.0 - corner.y);
    gl_Position = vec4(corner * 2.0 - 1.0, 0.0, 1.0);
}
)";

// A bilinear tap averages two texels each way, so n x n taps spread over the footprint of a pixel average the
// 2n x 2n texels below it.
constexpr const char* fragment_text = R"(#version 330 core
in vec2 at;
out vec4 colour;
uniform sampler2D picture;
uniform vec2 footprint; // of one pixel, in texture coordinates
uniform int taps_x;
uniform int taps_y;
void main() {
    vec3 sum = vec3(0.0);
    for (int y = 0; y < taps_y; ++y)
        for (int x = 0; x < taps_x; ++x) {
            vec2 part = (vec2(x, y) + 0.5) / vec2(taps_x, taps_y) - 0.5;
            sum += texture(picture, at + part * footprint).rgb;
        }
    colour = vec4(sum / float(taps_x * taps_y), 1.0);
}
)";

constexpr int most_taps = 8;

int taps(int texels, int pixels) {
    return std::clamp((texels + 2 * pixels - 1) / (2 * pixels), 1, most_taps);
}

void flip_rows(std::vector<uint8_t>& pixels, size_t row_bytes) {
    const size_t rows = pixels.size() / row_bytes;
    for (size_t y = 0; y < rows / 2; ++y) {
        const auto top = pixels.begin() + static_cast<ptrdiff_t>(y * row_bytes);
        const auto bottom = pixels.begin() + static_cast<ptrdiff_t>((rows - 1 - y) * row_bytes);
        std::swap_ranges(top, top + static_cast<ptrdiff_t>(row_bytes), bottom);
    }
}

} // namespace

struct Painter::Impl {
    const Gl& gl;
    GlProgram program;
    GlVertexArray no_vertices; // a core context draws nothing without one
    GlTexture texture;
    std::array<GlBuffer, 3> staging; // the driver may still read the last two
    size_t next_staging = 0;
    GLint footprint = -1, taps_x = -1, taps_y = -1;
    int width = 0, height = 0;

    explicit Impl(const Gl& functions) : gl(functions) {
        program = make_program(gl, vertex_text, fragment_text);
        no_vertices = make_vertex_array(gl);
        texture = make_texture(gl);
        for (GlBuffer& buffer : staging)
            buffer = make_buffer(gl);
        footprint = gl.GetUniformLocation(program.get(), "footprint");
        taps_x = gl.GetUniformLocation(program.get(), "taps_x");
        taps_y = gl.GetUniformLocation(program.get(), "taps_y");
    }

    void resize(int new_width, int new_height) {
        GLint limit = 0;
        gl.GetIntegerv(GL_MAX_TEXTURE_SIZE, &limit);
        if (new_width > limit || new_height > limit)
            throw Error(
                ErrorKind::device,
                fmt::format("a picture of {}x{} does not fit a texture, allowed are {}x{}; make the canvas "
                            "smaller with --size",
                            new_width, new_height, limit, limit));
        gl.TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, new_width, new_height, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                      nullptr);
        gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
        gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
        gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
        width = new_width;
        height = new_height;
    }

    void send(const void* source, int row_pixels) const {
        gl.PixelStorei(GL_UNPACK_ALIGNMENT, 4);
        gl.PixelStorei(GL_UNPACK_ROW_LENGTH, row_pixels);
        gl.TexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, source);
        gl.PixelStorei(GL_UNPACK_ROW_LENGTH, 0);
    }

    void send_staged(const PictureView& picture) {
        const size_t row_bytes = size_t{4} * static_cast<size_t>(width);
        const size_t bytes = row_bytes * static_cast<size_t>(height);
        gl.BindBuffer(GL_PIXEL_UNPACK_BUFFER, staging[next_staging].get());
        next_staging = (next_staging + 1) % staging.size();
        gl.BufferData(GL_PIXEL_UNPACK_BUFFER, static_cast<GLsizeiptr>(bytes), nullptr, GL_STREAM_DRAW);
        auto* to =
            static_cast<uint8_t*>(gl.MapBufferRange(GL_PIXEL_UNPACK_BUFFER, 0, static_cast<GLsizeiptr>(bytes),
                                                    GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_BUFFER_BIT));
        bool kept = false;
        if (to != nullptr) {
            for (int y = 0; y < height; ++y)
                std::memcpy(to + row_bytes * static_cast<size_t>(y),
                            picture.pixels + ptrdiff_t{picture.pitch} * y, row_bytes);
            kept = gl.UnmapBuffer(GL_PIXEL_UNPACK_BUFFER) == GL_TRUE;
        }
        if (kept) send(nullptr, width);
        gl.BindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
        // The buffer could not be had, or its contents were lost to a mode switch: the plain way always
        // works.
        if (!kept) send(picture.pixels, picture.pitch / 4);
    }
};

Painter::Painter(Window& window) : impl_(std::make_unique<Impl>(window.gl())) {}
Painter::~Painter() = default;

void Painter::upload(const PictureView& picture, InteropPath path) {
    WEFT_CHECK(picture.pixels != nullptr && picture.width > 0 && picture.height > 0);
    WEFT_CHECK(picture.pitch % 4 == 0 && picture.pitch >= 4 * picture.width);
    Impl& my = *impl_;
    my.gl.ActiveTexture(GL_TEXTURE0);
    my.gl.BindTexture(GL_TEXTURE_2D, my.texture.get());
    if (picture.width != my.width || picture.height != my.height) my.resize(picture.width, picture.height);
    switch (path) {
    case InteropPath::mapped:
        my.send(picture.pixels, picture.pitch / 4);
        break;
    case InteropPath::readback:
        my.send_staged(picture);
        break;
    }
}

bool Painter::has_picture() const {
    return impl_->width > 0;
}

Rect Painter::draw(PixelSize size) {
    const Impl& my = *impl_;
    const Gl& gl = my.gl;
    gl.Disable(GL_BLEND);
    gl.Disable(GL_SCISSOR_TEST);
    gl.Viewport(0, 0, size.width, size.height);
    gl.ClearColor(0, 0, 0, 1);
    gl.Clear(GL_COLOR_BUFFER_BIT);
    if (!has_picture()) return {};
    const Rect rect = letterbox(my.width, my.height, size.width, size.height);
    gl.Viewport(rect.x, size.height - rect.y - rect.height, rect.width, rect.height);
    gl.UseProgram(my.program.get());
    gl.ActiveTexture(GL_TEXTURE0);
    gl.BindTexture(GL_TEXTURE_2D, my.texture.get());
    const bool same = rect.width == my.width && rect.height == my.height;
    const GLint filter = same ? GL_NEAREST : GL_LINEAR;
    gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, filter);
    gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, filter);
    gl.Uniform2f(my.footprint, 1.0f / static_cast<float>(rect.width), 1.0f / static_cast<float>(rect.height));
    gl.Uniform1i(my.taps_x, taps(my.width, rect.width));
    gl.Uniform1i(my.taps_y, taps(my.height, rect.height));
    gl.BindVertexArray(my.no_vertices.get());
    gl.DrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    return rect;
}

OwnedPicture Painter::read_picture() const {
    const Impl& my = *impl_;
    OwnedPicture picture{{}, my.width, my.height};
    picture.pixels.resize(size_t{4} * static_cast<size_t>(my.width) * static_cast<size_t>(my.height));
    if (!has_picture()) return picture;
    my.gl.BindTexture(GL_TEXTURE_2D, my.texture.get());
    my.gl.PixelStorei(GL_PACK_ALIGNMENT, 4);
    my.gl.GetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, picture.pixels.data());
    return picture;
}

OwnedPicture Painter::read_drawn(PixelSize size) const {
    OwnedPicture picture{{}, size.width, size.height};
    const size_t row_bytes = size_t{4} * static_cast<size_t>(size.width);
    picture.pixels.resize(row_bytes * static_cast<size_t>(size.height));
    impl_->gl.PixelStorei(GL_PACK_ALIGNMENT, 4);
    impl_->gl.ReadPixels(0, 0, size.width, size.height, GL_RGBA, GL_UNSIGNED_BYTE, picture.pixels.data());
    flip_rows(picture.pixels, row_bytes); // GL counts rows from the bottom
    for (size_t i = 3; i < picture.pixels.size(); i += 4)
        picture.pixels[i] = 255;
    return picture;
}

} // namespace weft::present
