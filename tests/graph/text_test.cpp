// Times, colours as parameters, option strings.
#include <gtest/gtest.h>

#include "graph/pipeline_spec.hpp"

namespace weft::graph {
namespace {

std::string complaint(const std::function<void()>& action) {
    try {
        action();
    } catch (const Error& e) {
        return e.what();
    }
    return "";
}

TEST(Time, ReadsEveryForm) {
    EXPECT_EQ(parse_time("2.5s"), Rational(5, 2));
    EXPECT_EQ(parse_time("40ms"), Rational(1, 25));
    EXPECT_EQ(parse_time("250us"), Rational(1, 4000));
    EXPECT_EQ(parse_time("1:02.5"), Rational(125, 2));
    EXPECT_EQ(parse_time("01:00:00"), Rational(3600));
    EXPECT_EQ(parse_time("90"), Rational(90));
    EXPECT_EQ(parse_time(" .5 "), Rational(1, 2));
    EXPECT_EQ(parse_time("-40ms"), Rational(-1, 25));
    EXPECT_EQ(parse_time("12f", {}, Rational(24)), Rational(1, 2));
    EXPECT_EQ(parse_time("12f", {}, Rational(30000, 1001)), Rational(12 * 1001, 30000));
    EXPECT_EQ(parse_time("0.1"), Rational(1, 10)) << "exact, not the nearest double";
}

TEST(Time, RefusesEverythingElse) {
    for (const char* text : {"", "s", "1x", "1:60", "1:2:3:4", "1.5:00", "1e3", "nan", "--1", "1:-2",
                             "999999999999", "1..2", "0x10", "1/0"})
        EXPECT_NE(complaint([&] { parse_time(text); }), "") << text;
    EXPECT_EQ(complaint([] {
                  parse_time("2h", {"p.yaml", 3, 7});
              }),
              "p.yaml:3:7: time is '2h', expected such as 2.5s, 40ms, 1:02.5, 90 (seconds) or 12f (frames)");
    EXPECT_EQ(complaint([] { parse_time("12f"); }),
              "time '12f' counts frames, which needs a rate: give canvas.rate (--rate)");
}

TEST(Time, PrintsWhatItReads) {
    for (const Rational time : {Rational(0), Rational(5, 2), Rational(-1, 25), Rational(1001, 2500),
                                Rational(1, 3), Rational(3600), Rational(-7, 30)})
        EXPECT_EQ(parse_time(time_text(time)), time) << time_text(time);
    EXPECT_EQ(time_text(Rational(5, 2)), "2.5s");
    EXPECT_EQ(time_text(Rational(-1, 25)), "-0.04s");
}

std::vector<std::pair<std::string, std::string>> args(const std::string& text) {
    std::vector<std::pair<std::string, std::string>> out;
    for (const auto& [key, value] : parse_filter_string(text).args)
        out.emplace_back(key, std::get<std::string>(value));
    return out;
}
using Args = std::vector<std::pair<std::string, std::string>>;

TEST(FilterString, NamesAndPositionalValues) {
    EXPECT_EQ(parse_filter_string("hflip").name, "hflip");
    EXPECT_EQ(args("hflip"), Args{});
    EXPECT_EQ(args("eq=contrast=1.2:saturation=1.3"), (Args{{"contrast", "1.2"}, {"saturation", "1.3"}}));
    EXPECT_EQ(args("gblur=2"), (Args{{"", "2"}}));
    EXPECT_EQ(args("crop=100:50:x=3"), (Args{{"", "100"}, {"", "50"}, {"x", "3"}}));
    EXPECT_EQ(args("convolution=0 -1 0 -1 5 -1 0 -1 0:rdiv=1"),
              (Args{{"", "0 -1 0 -1 5 -1 0 -1 0"}, {"rdiv", "1"}}));
    EXPECT_EQ(args("convolution=0m=1 2 3"), (Args{{"0m", "1 2 3"}}));
    EXPECT_EQ(args("x=a="), (Args{{"a", ""}}));
}

// The rules of "Quoting and escaping" in ffmpeg-utils(1).
TEST(FilterString, QuotesAndEscapesAsFfmpeg) {
    EXPECT_EQ(args("lut3d=file='a:b.cube'"), (Args{{"file", "a:b.cube"}}));
    EXPECT_EQ(args("lut3d=file=a\\:b.cube:interp=nearest"),
              (Args{{"file", "a:b.cube"}, {"interp", "nearest"}}));
    EXPECT_EQ(args("lut3d=file=a\\\\b.cube"), (Args{{"file", "a\\b.cube"}}));
    EXPECT_EQ(args("lut3d=file=h\\'i.cube"), (Args{{"file", "h'i.cube"}}));
    EXPECT_EQ(args("lut3d=file='this is a '\\''quoted'\\'' name'"),
              (Args{{"file", "this is a 'quoted' name"}}));
    EXPECT_EQ(args("lut3d=file='a\\b'"), (Args{{"file", "a\\b"}})) << "inside quotes a backslash is itself";
    EXPECT_EQ(args("lut3d=file=  x y  :interp=a"), (Args{{"file", "x y"}, {"interp", "a"}}))
        << "outer blanks go";
    EXPECT_EQ(args("lut3d=file='  x '"), (Args{{"file", "  x "}})) << "quoted blanks stay";
    EXPECT_EQ(args("lut3d=file=x\\ "), (Args{{"file", "x "}})) << "escaped blanks stay";
}

TEST(FilterString, RefusesWhatHasNoNameOrEnd) {
    EXPECT_EQ(complaint([] {
                  parse_filter_string("=3", {"--filter", 0, 0});
              }),
              "--filter: '=3' is no filter, expected such as eq=contrast=1.2:saturation=1.3");
    EXPECT_EQ(complaint([] {
                  parse_filter_string("a=b='c", {"--filter", 0, 0});
              }),
              "--filter: 'a=b='c': a quote (') is opened and not closed");
}

TEST(FilterString, CommasSeparateFilters) {
    const auto chain = parse_filter_chain("eq=contrast=1.2,hflip,curves=all='0/0,a'");
    ASSERT_EQ(chain.size(), 3U);
    EXPECT_EQ(chain[0].name, "eq");
    EXPECT_EQ(chain[1].name, "hflip");
    EXPECT_EQ(std::get<std::string>(chain[2].args[0].second), "0/0,a");
    EXPECT_EQ(parse_filter_chain("convolution=0,-1,0,-1,5").size(), 1U)
        << "a comma before a number is the value's";
}

TEST(Transition, TakesItsDurationFromTheEnd) {
    const TransitionEntry plain = parse_transition("wipeleft:1s");
    EXPECT_EQ(plain.transition.name, "wipeleft");
    EXPECT_EQ(plain.duration, Rational(1));
    EXPECT_TRUE(plain.transition.args.empty());
    const TransitionEntry soft = parse_transition("wipeleft=softness=0.1:500ms");
    EXPECT_EQ(soft.duration, Rational(1, 2));
    ASSERT_EQ(soft.transition.args.size(), 1U);
    EXPECT_EQ(soft.transition.args[0].first, "softness");
    EXPECT_EQ(parse_transition("fade=duration=12f", Rational(24)).duration, Rational(1, 2));
    EXPECT_EQ(parse_transition("fade").duration, Rational(1)) << "one second by default";
    EXPECT_NE(complaint([] { parse_transition("fade:0"); }), "");
}

} // namespace
} // namespace weft::graph
