#include "media/input.hpp"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "clips.hpp"
#include "media/rate_private.hpp"

namespace weft::test {
namespace {

using media::Input;
using media::InputInfo;
using media::StreamKind;

// The complaint about a file that cannot be opened.
Error complaint(const std::string& file) {
    try {
        const Input input(file);
    } catch (const Error& error) {
        return error;
    }
    return Error(ErrorKind::internal, "no complaint");
}

// The sound's encoder delay is then a time below 0; the picture lasts from 0 to its end all the same.
TEST(Input, MatroskaCountsFromZeroWhereADelayLiesBelow) {
    const TempFolder folder;
    const InputInfo info = media::probe(
        make_clip(folder, "a.mkv",
                  "-f lavfi -i testsrc2=s=32x32:r=25:d=2 -f lavfi -i sine=r=48000:d=1.9 -c:v ffv1 -c:a aac "
                  "-avoid_negative_ts disabled"));
    EXPECT_LT(info.start, Rational(0));
    EXPECT_EQ(info.streams.at(0).duration, Rational(2));
}

TEST(Input, DescribesVideoAndSound) {
    const TempFolder folder;
    const std::string file =
        make_clip(folder, "a.mp4",
                  "-f lavfi -i testsrc2=s=320x180:r=30000/1001:d=1 -f lavfi -i sine=r=44100:d=1 -c:v libx264 "
                  "-pix_fmt yuv422p10le "
                  "-vf setparams=range=tv:colorspace=bt709:color_primaries=bt709:color_trc=bt709 "
                  "-color_range tv -colorspace bt709 -color_primaries bt709 -color_trc bt709 -c:a aac -ac 1 "
                  "-metadata:s:a:0 language=deu");
    const InputInfo info = media::probe(file);
    EXPECT_EQ(info.container, "mov,mp4,m4a,3gp,3g2,mj2");
    EXPECT_TRUE(info.seekable);
    EXPECT_EQ(static_cast<uintmax_t>(info.bytes), std::filesystem::file_size(file));
    ASSERT_EQ(info.streams.size(), 2u);
    const media::StreamInfo& video = info.streams[0];
    EXPECT_EQ(video.kind, StreamKind::video);
    EXPECT_EQ(video.codec, "h264");
    EXPECT_EQ(video.profile, "High 4:2:2");
    EXPECT_EQ(video.format.width, 320);
    EXPECT_EQ(video.format.height, 180);
    EXPECT_EQ(video.format.pixels.name, "yuv422p10le");
    EXPECT_EQ(video.format.rate, Rational(30000, 1001));
    EXPECT_EQ(video.tagged.matrix, colour::Matrix::bt709);
    EXPECT_EQ(video.tagged.range, colour::Range::limited);
    EXPECT_EQ(video.tagged.transfer, colour::Transfer::bt709);
    EXPECT_EQ(video.tagged.primaries, colour::Primaries::bt709);
    EXPECT_FALSE(video.still);
    EXPECT_EQ(video.frames, 30);
    const media::StreamInfo& sound = info.streams[1];
    EXPECT_EQ(sound.kind, StreamKind::audio);
    EXPECT_EQ(sound.codec, "aac");
    EXPECT_EQ(sound.sample_rate, 44100);
    EXPECT_EQ(sound.channels, 1);
    EXPECT_EQ(sound.channel_layout, "mono");
    EXPECT_EQ(sound.language, "deu");
}

TEST(Input, ChoosesStreamsByNumberAndLanguage) {
    const TempFolder folder;
    const std::string file =
        make_clip(folder, "two.mkv",
                  "-f lavfi -i testsrc2=s=64x64:r=25:d=0.2 -f lavfi -i sine=d=0.2 -f lavfi -i "
                  "sine=f=880:d=0.2 -map 0 -map 1 -map 2 "
                  "-c:v ffv1 -c:a flac -metadata:s:a:0 language=eng -metadata:s:a:1 language=deu");
    const Input input(file);
    EXPECT_EQ(input.choose(StreamKind::video), 0);
    EXPECT_EQ(input.choose(StreamKind::audio), 1);
    EXPECT_EQ(input.choose(StreamKind::audio, "DEU"), 2);
    EXPECT_EQ(input.choose(StreamKind::audio, "2"), 2);
    try {
        (void)input.choose(StreamKind::audio, "fra");
        FAIL() << "a language that is not there was chosen";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::not_found);
        EXPECT_NE(error.message().find("two.mkv"), std::string::npos) << error.message();
        EXPECT_NE(error.message().find("deu"), std::string::npos) << error.message();
    }
    EXPECT_THROW((void)input.choose(StreamKind::audio, "0"), Error) << "stream 0 is video";
}

TEST(Input, SaysWhatIsWrongWithAFile) {
    const TempFolder folder;
    const Error missing = complaint(folder.file("missing.mp4"));
    EXPECT_EQ(missing.kind(), ErrorKind::not_found);
    EXPECT_NE(missing.message().find("missing.mp4"), std::string::npos);

    const Error empty = complaint(folder.write("zero.webm", ""));
    EXPECT_EQ(empty.kind(), ErrorKind::bad_input);
    EXPECT_NE(empty.message().find("empty"), std::string::npos) << empty.message();

    const Error text = complaint(folder.write("notes.mp4", "this is no film\n"));
    EXPECT_EQ(text.kind(), ErrorKind::bad_input);
    EXPECT_NE(text.message().find("notes.mp4"), std::string::npos) << text.message();

    EXPECT_EQ(complaint(folder.path().string()).kind(), ErrorKind::bad_input);

    // An MP4 whose index comes last and is cut off.
    const std::string whole = make_clip(folder, "whole.mp4", "-f lavfi -i testsrc2=s=64x64:d=1 -c:v libx264");
    const std::string cut = folder.file("cut.mp4");
    std::filesystem::copy_file(whole, cut);
    std::filesystem::resize_file(cut, std::filesystem::file_size(cut) / 2);
    const Error no_index = complaint(cut);
    EXPECT_EQ(no_index.kind(), ErrorKind::bad_input);
    EXPECT_NE(no_index.message().find("moov"), std::string::npos) << no_index.message();
}

TEST(Input, ReadsAFileUnderAnyName) {
    const TempFolder folder;
    const std::string plain =
        make_clip(folder, "plain.mp4", "-f lavfi -i testsrc2=s=64x48:r=25:d=0.2 -c:v libx264");
    const std::vector<Bytes> expected = reference_pictures(plain, "yuv420p", 64 * 48 * 3 / 2);
    ASSERT_EQ(expected.size(), 5u);
    const auto here = std::filesystem::current_path();
    std::filesystem::current_path(folder.path());
    for (const std::string name : {"-dash.mp4", "a b.mp4", "c,d;e[f]=g.mp4", "h'i.mp4", "j:k.mp4", "l%d.mp4",
                                   "m\\n.mp4", "фильм.mp4", "http:x.mp4"}) {
        std::filesystem::copy_file(plain, name);
        media::VideoDecoder decoder = open_video(name);
        size_t count = 0;
        while (const auto frame = decoder.next()) {
            ASSERT_LT(count, expected.size()) << name;
            EXPECT_EQ(difference(expected[count++], packed(*frame)), "") << name;
        }
        EXPECT_EQ(count, expected.size()) << name;
    }
    std::filesystem::current_path(here);
}

TEST(Input, APictureWithAPercentSignIsNoSeries) {
    const TempFolder folder;
    const std::string plain = make_clip(folder, "plain.png", "-f lavfi -i testsrc2=s=20x11 -frames:v 1");
    const std::string odd = folder.file("l%d.png");
    std::filesystem::copy_file(plain, odd);
    const InputInfo info = media::probe(odd);
    ASSERT_EQ(info.streams.size(), 1u);
    EXPECT_TRUE(info.streams[0].still);
    EXPECT_EQ(info.streams[0].format.width, 20);
    EXPECT_EQ(info.streams[0].format.rate, Rational(0));
    EXPECT_FALSE(info.streams[0].duration.has_value());
}

TEST(Input, SoundAloneAndVideoAlone) {
    const TempFolder folder;
    const Input sound(make_clip(folder, "a.m4a", "-f lavfi -i sine=d=0.3 -c:a aac"));
    EXPECT_FALSE(sound.choose(StreamKind::video).has_value());
    EXPECT_EQ(sound.choose(StreamKind::audio), 0);
    const Input video(make_clip(folder, "v.mkv", "-f lavfi -i testsrc2=s=32x32:d=0.2 -c:v ffv1"));
    EXPECT_FALSE(video.choose(StreamKind::audio).has_value());
}

TEST(Input, ACoverPictureIsNotAFilm) {
    const TempFolder folder;
    const std::string cover = make_clip(folder, "c.png", "-f lavfi -i testsrc2=s=40x40 -frames:v 1");
    const std::string file =
        make_clip(folder, "song.mp3",
                  "-f lavfi -i sine=d=0.5 -i " + shell_quoted(cover) +
                      " -map 0 -map 1 -c:a libmp3lame -c:v copy -disposition:v attached_pic");
    const Input input(file);
    EXPECT_FALSE(input.choose(StreamKind::video).has_value());
    EXPECT_EQ(input.choose(StreamKind::video, "1"), 1) << "but it can be asked for";
}

TEST(Input, ZeroIsTheFirstPictureUnlessAnEditListDelaysIt) {
    const TempFolder folder;
    // Picture and sound both start at 10 s of the container's clock.
    const InputInfo late =
        media::probe(make_clip(folder, "late.ts", numbered_video(1) + " -output_ts_offset 10 -muxdelay 0"));
    EXPECT_EQ(late.streams[0].zero, *late.streams[0].start);
    EXPECT_NEAR(late.streams[0].zero.value(), 10, 0.1);

    // The picture one second after the sound: the sound's start counts, so the first picture is at 1 s.
    const std::string delayed = make_clip(
        folder, "delayed.mp4",
        "-f lavfi -i testsrc2=s=64x64:r=25:d=1 -f lavfi -i sine=d=2 -map 0 -map 1 -vf setpts=PTS+1/TB "
        "-fps_mode passthrough -c:v libx264 -bf 0 -c:a aac");
    media::VideoDecoder decoder = open_video(delayed);
    const auto first = decoder.next();
    ASSERT_TRUE(first.has_value());
    EXPECT_NEAR(first->pts().value(), 1, 0.03);
}

TEST(Input, ADurationThatCannotBeIsMeasured) {
    const TempFolder folder;
    // A raw stream has none; FFmpeg guesses from a bit rate it does not know.
    const InputInfo info =
        media::probe(make_clip(folder, "raw.h264", "-f lavfi -i testsrc2=s=64x64:r=25:d=2 -c:v libx264"));
    ASSERT_TRUE(info.streams[0].duration.has_value());
    EXPECT_NEAR(info.streams[0].duration->value(), 2, 0.05);
}

Rational rate(Rational base, Rational average, const std::vector<Rational>& times) {
    return media::picture_rate({base, average, times, Rational(1, 1000)});
}

TEST(Rate, FollowsTheRule) {
    const std::vector<Rational> none;
    EXPECT_EQ(rate(Rational(25), Rational(25), none), Rational(25));
    EXPECT_EQ(rate(Rational(30), Rational(2995, 100), none), Rational(30)) << "within 1 %";
    EXPECT_EQ(rate(Rational(2997, 100), Rational(2997, 100), none), Rational(30000, 1001));
    EXPECT_EQ(rate(Rational(0), Rational(0), none), Rational(25));

    // 600 units a second, steps mostly of 40: 15 a second.
    std::vector<Rational> slow;
    for (int i = 0; i < 20; ++i)
        slow.emplace_back(i * 40 + (i > 10 ? 30 : 0), 600);
    EXPECT_EQ(rate(Rational(600), Rational(24600, 1469), slow), Rational(15));

    // Milliseconds 0, 33, 67, 100, ... : 30, not 29.97 and not 30.3.
    std::vector<Rational> rounded;
    for (int i = 0; i < 31; ++i)
        rounded.emplace_back((i * 100 + 1) / 3, 1000);
    EXPECT_EQ(rate(Rational(60), Rational(1000), rounded), Rational(30));

    // Times that prove nothing: never above 60.
    std::vector<Rational> fast;
    for (int i = 0; i < 50; ++i)
        fast.emplace_back(i + (i > 25 ? 40 : 0), 1000);
    EXPECT_EQ(rate(Rational(90000), Rational(0), fast), Rational(60));
    // Nor is a duration of a millisecond that a file gives for every picture.
    EXPECT_EQ(rate(Rational(1000), Rational(1000), fast), Rational(60));
    EXPECT_EQ(rate(Rational(1000), Rational(1000), none), Rational(1000));
}

// Every picture in its place, as far as a container of milliseconds can say it.
TEST(Rate, ASteadyOneIsTakenWhateverItIs) {
    for (const int fps : {7, 72, 120, 240, 480, 1000}) {
        std::vector<Rational> times;
        for (int i = 0; i < 240; ++i)
            times.emplace_back((i * 1000 + fps / 2) / fps, 1000);
        EXPECT_EQ(rate(Rational(90000), Rational(0), times), Rational(fps));
        EXPECT_TRUE(media::is_steady({Rational(90000), Rational(0), times, Rational(1, 1000)}));
        // As read in the order of decoding: pictures between the last ones come behind them.
        times.erase(times.end() - 3);
        EXPECT_EQ(rate(Rational(90000), Rational(0), times), Rational(fps));
        // Some that are missing.
        times.erase(times.begin() + 100, times.begin() + 103);
        EXPECT_FALSE(media::is_steady({Rational(90000), Rational(0), times, Rational(1, 1000)}));
    }
}

TEST(Rate, AFileWithMissingPicturesKeepsItsNominalRate) {
    const TempFolder folder;
    // One picture in three is missing for the first two seconds: 30 a second nominal, 20 on average at first.
    const InputInfo info = media::probe(make_clip(folder, "vfr.mp4",
                                                  "-f lavfi -i color=c=black:s=64x64:r=30:d=4 -vf "
                                                  "\"select='if(lt(n,60),not(mod(n,3)),1)'\" -fps_mode vfr "
                                                  "-c:v libx264 -qp 0"));
    EXPECT_EQ(info.streams[0].format.rate, Rational(30));
}

} // namespace
} // namespace weft::test
