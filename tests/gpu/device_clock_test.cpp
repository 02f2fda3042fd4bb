#include "gpu/device_clock.hpp"

#include <cstdlib>

#include <gtest/gtest.h>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "support/device.hpp"

namespace weft::gpu {
namespace {

// Commands that ran somewhere between two looks at the host's clock, which is 1000 ahead of the device's.
TEST(DeviceClock, BoundsCloseInOnTheOffset) {
    ClockBounds bounds;
    bounds.add(Nanoseconds(1090), 100, 110, Nanoseconds(1150)); // offset 990 .. 1040
    EXPECT_EQ(bounds.pair().error, Nanoseconds(25));
    bounds.add(Nanoseconds(1195), 200, 210, Nanoseconds(1220)); // offset 995 .. 1010
    const ClockPair pair = bounds.pair();
    EXPECT_EQ(pair.device_ns, 210);
    EXPECT_EQ(pair.host, Nanoseconds(210 + 1002));
    EXPECT_EQ(pair.error, Nanoseconds(8));
}

// A host clock that goes 50 ppm faster: straight between the two readings, and on beyond them.
TEST(DeviceClock, DriftIsInterpolated) {
    const ClockMap map({0, Nanoseconds(5000), Nanoseconds(10)},
                       {2'000'000'000, Nanoseconds(2'000'105'000), Nanoseconds(30)});
    EXPECT_EQ(map.host(0), Nanoseconds(5000));
    EXPECT_EQ(map.host(1'000'000'000), Nanoseconds(1'000'055'000));
    EXPECT_EQ(map.host(2'000'000'000), Nanoseconds(2'000'105'000));
    EXPECT_EQ(map.error(), Nanoseconds(30));
    EXPECT_NEAR(map.drift_ppm(), 50, 1e-6);
}

TEST(DeviceClock, ReadingsTooCloseTogetherSayNothingOfDrift) {
    const ClockMap map({0, Nanoseconds(5000), Nanoseconds(10)}, {1000, Nanoseconds(6500), Nanoseconds(10)});
    EXPECT_EQ(map.drift_ppm(), 0);
    EXPECT_EQ(map.host(1000), Nanoseconds(6000));
}

// A command of this device, by its own times, ran between the looks at the host's clock around it.
TEST(DeviceClock, ACommandLiesWhereTheHostSawIt) {
    Device device(test::device_info(), {.profiling = true});
    const ClockReading first = read_clocks(device);
    const Nanoseconds before = SteadyClock().now();
    cl::Buffer buffer(device.context(), CL_MEM_READ_WRITE, 4096);
    cl::Event event;
    device.compute().enqueueFillBuffer(buffer, uint8_t{1}, 0, 4096, nullptr, &event);
    event.wait();
    const Nanoseconds after = SteadyClock().now();
    const ClockReading last = read_clocks(device);
    const ClockMap map(first.pair, last.pair);
    const auto start = static_cast<int64_t>(event.getProfilingInfo<CL_PROFILING_COMMAND_START>());
    const auto end = static_cast<int64_t>(event.getProfilingInfo<CL_PROFILING_COMMAND_END>());
    EXPECT_GE(map.host(start), before - map.error() * 2);
    EXPECT_LE(map.host(end), after + map.error() * 2);
    EXPECT_TRUE(first.method == "markers" || first.method == "host timer") << first.method;
}

TEST(DeviceClock, QueuesThatRecordNothingAreRefused) {
    EXPECT_THROW(read_clocks(test::device()), Error);
}

} // namespace
} // namespace weft::gpu
