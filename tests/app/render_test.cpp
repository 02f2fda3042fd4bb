// weft render: files, pipes, pictures, exit status; and what is refused.
#include <chrono>
#include <csignal>
#include <thread>

#include <nlohmann/json.hpp>

#include "app/cli.hpp"

using namespace weft::test;

TEST_F(Cli, RenderWritesAPlayableFile) {
    ffmpeg({"-f", "lavfi", "-i", "testsrc2=s=96x64:r=25:d=1", "-f", "lavfi", "-i", "sine=440:d=1", "-c:v",
            "libx264", "-c:a", "aac", "a.mp4"});
    const Result result = weft({"render", "a.mp4", "--filter", "eq=contrast=1.2", "-o", "out.mp4"});
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_TRUE(has(result.err, "25 frames in ")) << result.err;
    EXPECT_EQ(ffprobe("out.mp4", "stream=codec_name,width,height,r_frame_rate,nb_read_frames"),
              "h264\n96\n64\n25/1\n25\n");
    EXPECT_EQ(ffprobe("out.mp4", "stream=codec_name,sample_rate", "a:0"), "aac\n48000\n");
}

TEST_F(Cli, EncoderOptionsReachTheEncoder) {
    make_clip("a.mp4", "testsrc2=s=96x64:r=25:d=1");
    const Result result = weft({"render", "a.mp4", "--vcodec", "mpeg4", "--bitrate", "300k", "--vopt", "g=5",
                                "--size", "64x64", "--rate", "12.5", "--no-audio", "-o", "out.mkv"});
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(ffprobe("out.mkv", "stream=codec_name,width,height,nb_read_frames"), "mpeg4\n64\n64\n13\n");
    const std::string keys = ffprobe("out.mkv", "frame=key_frame"); // every fifth by g=5
    EXPECT_EQ(std::count(keys.begin(), keys.end(), '1'), 3) << keys;
}

TEST_F(Cli, AnExistingFileIsKeptWithoutY) {
    make_clip("a.mp4", "testsrc2=s=96x64:r=25:d=0.2");
    write_file(at("out.mp4"), "precious");
    const Result refused = weft({"render", "a.mp4", "-o", "out.mp4"});
    EXPECT_EQ(refused.status, 2);
    EXPECT_TRUE(has(refused.err, "error: output 'out.mp4' exists (-y overwrites)")) << refused.err;
    EXPECT_EQ(read_file(at("out.mp4")), "precious");
    const Result forced = weft({"render", "a.mp4", "-y", "-o", "out.mp4"});
    EXPECT_EQ(forced.status, 0) << forced.err;
    EXPECT_EQ(ffprobe("out.mp4", "stream=nb_read_frames"), "5\n");
}

TEST_F(Cli, SoundIsMixedAndTakesNoCell) {
    make_clip("a.mp4", "color=red:s=96x64:r=25:d=0.4");
    ffmpeg({"-f", "lavfi", "-i", "sine=440:d=0.4", "music.wav"});
    for (const std::vector<std::string>& more :
         {std::vector<std::string>{}, {"--layout", "hstack"}, {"--transition", "fade:0.2"}}) {
        std::vector<std::string> call{"render", "a.mp4", "music.wav", "-y", "-o", "out.mkv"};
        call.insert(call.end(), more.begin(), more.end());
        const Result result = weft(call);
        EXPECT_EQ(result.status, 0) << result.err;
        EXPECT_EQ(ffprobe("out.mkv", "stream=width,height,nb_read_frames"), "96\n64\n10\n");
        EXPECT_NE(ffprobe("out.mkv", "stream=codec_type", "a:0"), "");
        ffmpeg({"-i", "out.mkv", "-frames:v", "1", "-f", "rawvideo", "-pix_fmt", "gray", "out.raw"});
        const std::string grey = read_file(at("out.raw")); // a background would be black in a corner
        ASSERT_EQ(grey.size(), 96U * 64);
        EXPECT_EQ(std::count(grey.begin(), grey.end(), grey[0]), 96 * 64);
        EXPECT_GT(static_cast<unsigned char>(grey[0]), 60);
    }
}

