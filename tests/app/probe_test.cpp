// weft probe and weft devices.
#include <nlohmann/json.hpp>

#include "app/cli.hpp"

using namespace weft::test;

TEST_F(Cli, ProbeTellsTagsFromRules) {
    // B-frames off: a plain stream. The first says its colour, the second does not and is small: BT.601 by
    // the rule.
    ffmpeg({"-f", "lavfi", "-i", "color=red:s=1280x720:r=30000/1001:d=0.2", "-c:v", "libx264", "-colorspace",
            "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-color_range", "tv", "tagged.mp4"});
    ffmpeg({"-f", "lavfi", "-i", "color=red:s=64x48:r=25:d=0.2", "-c:v", "ffv1", "-pix_fmt", "yuv420p",
            "untagged.mkv"});
    const auto files = nlohmann::json::parse(weft({"probe", "--json", "tagged.mp4", "untagged.mkv"}).out);
    const auto& tagged = files.at(0).at("streams").at(0);
    EXPECT_EQ(tagged.at("codec"), "h264");
    EXPECT_EQ(tagged.at("width"), 1280);
    EXPECT_EQ(tagged.at("rate"), "30000/1001");
    EXPECT_EQ(tagged.at("colour").at("matrix").at("value"), "bt709");
    EXPECT_EQ(tagged.at("colour").at("matrix").at("tagged"), true);
    const auto& untagged = files.at(1).at("streams").at(0);
    EXPECT_EQ(untagged.at("colour").at("matrix").at("value"), "bt601");
    EXPECT_EQ(untagged.at("colour").at("matrix").at("tagged"), false);
    EXPECT_EQ(untagged.at("colour").at("range").at("value"), "limited");
    const Result text = weft({"probe", "untagged.mkv"});
    EXPECT_EQ(text.status, 0);
    EXPECT_TRUE(has(text.out, "matrix bt601 (rule)")) << text.out;
    EXPECT_TRUE(has(text.out, "64x48, 25 fps")) << text.out;
}

TEST_F(Cli, ProbeTellsRotationAspectAndSound) {
    ffmpeg({"-f", "lavfi", "-i", "testsrc=s=160x120:r=25:d=0.2", "-f", "lavfi", "-i",
            "sine=440:d=0.2:r=44100", "-vf", "setsar=4/3", "-c:v", "libx264", "-c:a", "aac",
            "-metadata:s:a:0", "language=fra", "wide.mp4"});
    ffmpeg({"-i", "wide.mp4", "-c", "copy", "turned.mp4"});
    turn_upright("turned.mp4");
    const Result text = weft({"probe", "wide.mp4"});
    EXPECT_TRUE(has(text.out, "pixels 4:3")) << text.out;
    EXPECT_TRUE(has(text.out, "44100 Hz") && has(text.out, "fra")) << text.out;
    const auto turned = nlohmann::json::parse(weft({"probe", "--json", "turned.mp4"}).out);
    const auto& video = turned.at(0).at("streams").at(0);
    EXPECT_NE(video.at("rotation"), 0);
    // 160 x 4/3 = 213.3 wide before the turn; upright it is taller than wide.
    EXPECT_EQ(video.at("display_width"), 120);
    EXPECT_EQ(video.at("display_height"), 213);
}

TEST_F(Cli, ProbeGoesOnPastABadFile) {
    make_clip("good.mp4", "testsrc=s=64x48:r=25:d=0.2");
    write_file(at("empty.mp4"), "");
    const Result result = weft({"probe", "none.mp4", "empty.mp4", "good.mp4"});
    EXPECT_EQ(result.status, 2);
    EXPECT_TRUE(has(result.out, "good.mp4: ")) << result.out;
    EXPECT_TRUE(has(result.err, "error: none.mp4: no such file")) << result.err;
    EXPECT_TRUE(has(result.err, "error: empty.mp4: ")) << result.err;
    const auto files = nlohmann::json::parse(weft({"probe", "--json", "none.mp4", "good.mp4"}).out);
    EXPECT_TRUE(files.at(0).contains("error"));
    EXPECT_EQ(files.at(1).at("streams").size(), 1u);
    EXPECT_EQ(weft({"probe"}).status, 2);
}

TEST_F(Cli, DevicesSayWhichOneIsUsedAndWhy) {
    const Result json = weft({"devices", "--json"});
    ASSERT_EQ(json.status, 0) << json.err;
    const auto devices = nlohmann::json::parse(json.out);
    ASSERT_FALSE(devices.empty());
    int used = 0;
    for (const auto& device : devices) {
        if (!device.at("used")) continue;
        ++used;
        EXPECT_TRUE(device.at("usable"));
        EXPECT_NE(device.at("why"), "");
        const std::string name = device.at("name");
        const Result text = weft({"devices"});
        EXPECT_TRUE(has(text.out, "* ") && has(text.out, name)) << text.out;
        EXPECT_TRUE(has(text.out, "upload path: ")) << text.out;
    }
    EXPECT_EQ(used, 1);
}

TEST_F(Cli, AnUnknownDeviceIsRefusedWithTheList) {
    const std::string name = nlohmann::json::parse(weft({"devices", "--json"}).out).at(0).at("name");
    const Result result = weft({"devices", "--device", "no such device"});
    EXPECT_EQ(result.status, 2);
    EXPECT_TRUE(has(result.err, "no such device") && has(result.err, name)) << result.err;
    EXPECT_EQ(weft({"devices", "--device", "99"}).status, 2);
}
