#include "app/interrupt.hpp"

#include <array>
#include <atomic>
#include <cstdio>
#include <cstring>

#include <unistd.h>

#include "app/progress.hpp"
#include "base/error.hpp"
#include "base/log.hpp"

namespace weft::app {
namespace {

// A signal handler reaches globals only.
std::atomic<engine::RunControl*> controlled{nullptr};
std::atomic<int> came{0};

// Writes `value` in decimal behind `to` and returns the end; nothing of the library may be called here.
char* append_number(char* to, int value) {
    std::array<char, 12> digits{};
    int count = 0;
    do {
        digits[static_cast<size_t>(count++)] = static_cast<char>('0' + value % 10);
        value /= 10;
    } while (value > 0);
    while (count > 0)
        *to++ = digits[static_cast<size_t>(--count)];
    return to;
}

// Removes the unfinished files that this process holds open: ".NAME.weft-PID-N.EXT", as a media::Writer names
// them. Only such calls as a signal handler may make: readlink, strstr, unlink.
void remove_unfinished() {
    constexpr int most_handles = 1024;
    std::array<char, 32> mark{".weft-"};
    *append_number(mark.data() + 6, static_cast<int>(getpid())) = '-';
    for (int handle = 0; handle < most_handles; ++handle) {
        std::array<char, 32> link{"/proc/self/fd/"};
        *append_number(link.data() + 14, handle) = '\0';
        std::array<char, 4096> file{};
        const ssize_t length = readlink(link.data(), file.data(), file.size() - 1);
        if (length <= 0 || file[0] != '/') continue;
        const char* name = file.data();
        for (const char* c = file.data(); *c != '\0'; ++c)
            if (*c == '/') name = c + 1;
        if (*name == '.' && std::strstr(name, mark.data())) unlink(file.data());
    }
}

extern "C" void stop(int number) {
    if (came.exchange(number) != 0) {
        remove_unfinished();
        // With the handler gone the signal has its ordinary effect once this one returns.
        std::signal(number, SIG_DFL);
        raise(number);
        return;
    }
    if (engine::RunControl* control = controlled.load()) control->request_stop();
}

} // namespace

Interrupt::Interrupt(engine::RunControl& control) {
    controlled = &control;
    came = 0;
    struct sigaction action {};
    action.sa_handler = stop;
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_RESTART;
    sigaction(SIGINT, &action, &old_int_);
    sigaction(SIGTERM, &action, &old_term_);
    sigaction(SIGHUP, nullptr, &old_hangup_);
    if (old_hangup_.sa_handler != SIG_IGN) sigaction(SIGHUP, &action, nullptr);
}

Interrupt::~Interrupt() {
    sigaction(SIGINT, &old_int_, nullptr);
    sigaction(SIGTERM, &old_term_, nullptr);
    sigaction(SIGHUP, &old_hangup_, nullptr);
    controlled = nullptr;
}

int Interrupt::exit_status() const {
    return came == 0 ? 0 : 128 + came.load();
}

int Interrupt::guard(const std::function<int()>& work) const {
    try {
        return work();
    } catch (const std::exception& error) {
        if (exit_status() == 0) throw;
        log("app").debug("{}", describe(error));
        if (tells_warnings())
            std::fputs("interrupted before the first picture, nothing was written\n", stderr);
        return exit_status();
    }
}

} // namespace weft::app
