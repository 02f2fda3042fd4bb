#include "base/error.hpp"

#include <exception>

#include <gtest/gtest.h>

namespace weft {
namespace {

TEST(Error, CarriesKindPlaceAndText) {
    const Error e(ErrorKind::usage, "strength is 1.7, allowed 0..1", Place{"wall.yaml", 14, 9});
    EXPECT_EQ(e.kind(), ErrorKind::usage);
    EXPECT_STREQ(e.what(), "wall.yaml:14:9: strength is 1.7, allowed 0..1");
    EXPECT_EQ(e.message(), "strength is 1.7, allowed 0..1");
}

TEST(Error, APlaceLeavesOutWhatIsUnknown) {
    EXPECT_EQ((Place{"a.yaml", 0, 0}).text(), "a.yaml");
    EXPECT_EQ((Place{"a.yaml", 3, 0}).text(), "a.yaml:3");
    EXPECT_EQ((Place{"a.yaml", 0, 7}).text(), "a.yaml");
    EXPECT_FALSE(Place{}.known());
    EXPECT_STREQ(Error(ErrorKind::device, "no device").what(), "no device");
}

TEST(Error, CollectedErrorsHaveALineEach) {
    const Errors all({Error(ErrorKind::usage, "one", Place{"f", 1, 2}), Error(ErrorKind::not_found, "two")});
    EXPECT_STREQ(all.what(), "f:1:2: one\ntwo");
    EXPECT_EQ(all.kind(), ErrorKind::usage);
    EXPECT_EQ(all.all().size(), 2u);
}

TEST(Error, DescribeJoinsNestedErrorsOutermostFirst) {
    try {
        try {
            throw Error(ErrorKind::not_found, "no such file");
        } catch (...) {
            std::throw_with_nested(Error(ErrorKind::bad_input, "input 'left'"));
        }
    } catch (const std::exception& e) {
        EXPECT_EQ(describe(e), "input 'left': no such file");
    }
}

TEST(Error, DescribeSurvivesWhatIsNoException) {
    try {
        try {
            throw 7;
        } catch (...) {
            std::throw_with_nested(Error(ErrorKind::internal, "odd"));
        }
    } catch (const std::exception& e) {
        EXPECT_EQ(describe(e), "odd: unknown error");
    }
}

TEST(Error, ABrokenContractNamesItselfInEveryBuild) {
    const int frames = 0;
    try {
        WEFT_CHECK(frames > 0);
        FAIL() << "did not throw";
    } catch (const Error& e) {
        EXPECT_EQ(e.kind(), ErrorKind::internal);
        EXPECT_NE(e.message().find("frames > 0"), std::string::npos);
        EXPECT_NE(e.place().file.find("error_test.cpp"), std::string::npos);
    }
    EXPECT_NO_THROW(WEFT_CHECK(frames == 0));
}

TEST(NearestName, FindsTypingMistakesAndKeepsSilentOtherwise) {
    const std::vector<std::string> known{"gblur", "unsharp", "vignette", "eq"};
    EXPECT_EQ(nearest_name("gblurr", known), "gblur");
    EXPECT_EQ(nearest_name("vingette", known), "vignette");
    EXPECT_EQ(nearest_name("UNSHARP", known), "unsharp");
    EXPECT_EQ(nearest_name("convolution", known), "");
    EXPECT_EQ(nearest_name("x", {}), "");
}

} // namespace
} // namespace weft
