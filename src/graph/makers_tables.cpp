#include <algorithm>
#include <array>
#include <cmath>

#include "base/data_dirs.hpp"
#include "base/format.hpp"
#include "graph/makers_private.hpp"
#include "graph/text_private.hpp"

namespace weft::graph {
namespace {

// Fine enough that a kink of slope 1 between two samples is met to 0.07 codes of 10 bit.
constexpr int curve_samples = 4097;

struct Knot {
    double x = 0, y = 0;
};
using Knots = std::vector<Knot>;

struct CurveSet {
    Knots master, red, green, blue;
};

// The points of FFmpeg's presets, in the order of the manifest's options.
CurveSet preset_curves(int index) {
    static const std::array<CurveSet, 11> presets{{
        {}, // none
        {{},
         {{.129, 1}, {.466, .498}, {.725, 0}},
         {{.109, 1}, {.301, .498}, {.517, 0}},
         {{.098, 1}, {.235, .498}, {.423, 0}}}, // color_negative
        {{},
         {{0, 0}, {.25, .156}, {.501, .501}, {.686, .745}, {1, 1}},
         {{0, 0}, {.25, .188}, {.38, .501}, {.745, .815}, {1, .815}},
         {{0, 0}, {.231, .094}, {.709, .874}, {1, 1}}},                          // cross_process
        {{{0, 0}, {.5, .4}, {1, 1}}, {}, {}, {}},                                // darker
        {{{0, 0}, {.149, .066}, {.831, .905}, {.905, .98}, {1, 1}}, {}, {}, {}}, // increase_contrast
        {{{0, 0}, {.4, .5}, {1, 1}}, {}, {}, {}},                                // lighter
        {{{0, 0}, {.305, .286}, {.694, .713}, {1, 1}}, {}, {}, {}},              // linear_contrast
        {{{0, 0}, {.286, .219}, {.639, .643}, {1, 1}}, {}, {}, {}},              // medium_contrast
        {{{0, 1}, {1, 0}}, {}, {}, {}},                                          // negative
        {{{0, 0}, {.301, .196}, {.592, .6}, {.686, .737}, {1, 1}}, {}, {}, {}},  // strong_contrast
        {{},
         {{0, .11}, {.42, .51}, {1, .95}},
         {{0, 0}, {.5, .48}, {1, 1}},
         {{0, .22}, {.49, .44}, {1, .8}}}, // vintage
    }};
    return presets.at(static_cast<size_t>(index));
}

// The natural cubic spline through knots, flat beyond the first and the last; the identity without any.
class Spline {
  public:
    explicit Spline(Knots knots) : knots_(std::move(knots)), bend_(knots_.size(), 0.0) {
        const size_t n = knots_.size();
        if (n < 3) return;
        // Second derivatives: 0 at the ends, and such that the slopes meet at the knots between. Solved by
        // elimination down and substitution up.
        std::vector<double> upper(n, 0.0);
        for (size_t i = 1; i + 1 < n; ++i) {
            const double left = knots_[i].x - knots_[i - 1].x, right = knots_[i + 1].x - knots_[i].x;
            const double turn =
                6 * ((knots_[i + 1].y - knots_[i].y) / right - (knots_[i].y - knots_[i - 1].y) / left);
            const double pivot = 2 * (left + right) - left * upper[i - 1];
            upper[i] = right / pivot;
            bend_[i] = (turn - left * bend_[i - 1]) / pivot;
        }
        for (size_t i = n - 1; i-- > 1;)
            bend_[i] -= upper[i] * bend_[i + 1];
    }

    double operator()(double x) const {
        if (knots_.empty()) return x;
        if (x <= knots_.front().x) return knots_.front().y;
        if (x >= knots_.back().x) return knots_.back().y;
        const auto above = std::upper_bound(knots_.begin(), knots_.end(), x,
                                            [](double v, const Knot& k) { return v < k.x; });
        const auto i = static_cast<size_t>(above - knots_.begin()) - 1;
        const Knot& from = knots_[i];
        const Knot& to = knots_[i + 1];
        const double h = to.x - from.x, b = (x - from.x) / h, a = 1 - b;
        const double cubic = (a * a * a - a) * bend_[i] + (b * b * b - b) * bend_[i + 1];
        return std::clamp(a * from.y + b * to.y + cubic * h * h / 6, 0.0, 1.0);
    }

