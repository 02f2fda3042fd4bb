#include "media/picture_filters.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace weft::media {
namespace {

colour::PictureFormat gray(int width, int height) {
    colour::PictureFormat format;
    format.width = width;
    format.height = height;
    format.pixels = colour::pixel_format("gray");
    format.colour.range = colour::Range::full;
    return format;
}

colour::HostPlanes planes(const std::vector<uint8_t>& bytes, int width) {
    colour::HostPlanes out;
    out.data[0] = bytes.data();
    out.pitch[0] = width;
    return out;
}

TEST(PictureFilters, runs_a_chain_on_pictures_where_they_lie) {
    const std::vector<uint8_t> first{1, 2, 3, 4, 5, 6}, second{7, 8, 9, 10, 11, 12};
    PictureFilters filters("hflip,vflip", {gray(3, 2)}, "gray");
    EXPECT_FALSE(filters.take().has_value());
    filters.feed({planes(first, 3)});
    EXPECT_EQ(filters.take(), (std::vector<uint8_t>{6, 5, 4, 3, 2, 1}));
    filters.feed({planes(second, 3)});
    EXPECT_TRUE(filters.skip());
    EXPECT_FALSE(filters.skip());
    EXPECT_EQ(first, (std::vector<uint8_t>{1, 2, 3, 4, 5, 6}));
}

TEST(PictureFilters, takes_two_inputs) {
    const std::vector<uint8_t> a(4, 10), b(4, 20);
    PictureFilters filters("blend=all_expr=A+B", {gray(2, 2), gray(2, 2)}, "gray");
    filters.feed({planes(a, 2), planes(b, 2)});
    filters.feed({planes(a, 2), planes(b, 2)}); // the two are synchronised one picture behind
    EXPECT_EQ(filters.take(), (std::vector<uint8_t>(4, 30)));
}

TEST(PictureFilters, refuses_what_ffmpeg_refuses) {
    EXPECT_TRUE(ffmpeg_has_filter("hflip"));
    EXPECT_FALSE(ffmpeg_has_filter("no_such_filter"));
    EXPECT_THROW(PictureFilters("no_such_filter", {gray(2, 2)}, "gray"), Error);
    EXPECT_THROW(PictureFilters("hflip=nonsense=1", {gray(2, 2)}, "gray"), Error);
    EXPECT_THROW(PictureFilters("hflip", {gray(2, 2)}, "no_such_format"), Error);
}

} // namespace
} // namespace weft::media
