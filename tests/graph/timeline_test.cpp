// Which scene, stream and transition is due on which tick. Expected ticks are counted by hand.
#include "graph/timeline.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/complaints.hpp"

namespace weft::graph {
namespace {

using Lines = std::vector<std::string>;

const FilterLibrary& library() {
    static const FilterLibrary built_in({std::string(WEFT_SOURCE_DIR) + "/filters"});
    return built_in;
}

// A moving yuv420p clip without sound; no duration: endless.
InputFacts clip(int width, int height, Rational rate, std::optional<Rational> duration) {
    InputFacts out;
    out.format.width = width;
    out.format.height = height;
    out.format.pixels = colour::pixel_format("yuv420p");
    out.format.colour = colour::resolve({}, out.format.pixels, width, height);
    out.format.rate = rate;
    out.duration = duration;
    return out;
}
InputFacts with_sound(InputFacts facts) {
    facts.has_audio = true;
    facts.audio_duration = facts.duration;
    return facts;
}
InputFacts still(int width, int height) {
    InputFacts out = clip(width, height, 0, {});
    out.still = true;
    return out;
}

PipelineSpec pipeline(const std::string& body) {
    return parse_pipeline("weft: 1\n" + body, "p.yaml");
}

Timeline resolve(const std::string& body, const std::vector<InputFacts>& facts, bool live = false) {
    return resolve_timeline(pipeline(body), facts, library(), {}, live);
}

Lines problems(const std::string& body, const std::vector<InputFacts>& facts) {
    return test::complaints([&] { resolve(body, facts); });
}

// "from-until: streams of each layer", a transition as "a>b@first+ticks".
Lines scenes(const Timeline& timeline) {
    Lines out;
    for (const TimelineScene& s : timeline.scenes) {
        const auto name = [&](const ClipNode& node) {
            return timeline.streams[static_cast<size_t>(s.streams[static_cast<size_t>(node.stream)])].name;
        };
        std::string text = std::to_string(s.from_tick) + "-" + std::to_string(s.until_tick) + ":";
        for (const SceneLayer& layer : s.scene.layers) {
            text += " " + name(layer.picture.clip);
            if (!layer.picture.transition) continue;
            const TransitionTime& t = s.transitions[static_cast<size_t>(layer.picture.transition_index)];
            text += ">" + name(layer.picture.next) + "@" + std::to_string(t.first_tick) + "+" +
                    std::to_string(t.ticks);
        }
        out.push_back(text);
    }
    return out;
}

TEST(Timeline, OneClipFillsTheCanvasAndTheRun) {
    const Timeline t = resolve("inputs: {a: a.mp4}\n", {clip(1920, 1080, 30, Rational(5))});
    EXPECT_EQ(t.width, 1920);
    EXPECT_EQ(t.height, 1080);
    EXPECT_EQ(t.rate, Rational(30));
    EXPECT_EQ(t.colour.matrix, colour::Matrix::bt709);
    EXPECT_EQ(t.ticks, 150);
    EXPECT_EQ(scenes(t), Lines{"0-150: a"});
    const SceneLayer& layer = t.scenes[0].scene.layers[0];
    EXPECT_EQ(std::tuple(layer.x, layer.y, layer.w, layer.h), std::tuple(0, 0, 1920, 1080));
    EXPECT_EQ(t.streams[0].start, Rational(0));
    EXPECT_FALSE(t.streams[0].length);
}

// 101 pictures at 30 fps in a container that counts milliseconds: 3.367 s is 101.01 pictures long.
TEST(Timeline, ARoundedUpDurationMakesNoTickOfItsOwn) {
    EXPECT_EQ(resolve("inputs: {a: a.mkv}\n", {clip(64, 48, 30, Rational(3367, 1000))}).ticks, 101);
    EXPECT_EQ(resolve("inputs: {a: a.mkv}\n", {clip(64, 48, 30, Rational(101, 30))}).ticks, 101);
    EXPECT_EQ(
        resolve("inputs: {a: a.mkv}\n", {clip(64, 48, Rational(30000, 1001), Rational(1001, 200))}).ticks,
        150);
    EXPECT_EQ(resolve("inputs: {a: a.mkv}\n", {clip(64, 48, 25, Rational(1, 100))}).ticks, 1)
        << "less than a tick";
}

// A 4 s fade that begins at 2 s at 25 fps: white to black in stored values 255 (1 - k / 100) at frame 50 + k.
TEST(Timeline, ProgressOfAFadeIsKOverN) {
    const Timeline t =
        resolve("inputs: {white: w.mp4, black: b.mp4}\n"
                "tracks:\n"
                "  show: [{play: white, for: 6s}, {transition: fade, duration: 4s}, {play: black}]\n",
                {clip(64, 48, 25, Rational(10)), clip(64, 48, 25, Rational(10))});
    EXPECT_EQ(scenes(t), (Lines{"0-50: show[0]", "50-150: show[0]>show[2]@50+100", "150-300: show[2]"}));
    EXPECT_EQ(t.ticks, 150 + 250 - 100);
    const auto stored = [&](int64_t tick) {
        const TimelineScene& s = t.at(tick);
        const double k = static_cast<double>(tick - s.transitions[0].first_tick);
        return static_cast<int>(255 * (1 - k / static_cast<double>(s.transitions[0].ticks)));
    };
    EXPECT_EQ(stored(50), 255);
    EXPECT_EQ(stored(75), 191);
    EXPECT_EQ(stored(100), 127);
    EXPECT_EQ(stored(125), 63);
    EXPECT_EQ(stored(149), 2);
    EXPECT_EQ(t.streams[1].from, Rational(2));
    EXPECT_EQ(t.streams[1].start, Rational(0));
    EXPECT_EQ(t.streams[0].length, Rational(6));
}

TEST(Timeline, TracksAddClipsAndSubtractOverlaps) {
    const Timeline t = resolve(
        "canvas: {rate: 30}\n"
        "inputs: {a: a, b: {url: b, start: 1s}, c: c}\n"
        "tracks:\n"
        "  show:\n"
        "    - {play: a, start: 2s}\n" // 10 - 2 = 8 s
        "    - {transition: fade, duration: 500ms}\n"
        "    - {play: b, for: 2s, start: 3s}\n"
        "    - {play: c}\n",
        {clip(64, 48, 30, Rational(10)), clip(64, 48, 30, Rational(9)), clip(64, 48, 30, Rational(3))});
    EXPECT_EQ(t.ticks, 240 + 60 + 90 - 15);
    EXPECT_EQ(scenes(t), (Lines{"0-225: show[0]", "225-240: show[0]>show[2]@225+15", "240-285: show[2]",
                                "285-375: show[3]"}));
    EXPECT_EQ(t.streams[0].start, Rational(2));
    EXPECT_EQ(t.streams[1].start, Rational(4)) << "the input's start and the clip's add";
    EXPECT_EQ(t.streams[1].from, Rational(15, 2));
    EXPECT_EQ(t.streams[1].length, Rational(2));
}

TEST(Timeline, TransitionsMustFitIntoBothClips) {
    const std::string body = "inputs: {a: a, b: b}\n"
                             "tracks:\n"
                             "  show:\n"
                             "    - {play: a}\n"
                             "    - {transition: fade, duration: 3s}\n"
                             "    - {play: b}\n";
    const auto long_clip = clip(64, 48, 25, Rational(5)), short_clip = clip(64, 48, 25, Rational(2));
    EXPECT_EQ(problems(body, {short_clip, long_clip}),
              Lines{"p.yaml:6:20: track 'show': transition 'fade' lasts 3s, but clip 'a' only 2s"});
    EXPECT_EQ(problems(body, {long_clip, short_clip}),
              Lines{"p.yaml:6:20: track 'show': transition 'fade' lasts 3s, but clip 'b' only 2s"});
    EXPECT_EQ(problems(body, {long_clip, long_clip}), Lines{});
    EXPECT_EQ(problems("inputs: {a: a, b: b}\n"
                       "tracks:\n"
                       "  show:\n"
                       "    - {play: a}\n"
                       "    - {transition: fade, duration: 2s}\n"
                       "    - {play: b, for: 3s}\n"
                       "    - {transition: fade, duration: 2s}\n"
                       "    - {play: a}\n",
                       {long_clip, long_clip}),
              Lines{"p.yaml:8:20: track 'show': clip 'b' lasts 3s, too short for the transitions before and "
                    "behind it"});
}

TEST(Timeline, EndlessClipsNeedALength) {
    EXPECT_EQ(problems("inputs: {a: a, b: b}\n"
                       "tracks: {show: [{play: a}, {play: b}]}\n",
                       {still(64, 48), clip(64, 48, 25, Rational(2))}),
              Lines{"p.yaml:3:17: track 'show': input 'a' has no end of its own, so the clip needs 'for'"});
    EXPECT_EQ(problems("inputs: {a: a}\n", {still(64, 48)}),
              Lines{"p.yaml: no input ends by itself, so the pipeline needs a duration (--duration)"});
    EXPECT_EQ(resolve("duration: 2s\ninputs: {a: a}\n", {still(64, 48)}).ticks, 50) << "stills: 25 a second";
    const Timeline live = resolve("inputs: {a: a}\n", {clip(64, 48, 25, {})}, true);
    EXPECT_FALSE(live.ticks);
    EXPECT_EQ(live.scenes.size(), 1U);
    EXPECT_EQ(live.at(1000000000).from_tick, 0);
}

TEST(Timeline, StartBeyondTheEndIsAnError) {
    EXPECT_EQ(problems("inputs:\n  a: {url: a, start: 0}\ntracks:\n  t:\n    - {play: a, start: 7s}\n",
                       {clip(64, 48, 25, Rational(5))}),
              Lines{"p.yaml:6:7: input 'a' is to start at 7s, but ends at 5s"});
    PipelineSpec late = pipeline("inputs: {a: {url: a, start: 100}}\n");
    InputFacts facts = clip(64, 48, 25, trimmed_duration(late.inputs[0], Rational(3)));
    EXPECT_EQ(problems("inputs: {a: {url: a, start: 100}}\n", {facts}),
              Lines{"p.yaml:2:13: input 'a' is to start at 100s, but ends at 3s"});
    EXPECT_EQ(problems("start: 5s\ninputs: {a: a}\n", {clip(64, 48, 25, Rational(5))}),
              Lines{"p.yaml: start is 5s, but the pipeline ends at 5s"});
}

TEST(Timeline, EndRules) {
    const std::vector<InputFacts> facts{clip(64, 48, 25, Rational(4)), clip(64, 48, 25, Rational(2))};
    const auto with = [&](const std::string& rule) {
        return resolve("inputs: {a: a, b: {url: b, end: " + rule + "}}\nlayers: [a, b]\n", facts);
    };
    EXPECT_EQ(scenes(with("hold")), Lines{"0-100: a b"});
    EXPECT_EQ(scenes(with("hide")), (Lines{"0-50: a b", "50-100: a"}));
    EXPECT_EQ(scenes(with("loop")), Lines{"0-100: a b"});
    EXPECT_TRUE(with("loop").streams[1].loop);
    EXPECT_FALSE(with("hold").streams[1].loop);
    EXPECT_EQ(scenes(with("stop")), Lines{"0-50: a b"});
    EXPECT_EQ(problems("inputs: {a: {url: a, end: loop}}\n", {facts[0]}).size(), 1U) << "a loop never ends";
}

TEST(Timeline, LayersComeAndGo) {
    const Timeline t =
        resolve("inputs: {a: a, b: b, logo: l.png}\n"
                "layers:\n"
                "  - {from: a}\n"
                "  - {from: b, at: 1s, for: 2s}\n"
                "  - {from: logo, at: 2s}\n",
                {clip(64, 48, 25, Rational(4)), clip(64, 48, 25, Rational(10)), still(16, 16)});
    EXPECT_EQ(scenes(t), (Lines{"0-25: a", "25-50: a b", "50-75: a b logo", "75-100: a logo"}));
    EXPECT_EQ(t.streams[1].from, Rational(1));
    EXPECT_EQ(t.streams[1].length, Rational(2));
    EXPECT_EQ(t.scenes[3].scene.streams.size(), 2U);
    EXPECT_EQ(t.scenes[3].scene.layers[1].picture.clip.stream, 1) << "indices are the scene's own";
    EXPECT_EQ(t.scenes[3].streams[1], 2);
}

TEST(Timeline, ALayersWindowCutsItsTrack) {
    const Timeline t =
        resolve("inputs: {a: a, b: b}\n"
                "tracks: {show: [{play: a, for: 2s}, {play: b, for: 2s}, {play: a}]}\n"
                "layers: [{from: show, at: 1s, for: 3s}]\n",
                {with_sound(clip(64, 48, 25, Rational(9))), with_sound(clip(64, 48, 25, Rational(9)))});
    EXPECT_EQ(scenes(t), (Lines{"0-25:", "25-75: show[0]", "75-100: show[1]"}));
    ASSERT_EQ(t.streams.size(), 2U) << "the last clip lies behind the window";
    EXPECT_EQ(t.streams[1].length, Rational(1)) << "and the second is cut, for the ear as well";
    EXPECT_EQ(t.audio.size(), 2U);
}

TEST(Timeline, OffsetsMoveAnInput) {
    const Timeline t = resolve(
        "inputs: {a: a, b: {url: b, offset: 30ms}, c: {url: c, offset: -1s}}\n"
        "layers: [a, b, c]\n",
        {clip(64, 48, 25, Rational(2)), clip(64, 48, 25, Rational(2)), clip(64, 48, 25, Rational(2))});
    // 30 ms is behind tick 0 and before tick 1; b ends 30 ms after the 50 ticks of a.
    EXPECT_EQ(scenes(t), (Lines{"0-1: a c", "1-51: a b c"}));
    EXPECT_EQ(t.streams[1].from, Rational(3, 100));
    EXPECT_EQ(t.streams[2].from, Rational(0));
    EXPECT_EQ(t.streams[2].start, Rational(1));
}

TEST(Timeline, EqualUsesShareAStream) {
    const std::vector<InputFacts> facts{with_sound(clip(64, 48, 25, Rational(2)))};
    const Timeline shared = resolve("inputs: {a: a}\nlayers: [a, {from: a, rect: [0, 0, 8, 8]}]\n", facts);
    EXPECT_EQ(shared.streams.size(), 1U);
    EXPECT_EQ(shared.scenes[0].scene.streams.size(), 1U);
    EXPECT_EQ(shared.audio.size(), 1U);
    const Timeline apart = resolve("inputs: {a: a}\nlayers: [a, {from: a, at: 1s}]\n", facts);
    ASSERT_EQ(apart.streams.size(), 2U);
    EXPECT_EQ(apart.streams[1].name, "a of layers[1]");
    EXPECT_EQ(apart.audio.size(), 2U);
    EXPECT_EQ(apart.ticks, 75);
}

TEST(Timeline, ATracksLastClipIsHeldByItsInputsRule) {
    const std::vector<InputFacts> facts{clip(64, 48, 25, Rational(4)), clip(64, 48, 25, Rational(4))};
    const auto with = [&](const std::string& rule) {
        return resolve("inputs: {a: a, b: {url: b, end: " + rule +
                           "}}\n"
                           "tracks: {show: [{play: b, for: 1s}]}\n"
                           "layers: [a, show]\n",
                       facts);
    };
    EXPECT_EQ(scenes(with("hold")), Lines{"0-100: a show[0]"});
    EXPECT_EQ(with("hold").streams[1].length, Rational(1)) << "so that the picture of 1 s is held";
    EXPECT_EQ(scenes(with("hide")), (Lines{"0-25: a show[0]", "25-100: a"}));
    EXPECT_EQ(scenes(with("stop")), Lines{"0-25: a show[0]"});
    EXPECT_FALSE(with("loop").streams[1].length) << "goes on looping";
}

TEST(Timeline, StartAndDurationCutTheRun) {
    const Timeline t = resolve(
        "start: 3s\nduration: 4s\n"
        "inputs: {a: a, b: b, c: {url: c, end: loop}}\n"
        "tracks:\n"
        "  show: [{play: a, for: 2s}, {play: a, for: 2s, start: 4s}, {transition: fade, duration: 1s},"
        " {play: b}]\n"
        "layers: [show, c]\n",
        {clip(64, 48, 25, Rational(9)), clip(64, 48, 25, Rational(9)), clip(64, 48, 25, Rational(1))});
    // Spec times: second clip 2..4 s, fade and b from 3 s.
    EXPECT_EQ(scenes(t), (Lines{"0-25: show[1]>show[3]@0+25 c", "25-100: show[3] c"}));
    ASSERT_EQ(t.streams.size(), 3U) << "the first clip is over before the run begins";
    EXPECT_EQ(t.streams[0].from, Rational(0));
    EXPECT_EQ(t.streams[0].start, Rational(5)) << "4 s, and 1 s of it is skipped";
    EXPECT_EQ(t.streams[0].length, Rational(1));
    EXPECT_EQ(t.streams[1].from, Rational(0));
    EXPECT_EQ(t.streams[1].start, Rational(0));
    EXPECT_EQ(t.streams[2].from, Rational(-3)) << "a loop keeps its phase";
}

TEST(Timeline, SoundFadesAtTransitions) {
    const Timeline t =
        resolve("inputs: {a: {url: a, volume: -6dB}, b: b, c: {url: c, mute: true}}\n"
                "tracks:\n"
                "  show: [{play: a}, {transition: fade, duration: 1s}, {play: b}]\n"
                "layers: [show, c]\n",
                {with_sound(clip(64, 48, 25, Rational(4))), with_sound(clip(64, 48, 25, Rational(4))),
                 with_sound(clip(64, 48, 25, Rational(4)))});
    ASSERT_EQ(t.audio.size(), 2U);
    EXPECT_NEAR(t.audio[0].gain, 0.501187, 1e-6) << "10^(-6/20)";
    EXPECT_EQ(t.audio[0].fade_in, Rational(0));
    EXPECT_EQ(t.audio[0].fade_out, Rational(1));
    EXPECT_EQ(t.audio[1].fade_in, Rational(1));
    EXPECT_EQ(t.audio[1].gain, 1);
    EXPECT_EQ(t.streams[static_cast<size_t>(t.audio[1].stream)].name, "show[2]");
}

TEST(Timeline, SoundAloneIsHeardAndNotSeen) {
    InputFacts music;
    music.has_audio = true;
    music.audio_duration = Rational(3);
    const Timeline t =
        resolve("inputs: {a: a, music: m.mp3}\nlayers: [a, music]\n", {clip(64, 48, 25, Rational(2)), music});
    EXPECT_EQ(scenes(t), Lines{"0-75: a"});
    ASSERT_EQ(t.audio.size(), 1U);
    EXPECT_EQ(t.streams[static_cast<size_t>(t.audio[0].stream)].name, "music");
}

TEST(Timeline, MissingInputs) {
    EXPECT_EQ(
        problems("inputs: {a: a, b: b}\nlayers: [a, b]\n", {clip(64, 48, 25, Rational(2)), InputFacts{}}),
        Lines{"p.yaml:2:19: input 'b' has neither picture nor sound"});
    const Timeline t = resolve("inputs: {a: a, b: {url: b, required: false}}\nlayers: [a, b]\n",
                               {clip(64, 48, 25, Rational(2)), InputFacts{}});
    EXPECT_EQ(scenes(t), Lines{"0-50: a"});
    EXPECT_EQ(t.notes.back(), "input 'b' is missing and not required: left out");
}

TEST(Timeline, FiltersAreCheckedAndPutWhereTheyRun) {
    const std::string body = "canvas: {filters: [negate]}\n"
                             "inputs: {a: {url: a, filters: [hflip]}}\n"
                             "tracks: {show: [{play: a, filters: [vflip]}]}\n"
                             "layers: [{from: show, filters: [{eq: {contrast: 1.2}}]}]\n";
    const Timeline t = resolve(body, {clip(64, 48, 25, Rational(2))});
    const Scene& scene = t.scenes[0].scene;
    ASSERT_EQ(scene.layers[0].picture.clip.filters.size(), 2U);
    EXPECT_EQ(scene.layers[0].picture.clip.filters[0].manifest->name, "hflip");
    EXPECT_EQ(scene.layers[0].picture.clip.filters[1].manifest->name, "vflip");
    EXPECT_EQ(scene.layers[0].filters[0].manifest->name, "eq");
    EXPECT_EQ(scene.filters[0].manifest->name, "negate");
    EXPECT_EQ(problems("inputs: {a: {url: a, filters: [hflp, {eq: {saturation: 4}}]}}\n",
                       {clip(64, 48, 25, Rational(2))}),
              (Lines{"p.yaml:2:32: no filter 'hflp', did you mean 'hflip'?",
                     "p.yaml:2:56: filter 'eq': saturation is 4, allowed 0..3"}));
    EXPECT_EQ(check_filters(pipeline("inputs: {a: {url: a, filters: [hflp]}}\n"), library()).size(), 1U);
}

TEST(Timeline, CropsStayInsideTheUprightPicture) {
    InputFacts turned = clip(64, 48, 25, Rational(2));
    turned.format.rotation = 1; // shown as 48x64
    const Timeline t = resolve("inputs: {a: a}\nlayers: [{from: a, crop: [0, 50%, 48, 50%]}]\n", {turned});
    const CropRect& crop = t.scenes[0].scene.layers[0].picture.clip.crop;
    EXPECT_EQ(std::tuple(crop.x, crop.y, crop.w, crop.h), std::tuple(0, 32, 48, 32));
    EXPECT_EQ(problems("inputs: {a: a}\nlayers: [{from: a, crop: [0, 0, 64, 48]}]\n", {turned}),
              Lines{"p.yaml:3:17: crop of 'a' reaches beyond its picture of 48x64"});
}

TEST(TrimmedDuration, TakesTheNearestEnd) {
    InputSpec input;
    EXPECT_EQ(trimmed_duration(input, Rational(10)), Rational(10));
    EXPECT_EQ(trimmed_duration(input, {}), std::nullopt);
    input.start = Rational(2);
    EXPECT_EQ(trimmed_duration(input, Rational(10)), Rational(8));
    input.end = Rational(7);
    EXPECT_EQ(trimmed_duration(input, Rational(10)), Rational(5));
    input.duration = Rational(3);
    EXPECT_EQ(trimmed_duration(input, {}), Rational(3));
    input.start = Rational(20);
    EXPECT_EQ(trimmed_duration(input, Rational(10)), Rational(-13)) << "20 is so far behind the end at 7";
}

} // namespace
} // namespace weft::graph
