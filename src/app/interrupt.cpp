#include "app/interrupt.hpp"

#include <atomic>
#include <cstdio>

#include "base/error.hpp"
#include "base/log.hpp"

namespace weft::app {
namespace {

// A signal handler reaches globals only.
std::atomic<engine::RunControl*> controlled{nullptr};
std::atomic<int> came{0};

extern "C" void stop_politely(int number) {
    came = number;
    if (engine::RunControl* control = controlled.load()) control->request_stop();
}

} // namespace

Interrupt::Interrupt(engine::RunControl& control) {
    controlled = &control;
    came = 0;
    struct sigaction action {};
    action.sa_handler = stop_politely;
    sigemptyset(&action.sa_mask);
    action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART; // the second one has its ordinary effect
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
        std::fputs("interrupted before the first picture, nothing was written\n", stderr);
        return exit_status();
    }
}

} // namespace weft::app
