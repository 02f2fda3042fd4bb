#include "base/ring.hpp"

#include <algorithm>
#include <atomic>
#include <thread>

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace weft {
namespace {

using namespace std::chrono_literals;

TEST(Ring, SlotsGoRoundInOrder) {
    Ring<int> ring({0, 0});
    EXPECT_EQ(ring.capacity(), 2u);
    const auto first = ring.claim();
    ASSERT_TRUE(first);
    ring[*first] = 11;
    ring.publish(*first);
    const auto second = ring.claim();
    ASSERT_TRUE(second);
    ring[*second] = 22;
    ring.publish(*second);
    EXPECT_EQ(ring.size(), 2u);
    EXPECT_EQ(ring[*ring.at(0)], 11);
    EXPECT_EQ(ring[*ring.at(1)], 22);
    EXPECT_FALSE(ring.at(2));
    EXPECT_FALSE(ring.try_claim()) << "both slots are published";

    const auto taken = ring.take();
    EXPECT_EQ(taken, first);
    EXPECT_EQ(ring.size(), 1u);
    EXPECT_FALSE(ring.try_claim()) << "a held slot is not free";
    ring.retire(*taken);
    EXPECT_EQ(ring.try_claim(), first);
}

TEST(Ring, SlotsMayRetireOutOfOrder) {
    Ring<int> ring({0, 0, 0});
    for (int i = 0; i < 3; ++i)
        ring.publish(*ring.claim());
    const auto a = ring.take(), b = ring.take(), c = ring.take();
    ring.retire(*c);
    ring.retire(*a);
    EXPECT_EQ(ring.free_count(), 2u);
    EXPECT_EQ(ring.claim(), c);
    EXPECT_EQ(ring.claim(), a);
    ring.retire(*b);
    EXPECT_EQ(ring.claim(), b);
}

TEST(Ring, ACancelledSlotIsFreeAgain) {
    Ring<int> ring({0});
    ring.cancel(*ring.claim());
    EXPECT_TRUE(ring.try_claim());
    EXPECT_EQ(ring.size(), 0u);
}

TEST(Ring, TheErrorComesAfterTheGoodSlots) {
    Ring<int> ring({0});
    ring.publish(*ring.claim());
    ring.close(std::make_exception_ptr(Error(ErrorKind::bad_input, "broken")));
    EXPECT_TRUE(ring.closed());
    EXPECT_TRUE(ring.wait_take());
    EXPECT_FALSE(ring.wait_take()) << "closed and empty: does not wait";
    EXPECT_THROW(std::rethrow_exception(ring.error()), Error);
}

TEST(Ring, ReopeningForgetsTheErrorAndKeepsWhatWasPublished) {
    Ring<int> ring({0, 0});
    ring.publish(*ring.claim());
    ring.close(std::make_exception_ptr(Error(ErrorKind::bad_input, "old")));
    ring.reopen();
    EXPECT_FALSE(ring.closed());
    EXPECT_EQ(ring.error(), nullptr);
    EXPECT_EQ(ring.wait_take(), std::optional<size_t>(0));
    EXPECT_TRUE(ring.claim()) << "the producer goes on";
    EXPECT_FALSE(ring.wait_published(1, 1ms)) << "waits again, for longer than there is time";
}

TEST(Ring, WaitPublishedTellsWhetherThereAreEnough) {
    Ring<int> ring({0, 0});
    EXPECT_FALSE(ring.wait_published(1, 1ms));
    ring.publish(*ring.claim());
    EXPECT_TRUE(ring.wait_published(1));
    EXPECT_FALSE(ring.wait_published(2, 1ms));
    ring.close();
    EXPECT_FALSE(ring.wait_published(2)) << "closed: will never come, does not wait";
}

TEST(Ring, StopWakesAWaitingProducerAndConsumer) {
    Ring<int> full({0}), empty({0});
    full.publish(*full.claim());
    std::optional<size_t> claimed = 0, taken = 0;
    bool enough = true;
    std::thread producer([&] { claimed = full.claim(); });
    std::thread consumer([&] { taken = empty.wait_take(); });
    std::thread watcher([&] { enough = empty.wait_published(1); });
    full.stop();
    empty.stop();
    producer.join();
    consumer.join();
    watcher.join();
    EXPECT_FALSE(claimed);
    EXPECT_FALSE(taken);
    EXPECT_FALSE(enough);
    EXPECT_TRUE(full.stopped());
    EXPECT_FALSE(full.try_claim());
}

// Two threads and every number once, in order; the thread sanitizer watches this one.
TEST(Ring, CarriesEverythingFromOneThreadToAnother) {
    constexpr int count = 20000;
    Ring<int> ring(std::vector<int>(3));
    std::thread producer([&] {
        for (int i = 0; i < count; ++i) {
            const size_t slot = *ring.claim();
            ring[slot] = i;
            ring.publish(slot);
        }
        ring.close();
    });
    int expected = 0;
    std::vector<size_t> held;
    while (const auto slot = ring.wait_take()) {
        ASSERT_EQ(ring[*slot], expected++);
        held.push_back(*slot);
        if (held.size() == 2) { // hold two and give the newer one back first
            ring.retire(held[1]);
            ring.retire(held[0]);
            held.clear();
        }
    }
    producer.join();
    EXPECT_EQ(expected, count);
}

TEST(Ring, AConsumerGettingASlotLateStillBlocksTheProducer) {
    Ring<int> ring({0});
    std::atomic<int> filled{0};
    std::thread producer([&] {
        for (int i = 0; i < 3; ++i) {
            const auto slot = ring.claim();
            if (!slot) return;
            ++filled;
            ring.publish(*slot);
        }
        ring.close();
    });
    int seen = 0;
    while (const auto slot = ring.wait_take()) {
        ++seen;
        EXPECT_EQ(filled.load(), seen) << "the only slot is held, so the producer cannot be ahead";
        ring.retire(*slot);
    }
    producer.join();
    EXPECT_EQ(seen, 3);
}

} // namespace
} // namespace weft
