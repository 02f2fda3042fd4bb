#include "base/error.hpp"
#include "base/format.hpp"
#include "present/gl_private.hpp"

#include <string>

#include <SDL.h>

namespace weft::present {
namespace {

template<class Function>
void find(Function& function, const char* name) {
    void* address = SDL_GL_GetProcAddress(name);
    if (address == nullptr)
        throw Error(ErrorKind::device,
                    fmt::format("the OpenGL driver lacks {}; weft needs OpenGL 3.3", name));
    function = reinterpret_cast<Function>(address);
}

GlShader compile(const Gl& gl, GLenum kind, const char* text) {
    GlShader shader(gl, gl.CreateShader(kind));
    gl.ShaderSource(shader.get(), 1, &text, nullptr);
    gl.CompileShader(shader.get());
    GLint good = 0;
    gl.GetShaderiv(shader.get(), GL_COMPILE_STATUS, &good);
    if (good == GL_TRUE) return shader;
    std::string complaint(1000, ' ');
    GLsizei length = 0;
    gl.GetShaderInfoLog(shader.get(), static_cast<GLsizei>(complaint.size()), &length, complaint.data());
    complaint.resize(static_cast<size_t>(length));
    throw Error(ErrorKind::internal, fmt::format("a shader does not compile: {}", complaint));
}

} // namespace

void Gl::load() {
    find(GetString, "glGetString");
    find(GetIntegerv, "glGetIntegerv");
    find(GetError, "glGetError");
    find(PixelStorei, "glPixelStorei");
    find(GenTextures, "glGenTextures");
    find(DeleteTextures, "glDeleteTextures");
    find(BindTexture, "glBindTexture");
    find(ActiveTexture, "glActiveTexture");
    find(TexImage2D, "glTexImage2D");
    find(TexSubImage2D, "glTexSubImage2D");
    find(TexParameteri, "glTexParameteri");
    find(GetTexImage, "glGetTexImage");
    find(GenBuffers, "glGenBuffers");
    find(DeleteBuffers, "glDeleteBuffers");
    find(BindBuffer, "glBindBuffer");
    find(BufferData, "glBufferData");
    find(MapBufferRange, "glMapBufferRange");
    find(UnmapBuffer, "glUnmapBuffer");
    find(GenFramebuffers, "glGenFramebuffers");
    find(DeleteFramebuffers, "glDeleteFramebuffers");
    find(BindFramebuffer, "glBindFramebuffer");
    find(FramebufferTexture2D, "glFramebufferTexture2D");
    find(CheckFramebufferStatus, "glCheckFramebufferStatus");
    find(GenVertexArrays, "glGenVertexArrays");
    find(DeleteVertexArrays, "glDeleteVertexArrays");
    find(BindVertexArray, "glBindVertexArray");
    find(CreateShader, "glCreateShader");
    find(ShaderSource, "glShaderSource");
    find(CompileShader, "glCompileShader");
    find(GetShaderiv, "glGetShaderiv");
    find(GetShaderInfoLog, "glGetShaderInfoLog");
    find(DeleteShader, "glDeleteShader");
    find(CreateProgram, "glCreateProgram");
    find(AttachShader, "glAttachShader");
    find(LinkProgram, "glLinkProgram");
    find(GetProgramiv, "glGetProgramiv");
    find(DeleteProgram, "glDeleteProgram");
    find(UseProgram, "glUseProgram");
    find(GetUniformLocation, "glGetUniformLocation");
    find(Uniform1i, "glUniform1i");
    find(Uniform2f, "glUniform2f");
    find(Disable, "glDisable");
    find(Viewport, "glViewport");
    find(ClearColor, "glClearColor");
    find(Clear, "glClear");
    find(DrawArrays, "glDrawArrays");
    find(ReadPixels, "glReadPixels");
}

GlTexture make_texture(const Gl& gl) {
    GLuint name = 0;
    gl.GenTextures(1, &name);
    return {gl, name};
}

GlBuffer make_buffer(const Gl& gl) {
    GLuint name = 0;
    gl.GenBuffers(1, &name);
    return {gl, name};
}

GlFramebuffer make_framebuffer(const Gl& gl) {
    GLuint name = 0;
    gl.GenFramebuffers(1, &name);
    return {gl, name};
}

GlVertexArray make_vertex_array(const Gl& gl) {
    GLuint name = 0;
    gl.GenVertexArrays(1, &name);
    return {gl, name};
}

GlProgram make_program(const Gl& gl, const char* vertex_text, const char* fragment_text) {
    const GlShader vertex = compile(gl, GL_VERTEX_SHADER, vertex_text);
    const GlShader fragment = compile(gl, GL_FRAGMENT_SHADER, fragment_text);
    GlProgram program(gl, gl.CreateProgram());
    gl.AttachShader(program.get(), vertex.get());
    gl.AttachShader(program.get(), fragment.get());
    gl.LinkProgram(program.get());
    GLint good = 0;
    gl.GetProgramiv(program.get(), GL_LINK_STATUS, &good);
    if (good != GL_TRUE) throw Error(ErrorKind::internal, "a shader program does not link");
    return program;
}

} // namespace weft::present
