#include "graph/expression_private.hpp"

#include <cmath>
#include <map>

#include <muParser.h>

#include "graph/filter_library.hpp"
#include "graph/text_private.hpp"

namespace weft::graph {
namespace {

double clamp(double x, double low, double high) {
    return std::fmin(std::fmax(x, low), high);
}
double mix(double a, double b, double t) {
    return a + (b - a) * t;
}
double power(double a, double b) {
    return std::pow(a, b);
}
double modulo(double a, double b) {
    return std::fmod(a, b);
}
double round_half_away(double x) {
    return std::round(x);
}
double round_down(double x) {
    return std::floor(x);
}
double round_up(double x) {
    return std::ceil(x);
}
double truncate(double x) {
    return std::trunc(x);
}

mu::Parser make_parser(const std::string& expression) {
    mu::Parser parser;
    parser.DefineFun("clamp", clamp);
    parser.DefineFun("mix", mix);
    parser.DefineFun("pow", power);
    parser.DefineFun("mod", modulo);
    parser.DefineFun("round", round_half_away);
    parser.DefineFun("floor", round_down);
    parser.DefineFun("ceil", round_up);
    parser.DefineFun("trunc", truncate);
    parser.DefineConst("pi", M_PI);
    parser.DefineConst("PI", M_PI);
    parser.SetExpr(expression);
    return parser;
}

// The library's own sentence, but for what a reader meets most.
std::string problem_text(const mu::ParserError& e) {
    switch (e.GetCode()) {
    case mu::ecUNEXPECTED_EOF:
        return "unfinished";
    case mu::ecMISSING_PARENS:
        return "a bracket is opened and not closed";
    case mu::ecUNASSIGNABLE_TOKEN:
        return "unknown name '" + e.GetToken() + "'";
    default:
        return e.GetMsg();
    }
}

} // namespace

std::optional<std::string> check_expression(const std::string& expression,
                                            const std::vector<std::string>& variables) {
    std::map<std::string, double> values;
    for (const std::string& name : variables)
        if (is_identifier(name)) values[name] = 1;
    try {
        mu::Parser parser = make_parser(expression);
        for (const auto& [name, unused] : parser.GetUsedVar())
            if (!values.contains(name)) return "unknown name '" + name + "'" + suggestion(name, variables);
        for (auto& [name, value] : values)
            parser.DefineVar(name, &value);
        // The value is of no interest; evaluating finds the errors of syntax that the scan for names skips.
        parser.Eval();
    } catch (const mu::ParserError& e) {
        return problem_text(e);
    }
    return std::nullopt;
}

std::optional<std::string> check_syntax(const std::string& expression) {
    std::vector<std::string> names;
    try {
        mu::Parser parser = make_parser(expression);
        for (const auto& [name, unused] : parser.GetUsedVar())
            names.push_back(name);
    } catch (const mu::ParserError& e) {
        return problem_text(e);
    }
    return check_expression(expression, names);
}

double evaluate(const std::string& expression, const std::map<std::string, double>& variables) {
    std::map<std::string, double> values = variables; // muparser wants addresses it could write to
    try {
        mu::Parser parser = make_parser(expression);
        for (auto& [name, value] : values)
            parser.DefineVar(name, &value);
        return parser.Eval();
    } catch (const mu::ParserError& e) {
        throw Error(ErrorKind::bad_input, "expression '" + expression + "': " + problem_text(e));
    }
}

} // namespace weft::graph
