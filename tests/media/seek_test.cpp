// Frame-exact seeking, and decoders that share one input.
#include <atomic>
#include <thread>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "clips.hpp"
#include "media/audio_decoder.hpp"
#include "media/video_decoder.hpp"

namespace weft::test {
namespace {

using media::VideoDecoder;

int number_at(VideoDecoder& decoder, Rational time) {
    decoder.seek(time);
    const auto frame = decoder.next();
    return frame ? number_of(*frame) : -1;
}

TEST(Seek, OneKeyFrameAndAStartAtTenSeconds) {
    const TempFolder folder;
    const std::string file =
        make_clip(folder, "start10.ts", numbered_video(4) + " -g 1000 -output_ts_offset 10 -muxdelay 0");
    VideoDecoder decoder = open_video(file);
    decoder.seek(Rational(1));
    int expected = 25;
    while (const auto frame = decoder.next()) {
        ASSERT_EQ(number_of(*frame), expected);
        EXPECT_NEAR(frame->pts().value(), expected / 25.0, 1e-4);
        ++expected;
    }
    EXPECT_EQ(expected, 100);
}

TEST(Seek, HitsThePictureThatIsDue) {
    const TempFolder folder;
    VideoDecoder decoder = open_video(make_clip(folder, "a.mp4", numbered_video(4) + " -g 1000 -bf 2"));
    EXPECT_EQ(number_at(decoder, Rational(2)), 50);
    EXPECT_EQ(number_at(decoder, Rational(1)), 25) << "backwards";
    EXPECT_EQ(number_at(decoder, Rational(39, 1000)), 0) << "just before picture 1";
    EXPECT_EQ(number_at(decoder, Rational(1, 25)), 1);
    EXPECT_EQ(number_at(decoder, Rational(41, 1000)), 1);
    EXPECT_EQ(number_at(decoder, Rational(-3)), 0) << "before the first: the first";
    EXPECT_EQ(number_at(decoder, Rational(1000)), 99) << "beyond the end: the last";
    EXPECT_FALSE(decoder.next().has_value());
    EXPECT_EQ(number_at(decoder, Rational(0)), 0) << "after the end it works again";
    const auto following = decoder.next();
    ASSERT_TRUE(following);
    EXPECT_EQ(number_of(*following), 1) << "and goes on";
}

TEST(Seek, RoundedTimesCount) {
    const TempFolder folder;
    // Matroska stores 2/30 s as 67 ms.
    VideoDecoder decoder = open_video(make_clip(folder, "a.mkv", numbered_video(1, "30")));
    for (int n = 0; n < 30; ++n)
        EXPECT_EQ(number_at(decoder, Rational(n, 30)), n);
}

// Every picture after a seek equals the one of straight decoding.
void expect_exact(const std::string& file) {
    std::vector<std::pair<Rational, Bytes>> straight;
    {
        VideoDecoder decoder = open_video(file);
        while (const auto frame = decoder.next())
            straight.emplace_back(frame->pts(), packed(*frame));
    }
    ASSERT_GT(straight.size(), 20u) << file;
    VideoDecoder decoder = open_video(file);
    for (size_t step = 0; step < straight.size(); ++step) {
        const size_t n = step * 17 % straight.size();
        decoder.seek(straight[n].first);
        const auto frame = decoder.next();
        ASSERT_TRUE(frame) << file << ' ' << n;
        ASSERT_EQ(frame->pts(), straight[n].first) << file << ' ' << n;
        ASSERT_EQ(difference(straight[n].second, packed(*frame)), "") << file << ' ' << n;
        if (n + 1 < straight.size()) {
            const auto following = decoder.next();
            ASSERT_TRUE(following) << file << ' ' << n;
            ASSERT_EQ(difference(straight[n + 1].second, packed(*following)), "") << file << ' ' << n + 1;
        }
    }
}

TEST(Seek, IsExactInManyContainers) {
    const TempFolder folder;
    const std::string source = "-f lavfi -i testsrc2=s=96x64:r=25:d=1.2 ";
    const std::string h264 = source + "-c:v libx264 -preset veryfast -g 9 -bf 3 ";
    expect_exact(make_clip(folder, "closed.mp4", h264));
    expect_exact(make_clip(folder, "open.mp4", h264 + "-x264-params open-gop=1:b-pyramid=normal"));
    expect_exact(make_clip(folder, "open.mkv", h264 + "-x264-params open-gop=1"));
    expect_exact(make_clip(folder, "open.ts", h264 + "-x264-params open-gop=1"));
    expect_exact(make_clip(folder, "a.flv", h264));
    expect_exact(make_clip(folder, "a.avi", source + "-c:v mpeg4 -g 8 -bf 2"));
    expect_exact(make_clip(folder, "a.webm", source + "-c:v libvpx-vp9 -g 8 -cpu-used 8 -deadline realtime"));
    expect_exact(make_clip(folder, "a.mpg", source + "-c:v mpeg2video -g 8 -bf 2"));
    expect_exact(make_clip(folder, "raw.h264", h264)); // no index, no times
    expect_exact(make_clip(folder, "a.gif", source));
}

TEST(Seek, TwoDecodersOfOneInputAreIndependent) {
    const TempFolder folder;
    const auto input = std::make_shared<media::Input>(make_clip(folder, "a.mp4", numbered_video(2)));
    VideoDecoder first(input), second(input);
    EXPECT_EQ(number_at(second, Rational(1)), 25);
    for (int n = 0; n < 50; ++n) {
        const auto frame = first.next();
        ASSERT_TRUE(frame);
        ASSERT_EQ(number_of(*frame), n);
    }
    EXPECT_EQ(number_of(*second.next()), 26);
}

TEST(Seek, SoundStaysWhereItIsWhenThePictureMoves) {
    const TempFolder folder;
    const auto input = std::make_shared<media::Input>(make_clip(
        folder, "a.mkv",
        numbered_video(2, "25", "-f lavfi -i sine=f=440:r=48000:d=2") + " -map 0 -map 1 -c:a flac"));
    media::AudioDecoder sound(input);
    VideoDecoder video(input);
    const auto first = sound.next();
    ASSERT_TRUE(first);
    EXPECT_EQ(first->pts, Rational(0));
    EXPECT_EQ(number_at(video, Rational(1)), 25);
    Rational expected = Rational(static_cast<int64_t>(first->frames()), 48000);
    while (const auto block = sound.next()) {
        EXPECT_NEAR(block->pts.value(), expected.value(), 0.001);
        expected = expected + Rational(static_cast<int64_t>(block->frames()), 48000);
    }
    EXPECT_NEAR(expected.value(), 2, 0.001);
}

// One decoder far ahead of the other must neither stop the reader nor pile up packets.
TEST(Seek, SharedReaderServesBothWhenOneWaits) {
    const TempFolder folder;
    // All pictures first, then all sound, read through one reader: the decoders are made before the first
    // packet.
    const std::string file =
        make_clip(folder, "a.mkv",
                  "-f lavfi -i testsrc2=s=320x240:r=25:d=4 -f lavfi -i sine=r=48000:d=4 -map 0 -map 1 "
                  "-c:v rawvideo -pix_fmt yuv420p -c:a pcm_s16le");
    media::InputOptions options;
    options.queue_bytes = 400'000;
    options.hard_bytes = 1'000'000; // the pictures of one second are 2.9 MB
    const auto input = std::make_shared<media::Input>(file, options);
    media::AudioDecoder sound(input); // joins the reader; the video decoder then starts it
    VideoDecoder pictures(input);
    size_t samples = 0;
    while (const auto block = sound.next())
        samples += block->frames();
    EXPECT_EQ(samples, 4u * 48000);
    int count = 0;
    while (pictures.next())
        ++count;
    EXPECT_EQ(count, 100);
}

// A pipe is read once: the sound must be whole though its decoder comes after the first picture.
TEST(Pipe, PictureAndSoundOfWhatCannotBeOpenedTwice) {
    const TempFolder folder;
    const std::string file = make_clip(folder, "a.mkv",
                                       numbered_video(2, "25", "-f lavfi -i sine=f=440:r=48000:d=2") +
                                           " -map 0 -map 1 -c:a pcm_s16le");
    const std::string pipe = folder.file("pipe");
    run_command("mkfifo " + shell_quoted(pipe));
    std::thread feeder([&] { run_command("cat " + shell_quoted(file) + " > " + shell_quoted(pipe)); });
    {
        const auto input = std::make_shared<media::Input>(pipe);
        EXPECT_FALSE(input->info().seekable);
        VideoDecoder pictures(input);
        EXPECT_THROW(VideoDecoder second(input), Error);
        EXPECT_EQ(number_of(*pictures.next()), 0);
        media::AudioDecoder sound(input);
        size_t samples = 0;
        while (const auto block = sound.next()) {
            EXPECT_NEAR(block->pts.value(), static_cast<double>(samples) / 48000, 1e-9);
            samples += block->frames();
        }
        EXPECT_EQ(samples, 2u * 48000);
        int count = 1;
        while (const auto frame = pictures.next())
            EXPECT_EQ(number_of(*frame), count++);
        EXPECT_EQ(count, 50);
        EXPECT_THROW(pictures.seek(Rational(1)), Error);
    }
    feeder.join();
}

TEST(Pipe, StopEndsAWaitForPackets) {
    const TempFolder folder;
    const std::string file =
        make_clip(folder, "a.ts", "-f lavfi -i testsrc2=s=64x64:r=25:d=8 -c:v libx264 -g 10");
    const std::string pipe = folder.file("pipe");
    run_command("mkfifo " + shell_quoted(pipe));
    // The writer sends everything and then keeps the pipe open: the reader waits for more until it is
    // stopped.
    std::thread feeder([&] {
        run_command("(cat " + shell_quoted(file) + "; while [ ! -e " + shell_quoted(folder.file("stop")) +
                    " ]; do sleep 0.05; done) > " + shell_quoted(pipe));
    });
    const auto input = std::make_shared<media::Input>(pipe);
    int count = 0;
    {
        VideoDecoder pictures(input);
        std::atomic<bool> waiting{false};
        std::thread stopper([&] {
            while (!waiting)
                std::this_thread::yield();
            input->stop();
        });
        while (pictures.next())
            if (++count == 150) waiting = true;
        stopper.join();
    }
    EXPECT_GE(count, 150);
    folder.write("stop", "");
    feeder.join();
}

} // namespace
} // namespace weft::test
