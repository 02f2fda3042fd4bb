#include "app/parsing.hpp"

#include <algorithm>
#include <map>

#include "app/command.hpp"
#include "base/error.hpp"
#include "base/format.hpp"

namespace weft::app {
namespace {

// What FFmpeg calls it -> what to say here.
const std::map<std::string, std::string>& ffmpeg_habits() {
    static const std::map<std::string, std::string> habits = {
        {"-i", "files are given without -i"},
        {"-vf", "use --filter"},
        {"-filter_complex", "use --filter, --layout or a pipeline.yaml"},
        {"-ss", "use --start"},
        {"-t", "use --duration"},
        {"-s", "use --size"},
        {"-r", "use --rate"},
        {"-f", "use --format"},
        {"-an", "use --no-audio"},
        {"-c:v", "use --vcodec"},
        {"-vcodec", "use --vcodec"},
        {"-c:a", "use --acodec"},
        {"-acodec", "use --acodec"},
        {"-b:v", "use --bitrate"},
        {"-b:a", "use --audio-bitrate"},
        {"-pix_fmt", "use --pix-fmt"},
        {"-crf", "use --crf"},
        {"-preset", "use --preset"},
    };
    return habits;
}

std::vector<std::string> option_names(const CLI::App& command) {
    std::vector<std::string> names;
    for (const CLI::Option* option : command.get_options())
        for (const std::string& name : option->get_lnames())
            names.push_back("--" + name);
    return names;
}

Error unknown_option(const CLI::App& command, const std::string& word) {
    const std::string name = word.substr(0, word.find('='));
    std::string hint;
    if (const auto habit = ffmpeg_habits().find(name); habit != ffmpeg_habits().end()) {
        hint = habit->second;
    } else {
        const std::string bare = name.substr(std::min(name.find_first_not_of('-'), name.size()));
        const std::string nearest = nearest_name("--" + bare, option_names(command));
        if (!nearest.empty()) hint = "did you mean " + nearest + "?";
    }
    const std::string help = command.get_parent() ? "weft " + command.get_name() : "weft";
    return Error(ErrorKind::usage, fmt::format("unknown option '{}'{}{} (see {} --help)", name,
                                               hint.empty() ? "" : "; ", hint, help));
}

Error unknown_command(const CLI::App& program, const std::string& word) {
    std::vector<std::string> names;
    std::string all;
    for (const CLI::App* command : program.get_subcommands([](const CLI::App*) { return true; })) {
        names.push_back(command->get_name());
        all += (all.empty() ? "" : ", ") + command->get_name();
    }
    std::string hint = nearest_name(word, names);
    if (!hint.empty())
        hint = "; did you mean " + hint + "?";
    else if (word.find('.') != std::string::npos)
        hint = "; a file is shown by: weft play " + word;
    return Error(ErrorKind::usage, fmt::format("unknown command '{}'{} (commands: {})", word, hint, all));
}

bool looks_like_option(const std::string& word) {
    return word.size() > 1 && word.front() == '-';
}

// Throws Errors when words were left over.
void refuse_leftovers(const CLI::App& program) {
    const std::vector<CLI::App*> chosen = program.get_subcommands();
    std::vector<Error> errors;
    if (chosen.empty()) {
        const std::vector<std::string> rest = program.remaining();
        if (!rest.empty() && looks_like_option(rest.front()))
            errors.push_back(unknown_option(program, rest.front()));
        else if (!rest.empty())
            errors.push_back(unknown_command(program, rest.front()));
        else
            errors.emplace_back(ErrorKind::usage, "no command given (see weft --help)");
    } else {
        for (const std::string& word : program.remaining(true)) {
            if (word == "--") continue;
            if (looks_like_option(word))
                errors.push_back(unknown_option(*chosen.front(), word));
            else if (errors.empty())
                errors.emplace_back(ErrorKind::usage,
                                    fmt::format("weft {}: '{}' is one word too many (see --help)",
                                                chosen.front()->get_name(), word));
        }
    }
    if (!errors.empty()) throw Errors(errors);
}

} // namespace

bool parse(CLI::App& program, const std::vector<std::string>& words) {
    try {
        // CLI11 takes its words last first.
        program.parse(std::vector<std::string>(words.rbegin(), words.rend()));
    } catch (const CLI::CallForHelp&) {
        const std::vector<CLI::App*> chosen = program.get_subcommands();
        print(chosen.empty() ? program.help() : chosen.front()->help("weft"));
        return false;
    } catch (const CLI::CallForVersion& version) {
        print(version.what());
        return false;
    } catch (const CLI::ParseError& e) {
        throw Error(ErrorKind::usage, e.what());
    }
    refuse_leftovers(program);
    return true;
}

} // namespace weft::app
