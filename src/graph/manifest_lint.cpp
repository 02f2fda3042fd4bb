#include "graph/manifest_lint_private.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

#include "graph/text_private.hpp"

namespace weft::graph {
namespace {

struct Token {
    std::string_view text; // a word, or one character of anything else
    Place place;
    bool word = false;
    bool directive = false; // stands in a preprocessor line
};

struct Advice {
    std::string_view name;
    std::string_view instead;
};

// Price on a CPU device against the stand-in: pow 185 times, exp2 17, log2 12, sin 32, atan2 56, hypot 69,
// fmod 21.
constexpr std::array dear_calls{
    Advice{"pow", "wf_pow"},
    Advice{"powr", "wf_pow"},
    Advice{"pown", "wf_pow or a product"},
    Advice{"rootn", "wf_pow"},
    Advice{"native_powr", "wf_pow"},
    Advice{"exp", "wf_exp"},
    Advice{"exp2", "wf_exp2"},
    Advice{"exp10", "wf_exp2(x * 3.32192809f)"},
    Advice{"native_exp2", "wf_exp2"},
    Advice{"log", "wf_log"},
    Advice{"log2", "wf_log2"},
    Advice{"log10", "wf_log2(x) * 0.301029996f"},
    Advice{"sin", "wf_sin"},
    Advice{"cos", "wf_cos"},
    Advice{"tan", "wf_sin(x) / wf_cos(x)"},
    Advice{"sincos", "wf_sin and wf_cos"},
    Advice{"atan", "wf_atan2(x, 1.0f)"},
    Advice{"atan2", "wf_atan2"},
    Advice{"hypot", "wf_hypot"},
    Advice{"fmod", "x - y * trunc(x / y)"},
    Advice{"length", "wf_hypot or sqrt of a sum"},
};

constexpr std::array<std::string_view, 4> vectors{"float3", "float4", "float8", "float16"};

class Scanner {
  public:
    Scanner(const std::string& text, const std::string& file) : text_(text), file_(file) {}

    std::vector<Token> tokens() {
        std::vector<Token> out;
        while (at_ < text_.size()) {
            const char c = text_[at_];
            if (c == '\n') {
                if (at_ == 0 || text_[at_ - 1] != '\\') directive_ = false;
                step();
            } else if (std::isspace(static_cast<unsigned char>(c))) {
                step();
            } else if (starts("//")) {
                while (at_ < text_.size() && text_[at_] != '\n')
                    step();
            } else if (starts("/*")) {
                step(2);
                while (at_ < text_.size() && !starts("*/"))
                    step();
                step(2);
            } else if (c == '"' || c == '\'') {
                step();
                while (at_ < text_.size() && text_[at_] != c && text_[at_] != '\n')
                    step(text_[at_] == '\\' ? 2 : 1);
                step();
            } else {
                out.push_back(next());
            }
        }
        return out;
    }

  private:
    bool starts(std::string_view what) const { return std::string_view(text_).substr(at_).starts_with(what); }

    void step(size_t count = 1) {
        for (; count > 0 && at_ < text_.size(); --count, ++at_) {
            if (text_[at_] == '\n') {
                ++line_;
                column_ = 1;
            } else {
                ++column_;
            }
        }
    }

    Token next() {
        const char first = text_[at_];
        if (first == '#') directive_ = true;
        Token out{{}, {file_, line_, column_}, false, directive_};
        const size_t begin = at_;
        const auto in_word = [&](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
        if (in_word(first)) {
            // A number such as 1.0f or 1e-3f is one token too, so that its suffix is not taken for a name.
            const bool number = std::isdigit(static_cast<unsigned char>(first)) != 0;
            while (at_ < text_.size() && (in_word(text_[at_]) || (number && text_[at_] == '.')))
                step();
            out.word = !number;
        } else {
            step();
        }
        out.text = std::string_view(text_).substr(begin, at_ - begin);
        return out;
    }

    const std::string& text_;
    const std::string& file_;
    size_t at_ = 0;
    int line_ = 1, column_ = 1;
    bool directive_ = false;
};

class Lint {
  public:
    Lint(const std::vector<Token>& tokens, const std::string& filter, std::vector<Error>& errors)
        : tokens_(tokens), filter_(filter), errors_(errors) {}

