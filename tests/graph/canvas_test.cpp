// Size, rate and colour of the canvas, layouts, output forms, and pipelines from short options.
#include <gtest/gtest.h>

#include "graph/timeline.hpp"
#include "support/complaints.hpp"

namespace weft::graph {
namespace {

using Lines = std::vector<std::string>;

InputFacts clip(int width, int height, Rational rate = 25, Rational duration = 2) {
    InputFacts out;
    out.format.width = width;
    out.format.height = height;
    out.format.pixels = colour::pixel_format("yuv420p");
    out.format.colour = colour::resolve({}, out.format.pixels, width, height);
    out.format.rate = rate;
    out.duration = duration;
    return out;
}

const FilterLibrary& library() {
    static const FilterLibrary built_in({std::string(WEFT_SOURCE_DIR) + "/filters"});
    return built_in;
}

PipelineSpec from_files(size_t count, void (*set)(ShortOptions&) = nullptr) {
    ShortOptions options;
    if (set) set(options);
    for (size_t i = 0; i < count; ++i)
        options.files.push_back(std::string(1, static_cast<char>('a' + i)) + ".mp4");
    return pipeline_from_options(options);
}

Lines problems(const ShortOptions& options) {
    return test::complaints([&] { pipeline_from_options(options); });
}

// "x,y wxh" of each layer.
Lines rects(const Timeline& timeline) {
    Lines out;
    for (const SceneLayer& layer : timeline.scenes.at(0).scene.layers)
        out.push_back(std::to_string(static_cast<int>(layer.x)) + "," +
                      std::to_string(static_cast<int>(layer.y)) + " " +
                      std::to_string(static_cast<int>(layer.w)) + "x" +
                      std::to_string(static_cast<int>(layer.h)));
    return out;
}

Timeline resolve(const PipelineSpec& spec, const std::vector<InputFacts>& facts,
                 const std::vector<OutputForm>& outputs = {}) {
    return resolve_timeline(spec, facts, library(), outputs);
}

TEST(Canvas, TakesAfterTheFirstMovingInput) {
    InputFacts picture = clip(4000, 3000, 0);
    picture.still = true;
    picture.duration.reset();
    InputFacts phone = clip(1920, 1080, Rational(30000, 1001));
    phone.format.rotation = 1;
    const CanvasFormat canvas = resolve_canvas(from_files(3), {picture, phone, clip(640, 480)}, library());
    EXPECT_EQ(canvas.width, 1080);
    EXPECT_EQ(canvas.height, 1920);
    EXPECT_EQ(canvas.rate, Rational(30000, 1001));
    EXPECT_EQ(canvas.colour.matrix, colour::Matrix::bt709);
    EXPECT_EQ(canvas.colour.range, colour::Range::limited);
}

TEST(Canvas, SquarePixels) {
    InputFacts dv = clip(720, 576);
    dv.format.sample_aspect = Rational(16, 15);
    const CanvasFormat canvas = resolve_canvas(from_files(1), {dv}, library());
    EXPECT_EQ(canvas.width, 768);
    EXPECT_EQ(canvas.height, 576);
    EXPECT_EQ(canvas.colour.matrix, colour::Matrix::bt601);
    EXPECT_EQ(canvas.colour.primaries, colour::Primaries::bt601_625);
}

TEST(Canvas, ColourOfHdrAndRgbInputs) {
    InputFacts hdr = clip(640, 480);
    hdr.format.colour = {colour::Matrix::bt2020, colour::Range::limited, colour::Transfer::pq,
                         colour::Primaries::bt2020, colour::ChromaSite::left};
    EXPECT_EQ(resolve_canvas(from_files(1), {hdr}, library()).colour.matrix, colour::Matrix::bt709)
        << "HDR only on request";
    EXPECT_EQ(resolve_canvas(from_files(1), {hdr}, library()).colour.transfer, colour::Transfer::bt709);
    PipelineSpec asked = from_files(1);
    asked.canvas.colour = "pq";
    EXPECT_EQ(resolve_canvas(asked, {hdr}, library()).colour.transfer, colour::Transfer::pq);
    EXPECT_EQ(resolve_canvas(asked, {hdr}, library()).colour.primaries, colour::Primaries::bt2020);
    InputFacts rgb = clip(1280, 720);
    rgb.format.pixels = colour::pixel_format("rgb24");
    rgb.format.colour = colour::resolve({}, rgb.format.pixels, 1280, 720);
    EXPECT_EQ(resolve_canvas(from_files(1), {rgb}, library()).colour.matrix, colour::Matrix::bt709);
}

TEST(Canvas, WithoutPicturesItsSizeMustBeGiven) {
    InputFacts sound;
    sound.has_audio = true;
    sound.audio_duration = Rational(2);
    try {
        resolve_canvas(from_files(1), {sound}, library());
        FAIL();
    } catch (const Error& e) {
        EXPECT_STREQ(e.what(), "no input has a picture to take the canvas's size from: give size (--size)");
    }
    EXPECT_EQ(
        resolve_canvas(from_files(1, [](ShortOptions& o) { o.size = "64x48"; }), {sound}, library()).width,
        64);
}

TEST(Layout, SeveralFilesMakeAGrid) {
    // Three files: 2 columns, 2 rows of a 1920x1080 canvas.
    const Timeline t = resolve(from_files(3), {clip(1920, 1080), clip(640, 480), clip(640, 480)});
    EXPECT_EQ(t.width, 1920);
    EXPECT_EQ(t.height, 1080);
    EXPECT_EQ(rects(t), (Lines{"0,0 960x540", "960,0 960x540", "0,540 960x540"}));
    EXPECT_EQ(t.scenes[0].scene.layers[1].fit, Fit::contain);
}

TEST(Layout, TilesEndOnEvenPixels) {
    // 5 files: 3 x 2 of 1000x563; 333.3 -> 334, 666.7 -> 666, 281.5 -> 282; the canvas's own edges stay.
    const std::vector<InputFacts> facts(5, clip(1000, 563));
    EXPECT_EQ(rects(resolve(from_files(5), facts)),
              (Lines{"0,0 334x282", "334,0 332x282", "666,0 334x282", "0,282 334x281", "334,282 332x281"}));
}

TEST(Layout, ColumnsTimesRows) {
    const std::vector<InputFacts> facts(3, clip(1200, 600));
    EXPECT_EQ(rects(resolve(from_files(3, [](ShortOptions& o) { o.layout = "3x2"; }), facts)),
              (Lines{"0,0 400x300", "400,0 400x300", "800,0 400x300"}));
}

TEST(Layout, HasACellForEachLayer) {
    const std::vector<InputFacts> facts(3, clip(1200, 600));
    try {
        resolve(from_files(3, [](ShortOptions& o) { o.layout = "2x1"; }), facts);
        ADD_FAILURE() << "two cells held three layers";
    } catch (const Error& error) {
        EXPECT_EQ(error.message(),
                  "layout 2x1 has 2 cells for 3 layers; grid makes as many as there are layers");
    }
}

TEST(Layout, HstackKeepsTheFirstAndItsHeight) {
    const std::vector<InputFacts> facts{clip(1920, 1080), clip(640, 480), clip(1080, 1920)};
    const Timeline t = resolve(from_files(3, [](ShortOptions& o) { o.layout = "hstack"; }), facts);
    // 4:3 at 1080 lines is 1440 wide; 9:16 is 607.5, even 608.
    EXPECT_EQ(rects(t), (Lines{"0,0 1920x1080", "1920,0 1440x1080", "3360,0 608x1080"}));
    EXPECT_EQ(t.width, 1920 + 1440 + 608);
    EXPECT_EQ(t.height, 1080);
    const Timeline fixed = resolve(from_files(2,
                                              [](ShortOptions& o) {
                                                  o.layout = "hstack";
                                                  o.size = "840x200";
                                              }),
                                   {facts[0], facts[1]});
    // 1920 : 1440 of 840 is 480 : 360.
    EXPECT_EQ(rects(fixed), (Lines{"0,0 480x200", "480,0 360x200"}));
}

TEST(Layout, VstackLikewise) {
    const Timeline t = resolve(from_files(2, [](ShortOptions& o) { o.layout = "vstack"; }),
                               {clip(1920, 1080), clip(640, 480)});
    EXPECT_EQ(rects(t), (Lines{"0,0 1920x1080", "0,1080 1920x1440"}));
    EXPECT_EQ(t.height, 2520);
}

TEST(Layout, SharesOfTheCanvasTile) {
    const PipelineSpec spec = parse_pipeline("weft: 1\n"
                                             "canvas: {size: 1000x563}\n"
                                             "inputs: {a: a}\n"
                                             "layers:\n"
                                             "  - {from: a, rect: [0, 0, 33.3%, 50%]}\n"
                                             "  - {from: a, rect: [33.3%, 50%, 66.7%, 50%]}\n"
                                             "  - {from: a, rect: [-10, 5, 33, 7]}\n",
                                             "p.yaml");
    EXPECT_EQ(rects(resolve(spec, {clip(64, 48)})), (Lines{"0,0 334x282", "334,282 666x281", "-10,5 33x7"}));
}

TEST(Outputs, TakeTheCanvasSizePaddedForTheirChroma) {
    OutputForm planar, plain;
    planar.format.pixels = colour::pixel_format("yuv420p");
    plain.format.pixels = colour::pixel_format("rgba");
    const Timeline t = resolve(from_files(1), {clip(853, 481)}, {planar, plain});
    const auto& outputs = t.scenes[0].scene.outputs;
    ASSERT_EQ(outputs.size(), 2U);
    EXPECT_EQ(outputs[0].format.width, 854);
    EXPECT_EQ(outputs[0].format.height, 482);
    EXPECT_EQ(outputs[0].format.rate, Rational(25));
    EXPECT_EQ(outputs[0].format.colour.matrix, colour::Matrix::bt601);
    EXPECT_EQ(outputs[1].format.width, 853);
    EXPECT_EQ(outputs[1].format.height, 481);
    EXPECT_EQ(outputs[1].format.colour.matrix, colour::Matrix::rgb);
    EXPECT_EQ(outputs[1].format.colour.range, colour::Range::full);
    ASSERT_EQ(t.notes.size(), 2U);
    EXPECT_EQ(t.notes[0], "canvas: 853x481 at 25, bt601, after input '1'");
    EXPECT_EQ(t.notes[1], "output yuv420p: 853x481 is padded to 854x482, as its chroma needs even sides");
}

// What says nothing of itself is read by colour::resolve().
TEST(Outputs, AreStoredAsTheyWillBeRead) {
    for (const char* pixels : {"gray", "yuvj420p", "rgba"}) {
        OutputForm form;
        form.format.pixels = colour::pixel_format(pixels);
        const Timeline t = resolve(from_files(1), {clip(640, 480)}, {form});
        const colour::ColourSpec stored = t.scenes[0].scene.outputs[0].format.colour;
        const colour::ColourSpec read = colour::resolve({}, form.format.pixels, 640, 480);
        EXPECT_EQ(colour::name(stored.range), colour::name(read.range)) << pixels;
        EXPECT_EQ(colour::name(stored.chroma), colour::name(read.chroma)) << pixels;
    }
}

TEST(Outputs, KeepChromaWhereTheFirstInputHasIt) {
    InputFacts facts = clip(640, 480);
    facts.format.colour.chroma = colour::ChromaSite::top_left;
    OutputForm form;
    form.format.pixels = colour::pixel_format("yuv420p");
    const Timeline t = resolve(from_files(1), {facts}, {form});
    EXPECT_EQ(colour::name(t.scenes[0].scene.outputs[0].format.colour.chroma), "top-left");
}

TEST(ShortOptions, FieldsAndLightForEveryInput) {
    ShortOptions options;
    options.files = {"a.mp4", "b.mp4"};
    options.deinterlace = "on";
    options.tonemap = "hable";
    const PipelineSpec spec = pipeline_from_options(options);
    EXPECT_EQ(spec.inputs[1].deinterlace, Deinterlace::on);
    const Timeline t = resolve(spec, {clip(640, 480), clip(640, 480)});
    EXPECT_TRUE(t.streams[1].deinterlace);
    EXPECT_TRUE(t.scenes[0].scene.layers[1].picture.clip.deinterlace);
    EXPECT_EQ(t.scenes[0].scene.tone_map, colour::ToneMap::hable);
    options.deinterlace = "sometimes";
    options.tonemap = "filmic";
    EXPECT_EQ(problems(options).size(), 2U);
}

TEST(Canvas, OnlyFilesThatSaySoAreDeinterlaced) {
    InputFacts facts = clip(640, 480);
    EXPECT_FALSE(resolve(from_files(1), {facts}).streams[0].deinterlace);
    facts.interlaced = true;
    EXPECT_TRUE(resolve(from_files(1), {facts}).streams[0].deinterlace);
    PipelineSpec spec = from_files(1);
    spec.inputs[0].deinterlace = Deinterlace::off;
    EXPECT_FALSE(resolve(spec, {facts}).streams[0].deinterlace);
    facts.still = true;
    spec.inputs[0].deinterlace = Deinterlace::on;
    spec.duration = Rational(1);
    EXPECT_FALSE(resolve(spec, {facts}).streams[0].deinterlace);
}

TEST(ShortOptions, FiltersGoToAllOrToOne) {
    const PipelineSpec spec = from_files(2, [](ShortOptions& o) {
        o.filters = {"eq=contrast=1.2,hflip", "2:gblur=sigma=2", "negate"};
    });
    ASSERT_EQ(spec.layers.size(), 2U);
    ASSERT_EQ(spec.layers[0].filters.size(), 3U);
    EXPECT_EQ(spec.layers[0].filters[2].name, "negate");
    ASSERT_EQ(spec.layers[1].filters.size(), 4U);
    EXPECT_EQ(spec.layers[1].filters[2].name, "gblur");
    EXPECT_EQ(spec.canvas.layout, "grid");
}

TEST(ShortOptions, TransitionsMakeATrack) {
    const PipelineSpec spec = from_files(3, [](ShortOptions& o) {
        o.filters = {"2:gblur=sigma=2"};
        o.transition = "wipeleft:1s";
    });
    ASSERT_EQ(spec.tracks.size(), 1U);
    ASSERT_EQ(spec.tracks[0].entries.size(), 5U);
    EXPECT_EQ(std::get<PlayEntry>(spec.tracks[0].entries[2]).filters.at(0).name, "gblur");
    ASSERT_EQ(spec.layers.size(), 1U);
    EXPECT_EQ(spec.layers[0].from, "show");
    const Timeline t = resolve(spec, {clip(64, 48), clip(64, 48), clip(64, 48)});
    EXPECT_EQ(t.ticks, 50 + 50 + 50 - 25 - 25);
}

// What only sounds has no picture to place.
InputFacts sound(Rational duration) {
    InputFacts out;
    out.has_audio = true;
    out.audio_duration = duration;
    return out;
}

TEST(ShortOptions, SoundTakesNoPlaceInALayout) {
    const Timeline alone = resolve(from_files(2), {clip(640, 360), sound(5)});
    EXPECT_EQ(std::pair(alone.width, alone.height), std::pair(640, 360));
    ASSERT_EQ(alone.scenes.at(0).scene.layers.size(), 1U);
    const SceneLayer& whole = alone.scenes[0].scene.layers[0];
    EXPECT_EQ(std::tuple(whole.x, whole.y, whole.w, whole.h), std::tuple(0, 0, 640, 360));
    ASSERT_EQ(alone.audio.size(), 1U);
    EXPECT_EQ(alone.streams.at(static_cast<size_t>(alone.audio[0].stream)).input, 1);

    for (const char* layout : {"hstack", "grid"}) {
        const PipelineSpec spec = from_files(
            3, std::string(layout) == "grid" ? [](ShortOptions& o) { o.layout = "grid"; }
                                             : [](ShortOptions& o) { o.layout = "hstack"; });
        const Timeline two = resolve(spec, {clip(640, 360), sound(2), clip(640, 360)});
        const bool across = spec.canvas.layout == "hstack";
        EXPECT_EQ(two.width, across ? 1280 : 640) << layout;
        ASSERT_EQ(two.scenes.at(0).scene.layers.size(), 2U) << layout;
        const SceneLayer& right = two.scenes[0].scene.layers[1];
        EXPECT_EQ(std::tuple(right.x, right.w), across ? std::tuple(640, 640) : std::tuple(320, 320))
            << layout;
        EXPECT_EQ(two.audio.size(), 1U) << layout;
    }
}

TEST(ShortOptions, SoundPlaysBesideATransition) {
    const auto fade = [](ShortOptions& o) { o.transition = "fade:1s"; };
    const Timeline t = resolve(from_files(4, fade), {sound(3), clip(64, 48), sound(2), clip(64, 48)});
    EXPECT_EQ(t.ticks, 50 + 50 - 25);
    ASSERT_EQ(t.scenes.size(), 3U);
    EXPECT_EQ(t.scenes[1].from_tick, 25);
    EXPECT_TRUE(t.scenes[1].scene.layers.at(0).picture.transition);
    ASSERT_EQ(t.audio.size(), 2U);
    for (const AudioUse& use : t.audio) {
        EXPECT_EQ(t.streams[static_cast<size_t>(use.stream)].from, Rational(0));
        EXPECT_EQ(use.fade_in, Rational(0));
        EXPECT_EQ(use.fade_out, Rational(0));
    }
    const Timeline one = resolve(from_files(2, fade), {clip(64, 48), sound(4)});
    EXPECT_EQ(one.ticks, 100) << "a render ends when everything has ended";
    EXPECT_EQ(one.scenes.at(0).scene.layers.size(), 1U);

    PipelineSpec songs = from_files(2, fade);
    songs.canvas.size = {64, 48};
    EXPECT_EQ(resolve(songs, {sound(2), sound(2)}).ticks, 75) << "sounds alone follow one another";
}

Lines refusals(const PipelineSpec& spec, const std::vector<InputFacts>& facts) {
    return test::complaints([&] { resolve(spec, facts); });
}

// As users of FFmpeg expect: a crop makes a smaller picture, a quarter turn an upright one.
TEST(Canvas, TakesAfterFiltersOfShape) {
    const auto size = [](const std::vector<std::string>& filters, InputFacts facts) {
        ShortOptions options;
        options.files = {"a.mp4"};
        options.filters = filters;
        const CanvasFormat canvas = resolve_canvas(pipeline_from_options(options), {facts}, library());
        return std::pair(canvas.width, canvas.height);
    };
    EXPECT_EQ(size({"crop=320:180"}, clip(640, 360)), std::pair(320, 180));
    EXPECT_EQ(size({"transpose=1"}, clip(640, 360)), std::pair(360, 640));
    EXPECT_EQ(size({"crop=320:180", "transpose=1", "negate"}, clip(640, 360)), std::pair(180, 320));
    EXPECT_EQ(size({"negate"}, clip(640, 360)), std::pair(640, 360));
    InputFacts phone = clip(640, 360);
    phone.format.rotation = 1; // shown as 360x640
    EXPECT_EQ(size({"crop=300:600"}, phone), std::pair(300, 600));
    InputFacts wide = clip(720, 576);
    wide.format.sample_aspect = Rational(16, 15); // shown as 768x576
    EXPECT_EQ(size({"crop=360:288"}, wide), std::pair(384, 288));
    EXPECT_EQ(size({"transpose=1"}, wide), std::pair(576, 768));
    // Tiles side by side go by it as well.
    const PipelineSpec two = from_files(2, [](ShortOptions& o) {
        o.filters = {"2:crop=100:ih"};
        o.layout = "hstack";
    });
    const Timeline t = resolve(two, {clip(200, 100), clip(200, 100)});
    EXPECT_EQ(t.width, 300);
    EXPECT_EQ(rects(t), (Lines{"0,0 200x100", "200,0 100x100"}));
}

TEST(ShortOptions, FiltersOfShapeComeFirst) {
    const auto names = [](const std::vector<FilterUse>& filters) {
        Lines out;
        for (const FilterUse& use : filters)
            out.push_back(use.manifest->name);
        return out;
    };
    const PipelineSpec spec = from_files(2, [](ShortOptions& o) {
        o.filters = {"hflip", "2:transpose", "negate"};
    });
    const Timeline t = resolve(spec, {clip(64, 48), clip(64, 48)});
    const std::vector<SceneLayer>& layers = t.scenes.at(0).scene.layers;
    ASSERT_EQ(layers.size(), 2U);
    EXPECT_EQ(names(layers[0].picture.clip.filters), Lines{"hflip"});
    EXPECT_EQ(names(layers[1].picture.clip.filters), (Lines{"hflip", "transpose"}));
    EXPECT_EQ(names(layers[0].filters), Lines{"negate"});
    EXPECT_EQ(names(layers[1].filters), Lines{"negate"});

    const PipelineSpec track = from_files(2, [](ShortOptions& o) {
        o.filters = {"vflip", "negate"};
        o.transition = "fade:1s";
    });
    const Timeline sequence = resolve(track, {clip(64, 48), clip(64, 48)});
    const PictureNode& both = sequence.scenes.at(1).scene.layers.at(0).picture;
    EXPECT_EQ(names(both.clip.filters), Lines{"vflip"});
    EXPECT_EQ(names(both.next.filters), Lines{"vflip"});

    const PipelineSpec late = from_files(1, [](ShortOptions& o) { o.filters = {"negate,hflip"}; });
    EXPECT_EQ(refusals(late, {clip(64, 48)}),
              Lines{"--filter: filter 'hflip' moves the picture's samples, but comes after 'negate': give "
                    "it first"});
}

TEST(ShortOptions, ATooLongTransitionIsTheOnlyComplaint) {
    const PipelineSpec spec = from_files(3, [](ShortOptions& o) { o.transition = "wipeleft:100"; });
    const Lines said = refusals(spec, {clip(64, 48), clip(64, 48), clip(64, 48)});
    ASSERT_FALSE(said.empty());
    for (const std::string& line : said)
        EXPECT_NE(line.find("transition 'wipeleft' lasts 100s, but clip"), std::string::npos) << line;
}

TEST(ShortOptions, NamesOfOtherProgramsGetAHint) {
    const std::vector<InputFacts> facts{clip(64, 48), clip(64, 48)};
    EXPECT_EQ(refusals(from_files(2, [](ShortOptions& o) { o.transition = "crossfade"; }), facts),
              Lines{"--transition: no transition 'crossfade': use fade"});
    const PipelineSpec spec = from_files(1, [](ShortOptions& o) {
        o.filters = {"scale=64:48", "rotate=45"};
    });
    EXPECT_EQ(refusals(spec, {clip(64, 48)}),
              (Lines{"--filter: no filter 'scale': use size of the canvas (--size) or rect of a layer",
                     "--filter: no filter 'rotate': use rotate of a layer, or transpose for quarter turns"}));
}

TEST(ShortOptions, TheDurationOfATransitionStandsLast) {
    ShortOptions options;
    options.files = {"a.mp4", "b.mp4"};
    options.transition = "wipeleft:1s:2";
    EXPECT_EQ(problems(options),
              Lines{"--transition: 'wipeleft:1s:2': the last value is the duration, those before it are the "
                    "parameters of 'wipeleft' in their order, and '1s' is a time"});
    options.transition = "wipeleft:0.2:2s";
    EXPECT_EQ(problems(options), Lines{});
}

TEST(ShortOptions, EveryProblemAtOnce) {
    ShortOptions options;
    options.files = {"a.mp4"};
    options.size = "big";
    options.rate = "-3";
    options.layout = "ring";
    options.transition = "fade:1s";
    options.start = "x";
    options.filters = {"3:hflip", "=2"};
    EXPECT_EQ(
        problems(options),
        (Lines{"--size: size is 'big', expected such as 1920x1080, sides 1..32768",
               "--rate: rate is '-3', allowed: a number or fraction of 0.001..1000000 such as 25, "
               "29.97, 30000/1001",
               "--layout: layout is 'ring', allowed: grid, hstack, vstack, or such as 3x2",
               "--start: time is 'x', expected such as 2.5s, 40ms, 1:02.5, 90 (seconds) or 12f (frames)",
               "--layout and --transition exclude each other", "--transition: needs at least two files",
               "--filter: '3:hflip' is for input 3, but there are 1",
               "--filter: '=2' is no filter, expected such as eq=contrast=1.2:saturation=1.3"}));
    EXPECT_EQ(problems(ShortOptions()), Lines{"no input files"});
}

TEST(ShortOptions, OverAPipeline) {
    PipelineSpec spec = parse_pipeline("weft: 1\n"
                                       "canvas: {size: 1920x1080, rate: 30}\n"
                                       "inputs: {left: l.mp4, right: r.mp4}\n"
                                       "layers: [left, {from: right, rect: [1280, 60, 576, 50%]}]\n",
                                       "dir/p.yaml");
    ShortOptions options;
    options.files = {"new.mp4"};
    options.size = "960x540";
    options.duration = "15f";
    options.filters = {"right:hflip", "negate"};
    apply_options(spec, options);
    EXPECT_EQ(spec.inputs[0].url, "new.mp4");
    EXPECT_EQ(spec.inputs[1].url, "dir/r.mp4");
    EXPECT_EQ(spec.canvas.size, std::pair(960, 540));
    EXPECT_EQ(spec.duration, Rational(1, 2)) << "15 frames at the pipeline's 30";
    const auto& rect = *spec.layers[1].rect;
    EXPECT_EQ(rect[0].value, 640);
    EXPECT_EQ(rect[1].value, 30);
    EXPECT_EQ(rect[2].value, 288);
    EXPECT_EQ(rect[3].value, 50) << "a share needs no rescaling";
    EXPECT_EQ(spec.layers[0].filters.size(), 1U);
    EXPECT_EQ(spec.layers[1].filters.size(), 2U);
    options.files = {"1", "2", "3"};
    EXPECT_THROW(apply_options(spec, options), Errors);
}

} // namespace
} // namespace weft::graph
