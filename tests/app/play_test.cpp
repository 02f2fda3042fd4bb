// weft play: a window on a virtual X server; and the refusal where there is none.
#include "app/cli.hpp"

using namespace weft::test;

TEST_F(Cli, PlayWithoutADisplayIsOneClearError) {
    make_clip("a.mp4", "testsrc2=s=96x64:r=25:d=0.4");
    std::vector<std::string> command{
        "env", "-u", "DISPLAY", "-u", "WAYLAND_DISPLAY", "-u", "SDL_VIDEODRIVER"};
    for (const std::string& word : words({"play", "a.mp4"}))
        command.push_back(word);
    const Result result = Child(command, folder_).wait();
    EXPECT_EQ(result.status, 2) << result.err;
    EXPECT_TRUE(has(result.err, "error: no display")) << result.err;
    EXPECT_TRUE(has(result.err, "weft render")) << result.err;
}

TEST_F(Cli, PlayShowsToTheEndAndRecords) {
    ffmpeg({"-f", "lavfi", "-i", "testsrc2=s=96x64:r=10:d=1", "-f", "lavfi", "-i", "sine=440:d=1", "-c:v",
            "libx264", "-c:a", "aac", "a.mp4"});
    std::vector<std::string> command{"env", "SDL_AUDIODRIVER=dummy", "LIBGL_ALWAYS_SOFTWARE=1", "xvfb-run",
                                     "-a"};
    for (const std::string& word : words({"play", "a.mp4", "--record", "out.mkv"}))
        command.push_back(word);
    const Result result = Child(command, folder_).wait();
    EXPECT_EQ(result.status, 0) << result.err;
    const int frames = std::stoi(ffprobe("out.mkv", "stream=nb_read_frames"));
    EXPECT_GT(frames, 0); // live, a slow machine may drop pictures
    EXPECT_LE(frames, 10);
}
