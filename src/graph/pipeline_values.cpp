#include "graph/pipeline_values_private.hpp"

#include <charconv>
#include <cmath>

#include "graph/text_private.hpp"

namespace weft::graph {
namespace {

constexpr int largest_side = 32768;

int read_side(std::string_view digits) {
    int value = 0;
    const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (problem != std::errc() || end != digits.data() + digits.size()) return 0;
    return value;
}

} // namespace

std::pair<int, int> read_size(const std::string& text, const Place& place) {
    const std::string word = lower_case(trim(text));
    if (word == "hd720") return {1280, 720};
    if (word == "hd1080") return {1920, 1080};
    if (word == "uhd2160" || word == "4k") return {3840, 2160};
    if (const size_t x = word.find('x'); x != std::string::npos) {
        const int w = read_side(std::string_view(word).substr(0, x));
        const int h = read_side(std::string_view(word).substr(x + 1));
        if (w > 0 && h > 0 && w <= largest_side && h <= largest_side) return {w, h};
    }
    throw Error(ErrorKind::usage,
                "size is '" + text + "', expected such as 1920x1080, sides 1.." +
                    std::to_string(largest_side),
                place);
}

Rational read_rate(const std::string& text, const Place& place) {
    try {
        return parse_rate(text);
    } catch (const Error& e) {
        throw Error(ErrorKind::usage, e.message(), place);
    }
}

Volume read_volume(const std::string& text, const Place& place) {
    const std::string word = lower_case(trim(text));
    if (word.ends_with("db")) {
        const auto db = read_number(trim(std::string_view(word).substr(0, word.size() - 2)));
        if (db && *db >= -200 && *db <= 60) return {*db, false};
    } else if (const auto factor = read_number(word); factor && *factor >= 0 && *factor <= 1000) {
        if (*factor == 0) return {0, true};
        return {20 * std::log10(*factor), false};
    }
    throw Error(ErrorKind::usage,
                "volume is '" + text + "', expected decibels such as -6dB or a factor of 0..1000", place);
}

Length read_length(const std::string& text, const Place& place) {
    const std::string word = trim(text);
    const bool percent = word.ends_with('%');
    const auto value = read_number(std::string_view(word).substr(0, word.size() - (percent ? 1 : 0)));
    if (value && std::fabs(*value) <= 1e6) return {*value, percent};
    throw Error(ErrorKind::usage,
                "length is '" + text + "', expected pixels such as 120 or a share such as 50%", place);
}

} // namespace weft::graph
