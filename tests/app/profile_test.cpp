// weft profile: what it prints and writes agrees with itself and with what a second program makes of the raw
// times.
#include <algorithm>
#include <map>
#include <sstream>

#include <nlohmann/json.hpp>

#include "app/cli.hpp"
#include "base/format.hpp"

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

// What a browser's engine makes of the page, button by button, against --json of the same run.
TEST_F(Cli, ProfilePageShowsAndComputesTheFiguresOfTheProfile) {
    make_clip("a.mp4", "testsrc2=s=640x360:r=25:d=1.2");
    const Result result =
        weft({"profile", "a.mp4", "--filter", "gblur=sigma=1", "--filter", "vignette", "--upload", "pageable",
              "--rounds", "1", "--frames", "24", "--json", "--html", "report.html", "--progress", "none"});
    ASSERT_EQ(result.status, 0) << result.err;
    const json profile = json::parse(result.out);
    const Result read = Child({"xvfb-run", "-a", "/usr/bin/python3",
                               std::string(WEFT_SOURCE_DIR) + "/tests/app/read_page.py", "report.html"},
                              folder_)
                            .wait();
    ASSERT_EQ(read.status, 0) << read.err;
    const json page = json::parse(read.out);
    EXPECT_EQ(page.at("console"), json::array()) << "its scripts complain of something";
    EXPECT_EQ(page.at("what"),
              profile.at("pipeline").get<std::string>() + ": " + profile.at("canvas").get<std::string>());
    EXPECT_NE(page.at("themes").at(0), page.at("themes").at(1));
    EXPECT_EQ(page.at("advice").size(), profile.at("advice").size());
    const auto fixed = [](const json& value, int digits) {
        return value.is_null() ? std::string("–") : fmt::format("{:.{}f}", value.get<double>(), digits);
    };
    const auto percent = [](double share) { return fmt::format("{:.0f} %", share * 100); };
    // A last digit may be rounded either way.
    const auto expect_near = [](const json& shown, double value, double step) {
        EXPECT_NEAR(std::stod(shown.get<std::string>()), value, step) << shown;
    };
    ASSERT_EQ(page.at("schedules").size(), 1 + schedules.size());
    ASSERT_EQ(page.at("shown").size(), schedules.size());
    for (size_t i = 0; i < schedules.size(); ++i) {
        SCOPED_TRACE(schedules[i]);
        const json& s = profile.at("schedules").at(i);
        const json& row = page.at("schedules").at(1 + i);
        EXPECT_EQ(row.at(0), schedules[i]);
        EXPECT_EQ(row.at(1), std::to_string(s.at("slots").get<int>()));
        expect_near(row.at(2), s.at("ms_per_frame"), 0.0011);
        EXPECT_EQ(row.at(5), fixed(s.at("overlap"), 2));
        EXPECT_EQ(row.at(7), s.at("critical_stage"));

        const json& shown = page.at("shown").at(i);
        EXPECT_EQ(shown.at("schedule"), schedules[i]);
        const json& queues = shown.at("tables").at(0);
        ASSERT_EQ(queues.size(), 1 + s.at("queues").size());
        for (size_t q = 0; q < s.at("queues").size(); ++q) {
            const json& queue = s.at("queues").at(q);
            EXPECT_EQ(queues.at(1 + q).at(0), queue.at("name"));
            EXPECT_EQ(queues.at(1 + q).at(1), std::to_string(queue.at("commands_us").at("count").get<int>()));
            expect_near(queues.at(1 + q).at(4), queue.at("busy_ms_per_frame"), 0.0011);
        }
        const json& kernel = shown.at("tables").at(1).at(1);
        EXPECT_EQ(kernel.at(0), s.at("kernels").at(0).at("name"));
        expect_near(kernel.at(4), s.at("kernels").at(0).at("gb_per_s"), 0.11);
        expect_near(kernel.at(5), s.at("kernels").at(0).at("gflop_per_s"), 0.11);
        const json& stream = shown.at("tables").at(2).at(1);
        EXPECT_EQ(stream.at(1), std::to_string(s.at("streams").at(0).at("read_ms").at("count").get<int>()));
        expect_near(stream.at(6), s.at("streams").at(0).at("decode_ms").at("median"), 0.0011);
        const json& pictures = shown.at("tables").at(4).at(1);
        EXPECT_EQ(pictures.at(1), std::to_string(s.at("pictures").at(0).at("decoded").get<int>()));

        // From the timeline's rows alone, which are in tenths of a microsecond.
        double view = 0, copies = 0, kernels = 0, both = 0;
        const std::string text = shown.at("in_view");
        ASSERT_EQ(std::sscanf(text.c_str(),
                              "In view are %lf ms: copies take %lf ms, kernels %lf ms, both at once %lf ms",
                              &view, &copies, &kernels, &both),
                  4)
            << text;
        const double frames = s.at("steady").at("frames");
        const double rounding = 0.001 + 24 * 2e-4; // of each row's begin and end
        EXPECT_NEAR(view, s.at("steady").at("milliseconds"), rounding);
        EXPECT_NEAR(copies, s.at("copy_ms_per_frame").get<double>() * frames, rounding);
        EXPECT_NEAR(kernels, s.at("queues").at(1).at("busy_ms_per_frame").get<double>() * frames, rounding);
        EXPECT_NEAR(both, s.at("both_ms_per_frame").get<double>() * frames, rounding);
    }
    EXPECT_TRUE(has(page.at("where"), "upload pageable, in-order queues")) << page.at("where");
    EXPECT_TRUE(
        has(page.dump(), percent(profile.at("schedules").at(2).at("queues").at(1).at("utilisation"))));
}

