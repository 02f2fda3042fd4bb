#include "graph/tuned.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"

namespace weft::graph {
namespace {

using testing::HasSubstr;

const std::string head = "tuned: 1\ndevice: \"a\"\ndriver: \"b\"\nweft: \"1\"\n";

// What is wrong with it, all in one.
std::string complaints(const std::string& text) {
    try {
        parse_tuned(text, "t.yaml");
    } catch (const Errors& errors) {
        std::string all;
        for (const Error& error : errors.all())
            all += std::string(error.what()) + "\n";
        return all;
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

std::string shape(const std::string& members) {
    return head + "shapes:\n  - {work: point, extent: tile, samples: bytes" + members + "}\n";
}

TEST(Tuned, what_is_written_is_read_back) {
    Tuned tuned;
    tuned.device = "Some \"GPU\" \\ 3";
    tuned.driver = "p, OpenCL 3.0, driver 1: 2";
    tuned.weft = "1.2";
    tuned.upload = "pinned";
    tuned.slots = 3;
    EXPECT_EQ(parse_tuned(to_yaml(tuned), "t"), tuned);
    int n = 0;
    for (const ShapeKey& key : all_shape_keys()) {
        ++n;
        tuned.shapes[key] = {{.band = n,
                              .lanes = 4 << n % 5,
                              .sums = static_cast<WindowSums>(n % 3),
                              .across = n % 2 ? 0 : 8,
                              .down = 1 << n % 4,
                              .group = 32 << n % 4},
                             n + 0.5,
                             n + 0.25};
    }
    const std::string text = to_yaml(tuned);
    EXPECT_EQ(parse_tuned(text, "t"), tuned);
    EXPECT_LT(text.size(), size_t{64} << 10); // more than any table has fits what is read of a file
    EXPECT_EQ(tuned.for_planner().size(), all_shape_keys().size());
}

TEST(Tuned, keys_are_all_different_and_have_names_of_their_own) {
    const std::vector<ShapeKey> keys = all_shape_keys();
    std::map<ShapeKey, std::string> names;
    std::map<std::string, ShapeKey> back;
    for (const ShapeKey& key : keys) {
        names[key] = name(key);
        back[name(key)] = key;
    }
    EXPECT_EQ(names.size(), keys.size());
    EXPECT_EQ(back.size(), keys.size());
}

TEST(Tuned, extents_end_where_pictures_usually_do) {
    EXPECT_EQ(extent_of(640 * 480), Extent::tile);
    EXPECT_EQ(extent_of(640 * 480 + 1), Extent::small);
    EXPECT_EQ(extent_of(1280 * 720), Extent::small);
    EXPECT_EQ(extent_of(1920 * 1080), Extent::medium);
    EXPECT_EQ(extent_of(2560 * 1440), Extent::medium);
    EXPECT_EQ(extent_of(3840 * 2160), Extent::large);
}

TEST(Tuned, what_is_no_table_is_refused_with_its_reason) {
    EXPECT_THAT(complaints(""), HasSubstr("no table of weft tune"));
    EXPECT_THAT(complaints("[1, 2]"), HasSubstr("expected a map"));
    EXPECT_THAT(complaints("tuned: {"), HasSubstr("t.yaml:1"));
    EXPECT_THAT(complaints("tuned: 0\nelse: 1\n"), HasSubstr("generation 0"));
    EXPECT_THAT(complaints(head + "speed: high\n"), HasSubstr("speed"));
    EXPECT_THAT(complaints(head + "slots: 0\n"), HasSubstr("'slots' is 0, allowed are whole numbers 1..64"));
    EXPECT_THAT(complaints(head + "slots: 2.5\n"), HasSubstr("2.5"));
    EXPECT_THAT(complaints(shape(", band: 5000")), HasSubstr("'band' is 5000"));
    EXPECT_THAT(complaints(shape(", band: -1")), HasSubstr("'band' is -1"));
    EXPECT_THAT(complaints(shape(", lanes: 24")), HasSubstr("no power of two"));
    EXPECT_THAT(complaints(shape(", across: 32")), HasSubstr("'across' is 32"));
    EXPECT_THAT(complaints(shape(", sums: quickly")), HasSubstr("'quickly'"));
    EXPECT_THAT(complaints(shape(", colour: red")), HasSubstr("colour"));
    EXPECT_THAT(complaints(head + "shapes:\n  - {work: point, extent: tile}\n"), HasSubstr("needs work"));
    EXPECT_THAT(complaints(shape("") + "  - {work: point, extent: tile, samples: bytes}\n"),
                HasSubstr("'point, tile, bytes' is there twice"));
    EXPECT_EQ(complaints(shape("")), "");
}

// The rule of the design: 54 rows with windows, 32 without, none so large that a unit is idle.
TEST(Shapes, bands_by_rule_and_by_wish) {
    DeviceTraits device;
    device.compute_units = 2;
    EXPECT_EQ(band_of({}, device, 1080, 0, 1), 32);
    EXPECT_EQ(band_of({}, device, 1080, 6, 1), 54);
    EXPECT_EQ(band_of({}, device, 1080, 20, 1), 80);
    EXPECT_EQ(band_of({}, device, 40, 6, 1), 20);
    EXPECT_EQ(band_of({.band = 100}, device, 1080, 6, 1), 100);
    EXPECT_EQ(band_of({.band = 100}, device, 40, 6, 1), 20);
    EXPECT_EQ(band_of({.band = 7}, device, 1080, 0, 2), 8);
}

TEST(Shapes, groups_and_lanes_by_rule_and_by_wish) {
    DeviceTraits device;
    device.max_group_size = 256;
    EXPECT_EQ(group_of({.group = 64}, device), 1u); // a CPU's work-items are no group
    EXPECT_EQ(lanes_of({}, device), 32);
    EXPECT_EQ(lanes_of({.lanes = 8}, device), 8);
    device.kind = DeviceKind::gpu;
    EXPECT_EQ(group_of({}, device), 128u);
    EXPECT_EQ(group_of({.group = 64}, device), 64u);
    EXPECT_EQ(group_of({.group = 512}, device), 256u);
}

} // namespace
} // namespace weft::graph
