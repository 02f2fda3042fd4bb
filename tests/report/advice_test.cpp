// What is said about made-up figures.
#include "report/advice.hpp"
#include "report/files.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace weft::report {
namespace {

// A healthy pipeline on a GPU: kernels fill 98 % of 10 ms a frame, everything else is hidden behind them.
Profile healthy() {
    Profile profile;
    profile.upload = "direct";
    profile.peaks = {.up = 50e9, .down = 50e9, .copy = 3000e9};
    ScheduleProfile s;
    s.schedule = engine::Schedule::overlapped;
    s.slots = 2;
    s.ms_per_frame = 10;
    s.steady_ms = 1000;
    s.steady_frames = 100;
    s.efficiency = 0.98;
    s.longest_stage = s.critical_stage = "compute";
    s.cpu_ms = 3;
    s.host_ms = 2;
    QueueStats up;
    up.name = "copy up";
    up.gb_per_s = 48;
    up.peak_gb_per_s = 50;
    up.critical_share = 0.02;
    s.queues = {up};
    KernelStats kernel;
    kernel.name = "blur";
    kernel.gb_per_s = 2000;
    kernel.of_copy = 0.67;
    kernel.critical_share = 0.95;
    s.kernels = {kernel};
    StreamStats stream;
    stream.name = "left";
    stream.decode_ms.median = 2;
    stream.mb_per_copy = 3;
    s.streams = {stream};
    SinkStats sink;
    sink.name = "out.mp4";
    sink.deliver_ms.median = 1;
    s.sinks = {sink};
    s.path = {{"compute: blur", 0.95}, {"launch and wait", 0.03}, {"copy up", 0.02}};
    profile.schedules = {s};
    return profile;
}

ScheduleProfile& schedule(Profile& profile) {
    return profile.schedules.front();
}

bool says(const std::vector<Advice>& advice, const std::string& option, const std::string& words,
          double gain) {
    return std::any_of(advice.begin(), advice.end(), [&](const Advice& a) {
        return a.option == option && a.text.find(words) != std::string::npos &&
               std::abs(a.gain - gain) < 1e-9;
    });
}

TEST(Advice, AHealthyPipelineIsLeftAlone) {
    EXPECT_TRUE(advise(healthy()).empty());
}

TEST(Advice, PageableMemory) {
    Profile profile = healthy();
    profile.upload = "pageable";
    schedule(profile).queues[0].gb_per_s = 10;
    schedule(profile).queues[0].critical_share = 0.5;
    EXPECT_TRUE(
        says(advise(profile), "--upload pinned", "pageable memory", 0.4)); // half of it, four fifths faster
    profile.shares_memory = true;                                          // there is nothing else there
    schedule(profile).streams[0].mb_per_copy = 3;
    EXPECT_TRUE(advise(profile).empty());
}

TEST(Advice, OneSlotTooFew) {
    Profile profile = healthy();
    schedule(profile).efficiency = 0.7;
    schedule(profile).streams[0].starved = 0.9;
    schedule(profile).streams[0].wait_ms = 4;
    EXPECT_TRUE(says(advise(profile), "--buffers 3", "'left'", 0.3));
    schedule(profile).streams[0].wait_ms = 0; // it never waited for one
    EXPECT_TRUE(advise(profile).empty());
}

TEST(Advice, DecodingBounds) {
    Profile profile = healthy();
    schedule(profile).efficiency = 0.2;
    schedule(profile).critical_stage = "decode";
    schedule(profile).streams[0].decode_ms.median = 9.5;
    EXPECT_TRUE(says(advise(profile), "--preload 16", "'left' takes 9.50 ms of the 10.00 ms", 0.8));
    profile.preload = 16;
    EXPECT_TRUE(advise(profile).empty());
}

TEST(Advice, ReadingBounds) {
    Profile profile = healthy();
    schedule(profile).efficiency = 0.3;
    schedule(profile).critical_stage = "read";
    schedule(profile).streams[0].read_ms.median = 9;
    schedule(profile).streams[0].await_ms = 8.5;
    EXPECT_TRUE(says(advise(profile), "--preload 16", "'left' takes 9.00 ms to come", 0.7));
    profile.preload = 16;
    EXPECT_TRUE(advise(profile).empty());
}

TEST(Advice, CopyingIntoPinnedMemoryBounds) {
    Profile profile = healthy();
    profile.upload = "pinned";
    schedule(profile).efficiency = 0.5;
    schedule(profile).critical_stage = "enqueue";
    EXPECT_TRUE(says(advise(profile), "--upload direct", "into pinned memory", 0.5));
}

TEST(Advice, AnOutputBounds) {
    Profile profile = healthy();
    schedule(profile).efficiency = 0.6;
    schedule(profile).critical_stage = "deliver";
    schedule(profile).sinks[0].deliver_ms.median = 9;
    EXPECT_TRUE(says(advise(profile), "--preset veryfast", "'out.mp4'", 0.4));
    schedule(profile).sinks[0].deliver_ms.median = 0.1; // but once it was held up
    EXPECT_TRUE(advise(profile).empty());
}

TEST(Advice, AKernelBelowHalfTheBandwidth) {
    Profile profile = healthy();
    schedule(profile).kernels[0].of_copy = 0.2;
    schedule(profile).kernels[0].gb_per_s = 600;
    schedule(profile).kernels[0].of_operations = 0.1;
    EXPECT_TRUE(says(advise(profile), "weft tune", "moves 600.0 GB/s, 20 %", 0.95 * 0.8));
    profile.tuned = true;                             // nothing is left to measure
    schedule(profile).kernels[0].of_operations = 0.3; // the nearer one of two peaks
    EXPECT_TRUE(says(advise(profile), "weft check --explain", "30 % of its multiply-adds", 0.95 * 0.7));
    schedule(profile).kernels[0].of_operations = 0.6; // it computes, and well
    EXPECT_TRUE(advise(profile).empty());
    schedule(profile).kernels[0].of_operations = 0.1;
    schedule(profile).kernels[0].critical_share = 0.01; // it holds nothing up
    EXPECT_TRUE(advise(profile).empty());
}

TEST(Table, SaysWhereRunsOfOneKindDiffer) {
    Profile profile = healthy();
    const std::string noise = "overlapped: its runs took 10.000 to 13.000 ms a frame";
    schedule(profile).runs_ms = {10, 11, 12};
    EXPECT_EQ(to_table(profile).find(noise), std::string::npos);
    schedule(profile).runs_ms = {11, 10, 13};
    EXPECT_NE(to_table(profile).find(noise), std::string::npos) << to_table(profile);
}

TEST(Advice, SmallCopies) {
    Profile profile = healthy();
    schedule(profile).streams[0].mb_per_copy = 0.02;
    schedule(profile).queues[0].gb_per_s = 5;
    schedule(profile).queues[0].critical_share = 0.5;
    EXPECT_TRUE(says(advise(profile), "--upload pinned", "20 kB each", 0.45));
    profile.upload = "pinned"; // that is one copy a picture already
    EXPECT_TRUE(advise(profile).empty());
}

TEST(Advice, ShortCommands) {
    Profile profile = healthy();
    profile.preload = 16;
    schedule(profile).path = {{"launch and wait", 0.6}, {"compute: blur", 0.4}};
    EXPECT_TRUE(says(advise(profile), "--buffers 4", "60 %", 0.6));
}

TEST(Advice, SpinningWaits) {
    Profile profile = healthy();
    profile.preload = 16;
    schedule(profile).cpu_ms = 11; // of 10 ms, of which 2 are work
    EXPECT_TRUE(says(advise(profile), "", "spins", 0));
    profile.shares_memory = true; // there the kernels themselves are processor time
    EXPECT_TRUE(advise(profile).empty());
}

TEST(Advice, SpeaksOfTheOverlappedScheduleAndPutsTheLargestGainFirst) {
    Profile profile = healthy();
    ScheduleProfile serial = schedule(profile);
    serial.schedule = engine::Schedule::serial;
    serial.critical_stage = "decode";
    profile.schedules.insert(profile.schedules.begin(), serial);
    EXPECT_TRUE(advise(profile).empty());
    profile.schedules[1].efficiency = 0.7;
    profile.schedules[1].critical_stage = "decode";
    profile.schedules[1].kernels[0].of_copy = 0.1;
    const auto advice = advise(profile);
    ASSERT_EQ(advice.size(), 2U);
    EXPECT_EQ(advice[0].option, "weft tune");
    EXPECT_EQ(advice[1].option, "--preload 16");
}

} // namespace
} // namespace weft::report
