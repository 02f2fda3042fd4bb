// Expected actions are mpv's default key bindings (its manual, "Keyboard Control").
#include "present/controls.hpp"

#include <cmath>
#include <cstring>

#include <SDL.h>
#include <gtest/gtest.h>

namespace weft::present {
namespace {

SDL_Event key(SDL_Keycode sym, unsigned modifiers = KMOD_NONE, bool repeat = false) {
    SDL_Event event{};
    event.type = SDL_KEYDOWN;
    event.key.keysym.sym = sym;
    event.key.keysym.mod = static_cast<Uint16>(modifiers);
    event.key.repeat = repeat ? 1 : 0;
    return event;
}

SDL_Event text(const char* typed) {
    SDL_Event event{};
    event.type = SDL_TEXTINPUT;
    std::strncpy(event.text.text, typed, sizeof event.text.text - 1);
    return event;
}

Command command_of(const SDL_Event& event) {
    const auto action = action_for(event);
    EXPECT_TRUE(action.has_value());
    return action ? action->command : Command::reserved;
}

TEST(Controls, QuitsByKeyOrByClosing) {
    EXPECT_EQ(command_of(key(SDLK_q)), Command::quit);
    EXPECT_EQ(command_of(key(SDLK_ESCAPE)), Command::quit);
    SDL_Event close{};
    close.type = SDL_WINDOWEVENT;
    close.window.event = SDL_WINDOWEVENT_CLOSE;
    EXPECT_EQ(command_of(close), Command::quit);
    SDL_Event quit{};
    quit.type = SDL_QUIT;
    EXPECT_EQ(command_of(quit), Command::quit);
}

TEST(Controls, TogglesByLetters) {
    EXPECT_EQ(command_of(key(SDLK_SPACE)), Command::pause);
    EXPECT_EQ(command_of(key(SDLK_p)), Command::pause);
    EXPECT_EQ(command_of(key(SDLK_f)), Command::fullscreen);
    EXPECT_EQ(command_of(key(SDLK_m)), Command::mute);
    EXPECT_EQ(command_of(key(SDLK_s)), Command::screenshot);
    EXPECT_EQ(command_of(key(SDLK_s, KMOD_LSHIFT)), Command::window_shot);
    EXPECT_EQ(command_of(key(SDLK_l)), Command::loop_points);
    EXPECT_EQ(command_of(key(SDLK_l, KMOD_RSHIFT)), Command::loop_file);
    EXPECT_EQ(command_of(key(SDLK_i)), Command::stats);
    EXPECT_EQ(command_of(key(SDLK_o)), Command::stats);
    EXPECT_EQ(command_of(key(SDLK_BACKSPACE)), Command::speed_reset);
}

TEST(Controls, SeeksByArrows) {
    EXPECT_EQ(action_for(key(SDLK_LEFT)), (Action{Command::seek, 0, -5}));
    EXPECT_EQ(action_for(key(SDLK_RIGHT)), (Action{Command::seek, 0, 5}));
    EXPECT_EQ(action_for(key(SDLK_UP)), (Action{Command::seek, 0, 60}));
    EXPECT_EQ(action_for(key(SDLK_DOWN)), (Action{Command::seek, 0, -60}));
    EXPECT_EQ(action_for(key(SDLK_LEFT, KMOD_LSHIFT)), (Action{Command::seek, 0, -1}));
    EXPECT_EQ(action_for(key(SDLK_RIGHT, KMOD_RSHIFT)), (Action{Command::seek, 0, 1}));
    EXPECT_EQ(action_for(key(SDLK_UP, KMOD_LSHIFT)), (Action{Command::seek, 0, 5}));
    EXPECT_EQ(action_for(key(SDLK_DOWN, KMOD_LSHIFT)), (Action{Command::seek, 0, -5}));
}

TEST(Controls, StepsAndSpeedComeAsText) {
    EXPECT_EQ(action_for(text(".")), (Action{Command::step, 1, {}}));
    EXPECT_EQ(action_for(text(",")), (Action{Command::step, -1, {}}));
    EXPECT_EQ(action_for(text("{")), (Action{Command::speed, 0.5, {}}));
    EXPECT_EQ(action_for(text("}")), (Action{Command::speed, 2, {}}));
    EXPECT_EQ(action_for(text("]"))->amount, 1.1);
    EXPECT_NEAR(action_for(text("["))->amount * 1.1, 1, 1e-12);
    EXPECT_LT(action_for(text("9"))->amount, 0);
    EXPECT_LT(action_for(text("/"))->amount, 0);
    EXPECT_GT(action_for(text("0"))->amount, 0);
    EXPECT_GT(action_for(text("*"))->amount, 0);
    EXPECT_EQ(command_of(text("0")), Command::volume);
    for (int digit = 1; digit <= 8; ++digit)
        EXPECT_EQ(action_for(text(std::to_string(digit).c_str())),
                  (Action{Command::reserved, static_cast<double>(digit), {}}));
}

TEST(Controls, AHeldKeySeeksAgainButTogglesOnce) {
    EXPECT_TRUE(action_for(key(SDLK_RIGHT, KMOD_NONE, true)));
    EXPECT_FALSE(action_for(key(SDLK_SPACE, KMOD_NONE, true)));
    EXPECT_FALSE(action_for(key(SDLK_f, KMOD_NONE, true)));
}

TEST(Controls, LeavesTheDesktopsCombinationsAlone) {
    EXPECT_FALSE(action_for(key(SDLK_q, KMOD_LCTRL)));
    EXPECT_FALSE(action_for(key(SDLK_LEFT, KMOD_LALT)));
    EXPECT_FALSE(action_for(key(SDLK_f, KMOD_LGUI)));
    EXPECT_FALSE(action_for(key(SDLK_x)));
    EXPECT_FALSE(action_for(text("x")));
    EXPECT_FALSE(action_for(text("10")));
    EXPECT_TRUE(action_for(key(SDLK_q, KMOD_NUM | KMOD_CAPS))); // locks change nothing
}

TEST(Controls, FindsLettersOnOtherScripts) {
    SDL_Event cyrillic = key(0x0439); // the key of Q on a Russian keyboard
    cyrillic.key.keysym.scancode = SDL_SCANCODE_Q;
    EXPECT_EQ(command_of(cyrillic), Command::quit);
}

TEST(Controls, MouseDoesTheCommonThings) {
    SDL_Event press{};
    press.type = SDL_MOUSEBUTTONDOWN;
    press.button.button = SDL_BUTTON_LEFT;
    press.button.clicks = 1;
    EXPECT_FALSE(action_for(press));
    press.button.clicks = 2;
    EXPECT_EQ(command_of(press), Command::fullscreen);
    press.button.button = SDL_BUTTON_RIGHT;
    EXPECT_EQ(command_of(press), Command::pause);
    SDL_Event wheel{};
    wheel.type = SDL_MOUSEWHEEL;
    wheel.wheel.y = 1;
    EXPECT_EQ(action_for(wheel), (Action{Command::volume, 2, {}}));
    wheel.wheel.y = -3;
    EXPECT_EQ(action_for(wheel), (Action{Command::volume, -2, {}}));
}

} // namespace
} // namespace weft::present
