// The table of pixel formats against libavutil's own descriptors.
#include "colour/pixel_format.hpp"

#include <algorithm>

#include <gtest/gtest.h>

extern "C" {
#include <libavutil/imgutils.h>
#include <libavutil/pixdesc.h>
}

namespace weft::colour {
namespace {

// Known to weft, but newer than the oldest libavutil it builds with (57.28, FFmpeg 5.1).
const std::vector<std::string> since_ffmpeg_6 = {"p012le", "p212le", "p412le", "y212le", "vuya", "vuyx"};

bool newer_than_this_libavutil(const std::string& name) {
    return LIBAVUTIL_VERSION_MAJOR < 58 &&
           std::find(since_ffmpeg_6.begin(), since_ffmpeg_6.end(), name) != since_ffmpeg_6.end();
}

TEST(PixelFormatTable, EqualsLibavutilsDescriptors) {
    for (const std::string& name : pixel_format_names()) {
        SCOPED_TRACE(name);
        const AVPixelFormat id = av_get_pix_fmt(name.c_str());
        if (id == AV_PIX_FMT_NONE) {
            EXPECT_TRUE(newer_than_this_libavutil(name));
            continue;
        }
        const AVPixFmtDescriptor* theirs = av_pix_fmt_desc_get(id);
        const PixelFormat ours = pixel_format(name);
        EXPECT_EQ(ours.name, theirs->name);
        EXPECT_EQ(ours.component_count, theirs->nb_components);
        EXPECT_EQ(ours.log2_chroma_w, theirs->log2_chroma_w);
        EXPECT_EQ(ours.log2_chroma_h, theirs->log2_chroma_h);
        EXPECT_EQ(ours.is_float, (theirs->flags & AV_PIX_FMT_FLAG_FLOAT) != 0);
        EXPECT_EQ(ours.is_palette, (theirs->flags & AV_PIX_FMT_FLAG_PAL) != 0);
        EXPECT_EQ(ours.has_alpha, (theirs->flags & AV_PIX_FMT_FLAG_ALPHA) != 0);
        EXPECT_FALSE(theirs->flags & AV_PIX_FMT_FLAG_BE);
        // libavutil's descriptor does not count the palette as a plane.
        EXPECT_EQ(ours.plane_count, av_pix_fmt_count_planes(id) + (ours.is_palette ? 1 : 0));
        const bool rgb = (theirs->flags & (AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL)) != 0;
        EXPECT_EQ(ours.model, rgb ? Model::rgb : theirs->nb_components < 3 ? Model::gray : Model::ycbcr);
        for (int c = 0; c < theirs->nb_components; ++c) {
            SCOPED_TRACE(c);
            const Component& mine = ours.components[static_cast<size_t>(c)];
            EXPECT_EQ(mine.plane, theirs->comp[c].plane);
            EXPECT_EQ(mine.step, theirs->comp[c].step);
            EXPECT_EQ(mine.offset, theirs->comp[c].offset);
            EXPECT_EQ(mine.shift, theirs->comp[c].shift);
            EXPECT_EQ(mine.depth, theirs->comp[c].depth);
        }
    }
}

TEST(PixelFormatTable, PlaneSizesAreLibavutilsForEvenAndOddPictures) {
    constexpr int sizes[][2] = {{64, 48}, {65, 49}, {1, 1}, {3, 2}, {1919, 1079}};
    for (const std::string& name : pixel_format_names()) {
        const AVPixelFormat id = av_get_pix_fmt(name.c_str());
        if (id == AV_PIX_FMT_NONE) continue;
        const PixelFormat ours = pixel_format(name);
        for (const auto& [width, height] : sizes) {
            SCOPED_TRACE(name + " " + std::to_string(width) + "x" + std::to_string(height));
            size_t bytes[4] = {};
            ptrdiff_t lines[4] = {};
            for (int plane = 0; plane < 4; ++plane)
                lines[plane] = av_image_get_linesize(id, width, plane);
            ASSERT_GE(av_image_fill_plane_sizes(bytes, id, height, lines), 0);
            for (int plane = 0; plane < av_pix_fmt_count_planes(id); ++plane) {
                EXPECT_EQ(ours.plane_line_bytes(plane, width), lines[plane]);
                EXPECT_EQ(static_cast<size_t>(ours.plane_line_bytes(plane, width)) *
                              static_cast<size_t>(ours.plane_lines(plane, height)),
                          bytes[plane]);
            }
            if (ours.is_palette) {
                EXPECT_EQ(ours.plane_line_bytes(1, width) * ours.plane_lines(1, height), 256 * 4);
                EXPECT_EQ(bytes[1], 256u * 4u);
            }
        }
    }
}

// Every little-endian format of whole bytes that common codecs decode to is in the table.
TEST(PixelFormatTable, CoversWhatDecodersGive) {
    for (const char* name :
         {"yuv420p",     "yuvj420p",    "yuv422p",      "yuv444p",      "yuv410p",      "yuv411p",
          "yuv440p",     "yuv420p10le", "yuv422p10le",  "yuv444p10le",  "yuv422p12le",  "yuv444p12le",
          "yuv420p16le", "yuva420p",    "yuva444p10le", "yuva444p12le", "yuva444p16le", "nv12",
          "nv21",        "nv16",        "p010le",       "p016le",       "gray",         "gray10le",
          "gray16le",    "ya8",         "ya16le",       "rgb24",        "bgr24",        "rgba",
          "bgra",        "argb",        "abgr",         "bgr0",         "0rgb",         "rgb48le",
          "rgba64le",    "gbrp",        "gbrp10le",     "gbrp12le",     "gbrp14le",     "gbrap",
          "gbrap12le",   "gbrpf32le",   "gbrapf32le",   "yuyv422",      "uyvy422",      "yvyu422",
          "y210le",      "pal8"})
        EXPECT_TRUE(has_device_loader(name)) << name;
}

} // namespace
} // namespace weft::colour
