#include "base/log.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace weft {
namespace {

std::vector<std::string> lines;

class LogTest : public ::testing::Test {
  protected:
    void SetUp() override {
        lines.clear();
        set_log_tap([](std::string_view line) { lines.emplace_back(line); });
        set_log_level(spdlog::level::warn);
    }
    void TearDown() override {
        set_log_tap(nullptr);
        set_log_level(spdlog::level::warn);
    }
};

TEST_F(LogTest, ALineNamesLevelAndArea) {
    log("media").warn("stream {} is late", 3);
    ASSERT_EQ(lines.size(), 1u);
    EXPECT_EQ(lines[0], "warning: media: stream 3 is late\n");
}

TEST_F(LogTest, OneLevelHoldsForEveryAreaOldAndNew) {
    log("gpu").info("hidden");
    set_log_level(spdlog::level::info);
    log("gpu").info("shown");
    log("an area met later").info("shown too");
    log("gpu").debug("hidden");
    EXPECT_EQ(lines.size(), 2u);
    set_log_level(spdlog::level::off);
    log("gpu").error("hidden");
    EXPECT_EQ(lines.size(), 2u);
}

TEST_F(LogTest, AnAreaIsOneLogger) {
    EXPECT_EQ(&log("engine"), &log(std::string("engine")));
}

TEST_F(LogTest, TheTapEndsWhenTold) {
    set_log_tap(nullptr);
    log("media").warn("to stderr only");
    EXPECT_TRUE(lines.empty());
}

} // namespace
} // namespace weft