  private:
    Knots knots_;
    std::vector<double> bend_; // second derivatives at the knots
};

// Points of a parameter; each x above the one before it, all within 0..1.
Knots knots_of(const FilterUse& use, const std::string& name) {
    const std::vector<double>& numbers = number_list(use, name);
    if (numbers.size() % 2 != 0)
        throw maker_error(use, format("{} has {} numbers, allowed are pairs x/y", name, numbers.size()));
    Knots out;
    for (size_t i = 0; i < numbers.size(); i += 2) {
        const Knot knot{numbers[i], numbers[i + 1]};
        if (!(knot.x >= 0 && knot.x <= 1 && knot.y >= 0 && knot.y <= 1))
            throw maker_error(use, format("{} has the point {}/{}, allowed 0..1", name, knot.x, knot.y));
        if (!out.empty() && knot.x <= out.back().x)
            throw maker_error(
                use, format("{} has the point {}/{} after {}/{}, each x must be above the one before", name,
                            knot.x, knot.y, out.back().x, out.back().y));
        out.push_back(knot);
    }
    return out;
}

// Reads the lines of a .cube file one by one.
class CubeReader {
  public:
    explicit CubeReader(const std::string& file) : file_(file) {}

    LookupTable read() {
        const std::string text = read_text(file_);
        std::string_view rest = text;
        if (rest.starts_with("\xEF\xBB\xBF")) rest.remove_prefix(3);
        while (!rest.empty()) {
            const size_t end = rest.find_first_of("\r\n");
            ++line_;
            read_line(rest.substr(0, end));
            if (end == std::string_view::npos) break;
            rest.remove_prefix(end + (rest.substr(end, 2) == "\r\n" ? 2 : 1));
        }
        finish();
        return std::move(table_);
    }

  private:
    [[noreturn]] void fail(const std::string& problem, int line) const {
        throw Error(ErrorKind::bad_input, problem, {file_, line, 0});
    }
    [[noreturn]] void fail(const std::string& problem) const { fail(problem, line_); }

    static std::vector<std::string_view> words_of(std::string_view line) {
        constexpr std::string_view blanks = " \t\v\f";
        std::vector<std::string_view> out;
        for (size_t at = line.find_first_not_of(blanks); at != std::string_view::npos;) {
            const size_t end = std::min(line.find_first_of(blanks, at), line.size());
            out.push_back(line.substr(at, end - at));
            at = line.find_first_not_of(blanks, end);
        }
        return out;
    }

    void read_line(std::string_view line) {
        const auto words = words_of(line);
        if (words.empty() || words[0].starts_with('#')) return;
        const std::string key(words[0]);
        if (key == "TITLE") return;
        if (key == "LUT_1D_SIZE") return read_size(words, 1, 65536);
        if (key == "LUT_3D_SIZE") return read_size(words, 3, 256);
        if (key == "DOMAIN_MIN") return read_domain(words, table_.domain_min);
        if (key == "DOMAIN_MAX") return read_domain(words, table_.domain_max);
        if (key == "LUT_1D_INPUT_RANGE" || key == "LUT_3D_INPUT_RANGE") return read_range(words);
        if (!read_number(key)) fail(format("'{}' is neither a number nor a known keyword", key));
        read_row(words);
    }

    // The numbers behind `first` words. Errors : when there are not `count`.
    std::vector<double> numbers(const std::vector<std::string_view>& words, size_t first,
                                size_t count) const {
        if (words.size() != first + count)
            fail(format("{} has {} numbers, expected {}", first ? std::string(words[0]) : "the row",
                        words.size() - first, count));
        std::vector<double> out;
        for (size_t i = first; i < words.size(); ++i) {
            const auto number = read_number(words[i]);
            if (!number) fail(format("'{}' is no finite number", words[i]));
            out.push_back(*number);
        }
        return out;
    }

