// weft profile: what it prints and writes agrees with itself and with what a second program makes of the raw
// times.
#include <algorithm>
#include <map>
#include <sstream>

#include <nlohmann/json.hpp>

#include "app/cli.hpp"

using namespace weft::test;
using nlohmann::json;

namespace {

const std::vector<std::string> schedules{"serial", "reordered", "overlapped"};

} // namespace

TEST_F(Cli, ProfileAgreesWithItsRawTimes) {
    make_clip("a.mp4", "testsrc2=s=640x360:r=25:d=1.2");
    make_clip("b.mp4", "mandelbrot=s=640x360:r=25,trim=duration=1.2,format=yuv420p");
    const Result result =
        weft({"profile",  "a.mp4",    "b.mp4",    "--layout",   "hstack",   "--filter",    "gblur=sigma=1",
              "--upload", "pageable", "--rounds", "1",          "--frames", "24",          "--json",
              "--csv",    "raw.csv",  "--trace",  "trace.json", "--html",   "report.html", "--progress",
              "none"});
    ASSERT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(result.err, "");
    const json profile = json::parse(result.out);
    ASSERT_EQ(profile.at("schedules").size(), 3U);
    std::vector<std::string> call{"python3", std::string(WEFT_SOURCE_DIR) + "/tests/app/overlap_from_csv.py",
                                  "raw.csv"};
    for (const json& s : profile.at("schedules"))
        call.push_back(s.at("schedule").get<std::string>() + "=" + std::to_string(s.at("slots").get<int>()));
    const Result again = Child(call, folder_).wait();
    ASSERT_EQ(again.status, 0) << again.err;
    const json recomputed = json::parse(again.out);
    for (size_t i = 0; i < schedules.size(); ++i) {
        const json& s = profile.at("schedules").at(i);
        ASSERT_EQ(s.at("schedule"), schedules[i]);
        const json& raw = recomputed.at(schedules[i]);
        EXPECT_EQ(s.at("frames"), 24);
        EXPECT_EQ(s.at("steady").at("frames"), raw.at("frames")) << schedules[i];
        EXPECT_NEAR(s.at("steady").at("milliseconds"), raw.at("ms"), 0.01) << schedules[i];
        EXPECT_EQ(raw.at("late_uploads"), 0) << schedules[i];
        EXPECT_EQ(s.at("order_faults"), 0) << schedules[i];
        ASSERT_EQ(s.at("overlap").is_null(), raw.at("overlap").is_null()) << schedules[i];
        if (s.at("overlap").is_null()) continue;
        EXPECT_NEAR(s.at("overlap"), raw.at("overlap"), 0.01) << schedules[i];
        EXPECT_LE(s.at("overlap"), 1.0);
    }
    const json& serial = profile.at("schedules").at(0);
    EXPECT_TRUE(serial.at("overlap").is_null() || serial.at("overlap") == 0.0) << serial.at("overlap");
    EXPECT_EQ(serial.at("speedup"), 1.0);
    for (const json& s : profile.at("schedules")) {
        EXPECT_GT(s.at("ms_per_frame"), 0);
        EXPECT_GT(s.at("efficiency"), 0);
        EXPECT_LE(s.at("efficiency"), 1.0);
        // Three planes of two pictures of 640x360 in 4:2:0 a frame go up.
        EXPECT_NEAR(s.at("queues").at(0).at("mb_per_frame"), 2 * 640 * 360 * 1.5e-6, 0.1);
        double path = 0;
        for (const json& part : s.at("critical_path"))
            path += part.at("share").get<double>();
        EXPECT_NEAR(path, 1, 1e-6);
    }

    // The page holds the same figures, and a piece of its timeline for every record of the raw times.
    const std::string page = read_file(at("report.html"));
    const std::string marker = "const REPORT = ";
    const size_t begin = page.find(marker) + marker.size();
    const json embedded = json::parse(page.substr(begin, page.find(";\n", begin) - begin));
    EXPECT_EQ(embedded.at("profile"), profile);
    std::istringstream raw(read_file(at("raw.csv")));
    std::map<std::string, size_t> records;
    for (std::string line; std::getline(raw, line);)
        if (has(line, ",host,") || has(line, ",device,")) ++records[line.substr(0, line.find(','))];
    for (size_t i = 0; i < schedules.size(); ++i) {
        const json& timeline = embedded.at("timelines").at(i);
        EXPECT_EQ(timeline.at("schedule"), schedules[i]);
        EXPECT_EQ(timeline.at("rows").size(), records[schedules[i]]);
    }
    EXPECT_FALSE(has(page, "http")) << "the page needs nothing from elsewhere";

    // Every arrow of the trace starts in a decoder, ends in an output, and lies inside slices.
    const json events = json::parse(read_file(at("trace.json"))).at("traceEvents");
    std::map<std::pair<int, int>, std::vector<std::pair<double, double>>> slices;
    std::map<int64_t, std::string> arrows;
    for (const json& e : events)
        if (e.at("ph") == "X")
            slices[{e.at("pid"), e.at("tid")}].emplace_back(e.at("ts"), e.at("ts").get<double>() +
                                                                            e.at("dur").get<double>());
    for (const json& e : events) {
        const auto kind = e.at("ph").get<std::string>();
        if (kind != "s" && kind != "t" && kind != "f") continue;
        arrows[e.at("id")] += kind;
        const double time = e.at("ts");
        const auto& track = slices.at({e.at("pid"), e.at("tid")});
        EXPECT_TRUE(std::any_of(track.begin(), track.end(), [&](const auto& slice) {
            return slice.first <= time && time <= slice.second;
        }));
    }
    EXPECT_EQ(arrows.size(), 3U * 2 * 24);
    for (const auto& [id, kinds] : arrows)
        EXPECT_EQ(kinds, "stttf"); // decode, enqueue, upload, kernel, deliver; nothing is read back on a CPU
}

