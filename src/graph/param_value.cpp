#include "graph/param_value_private.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "graph/expression_private.hpp"
#include "graph/filter_library.hpp"
#include "graph/text_private.hpp"

namespace weft::graph {
namespace {

constexpr double unlimited = 1e30;

std::string shown(const ArgText& text) {
    if (const auto* scalar = std::get_if<std::string>(&text)) return "'" + *scalar + "'";
    return "[" + join(std::get<std::vector<std::string>>(text), ", ") + "]";
}

// One parameter's reading; every member function returns nullopt after it has complained.
class ParamReader {
  public:
    ParamReader(const ParamSpec& param, const ArgText& text, const Place& place, const std::string& who,
                std::vector<Error>& errors)
        : param_(param), text_(text), place_(place), who_(who), errors_(errors) {}

    std::optional<ParamValue> read() {
        switch (param_.type) {
        case ParamType::float_:
        case ParamType::int_:
            return number();
        case ParamType::bool_:
            return boolean();
        case ParamType::enum_:
            return option();
        case ParamType::colour:
            return colour();
        case ParamType::time:
            return time();
        case ParamType::file:
            return file();
        case ParamType::curve:
            return curve();
        case ParamType::list:
            return list();
        case ParamType::expression:
            return expression();
        }
        return std::nullopt;
    }

  private:
    std::nullopt_t complain(const std::string& problem) {
        errors_.emplace_back(ErrorKind::usage, who_ + ": " + param_.name + " " + problem, place_);
        return std::nullopt;
    }

    std::optional<std::string> scalar(const char* expected) {
        if (const auto* text = std::get_if<std::string>(&text_)) return *text;
        complain("is " + shown(text_) + ", expected " + expected);
        return std::nullopt;
    }

    std::optional<double> in_range(double value) {
        if (value >= param_.min && value <= param_.max) return value;
        complain("is " + number_text(value) + ", allowed " + range_text(param_));
        return std::nullopt;
    }

    std::optional<ParamValue> number() {
        const bool whole = param_.type == ParamType::int_;
        const std::optional<std::string> text = scalar(whole ? "a whole number" : "a number");
        if (!text) return std::nullopt;
        std::optional<double> value = read_number(*text);
        if (!value) value = constant_expression(*text);
        if (!value)
            return complain("is '" + *text + "', expected " + (whole ? "a whole number" : "a number"));
        if (whole && *value != std::floor(*value))
            return complain("is " + number_text(*value) + ", expected a whole number");
        return in_range(*value);
    }

    // FFmpeg's users write angles as "PI/5".
    static std::optional<double> constant_expression(const std::string& text) {
        if (trim(text).empty()) return std::nullopt;
        try {
            const double value = evaluate(text, {});
            if (std::isfinite(value)) return value;
        } catch (const Error&) {
            return std::nullopt;
        }
        return std::nullopt;
    }

    std::optional<ParamValue> boolean() {
        const std::optional<std::string> text = scalar("true or false");
        if (!text) return std::nullopt;
        if (const std::optional<bool> value = read_bool(*text)) return *value ? 1.0 : 0.0;
        return complain("is '" + *text + "', allowed: true, false");
    }

    std::optional<ParamValue> option() {
        const std::optional<std::string> text = scalar("one word");
        if (!text) return std::nullopt;
        const auto found = std::find(param_.options.begin(), param_.options.end(), *text);
        if (found != param_.options.end()) return static_cast<double>(found - param_.options.begin());
        // FFmpeg takes the number of an option as well.
        const std::optional<double> index = read_number(*text);
        if (index && *index == std::floor(*index) && *index >= 0 &&
            *index < static_cast<double>(param_.options.size()))
            return *index;
        const std::string near = nearest_name(*text, param_.options);
        return complain("is '" + *text + "', allowed: " + join(param_.options, ", ") +
                        (near.empty() ? "" : "; did you mean '" + near + "'?"));
    }

