// An X server of the tests' own where there is no display, and pictures of its screen by another program.
#pragma once

#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <SDL.h>

namespace weft::present::testing {

constexpr int screen_width = 1280, screen_height = 960;

// Xvfb on a free display number, for as long as the test program lives.
class VirtualDisplay {
  public:
    VirtualDisplay() {
        int number[2];
        if (pipe(number) != 0) throw std::runtime_error("pipe");
        const pid_t parent = getpid();
        child_ = fork();
        if (child_ < 0) throw std::runtime_error("fork");
        if (child_ == 0) {
            prctl(PR_SET_PDEATHSIG, SIGTERM);
            if (getppid() != parent) _exit(1);
            close(number[0]);
            const std::string fd = std::to_string(number[1]);
            const std::string screen =
                std::to_string(screen_width) + "x" + std::to_string(screen_height) + "x24";
            execlp("Xvfb", "Xvfb", "-displayfd", fd.c_str(), "-screen", "0", screen.c_str(), "-nolisten",
                   "tcp", static_cast<char*>(nullptr));
            _exit(127);
        }
        close(number[1]);
        std::string digits;
        char c = 0;
        while (read(number[0], &c, 1) == 1 && c != '\n')
            digits += c;
        close(number[0]);
        if (digits.empty()) throw std::runtime_error("Xvfb does not start; is it installed?");
        setenv("DISPLAY", (":" + digits).c_str(), 1);
    }
    ~VirtualDisplay() {
        kill(child_, SIGTERM);
        waitpid(child_, nullptr, 0);
    }
    VirtualDisplay(const VirtualDisplay&) = delete;
    VirtualDisplay& operator=(const VirtualDisplay&) = delete;

  private:
    pid_t child_ = -1;
};

// Call first in every test that opens a window. Uses the display there is, else starts one.
inline void need_display() {
    setenv("LIBGL_ALWAYS_SOFTWARE", "1", 1);
    setenv("SDL_AUDIODRIVER", "dummy", 1);
    if (getenv("DISPLAY") == nullptr) static const VirtualDisplay display;
    // One connection for all tests of a process: Xvfb now and then closes a new client along with the one
    // that has just left.
    static const int connected = SDL_InitSubSystem(SDL_INIT_VIDEO);
    if (connected != 0) throw std::runtime_error(SDL_GetError());
    SDL_FlushEvents(SDL_FIRSTEVENT, SDL_LASTEVENT); // of the test before
}

// What the X server shows at (x, y), as RGBA, grabbed by the ffmpeg program.
inline std::vector<uint8_t> grab_screen(int x, int y, int width, int height) {
    const std::string file = "/tmp/weft-grab-" + std::to_string(getpid()) + ".raw";
    const std::string size = std::to_string(width) + "x" + std::to_string(height);
    const std::string command = "ffmpeg -v error -y -f x11grab -draw_mouse 0 -video_size " + size + " -i " +
                                getenv("DISPLAY") + "+" + std::to_string(x) + "," + std::to_string(y) +
                                " -frames:v 1 -pix_fmt rgba -f rawvideo " + file;
    if (std::system(command.c_str()) != 0) throw std::runtime_error("ffmpeg cannot grab the screen");
    std::ifstream in(file, std::ios::binary);
    std::vector<uint8_t> bytes{std::istreambuf_iterator<char>(in), {}};
    unlink(file.c_str());
    return bytes;
}

} // namespace weft::present::testing