TEST_F(Cli, AnInputIsNeverOverwritten) {
    make_clip("a.mp4", "testsrc2=s=96x64:r=25:d=0.2");
    const std::string before = read_file(at("a.mp4"));
    const Result result = weft({"render", "a.mp4", "-y", "-o", "./a.mp4"});
    EXPECT_EQ(result.status, 2);
    EXPECT_TRUE(has(result.err, "is also an input")) << result.err;
    EXPECT_EQ(read_file(at("a.mp4")), before);
}

TEST_F(Cli, ARefusedRenderLeavesNothing) {
    make_clip("a.mp4", "testsrc2=s=96x64:r=25:d=0.2");
    const std::vector<std::vector<std::string>> bad{
        {"render", "a.mp4", "-o", "out.mp4", "--vcodec", "libx265x"},
        {"render", "a.mp4", "-o", "out.mp4", "--filter", "eqq"},
        {"render", "a.mp4", "missing.mp4", "-o", "out.mp4"},
        {"render", "a.mp4", "-o", "out.mp4", "--vopt", "nonsense"},
        {"render", "a.mp4", "-o", "nofolder/out.mp4"},
        {"render", "a.mp4", "-o", "out.mp4", "--device", "no such device"},
    };
    for (const auto& words : bad) {
        const Result result = weft(words);
        EXPECT_EQ(result.status, 2) << words.back();
        EXPECT_EQ(result.err.rfind("error: ", 0), 0u) << result.err;
        EXPECT_EQ(files(), std::vector<std::string>{"a.mp4"}) << words.back();
    }
}

TEST_F(Cli, AllMissingFilesAreNamedAtOnce) {
    const Result result = weft({"render", "one.mp4", "two.mp4", "-o", "null:"});
    EXPECT_EQ(result.status, 2);
    EXPECT_TRUE(has(result.err, "error: one.mp4: no such file\n")) << result.err;
    EXPECT_TRUE(has(result.err, "error: two.mp4: no such file\n")) << result.err;
}

TEST_F(Cli, StandardOutputCarriesY4m) {
    make_clip("a.mp4", "testsrc2=s=96x64:r=25:d=0.2");
    const Result result = weft({"render", "a.mp4", "-o", "-"});
    ASSERT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(result.out.rfind("YUV4MPEG2 W96 H64 F25:1 ", 0), 0u);
    // Five frames, each "FRAME\n" and 96 x 64 x 1.5 samples, behind one line of header.
    EXPECT_EQ(result.out.size() - result.out.find('\n') - 1, 5u * (6 + 96 * 64 * 3 / 2));
    write_file(at("out.y4m"), result.out);
    EXPECT_EQ(ffprobe("out.y4m", "stream=width,height,nb_read_frames"), "96\n64\n5\n");
}

TEST_F(Cli, NumberedPicturesAreWritten) {
    make_clip("a.mp4", "testsrc2=s=96x64:r=25:d=0.2");
    const Result result = weft({"render", "a.mp4", "-o", "p%03d.png"});
    ASSERT_EQ(result.status, 0) << result.err;
    for (const char* name : {"p001.png", "p005.png"})
        EXPECT_TRUE(exists(name)) << name;
    EXPECT_FALSE(exists("p006.png"));
    EXPECT_EQ(ffprobe("p003.png", "stream=codec_name,width,height"), "png\n96\n64\n");
    const Result again = weft({"render", "a.mp4", "-o", "p%03d.png"});
    EXPECT_EQ(again.status, 2);
    EXPECT_TRUE(has(again.err, "exists (-y overwrites)")) << again.err;
}

