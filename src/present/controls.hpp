// Keys and mouse: which event asks for what. mpv's default keys.
#pragma once

#include <optional>
#include <string>

#include "base/rational.hpp"

union SDL_Event;

namespace weft::present {

enum class Command {
    quit,
    pause,       // toggles
    seek,        // by `seconds`
    step,        // by `amount` pictures, and pause
    speed,       // multiply by `amount`
    speed_reset, //
    mute,        // toggles
    volume,      // by `amount` percent
    fullscreen,  // toggles
    screenshot,  // of the picture as composed
    window_shot, // of the window as shown, overlay included
    loop_points, // set A, set B, clear
    loop_file,   // toggles
    stats,       // toggles the overlay
    reserved,    // keys 1 to 8, `amount` is the digit: for live parameters
};

struct Action {
    Command command = Command::quit;
    double amount = 0;
    Rational seconds;
    friend bool operator==(const Action&, const Action&) = default;
};

// What an event asks for; nullopt for all others. A pure function. Letters and named keys come as key presses
// (toggles ignore the repeats of a held key), digits and punctuation as text, so that they are found wherever
// the keyboard layout has them.
std::optional<Action> action_for(const SDL_Event& event);

// One line per key, for `weft play --help`.
std::string key_help();

} // namespace weft::present
