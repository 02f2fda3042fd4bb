#include "app/text.hpp"

#include <algorithm>

#include "base/format.hpp"

namespace weft::app {

std::string number(double value) {
    return fmt::format("{}", value);
}

std::string clock_text(double seconds) {
    const auto whole = static_cast<int64_t>(std::max(0.0, seconds));
    const int64_t hours = whole / 3600;
    if (hours > 0) return fmt::format("{}:{:02}:{:02}", hours, whole / 60 % 60, whole % 60);
    return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

std::string shell_quoted(const std::string& text) {
    const auto plain = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
               std::string("_-./=:,+@%").find(c) != std::string::npos;
    };
    if (!text.empty() && std::all_of(text.begin(), text.end(), plain)) return text;
    std::string out = "'";
    for (const char c : text)
        out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return out + "'";
}

} // namespace weft::app