    std::optional<ParamValue> colour() {
        const std::optional<std::string> text = scalar("a colour");
        if (!text) return std::nullopt;
        if (const std::optional<Rgba> c = read_colour(*text))
            return std::vector<double>{c->r, c->g, c->b, c->a};
        return complain("is '" + *text + "', expected a colour such as red, #ff8000, 0xff8000 or red@0.5");
    }

    std::optional<ParamValue> time() {
        const std::optional<std::string> text = scalar("a time");
        if (!text) return std::nullopt;
        try {
            return in_range(parse_time(*text).value());
        } catch (const Error& e) {
            return complain("is no time: " + e.message());
        }
    }

    std::optional<ParamValue> file() {
        const std::optional<std::string> text = scalar("a file");
        if (!text) return std::nullopt;
        if (text->empty()) {
            if (param_.required) return complain("is empty, expected a file");
            return *text;
        }
        const std::filesystem::path path = *text;
        if (path.is_absolute() || place_.line == 0) return *text;
        return (std::filesystem::path(place_.file).parent_path() / path).string();
    }

    std::optional<ParamValue> expression() {
        const std::optional<std::string> text = scalar("an expression");
        if (!text) return std::nullopt;
        if (const auto problem = check_syntax(*text)) return complain("is '" + *text + "': " + *problem);
        return *text;
    }

    std::optional<std::vector<double>> numbers(std::string_view separators, const char* expected) {
        std::vector<double> out;
        const auto take = [&](const std::string& text) {
            const std::optional<std::vector<double>> some = read_numbers(text, separators);
            if (some) out.insert(out.end(), some->begin(), some->end());
            return some.has_value();
        };
        bool good = true;
        if (const auto* scalar = std::get_if<std::string>(&text_))
            good = take(*scalar);
        else
            for (const std::string& item : std::get<std::vector<std::string>>(text_))
                good = good && take(item);
        if (good) return out;
        complain("is " + shown(text_) + ", expected " + expected);
        return std::nullopt;
    }

    std::optional<ParamValue> curve() {
        const std::optional<std::vector<double>> points =
            numbers(" /,;\t\n", "points x/y such as 0/0 0.5/0.6 1/1");
        if (!points) return std::nullopt;
        if (points->size() % 2 != 0)
            return complain("has " + std::to_string(points->size()) + " numbers, expected pairs");
        for (size_t i = 2; i < points->size(); i += 2)
            if ((*points)[i] <= (*points)[i - 2])
                return complain("has x " + number_text((*points)[i]) + " behind x " +
                                number_text((*points)[i - 2]) + ", expected rising x");
        return *points;
    }

    std::optional<ParamValue> list() {
        const std::optional<std::vector<double>> values = numbers(" ,;|\t\n", "numbers such as 0 -1 0");
        if (!values) return std::nullopt;
        for (size_t i = 0; i < values->size(); ++i)
            if ((*values)[i] < param_.min || (*values)[i] > param_.max)
                return complain("has " + number_text((*values)[i]) + " at position " + std::to_string(i + 1) +
                                ", allowed " + range_text(param_));
        return *values;
    }

    const ParamSpec& param_;
    const ArgText& text_;
    const Place& place_;
    const std::string& who_;
    std::vector<Error>& errors_;
};

} // namespace

std::string range_text(const ParamSpec& param) {
    const bool low = param.min > -unlimited, high = param.max < unlimited;
    if (low && high) return number_text(param.min) + ".." + number_text(param.max);
    if (low) return "at least " + number_text(param.min);
    if (high) return "at most " + number_text(param.max);
    return "";
}

bool is_number(ParamType type) {
    return type == ParamType::float_ || type == ParamType::int_ || type == ParamType::bool_ ||
           type == ParamType::enum_ || type == ParamType::time;
}

std::optional<ParamValue> read_param(const ParamSpec& param, const ArgText& text, const Place& place,
                                     const std::string& who, std::vector<Error>& errors) {
    return ParamReader(param, text, place, who, errors).read();
}

} // namespace weft::graph
