#include "present/frame_queue.hpp"

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace weft::present {
namespace {

using std::chrono::milliseconds;

constexpr Nanoseconds interval = milliseconds(40);

// Counts leases that have ended, per slot.
struct Leases {
    std::array<std::atomic<int>, 64> ended{};
    static void give(void* owner, size_t slot) noexcept { ++static_cast<Leases*>(owner)->ended[slot]; }
    PresentFrame frame(int64_t index) {
        PresentFrame one;
        one.index = index;
        one.time = interval * index;
        one.lease = engine::SlotLease(give, this, static_cast<size_t>(index));
        return one;
    }
    int ends(int64_t index) const { return ended[static_cast<size_t>(index)].load(); }
};

TEST(FrameQueue, GivesEachFrameWhenItIsDue) {
    Leases leases;
    FrameQueue queue(3);
    queue.push(leases.frame(0));
    queue.push(leases.frame(1));
    EXPECT_EQ(queue.next_due(), Nanoseconds(0));
    {
        const auto first = queue.take_due(Nanoseconds(0));
        ASSERT_TRUE(first);
        EXPECT_EQ((*first)->index, 0);
        EXPECT_EQ(leases.ends(0), 0); // held
    }
    EXPECT_EQ(leases.ends(0), 1);
    EXPECT_FALSE(queue.take_due(milliseconds(39)));
    EXPECT_EQ(queue.next_due(), Nanoseconds(milliseconds(40)));
    const auto second = queue.take_due(milliseconds(40));
    ASSERT_TRUE(second);
    EXPECT_EQ((*second)->index, 1);
    EXPECT_FALSE(queue.next_due());
}

TEST(FrameQueue, LetsOvertakenFramesGo) {
    Leases leases;
    FrameQueue queue(3);
    for (int i = 0; i < 3; ++i)
        queue.push(leases.frame(i));
    const auto newest = queue.take_due(milliseconds(90));
    ASSERT_TRUE(newest);
    EXPECT_EQ((*newest)->index, 2);
    EXPECT_EQ(leases.ends(0), 1);
    EXPECT_EQ(leases.ends(1), 1);
    EXPECT_EQ(leases.ends(2), 0);
}

TEST(FrameQueue, TheFirstFrameIsDueAtOnce) {
    Leases leases;
    FrameQueue queue(2);
    queue.push(leases.frame(5));
    const auto frame = queue.take_due(Nanoseconds(0));
    ASSERT_TRUE(frame);
    EXPECT_EQ((*frame)->index, 5);
}

TEST(FrameQueue, ASeekDropsWhatWaitsAndWhatIsUnderWay) {
    Leases leases;
    FrameQueue queue(3);
    queue.push(leases.frame(0));
    queue.take_due(Nanoseconds(0));
    queue.push(leases.frame(1));
    queue.push(leases.frame(2));
    queue.expect(interval * 30, interval);
    EXPECT_EQ(leases.ends(1), 1);
    EXPECT_EQ(leases.ends(2), 1);
    queue.push(leases.frame(3)); // made before the engine heard of the seek
    EXPECT_FALSE(queue.take_due(interval * 30));
    EXPECT_EQ(leases.ends(3), 1);
    queue.push(leases.frame(31)); // the first at the new place, due though the clock stands before it
    const auto frame = queue.take_due(interval * 30);
    ASSERT_TRUE(frame);
    EXPECT_EQ((*frame)->index, 31);
    queue.push(leases.frame(32));
    EXPECT_FALSE(queue.take_due(interval * 31)); // and the next in its time
    EXPECT_TRUE(queue.take_due(interval * 32));
}

TEST(FrameQueue, ASeekBackIsNotMetByTheFramesAhead) {
    Leases leases;
    FrameQueue queue(2);
    queue.push(leases.frame(40));
    queue.take_due(interval * 40);
    queue.expect(interval * 10, interval);
    queue.push(leases.frame(41));
    EXPECT_FALSE(queue.take_due(interval * 10));
    queue.push(leases.frame(10));
    const auto frame = queue.take_due(interval * 10);
    ASSERT_TRUE(frame);
    EXPECT_EQ((*frame)->index, 10);
}

TEST(FrameQueue, AStepBackIsNotMetByTheFramesAhead) {
    Leases leases;
    FrameQueue queue(2);
    queue.push(leases.frame(40));
    queue.take_due(interval * 40);
    queue.expect(interval * 39, interval);
    queue.push(leases.frame(41));
    queue.push(leases.frame(42));
    EXPECT_FALSE(queue.take_due(interval * 39));
    queue.push(leases.frame(39));
    const auto frame = queue.take_due(interval * 39);
    ASSERT_TRUE(frame);
    EXPECT_EQ((*frame)->index, 39);
}

TEST(FrameQueue, ASeekThatLandsElsewhereShowsSomethingInTheEnd) {
    Leases leases;
    FrameQueue queue(1);
    queue.expect(interval * 50, interval);
    bool shown = false;
    for (int i = 0; i < 20 && !shown; ++i) {
        queue.push(leases.frame(i));
        shown = queue.take_due(interval * 50).has_value();
    }
    EXPECT_TRUE(shown);
}

TEST(FrameQueue, FinishWaitsForTheLastFrameToBeGivenBack) {
    Leases leases;
    FrameQueue queue(2);
    queue.push(leases.frame(0));
    queue.push(leases.frame(1));
    std::atomic<bool> finished{false};
    std::thread sink([&] {
        queue.finish();
        finished = true;
    });
    queue.take_due(Nanoseconds(0));
    EXPECT_FALSE(queue.drained());
    {
        const auto last = queue.take_due(interval);
        ASSERT_TRUE(last);
        EXPECT_FALSE(finished); // cannot be: the lease of the last is held here
    }
    sink.join();
    EXPECT_TRUE(finished);
    EXPECT_TRUE(queue.drained());
}

TEST(FrameQueue, StopFreesAWaitingSinkAndEveryLease) {
    Leases leases;
    FrameQueue queue(1);
    std::thread sink([&] {
        queue.push(leases.frame(0));
        queue.push(leases.frame(1)); // waits for room
        queue.finish();
    });
    queue.wait(std::chrono::seconds(10));
    queue.stop();
    sink.join();
    EXPECT_EQ(leases.ends(0), 1);
    EXPECT_EQ(leases.ends(1), 1);
}

} // namespace
} // namespace weft::present
