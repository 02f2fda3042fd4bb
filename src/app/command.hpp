// What the commands share: how one is added to the command line, and the options that all of them take.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "base/data_dirs.hpp"
#include "graph/filter_library.hpp"

namespace weft::app {

// Options that every command takes, before or after its name.
struct Common {
    std::string assets;                      // "" = by DataDirs' rule
    std::vector<std::string> filter_folders; // --filters, in the order given
    std::string log_level = "warn";
};

// Filled in while the command line is parsed. `run` is the chosen command, ready to go; it returns the exit
// status.
struct Session {
    Common common;
    std::function<int()> run;
};

// Each adds one command to the program. `session` outlives the program's parser.
void add_render(CLI::App& program, Session& session);
void add_play(CLI::App& program, Session& session);
void add_profile(CLI::App& program, Session& session);
void add_bench(CLI::App& program, Session& session);
void add_tune(CLI::App& program, Session& session);
void add_check(CLI::App& program, Session& session);
void add_probe(CLI::App& program, Session& session);
void add_devices(CLI::App& program, Session& session);
void add_filters(CLI::App& program, Session& session);
void add_transitions(CLI::App& program, Session& session);

// The options of `Common` on one command (or on the program itself).
void add_common_options(CLI::App& command, Common& common);

// All filters: the built-in folder, then the user's, then each --filters; a later one wins.
// Errors : not_found naming a --filters folder that is not there; Errors of broken manifests.
graph::FilterLibrary load_library(const Common& common);

// Puts `text` on stdout and flushes. Errors : resource when it cannot be written (a full disk).
void print(const std::string& text);

} // namespace weft::app