TEST_F(Cli, SeveralOutputsGetTheSamePictures) {
    make_clip("a.mp4", "testsrc2=s=96x64:r=25:d=0.4");
    const Result both = weft({"render", "a.mp4", "-o", "hash:", "-o", "out.y4m", "--progress", "none"});
    ASSERT_EQ(both.status, 0) << both.err;
    EXPECT_EQ(both.err.find("error"), std::string::npos) << both.err;
    EXPECT_EQ(weft({"render", "a.mp4", "-o", "hash:", "--progress", "none"}).out, both.out);
    EXPECT_EQ(weft({"render", "out.y4m", "-o", "hash:", "--progress", "none"}).out, both.out);
    const Result twice = weft({"render", "a.mp4", "-o", "b.mp4", "-o", "./b.mp4"});
    EXPECT_EQ(twice.status, 2);
    EXPECT_TRUE(has(twice.err, "is given twice")) << twice.err;
}

TEST_F(Cli, PicturesDoNotDependOnBuffersOrUpload) {
    make_clip("a.mp4", "testsrc2=s=97x65:r=25:d=0.4,format=yuv444p");
    std::string expected;
    for (const char* upload : {"host", "direct", "pinned", "pageable"}) {
        for (const char* buffers : {"1", "3"}) {
            const Result result = weft({"render", "a.mp4", "--filter", "gblur=sigma=1.5", "--upload", upload,
                                        "--buffers", buffers, "-o", "hash:", "--progress", "none"});
            ASSERT_EQ(result.status, 0) << result.err;
            if (expected.empty()) expected = result.out;
            EXPECT_EQ(result.out, expected) << upload << " " << buffers;
        }
    }
    EXPECT_TRUE(has(expected, "\ntotal "));
}

TEST_F(Cli, StartAndDurationCutTheCanvas) {
    // Every pixel of frame n has luma 16 + 2n.
    make_clip("code.mp4", "color=black:s=64x64:r=25:d=2,geq=lum='16+2*N':cb=128:cr=128");
    const Result result =
        weft({"render", "code.mp4", "--start", "1s", "--duration", "0.4s", "-o", "-", "--progress", "none"});
    ASSERT_EQ(result.status, 0) << result.err;
    size_t at_frame = result.out.find("FRAME\n");
    for (int n = 25; n < 35; ++n) {
        ASSERT_NE(at_frame, std::string::npos) << n;
        EXPECT_EQ(static_cast<unsigned char>(result.out[at_frame + 6 + 64 * 32 + 32]), 16 + 2 * n);
        at_frame = result.out.find("FRAME\n", at_frame + 6 + 64 * 64 * 3 / 2);
    }
    EXPECT_EQ(at_frame, std::string::npos);
}

TEST_F(Cli, FilesReplaceThePipelinesInputs) {
    make_clip("red.mp4", "color=red:s=64x48:r=25:d=0.2");
    make_clip("blue.mp4", "color=blue:s=64x48:r=25:d=0.2");
    write_file(at("one.yaml"), "weft: 1\ninputs:\n  a: {url: red.mp4}\nlayers:\n  - {from: a}\n"
                               "outputs:\n  - {file: out.mp4}\n");
    const Result replaced = weft({"render", "one.yaml", "blue.mp4", "-o", "hash:", "--progress", "none"});
    ASSERT_EQ(replaced.status, 0) << replaced.err;
    EXPECT_FALSE(exists("out.mp4")); // -o replaces the outputs
    EXPECT_EQ(replaced.out, weft({"render", "blue.mp4", "-o", "hash:", "--progress", "none"}).out);
    const Result own = weft({"render", "one.yaml"});
    EXPECT_EQ(own.status, 0) << own.err;
    EXPECT_EQ(ffprobe("out.mp4", "stream=nb_read_frames"), "5\n");
    EXPECT_EQ(weft({"render", "one.yaml", "red.mp4", "blue.mp4", "-y"}).status, 2);
}

