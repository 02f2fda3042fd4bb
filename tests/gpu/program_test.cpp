#include "gpu/program.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "support/device.hpp"

namespace weft::gpu {
namespace {

TEST(BuildLog, ReadsThePositionsOfEveryCompiler) {
    const auto nvidia =
        parse_build_log("<kernel>:12:5: error: use of undeclared identifier 'foo'\n    foo = 1;\n"
                        "    ^\n");
    ASSERT_EQ(nvidia.size(), 1u);
    EXPECT_EQ(nvidia[0].line, 12);
    EXPECT_EQ(nvidia[0].column, 5);
    EXPECT_EQ(nvidia[0].text, "use of undeclared identifier 'foo'");

    const auto intel = parse_build_log("3:17: error: expected ';' after expression\n");
    ASSERT_EQ(intel.size(), 1u);
    EXPECT_EQ(intel[0].line, 3);
    EXPECT_EQ(intel[0].column, 17);

    const auto pocl = parse_build_log("error: /tmp/pocl_cache/tempfile_a1:2/x.cl:40:9: use of undeclared "
                                      "identifier 'bar'\nwarning: /tmp/x.cl:41:1: unused variable\n");
    ASSERT_EQ(pocl.size(), 2u);
    EXPECT_EQ(pocl[0].line, 40);
    EXPECT_EQ(pocl[0].column, 9);
    EXPECT_EQ(pocl[1].text, "warning: unused variable");
}

TEST(BuildLog, TextWithoutPositionsGivesNothing) {
    EXPECT_TRUE(parse_build_log("1 error generated.\nBuild failed at 12:30\n").empty());
}

TEST(Programs, ComplaintsNameTheAuthorsFileAndLine) {
    // Lines 3 to 5 of the text come from lines 10 to 12 of a filter; the mistake is in the second of them.
    const std::string text = "// generated\n"
                             "float before(float x) { return x; }\n"
                             "float apply(float x) {\n"
                             "    return x * undeclared_name;\n"
                             "}\n"
                             "__kernel void run(__global float* p) { p[0] = apply(p[0]); }\n";
    Programs programs(test::device());
    try {
        programs.build(text, "pass 'broken'", {{3, 3, "filters/picture/broken.cl", 10}});
        FAIL() << "broken text was built";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::device);
        EXPECT_EQ(error.place().file, "filters/picture/broken.cl");
        EXPECT_EQ(error.place().line, 11);
        EXPECT_EQ(error.place().column, 16);
        EXPECT_NE(error.message().find("undeclared_name"), std::string::npos);
    }
}

TEST(Programs, ComplaintsOutsideEveryFileShowTheGeneratedLine) {
    Programs programs(test::device());
    try {
        programs.build("__kernel void run(__global float* p) {\n    p[0] = not_there;\n}\n", "pass 'grid'");
        FAIL() << "broken text was built";
    } catch (const Error& error) {
        EXPECT_FALSE(error.place().known());
        EXPECT_NE(error.message().find("pass 'grid'"), std::string::npos);
        EXPECT_NE(error.message().find("p[0] = not_there;"), std::string::npos);
    }
}

TEST(Programs, TheSameTextIsBuiltOnce) {
    Programs programs(test::device());
    const std::string text = "__kernel void run(__global float* p) { p[0] = 1.0f; }";
    const cl::Program first = programs.build(text, "a");
    EXPECT_EQ(programs.build(text, "b")(), first());
    EXPECT_EQ(programs.built(), 1u);
    EXPECT_NE(programs.build(text, "c", {}, "-DSIZE=2")(), first());
    EXPECT_EQ(programs.built(), 2u);
}

} // namespace
} // namespace weft::gpu
