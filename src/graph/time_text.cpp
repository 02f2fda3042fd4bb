// Times as people write them, read exactly: no double stands between the digits and the fraction.
#include <cctype>

#include "graph/pipeline_spec.hpp"
#include "graph/text_private.hpp"

namespace weft::graph {
namespace {

constexpr int64_t billion = 1000000000;

// Digits with an optional fraction of up to nine digits: "90", "2.5", ".5".
std::optional<Rational> read_decimal(std::string_view text) {
    const size_t point = text.find('.');
    const std::string_view whole = text.substr(0, point);
    const std::string_view fraction = point == std::string_view::npos ? "" : text.substr(point + 1);
    if (whole.empty() && fraction.empty()) return std::nullopt;
    if (whole.size() > 15 || fraction.size() > 9 || whole.size() + fraction.size() > 18) return std::nullopt;
    int64_t value = 0, scale = 1;
    for (const char c : whole) {
        if (!std::isdigit(static_cast<unsigned char>(c))) return std::nullopt;
        value = value * 10 + (c - '0');
    }
    for (const char c : fraction) {
        if (!std::isdigit(static_cast<unsigned char>(c))) return std::nullopt;
        value = value * 10 + (c - '0');
        scale *= 10;
    }
    return Rational(value, scale);
}

// "MM:SS[.f]" or "HH:MM:SS[.f]"; only the last part may have a fraction, and those behind a colon stay
// below 60.
std::optional<Rational> read_clock(std::string_view text) {
    Rational total(0);
    int parts = 0;
    while (true) {
        const size_t colon = text.find(':');
        const std::optional<Rational> part = read_decimal(text.substr(0, colon));
        if (!part || ++parts > 3 || (parts > 1 && *part >= Rational(60))) return std::nullopt;
        if (colon != std::string_view::npos && part->den != 1) return std::nullopt;
        total = total * Rational(60) + *part;
        if (colon == std::string_view::npos) return total;
        text.remove_prefix(colon + 1);
    }
}

// "1001/2500" seconds: what no decimal number can say.
std::optional<Rational> read_fraction(std::string_view text) {
    const size_t slash = text.find('/');
    const std::optional<Rational> above = read_decimal(text.substr(0, slash));
    const std::optional<Rational> below = read_decimal(text.substr(slash + 1));
    if (!above || !below || below->num == 0) return std::nullopt;
    return *above / *below;
}

std::optional<Rational> read_suffixed(std::string_view text, std::string_view suffix, Rational unit) {
    if (!text.ends_with(suffix)) return std::nullopt;
    const std::string number = trim(text.substr(0, text.size() - suffix.size()));
    const std::optional<Rational> value = read_decimal(number);
    if (!value) return std::nullopt;
    return *value * unit;
}

} // namespace

Rational parse_time(const std::string& text, const Place& place, std::optional<Rational> rate) {
    const std::string whole = trim(text);
    std::string_view rest = whole;
    const bool negative = rest.starts_with('-');
    if (negative || rest.starts_with('+')) rest.remove_prefix(1);

    std::optional<Rational> value;
    if (rest.ends_with('f')) {
        const std::optional<Rational> frames = read_suffixed(rest, "f", 1);
        if (frames && !rate)
            throw Error(ErrorKind::bad_input,
                        "time '" + text + "' counts frames, which needs a rate: give canvas.rate (--rate)",
                        place);
        if (frames) value = *frames / *rate;
    } else if (rest.ends_with("ms")) {
        value = read_suffixed(rest, "ms", Rational(1, 1000));
    } else if (rest.ends_with("us")) {
        value = read_suffixed(rest, "us", Rational(1, 1000000));
    } else if (rest.ends_with('s')) {
        value = read_suffixed(rest, "s", 1);
    } else if (rest.find('/') != std::string_view::npos) {
        value = read_fraction(rest);
    } else if (rest.find(':') != std::string_view::npos) {
        value = read_clock(rest);
    } else {
        value = read_decimal(rest);
    }
    if (!value || *value >= Rational(billion))
        throw Error(ErrorKind::bad_input,
                    "time is '" + text +
                        "', expected such as 2.5s, 40ms, 1:02.5, 90 (seconds) or 12f (frames)",
                    place);
    return negative ? -*value : *value;
}

std::string time_text(Rational seconds) {
    if (billion % seconds.den != 0) return seconds.text(); // a fraction such as 1001/2500
    const int64_t nanos = seconds.num * (billion / seconds.den);
    const int64_t magnitude = nanos < 0 ? -nanos : nanos;
    std::string fraction = std::to_string(billion + magnitude % billion).substr(1);
    while (!fraction.empty() && fraction.back() == '0')
        fraction.pop_back();
    return std::string(nanos < 0 ? "-" : "") + std::to_string(magnitude / billion) +
           (fraction.empty() ? "" : "." + fraction) + "s";
}

} // namespace weft::graph
