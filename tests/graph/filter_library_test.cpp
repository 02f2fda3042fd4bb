// Manifests, the lint of kernel text, and how a user's filter is checked against its manifest.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "graph/filter_library.hpp"

namespace weft::graph {
namespace {

namespace fs = std::filesystem;

using Lines = std::vector<std::string>;

class FilterFolder : public ::testing::Test {
  protected:
    void SetUp() override {
        std::string name = (fs::temp_directory_path() / "weft_filters_XXXXXX").string();
        ASSERT_NE(mkdtemp(name.data()), nullptr);
        temp_ = name;
    }
    void TearDown() override { fs::remove_all(temp_); }

    void write(const std::string& file, const std::string& text) {
        const fs::path path = folder() / file;
        fs::create_directories(path.parent_path());
        std::ofstream(path) << text;
    }
    fs::path folder() const { return temp_ / "filters"; }

    // Problems of loading, with the temporary folder's name cut off.
    Lines problems() const {
        try {
            FilterLibrary library({folder()});
        } catch (const Errors& e) {
            Lines out;
            for (const Error& one : e.all()) {
                std::string text = one.what();
                if (text.starts_with(folder().string() + "/")) text.erase(0, folder().string().size() + 1);
                out.push_back(text);
            }
            return out;
        }
        return {};
    }

    void write_tint() {
        write("picture/tint.yaml",
              "filter: tint\n"
              "summary: Try every type.\n"
              "params:\n"
              "  strength: {type: float, default: 0.5, range: [0, 1], aliases: [s]}\n"
              "  count: {type: int, default: 3, range: [1, ~]}\n"
              "  on: {type: bool, default: true}\n"
              "  mode: {type: enum, default: soft, options: [soft, hard]}\n"
              "  tone: {type: colour, default: red}\n"
              "  begin: {type: time, default: 1:30}\n"
              "  table: {type: file}\n"
              "  shape: {type: curve, default: 0/0 1/1}\n"
              "  weights: {type: list, default: [1, 2], range: [-5, 5]}\n"
              "  width: {type: expression, default: in_w / 2}\n"
              "derived: {twice: strength * 2, all: twice + count + weights_count + tone_r}\n"
              "neutral: {strength: 0}\n");
        write("picture/tint.cl", "Px apply(Px px, At at, Params p) { return px; }\n");
    }

