// Sources: Adobe, Cube LUT Specification 1.0; LUT_1D_INPUT_RANGE and LUT_3D_INPUT_RANGE as Resolve writes
// them.
#include <algorithm>
#include <cmath>

#include "base/format.hpp"
#include "base/text_file.hpp"
#include "graph/makers_private.hpp"
#include "graph/text_private.hpp"

namespace weft::graph {
namespace {

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
        if (!read_number(key)) fail(fmt::format("'{}' is neither a number nor a known keyword", key));
        read_row(words);
    }

    // The numbers behind `first` words. Errors : when there are not `count`.
    std::vector<double> numbers(const std::vector<std::string_view>& words, size_t first,
                                size_t count) const {
        if (words.size() != first + count)
            fail(fmt::format("{} has {} numbers, expected {}", first ? std::string(words[0]) : "the row",
                             words.size() - first, count));
        std::vector<double> out;
        for (size_t i = first; i < words.size(); ++i) {
            const auto number = read_number(words[i]);
            if (!number) fail(fmt::format("'{}' is no finite number", words[i]));
            out.push_back(*number);
        }
        return out;
    }

    void read_size(const std::vector<std::string_view>& words, int dimensions, int largest) {
        const double size = numbers(words, 1, 1)[0];
        if (table_.size != 0) fail(fmt::format("{} is a second size, allowed is one", words[0]));
        if (size != std::floor(size) || size < 2 || size > largest)
            fail(fmt::format("{} is {}, allowed 2..{}", words[0], words[1], largest));
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
            if (!std::isfinite(narrow)) fail(fmt::format("{} is beyond the range of a float", v));
            table_.values.push_back(narrow);
        }
    }

    void finish() {
        if (table_.size == 0) fail("neither LUT_1D_SIZE nor LUT_3D_SIZE is given");
        for (int i = 0; i < 3; ++i)
            if (!(table_.domain_max[i] > table_.domain_min[i]))
                fail(fmt::format("the domain of {} ends at {}, which is not above its start {}", "rgb"[i],
                                 table_.domain_max[i], table_.domain_min[i]),
                     domain_line_);
        if (found_ != rows_)
            fail(fmt::format("found {} rows, LUT_{}D_SIZE {} needs {}", found_, table_.dimensions,
                             table_.size, rows_),
                 size_line_);
        if (table_.dimensions == 1) separate_curves();
        pack(table_);
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

LookupTable read_cube(const std::string& file) {
    return CubeReader(file).read();
}

} // namespace weft::graph
