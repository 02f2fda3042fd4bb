#include "app/interrupt.hpp"

#include <atomic>

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
}

Interrupt::~Interrupt() {
    sigaction(SIGINT, &old_int_, nullptr);
    sigaction(SIGTERM, &old_term_, nullptr);
    controlled = nullptr;
}

int Interrupt::exit_status() const {
    return came == 0 ? 0 : 128 + came.load();
}

} // namespace weft::app