TEST_F(Cli, NamesWithOddCharactersAreFiles) {
    make_clip("plain.mp4", "testsrc2=s=64x48:r=25:d=0.2");
    const std::string expected = weft({"render", "plain.mp4", "-o", "hash:", "--progress", "none"}).out;
    for (const char* name : {"-dash.mp4", "a b.mp4", "c,d;e[f]=g.mp4", "h'i.mp4", "j:k.mp4", "l%d.mp4",
                             "m\\n.mp4", "\xD0\xBC\xD0\xB8\xD1\x80.mp4", "[x].mp4"}) {
        std::filesystem::copy_file(at("plain.mp4"), at(name));
        const Result result = weft({"render", "-o", "hash:", "--progress", "none", "--", name});
        EXPECT_EQ(result.status, 0) << name << ": " << result.err;
        EXPECT_EQ(result.out, expected) << name;
    }
}

TEST_F(Cli, ProgressAsJson) {
    make_clip("a.mp4", "testsrc2=s=96x64:r=25:d=0.4");
    const Result result = weft({"render", "a.mp4", "-o", "out.mp4", "--progress", "json"});
    ASSERT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(result.out, "");
    std::vector<nlohmann::json> events;
    std::istringstream lines(result.err);
    for (std::string line; std::getline(lines, line);)
        if (line.rfind("{", 0) == 0) events.push_back(nlohmann::json::parse(line));
    ASSERT_GE(events.size(), 3u);
    EXPECT_EQ(events.front().at("event"), "plan");
    EXPECT_EQ(events.front().at("frames"), 10);
    EXPECT_EQ(events.front().at("width"), 96);
    EXPECT_EQ(events.at(1).at("event"), "progress");
    EXPECT_EQ(events.at(1).at("total"), 10);
    EXPECT_EQ(events.back().at("event"), "end");
    EXPECT_EQ(events.back().at("frames"), 10);
    EXPECT_EQ(events.back().at("exit_status"), 0);
    EXPECT_EQ(events.back().at("outputs").at(0).at("bytes"), std::filesystem::file_size(at("out.mp4")));
}

TEST_F(Cli, InterruptionFinishesTheFile) {
    make_clip("a.mp4", "testsrc2=s=96x64:r=25:d=1");
    write_file(at("long.yaml"), "weft: 1\nduration: 4000s\ninputs:\n  a: {url: a.mp4, end: loop}\nlayers:\n"
                                "  - {from: a}\noutputs:\n  - {file: out.mp4}\n");
    Child child(words({"render", "long.yaml", "--progress", "json"}), folder_);
    using Clock = std::chrono::steady_clock;
    const auto give_up = Clock::now() + std::chrono::minutes(2);
    while (!has(child.err_so_far(), "\"progress\"") && Clock::now() < give_up)
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    kill(child.pid(), SIGINT);
    const Result result = child.wait();
    EXPECT_EQ(result.status, 130) << result.err;
    EXPECT_TRUE(has(result.err, "\"status\":\"interrupted\"")) << result.err;
    const int frames = std::stoi(ffprobe("out.mp4", "stream=nb_read_frames"));
    EXPECT_GT(frames, 0);
    EXPECT_LT(frames, 100000);
    const Result decoded =
        Child({"ffmpeg", "-v", "error", "-xerror", "-i", "out.mp4", "-f", "null", "-"}, folder_).wait();
    EXPECT_EQ(decoded.status, 0) << decoded.err;
    EXPECT_EQ(files().size(), 3u); // no temporary is left
}

TEST_F(Cli, ADamagedInputIsALossNotAFailure) {
    ffmpeg({"-f", "lavfi", "-i", "testsrc2=s=320x240:r=25:d=2", "-c:v", "mpeg2video", "-g", "10", "-b:v",
            "2M", "a.ts"});
    std::string bytes = read_file(at("a.ts"));
    // Sync bytes stay (a packet is 188 bytes), payloads in the middle are zeroed.
    for (size_t i = bytes.size() / 3 / 188 * 188; i < bytes.size() / 2; ++i)
        if (i % 188 >= 4) bytes[i] = 0;
    write_file(at("a.ts"), bytes);
    const Result result = weft({"render", "a.ts", "-o", "out.mp4"});
    EXPECT_EQ(result.status, 1) << result.err;
    EXPECT_TRUE(has(result.err, "warning: input 1: ") && has(result.err, "damaged")) << result.err;
    EXPECT_EQ(ffprobe("out.mp4", "stream=nb_read_frames"), "50\n");
}