    void read_size(const std::vector<std::string_view>& words, int dimensions, int largest) {
        const double size = numbers(words, 1, 1)[0];
        if (table_.size != 0) fail(format("{} is a second size, allowed is one", words[0]));
        if (size != std::floor(size) || size < 2 || size > largest)
            fail(format("{} is {}, allowed 2..{}", words[0], words[1], largest));
        table_.size = static_cast<int>(size);
        table_.dimensions = dimensions;
        size_line_ = line_;
        const auto n = static_cast<size_t>(table_.size);
        rows_ = dimensions == 1 ? n : n * n * n;
        table_.values.reserve(3 * rows_);
    }

    void read_domain(const std::vector<std::string_view>& words, double (&domain)[3]) {
        const auto values = numbers(words, 1, 3);
        std::copy(values.begin(), values.end(), domain);
        domain_line_ = line_;
    }

    void read_range(const std::vector<std::string_view>& words) {
        const auto values = numbers(words, 1, 2);
        std::fill_n(table_.domain_min, 3, values[0]);
        std::fill_n(table_.domain_max, 3, values[1]);
        domain_line_ = line_;
    }

    void read_row(const std::vector<std::string_view>& words) {
        if (table_.size == 0) fail("a row stands before LUT_1D_SIZE or LUT_3D_SIZE");
        const auto values = numbers(words, 0, 3);
        ++found_;
        if (found_ > rows_) return; // counted for the complaint
        for (const double v : values) {
            const auto narrow = static_cast<float>(v);
            if (!std::isfinite(narrow)) fail(format("{} is beyond the range of a float", v));
            table_.values.push_back(narrow);
        }
    }

    void finish() {
        if (table_.size == 0) fail("neither LUT_1D_SIZE nor LUT_3D_SIZE is given");
        for (int i = 0; i < 3; ++i)
            if (!(table_.domain_max[i] > table_.domain_min[i]))
                fail(format("the domain of {} ends at {}, which is not above its start {}", "rgb"[i],
                            table_.domain_max[i], table_.domain_min[i]),
                     domain_line_);
        if (found_ != rows_)
            fail(format("found {} rows, LUT_{}D_SIZE {} needs {}", found_, table_.dimensions, table_.size,
                        rows_),
                 size_line_);
        if (table_.dimensions == 1) separate_curves();
    }

    // Rows of three become three curves.
    void separate_curves() {
        std::vector<float> curves(table_.values.size());
        for (size_t i = 0; i < rows_; ++i)
            for (size_t c = 0; c < 3; ++c)
                curves[c * rows_ + i] = table_.values[3 * i + c];
        table_.values = std::move(curves);
    }

    std::string file_;
    LookupTable table_;
    int line_ = 0, size_line_ = 0, domain_line_ = 0;
    size_t rows_ = 0, found_ = 0;
};

} // namespace

LookupTable curves_table(const FilterUse& use) {
    CurveSet curves = preset_curves(static_cast<int>(number(use, "preset")));
    const auto replace = [](Knots& knots, Knots by) {
        if (!by.empty()) knots = std::move(by);
    };
    const Knots all = knots_of(use, "all");
    for (Knots* knots : {&curves.red, &curves.green, &curves.blue})
        replace(*knots, all);
    replace(curves.master, knots_of(use, "master"));
    replace(curves.red, knots_of(use, "red"));
    replace(curves.green, knots_of(use, "green"));
    replace(curves.blue, knots_of(use, "blue"));

    LookupTable out;
    out.size = curve_samples;
    const Spline master(curves.master);
    for (const Knots* knots : {&curves.red, &curves.green, &curves.blue}) {
        const Spline curve(*knots);
        for (int i = 0; i < curve_samples; ++i)
            out.values.push_back(
                static_cast<float>(master(curve(static_cast<double>(i) / (curve_samples - 1)))));
    }
    return out;
}

LookupTable read_cube(const std::string& file) {
    return CubeReader(file).read();
}

} // namespace weft::graph
