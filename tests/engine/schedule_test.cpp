// The order of commands under each schedule, by the device's own times; and what never depends on it.
#include "engine/schedule.hpp"

#include <map>

#include <gtest/gtest.h>

#include "engine/intervals.hpp"
#include "engine/recorder.hpp"
#include "engine_clips.hpp"

namespace weft::engine {
namespace {

using test::code_clip;
using test::Folder;

constexpr int frames = 24;

graph::PipelineSpec two_streams(const Folder& folder) {
    const std::string a = code_clip(folder / "a.mp4", frames, "30", 2, 16, "320x240");
    const std::string b = code_clip(folder / "b.mp4", frames, "30", 3, 40, "320x240");
    return graph::parse_pipeline(
        "weft: 1\ncanvas: {size: 640x240}\ninputs: {a: {url: " + a + "}, b: {url: " + b +
            "}}\nlayers:\n  - {from: a, rect: [0, 0, 320, 240], filters: [{gblur: {sigma: 1}}]}\n"
            "  - {from: b, rect: [320, 0, 320, 240]}\n",
        "test.yaml");
}

Recording recorded(const graph::PipelineSpec& spec, Schedule schedule,
                   gpu::QueueOrder order = gpu::QueueOrder::in_order) {
    Recorder recorder;
    RunOptions options;
    options.schedule = schedule;
    options.queues = order;
    options.upload = gpu::UploadPath::pinned;
    options.profiling = true;
    options.trace = &recorder;
    test::hashed(spec, options);
    return recorder.take();
}

std::vector<Interval> of(const Recording& recording, Stage stage) {
    std::vector<Interval> list;
    for (const Record& r : recording.device)
        if (r.stage == stage) list.push_back({r.begin, r.end});
    return list;
}

// By tick: when its first kernel was queued, when its last one began and ended.
struct Kernels {
    Nanoseconds queued{0}, last_begin{0}, end{0};
};
std::map<int64_t, Kernels> kernels(const Recording& recording) {
    std::map<int64_t, Kernels> ticks;
    for (const Record& r : recording.device) {
        if (r.stage != Stage::kernel) continue;
        const auto [place, is_new] = ticks.emplace(r.frame, Kernels{r.queued, r.begin, r.end});
        place->second.last_begin = std::max(place->second.last_begin, r.begin);
        place->second.end = std::max(place->second.end, r.end);
    }
    return ticks;
}

std::map<std::pair<std::string, int64_t>, Record> uploads(const Recording& recording) {
    std::map<std::pair<std::string, int64_t>, Record> list;
    for (const Record& r : recording.device)
        if (r.stage == Stage::upload) list[{r.what, r.frame}] = r;
    return list;
}

TEST(Schedule, PicturesAreTheSameWithEverySchedule) {
    const Folder folder;
    const auto spec = two_streams(folder);
    RunOptions options;
    const auto reference = test::hashed(spec, options).lines;
    ASSERT_EQ(reference.size(), frames + 1U);
    for (const std::string& name : schedule_names())
        for (const gpu::QueueOrder order : {gpu::QueueOrder::in_order, gpu::QueueOrder::out_of_order})
            for (const gpu::UploadPath path : {gpu::UploadPath::pinned, gpu::UploadPath::pageable}) {
                options.schedule = *parse_schedule(name);
                options.queues = order;
                options.upload = path;
                EXPECT_EQ(test::hashed(spec, options).lines, reference)
                    << name << ", " << gpu::name(order) << ", " << gpu::name(path);
            }
}

// Kernels that begin before their upload has ended show another picture now and then, not every time.
TEST(Schedule, TwentyRunsOfEitherGiveTheSamePictures) {
    const Folder folder;
    const graph::PipelineSpec spec = two_streams(folder);
    std::vector<std::string> reference;
    for (int run = 0; run < 40; ++run) {
        RunOptions options;
        options.schedule = run % 2 == 0 ? Schedule::serial : Schedule::overlapped;
        options.upload = gpu::UploadPath::pageable; // a copy, and another's memory under it
        const auto lines = test::hashed(spec, options).lines;
        if (run == 0) reference = lines;
        ASSERT_EQ(lines.size(), size_t{frames} + 1);
        ASSERT_EQ(lines, reference) << "run " << run;
    }
}

TEST(Schedule, SerialNeverDoesTwoThingsAtOnce) {
    const Folder folder;
    const Recording recording = recorded(two_streams(folder), Schedule::serial);
    const auto copies = united(of(recording, Stage::upload));
    EXPECT_EQ(of(recording, Stage::upload).size(), 2U * frames);
    EXPECT_EQ(intersection(copies, united(of(recording, Stage::kernel))), Intervals{});
    const auto ticks = kernels(recording);
    const auto up = uploads(recording);
    for (int n = 1; n < frames; ++n)
        for (const char* stream : {"a", "b"})
            EXPECT_GE(up.at({stream, n}).queued, ticks.at(n - 1).end) << stream << " " << n;
}

TEST(Schedule, ReorderedUploadsBehindTheKernelsAndHasOneTickInFlight) {
    const Folder folder;
    const Recording recording = recorded(two_streams(folder), Schedule::reordered);
    const auto ticks = kernels(recording);
    const auto up = uploads(recording);
    for (int n = 1; n < frames; ++n) {
        EXPECT_GE(ticks.at(n).queued, ticks.at(n - 1).end) << n;
        for (const char* stream : {"a", "b"})
            EXPECT_GE(up.at({stream, n}).queued, ticks.at(n - 1).queued) << stream << " " << n;
    }
}

TEST(Schedule, KernelsNeverBeginBeforeTheirUploadsEnd) {
    const Folder folder;
    const auto spec = two_streams(folder);
    for (const gpu::QueueOrder order : {gpu::QueueOrder::in_order, gpu::QueueOrder::out_of_order}) {
        const Recording recording = recorded(spec, Schedule::overlapped, order);
        const auto ticks = kernels(recording);
        const auto up = uploads(recording);
        ASSERT_EQ(recording.shows.size(), 2U * frames);
        for (const Show& show : recording.shows)
            EXPECT_LE(up.at({show.stream, show.picture}).end, ticks.at(show.tick).last_begin)
                << gpu::name(order) << ", " << show.stream << " at " << show.tick;
        for (const Record& r : recording.device) {
            EXPECT_LE(r.queued, r.submitted);
            EXPECT_LE(r.submitted, r.begin);
            EXPECT_LE(r.begin, r.end);
        }
    }
}

// The three pictures that were decoded, three times.
TEST(Schedule, PreloadedPicturesComeInTurn) {
    const Folder folder;
    const std::string clip = code_clip(folder / "a.mp4", 30);
    auto spec = graph::parse_pipeline("weft: 1\ninputs: {a: {url: " + clip + "}}\nlayers: [{from: a}]\n",
                                      "test.yaml");
    spec.duration = Rational(10, 30);
    RunOptions options;
    options.preload = 3;
    EXPECT_EQ(test::probe(spec, options).sink().left,
              (std::vector<int>{16, 18, 20, 16, 18, 20, 16, 18, 20, 16}));
}

TEST(Schedule, ARunEndsAfterTheMostFramesAndDecodesNoFurther) {
    const Folder folder;
    const std::string clip = code_clip(folder / "a.mp4", 100);
    const auto spec = graph::parse_pipeline(
        "weft: 1\ninputs: {a: {url: " + clip + "}}\nlayers: [{from: a}]\n", "test.yaml");
    RunOptions options;
    options.most_frames = 7;
    const auto result = test::probe(spec, options);
    EXPECT_EQ(result.sink().left.size(), 7U);
    EXPECT_EQ(result.report.plan.frames, 7);
    EXPECT_FALSE(result.report.interrupted);
    EXPECT_EQ(result.report.inputs.at(0).decoded, 8); // one ahead, to know until when the last one is due
}

} // namespace
} // namespace weft::engine
