#include "graph/text_cost_private.hpp"

#include <array>
#include <cctype>

namespace weft::graph {
namespace {

constexpr int deepest_call = 16; // OpenCL C has no recursion; a wrong text may

bool in_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// Without comments and lines for the preprocessor.
std::string bare(std::string_view text) {
    std::string out;
    bool line_begins = true;
    for (size_t i = 0; i < text.size(); ++i) {
        if (text.substr(i, 2) == "//" || (line_begins && text[i] == '#')) {
            while (i < text.size() && (text[i] != '\n' || (i > 0 && text[i - 1] == '\\')))
                ++i;
        } else if (text.substr(i, 2) == "/*") {
            i = std::min(text.find("*/", i + 2), text.size() - 2) + 2;
        }
        if (i >= text.size()) break;
        line_begins = text[i] == '\n' || (line_begins && text[i] == ' ');
        out += text[i];
    }
    return out;
}

// The word that ends before `end`, spaces left out; "" when there is none.
std::string word_before(const std::string& text, size_t end) {
    while (end > 0 && std::isspace(static_cast<unsigned char>(text[end - 1])) != 0)
        --end;
    size_t begin = end;
    while (begin > 0 && in_word(text[begin - 1]))
        --begin;
    return text.substr(begin, end - begin);
}

// Whether the operator at `i` stands between two values: no sign, no pointer, no ++.
bool is_binary(const std::string& text, size_t i) {
    const char c = text[i], next = i + 1 < text.size() ? text[i + 1] : '\0';
    if (next == c || (i > 0 && text[i - 1] == c) || (c == '-' && next == '>')) return false;
    if (c == '*' && i > 0 && in_word(text[i - 1]) && !in_word(next)) return false; // "float* p"
    size_t before = i;
    while (before > 0 && std::isspace(static_cast<unsigned char>(text[before - 1])) != 0)
        --before;
    if (before == 0 || word_before(text, before) == "return") return false;
    const char last = text[before - 1];
    return in_word(last) || last == ')' || last == ']' || last == '.';
}

bool is_call(const std::string& name) {
    for (const char* word : {"if", "for", "while", "switch", "return", "sizeof"})
        if (name == word) return false;
    return !name.empty() && std::isdigit(static_cast<unsigned char>(name[0])) == 0;
}

} // namespace

TextCost::Functions TextCost::functions_of(std::string_view all) {
    const std::string text = bare(all);
    Functions out;
    for (size_t open = text.find('{'); open != std::string::npos; open = text.find('{', open)) {
        size_t close = open;
        for (int depth = 0; close < text.size(); ++close) {
            depth += text[close] == '{' ? 1 : text[close] == '}' ? -1 : 0;
            if (depth == 0) break;
        }
        size_t end = open;
        while (end > 0 && std::isspace(static_cast<unsigned char>(text[end - 1])) != 0)
            --end;
        if (end > 0 && text[end - 1] == ')') { // else a struct
            size_t begin = end;
            for (int depth = 0; begin > 0;) {
                --begin;
                depth += text[begin] == ')' ? 1 : text[begin] == '(' ? -1 : 0;
                if (depth == 0) break;
            }
            out[word_before(text, begin)] = text.substr(open, close - open);
        }
        open = close;
    }
    return out;
}

double TextCost::of_body(const std::string& body, const Functions& own, int depth) const {
    double sum = 0;
    for (size_t i = 0; i < body.size(); ++i) {
        const char c = body[i];
        if ((c == '+' || c == '-' || c == '*' || c == '/') && is_binary(body, i)) ++sum;
        if (c != '(') continue;
        const std::string name = word_before(body, i);
        if (is_call(name)) sum += of_call(name, own, depth + 1);
    }
    return sum;
}

double TextCost::of_call(const std::string& name, const Functions& own, int depth) const {
    if (depth > deepest_call) return 0;
    for (const Functions* functions : {&own, &prelude_})
        if (const auto found = functions->find(name); found != functions->end())
            return of_body(found->second, own, depth);
    return 1;
}

double TextCost::of(const std::string& function) const {
    return of_call(function, {}, 0);
}

double TextCost::of(const FilterManifest& manifest) const {
    return manifest.text.empty() ? 0 : of_call("apply", functions_of(manifest.text), 0);
}

bool reads_place(const std::string& all) {
    const std::string text = bare(all);
    const auto word_from = [&](size_t i) {
        size_t end = i;
        while (end < text.size() && in_word(text[end]))
            ++end;
        return text.substr(i, end - i);
    };
    for (size_t i = 0; i < text.size(); ++i) {
        if (!in_word(text[i]) || (i > 0 && in_word(text[i - 1]))) continue;
        if (word_from(i) != "at") continue;
        if (word_before(text, i) == "At") continue; // its declaration
        const size_t next = i + 2;
        bool known = false;
        if (next < text.size() && text[next] == '.') {
            const std::string member = word_from(next + 1);
            for (const char* name : {"c", "lo", "mid", "hi", "t", "n", "progress"})
                known = known || member == name;
        } else if (next < text.size() && text[next] == ')' && i > 0 && text[i - 1] == '(') {
            const std::string function = word_before(text, i - 1);
            known = function == "wf_is_chroma" || function == "wf_zero" || function == "wf_white";
        }
        if (!known) return true;
    }
    return false;
}

} // namespace weft::graph
