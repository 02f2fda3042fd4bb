#include "base/text.hpp"

#include <gtest/gtest.h>

namespace weft {
namespace {

TEST(Text, TableAlignsColumnsByCodePoints) {
    EXPECT_EQ(table({{"a", "b"}, {"\u00e4\u00f6\u00fc", "d"}}, 1), " a    b\n \u00e4\u00f6\u00fc  d\n");
    EXPECT_EQ(table({{"a", ""}, {"bb", "c"}}), "a\nbb  c\n"); // no blanks at the end
}

TEST(Text, ByteSizes) {
    EXPECT_EQ(byte_size(0), "0 B");
    EXPECT_EQ(byte_size(1023), "1023 B");
    EXPECT_EQ(byte_size(1024), "1 KiB");
    EXPECT_EQ(byte_size(1536), "1.5 KiB");
    EXPECT_EQ(byte_size(512.0 * 1024 * 1024), "512 MiB");
}

} // namespace
} // namespace weft
