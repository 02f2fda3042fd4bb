// Signals while weft waits for others: nothing hangs, nothing is left behind.
#include <chrono>
#include <csignal>
#include <thread>

#include <fcntl.h>
#include <sys/stat.h>

#include "app/cli.hpp"

namespace weft::test {
namespace {

using std::chrono::milliseconds;

// Ends a child that does not end by itself, so that a hang is a failure and no standstill.
Result wait_or_kill(Child& child) {
    const auto give_up = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    siginfo_t state{};
    while (std::chrono::steady_clock::now() < give_up) {
        if (waitid(P_PID, static_cast<id_t>(child.pid()), &state, WEXITED | WNOHANG | WNOWAIT) == 0 &&
            state.si_pid == child.pid())
            return child.wait();
        std::this_thread::sleep_for(milliseconds(20));
    }
    kill(child.pid(), SIGKILL);
    return child.wait();
}

// Whether the child has opened this file and holds it.
bool holds_open(const Child& child, const std::filesystem::path& file) {
    std::error_code ignored;
    const std::filesystem::path handles = "/proc/" + std::to_string(child.pid()) + "/fd";
    for (const auto& entry : std::filesystem::directory_iterator(handles, ignored))
        if (std::filesystem::read_symlink(entry.path(), ignored) == file) return true;
    return false;
}

class Interrupted : public Cli {
  protected:
    Interrupted() { mkfifo(at("pipe").c_str(), 0600); }
    void wait_until_open(const Child& child) {
        for (int i = 0; i < 3000 && !holds_open(child, std::filesystem::canonical(at("pipe"))); ++i)
            std::this_thread::sleep_for(milliseconds(20));
    }
};

class BySignal : public Interrupted, public testing::WithParamInterface<int> {};
INSTANTIATE_TEST_SUITE_P(, BySignal, testing::Values(SIGINT, SIGTERM, SIGHUP));

TEST_P(BySignal, APipeThatNobodyFeedsIsGivenUp) {
    Child child(words({"render", "pipe", "-o", "out.mp4"}), folder_);
    wait_until_open(child);
    kill(child.pid(), GetParam());
    const Result result = wait_or_kill(child);
    EXPECT_EQ(result.status, 128 + GetParam()) << result.err;
    EXPECT_EQ(result.err, "interrupted before the first picture, nothing was written\n");
    EXPECT_EQ(files(), std::vector<std::string>{"pipe"});
}

TEST_F(Interrupted, AWriterThatFallsSilentDoesNotHoldUpTheEnd) {
    ffmpeg({"-f", "lavfi", "-i", "testsrc2=s=96x64:r=25:d=4", "-c:v", "mpeg2video", "-g", "5", "a.ts"});
    Child child(words({"render", "pipe", "--duration", "100", "-o", "out.mkv", "-o", "hash:"}), folder_);
    // A writer that keeps the pipe open and says no more.
    const int pipe = open(at("pipe").c_str(), O_RDWR);
    ASSERT_GE(pipe, 0);
    const std::string bytes = read_file(at("a.ts"));
    for (size_t done = 0; done < bytes.size();) {
        const ssize_t n = write(pipe, bytes.data() + done, bytes.size() - done);
        ASSERT_GT(n, 0);
        done += static_cast<size_t>(n);
    }
    for (int i = 0; i < 3000 && !has(read_file(at(".out")), "\n20 "); ++i)
        std::this_thread::sleep_for(milliseconds(20));
    kill(child.pid(), SIGINT);
    const Result result = wait_or_kill(child);
    close(pipe);
    EXPECT_EQ(result.status, 130) << result.err;
    const int frames = std::stoi(ffprobe("out.mkv", "stream=nb_read_frames"));
    EXPECT_GE(frames, 20);
    EXPECT_LE(frames, 100);
    EXPECT_EQ(files().size(), 3u); // no temporary is left
}

// The second signal comes while the encoder empties its look-ahead, which takes many seconds.
TEST_F(Interrupted, TheSecondSignalLeavesNoUnfinishedFile) {
    ffmpeg({"-f", "lavfi", "-i", "testsrc2=s=1280x720:r=25:d=12,noise=alls=40:allf=t", "-c:v", "mpeg2video",
            "-q:v", "2", "a.ts"});
    for (const int second : {SIGINT, SIGTERM}) {
        std::filesystem::remove(at(".out")); // of the run before
        Child child(words({"render", "a.ts", "--preset", "placebo", "--vopt", "rc-lookahead=250", "-o",
                           "out.mkv", "-o", "hash:"}),
                    folder_);
        for (int i = 0; i < 3000 && !has(read_file(at(".out")), "\n60 "); ++i)
            std::this_thread::sleep_for(milliseconds(20));
        EXPECT_EQ(files().size(), 3U) << "the unfinished file is there";
        kill(child.pid(), SIGINT);
        const std::string told =
            "interrupted: finishing what was written; another Ctrl-C stops at once and removes it\n";
        for (int i = 0; i < 500 && !has(child.err_so_far(), told); ++i)
            std::this_thread::sleep_for(milliseconds(20));
        kill(child.pid(), second);
        const Result result = wait_or_kill(child);
        EXPECT_TRUE(has(result.err, told)) << result.err;
        EXPECT_EQ(result.status, 128 + second);
        EXPECT_EQ(files().size(), 2U) << "neither out.mkv nor what was to become it";
        EXPECT_FALSE(exists("out.mkv"));
    }
}

TEST_F(Interrupted, APipeIsReadToItsEnd) {
    ffmpeg({"-f", "lavfi", "-i", "testsrc2=s=96x64:r=25:d=1", "-pix_fmt", "yuv420p", "a.y4m"});
    Child child(words({"render", "pipe", "-o", "hash:"}), folder_);
    Child writer({"cp", "a.y4m", "/dev/stdout"}, folder_, at("pipe"));
    const Result result = wait_or_kill(child);
    EXPECT_EQ(writer.wait().status, 0);
    const Result file = weft({"render", "a.y4m", "-o", "hash:"});
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(result.out, file.out);
}

TEST_F(Interrupted, AnMp4WithItsIndexAtTheEndIsNoPipe) {
    ffmpeg({"-f", "lavfi", "-i", "testsrc2=s=640x360:r=25:d=1,noise=alls=60:allf=t", "-f", "lavfi", "-i",
            "sine=d=1", "a.mp4"});
    Child child(words({"render", "pipe", "-o", "out.mkv"}), folder_);
    Child writer({"cp", "a.mp4", "/dev/stdout"}, folder_, at("pipe"));
    const Result result = wait_or_kill(child);
    writer.wait();
    EXPECT_EQ(result.status, 2);
    EXPECT_TRUE(has(result.err, "index is at its end")) << result.err;
}

TEST_F(Interrupted, APipeEndsTheRunAlthoughOthersLoop) {
    ffmpeg({"-f", "lavfi", "-i", "testsrc2=s=96x64:r=25:d=1", "-pix_fmt", "yuv420p", "a.y4m"});
    make_clip("b.mp4", "testsrc=s=96x64:r=25:d=0.2");
    write_file(at("p.yaml"), "weft: 1\ninputs:\n  a: {url: pipe}\n  b: {url: b.mp4, end: loop}\n"
                             "layers:\n  - {from: b}\n  - {from: a, opacity: 0.5}\n");
    Child child(words({"render", "p.yaml", "-o", "out.mkv"}), folder_);
    Child writer({"cp", "a.y4m", "/dev/stdout"}, folder_, at("pipe"));
    const Result result = wait_or_kill(child);
    writer.wait();
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(ffprobe("out.mkv", "stream=nb_read_frames"), "25\n");
}

} // namespace
} // namespace weft::test
