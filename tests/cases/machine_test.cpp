// Names of files, choice of the device, memory, and modes that must agree.
#include <sys/resource.h>

#include "cases/cases.hpp"

using namespace weft::test;

TEST_F(Cases, FilesMayHaveAnyName) {
    numbered_clip("plain.mp4", "30", "0.2");
    write_file(at("plain.cube"), "LUT_1D_SIZE 2\n1 1 1\n0 0 0\n");
    const std::vector<std::string> names{"-dash", "a b",    "c,d;e[f]=g",         "h'i", "j:k", "l%d",
                                         "m\\n",  "日本語", std::string(200, 'x')};
    std::vector<std::string> words;
    for (size_t i = 0; i < names.size(); ++i) {
        std::filesystem::copy_file(at("plain.mp4"), at(names[i] + ".mp4"));
        std::filesystem::copy_file(at("plain.cube"), at(names[i] + ".cube"));
        std::string quoted; // FFmpeg's quoting: an apostrophe closes, is escaped, and opens again
        for (const char c : names[i])
            quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
        words.insert(words.end(), {"--filter", std::to_string(i + 2) + ":lut3d=file='" + quoted + ".cube'"});
    }
    words.insert(words.end(),
                 {"--filter", "1:lut3d=file=plain.cube", "--layout", "10x1", "--size", "640x64", "--format",
                  "raw", "--pix-fmt", "rgb24", "-y", "-o", "out.raw", "--", "plain.mp4"});
    for (const std::string& name : names)
        words.push_back(name + ".mp4");
    words.insert(words.begin(), "render");
    const Result result = weft(words);
    ASSERT_EQ(result.status, 0) << result.err;
    const Shown out{640, 64, read_file(at("out.raw"))};
    ASSERT_EQ(out.frames(), 6);
    for (int frame = 0; frame < 6; ++frame) {
        EXPECT_NEAR(out.at(frame, 32, 32).r, 255 - grey(16 + 2 * frame), 1);
        for (int i = 1; i < 10; ++i)
            EXPECT_PRED3(near, out.at(frame, 64 * i + 32, 32), out.at(frame, 32, 32), 0)
                << names[static_cast<size_t>(i) - 1];
    }
}

TEST_F(Cases, TheDeviceIsChosenByNameAndNamed) {
    numbered_clip("a.mp4", "25", "0.2");
    const Result list = weft({"devices"});
    EXPECT_EQ(list.status, 0) << list.err;
    EXPECT_TRUE(has(list.out, "Portable Computing Language") || has(list.out, "PoCL")) << list.out;
    const std::string name = list.out.find("pthread") != std::string::npos ? "PTHREAD" : "CPU"; // of PoCL's
    const Result used = weft({"render", "a.mp4", "--device", name, "-o", "null:"});
    EXPECT_EQ(used.status, 0) << used.err;
    const Result first = weft({"render", "a.mp4", "--device", "0", "-o", "null:"});
    EXPECT_EQ(first.status, 0) << first.err;
    for (const char* wrong : {"99", "no such device", "7.3"}) {
        const Result refused = weft({"render", "a.mp4", "--device", wrong, "-o", "null:"});
        EXPECT_EQ(refused.status, 2) << wrong;
        EXPECT_TRUE(has(refused.err, "error: ") && has(refused.err, wrong)) << refused.err;
    }
    const Result none = Child({"env", "OCL_ICD_VENDORS=/nowhere", std::string(WEFT_BIN_DIR) + "/weft",
                               "render", "a.mp4", "-o", "null:"},
                              folder_)
                            .wait();
    EXPECT_EQ(none.status, 2);
    EXPECT_EQ(none.err.rfind("error: ", 0), 0U) << none.err;
    EXPECT_EQ(std::count(none.err.begin(), none.err.end(), '\n'), 1) << none.err;
}

TEST_F(Cases, SlotsAndUploadChangeNoByte) {
    ffmpeg_clip("a.mp4", "testsrc2=s=320x180:r=30:d=1", {"-c:v", "libx264", "-preset", "ultrafast"});
    std::vector<std::string> hashes;
    for (int round = 0; round < 2; ++round)
        for (const char* buffers : {"1", "2", "4"}) {
            const Result result = weft({"render", "a.mp4", "--filter", "eq=contrast=1.2", "--filter",
                                        "gblur=sigma=2", "--buffers", buffers, "-o", "hash:"});
            EXPECT_EQ(result.status, 0) << result.err;
            hashes.push_back(result.out);
        }
    EXPECT_EQ(std::count(hashes[0].begin(), hashes[0].end(), '\n'), 31) << hashes[0]; // 30 pictures and all
    for (const std::string& other : hashes)
        EXPECT_EQ(other, hashes[0]);
}

TEST_F(Cases, MemoryDoesNotGrowWithTheFrames) {
    ffmpeg_clip("long.mp4", "testsrc2=s=64x64:r=25:d=400", {"-c:v", "libx264", "-preset", "ultrafast"});
    const auto peak_kib = [&](const std::string& seconds) {
        std::vector<std::string> call = words(
            {"render", "long.mp4", "--filter", "eq=contrast=1.2", "--filter", "gblur=sigma=1", "--filter",
             "hue=h=20", "--filter", "negate", "--filter", "unsharp", "--duration", seconds, "-o", "null:"});
        Child child(call, folder_);
        int status = 0;
        rusage used{};
        EXPECT_EQ(wait4(child.pid(), &status, 0, &used), child.pid());
        EXPECT_EQ(status, 0);
        return used.ru_maxrss;
    };
    const auto short_run = peak_kib("80"), long_run = peak_kib("400"); // 2000 and 10000 frames
    EXPECT_LE(long_run - short_run, 8 * 1024) << short_run << " KiB after 2000 frames";
}