// Every second picture of the first is due at no tick, but the very last goes up all the same, to be held;
// every picture of the second is shown twice; and of the third a part is missing.
TEST_F(Cli, ProfileCountsWhatBecameOfPictures) {
    make_clip("fast.mp4", "testsrc2=s=64x64:r=50:d=0.8");
    make_clip("slow.mp4", "testsrc2=s=64x64:r=12.5:d=0.8");
    ffmpeg({"-f", "lavfi", "-i", "testsrc2=s=64x64:r=25:d=0.8", "-c:v", "mjpeg", "-movflags", "+faststart",
            "whole.mov"});
    const std::string whole = read_file(at("whole.mov"));
    write_file(at("cut.mov"), whole.substr(0, whole.size() / 2));
    const Result result =
        weft({"profile", "fast.mp4", "slow.mp4", "cut.mov", "--rate", "25", "--layout", "hstack", "--rounds",
              "1", "--schedule", "overlapped", "--json", "--progress", "none"});
    ASSERT_EQ(result.status, 0) << result.err;
    const json profile = json::parse(result.out);
    const json& s = profile.at("schedules").at(0);
    ASSERT_EQ(s.at("frames"), 20);
    ASSERT_EQ(s.at("pictures").size(), 3U);
    const auto counts = [&](size_t i, const char* what) {
        return s.at("pictures").at(i).at(what).get<int>();
    };
    EXPECT_EQ(counts(0, "decoded"), 40);
    EXPECT_EQ(counts(0, "dropped"), 19);
    EXPECT_EQ(counts(0, "repeated"), 0);
    EXPECT_EQ(counts(1, "decoded"), 10);
    EXPECT_EQ(counts(1, "dropped"), 0);
    EXPECT_EQ(counts(1, "repeated"), 10);
    EXPECT_GT(counts(2, "lost"), 5);
    EXPECT_EQ(counts(2, "decoded") + counts(2, "lost"), 20);
    EXPECT_EQ(counts(2, "repeated"), counts(2, "lost")); // its last one is held
    EXPECT_EQ(counts(0, "lost") + counts(1, "lost"), 0);
    for (size_t i = 0; i < 3; ++i)
        EXPECT_EQ(counts(i, "late"), 0); // nothing is late where everything is waited for
    ASSERT_EQ(s.at("outputs").size(), 1U);
    EXPECT_EQ(s.at("outputs").at(0).at("frames"), 20);
    EXPECT_EQ(s.at("outputs").at(0).at("dropped"), 0);
}