TEST_F(Cli, TheLogLevelSaysWhatIsTold) {
    make_clip("a.mp4", "testsrc2=s=96x64:r=25:d=1");
    ffmpeg({"-i", "a.mp4", "-c", "copy", "-movflags", "faststart", "b.mp4"});
    write_file(at("cut.mp4"), read_file(at("b.mp4")).substr(0, read_file(at("b.mp4")).size() * 3 / 4));
    const auto told = [&](const std::string& level, const std::string& file, int status) {
        const Result result = weft({"render", file, "-o", "null:", "--log", level});
        EXPECT_EQ(result.status, status) << level;
        return result.err;
    };
    const std::string summary = " frames in ", loss = "pictures missing";
    for (const std::string level : {"off", "error"}) {
        EXPECT_EQ(told(level, "cut.mp4", 1), "");
        EXPECT_EQ(told(level, "none.mp4", 2), "error: none.mp4: no such file\n");
    }
    for (const std::string level : {"warn", "info"}) {
        EXPECT_TRUE(has(told(level, "cut.mp4", 1), loss));
        EXPECT_TRUE(has(told(level, "a.mp4", 0), summary));
    }
    // x265 has a voice of its own.
    const Result quiet = weft({"render", "a.mp4", "-o", "x.mp4", "--vcodec", "libx265", "--log", "off"});
    EXPECT_EQ(quiet.status, 0);
    EXPECT_EQ(quiet.err, "");
    // What programs asked for they get.
    EXPECT_TRUE(has(weft({"render", "a.mp4", "-o", "null:", "--log", "off", "--progress", "json"}).err,
                    "\"event\":\"end\""));
}

TEST_F(Cli, AFullDiskIsAFailure) {
    make_clip("a.mp4", "testsrc2=s=96x64:r=25:d=1");
    const Result result =
        Child(words({"render", "a.mp4", "-o", "-", "--progress", "none"}), folder_, "/dev/full").wait();
    EXPECT_EQ(result.status, 2) << result.err;
    EXPECT_TRUE(has(result.err, "No space left")) << result.err;
}

TEST_F(Cli, JpegPicturesAreWrittenInFullRange) {
    make_clip("a.mp4", "color=white:s=64x48:r=25:d=0.2");
    const Result result = weft({"render", "a.mp4", "-o", "out%02d.jpg"});
    ASSERT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(files().size(), 6u);
    EXPECT_EQ(ffprobe("out05.jpg", "stream=pix_fmt"), "yuvj420p\n");
    ffmpeg({"-i", "out05.jpg", "-f", "rawvideo", "-pix_fmt", "gray", "white.raw"});
    for (const char code : read_file(at("white.raw")))
        ASSERT_GE(static_cast<unsigned char>(code), 254); // stored in limited range it would be 235
}

TEST_F(Cli, OneNameForManyPicturesIsRefusedAtOnce) {
    make_clip("a.mp4", "testsrc2=s=96x64:r=25:d=1");
    const Result result = weft({"render", "a.mp4", "-o", "out.png"});
    EXPECT_EQ(result.status, 2);
    EXPECT_TRUE(has(result.err, "error: out.png: holds one picture, but there are 25; name a series like "
                                "out%04d.png"))
        << result.err;
    EXPECT_FALSE(exists("out.png"));
    EXPECT_EQ(weft({"render", "a.mp4", "-o", "out.png", "--duration", "40ms"}).status, 0);
    EXPECT_TRUE(exists("out.png"));
}

