#include "gpu/program.hpp"

#include <cctype>
#include <sstream>

#include "base/log.hpp"
#include "gpu/device_private.hpp"

namespace weft::gpu {
namespace {

constexpr size_t most_messages = 8;

bool digit(char c) {
    return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

// Reads "LINE:COLUMN:" at `at`; moves it behind. False when something else stands there.
bool read_position(const std::string& line, size_t& at, CompilerMessage& message) {
    size_t i = at;
    const auto number = [&](int& value) {
        const size_t begin = i;
        value = 0;
        while (i < line.size() && digit(line[i]) && i - begin < 7)
            value = value * 10 + (line[i++] - '0');
        return i > begin && i < line.size() && line[i] == ':';
    };
    if (!number(message.line)) return false;
    ++i;
    if (!number(message.column)) return false;
    at = i + 1;
    return true;
}

bool is_note(const std::string& text) {
    return text.starts_with("note:") || text.starts_with("warning:") || text.starts_with("remark:");
}

std::string stripped(const std::string& text) {
    size_t begin = 0;
    while (begin < text.size() && std::isspace(static_cast<unsigned char>(text[begin])) != 0)
        ++begin;
    std::string rest = text.substr(begin);
    if (rest.starts_with("error: ")) rest = rest.substr(7);
    return rest;
}

Place place_of(const CompilerMessage& message, const std::vector<SourceRange>& ranges) {
    for (const SourceRange& range : ranges)
        if (message.line >= range.first_line && message.line < range.first_line + range.line_count)
            return {range.file, range.file_line + message.line - range.first_line, message.column};
    return {};
}

std::string source_line(const std::string& text, int line) {
    std::istringstream lines(text);
    std::string found;
    for (int i = 0; i < line; ++i)
        if (!std::getline(lines, found)) return {};
    return stripped(found);
}

Error build_error(const std::string& text, const std::string& title, const std::vector<SourceRange>& ranges,
                  const std::string& build_log) {
    const std::vector<CompilerMessage> messages = parse_build_log(build_log);
    std::string all;
    Place first;
    size_t told = 0;
    for (const CompilerMessage& message : messages) {
        if (is_note(message.text) || told == most_messages) continue;
        const Place place = place_of(message, ranges);
        if (told > 0) all += "\n  ";
        if (told == 0)
            first = place;
        else if (place.known())
            all += place.text() + ": ";
        all += message.text;
        if (!place.known() && message.line > 0)
            all += " (in generated text: " + source_line(text, message.line) + ")";
        ++told;
    }
    if (told == 0) all = build_log.empty() ? "the compiler gives no reason" : stripped(build_log);
    return {ErrorKind::device, title + " does not compile: " + all, first};
}

} // namespace

std::vector<CompilerMessage> parse_build_log(const std::string& log) {
    std::vector<CompilerMessage> messages;
    std::istringstream lines(log);
    for (std::string line; std::getline(lines, line);) {
        // A position begins the line, or follows a blank or a ':'; a source line that clang shows has none.
        for (size_t at = 0; at < line.size(); ++at) {
            const bool may_begin = at == 0 || line[at - 1] == ':' || line[at - 1] == ' ';
            CompilerMessage message;
            size_t behind = at;
            if (!may_begin || !digit(line[at]) || !read_position(line, behind, message)) continue;
            message.text = stripped(line.substr(behind));
            // PoCL tells the kind before the file.
            if (line.starts_with("warning: ")) message.text = "warning: " + message.text;
            messages.push_back(std::move(message));
            break;
        }
    }
    return messages;
}

cl::Program Programs::build(const std::string& text, const std::string& title,
                            const std::vector<SourceRange>& ranges, const std::string& options) {
    const std::pair key(text, options);
    {
        const std::lock_guard lock(mutex_);
        const auto found = programs_.find(key);
        if (found != programs_.end()) return found->second;
    }
    // -w: PoCL counts its warnings on standard error.
    const std::string all_options = options.empty() ? "-cl-std=CL1.2 -w" : "-cl-std=CL1.2 -w " + options;
    cl::Program program = guarded(title, [&] { return cl::Program(device_.context(), text); });
    const cl_device_id device = device_.handle()();
    const cl_int code = clBuildProgram(program(), 1, &device, all_options.c_str(), nullptr, nullptr);
    const std::string build_log = program.getBuildInfo<CL_PROGRAM_BUILD_LOG>(device_.handle());
    if (code == CL_BUILD_PROGRAM_FAILURE) throw build_error(text, title, ranges, build_log);
    if (code != CL_SUCCESS) throw device_error(code, title + ": clBuildProgram");
    if (build_log.size() > 2) weft::log("gpu").debug("{}: {}", title, build_log);
    const std::lock_guard lock(mutex_);
    // Two threads may have built the same text; the first one's stays.
    return programs_.emplace(key, program).first->second;
}

size_t Programs::built() const {
    const std::lock_guard lock(mutex_);
    return programs_.size();
}

} // namespace weft::gpu
