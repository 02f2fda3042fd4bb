// The small texts that commands print.
#include "app/text.hpp"

#include <gtest/gtest.h>

#include "app/options.hpp"
#include "app/progress.hpp"

using namespace weft;
using namespace weft::app;

TEST(Text, ClockCountsWholeSeconds) {
    EXPECT_EQ(clock_text(0), "0:00");
    EXPECT_EQ(clock_text(65.9), "1:05");
    EXPECT_EQ(clock_text(3661), "1:01:01");
    EXPECT_EQ(clock_text(-1), "0:00");
}

TEST(Text, ShellQuotesOnlyWhatNeedsThem) {
    EXPECT_EQ(shell_quoted("eq=contrast=1.2"), "eq=contrast=1.2");
    EXPECT_EQ(shell_quoted("a b"), "'a b'");
    EXPECT_EQ(shell_quoted("it's"), "'it'\\''s'");
    EXPECT_EQ(shell_quoted(""), "''");
}

TEST(Text, ProgressLineKnowsWhatIsLeft) {
    engine::RunProgress progress{.frame = 120, .total = 300, .seconds = 2, .fps = 60, .speed = 2};
    EXPECT_EQ(progress_line(progress), "frame 120/300  40 %  60.0 fps  2.00x  0:03 left");
    progress.total.reset();
    EXPECT_EQ(progress_line(progress), "frame 120  60.0 fps  2.00x");
}

TEST(Outputs, NamesThatAreNoFiles) {
    EXPECT_EQ(parse_output("null:").kind, graph::OutputKind::null);
    EXPECT_EQ(parse_output("hash:").kind, graph::OutputKind::hash);
    EXPECT_EQ(parse_output("-").file, "-");
    EXPECT_EQ(parse_output("-").format, "y4m");
    EXPECT_EQ(parse_output("a.mp4").kind, graph::OutputKind::file);
    EXPECT_THROW(parse_output(""), Error);
}