    void run(const std::string& file) {
        for (size_t i = 0; i < tokens_.size(); ++i) {
            check_words(i);
            check_names(i);
            follow_depth(tokens_[i]);
        }
        if (!has_apply_) complain({file, 1, 1}, "has no function 'apply'");
    }

  private:
    void complain(const Place& place, const std::string& problem) {
        errors_.emplace_back(ErrorKind::bad_input, "filter '" + filter_ + "': " + problem, place);
    }

    std::string_view peek(size_t i) const {
        return i < tokens_.size() ? tokens_[i].text : std::string_view();
    }

    void check_words(size_t i) {
        const Token& token = tokens_[i];
        if (!token.word) return;
        const auto dear = std::find_if(dear_calls.begin(), dear_calls.end(),
                                       [&](const Advice& advice) { return advice.name == token.text; });
        if (dear != dear_calls.end() && peek(i + 1) == "(")
            complain(token.place, "'" + std::string(dear->name) + "' is slow on CPU devices, use " +
                                      std::string(dear->instead));
        if (token.text == "switch")
            complain(token.place, "'switch' keeps the compiler from vectorising, use ?: or if");
        if (std::find(vectors.begin(), vectors.end(), token.text) != vectors.end())
            complain(token.place,
                     "'" + std::string(token.text) +
                         "' arithmetic is slow on CPU devices, use floats or Px and its helpers");
        if (token.text == "include" && i > 0 && peek(i - 1) == "#")
            complain(token.place, "'#include' has no folder to look in; the prelude is there already");
    }

    // A word at file scope declares a name when what follows opens a function, an array, a value or ends it.
    void check_names(size_t i) {
        const Token& token = tokens_[i];
        if (!token.word) return;
        if (token.directive) {
            if (i > 0 && peek(i - 1) == "define") check_prefix(token);
            return;
        }
        if (braces_ > 0 || parens_ > 0 || token.text.starts_with("__")) return;
        const std::string_view after = peek(i + 1);
        const std::string_view before = i > 0 ? peek(i - 1) : std::string_view();
        const bool tag = before == "struct" || before == "enum" || before == "union";
        if (token.text == "apply" && after == "(") {
            has_apply_ = true;
            return;
        }
        if (after == "(" || after == "[" || after == "=" || after == ";" || after == "," ||
            (tag && after == "{"))
            if (!in_value_) check_prefix(token);
    }

    void check_prefix(const Token& token) {
        if (lower_case(std::string(token.text)).starts_with(lower_case(filter_))) return;
        complain(token.place, "'" + std::string(token.text) + "' at file scope must begin with '" + filter_ +
                                  "', as filters share one program");
    }

    void follow_depth(const Token& token) {
        if (token.directive || token.word) return;
        if (token.text == "{") ++braces_;
        if (token.text == "}") --braces_;
        if (token.text == "(") ++parens_;
        if (token.text == ")") --parens_;
        if (braces_ == 0 && parens_ == 0) {
            if (token.text == "=") in_value_ = true;
            if (token.text == ";" || token.text == "}") in_value_ = false;
        }
    }

    const std::vector<Token>& tokens_;
    const std::string& filter_;
    std::vector<Error>& errors_;
    int braces_ = 0, parens_ = 0;
    bool in_value_ = false, has_apply_ = false;
};

} // namespace

void lint_kernel_text(const std::string& text, const std::string& filter, const std::string& file,
                      std::vector<Error>& errors) {
    const std::vector<Token> tokens = Scanner(text, file).tokens();
    Lint(tokens, filter, errors).run(file);
}

} // namespace weft::graph
