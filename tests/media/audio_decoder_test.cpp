#include "media/audio_decoder.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "clips.hpp"
#include "sound.hpp"

namespace weft::test {
namespace {

using media::AudioDecoder;
using media::AudioOptions;

AudioDecoder open_sound(const std::string& file, const AudioOptions& options = {}) {
    return AudioDecoder(std::make_shared<media::Input>(file), options);
}

Samples all_of(AudioDecoder& decoder) {
    Samples samples;
    while (const auto block = decoder.next())
        samples.insert(samples.end(), block->samples.begin(), block->samples.end());
    return samples;
}

// The ffmpeg program's samples as 48 kHz stereo floats.
Samples reference_sound(const std::string& file) {
    const TempFolder folder;
    const std::string raw = folder.file("raw");
    run_command("ffmpeg -v error -y -i " + shell_quoted(file) + " -map 0:a:0 -ar 48000 -ac 2 -f f32le " +
                shell_quoted(raw));
    const Bytes bytes = read_bytes(raw);
    Samples samples(bytes.size() / 4);
    std::memcpy(samples.data(), bytes.data(), samples.size() * 4);
    return samples;
}

TEST(AudioDecoder, SamplesOfTheRightRateComeThroughUnchanged) {
    const TempFolder folder;
    const std::string file = folder.file("a.wav");
    const Samples samples = stereo(30000, sawtooth);
    write_wav(file, samples, 2, 48000);
    AudioDecoder decoder = open_sound(file);
    EXPECT_EQ(all_of(decoder), samples);
    EXPECT_FALSE(decoder.next());
}

TEST(AudioDecoder, ResamplesWithoutShift) {
    const TempFolder folder;
    const std::string file = folder.file("a.wav");
    const auto wave = [](double seconds) { return 0.5 * std::sin(2 * std::numbers::pi * 440 * seconds); };
    Samples mono;
    for (int n = 0; n < 44100; ++n)
        mono.push_back(static_cast<float>(wave(n / 44100.0)));
    write_wav(file, mono, 1, 44100);
    AudioDecoder decoder = open_sound(file);
    const Samples samples = all_of(decoder);
    EXPECT_NEAR(static_cast<double>(samples.size() / 2), 48000, 32);
    // Away from the ends, where the filter meets silence. A shift of one sample would be 0.029 off.
    for (size_t n = 1000; n < 47000; ++n) {
        // A centre channel is heard on both sides with half its power each.
        ASSERT_NEAR(samples[2 * n], std::sqrt(0.5) * wave(static_cast<double>(n) / 48000), 1e-3) << n;
        ASSERT_EQ(samples[2 * n], samples[2 * n + 1]);
    }
}

TEST(AudioDecoder, AgreesWithFfmpegOnCodedSound) {
    const TempFolder folder;
    const std::string source = "-f lavfi -i \"sine=f=440:r=44100:d=1,aformat=channel_layouts=stereo\" ";
    for (const std::string codec : {"aac", "flac", "libmp3lame", "ac3", "libvorbis"}) {
        const std::string file = make_clip(folder, "a.mkv", source + "-c:a " + codec);
        AudioDecoder decoder = open_sound(file);
        const Samples got = all_of(decoder), expected = reference_sound(file);
        const size_t count = std::min(got.size(), expected.size());
        EXPECT_NEAR(static_cast<double>(got.size()), static_cast<double>(expected.size()), 200) << codec;
        double worst = 0;
        for (size_t i = 4000; i + 4000 < count; ++i)
            worst = std::max(worst, static_cast<double>(std::abs(got[i] - expected[i])));
        EXPECT_LT(worst, 1e-4) << codec;
    }
}

TEST(AudioDecoder, FivePointOneIsMixedDown) {
    const TempFolder folder;
    const std::string file =
        make_clip(folder, "a.mkv", "-f lavfi -i \"sine=f=440:r=48000:d=0.5,pan=5.1|FC=c0\" -c:a flac");
    AudioDecoder decoder = open_sound(file);
    const Samples got = all_of(decoder), expected = reference_sound(file);
    ASSERT_EQ(got.size(), expected.size());
    for (size_t i = 0; i < got.size(); ++i)
        ASSERT_NEAR(got[i], expected[i], 1e-4) << i;
}

TEST(AudioDecoder, SeekIsExactToTheSample) {
    const TempFolder folder;
    const std::string wav = folder.file("a.wav");
    write_wav(wav, stereo(96000, sawtooth), 2, 48000);
    const std::string flac =
        make_clip(folder, "a.mkv", "-i " + shell_quoted(wav) + " -c:a flac -sample_fmt s16");
    for (const std::string& file : {wav, flac}) {
        AudioDecoder decoder = open_sound(file);
        for (const int64_t target :
             {int64_t{12345}, int64_t{1}, int64_t{80000}, int64_t{0}, int64_t{47999}}) {
            decoder.seek(Rational(target, 48000));
            const auto block = decoder.next();
            ASSERT_TRUE(block) << file;
            EXPECT_NEAR(block->pts.value(), static_cast<double>(target) / 48000, 1e-3);
            // Matroska rounds times to a millisecond, 48 samples.
            const double slack = file == wav ? 0 : 25 / 32768.0;
            EXPECT_NEAR(block->samples[0], sawtooth(static_cast<size_t>(target)), slack)
                << file << ' ' << target;
        }
        decoder.seek(Rational(1000));
        EXPECT_FALSE(decoder.next()) << "beyond the end";
    }
}

TEST(AudioDecoder, TimesCountFromThePicturesZero) {
    const TempFolder folder;
    const std::string file = make_clip(folder, "a.mkv",
                                       numbered_video(1, "25", "-f lavfi -i sine=r=48000:d=1") +
                                           " -map 0 -map 1 -af asetpts=PTS+0.5/TB -c:a pcm_s16le");
    AudioDecoder decoder = open_sound(file);
    const auto block = decoder.next();
    ASSERT_TRUE(block);
    EXPECT_NEAR(block->pts.value(), 0.5, 0.002);
}

TEST(AudioDecoder, AFileWithoutSoundSaysSo) {
    const TempFolder folder;
    const std::string file = make_clip(folder, "v.mkv", "-f lavfi -i testsrc2=s=32x32:d=0.2 -c:v ffv1");
    try {
        (void)open_sound(file);
        FAIL() << "there is no sound in it";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::not_found);
    }
}

} // namespace
} // namespace weft::test