    fs::path temp_;
};

std::optional<FilterUse> use(const FilterLibrary& library, const std::string& text, Lines& complaints,
                             FilterKind kind = FilterKind::picture) {
    std::vector<Error> errors;
    auto out = library.use(kind, parse_filter_string(text), errors);
    for (const Error& e : errors)
        complaints.emplace_back(e.what());
    return out;
}

TEST_F(FilterFolder, ReadsAManifest) {
    write("picture/falloff.yaml",
          "filter: falloff\n"
          "summary: Darken towards the corners.\n"
          "help: Long text.\n"
          "reads: {window: ceil(strength * 3)}\n"
          "space: rgb\n"
          "light: linear\n"
          "alpha: premultiplied\n"
          "clamp: true\n"
          "params:\n"
          "  strength: {type: float, default: 0.4, range: [0, 1], unit: ratio, help: loss}\n"
          "derived: {k: strength * 2}\n"
          "neutral: {strength: 0}\n"
          "affine: [1, 0, 0, k, 0, 1, 0, k, 0, 0, 1, k]\n"
          "affine_when: strength > 0\n");
    write("picture/falloff.cl", "static float falloff_part(float x) { return x; }\n"
                                "Px apply(Px px, At at, Params p) { return px; }\n");
    const FilterManifest m = load_manifest(folder() / "picture/falloff.yaml", FilterKind::picture);
    EXPECT_EQ(m.name, "falloff");
    EXPECT_EQ(m.help, "Long text.");
    EXPECT_EQ(m.reads, Reads::window);
    EXPECT_EQ(m.radius, "ceil(strength * 3)");
    EXPECT_EQ(m.space, Space::rgb);
    EXPECT_EQ(m.light, LightNeed::linear);
    EXPECT_EQ(m.alpha, AlphaNeed::premultiplied);
    EXPECT_TRUE(m.clamp);
    ASSERT_EQ(m.params.size(), 1U);
    EXPECT_EQ(std::get<double>(m.params[0].default_value), 0.4);
    EXPECT_EQ(m.params[0].max, 1);
    EXPECT_EQ(m.params[0].unit, "ratio");
    EXPECT_EQ(m.derived[0], std::pair(std::string("k"), std::string("strength * 2")));
    EXPECT_EQ(m.neutral.at("strength"), "0");
    ASSERT_TRUE(m.affine_matrix);
    EXPECT_EQ((*m.affine_matrix)[3], "k");
    EXPECT_EQ(m.affine_when, "strength > 0");
    EXPECT_NE(m.text.find("falloff_part"), std::string::npos);
}

TEST_F(FilterFolder, ReportsEveryProblemOfAManifest) {
    write("picture/bad.yaml", "filter: worse\n"
                              "reads: all\n"
                              "spce: rgb\n"
                              "params:\n"
                              "  a: {type: flot, default: 1}\n"
                              "  b: {type: float, default: 2, range: [0, 1]}\n"
                              "  c: {type: enum, default: x}\n"
                              "  d: {type: int}\n"
                              "  9e: {type: float, default: 0}\n"
                              "derived: {k: b +, b: 1}\n"
                              "neutral: {z: 1, b: q}\n"
                              "affine_plane: [b]\n");
    EXPECT_EQ(
        problems(),
        (Lines{
            "picture/bad.yaml:1:9: filter is 'worse', but the file is named 'bad'",
            "picture/bad.yaml:1:1: filter 'bad': 'summary' is missing",
            "picture/bad.yaml:2:8: filter 'bad': reads is 'all', allowed: pixel, anywhere, {window: radius}",
            "picture/bad.yaml:5:13: filter 'bad': a: type is 'flot', allowed: float, int, bool, enum, "
            "colour, "
            "time, file, curve, list, expression",
            "picture/bad.yaml:6:29: filter 'bad': default: b is 2, allowed 0..1",
            "picture/bad.yaml:7:6: filter 'bad': c: an enum needs 'options'",
            "picture/bad.yaml:7:28: filter 'bad': default: c is 'x', allowed: ",
            "picture/bad.yaml:8:6: filter 'bad': d: give a 'default' or say 'required: true'",
            "picture/bad.yaml:9:3: filter 'bad': parameter '9e' is no C name",
            "picture/bad.yaml:10:14: filter 'bad': derived k 'b +': unfinished",
            "picture/bad.yaml:10:19: filter 'bad': derived name 'b' is no C name or a parameter's",
            "picture/bad.yaml:11:11: filter 'bad': neutral: no parameter 'z', did you mean 'a'?",
            "picture/bad.yaml:11:20: filter 'bad': neutral b 'q': unknown name 'q', did you mean 'w'?",
            "picture/bad.yaml:12:15: filter 'bad': affine_plane must be 2 expressions",
            "picture/bad.yaml:3:1: filter: unknown key 'spce', did you mean 'space'?",
            "picture/bad.yaml:1:1: filter 'bad': no kernel text bad.cl beside it",
        }));
}

TEST_F(FilterFolder, TheLintFindsWhatIsSlowOrClashes) {
    write("picture/slow.yaml", "filter: slow\nsummary: s\n");
    write("picture/slow.cl", "// pow(1, 2) in a comment is fine\n"
                             "#define HELP 1\n"
                             "#define slow_table 3\n"
                             "__constant float slow_values[2] = {1.0f, 2.0f}, other = 3;\n"
                             "static float helper(float x) { return exp(x); }\n"
                             "struct thing { float a; };\n"
                             "Px apply(Px px, At at, Params p) {\n"
                             "    float4 v;\n"
                             "    float pow = 1.0e3f; /* a name, not a call */\n"
                             "    switch (1) { default: break; }\n"
                             "    for (int i = 0; i < 3; i++) px.r += sin(px.r) * wf_pow(px.g, 2.0f);\n"
                             "    return px;\n"
                             "}\n");
    EXPECT_EQ(
        problems(),
        (Lines{
            "picture/slow.cl:2:9: filter 'slow': 'HELP' at file scope must begin with 'slow', as filters "
            "share "
            "one program",
            "picture/slow.cl:4:49: filter 'slow': 'other' at file scope must begin with 'slow', as filters "
            "share one program",
            "picture/slow.cl:5:14: filter 'slow': 'helper' at file scope must begin with 'slow', as filters "
            "share one program",
            "picture/slow.cl:5:39: filter 'slow': 'exp' is slow on CPU devices, use wf_exp",
            "picture/slow.cl:6:8: filter 'slow': 'thing' at file scope must begin with 'slow', as filters "
            "share "
            "one program",
            "picture/slow.cl:8:5: filter 'slow': 'float4' arithmetic is slow on CPU devices, use floats or "
            "Px "
            "and its helpers",
            "picture/slow.cl:10:5: filter 'slow': 'switch' keeps the compiler from vectorising, use ?: or if",
            "picture/slow.cl:11:41: filter 'slow': 'sin' is slow on CPU devices, use wf_sin",
        }));
    write("picture/slow.cl", "Px slow_apply(Px px, At at, Params p) { return px; }\n");
    EXPECT_EQ(problems(), Lines{"picture/slow.cl:1:1: filter 'slow': has no function 'apply'"});
}

TEST_F(FilterFolder, DefaultsFillAUse) {
    write_tint();
    const FilterLibrary library({folder()});
    Lines complaints;
    const auto out = use(library, "tint", complaints);
    ASSERT_TRUE(out) << complaints.front();
    EXPECT_EQ(std::get<double>(out->values.at("strength")), 0.5);
    EXPECT_EQ(std::get<double>(out->values.at("on")), 1);
    EXPECT_EQ(std::get<double>(out->values.at("mode")), 0);
    EXPECT_EQ(std::get<std::vector<double>>(out->values.at("tone")), (std::vector<double>{1, 0, 0, 1}));
    EXPECT_EQ(std::get<double>(out->values.at("begin")), 90);
    EXPECT_EQ(std::get<std::string>(out->values.at("table")), "");
    EXPECT_EQ(std::get<std::vector<double>>(out->values.at("shape")), (std::vector<double>{0, 0, 1, 1}));
    EXPECT_EQ(std::get<std::string>(out->values.at("width")), "in_w / 2");
    const auto values = evaluate_params(*out, {{"lo", 16.0}});
    EXPECT_EQ(values.at("twice"), 1);
    EXPECT_EQ(values.at("all"), 1 + 3 + 2 + 1);
    EXPECT_EQ(values.at("lo"), 16);
}

TEST_F(FilterFolder, ReadsEveryTypeOfValue) {
    write_tint();
    const FilterLibrary library({folder()});
    Lines complaints;
    const auto out = use(library,
                         "tint=s=.25:count=7:on=no:mode=hard:tone=0x80ff00@0.5:begin=40ms:table=x.cube:"
                         "shape=0/0.1 0.5/0.6 1/1:weights=0 -1 5:width=in_w-10",
                         complaints);
    ASSERT_TRUE(out) << complaints.front();
    EXPECT_EQ(std::get<double>(out->values.at("strength")), 0.25) << "by its alias";
    EXPECT_EQ(std::get<double>(out->values.at("on")), 0);
    EXPECT_EQ(std::get<double>(out->values.at("mode")), 1);
    EXPECT_EQ(std::get<std::vector<double>>(out->values.at("tone")),
              (std::vector<double>{128.0 / 255, 1, 0, 0.5}));
    EXPECT_EQ(std::get<double>(out->values.at("begin")), 0.04);
    EXPECT_EQ(std::get<std::string>(out->values.at("table")), "x.cube");
    EXPECT_EQ(std::get<std::vector<double>>(out->values.at("shape")),
              (std::vector<double>{0, 0.1, 0.5, 0.6, 1, 1}));
    EXPECT_EQ(std::get<std::vector<double>>(out->values.at("weights")), (std::vector<double>{0, -1, 5}));

    const auto positional = use(library, "tint=0.125:9:on=0", complaints);
    ASSERT_TRUE(positional);
    EXPECT_EQ(std::get<double>(positional->values.at("count")), 9);
    const auto constant = use(library, "tint=PI/4", complaints);
    ASSERT_TRUE(constant);
    EXPECT_NEAR(std::get<double>(constant->values.at("strength")), 0.785398163, 1e-9);
}

TEST_F(FilterFolder, ColoursInAllTheirForms) {
    write_tint();
    const FilterLibrary library({folder()});
    const auto tone = [&](const std::string& text) {
        Lines complaints;
        const auto out = use(library, "tint=tone='" + text + "'", complaints);
        return out ? std::get<std::vector<double>>(out->values.at("tone")) : std::vector<double>{};
    };
    using V = std::vector<double>;
    EXPECT_EQ(tone("white"), (V{1, 1, 1, 1}));
    EXPECT_EQ(tone("Orange"), (V{1, 165.0 / 255, 0, 1})) << "CSS Color 4, section 6.1";
    EXPECT_EQ(tone("#f80"), (V{1, 136.0 / 255, 0, 1}));
    EXPECT_EQ(tone("#ff8000"), (V{1, 128.0 / 255, 0, 1}));
    EXPECT_EQ(tone("#ff800080"), (V{1, 128.0 / 255, 0, 128.0 / 255}));
    EXPECT_EQ(tone("0xFF8000"), (V{1, 128.0 / 255, 0, 1}));
    EXPECT_EQ(tone("red@0.5"), (V{1, 0, 0, 0.5}));
    EXPECT_EQ(tone("transparent"), (V{0, 0, 0, 0})) << "CSS Color 4, section 6.3";
    EXPECT_EQ(tone("red@0x80"), (V{1, 0, 0, 128.0 / 255}));
    for (const char* bad : {"", "redd", "#ff80", "#gg0000", "0xfff", "red@2", "red@", "#-12345"})
        EXPECT_EQ(tone(bad), V{}) << bad;
}

TEST_F(FilterFolder, WrongValuesAreNamedWithWhatIsAllowed) {
    write_tint();
    write("transition/slip.yaml", "filter: slip\nsummary: s\n");
    write("transition/slip.cl", "Px apply(Px a, Px b, At at, Params p) { return a; }\n");
    const FilterLibrary library({folder()});
    const auto complaint = [&](const std::string& text) {
        Lines lines;
        EXPECT_FALSE(use(library, text, lines)) << text;
        return lines.size() == 1 ? lines[0] : "not one complaint";
    };
    EXPECT_EQ(complaint("tint=strength=1.7"), "filter 'tint': strength is 1.7, allowed 0..1");
    EXPECT_EQ(complaint("tint=strength=x"), "filter 'tint': strength is 'x', expected a number");
    EXPECT_EQ(complaint("tint=strength=nan"), "filter 'tint': strength is 'nan', expected a number");
    EXPECT_EQ(complaint("tint=strength="), "filter 'tint': strength is '', expected a number");
    EXPECT_EQ(complaint("tint=count=0"), "filter 'tint': count is 0, allowed at least 1");
    EXPECT_EQ(complaint("tint=count=1.5"), "filter 'tint': count is 1.5, expected a whole number");
    EXPECT_EQ(complaint("tint=on=maybe"), "filter 'tint': on is 'maybe', allowed: true, false");
    EXPECT_EQ(complaint("tint=mode=hart"),
              "filter 'tint': mode is 'hart', allowed: soft, hard; did you mean 'hard'?");
    EXPECT_EQ(complaint("tint=weights=0 9"), "filter 'tint': weights has 9 at position 2, allowed -5..5");
    EXPECT_EQ(complaint("tint=shape=0/0 1"), "filter 'tint': shape has 3 numbers, expected pairs");
    EXPECT_EQ(complaint("tint=shape=1/0 0/1"), "filter 'tint': shape has x 0 behind x 1, expected rising x");
    EXPECT_EQ(complaint("tint=strenght=1"),
              "filter 'tint': has no parameter 'strenght', did you mean 'strength'?");
    EXPECT_EQ(complaint("tint=s=1:strength=1"), "filter 'tint': strength is given twice");
    EXPECT_EQ(complaint("tint=s=1:3"), "filter 'tint': a value without a name stands behind a named one");
    EXPECT_EQ(complaint("tnt"), "no filter 'tnt', did you mean 'tint'?");
    EXPECT_EQ(complaint("slip"), "'slip' is a transition, expected a filter");
    EXPECT_EQ(complaint("tint=width=in_w+"), "filter 'tint': width is 'in_w+': unfinished");
}

TEST_F(FilterFolder, RelativeFilesBelongToThePipeline) {
    write_tint();
    const FilterLibrary library({folder()});
    FilterSpec spec;
    spec.name = "tint";
    spec.args = {{"table", std::string("luts/a.cube")}};
    spec.arg_places = {Place{"shows/p.yaml", 3, 9}};
    std::vector<Error> errors;
    const auto out = library.use(FilterKind::picture, spec, errors);
    ASSERT_TRUE(out);
    EXPECT_EQ(std::get<std::string>(out->values.at("table")), "shows/luts/a.cube");
}

TEST_F(FilterFolder, LaterFoldersReplaceEarlierFilters) {
    write_tint();
    const fs::path mine = temp_ / "mine";
    fs::create_directories(mine / "picture");
    std::ofstream(mine / "picture/tint.yaml") << "filter: tint\nsummary: Mine.\n";
    std::ofstream(mine / "picture/tint.cl") << "Px apply(Px px, At at, Params p) { return px; }\n";
    const FilterLibrary library({folder(), mine, temp_ / "absent"});
    ASSERT_EQ(library.all().size(), 1U);
    EXPECT_EQ(library.find(FilterKind::picture, "tint")->summary, "Mine.");
    EXPECT_EQ(library.find(FilterKind::transition, "tint"), nullptr);
}

TEST(BuiltInFilters, AllLoad) {
    const FilterLibrary library({std::string(WEFT_SOURCE_DIR) + "/filters"});
    EXPECT_GE(library.all().size(), 25U);
    for (const auto& manifest : library.all()) {
        std::vector<Error> errors;
        FilterSpec spec;
        spec.name = manifest->name;
        for (const ParamSpec& param : manifest->params)
            if (param.required) spec.args.emplace_back(param.name, std::string("x"));
        spec.arg_places.resize(spec.args.size());
        EXPECT_TRUE(library.use(manifest->kind, spec, errors)) << manifest->name;
    }
}

TEST(Expression, EvaluatesInDouble) {
    EXPECT_EQ(evaluate("a * 2 + 1", {{"a", 0.1}}), 0.1 * 2 + 1);
    EXPECT_EQ(evaluate("floor(2.7) + ceil(0.2) + clamp(9, 0, 4)", {}), 7);
    EXPECT_EQ(evaluate("x > 0 ? 3 : 4", {{"x", 0}}), 4);
    EXPECT_EQ(evaluate("round(2.5) + mod(7, 4) + pow(2, 3)", {}), 3 + 3 + 8);
    try {
        evaluate("a + b", {{"a", 1}});
        FAIL();
    } catch (const Error& e) {
        EXPECT_EQ(e.kind(), ErrorKind::bad_input);
        EXPECT_NE(e.message().find("expression 'a + b'"), std::string::npos);
    }
}

} // namespace
} // namespace weft::graph
