// The live player: a run of the engine shown in a window, sounded, and steered by keys.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/run.hpp"
#include "present/audio_output.hpp"
#include "present/play_stats.hpp"

namespace weft::present {

struct PlayerOptions {
    std::string title = "weft";
    bool fullscreen = false;
    bool vsync = true;
    bool stats = false;     // the overlay, from the start
    bool paused = false;    // shows the first picture and waits
    bool loop = false;      // from the start again at the end
    bool keep_open = false; // at the end, wait for a key
    double volume = 100;    // percent, 0..130
    bool mute = false;
    bool status_line = true; // on stderr, when that is a terminal
    std::filesystem::path screenshot_folder = ".";
    // Makes the sound of the run, called on a thread of the player's own just before the first picture;
    // nullopt: silent. A failure costs the sound alone.
    std::function<std::optional<SoundSource>()> sound;
};

struct PlayerReport {
    engine::RunReport run; // of the last round, when it looped
    PlayStats stats;       // at the end
    bool quit = false;     // by key or by closing the window
};

// How a live run is made: run_player() binds engine::run(). Called on a thread of the player's own, once a
// round.
using RunFunction = std::function<engine::RunReport(const std::vector<std::unique_ptr<engine::FrameSink>>&,
                                                    const engine::RunOptions&)>;

// Plays until the end, a key or options.control->request_stop(). On the process's main thread.
//   others  : further sinks, fed beside the window in the first round (a recording)
//   options : `live`, `master` and, when it is nullptr, `control` are set here
// Errors : device "no display: ..." before anything starts; whatever makes the first picture impossible.
// Later
//          failures are in the report.
PlayerReport play(const RunFunction& run, std::vector<std::unique_ptr<engine::FrameSink>> others,
                  engine::RunOptions options, const PlayerOptions& player);

PlayerReport run_player(const graph::PipelineSpec& spec, const graph::FilterLibrary& library,
                        const std::string& prelude, std::vector<std::unique_ptr<engine::FrameSink>> others,
                        const engine::RunOptions& options, const PlayerOptions& player);

} // namespace weft::present
