#include "present/play_stats.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace weft::present {
namespace {

using std::chrono::milliseconds;
using ::testing::Contains;
using ::testing::HasSubstr;

TEST(ClockText, CountsHoursMinutesSecondsAndMilliseconds) {
    EXPECT_EQ(clock_text(Nanoseconds(0)), "00:00:00.000");
    EXPECT_EQ(clock_text(milliseconds(((1 * 60 + 2) * 60 + 3) * 1000 + 45)), "01:02:03.045");
    EXPECT_EQ(clock_text(milliseconds(59'999) + Nanoseconds(999'999)), "00:00:59.999");
    EXPECT_EQ(clock_text(milliseconds(-1500)), "-00:00:01.500");
    EXPECT_EQ(clock_text(std::chrono::hours(123)), "123:00:00.000");
}

TEST(StatusLine, SaysPlaceRateSyncAndLosses) {
    PlayStats stats;
    stats.position = milliseconds(5120);
    stats.length = std::chrono::minutes(1);
    stats.shown_rate = 29.97;
    stats.av = milliseconds(-3);
    stats.late = 1;
    stats.dropped = 2;
    EXPECT_EQ(status_line(stats),
              "00:00:05.120 / 00:01:00.000 (8%)  29.97 fps  A-V: -0.003  late 1  dropped 2");
    stats.length.reset();
    stats.av.reset();
    stats.speed = 1.5;
    stats.paused = true;
    EXPECT_EQ(status_line(stats), "00:00:05.120  29.97 fps  late 1  dropped 2  x1.50  (paused)");
}

TEST(StatsLines, NamesDeviceAndPaths) {
    PlayStats stats;
    stats.rate = Rational(30000, 1001);
    stats.width = 1920;
    stats.height = 1080;
    stats.device = "Some GPU";
    stats.upload = "direct";
    stats.interop = "readback";
    stats.renderer = "Some GL";
    stats.dropped = 7;
    const auto lines = stats_lines(stats);
    EXPECT_THAT(lines, Contains(HasSubstr("1920x1080 at 30000/1001 fps")));
    EXPECT_THAT(lines, Contains(HasSubstr("Some GPU")));
    EXPECT_THAT(lines, Contains(HasSubstr("direct")));
    EXPECT_THAT(lines, Contains(HasSubstr("readback, Some GL")));
    EXPECT_THAT(lines, Contains(HasSubstr("dropped 7")));
}

} // namespace
} // namespace weft::present