TEST_F(Cli, ProfilePrintsATableOfTheSchedulesThatWereAskedFor) {
    make_clip("a.mp4", "testsrc2=s=320x240:r=25:d=0.4");
    const Result result =
        weft({"profile", "a.mp4", "--rounds", "1", "--frames", "20", "--preload", "4", "--schedule", "serial",
              "--schedule", "overlapped", "--queues", "out-of-order"});
    ASSERT_EQ(result.status, 0) << result.err;
    EXPECT_TRUE(has(result.out, "\nserial ")) << result.out;
    EXPECT_TRUE(has(result.out, "\noverlapped ")) << result.out;
    EXPECT_FALSE(has(result.out, "reordered")) << result.out;
    EXPECT_TRUE(has(result.out, "20 frames")) << result.out; // more than the file has
    EXPECT_TRUE(has(result.out, "4 pictures of each stream held in memory")) << result.out;
    EXPECT_TRUE(has(result.out, "out-of-order queues")) << result.out;
    EXPECT_TRUE(has(result.err, "serial, run 1 of 1: 20 frames")) << result.err;
}

TEST_F(Cli, ProfileRefusesBeforeItMeasures) {
    make_clip("a.mp4", "testsrc2=s=96x64:r=25:d=0.2");
    write_file(at("there.csv"), "precious");
    const Result there = weft({"profile", "a.mp4", "--csv", "there.csv"});
    EXPECT_EQ(there.status, 2);
    EXPECT_TRUE(has(there.err, "'there.csv' exists (-y overwrites)")) << there.err;
    EXPECT_EQ(read_file(at("there.csv")), "precious");
    const Result nowhere = weft({"profile", "a.mp4", "--html", "nofolder/report.html"});
    EXPECT_EQ(nowhere.status, 2);
    EXPECT_TRUE(has(nowhere.err, "'nofolder/report.html'")) << nowhere.err;
    for (const char* output : {"-", "hash:"}) {
        const Result mixed = weft({"profile", "a.mp4", "-o", output});
        EXPECT_EQ(mixed.status, 2);
        EXPECT_EQ(mixed.out, "");
        EXPECT_TRUE(has(mixed.err, "standard output is for the report")) << mixed.err;
    }
    const Result typo = weft({"profile", "a.mp4", "--schedule", "seriell"});
    EXPECT_EQ(typo.status, 2);
    EXPECT_TRUE(has(typo.err, "did you mean serial?")) << typo.err;
}
