#include "present/window.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include <SDL.h>

#include "base/error.hpp"
#include "base/format.hpp"
#include "base/log.hpp"
#include "present/gl_private.hpp"
#include "present/letterbox.hpp"

namespace weft::present {
namespace {

constexpr int first_width = 640, first_height = 360; // until the picture's size is known
// Drivers give a resized window its new pixels at the next swap only: what is drawn before is cut off.
constexpr int stale_rounds = 2;

[[noreturn]] void no_display(const std::string& why) {
    throw Error(
        ErrorKind::device,
        fmt::format(
            "no display: {}. Start weft on a desktop, or set DISPLAY or WAYLAND_DISPLAY; without one, "
            "'weft render ... -o FILE' writes the same pictures to a file",
            why));
}

// SDL's video half, for as long as it is needed.
class Video {
  public:
    Video() {
        SDL_SetHint(SDL_HINT_NO_SIGNAL_HANDLERS, "1"); // signals are the program's own business
        SDL_SetHint(SDL_HINT_VIDEO_X11_NET_WM_BYPASS_COMPOSITOR, "0");
        SDL_SetHint(SDL_HINT_APP_NAME, "weft");
        SDL_SetMainReady();
        const bool named = SDL_getenv("SDL_VIDEODRIVER") != nullptr;
        // Without this folder there is no compositor, and libwayland would complain to stderr by itself.
        if (!named && SDL_getenv("XDG_RUNTIME_DIR") == nullptr)
            SDL_SetHint(SDL_HINT_VIDEODRIVER, "x11,KMSDRM");
        if (SDL_InitSubSystem(SDL_INIT_VIDEO) != 0) {
            const char* const x11 = SDL_getenv("DISPLAY");
            if (x11 != nullptr) no_display(fmt::format("the X server '{}' does not answer", x11));
            if (SDL_getenv("WAYLAND_DISPLAY") == nullptr)
                no_display("neither DISPLAY nor WAYLAND_DISPLAY is set");
            no_display(SDL_GetError());
        }
        // Without a display server SDL falls back to drivers that show nothing: right only for who asked.
        const std::string_view driver = SDL_GetCurrentVideoDriver();
        const bool shows_nothing = driver == "offscreen" || driver == "dummy" || driver == "evdev";
        if (shows_nothing && !named) {
            SDL_QuitSubSystem(SDL_INIT_VIDEO);
            no_display("neither an X server nor a Wayland compositor answers");
        }
    }
    ~Video() { SDL_QuitSubSystem(SDL_INIT_VIDEO); }
    Video(const Video&) = delete;
    Video& operator=(const Video&) = delete;
};

struct DestroyWindow {
    void operator()(SDL_Window* window) const { SDL_DestroyWindow(window); }
};
struct DeleteContext {
    void operator()(void* context) const { SDL_GL_DeleteContext(context); }
};

} // namespace

struct Window::Impl {
    Video video;
    std::unique_ptr<SDL_Window, DestroyWindow> window;
    std::unique_ptr<void, DeleteContext> context;
    Gl gl;
    bool fullscreen = false;
    int stale = stale_rounds;
};

Window::Window(const WindowOptions& options) : impl_(std::make_unique<Impl>()) {
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_MAJOR_VERSION, 3);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_MINOR_VERSION, 3);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_PROFILE_MASK, SDL_GL_CONTEXT_PROFILE_CORE);
    SDL_GL_SetAttribute(SDL_GL_RED_SIZE, 8);
    SDL_GL_SetAttribute(SDL_GL_GREEN_SIZE, 8);
    SDL_GL_SetAttribute(SDL_GL_BLUE_SIZE, 8);
    SDL_GL_SetAttribute(SDL_GL_DEPTH_SIZE, 0);
    SDL_GL_SetAttribute(SDL_GL_DOUBLEBUFFER, 1);
    const unsigned flags =
        SDL_WINDOW_OPENGL | SDL_WINDOW_HIDDEN | SDL_WINDOW_RESIZABLE | SDL_WINDOW_ALLOW_HIGHDPI;
    impl_->window.reset(SDL_CreateWindow(options.title.c_str(), SDL_WINDOWPOS_CENTERED,
                                         SDL_WINDOWPOS_CENTERED, first_width, first_height, flags));
    if (impl_->window == nullptr)
        throw Error(ErrorKind::device, fmt::format("no window with OpenGL: {}", SDL_GetError()));
    impl_->context.reset(SDL_GL_CreateContext(impl_->window.get()));
    if (impl_->context == nullptr)
        throw Error(ErrorKind::device, fmt::format("no OpenGL 3.3 here: {}", SDL_GetError()));
    impl_->gl.load();
    // -1: a late picture is shown at once instead of waiting another round.
    if (!options.vsync)
        SDL_GL_SetSwapInterval(0);
    else if (SDL_GL_SetSwapInterval(-1) != 0 && SDL_GL_SetSwapInterval(1) != 0)
        log("present").info("no vsync: {}", SDL_GetError());
    SDL_StartTextInput(); // see action_for(): digits and punctuation come as text
    if (options.fullscreen) toggle_fullscreen();
}

