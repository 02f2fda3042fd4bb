#include "base/error.hpp"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <set>

namespace weft {

std::string Place::text() const {
    std::string out = file;
    if (line > 0) out += ":" + std::to_string(line);
    if (line > 0 && column > 0) out += ":" + std::to_string(column);
    return out;
}

Error::Error(ErrorKind kind, const std::string& message, Place place)
    : std::runtime_error(place.known() ? place.text() + ": " + message : message), kind_(kind),
      place_(std::move(place)), message_(message) {}

static std::string join_lines(const std::vector<Error>& errors) {
    std::string out;
    for (const Error& e : errors)
        out += (out.empty() ? "" : "\n") + std::string(e.what());
    return out;
}

Errors::Errors(std::vector<Error> errors)
    : Error(errors.empty() ? ErrorKind::internal : errors.front().kind(), join_lines(errors)),
      errors_(std::move(errors)) {}

std::vector<Error> told_once(std::vector<Error> errors) {
    std::set<std::string> told;
    std::erase_if(errors, [&](const Error& error) { return !told.insert(describe(error)).second; });
    return errors;
}

std::string describe(const std::exception& e) {
    std::string out = e.what();
    try {
        std::rethrow_if_nested(e);
    } catch (const std::exception& inner) {
        out += ": " + describe(inner);
    } catch (...) {
        out += ": unknown error";
    }
    return out;
}

int exit_status(const std::exception&) {
    return 2;
}

void fail_check(const char* expression, const char* file, int line) {
    throw Error(ErrorKind::internal, std::string("broken contract: ") + expression, Place{file, line, 0});
}

static int edit_distance(const std::string& a, const std::string& b) {
    std::vector<int> row(b.size() + 1);
    std::iota(row.begin(), row.end(), 0);
    for (size_t i = 1; i <= a.size(); ++i) {
        int diagonal = row[0];
        row[0] = static_cast<int>(i);
        for (size_t j = 1; j <= b.size(); ++j) {
            const bool same = std::tolower(static_cast<unsigned char>(a[i - 1])) ==
                              std::tolower(static_cast<unsigned char>(b[j - 1]));
            const int substitute = diagonal + (same ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({row[j] + 1, row[j - 1] + 1, substitute});
        }
    }
    return row.back();
}

std::string nearest_name(const std::string& word, const std::vector<std::string>& known) {
    std::string best;
    int best_distance = std::max(2, static_cast<int>(word.size()) / 3) + 1;
    for (const std::string& name : known) {
        const int distance = edit_distance(word, name);
        if (distance < best_distance) {
            best_distance = distance;
            best = name;
        }
    }
    return best;
}

} // namespace weft
