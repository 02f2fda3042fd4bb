// Figures of made-up recordings, whose answers are known.
#include "report/analyse.hpp"

#include <gtest/gtest.h>

namespace weft::report {
namespace {

using engine::Record;
using engine::Recording;
using engine::Stage;

Nanoseconds us(double time) {
    return Nanoseconds(static_cast<int64_t>(time * 1000));
}

void add(Recording& recording, Stage stage, const std::string& what, int64_t frame, double begin, double end,
         double bytes = 0) {
    Record record;
    record.stage = stage;
    record.what = what;
    record.frame = frame;
    record.begin = us(begin);
    record.end = us(end);
    record.queued = record.submitted = record.begin;
    record.work.bytes = bytes;
    (engine::on_device(stage) ? recording.device : recording.host).push_back(record);
}

constexpr int frames = 20;

// Every 100 us: kernel n works for 80 us; the upload of picture n + 1 begins 20 us after it and takes 40;
// reading n back takes 30 us from the kernel's end on. Decoding a picture takes 60 us, well ahead.
Recording overlapped() {
    Recording recording;
    for (int n = 0; n < frames; ++n) {
        const double t = 1000 + n * 100;
        add(recording, Stage::decode, "a", n, t - 250, t - 190);
        add(recording, Stage::enqueue, "a", n, t - 85, t - 80);
        add(recording, Stage::upload, "a", n, t - 80, t - 40, 4e5);
        add(recording, Stage::enqueue, "", n, t - 60, t - 55);
        add(recording, Stage::kernel, "blur", n, t, t + 80, 1.6e6);
        add(recording, Stage::download, "out", n, t + 80, t + 110, 3e5);
        add(recording, Stage::deliver, "out", n, t + 110, t + 150);
        recording.shows.push_back({n, "a", n, 1});
    }
    return recording;
}

ScheduleProfile figures(Recording recording, int slots = 2) {
    Measured measured;
    measured.slots = slots;
    measured.frames = frames;
    measured.recording = std::move(recording);
    return analyse(measured, {.up = 20e9, .down = 20e9, .copy = 40e9});
}

const QueueStats& queue(const ScheduleProfile& s, const std::string& name) {
    return *s.queue(name);
}

TEST(Analyse, SteadyStateCutsTwiceTheSlotsAtEitherEnd) {
    const auto steady = steady_state(overlapped(), 2);
    ASSERT_TRUE(steady);
    EXPECT_EQ(steady->first_tick, 4);
    EXPECT_EQ(steady->behind_tick, 16);
    EXPECT_EQ(steady->window.begin, us(1400));
    EXPECT_EQ(steady->window.end, us(2600));
    EXPECT_FALSE(steady_state(overlapped(), 5)); // 20 ticks, 20 of them cut
}

// Per 100 us: copies are busy from 20 to 60 (up) and from 80 to 110 (down): 70; kernels from 0 to 80. Both:
// 20 to 60 and, of the read-back of the picture before, 0 to 10: 50 of 70.
TEST(Analyse, OverlapIsTheSharedTimeOverTheShorterSide) {
    const ScheduleProfile s = figures(overlapped());
    ASSERT_TRUE(s.overlap);
    EXPECT_NEAR(*s.overlap, 50.0 / 70, 1e-9);
    EXPECT_NEAR(s.both_ms, 0.050, 1e-9);
    EXPECT_NEAR(s.copy_ms, 0.070, 1e-9);
    EXPECT_EQ(s.no_overlap, "");
    EXPECT_EQ(s.order_faults, 0);
}

TEST(Analyse, EfficiencyIsTheLongestStageOverTheWall) {
    const ScheduleProfile s = figures(overlapped());
    EXPECT_NEAR(*s.efficiency, 0.8, 1e-9);
    EXPECT_EQ(s.longest_stage, "compute");
    EXPECT_EQ(s.critical_stage, "compute");
    EXPECT_NEAR(queue(s, "copy up").utilisation, 0.4, 1e-9);
    EXPECT_NEAR(queue(s, "copy up").gb_per_s, 10, 1e-9); // 400 kB in 40 us
    EXPECT_NEAR(queue(s, "copy up").command_us.median, 40, 1e-9);
    EXPECT_NEAR(queue(s, "copy down").busy_ms, 0.030, 1e-9);
    ASSERT_EQ(s.kernels.size(), 1U);
    EXPECT_NEAR(s.kernels[0].gb_per_s, 20, 1e-9); // 1.6 MB in 80 us
    EXPECT_NEAR(s.kernels[0].of_copy, 0.5, 1e-9);
}

// The same stages, in a frame that takes 160 us where nobody measures.
TEST(Analyse, EfficiencyIsOfTheTimeWithoutProfiling) {
    Measured measured;
    measured.recording = overlapped();
    measured.slots = 2;
    std::vector<Nanoseconds> delivered;
    for (int n = 0; n < 20; ++n)
        delivered.push_back(us(160 * n));
    measured.unprofiled.push_back(delivered);
    EXPECT_NEAR(*analyse(measured, {}).efficiency, 0.5, 1e-9);
}

TEST(Analyse, StreamsAndLatency) {
    const ScheduleProfile s = figures(overlapped());
    ASSERT_EQ(s.streams.size(), 1U);
    EXPECT_NEAR(s.streams[0].decode_ms.median, 0.060, 1e-9);
    EXPECT_NEAR(s.streams[0].upload_ms, 0.040, 1e-9);
    EXPECT_EQ(s.streams[0].ring_fill, 1);
    EXPECT_EQ(s.streams[0].starved, 0); // every upload ended 20 us before the kernel of the tick before
    EXPECT_NEAR(s.latency_ms.median, 0.340, 1e-9); // decoded at -190, delivered at +150
    EXPECT_EQ(s.latency_ms.count, 12);
    ASSERT_EQ(s.sinks.size(), 1U);
    EXPECT_NEAR(s.sinks[0].deliver_ms.p95, 0.040, 1e-9);
}

TEST(Analyse, AThreadThatWorksLongerThanTheDeviceIsCritical) {
    Recording recording = overlapped();
    for (Record& record : recording.host)
        if (record.stage == Stage::decode) record.end = record.begin + us(95);
    const ScheduleProfile s = figures(std::move(recording));
    EXPECT_EQ(s.critical_stage, "decode");
    EXPECT_EQ(s.longest_stage, "compute");
    EXPECT_NEAR(*s.efficiency, 0.8, 1e-9);
}

// Picture n decodes in two pieces, with 10 us between them in which it waited for its second packet.
TEST(Analyse, ReadingIsToldBesideDecoding) {
    Recording recording = overlapped();
    for (int n = 0; n < frames; ++n) {
        const double t = 1000 + n * 100;
        add(recording, Stage::read, "a", 2 * n, t - 300, t - 290);
        add(recording, Stage::read, "a", 2 * n + 1, t - 240, t - 180);
        add(recording, Stage::await, "a", n, t - 190, t - 180);
        add(recording, Stage::decode, "a", n, t - 180, t - 150);
    }
    const ScheduleProfile s = figures(std::move(recording));
    ASSERT_EQ(s.streams.size(), 1U);
    EXPECT_EQ(s.streams[0].read_ms.count, 24);
    EXPECT_NEAR(s.streams[0].read_ms.most, 0.060, 1e-9);
    EXPECT_NEAR(s.streams[0].await_ms, 0.010, 1e-9);
    EXPECT_EQ(s.streams[0].decode_ms.count, 12);
    EXPECT_NEAR(s.streams[0].decode_ms.median, 0.090, 1e-9);
    EXPECT_EQ(s.critical_stage, "decode"); // 90 us a frame, reading 70, kernels 80
}

TEST(Analyse, AReaderThatWorksLongestIsCritical) {
    Recording recording = overlapped();
    for (int n = 0; n < frames; ++n)
        add(recording, Stage::read, "a", n, 700 + n * 100, 797 + n * 100);
    const ScheduleProfile s = figures(std::move(recording));
    EXPECT_EQ(s.critical_stage, "read");
    EXPECT_EQ(s.longest_stage, "compute");
    EXPECT_NEAR(s.host_ms, 0.060 + 0.005 + 0.005 + 0.040, 1e-9); // reading is no work of a processor
}

// Of every run's pictures, the steady state or not.
TEST(Analyse, PicturesAreCounted) {
    Measured measured;
    measured.slots = 2;
    measured.recording.shows = {{0, "a", 0, 0}, {1, "a", 0, 0}, {2, "a", 1, 0}, {3, "a", 1, 0},
                                {4, "a", 1, 0}, {0, "b", 5, 0}, {1, "b", 6, 0}};
    engine::InputReport a, b;
    a.name = "a";
    a.decoded = 2;
    b.name = "b";
    b.decoded = 9;
    b.skipped = 5;
    b.late = 3;
    b.damaged = 1;
    b.missing = 4;
    measured.inputs = {a, b};
    engine::SinkReport out;
    out.name = "out";
    out.frames = 5;
    out.dropped = 1;
    measured.sinks = {out};
    measured.skipped_ticks = 2;
    const ScheduleProfile s = analyse(measured, {});
    ASSERT_EQ(s.pictures.size(), 2U);
    EXPECT_EQ(s.pictures[0].repeated, 3);
    EXPECT_EQ(s.pictures[0].lost, 0);
    EXPECT_EQ(s.pictures[1].repeated, 0);
    EXPECT_EQ(s.pictures[1].decoded, 9);
    EXPECT_EQ(s.pictures[1].dropped, 5);
    EXPECT_EQ(s.pictures[1].late, 3);
    EXPECT_EQ(s.pictures[1].lost, 5);
    ASSERT_EQ(s.outputs.size(), 1U);
    EXPECT_EQ(s.outputs[0].frames, 5);
    EXPECT_EQ(s.outputs[0].dropped, 1);
    EXPECT_EQ(s.skipped_ticks, 2);
}

TEST(Analyse, KernelsAreHeldAgainstBothPeaks) {
    Recording recording = overlapped();
    for (Record& record : recording.device)
        if (record.stage == Stage::kernel) record.work.operations = 8e6;
    Measured measured;
    measured.slots = 2;
    measured.recording = std::move(recording);
    const ScheduleProfile s =
        analyse(measured, {.up = 20e9, .down = 20e9, .copy = 40e9, .operations = 400e9});
    ASSERT_EQ(s.kernels.size(), 1U);
    EXPECT_NEAR(s.kernels[0].gflop_per_s, 100, 1e-9); // 8 million in 80 us
    EXPECT_NEAR(s.kernels[0].of_operations, 0.25, 1e-9);
    EXPECT_NEAR(s.kernels[0].of_copy, 0.5, 1e-9);
}

TEST(Analyse, NoOverlapIsGivenWithoutCopiesOrWithTinyOnes) {
    Recording none = overlapped(), tiny = overlapped();
    std::erase_if(none.device, [](const Record& r) { return r.stage != Stage::kernel; });
    std::erase_if(tiny.device, [](const Record& r) { return r.stage == Stage::download; });
    for (Record& record : tiny.device)
        if (record.stage == Stage::upload) record.end = record.begin + us(1.9); // under 2 of 100
    const ScheduleProfile without = figures(std::move(none)), small = figures(std::move(tiny));
    EXPECT_FALSE(without.overlap);
    EXPECT_EQ(without.no_overlap, "nothing is copied");
    EXPECT_FALSE(small.overlap);
    EXPECT_NE(small.no_overlap.find("2 %"), std::string::npos) << small.no_overlap;
}

TEST(Analyse, AKernelThatBeginsBeforeItsUploadEndsIsCounted) {
    Recording recording = overlapped();
    for (Record& record : recording.device)
        if (record.stage == Stage::upload && record.frame == 7) record.end += us(50);
    EXPECT_EQ(figures(std::move(recording)).order_faults, 1);
}

TEST(Analyse, TooFewFramesGiveNoSteadyState) {
    const ScheduleProfile s = figures(overlapped(), 8);
    EXPECT_EQ(s.steady_frames, 0);
    EXPECT_FALSE(s.overlap);
    EXPECT_NE(s.not_steady.find("20 frames"), std::string::npos) << s.not_steady;
}

TEST(Analyse, TimePerFrameIsOfTheMiddleOfARun) {
    std::vector<Nanoseconds> delivered; // 5 ms a frame, 50 in the first and last four
    Nanoseconds now{0};
    for (int n = 0; n < 30; ++n)
        delivered.push_back(now += us(n < 5 || n >= 26 ? 50'000 : 5'000));
    EXPECT_NEAR(ms_per_frame(delivered, 2), 5, 1e-9);
    EXPECT_NEAR(ms_per_frame({us(1000), us(3000)}, 2), 2, 1e-9); // too short to cut
    EXPECT_EQ(ms_per_frame({us(1000)}, 2), 0);
}

TEST(Analyse, SpeedUpIsOverTheSerialSchedule) {
    std::vector<ScheduleProfile> schedules(2);
    schedules[0].schedule = engine::Schedule::serial;
    schedules[0].ms_per_frame = 6;
    schedules[1].ms_per_frame = 4;
    compare(schedules);
    EXPECT_EQ(schedules[0].speedup, 1.0);
    EXPECT_EQ(schedules[1].speedup, 1.5);
    schedules.erase(schedules.begin());
    schedules[0].speedup.reset();
    compare(schedules);
    EXPECT_FALSE(schedules[0].speedup);
}

TEST(Analyse, PercentilesAreNearestRanks) {
    std::vector<double> values;
    for (int i = 100; i >= 1; --i)
        values.push_back(i);
    const Spread spread = spread_of(values);
    EXPECT_EQ(spread.median, 50);
    EXPECT_EQ(spread.p95, 95);
    EXPECT_EQ(spread.p99, 99);
    EXPECT_EQ(spread.most, 100);
    EXPECT_EQ(spread_of({}).count, 0);
}

double share(const std::vector<PathPart>& path, const std::string& name) {
    double sum = 0;
    for (const PathPart& part : path)
        if (part.name == name) sum += part.share;
    return sum;
}

// The kernels follow each other every 100 us and work for 80: the rest is between them. Behind the last one
// come its reading back, which ends 30 us later, and the delivery of 40 us.
TEST(CriticalPath, FollowsKernelsThatWaitForEachOther) {
    const Recording recording = overlapped();
    const auto path = critical_path(recording, *steady_state(recording, 2));
    const double whole = 12 * 100 + 50; // from tick 4's kernel to tick 15's delivery
    EXPECT_NEAR(share(path, "compute: blur"), 12 * 80 / whole, 1e-9);
    EXPECT_NEAR(share(path, "launch and wait"), 11 * 20 / whole, 1e-9);
    EXPECT_NEAR(share(path, "copy down"), 30 / whole, 1e-9);
    EXPECT_NEAR(share(path, "deliver: out"), 40 / whole, 1e-9);
    double sum = 0;
    for (const PathPart& part : path)
        sum += part.share;
    EXPECT_NEAR(sum, 1, 1e-9);
}

// As below, but the decoder stands still while a packet is read: read 50, decode 5, enqueue 5, and the next
// packet is read meanwhile.
TEST(CriticalPath, FollowsTheReaderWhereDecodersAwaitIt) {
    Recording recording;
    for (int n = 0; n < frames; ++n) {
        const double t = n * 60;
        add(recording, Stage::read, "a", n, t, t + 50);
        add(recording, Stage::await, "a", n, n == 0 ? 0 : t, t + 50);
        add(recording, Stage::decode, "a", n, t + 50, t + 55);
        add(recording, Stage::enqueue, "a", n, t + 55, t + 60);
        add(recording, Stage::upload, "a", n, t + 60, t + 80);
        add(recording, Stage::kernel, "k", n, t + 80, t + 95);
        add(recording, Stage::deliver, "out", n, t + 95, t + 100);
        recording.shows.push_back({n, "a", n, 0});
    }
    const auto path = critical_path(recording, *steady_state(recording, 2));
    // From tick 15's delivery at 1000 back: its kernel, upload, enqueue and decode to 950, and then packets,
    // one every 60, each read in 50 and with 10 before it in which there was no packet to read.
    EXPECT_NEAR(share(path, "read: a"), (10 * 50 + 30) / 680.0, 1e-9);
    EXPECT_NEAR(share(path, "decode: a"), 5 / 680.0, 1e-9);
    EXPECT_NEAR(share(path, "launch and wait"), 10 * 10 / 680.0, 1e-9);
}

// One after the other: decode 50, enqueue 10, upload 20, kernel 15, deliver 5; the next picture is decoded
// meanwhile, and always comes last.
TEST(CriticalPath, FollowsTheDecoderWhereThatIsWhatAllWaitFor) {
    Recording recording;
    for (int n = 0; n < frames; ++n) {
        const double t = n * 60;
        add(recording, Stage::decode, "a", n, t, t + 50);
        add(recording, Stage::enqueue, "a", n, t + 50, t + 60);
        add(recording, Stage::upload, "a", n, t + 60, t + 80);
        add(recording, Stage::kernel, "k", n, t + 80, t + 95);
        add(recording, Stage::deliver, "out", n, t + 95, t + 100);
        recording.shows.push_back({n, "a", n, 0});
    }
    const auto path = critical_path(recording, *steady_state(recording, 2));
    // From tick 15's delivery at 1000 back to tick 4's kernel at 320, which is in the middle of decoding
    // picture 5.
    EXPECT_NEAR(share(path, "decode: a"), (10 * 50 + 30) / 680.0, 1e-9);
    EXPECT_NEAR(share(path, "enqueue: a"), 11 * 10 / 680.0, 1e-9);
    EXPECT_NEAR(share(path, "launch and wait"), 0, 1e-9);
}

} // namespace
} // namespace weft::report
