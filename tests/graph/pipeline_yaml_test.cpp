// Pipeline files: what is read, and that every problem is reported where it stands.
#include <gtest/gtest.h>

#include "graph/pipeline_spec.hpp"
#include "support/complaints.hpp"

namespace weft::graph {
namespace {

std::vector<std::string> problems(const std::string& text) {
    return test::complaints([&] { parse_pipeline(text, "p.yaml"); });
}

using Lines = std::vector<std::string>;

const char* const two_up = R"(weft: 1
canvas: {size: 1920x1080, rate: 30, background: "#101010"}
inputs:
  left:  {url: left.mp4, start: 2.5s, offset: 40ms, end: loop, volume: -6dB}
  right: {url: right.mp4}
  logo:  {url: logo.png}
tracks:
  show:
    - {play: left, for: 5s, filters: [{eq: {saturation: 1.2}}]}
    - {transition: wipeleft, duration: 1s, softness: 0.1, ease: cubic}
    - {play: right}
layers:
  - {from: show, fit: cover}
  - {from: right, rect: [1280, 60, 576, 324], filters: [{gblur: {sigma: 2}}, {unsharp: {amount: 0.8}}]}
  - {from: logo, rect: [40, 40, 160, 90], opacity: 0.8, blend: screen}
outputs:
  - {window: {}}
  - {file: out.mp4, video: {codec: libx264, crf: 18, tune: grain}, audio: {codec: aac}}
)";

TEST(PipelineYaml, ReadsTheDesignsExample) {
    const PipelineSpec spec = parse_pipeline(two_up, "shows/two_up.yaml");
    EXPECT_EQ(spec.canvas.size, std::pair(1920, 1080));
    EXPECT_EQ(spec.canvas.rate, Rational(30));
    EXPECT_DOUBLE_EQ(spec.canvas.background.r, 16.0 / 255);

    ASSERT_EQ(spec.inputs.size(), 3U);
    const InputSpec& left = spec.inputs[0];
    EXPECT_EQ(left.name, "left");
    EXPECT_EQ(left.url, "shows/left.mp4") << "relative to the pipeline's folder";
    EXPECT_EQ(left.start, Rational(5, 2));
    EXPECT_EQ(left.offset, Rational(1, 25));
    EXPECT_EQ(left.end_rule, EndRule::loop);
    EXPECT_FALSE(left.end);
    EXPECT_DOUBLE_EQ(left.volume_db, -6);
    EXPECT_EQ(left.place.text(), "shows/two_up.yaml:4:10");

    ASSERT_EQ(spec.tracks.size(), 1U);
    ASSERT_EQ(spec.tracks[0].entries.size(), 3U);
    const auto& play = std::get<PlayEntry>(spec.tracks[0].entries[0]);
    EXPECT_EQ(play.input, "left");
    EXPECT_EQ(play.duration, Rational(5));
    ASSERT_EQ(play.filters.size(), 1U);
    EXPECT_EQ(play.filters[0].name, "eq");
    EXPECT_EQ(play.filters[0].args[0].first, "saturation");
    EXPECT_EQ(std::get<std::string>(play.filters[0].args[0].second), "1.2");
    EXPECT_EQ(play.filters[0].place.text(), "shows/two_up.yaml:9:40");
    EXPECT_EQ(play.filters[0].arg_places[0].text(), "shows/two_up.yaml:9:57");
    const auto& transition = std::get<TransitionEntry>(spec.tracks[0].entries[1]);
    EXPECT_EQ(transition.transition.name, "wipeleft");
    EXPECT_EQ(transition.duration, Rational(1));
    ASSERT_EQ(transition.transition.args.size(), 2U) << "duration is no parameter";
    EXPECT_EQ(transition.transition.args[1].first, "ease");

    ASSERT_EQ(spec.layers.size(), 3U);
    EXPECT_EQ(spec.layers[0].fit, Fit::cover);
    EXPECT_FALSE(spec.layers[0].rect);
    EXPECT_DOUBLE_EQ((*spec.layers[1].rect)[2].value, 576);
    EXPECT_EQ(spec.layers[1].filters.size(), 2U);
    EXPECT_DOUBLE_EQ(spec.layers[2].opacity, 0.8);
    EXPECT_EQ(spec.layers[2].blend, Blend::screen);

    ASSERT_EQ(spec.outputs.size(), 2U);
    EXPECT_EQ(spec.outputs[0].kind, OutputKind::window);
    EXPECT_EQ(spec.outputs[1].file, "out.mp4");
    EXPECT_EQ(spec.outputs[1].video.codec, "libx264");
    EXPECT_EQ(spec.outputs[1].video.crf, 18);
    ASSERT_EQ(spec.outputs[1].video.options.size(), 1U);
    EXPECT_EQ(spec.outputs[1].video.options[0], std::pair(std::string("tune"), std::string("grain")));
    EXPECT_EQ(spec.outputs[1].audio.codec, "aac");
}

TEST(PipelineYaml, ReportsEveryProblemAtOnceInOrder) {
    EXPECT_EQ(problems("weft: 1\n"
                       "canvas: {size: 1920}\n"
                       "inputs:\n"
                       "  left: {url: left.mp4, volum: 3}\n"
                       "  b: {url: b, end: never}\n"
                       "layers:\n"
                       "  - {from: lft, fit: cove}\n"
                       "  - {from: left, opacity: 1.5}\n"
                       "  - {from: b, rect: [0, 0, 5, 0]}\n"
                       "ouputs: []\n"),
              (Lines{"p.yaml:2:16: size is '1920', expected such as 1920x1080, sides 1..32768",
                     "p.yaml:4:25: input 'left': unknown key 'volum', did you mean 'volume'?",
                     "p.yaml:5:20: end is 'never', allowed: hold, hide, loop, stop, or a time such as 10s",
                     "p.yaml:7:12: layers[0]: no input or track 'lft', did you mean 'left'?",
                     "p.yaml:7:22: layers[0]: fit is 'cove', allowed: contain, cover, fill, none",
                     "p.yaml:8:27: layers[1]: opacity is 1.5, allowed 0..1",
                     "p.yaml:9:31: rect: height is '0', expected more than 0",
                     "p.yaml:10:1: pipeline: unknown key 'ouputs', did you mean 'outputs'?"}));
}

TEST(PipelineYaml, TheFirstKeyIsTheVersion) {
    EXPECT_EQ(problems("inputs: {a: x.mp4}\nweft: 1\n"),
              Lines{"p.yaml:1:1: the first key must be 'weft: 1'"});
    EXPECT_EQ(problems("weft: 2\ninputs: {a: x.mp4}\n"),
              Lines{"p.yaml:1:7: weft is '2', this program reads 1"});
    EXPECT_EQ(problems("").front(), "p.yaml:1:1: the first key must be 'weft: 1'");
}

TEST(PipelineYaml, DuplicateKeysAreErrors) {
    EXPECT_EQ(problems("weft: 1\ninputs:\n  a: {url: x, start: 1s, start: 2s}\n"),
              Lines{"p.yaml:3:26: input 'a': 'start' is given twice, first in line 3"});
    EXPECT_EQ(problems("weft: 1\ninputs: {a: x, a: y}\n"),
              Lines{"p.yaml:2:16: inputs: 'a' is given twice, first in line 2"});
    EXPECT_EQ(
        problems(
            "weft: 1\ninputs: {a: x}\nlayers: [{from: a, filters: [{eq: {contrast: 1, contrast: 2}}]}]\n"),
        Lines{"p.yaml:3:49: filter 'eq': 'contrast' is given twice, first in line 3"});
}

TEST(PipelineYaml, BrokenYamlNamesThePlace) {
    const Lines lines = problems("weft: 1\ninputs: {a: x\nlayers: []\n");
    ASSERT_EQ(lines.size(), 1U);
    EXPECT_EQ(lines[0].rfind("p.yaml:3:", 0), 0U) << lines[0];
    EXPECT_NE(lines[0].find("is not YAML"), std::string::npos) << lines[0];
}

TEST(PipelineYaml, WhatIsOftenForgottenIsNamed) {
    EXPECT_EQ(
        problems("weft: 1\ninputs: {a: x}\nlayers:\n  - {from: a, opacity:0.5}\n"),
        Lines{"p.yaml:4:15: layers[0]: unknown key 'opacity:0.5', a blank is missing behind the colon"});
    const Lines moved = problems("weft: 1\ninputs:\n    a: x\n  b: x\n");
    ASSERT_EQ(moved.size(), 1U);
    EXPECT_NE(moved[0].find("indented by more or fewer blanks"), std::string::npos) << moved[0];
    const Lines twice = problems("weft: 1\ninputs: a: x\n");
    ASSERT_EQ(twice.size(), 1U);
    EXPECT_NE(twice[0].find("second colon"), std::string::npos) << twice[0];
}

TEST(PipelineYaml, HostileAliasesEndInAnError) {
    std::string text = "weft: 1\na: &a [x,x,x,x,x,x,x,x,x,x]\n";
    for (char c = 'b'; c < 'j'; ++c) {
        text += std::string(1, c) + ": &" + c + " [";
        for (int i = 0; i < 10; ++i)
            text += std::string(i ? "," : "") + "*" + static_cast<char>(c - 1);
        text += "]\n";
    }
    const Lines lines = problems(text);
    ASSERT_EQ(lines.size(), 1U);
    EXPECT_NE(lines[0].find("has too many nodes"), std::string::npos) << lines[0];
}

TEST(PipelineYaml, TracksCheckTheirOrder) {
    EXPECT_EQ(problems("weft: 1\n"
                       "inputs: {a: x}\n"
                       "tracks:\n"
                       "  show:\n"
                       "    - {transition: fade, duration: 1s}\n"
                       "    - {play: b}\n"
                       "    - {transition: fade, duration: 0s}\n"
                       "    - {pay: a}\n"),
              (Lines{"p.yaml:5:20: track 'show': transition 'fade' does not stand between two clips",
                     "p.yaml:6:7: track 'show': no input 'b', did you mean 'a'?",
                     "p.yaml:7:20: track 'show': transition 'fade' does not stand between two clips",
                     "p.yaml:7:36: duration is 0s, expected more than 0",
                     "p.yaml:8:7: an entry needs 'play' or 'transition'"}));
}

TEST(PipelineYaml, FiltersInAllTheirForms) {
    const PipelineSpec spec = parse_pipeline("weft: 1\n"
                                             "inputs: {a: {url: x, filters: hflip}}\n"
                                             "layers:\n"
                                             "  - from: a\n"
                                             "    filters:\n"
                                             "      - hflip\n"
                                             "      - {gblur: 2}\n"
                                             "      - eq=contrast=1.2:saturation=1.3,negate\n"
                                             "      - {convolution: {matrix: [0, -1, 0], rdiv: 1}}\n"
                                             "      - {curves: {all: [[0, 0], [1, 0.5]]}}\n"
                                             "      - {vflip: }\n",
                                             "p.yaml");
    EXPECT_EQ(spec.inputs[0].filters[0].name, "hflip");
    const auto& f = spec.layers[0].filters;
    ASSERT_EQ(f.size(), 7U);
    EXPECT_TRUE(f[0].args.empty());
    EXPECT_EQ(f[1].args[0].first, "") << "positional";
    EXPECT_EQ(std::get<std::string>(f[1].args[0].second), "2");
    EXPECT_EQ(f[2].name, "eq");
    EXPECT_EQ(f[2].args[1].first, "saturation");
    EXPECT_EQ(f[2].place.text(), "p.yaml:8:9");
    EXPECT_EQ(f[3].name, "negate");
    EXPECT_EQ(std::get<Lines>(f[4].args[0].second), (Lines{"0", "-1", "0"}));
    EXPECT_EQ(std::get<Lines>(f[5].args[0].second), (Lines{"0", "0", "1", "0.5"}));
    EXPECT_EQ(f[6].name, "vflip");
}

TEST(PipelineYaml, InputsSayEverything) {
    const PipelineSpec spec = parse_pipeline(
        "weft: 1\n"
        "canvas: {rate: 25, light: linear, colour: pq, tonemap: mobius, dither: false, layout: 3x2}\n"
        "duration: 50f\n"
        "inputs:\n"
        "  a: {url: 'http://h/x', end: [10s, stop], rate: 29.97, late: hold, on_error: stop,\n"
        "      required: false, mute: true, video_stream: 1, audio_stream: deu, matrix: bt601, range: full,\n"
        "      deinterlace: off}\n"
        "  b: {url: /abs/b.mp4, volume: 0.5, end: '1:00'}\n"
        "  c: '-'\n",
        "dir/p.yaml");
    EXPECT_EQ(spec.duration, Rational(2)) << "50 frames at 25";
    EXPECT_EQ(spec.canvas.light, Light::linear);
    EXPECT_EQ(spec.canvas.colour, "pq");
    EXPECT_EQ(spec.canvas.tone_map, colour::ToneMap::mobius);
    EXPECT_EQ(spec.canvas.dither, false);
    EXPECT_EQ(spec.canvas.layout, "3x2");
    const InputSpec& a = spec.inputs[0];
    EXPECT_EQ(a.url, "http://h/x");
    EXPECT_EQ(a.end, Rational(10));
    EXPECT_EQ(a.end_rule, EndRule::stop);
    EXPECT_EQ(a.rate, Rational(30000, 1001));
    EXPECT_EQ(a.late, LateRule::hold);
    EXPECT_EQ(a.on_error, ErrorRule::stop);
    EXPECT_FALSE(a.required);
    EXPECT_TRUE(a.mute);
    EXPECT_EQ(a.video_stream, "1");
    EXPECT_EQ(a.audio_stream, "deu");
    EXPECT_EQ(a.matrix, colour::Matrix::bt601);
    EXPECT_EQ(a.range, colour::Range::full);
    EXPECT_EQ(a.deinterlace, Deinterlace::off);
    EXPECT_EQ(spec.inputs[1].url, "/abs/b.mp4");
    EXPECT_EQ(spec.inputs[1].end, Rational(60));
    EXPECT_NEAR(spec.inputs[1].volume_db, -6.0206, 1e-4);
    EXPECT_EQ(spec.inputs[2].url, "-");
    ASSERT_EQ(spec.layers.size(), 3U) << "without layers every input is one";
    EXPECT_EQ(spec.layers[2].from, "c");
}

TEST(PipelineYaml, WhatCannotBeDoneYetIsRefused) {
    EXPECT_EQ(problems("weft: 1\n"
                       "inputs:\n"
                       "  d: {url: d, deinterlace: on}\n"
                       "  e: {url: e, late: never}\n"),
              (Lines{"p.yaml:4:21: input 'e': late is 'never', allowed: hold, hide, placeholder"}));
}

TEST(PipelineYaml, RulesOfABrokenInputMustAgree) {
    const PipelineSpec spec = parse_pipeline("weft: 1\n"
                                             "inputs:\n"
                                             "  a: {url: a, late: placeholder, on_error: placeholder}\n"
                                             "  b: {url: b, late: hide, reconnect: 500ms}\n",
                                             "p.yaml");
    EXPECT_EQ(spec.inputs[0].late, LateRule::placeholder);
    EXPECT_EQ(spec.inputs[0].on_error, ErrorRule::placeholder);
    EXPECT_EQ(spec.inputs[1].late, LateRule::hide);
    EXPECT_EQ(spec.inputs[1].reconnect, Rational(1, 2));
    EXPECT_EQ(problems("weft: 1\n"
                       "inputs:\n"
                       "  a: {url: a, reconnect: 0}\n"
                       "  b: {url: b, reconnect: 2s, on_error: stop}\n"),
              (Lines{"p.yaml:3:26: reconnect is 0s, expected more than 0",
                     "p.yaml:4:26: reconnect goes on after a break, but on_error is 'stop': leave one of "
                     "them out"}));
}

TEST(PipelineYaml, EmptyLayersShowNothing) {
    for (const char* layers : {"layers: []\n", "layers:\n"}) {
        const Lines said = problems(std::string("weft: 1\ninputs: {a: a.mp4}\n") + layers);
        ASSERT_EQ(said.size(), 1U) << layers;
        EXPECT_EQ(said[0].substr(0, 9), "p.yaml:3:") << said[0];
        EXPECT_NE(said[0].find("layers is empty, so nothing is shown"), std::string::npos) << said[0];
    }
}

TEST(PipelineYaml, ASecondDocumentIsRefused) {
    const std::string one = "---\nweft: 1\ninputs: {a: a.mp4}\n";
    EXPECT_EQ(problems(one + one), Lines{"p.yaml:5:1: a second document (after '---') is not read"});
    EXPECT_EQ(problems(one + "---\n"), Lines{}) << "an empty one says nothing";
    EXPECT_EQ(problems(one + "...\n"), Lines{});
}

TEST(PipelineYaml, DeepNestingIsCalledSo) {
    for (const size_t depth : {100U, 3000U}) {
        const Lines said = problems("weft: 1\ninputs: " + std::string(depth, '[') + std::string(depth, ']'));
        ASSERT_EQ(said.size(), 1U);
        EXPECT_NE(said[0].find("is nested too deeply"), std::string::npos) << said[0];
        EXPECT_EQ(said[0].substr(0, 9), "p.yaml:2:") << said[0];
    }
}

TEST(PipelineYaml, OutputsInAllTheirForms) {
    const PipelineSpec spec = parse_pipeline("weft: 1\n"
                                             "inputs: {a: x}\n"
                                             "outputs:\n"
                                             "  - {null: {}}\n"
                                             "  - {hash: {}}\n"
                                             "  - window\n"
                                             "  - {file: '-', format: y4m, audio: false}\n",
                                             "p.yaml");
    ASSERT_EQ(spec.outputs.size(), 4U);
    EXPECT_EQ(spec.outputs[0].kind, OutputKind::null);
    EXPECT_EQ(spec.outputs[1].kind, OutputKind::hash);
    EXPECT_EQ(spec.outputs[2].kind, OutputKind::window);
    EXPECT_EQ(spec.outputs[3].file, "-");
    EXPECT_EQ(spec.outputs[3].format, "y4m");
    EXPECT_TRUE(spec.outputs[3].no_audio);
    EXPECT_EQ(problems("weft: 1\ninputs: {a: x}\noutputs: [{file: a.mp4, window: {}}]\n"),
              Lines{"p.yaml:3:11: outputs[0] must have exactly one of: window, file, null, hash"});
}

// Printed YAML must read back to a spec that prints the same and holds the same values.
void expect_round_trip(const PipelineSpec& spec) {
    const std::string yaml = to_yaml(spec);
    const PipelineSpec again = parse_pipeline(yaml, spec.file.empty() ? "q.yaml" : spec.file);
    EXPECT_EQ(to_yaml(again), yaml);
    ASSERT_EQ(again.inputs.size(), spec.inputs.size());
    for (size_t i = 0; i < spec.inputs.size(); ++i) {
        EXPECT_EQ(again.inputs[i].name, spec.inputs[i].name);
        EXPECT_EQ(again.inputs[i].url, spec.inputs[i].url);
        EXPECT_EQ(again.inputs[i].start, spec.inputs[i].start);
        EXPECT_EQ(again.inputs[i].offset, spec.inputs[i].offset);
        EXPECT_EQ(again.inputs[i].volume_db, spec.inputs[i].volume_db);
        EXPECT_EQ(again.inputs[i].end_rule, spec.inputs[i].end_rule);
    }
    ASSERT_EQ(again.tracks.size(), spec.tracks.size());
    for (size_t i = 0; i < spec.tracks.size(); ++i)
        EXPECT_EQ(again.tracks[i].entries.size(), spec.tracks[i].entries.size());
    ASSERT_EQ(again.layers.size(), spec.layers.size());
    for (size_t i = 0; i < spec.layers.size(); ++i) {
        EXPECT_EQ(again.layers[i].from, spec.layers[i].from);
        ASSERT_EQ(again.layers[i].filters.size(), spec.layers[i].filters.size());
        for (size_t k = 0; k < spec.layers[i].filters.size(); ++k) {
            EXPECT_EQ(again.layers[i].filters[k].name, spec.layers[i].filters[k].name);
            EXPECT_EQ(again.layers[i].filters[k].args, spec.layers[i].filters[k].args);
        }
    }
    EXPECT_EQ(again.outputs.size(), spec.outputs.size());
}

TEST(PipelineYaml, PrintedSpecsReadBack) {
    expect_round_trip(parse_pipeline(two_up, "shows/two_up.yaml"));
    expect_round_trip(parse_pipeline(
        "weft: 1\n"
        "canvas: {rate: 29.97, background: red@0.5, size: [64, 48]}\n"
        "start: 7f\n"
        "inputs:\n"
        "  'a b': {url: \"we'ird: {name}, \\\"q\\\" \\\\ .mp4\", start: 1001f, volume: 0.3}\n"
        "  null: n.mp4\n"
        "layers:\n"
        "  - {from: a b, rect: [10%, -5, 33.5%, 7], at: 12f, for: 90, rotate: -30,\n"
        "     filters: [{lut3d: {file: 'a: b.cube'}}, {crop: [10, 20]}, \"eq=1.5:brightness=0.1\"]}\n"
        "outputs: [{null: }, window]\n",
        "p.yaml"));
}

TEST(PipelineYaml, TheShippedPipelinesRead) {
    for (const char* name : {"two_up", "wall_2x2", "picture_in_picture", "crossfade"}) {
        const std::string file = std::string(WEFT_SOURCE_DIR) + "/pipelines/" + name + ".yaml";
        EXPECT_NO_THROW({ expect_round_trip(load_pipeline(file)); }) << name;
    }
}

} // namespace
} // namespace weft::graph