// What stands out of real runs is told, with the option that changes it.
TEST_F(Cli, ProfileAdvisesOnWhatBoundsARun) {
    // Dear to decode, and next to nothing.
    make_clip("noise.mp4", "color=gray:s=480x270:r=25:d=0.8,noise=alls=100:allf=t,format=yuv420p");
    make_clip("plain.mp4", "color=gray:s=480x270:r=25:d=1.6");
    const std::string table = "lut3d=file='" + std::string(WEFT_SOURCE_DIR) +
                              "/tests/media_files/cube_3d_size2_no_newline.cube':interp=nearest";
    const auto options_of = [&](std::vector<std::string> words) {
        words.insert(words.begin(), {"profile"});
        words.insert(words.end(), {"--rounds", "1", "--schedule", "overlapped", "--json", "--progress",
                                   "none", "--no-tune"});
        const Result result = weft(words);
        EXPECT_EQ(result.status, 0) << result.err;
        std::vector<std::string> options;
        const json profile = json::parse(result.out);
        for (const json& advice : profile.at("advice")) {
            options.push_back(advice.at("option"));
            EXPECT_GE(advice.at("gain"), 0);
            EXPECT_LE(advice.at("gain"), 1);
        }
        return std::pair(options, profile.at("advice").dump(1) + profile.at("schedules").dump(1));
    };
    const auto expect = [&](const std::string& option, const std::vector<std::string>& words) {
        // A machine with other work may hold up one run and not the other.
        std::string told;
        for (int attempt = 0; attempt < 3; ++attempt) {
            const auto [options, text] = options_of(words);
            if (std::count(options.begin(), options.end(), option) == 1) return;
            told += text + "\n";
        }
        ADD_FAILURE() << option << " is not among\n" << told;
    };
    expect("--preload 16", {"noise.mp4"});
    expect("--preset veryfast",
           {"noise.mp4", "--preload", "4", "--frames", "40", "-o", "out.mkv", "--vcodec", "ffv1", "-y"});
    expect("weft tune", {"plain.mp4", "--preload", "4", "--frames", "40", "--filter", table});
    expect("--buffers 2", {"plain.mp4", "--preload", "4", "--frames", "40", "--buffers", "1", "--upload",
                           "pageable", "--deinterlace", "off"});
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
    EXPECT_TRUE(has(result.err, "serial out-of-order, run 1 of 1: 20 frames")) << result.err;
}

TEST_F(Cli, ProfileComparesBothOrdersOfQueuesInOneTable) {
    make_clip("a.mp4", "testsrc2=s=320x240:r=25:d=0.8");
    const Result result =
        weft({"profile", "a.mp4", "--rounds", "1", "--schedule", "serial", "--schedule", "overlapped",
              "--compare-queues", "--json", "--csv", "raw.csv", "--progress", "none"});
    ASSERT_EQ(result.status, 0) << result.err;
    const json profile = json::parse(result.out);
    EXPECT_EQ(profile.at("queues"), "in-order and out-of-order");
    ASSERT_EQ(profile.at("schedules").size(), 4U);
    const char* titles[] = {"serial", "overlapped", "serial out-of-order", "overlapped out-of-order"};
    const std::string raw = read_file(at("raw.csv"));
    for (size_t i = 0; i < 4; ++i) {
        const json& s = profile.at("schedules").at(i);
        EXPECT_EQ(s.at("title"), titles[i]);
        EXPECT_EQ(s.at("queue_order"), i < 2 ? "in-order" : "out-of-order");
        EXPECT_EQ(s.at("frames"), 20);
        EXPECT_EQ(s.at("order_faults"), 0);
        EXPECT_TRUE(has(raw, std::string("\n") + titles[i] + ",device,kernel,"));
    }
    EXPECT_EQ(profile.at("schedules").at(0).at("speedup"), 1.0);
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
