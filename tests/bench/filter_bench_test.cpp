#include "bench/filter_bench.hpp"

#include <algorithm>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "bench/content.hpp"
#include "bench/filter_text.hpp"
#include "support/device.hpp"
#include "support/temp_folder.hpp"

namespace weft::bench {
namespace {

using test::device;

constexpr FilterOptions quick{.rounds = 1, .ms = 1, .check = true, .ffmpeg = true};

const graph::FilterLibrary& built_in() {
    static const graph::FilterLibrary library({std::filesystem::path(WEFT_SOURCE_DIR) / "filters"});
    return library;
}

Rig& rig() {
    static gpu::Programs programs(device());
    static Rig shared(device(), programs,
                      {.prelude = graph::load_prelude(std::string(WEFT_SOURCE_DIR) + "/kernels"),
                       .load_mask = [](const std::string&) { return round_mask(48, 27); },
                       .shapes = {}});
    return shared;
}

FilterRow measured(const std::string& chain, const std::string& pixels = "yuv420p") {
    return measure_filter(rig(), chain_case(built_in(), chain, {{96, 64}, pixels, ""}), quick);
}

TEST(FilterCases, every_filter_and_transition_has_a_row) {
    const auto cases = filter_cases(built_in(), {{96, 64}, "yuv420p", "some.cube"});
    for (const auto& manifest : built_in().all())
        EXPECT_TRUE(std::any_of(cases.begin(), cases.end(), [&](const FilterCase& row) {
            return row.title.starts_with(manifest->name);
        })) << manifest->name;
}

TEST(FilterCases, a_cropped_or_turned_picture_has_the_size_that_is_left) {
    const FilterCase crop = chain_case(built_in(), "crop=w=in_w/2:h=in_h/4", {{96, 64}, "yuv420p", ""});
    EXPECT_EQ(crop.scene.width, 48);
    EXPECT_EQ(crop.scene.height, 16);
    const FilterCase turned = chain_case(built_in(), "transpose=dir=clock", {{96, 64}, "yuv420p", ""});
    EXPECT_EQ(turned.scene.width, 64);
    EXPECT_EQ(turned.scene.height, 96);
}

TEST(FilterCases, ffmpeg_gets_planar_rgb_where_the_filter_works_in_it) {
    const FilterCase row =
        chain_case(built_in(), "hflip,curves=preset=vintage,hflip", {{96, 64}, "yuv420p", ""});
    EXPECT_EQ(row.ffmpeg, "hflip,format=gbrp,curves=preset=vintage,format=yuv420p,hflip");
}

// Halves of 8-bit planes: read once, written once.
TEST(FilterBench, bytes_are_those_of_the_picture_read_and_written) {
    const FilterRow row = measured("hflip");
    EXPECT_EQ(row.error, "");
    EXPECT_EQ(row.bytes, 2 * 96 * 64 * 1.5);
    EXPECT_EQ(row.passes, 1u);
    EXPECT_GT(row.weft.wall.median, 0);
    EXPECT_GT(row.copy.wall.median, 0);
}

// What moves samples about is exact in both programs; FFmpeg's is another implementation.
TEST(FilterBench, is_the_picture_that_ffmpeg_makes) {
    for (const char* chain : {"hflip", "vflip", "transpose=dir=clock", "crop=w=48:h=32:x=8:y=4"})
        for (const char* pixels : {"yuv420p", "gbrp", "yuv420p10le"}) {
            const FilterRow row = measured(chain, pixels);
            ASSERT_TRUE(row.ffmpeg.has_value())
                << chain << " " << pixels << ": " << row.ffmpeg_refusal << row.error;
            EXPECT_EQ(row.ffmpeg->psnr_db, 100) << chain << " " << pixels;
            EXPECT_GT(row.ffmpeg->cost.wall.median, 0);
        }
}

TEST(FilterBench, agrees_with_the_other_way) {
    for (const char* chain : {"eq=contrast=1.2,gblur=sigma=2", "colorchannelmixer=rg=.3"}) {
        const FilterRow row = measured(chain);
        ASSERT_TRUE(row.check.has_value()) << row.error;
        EXPECT_TRUE(row.check->good) << chain << ": " << row.check->worst;
    }
}

TEST(FilterBench, a_filter_that_does_not_compile_is_told_in_its_row) {
    const test::TempFolder folder;
    std::filesystem::create_directories(folder.file("picture"));
    folder.write("picture/broken.yaml",
                 "filter: broken\nsummary: Is wrong.\nreads: pixel\nspace: any\nlight: any\n");
    folder.write("picture/broken.cl", "float apply(float v, At at, Params p) { return v + nowhere; }\n");
    const graph::FilterLibrary library({folder.file("")});
    const FilterRow row = measure_filter(rig(), chain_case(library, "broken", {{96, 64}, "gray", ""}), quick);
    EXPECT_NE(row.error.find("nowhere"), std::string::npos) << row.error;
    const std::string json = to_json({{"device", "driver", "gray", {96, 64}, {row}}});
    EXPECT_EQ(nlohmann::json::parse(json)["tables"][0]["rows"][0]["error"], row.error);
}

TEST(FilterText, json_has_every_figure) {
    const FilterRow row = measured("hflip");
    const auto json =
        nlohmann::json::parse(to_json({{"some device", "its driver", "yuv420p", {96, 64}, {row}}}));
    EXPECT_EQ(json["bench"], "filters");
    const auto& table = json["tables"][0];
    EXPECT_EQ(table["size"], "96x64");
    const auto& out = table["rows"][0];
    EXPECT_EQ(out["filter"], "hflip");
    EXPECT_EQ(out["bytes"], row.bytes);
    EXPECT_EQ(out["ms"]["median"], row.weft.wall.median);
    // GB/s = bytes / ms / 10^6, and the share of a copy the ratio of two such rates.
    EXPECT_DOUBLE_EQ(out["gb_per_s"].get<double>(), row.bytes / row.weft.wall.median / 1e6);
    EXPECT_NEAR(out["of_copy"].get<double>(),
                out["gb_per_s"].get<double>() / out["copy_gb_per_s"].get<double>(), 1e-9);
    EXPECT_EQ(out["check"]["good"], true);
    EXPECT_EQ(out["ffmpeg"]["chain"], "hflip");
}

} // namespace
} // namespace weft::bench
