#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

#include "base/error.hpp"
#include "graph/text_private.hpp"

namespace weft::graph {
namespace {

bool is_space(char c) {
    return std::isspace(static_cast<unsigned char>(c)) != 0;
}

std::optional<unsigned> read_hex(std::string_view digits) {
    unsigned value = 0;
    const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
    if (problem != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
    return value;
}

Rgba from_rgb(unsigned rgb) {
    const auto part = [&](unsigned shift) { return static_cast<double>((rgb >> shift) & 255U) / 255.0; };
    return {part(16), part(8), part(0), 1.0};
}

std::optional<Rgba> read_hex_colour(std::string_view digits, bool short_form) {
    const std::optional<unsigned> value = read_hex(digits);
    if (!value) return std::nullopt;
    if (digits.size() == 3 && short_form) {
        const auto part = [&](unsigned shift) { return static_cast<double>((*value >> shift) & 15U) / 15.0; };
        return Rgba{part(8), part(4), part(0), 1.0};
    }
    if (digits.size() == 6) return from_rgb(*value);
    if (digits.size() == 8) {
        Rgba out = from_rgb(*value >> 8);
        out.a = static_cast<double>(*value & 255U) / 255.0;
        return out;
    }
    return std::nullopt;
}

} // namespace

std::string trim(std::string_view text) {
    while (!text.empty() && is_space(text.front()))
        text.remove_prefix(1);
    while (!text.empty() && is_space(text.back()))
        text.remove_suffix(1);
    return std::string(text);
}

std::string lower_case(std::string text) {
    for (char& c : text)
        c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
}

std::optional<double> read_number(std::string_view text) {
    const std::string trimmed = trim(text);
    std::string_view digits = trimmed;
    if (digits.starts_with('+') && digits.size() > 1 && digits[1] != '-') digits.remove_prefix(1);
    double value = 0;
    const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (problem != std::errc() || end != digits.data() + digits.size() || !std::isfinite(value))
        return std::nullopt;
    return value;
}

std::optional<bool> read_bool(const std::string& text) {
    const std::string word = lower_case(trim(text));
    if (word == "true" || word == "yes" || word == "on" || word == "1") return true;
    if (word == "false" || word == "no" || word == "off" || word == "0") return false;
    return std::nullopt;
}

std::string number_text(double value) {
    char buffer[32];
    const auto [end, problem] = std::to_chars(buffer, buffer + sizeof buffer, value);
    return problem == std::errc() ? std::string(buffer, end) : std::string("?");
}

std::optional<std::vector<double>> read_numbers(const std::string& text, std::string_view separators) {
    std::vector<double> out;
    size_t begin = 0;
    while (true) {
        begin = text.find_first_not_of(separators, begin);
        if (begin == std::string::npos) return out;
        const size_t end = std::min(text.find_first_of(separators, begin), text.size());
        const std::optional<double> value = read_number(std::string_view(text).substr(begin, end - begin));
        if (!value) return std::nullopt;
        out.push_back(*value);
        begin = end;
    }
}

std::optional<Rgba> read_colour(const std::string& text) {
    const std::string whole = trim(text);
    const size_t at = whole.find('@');
    const std::string name = whole.substr(0, at);
    std::optional<Rgba> out;
    if (name.starts_with('#')) {
        out = read_hex_colour(std::string_view(name).substr(1), true);
    } else if (name.starts_with("0x") || name.starts_with("0X")) {
        out = read_hex_colour(std::string_view(name).substr(2), false);
    } else if (whole == "transparent") {
        return Rgba{0, 0, 0, 0};
    } else if (const std::optional<unsigned> rgb = named_colour(name)) {
        out = from_rgb(*rgb);
    }
    if (!out || at == std::string::npos) return out;
    const std::string alpha = whole.substr(at + 1);
    if (alpha.starts_with("0x") || alpha.starts_with("0X")) {
        const std::optional<unsigned> code = read_hex(std::string_view(alpha).substr(2));
        if (!code || *code > 255) return std::nullopt;
        out->a = static_cast<double>(*code) / 255.0;
        return out;
    }
    const std::optional<double> share = read_number(alpha);
    if (!share || *share < 0 || *share > 1) return std::nullopt;
    out->a = *share;
    return out;
}

std::string join(const std::vector<std::string>& words, std::string_view between) {
    std::string out;
    for (size_t i = 0; i < words.size(); ++i) {
        if (i > 0) out += between;
        out += words[i];
    }
    return out;
}

std::string suggestion(const std::string& word, const std::vector<std::string>& known) {
    if (const std::string near = nearest_name(word, known); !near.empty())
        return ", did you mean '" + near + "'?";
    if (known.empty()) return "";
    const std::string list = join(known, ", ");
    return list.size() <= 160 ? "; known: " + list : "";
}

bool is_identifier(std::string_view text) {
    if (text.empty() || std::isdigit(static_cast<unsigned char>(text.front()))) return false;
    return std::all_of(text.begin(), text.end(),
                       [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; });
}

} // namespace weft::graph
