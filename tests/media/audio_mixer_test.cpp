#include "media/audio_mixer.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "clips.hpp"
#include "sound.hpp"

namespace weft::test {
namespace {

using media::AudioMixer;
using media::MixUse;

// Pulls in pieces of odd sizes: the result must not depend on them.
Samples pull(AudioMixer& mixer, size_t frames) {
    Samples samples(frames * 2, 9.0f);
    size_t done = 0;
    for (size_t piece = 1; done < frames; piece = piece * 3 % 1999 + 1) {
        const size_t n = std::min(piece, frames - done);
        mixer.pull(samples.data() + done * 2, n);
        done += n;
    }
    return samples;
}

class Mixer : public testing::Test {
  protected:
    // A WAV at 48 kHz, left = f(n), right = -f(n).
    template<class F>
    std::string wav(const std::string& name, size_t frames, F f) {
        const std::string file = folder_.file(name);
        write_wav(file, stereo(frames, f), 2, 48000);
        return file;
    }
    static MixUse use(const std::string& url, Rational from = {}, Rational start = {}) {
        MixUse result;
        result.url = url;
        result.from = from;
        result.start = start;
        return result;
    }
    static float constant(size_t) { return 0.5f; }
    TempFolder folder_;
};

TEST_F(Mixer, OneInputComesThroughUnchanged) {
    AudioMixer mixer({use(wav("a.wav", 20000, sawtooth))});
    Samples expected = stereo(20000, sawtooth);
    expected.resize(2 * 25000, 0.0f);
    EXPECT_EQ(pull(mixer, 25000), expected);
    EXPECT_TRUE(mixer.ended());
    EXPECT_EQ(mixer.position(), 25000);
}

TEST_F(Mixer, ANewConnectionIsHeardFromItsPlace) {
    MixUse first = use(wav("a.wav", 4800, sawtooth));
    first.relay = std::make_shared<media::SoundRelay>();
    AudioMixer mixer({first});
    Samples expected = stereo(4800, sawtooth);
    expected.resize(2 * 9600, 0.0f);
    EXPECT_EQ(pull(mixer, 9600), expected);
    EXPECT_FALSE(mixer.ended()); // more may come
    // From sample 12000 of the canvas on its sample 4800 and what follows.
    first.relay->connect(
        {std::make_shared<media::Input>(wav("b.wav", 20000, sawtooth)), Rational(1, 4), Rational(1, 10)});
    expected.assign(2 * 2400, 0.0f);
    for (size_t n = 4800; n < 4800 + 2400; ++n)
        for (const float sign : {1.0f, -1.0f})
            expected.push_back(sign * sawtooth(n));
    EXPECT_EQ(pull(mixer, 4800), expected);
}

TEST_F(Mixer, ANewConnectionWithoutSoundIsSilent) {
    MixUse first = use(wav("a.wav", 4800, constant));
    first.relay = std::make_shared<media::SoundRelay>();
    AudioMixer mixer({first});
    const std::string file =
        make_clip(folder_, "mute.mkv", "-f lavfi -i color=black:s=32x32:d=0.2 -c:v ffv1");
    first.relay->connect({std::make_shared<media::Input>(file), Rational(0), Rational(0)});
    EXPECT_EQ(pull(mixer, 4800), Samples(2 * 4800, 0.0f));
    EXPECT_EQ(mixer.failed(), 0U);
}

TEST_F(Mixer, PlacesAreExactToTheSample) {
    // From canvas time 0.1 s (sample 4800) the input's sample 12000 on, for 0.05 s (2400 samples).
    MixUse late = use(wav("a.wav", 20000, sawtooth), Rational(1, 10), Rational(1, 4));
    late.length = Rational(1, 20);
    AudioMixer mixer({late});
    const Samples got = pull(mixer, 10000);
    for (size_t n = 0; n < 10000; ++n) {
        const float expected = n >= 4800 && n < 7200 ? sawtooth(n - 4800 + 12000) : 0.0f;
        ASSERT_EQ(got[2 * n], expected) << n;
        ASSERT_EQ(got[2 * n + 1], -expected) << n;
    }
}

TEST_F(Mixer, SumsWithGainAndWithoutNormalising) {
    MixUse a = use(wav("a.wav", 9000, sawtooth)), b = use(wav("b.wav", 9000, constant));
    a.gain = 0.5;
    b.gain = 0.25;
    AudioMixer mixer({a, b});
    const Samples got = pull(mixer, 9000);
    for (size_t n = 0; n < 9000; ++n)
        ASSERT_FLOAT_EQ(got[2 * n], 0.5f * sawtooth(n) + 0.125f) << n;
}

TEST_F(Mixer, FadesAreOfConstantPower) {
    MixUse out = use(wav("a.wav", 48000, constant)), in = use(wav("b.wav", 48000, constant), Rational(1, 2));
    out.length = Rational(3, 4);
    out.fade_out = Rational(1, 4);
    in.length = Rational(1, 2);
    in.fade_in = Rational(1, 4);
    AudioMixer first({out}), second({in});
    const Samples a = pull(first, 48000), b = pull(second, 48000);
    for (size_t n = 0; n < 48000; ++n) {
        // The fade lies between 0.5 s and 0.75 s: samples 24000 to 36000.
        const double progress = std::clamp((static_cast<double>(n) - 24000) / 12000, 0.0, 1.0);
        const double falling = n < 36000 ? 0.5 * std::cos(std::numbers::pi / 2 * progress) : 0;
        const double rising = n < 24000 ? 0 : 0.5 * std::sin(std::numbers::pi / 2 * progress);
        ASSERT_NEAR(a[2 * n], falling, 1e-6) << n;
        ASSERT_NEAR(b[2 * n], rising, 1e-6) << n;
    }
}

TEST_F(Mixer, TheLimiterActsOnlyAboveOne) {
    const auto loud = [](size_t n) { return n < 24000 ? 0.8f : 0.0f; };
    const auto steady = [](size_t) { return 0.8f; };
    AudioMixer mixer({use(wav("a.wav", 48000, loud)), use(wav("b.wav", 96000, steady))});
    const Samples got = pull(mixer, 96000);
    for (size_t n = 0; n < 24000; ++n)
        ASSERT_NEAR(got[2 * n], 1.0f, 1e-6) << n;
    for (size_t n = 0; n < 2 * 96000; ++n)
        ASSERT_LE(std::abs(got[n]), 1.0f) << n;
    for (size_t n = 24001; n < 90000; ++n)
        ASSERT_GE(got[2 * n], got[2 * n - 2]) << "it lets go steadily";
    EXPECT_EQ(got[2 * 72000], 0.8f) << "and then changes nothing";
}

TEST_F(Mixer, LoopsWithoutASeam) {
    const std::string file = wav("a.wav", 4800, sawtooth);
    MixUse whole = use(file);
    whole.loop = true;
    AudioMixer mixer({whole});
    const Samples got = pull(mixer, 20000);
    for (size_t n = 0; n < 20000; ++n)
        ASSERT_EQ(got[2 * n], sawtooth(n % 4800)) << n;
    EXPECT_FALSE(mixer.ended());

    // Rounds of the picture's length, longer and shorter than the sound.
    MixUse longer = whole, shorter = whole;
    longer.loop_length = Rational(6000, 48000);
    shorter.loop_length = Rational(3000, 48000);
    AudioMixer a({longer}), b({shorter});
    const Samples got_a = pull(a, 20000), got_b = pull(b, 20000);
    for (size_t n = 0; n < 20000; ++n) {
        ASSERT_EQ(got_a[2 * n], n % 6000 < 4800 ? sawtooth(n % 6000) : 0.0f) << n;
        ASSERT_EQ(got_b[2 * n], sawtooth(n % 3000)) << n;
    }
}

TEST_F(Mixer, SeekGoesAnywhere) {
    MixUse looped = use(wav("a.wav", 4800, sawtooth));
    looped.loop = true;
    MixUse plain = use(wav("b.wav", 48000, sawtooth), Rational(1, 10));
    plain.gain = 0.5;
    AudioMixer straight({looped, plain}), jumping({looped, plain});
    const Samples all = pull(straight, 60000);
    for (const int64_t at : {int64_t{30000}, int64_t{100}, int64_t{55000}, int64_t{4799}, int64_t{0}}) {
        jumping.seek(Rational(at, 48000));
        EXPECT_EQ(jumping.position(), at);
        const Samples part = pull(jumping, 3000);
        for (size_t n = 0; n < 3000; ++n)
            ASSERT_EQ(part[2 * n], all[2 * (n + static_cast<size_t>(at))]) << at << ' ' << n;
    }
}

TEST_F(Mixer, AGapInTheFileIsSilence) {
    // Sound that begins 0.5 s after the picture.
    const std::string file =
        make_clip(folder_, "late.mov",
                  numbered_video(1, "25", "-i " + shell_quoted(wav("a.wav", 24000, constant))) +
                      " -map 0 -map 1 -af asetpts=PTS+0.5/TB -c:a pcm_f32le");
    AudioMixer mixer({use(file)});
    const Samples got = pull(mixer, 48000);
    EXPECT_EQ(got[2 * 23900], 0.0f);
    EXPECT_EQ(got[2 * 24100], 0.5f);
    EXPECT_EQ(got[2 * 47900], 0.5f);
}

TEST_F(Mixer, AFileWithoutSoundIsSilent) {
    AudioMixer mixer({use(make_clip(folder_, "v.mkv", "-f lavfi -i testsrc2=s=32x32:d=0.2 -c:v ffv1")),
                      use(wav("a.wav", 1000, constant))});
    const Samples got = pull(mixer, 1000);
    EXPECT_EQ(got, stereo(1000, constant));
    EXPECT_EQ(mixer.failed(), 0u);
}

TEST_F(Mixer, GainMayChangeOnTheWay) {
    AudioMixer mixer({use(wav("a.wav", 3000, constant))});
    const Samples before = pull(mixer, 1000);
    mixer.set_gain(0, 0.5);
    const Samples after = pull(mixer, 1000);
    EXPECT_EQ(before[0], 0.5f);
    EXPECT_EQ(after[0], 0.25f);
}

} // namespace
} // namespace weft::test
