#include "app/app.hpp"

#include <csignal>
#include <cstdio>
#include <cstring>
#include <iostream>

#include <fcntl.h>
#include <unistd.h>

#include "app/command.hpp"
#include "app/help.hpp"
#include "app/manual.hpp"
#include "app/parsing.hpp"
#include "app/version.hpp"
#include "base/error.hpp"
#include "base/log.hpp"

namespace weft::app {
namespace {

const char* const program_footer = R"(Examples:
  weft play left.mp4 right.mp4 --layout hstack
  weft render a.mp4 b.mp4 --transition wipeleft:1s -o show.mp4
  weft render wall.yaml -o wall.mkv
  weft profile wall.yaml --html report.html
  weft filters eq

weft COMMAND --help tells more. Exit status: 0 complete, 1 finished with losses,
2 refused or failed, 130 interrupted (what was written is finished and playable).)";

void print_error(const Error& error) {
    std::cerr << "error: " << describe(error) << '\n';
}

// The one place where a failure becomes text and an exit status.
int report_failure(const std::exception& failure) {
    std::cout.flush();
    if (const auto* many = dynamic_cast<const Errors*>(&failure)) {
        for (const Error& error : told_once(many->all()))
            print_error(error);
    } else {
        std::cerr << "error: " << describe(failure) << '\n';
    }
    return exit_status(failure);
}

std::unique_ptr<CLI::App> make_program(Session& session) {
    auto program = std::make_unique<CLI::App>(
        "Weaves several video streams into one picture on any OpenCL device.", "weft");
    program->footer(program_footer);
    program->formatter(help_formatter()); // inherited by the commands
    program->set_help_flag("-h,--help", "Print this help");
    program->set_version_flag(
        "-V,--version", [] { return version_text(); }, "Print the version");
    add_common_options(*program, session.common);
    add_render(*program, session);
    add_play(*program, session);
    add_profile(*program, session);
    add_bench(*program, session);
    add_tune(*program, session);
    add_check(*program, session);
    add_probe(*program, session);
    add_devices(*program, session);
    add_filters(*program, session);
    add_transitions(*program, session);
    // Unknown words are collected instead of refused at once, so that each gets a suggestion.
    program->allow_extras();
    program->require_subcommand(0, 1); // a later word that happens to be a command's name is a file
    for (CLI::App* command : program->get_subcommands({}))
        command->allow_extras();
    return program;
}

// A program that was started without standard streams would get files of its own under their numbers, and
// then write its messages into a video. What takes their place can be neither read nor written.
void occupy_standard_streams() {
    for (const int handle : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        if (fcntl(handle, F_GETFD) < 0)
            static_cast<void>(open("/dev/null", handle == STDIN_FILENO ? O_WRONLY : O_RDONLY));
}

int run_program(const std::vector<std::string>& words) {
    Session session;
    const auto program = make_program(session);
    const std::string first = words.empty() ? "" : words.front();
    // Handled before parsing: --version must not pay for anything else, the other two need the whole parser.
    if (first == "--completion" || first == "--man") {
        print(manual(*program, words));
        return 0;
    }
    if (!parse(*program, words)) return 0;
    set_log_level(spdlog::level::from_str(session.common.log_level));
    return session.run();
}

} // namespace

int main(int argc, char** argv) {
    try {
        occupy_standard_streams();
        std::vector<std::string> words(argv + 1, argv + argc);
        if (words.empty()) words = {"--help"};
        if (words.front() == "--version" || words.front() == "-V") {
            print(version_text());
            return 0;
        }
        if (words.front() == "help") {
            words.erase(words.begin());
            words.emplace_back("--help");
        }
        return run_program(words);
    } catch (const std::exception& failure) {
        return report_failure(failure);
    }
}

void print(const std::string& text) {
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
        throw Error(ErrorKind::resource,
                    std::string("standard output cannot be written: ") + std::strerror(errno));
}

} // namespace weft::app