TEST_F(Cli, OneComplaintIsToldOnce) {
    make_clip("a.mp4", "testsrc2=s=96x64:r=25:d=0.2");
    const Result result = weft({"render", "a.mp4", "a.mp4", "--filter", "gblur=sigma=-1", "-o", "out.mp4"});
    EXPECT_EQ(result.status, 2);
    EXPECT_EQ(result.err, "error: --filter: filter 'gblur': sigma is -1, allowed 0..100\n");
}

TEST_F(Cli, AWrongSoundOptionDoesNotSilenceTheFile) {
    ffmpeg({"-f", "lavfi", "-i", "testsrc2=s=96x64:r=25:d=0.2", "-f", "lavfi", "-i", "sine=d=0.2", "a.mp4"});
    for (const std::string option : {"--aopt=nonsense=1", "--audio-bitrate=much"}) {
        const Result result = weft({"render", "a.mp4", option, "-o", "out.mp4"});
        EXPECT_EQ(result.status, 2) << option;
        EXPECT_TRUE(has(result.err, "error: out.mp4: encoder aac")) << result.err;
        EXPECT_FALSE(exists("out.mp4"));
    }
}

TEST_F(Cli, WhatWentIntoADeviceIsNotKept) {
    make_clip("a.mp4", "testsrc2=s=320x240:r=25:d=1");
    const Result result = weft({"render", "a.mp4", "-o", "/dev/full", "-y", "--format", "mpegts"});
    EXPECT_EQ(result.status, 2) << result.err;
    EXPECT_TRUE(has(result.err, "No space left")) << result.err;
    EXPECT_FALSE(has(result.err, "kept as")) << result.err;
}

TEST_F(Cli, AMissingInputThatIsNotRequiredIsToldOnceWithTheReason) {
    make_clip("a.mp4", "testsrc2=s=96x64:r=25:d=0.2");
    write_file(at("p.yaml"), "weft: 1\ninputs:\n  a: {url: a.mp4}\n  b: {url: b.mp4, required: false}\n"
                             "layers: [{from: a}, {from: b}]\n");
    const Result result = weft({"render", "p.yaml", "-o", "null:"});
    EXPECT_EQ(result.status, 0) << result.err;
    const std::string note = "  input 'b' is missing and not required: left out";
    const size_t at = result.err.find(note);
    ASSERT_NE(at, std::string::npos) << result.err;
    EXPECT_TRUE(has(result.err.substr(at, result.err.find('\n', at) - at), "b.mp4: no such file"))
        << result.err;
    EXPECT_EQ(result.err.find(note, at + 1), std::string::npos) << result.err;
}

TEST_F(Cli, AStandardOutputThatTakesNothingIsAFailure) {
    make_clip("a.mp4", "testsrc2=s=96x64:r=25:d=0.2");
    const Result full = Child(words({"render", "a.mp4", "-o", "hash:"}), folder_, "/dev/full").wait();
    EXPECT_EQ(full.status, 2) << full.err;
    EXPECT_TRUE(has(full.err, "standard output cannot be written: No space left")) << full.err;
    for (const std::string output : {"hash:", "-"}) {
        const std::string weft = words({}).front();
        const Result closed =
            Child({"sh", "-c", "'" + weft + "' render a.mp4 -o " + output + " >&-"}, folder_).wait();
        EXPECT_EQ(closed.status, 2) << output << closed.err;
        EXPECT_TRUE(has(closed.err, "error: output ")) << closed.err;
    }
}

TEST_F(Cli, AReaderThatGoesAwayIsToldInOneLine) {
    make_clip("a.mp4", "testsrc2=s=320x240:r=25:d=2");
    const std::string command = "'" + words({}).front() + "' render a.mp4 -o - --progress none";
    const Result result =
        Child({"sh", "-c", "{ " + command + "; echo $? > status; } | head -c 100 > head"}, folder_).wait();
    EXPECT_EQ(read_file(at("status")), "2\n");
    EXPECT_EQ(result.err, "error: output standard output: cannot be written: Broken pipe\n");
}

