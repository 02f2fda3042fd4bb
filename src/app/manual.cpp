#include "app/manual.hpp"

#include "app/help.hpp"
#include "base/error.hpp"
#include "base/format.hpp"

namespace weft::app {
namespace {

std::vector<const CLI::App*> commands(const CLI::App& program) {
    return program.get_subcommands([](const CLI::App*) { return true; });
}

std::string option_words(const CLI::App& command) {
    std::string words;
    for (const CLI::Option* option : command.get_options()) {
        for (const std::string& name : option->get_snames())
            words += " -" + name;
        for (const std::string& name : option->get_lnames())
            words += " --" + name;
    }
    return words.empty() ? words : words.substr(1);
}

const char* const bash_head = R"sh(# bash completion for weft; made by: weft --completion bash
_weft() {
    local cur prev command i
    cur=${COMP_WORDS[COMP_CWORD]}
    prev=${COMP_WORDS[COMP_CWORD-1]}
    COMPREPLY=()
    command=
    for ((i = 1; i < COMP_CWORD; i++)); do
        case ${COMP_WORDS[i]} in
)sh";

const char* const bash_values = R"sh(        esac
    done
    case $prev in
        --filter)
            COMPREPLY=($(compgen -W "$(weft filters --names 2>/dev/null)" -- "$cur"))
            compopt -o nospace 2>/dev/null
            return ;;
        --transition)
            COMPREPLY=($(compgen -W "$(weft transitions --names 2>/dev/null)" -- "$cur"))
            compopt -o nospace 2>/dev/null
            return ;;
        --layout) COMPREPLY=($(compgen -W "grid hstack vstack" -- "$cur")); return ;;
        --tonemap) COMPREPLY=($(compgen -W "bt2390 hable reinhard mobius clip" -- "$cur")); return ;;
        --deinterlace) COMPREPLY=($(compgen -W "auto on off" -- "$cur")); return ;;
        --upload) COMPREPLY=($(compgen -W "auto direct pinned pageable host" -- "$cur")); return ;;
        --progress) COMPREPLY=($(compgen -W "auto none json" -- "$cur")); return ;;
        --log) COMPREPLY=($(compgen -W "trace debug info warn error off" -- "$cur")); return ;;
        --filters|--assets) COMPREPLY=($(compgen -d -- "$cur")); return ;;
    esac
)sh";

const char* const bash_tail = R"sh(    esac
    if [[ $command == filters || $command == transitions ]] && [[ $cur != -* ]]; then
        COMPREPLY=($(compgen -W "$(weft "$command" --names 2>/dev/null)" -- "$cur"))
        return
    fi
    if [[ $command == bench && $cur != -* ]]; then
        COMPREPLY=($(compgen -W "filters convolution transpose reduce" -- "$cur"))
        return
    fi
    if [[ -n $command && $cur != -* ]]; then
        compopt -o filenames 2>/dev/null
        COMPREPLY=($(compgen -f -- "$cur"))
        return
    fi
    COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -F _weft weft
)sh";

std::string bash_completion(const CLI::App& program) {
    std::string names;
    std::string out = bash_head;
    for (const CLI::App* command : commands(program))
        names += (names.empty() ? "" : "|") + command->get_name();
    out += "            " + names + ") command=${COMP_WORDS[i]}; break ;;\n";
    out += bash_values;
    out += "    local words\n    case $command in\n";
    for (const CLI::App* command : commands(program))
        out += fmt::format("        {}) words=\"{}\" ;;\n", command->get_name(), option_words(*command));
    for (char& c : names)
        if (c == '|') c = ' ';
    out += fmt::format("        *) words=\"{} help --version {}\" ;;\n", names, option_words(program));
    return out + bash_tail;
}

// Text as roff reads it: backslashes and leading dots or quotes would be taken for requests.
std::string roff(const std::string& text) {
    std::string out;
    bool line_start = true;
    for (const char c : text) {
        if (line_start && (c == '.' || c == '\'')) out += "\\&";
        if (c == '\\')
            out += "\\e";
        else if (c == '-')
            out += "\\-";
        else
            out += c;
        line_start = c == '\n';
    }
    return out;
}

std::string roff_options(const CLI::App& command) {
    std::string out;
    for (const CLI::Option* option : command.get_options()) {
        const std::string heading =
            option->get_positional() ? option->get_option_text() : option_heading(*option);
        out += ".TP\n\\fB" + roff(heading) + "\\fR\n" + roff(option->get_description()) + "\n";
    }
    return out;
}

std::string roff_footer(const CLI::App& command) {
    const std::string footer = command.get_footer();
    return footer.empty() ? "" : ".PP\n.nf\n" + roff(footer) + "\n.fi\n";
}

std::string man_page(const CLI::App& program) {
    std::string out = fmt::format(".TH WEFT 1 \"\" \"weft {}\" \"User Commands\"\n", WEFT_VERSION);
    out += ".SH NAME\nweft \\- " + roff(program.get_description()) + "\n";
    out += ".SH SYNOPSIS\n\\fBweft\\fR \\fICOMMAND\\fR [\\fIOPTION\\fR...] [\\fIFILE\\fR...]\n";
    out += ".SH DESCRIPTION\n" + roff_footer(program);
    for (const CLI::App* command : commands(program)) {
        out += ".SH \"WEFT ";
        for (const char c : command->get_name())
            out += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
        out +=
            "\"\n" + roff(command->get_description()) + "\n" + roff_options(*command) + roff_footer(*command);
    }
    out += ".SH ENVIRONMENT\n.TP\n\\fBWEFT_ASSETS\\fR\nFolder with kernels/ and filters/, as \\-\\-assets.\n"
           ".TP\n\\fBXDG_DATA_HOME\\fR\nYour own filters are read from weft/filters in this folder "
           "(default ~/.local/share).\n"
           ".TP\n\\fBXDG_CACHE_HOME\\fR\nThe tables of weft tune are kept in weft/tune in this folder "
           "(default ~/.cache).\n";
    return out;
}

} // namespace

std::string manual(const CLI::App& program, const std::vector<std::string>& words) {
    if (words.front() == "--man") return man_page(program);
    const std::string shell = words.size() > 1 ? words[1] : "";
    if (shell != "bash")
        throw Error(ErrorKind::usage,
                    fmt::format("--completion: no completion for shell '{}', allowed: bash", shell));
    return bash_completion(program);
}

} // namespace weft::app
