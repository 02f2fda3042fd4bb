// Option strings in FFmpeg's manner.
#include <algorithm>
#include <cctype>

#include "graph/pipeline_spec.hpp"
#include "graph/text_private.hpp"

namespace weft::graph {
namespace {

bool is_space(char c) {
    return std::isspace(static_cast<unsigned char>(c)) != 0;
}

// Reads up to an unquoted `stop`, as FFmpeg's av_get_token(): a backslash takes the next character as it is,
// '...' takes everything up to the next quote as it is, and blanks at both ends go unless quoted or escaped.
class TokenReader {
  public:
    TokenReader(const std::string& text, const Place& place) : text_(text), place_(place) {}

    bool done() const { return at_ >= text_.size(); }
    char peek() const { return done() ? '\0' : text_[at_]; }
    void skip() { ++at_; }

    std::string token(std::string_view stops) {
        std::string out;
        size_t keep = 0; // this many characters survive the trimming at the end
        while (!done() && is_space(peek()))
            skip();
        while (!done() && stops.find(peek()) == std::string_view::npos) {
            const char c = peek();
            skip();
            if (c == '\\' && !done()) {
                out += peek();
                skip();
                keep = out.size();
            } else if (c == '\'') {
                while (!done() && peek() != '\'') {
                    out += peek();
                    skip();
                }
                if (done())
                    throw Error(ErrorKind::usage, "'" + text_ + "': a quote (') is opened and not closed",
                                place_);
                skip();
                keep = out.size();
            } else {
                out += c;
            }
        }
        while (out.size() > keep && is_space(out.back()))
            out.pop_back();
        return out;
    }

    // "key" when what comes next reads "key=", which is then consumed.
    std::string key() {
        size_t end = at_;
        while (end < text_.size() &&
               (std::isalnum(static_cast<unsigned char>(text_[end])) || text_[end] == '_'))
            ++end;
        if (end == at_ || end >= text_.size() || text_[end] != '=') return "";
        std::string out = text_.substr(at_, end - at_);
        at_ = end + 1;
        return out;
    }

  private:
    const std::string& text_;
    const Place& place_;
    size_t at_ = 0;
};

// "hflip;vflip", "hflip|eq=gamma=2", "[0:v]hflip[out]" as a chain; "" when that makes none of it either.
std::string with_commas(const std::string& text) {
    std::string out;
    bool label = false;
    for (const char c : text) {
        if (c == '[') label = true;
        const bool between = c == ';' || c == '|' || c == ',' || is_space(c);
        if (!label && !between) out += c;
        if (!label && between && !out.empty() && out.back() != ',') out += ',';
        if (c == ']') label = false;
    }
    for (size_t at = 0; at <= out.size();) {
        const size_t end = std::min(out.find(',', at), out.size());
        if (!is_identifier(out.substr(at, std::min(out.find_first_of("=:", at), end) - at))) return "";
        at = end + 1;
    }
    return out;
}

} // namespace

FilterSpec parse_filter_string(const std::string& text, const Place& place) {
    FilterSpec out;
    out.place = place;
    TokenReader reader(text, place);
    out.name = reader.token("=:");
    if (!is_identifier(out.name)) {
        const std::string meant = with_commas(text);
        const char* mistake = text.find('[') != std::string::npos
                                  ? "leave labels such as [0:v] out, '2:' before a filter names an input: "
                                  : "separate filters with a comma: ";
        throw Error(ErrorKind::usage,
                    "'" + text + "' is no filter, " +
                        (meant.empty() ? "expected such as eq=contrast=1.2:saturation=1.3" : mistake + meant),
                    place);
    }
    while (!reader.done()) {
        reader.skip(); // '=' behind the name, ':' between values
        if (reader.done() && out.args.empty()) break;
        std::string key = reader.key();
        out.args.emplace_back(std::move(key), reader.token(":"));
        out.arg_places.push_back(place);
    }
    return out;
}

std::vector<FilterSpec> parse_filter_chain(const std::string& text, const Place& place) {
    std::vector<FilterSpec> out;
    size_t begin = 0;
    bool quoted = false;
    for (size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\\' && !quoted)
            ++i;
        else if (text[i] == '\'')
            quoted = !quoted;
        else if (text[i] == ',' && !quoted && i + 1 < text.size() &&
                 std::isalpha(static_cast<unsigned char>(text[i + 1]))) {
            out.push_back(parse_filter_string(text.substr(begin, i - begin), place));
            begin = i + 1;
        }
    }
    out.push_back(parse_filter_string(text.substr(begin), place));
    return out;
}

TransitionEntry parse_transition(const std::string& text, std::optional<Rational> rate, const Place& place) {
    TransitionEntry out{parse_filter_string(text, place), 1, place};
    auto& args = out.transition.args;
    auto duration =
        std::find_if(args.begin(), args.end(), [](const auto& arg) { return arg.first == "duration"; });
    if (duration == args.end() && !args.empty() && args.back().first.empty()) duration = args.end() - 1;
    if (duration == args.end()) return out;
    out.duration = parse_time(std::get<std::string>(duration->second), place, rate);
    if (out.duration <= Rational(0))
        throw Error(ErrorKind::usage, "transition '" + text + "': duration must be above 0", place);
    args.erase(duration);
    out.transition.arg_places.pop_back(); // all are the same place
    return out;
}

bool is_layout(const std::string& text) {
    if (text == "grid" || text == "hstack" || text == "vstack") return true;
    const size_t x = text.find('x');
    if (x == std::string::npos) return false;
    const auto count = [](const std::string& digits) {
        return !digits.empty() && digits.size() <= 2 && digits != "0" && digits != "00" &&
               std::all_of(digits.begin(), digits.end(),
                           [](unsigned char c) { return std::isdigit(c) != 0; });
    };
    return count(text.substr(0, x)) && count(text.substr(x + 1));
}

const InputSpec* PipelineSpec::input(const std::string& name) const {
    const auto found =
        std::find_if(inputs.begin(), inputs.end(), [&](const InputSpec& i) { return i.name == name; });
    return found == inputs.end() ? nullptr : &*found;
}

const TrackSpec* PipelineSpec::track(const std::string& name) const {
    const auto found =
        std::find_if(tracks.begin(), tracks.end(), [&](const TrackSpec& t) { return t.name == name; });
    return found == tracks.end() ? nullptr : &*found;
}

} // namespace weft::graph
