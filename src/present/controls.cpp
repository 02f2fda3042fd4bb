#include "present/controls.hpp"

#include <array>
#include <string_view>

#include <SDL.h>

namespace weft::present {
namespace {

constexpr double speed_step = 1.1;
constexpr double volume_step = 2;

struct TextKey {
    std::string_view text;
    Command command;
    double amount;
};
constexpr std::array text_keys{
    TextKey{".", Command::step, 1},
    TextKey{",", Command::step, -1},
    TextKey{"[", Command::speed, 1 / speed_step},
    TextKey{"]", Command::speed, speed_step},
    TextKey{"{", Command::speed, 0.5},
    TextKey{"}", Command::speed, 2},
    TextKey{"9", Command::volume, -volume_step},
    TextKey{"/", Command::volume, -volume_step},
    TextKey{"0", Command::volume, volume_step},
    TextKey{"*", Command::volume, volume_step},
};

std::optional<Action> from_text(std::string_view text) {
    for (const TextKey& key : text_keys)
        if (key.text == text) return Action{key.command, key.amount, {}};
    if (text.size() == 1 && text[0] >= '1' && text[0] <= '8')
        return Action{Command::reserved, static_cast<double>(text[0] - '0'), {}};
    return std::nullopt;
}

// The key as a Latin letter: on layouts of another script, the letter that sits there on a US keyboard.
SDL_Keycode latin(const SDL_Keysym& key) {
    const bool other_script = key.sym > 0x7f && (key.sym & SDLK_SCANCODE_MASK) == 0;
    if (!other_script) return key.sym;
    if (key.scancode >= SDL_SCANCODE_A && key.scancode <= SDL_SCANCODE_Z)
        return SDLK_a + (key.scancode - SDL_SCANCODE_A);
    return key.sym;
}

std::optional<Action> seek_key(SDL_Keycode key, bool shift) {
    switch (key) {
    case SDLK_LEFT:
        return Action{Command::seek, 0, shift ? -1 : -5};
    case SDLK_RIGHT:
        return Action{Command::seek, 0, shift ? 1 : 5};
    case SDLK_UP:
        return Action{Command::seek, 0, shift ? 5 : 60};
    case SDLK_DOWN:
        return Action{Command::seek, 0, shift ? -5 : -60};
    default:
        return std::nullopt;
    }
}

std::optional<Action> once_key(SDL_Keycode key, bool shift) {
    switch (key) {
    case SDLK_q:
    case SDLK_ESCAPE:
        return Action{Command::quit, 0, {}};
    case SDLK_SPACE:
    case SDLK_p:
        return Action{Command::pause, 0, {}};
    case SDLK_f:
        return Action{Command::fullscreen, 0, {}};
    case SDLK_m:
        return Action{Command::mute, 0, {}};
    case SDLK_s:
        return Action{shift ? Command::window_shot : Command::screenshot, 0, {}};
    case SDLK_l:
        return Action{shift ? Command::loop_file : Command::loop_points, 0, {}};
    case SDLK_o:
    case SDLK_i:
        return Action{Command::stats, 0, {}};
    case SDLK_BACKSPACE:
        return Action{Command::speed_reset, 0, {}};
    default:
        return std::nullopt;
    }
}

std::optional<Action> from_key(const SDL_KeyboardEvent& event) {
    const unsigned modifiers = event.keysym.mod;
    // Combinations with Ctrl, Alt or the window manager's key mean something else to the desktop.
    if ((modifiers & (KMOD_CTRL | KMOD_LALT | KMOD_GUI)) != 0) return std::nullopt;
    const bool shift = (modifiers & KMOD_SHIFT) != 0;
    const SDL_Keycode key = latin(event.keysym);
    if (auto action = seek_key(key, shift)) return action;
    if (event.repeat != 0) return std::nullopt;
    return once_key(key, shift);
}

} // namespace

std::optional<Action> action_for(const SDL_Event& event) {
    switch (event.type) {
    case SDL_QUIT:
        return Action{Command::quit, 0, {}};
    case SDL_WINDOWEVENT:
        if (event.window.event == SDL_WINDOWEVENT_CLOSE) return Action{Command::quit, 0, {}};
        return std::nullopt;
    case SDL_KEYDOWN:
        return from_key(event.key);
    case SDL_TEXTINPUT:
        return from_text(static_cast<const char*>(event.text.text));
    case SDL_MOUSEBUTTONDOWN:
        if (event.button.button == SDL_BUTTON_LEFT && event.button.clicks == 2)
            return Action{Command::fullscreen, 0, {}};
        if (event.button.button == SDL_BUTTON_RIGHT) return Action{Command::pause, 0, {}};
        return std::nullopt;
    case SDL_MOUSEWHEEL:
        if (event.wheel.y == 0) return std::nullopt;
        return Action{Command::volume, event.wheel.y > 0 ? volume_step : -volume_step, {}};
    default:
        return std::nullopt;
    }
}

std::string key_help() {
    return "  q, ESC           quit\n"
           "  SPACE, p         pause\n"
           "  f, double click  full screen\n"
           "  LEFT, RIGHT      5 s back, forward; with Shift 1 s\n"
           "  DOWN, UP         60 s back, forward; with Shift 5 s\n"
           "  . ,              one picture on, back\n"
           "  [ ] { }          speed divided, multiplied by 1.1; halved, doubled\n"
           "  BACKSPACE        normal speed\n"
           "  9 0 / *, wheel   volume down, up\n"
           "  m                mute\n"
           "  l                loop from here, to here, no more\n"
           "  L                loop the whole\n"
           "  s, S             screenshot of the picture, of the window\n"
           "  i, o             statistics\n";
}

} // namespace weft::present