// A pipe is read once, from its beginning: what asks for more is refused before anything is written.
TEST_F(Cli, APipeNeitherLoopsNorBeginsLater) {
    ffmpeg({"-f", "lavfi", "-i", "testsrc=s=64x48:r=25:d=1", "-c:v", "libx264", "a.mkv"});
    write_file(at("loop.yaml"), "weft: 1\ninputs:\n  cam: {url: \"-\", end: loop}\nlayers: [{from: cam}]\n");
    write_file(at("late.yaml"),
               "weft: 1\ninputs:\n  cam: {url: \"-\", start: 0.4s}\nlayers: [{from: cam}]\n");
    const auto piped = [&](const std::string& arguments) {
        const std::string command =
            "cat a.mkv | '" + words({}).front() + "' render " + arguments + " -o out.mkv --progress none";
        return Child({"sh", "-c", command}, folder_).wait();
    };
    for (const std::string bad : {"loop.yaml --duration 3s", "late.yaml", "- --start 0.4s"}) {
        const Result result = piped(bad);
        EXPECT_EQ(result.status, 2) << bad;
        EXPECT_TRUE(has(result.err, "-: input '") && has(result.err, "can only be read on")) << result.err;
        EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
        EXPECT_FALSE(exists("out.mkv") || exists("out.partial.mkv"));
    }
    const Result plain = piped("-");
    EXPECT_EQ(plain.status, 0) << plain.err;
    EXPECT_EQ(ffprobe("out.mkv", "stream=nb_read_frames"), "25\n");
}

// 16:9 in tiles of 4:3: 90.1 lines between bars, whether the output's chroma needs even places or not.
TEST_F(Cli, TilesKeepTheShapeOfTheirPictures) {
    make_clip("wide.mkv", "color=red:s=426x240:r=25:d=0.08");
    std::vector<std::string> words{"render",   "wide.mkv", "wide.mkv", "wide.mkv",
                                   "wide.mkv", "--size",   "320x240"};
    words.insert(words.end(), {"-o", "even.mkv"});
    EXPECT_TRUE(has(weft(words).err, "layers[0]: 426x240 -> 160x90 at 0,16"));
    words.back() = "any%d.png";
    EXPECT_TRUE(has(weft(words).err, "layers[0]: 426x240 -> 160x90 at 0,15"));
}

// 4:2:0 of odd sides is padded, not stretched: every sample stays, and the edge is repeated.
TEST_F(Cli, OddSidesArePaddedByTheirEdge) {
    ffmpeg({"-f", "lavfi", "-i", "testsrc2=s=162x122:r=25:d=0.08", "-vf", "crop=161:121:0:0:exact=1", "-c:v",
            "ffv1", "-pix_fmt", "yuv420p", "odd.mkv"});
    ffmpeg({"-i", "odd.mkv", "-f", "rawvideo", "-pix_fmt", "yuv420p", "-frames:v", "1", "odd.raw"});
    const Result result =
        weft({"render", "odd.mkv", "-o", "even.raw", "--format", "raw", "--duration", "1/25"});
    ASSERT_EQ(result.status, 0) << result.err;
    EXPECT_TRUE(has(result.err, "161x121 is padded to 162x122")) << result.err;
    const std::string odd = read_file(at("odd.raw")), even = read_file(at("even.raw"));
    ASSERT_EQ(odd.size(), 161U * 121 + 2 * 81 * 61);
    ASSERT_EQ(even.size(), 162U * 122 * 3 / 2);
    int different = 0;
    for (size_t y = 0; y < 122; ++y)
        for (size_t x = 0; x < 162; ++x)
            different += even[y * 162 + x] != odd[std::min<size_t>(y, 120) * 161 + std::min<size_t>(x, 160)];
    EXPECT_EQ(different, 0);
    EXPECT_EQ(even.substr(162 * 122), odd.substr(161 * 121)); // chroma of 81x61 either way
}
