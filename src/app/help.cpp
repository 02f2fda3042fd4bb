#include "app/help.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/format.hpp"

namespace weft::app {
namespace {

const size_t description_column = 30;
const size_t last_column = 96;

// A heading and its description side by side, broken between words. Line breaks in the description stay.
std::string entry(const std::string& heading, const std::string& description) {
    const std::string margin(description_column, ' ');
    std::string line = "  " + heading;
    std::string out;
    if (line.size() + 2 > description_column) {
        out = line + "\n";
        line = margin;
    }
    line.resize(description_column, ' ');
    for (size_t at = 0; at < description.size();) {
        const size_t end = std::min(description.find_first_of(" \n", at), description.size());
        const std::string word = description.substr(at, end - at);
        if (line.size() > description_column && line.size() + word.size() > last_column) {
            out += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
            line = margin;
        }
        line += word + " ";
        if (end < description.size() && description[end] == '\n') {
            out += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
            line = margin;
        }
        at = end + 1;
    }
    return out + line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
}

class HelpFormatter final : public CLI::FormatterBase {
  public:
    std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode) const override {
        const auto options = app->get_options([](const CLI::Option*) { return true; });
        const auto commands = app->get_subcommands([](const CLI::App*) { return true; });
        std::string out = "Usage: " + name + (commands.empty() ? "" : " COMMAND") + " [OPTION...]";
        for (const CLI::Option* option : options)
            if (option->get_positional()) out += " [" + option->get_option_text() + "]";
        out += "\n\n" + app->get_description() + "\n";
        if (!commands.empty()) {
            out += "\nCommands:\n";
            for (const CLI::App* command : commands)
                out += entry(command->get_name(), command->get_description());
        }
        std::vector<std::string> groups{"Options"};
        for (const std::string& group : app->get_groups())
            if (!group.empty() && group != "Options") groups.push_back(group);
        std::string positionals;
        for (const CLI::Option* option : options)
            if (option->get_positional())
                positionals += entry(option->get_option_text(), option->get_description());
        if (!positionals.empty()) out += "\n" + positionals;
        for (const std::string& group : groups) {
            out += "\n" + group + ":\n";
            for (const CLI::Option* option : options)
                if (!option->get_positional() && option->get_group() == group)
                    out += entry(option_heading(*option), option->get_description());
        }
        return out + "\n" + app->get_footer() + "\n";
    }
};

} // namespace

std::shared_ptr<CLI::FormatterBase> help_formatter() {
    return std::make_shared<HelpFormatter>();
}

std::string option_heading(const CLI::Option& option) {
    std::string out;
    for (const std::string& name : option.get_snames())
        out += (out.empty() ? "-" : ", -") + name;
    for (const std::string& name : option.get_lnames())
        out += (out.empty() ? "--" : ", --") + name;
    if (!option.get_option_text().empty()) out += " " + option.get_option_text();
    return out;
}

CLI::Validator one_of(const std::vector<std::string>& allowed) {
    const auto check = [allowed](std::string& word) -> std::string {
        std::string list;
        for (const std::string& name : allowed) {
            if (name == word) return "";
            list += (list.empty() ? "" : ", ") + name;
        }
        const std::string nearest = nearest_name(word, allowed);
        return fmt::format("'{}' is unknown, allowed: {}{}", word, list,
                           nearest.empty() ? "" : "; did you mean " + nearest + "?");
    };
    return CLI::Validator(check, "", "");
}

} // namespace weft::app
