#include "base/clock.hpp"

#include <gtest/gtest.h>

namespace weft {
namespace {

using namespace std::chrono_literals;

class MasterClockTest : public ::testing::Test {
  protected:
    ManualClock hands_;
    MasterClock master_{hands_};
};

TEST_F(MasterClockTest, StandsStillUntilStarted) {
    hands_.advance(1s);
    EXPECT_FALSE(master_.running());
    EXPECT_EQ(master_.media_time(), 0ns);
}

TEST_F(MasterClockTest, RunsFromTheMomentOfTheStart) {
    hands_.advance(5s);
    master_.start();
    hands_.advance(40ms);
    EXPECT_TRUE(master_.running());
    EXPECT_EQ(master_.media_time(), 40ms);
    master_.start(); // again: no effect
    EXPECT_EQ(master_.media_time(), 40ms);
}

TEST_F(MasterClockTest, PauseKeepsTheTimeAndStartGoesOn) {
    master_.start();
    hands_.advance(1s);
    master_.pause();
    hands_.advance(10s);
    EXPECT_EQ(master_.media_time(), 1s);
    master_.start();
    hands_.advance(500ms);
    EXPECT_EQ(master_.media_time(), 1500ms);
}

TEST_F(MasterClockTest, SeekWorksStandingAndRunning) {
    master_.seek(3s);
    EXPECT_EQ(master_.media_time(), 3s);
    master_.start();
    hands_.advance(1s);
    master_.seek(10s);
    hands_.advance(1s);
    EXPECT_EQ(master_.media_time(), 11s);
}

TEST_F(MasterClockTest, SmallErrorsAreSlewedByAnEighth) {
    master_.start();
    hands_.advance(1s);
    master_.correct(1s + 80ms);
    EXPECT_EQ(master_.media_time(), 1s + 10ms);
    master_.correct(1s + 10ms - 40ms);
    EXPECT_EQ(master_.media_time(), 1s + 5ms);
    hands_.advance(1s);
    EXPECT_EQ(master_.media_time(), 2s + 5ms);
}

TEST_F(MasterClockTest, LargeErrorsAreJumped) {
    master_.start();
    master_.correct(101ms);
    EXPECT_EQ(master_.media_time(), 101ms);
    master_.correct(-1s);
    EXPECT_EQ(master_.media_time(), -1s);
}

TEST_F(MasterClockTest, RepeatedCorrectionsConverge) {
    master_.start();
    for (int i = 0; i < 60; ++i) {
        hands_.advance(10ms);
        master_.correct(hands_.now() + 50ms);
    }
    const Nanoseconds error = hands_.now() + 50ms - master_.media_time();
    EXPECT_LT(error, 1ms);
    EXPECT_GE(error, 0ns);
}

TEST_F(MasterClockTest, SpeedCountsFromNowOn) {
    master_.start();
    hands_.advance(1s);
    EXPECT_EQ(master_.speed(), 1);
    master_.set_speed(2);
    EXPECT_EQ(master_.media_time(), 1s);
    hands_.advance(1s);
    EXPECT_EQ(master_.media_time(), 3s);
    master_.set_speed(0.5);
    hands_.advance(1s);
    EXPECT_EQ(master_.media_time(), 3500ms);
    EXPECT_EQ(master_.speed(), 0.5);
}

TEST(SteadyClock, NeverGoesBack) {
    const SteadyClock clock;
    Nanoseconds before = clock.now();
    for (int i = 0; i < 1000; ++i) {
        const Nanoseconds now = clock.now();
        ASSERT_GE(now, before);
        before = now;
    }
}

} // namespace
} // namespace weft
