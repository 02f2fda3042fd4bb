// The OpenGL functions that present uses, found at run time so that nothing links libGL; and owners for GL
// names.
#pragma once

// Declared but never linked: only the types of the prototypes are used.
#define GL_GLEXT_PROTOTYPES
#include <SDL_opengl.h>

#include <utility>

namespace weft::present {

// OpenGL 3.3 core, of the context that was current at load(). Members are named like the functions.
struct Gl {
    decltype(&::glGetString) GetString = nullptr;
    decltype(&::glGetIntegerv) GetIntegerv = nullptr;
    decltype(&::glGetError) GetError = nullptr;
    decltype(&::glPixelStorei) PixelStorei = nullptr;
    decltype(&::glGenTextures) GenTextures = nullptr;
    decltype(&::glDeleteTextures) DeleteTextures = nullptr;
    decltype(&::glBindTexture) BindTexture = nullptr;
    decltype(&::glActiveTexture) ActiveTexture = nullptr;
    decltype(&::glTexImage2D) TexImage2D = nullptr;
    decltype(&::glTexSubImage2D) TexSubImage2D = nullptr;
    decltype(&::glTexParameteri) TexParameteri = nullptr;
    decltype(&::glGetTexImage) GetTexImage = nullptr;
    decltype(&::glGenBuffers) GenBuffers = nullptr;
    decltype(&::glDeleteBuffers) DeleteBuffers = nullptr;
    decltype(&::glBindBuffer) BindBuffer = nullptr;
    decltype(&::glBufferData) BufferData = nullptr;
    decltype(&::glMapBufferRange) MapBufferRange = nullptr;
    decltype(&::glUnmapBuffer) UnmapBuffer = nullptr;
    decltype(&::glGenFramebuffers) GenFramebuffers = nullptr;
    decltype(&::glDeleteFramebuffers) DeleteFramebuffers = nullptr;
    decltype(&::glBindFramebuffer) BindFramebuffer = nullptr;
    decltype(&::glFramebufferTexture2D) FramebufferTexture2D = nullptr;
    decltype(&::glCheckFramebufferStatus) CheckFramebufferStatus = nullptr;
    decltype(&::glGenVertexArrays) GenVertexArrays = nullptr;
    decltype(&::glDeleteVertexArrays) DeleteVertexArrays = nullptr;
    decltype(&::glBindVertexArray) BindVertexArray = nullptr;
    decltype(&::glCreateShader) CreateShader = nullptr;
    decltype(&::glShaderSource) ShaderSource = nullptr;
    decltype(&::glCompileShader) CompileShader = nullptr;
    decltype(&::glGetShaderiv) GetShaderiv = nullptr;
    decltype(&::glGetShaderInfoLog) GetShaderInfoLog = nullptr;
    decltype(&::glDeleteShader) DeleteShader = nullptr;
    decltype(&::glCreateProgram) CreateProgram = nullptr;
    decltype(&::glAttachShader) AttachShader = nullptr;
    decltype(&::glLinkProgram) LinkProgram = nullptr;
    decltype(&::glGetProgramiv) GetProgramiv = nullptr;
    decltype(&::glDeleteProgram) DeleteProgram = nullptr;
    decltype(&::glUseProgram) UseProgram = nullptr;
    decltype(&::glGetUniformLocation) GetUniformLocation = nullptr;
    decltype(&::glUniform1i) Uniform1i = nullptr;
    decltype(&::glUniform2f) Uniform2f = nullptr;
    decltype(&::glDisable) Disable = nullptr;
    decltype(&::glViewport) Viewport = nullptr;
    decltype(&::glClearColor) ClearColor = nullptr;
    decltype(&::glClear) Clear = nullptr;
    decltype(&::glDrawArrays) DrawArrays = nullptr;
    decltype(&::glReadPixels) ReadPixels = nullptr;

    // Errors : device naming a function that the driver lacks.
    void load();
};

// One GL name, deleted with its owner. `gl` must outlive it and its context be current then.
template<void Delete(const Gl&, GLuint)>
class GlName {
  public:
    GlName() = default;
    GlName(const Gl& gl, GLuint name) : gl_(&gl), name_(name) {}
    GlName(GlName&& other) noexcept : gl_(other.gl_), name_(std::exchange(other.name_, 0)) {}
    GlName& operator=(GlName&& other) noexcept {
        std::swap(gl_, other.gl_);
        std::swap(name_, other.name_);
        return *this;
    }
    ~GlName() {
        if (name_ != 0) Delete(*gl_, name_);
    }
    GLuint get() const { return name_; }

  private:
    const Gl* gl_ = nullptr;
    GLuint name_ = 0;
};

inline void delete_texture(const Gl& gl, GLuint name) {
    gl.DeleteTextures(1, &name);
}
inline void delete_buffer(const Gl& gl, GLuint name) {
    gl.DeleteBuffers(1, &name);
}
inline void delete_framebuffer(const Gl& gl, GLuint name) {
    gl.DeleteFramebuffers(1, &name);
}
inline void delete_vertex_array(const Gl& gl, GLuint name) {
    gl.DeleteVertexArrays(1, &name);
}
inline void delete_shader(const Gl& gl, GLuint name) {
    gl.DeleteShader(name);
}
inline void delete_program(const Gl& gl, GLuint name) {
    gl.DeleteProgram(name);
}

using GlTexture = GlName<delete_texture>;
using GlBuffer = GlName<delete_buffer>;
using GlFramebuffer = GlName<delete_framebuffer>;
using GlVertexArray = GlName<delete_vertex_array>;
using GlShader = GlName<delete_shader>;
using GlProgram = GlName<delete_program>;

GlTexture make_texture(const Gl& gl);
GlBuffer make_buffer(const Gl& gl);
GlFramebuffer make_framebuffer(const Gl& gl);
GlVertexArray make_vertex_array(const Gl& gl);
// Errors : internal with the compiler's log.
GlProgram make_program(const Gl& gl, const char* vertex_text, const char* fragment_text);

} // namespace weft::present