Window::~Window() = default;

void Window::open(int picture_width, int picture_height) {
    SDL_Window* window = impl_->window.get();
    SDL_Rect space{0, 0, picture_width, picture_height};
    const int display = std::max(0, SDL_GetWindowDisplayIndex(window));
    if (SDL_GetDisplayUsableBounds(display, &space) != 0)
        log("present").debug("usable part of display {}: {}", display, SDL_GetError());
    // Pixels to points: on a HiDPI desktop one pixel of the picture is one pixel of the screen.
    const double per_point = scale();
    const Rect fit = fitted_window(picture_width, picture_height, static_cast<int>(space.w * per_point),
                                   static_cast<int>(space.h * per_point));
    SDL_SetWindowSize(window, std::max(1, static_cast<int>(std::lround(fit.width / per_point))),
                      std::max(1, static_cast<int>(std::lround(fit.height / per_point))));
    SDL_SetWindowPosition(window, SDL_WINDOWPOS_CENTERED_DISPLAY(display),
                          SDL_WINDOWPOS_CENTERED_DISPLAY(display));
    SDL_ShowWindow(window);
    impl_->stale = stale_rounds;
}

std::vector<Action> Window::poll() {
    std::vector<Action> actions;
    SDL_Event event;
    while (SDL_PollEvent(&event) != 0) {
        if (event.type == SDL_WINDOWEVENT) impl_->stale = stale_rounds;
        if (const auto action = action_for(event)) actions.push_back(*action);
    }
    return actions;
}

void Window::wait(Nanoseconds longest) {
    const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(longest).count();
    if (ms > 0) SDL_WaitEventTimeout(nullptr, static_cast<int>(ms));
}

bool Window::take_stale() {
    return std::exchange(impl_->stale, false);
}

void Window::toggle_fullscreen() {
    impl_->fullscreen = !impl_->fullscreen;
    if (SDL_SetWindowFullscreen(impl_->window.get(), impl_->fullscreen ? SDL_WINDOW_FULLSCREEN_DESKTOP : 0) !=
        0)
        log("present").warn("full screen: {}", SDL_GetError());
    SDL_ShowCursor(impl_->fullscreen ? SDL_DISABLE : SDL_ENABLE);
    impl_->stale = stale_rounds;
}

void Window::set_title(const std::string& title) {
    SDL_SetWindowTitle(impl_->window.get(), title.c_str());
}

void Window::keep_awake(bool awake) {
    if (awake)
        SDL_DisableScreenSaver();
    else
        SDL_EnableScreenSaver();
}

void Window::swap() {
    SDL_GL_SwapWindow(impl_->window.get());
}

PixelSize Window::size() const {
    PixelSize size;
    SDL_GL_GetDrawableSize(impl_->window.get(), &size.width, &size.height);
    return {std::max(1, size.width), std::max(1, size.height)};
}

double Window::scale() const {
    int points = 0, height = 0;
    SDL_GetWindowSize(impl_->window.get(), &points, &height);
    return points > 0 ? static_cast<double>(size().width) / points : 1.0;
}

const Gl& Window::gl() const {
    return impl_->gl;
}

std::string Window::renderer() const {
    const GLubyte* text = impl_->gl.GetString(GL_RENDERER);
    return text != nullptr ? reinterpret_cast<const char*>(text) : "unknown";
}

} // namespace weft::present
