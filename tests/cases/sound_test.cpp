// Sound: loudness, choice of the stream, fades, and how it stays with the picture.
#include <cstring>
#include <numbers>

#include "cases/cases.hpp"

using namespace weft::test;

namespace {

constexpr int rate = 48000;

class Sound : public Cases {
  protected:
    // Left and right of a file, as floats.
    std::vector<float> samples(const std::string& file, Words before = {}) {
        before.insert(before.end(),
                      {"-i", file, "-map", "0:a:0", "-ac", "2", "-ar", "48000", "-f", "f32le", "sound.raw"});
        ffmpeg(before);
        const std::string bytes = read_file(at("sound.raw"));
        std::vector<float> out(bytes.size() / sizeof(float));
        std::memcpy(out.data(), bytes.data(), out.size() * sizeof(float));
        return out;
    }
    // Root of the mean square of the left channel over [from, from + length) seconds.
    static double level(const std::vector<float>& stereo, double from, double length) {
        double sum = 0;
        const auto first = static_cast<size_t>(from * rate), count = static_cast<size_t>(length * rate);
        for (size_t i = first; i < first + count; ++i)
            sum += static_cast<double>(stereo.at(2 * i)) * stereo.at(2 * i);
        return std::sqrt(sum / static_cast<double>(count));
    }
    // A tone of this peak on both sides under a picture; lossless.
    void tone(const std::string& name, const std::string& hertz, const std::string& peak,
              const std::string& seconds) {
        ffmpeg({"-f", "lavfi", "-i", "color=black:s=64x64:r=25:d=" + seconds, "-f", "lavfi", "-i",
                "aevalsrc=" + peak + "*sin(2*PI*" + hertz + "*t)|" + peak + "*sin(2*PI*" + hertz +
                    "*t):s=48000:d=" + seconds,
                "-c:v", "ffv1", "-c:a", "pcm_f32le", name});
    }
    std::vector<float> mixed(const std::string& text) {
        const Result result = weft(
            {"render", pipeline(text), "--acodec", "pcm_f32le", "--vcodec", "ffv1", "-y", "-o", "out.mkv"});
        EXPECT_EQ(result.status, 0) << result.err;
        return samples("out.mkv");
    }
};

} // namespace

// Nothing is normalised: one input comes through as it is, two are added.
TEST_F(Sound, LevelsAreTheOnesAskedFor) {
    tone("a.mkv", "440", "0.4", "1");
    tone("b.mkv", "440", "0.4", "1");
    const double one = 0.4 / std::numbers::sqrt2;
    const auto both = [&](const std::string& a, const std::string& b) {
        return mixed("inputs: {a: {url: a.mkv" + a + "}, b: {url: b.mkv" + b + "}}\n");
    };
    EXPECT_NEAR(level(mixed("inputs: {a: {url: a.mkv}}\n"), 0.2, 0.6), one, 1e-4);
    EXPECT_NEAR(level(both("", ", mute: true"), 0.2, 0.6), one, 1e-4);
    EXPECT_NEAR(level(both("", ""), 0.2, 0.6), 2 * one, 1e-4); // the same tone twice: peak 0.8
    EXPECT_NEAR(level(both(", volume: -6dB", ", mute: true"), 0.2, 0.6), one * std::pow(10, -6.0 / 20), 1e-4);
    EXPECT_NEAR(level(both(", volume: 0.5", ", mute: true"), 0.2, 0.6), one / 2, 1e-4);
}

// The rule where a sum would clip: a limiter holds the peak at 1, without distorting what is below.
TEST_F(Sound, ASumThatWouldClipIsHeldAtFullScale) {
    tone("a.mkv", "440", "0.9", "1");
    const std::vector<float> out = mixed("inputs: {a: {url: a.mkv}, b: {url: a.mkv, offset: 200ms}}\n");
    float peak = 0;
    for (const float sample : out)
        peak = std::max(peak, std::abs(sample));
    EXPECT_LE(peak, 1);
    EXPECT_GT(peak, 0.99f);
    EXPECT_NEAR(level(out, 0.05, 0.1), 0.9 / std::numbers::sqrt2, 1e-3); // alone: untouched
}

// Constant power: in the middle of a fade both are at -3 dB, so that two sounds of equal loudness stay so.
TEST_F(Sound, ACrossfadeKeepsThePower) {
    tone("a.mkv", "440", "0.4", "2");
    tone("b.mkv", "1000", "0.4", "2");
    const std::vector<float> out =
        mixed("inputs: {a: {url: a.mkv}, b: {url: b.mkv}}\n"
              "tracks: {t: [{play: a}, {transition: fade, duration: 1s}, {play: b}]}\nlayers: [{from: t}]\n");
    const double one = 0.4 / std::numbers::sqrt2;
    for (const double at : {0.5, 1.1, 1.45, 1.8, 2.5})
        EXPECT_NEAR(level(out, at, 0.1), one, 0.01) << at;
}

TEST_F(Sound, StreamsAreChosenByLanguageOrNumber) {
    ffmpeg({"-f",
            "lavfi",
            "-i",
            "color=red:s=64x64:r=25:d=0.4",
            "-f",
            "lavfi",
            "-i",
            "color=blue:s=64x64:r=25:d=0.4",
            "-f",
            "lavfi",
            "-i",
            "aevalsrc=0.1|0.1:s=48000:d=0.4",
            "-f",
            "lavfi",
            "-i",
            "aevalsrc=0.3|0.3:s=48000:d=0.4",
            "-map",
            "0",
            "-map",
            "1",
            "-map",
            "2",
            "-map",
            "3",
            "-c:v",
            "ffv1",
            "-c:a",
            "pcm_f32le",
            "-metadata:s:v:1",
            "language=fra",
            "-metadata:s:a:0",
            "language=eng",
            "-metadata:s:a:1",
            "language=deu",
            "a.mkv"});
    const auto value = [&](const std::string& choice) {
        return mixed("inputs: {a: {url: a.mkv" + choice + "}}\n").at(2000);
    };
    EXPECT_NEAR(value(""), 0.1, 1e-5);
    EXPECT_NEAR(value(", audio_stream: deu"), 0.3, 1e-5);
    EXPECT_NEAR(value(", audio_stream: 3"), 0.3, 1e-5);
    const Shown blue = shown({pipeline("inputs: {a: {url: a.mkv, video_stream: fra}}\n")}, 64, 64);
    EXPECT_RGB(blue.centre(), ({0, 0, 255}), 3);
    const Result wrong =
        weft({"render", pipeline("inputs: {a: {url: a.mkv, audio_stream: ita}}\n"), "-o", "null:"});
    EXPECT_EQ(wrong.status, 2);
    EXPECT_TRUE(has(wrong.err, "no audio stream 'ita'") && has(wrong.err, "deu")) << wrong.err;
}

// NTSC pictures and 44.1 kHz: a flash and a beep at 599 s come out within one picture of each other, after
// ten minutes of playing and after a seek alike; and a silent input beside them changes nothing.
TEST_F(Sound, PictureAndSoundStayTogetherForTenMinutes) {
    ffmpeg({"-f", "lavfi", "-i",
            "color=black:s=16x16:r=30000/1001:d=600,drawbox=color=white:t=fill:enable='between(t,599,599.5)'",
            "-f", "lavfi", "-i", "aevalsrc='if(between(t,599,599.5),0.5*sin(6283*t),0)':s=44100:d=600",
            "-c:v", "mpeg4", "-c:a", "flac", "av.mkv"});
    // How much later the flash is than the beep, with what lies `start` behind the file's begin taken off.
    const auto apart = [&](const std::string& file, double start) {
        const std::string cut = std::to_string(598 - start);
        ffmpeg({"-ss", cut, "-copyts", "-i", file, "-vf",
                "blackframe=amount=0:threshold=128,metadata=print:key=lavfi.blackframe.pblack:file=flash.txt",
                "-f", "null", "-"});
        const std::string told = read_file(at("flash.txt"));
        const size_t white = told.find("pblack=0\n");
        EXPECT_NE(white, std::string::npos);
        const double flash = std::stod(told.substr(told.rfind("pts_time:", white) + 9));
        const std::vector<float> sound = samples(file, {"-ss", cut});
        size_t sample = 0;
        while (sample < sound.size() / 2 && std::abs(sound[2 * sample]) < 0.1f)
            ++sample;
        return flash - (598 - start) - static_cast<double>(sample) / rate;
    };
    const auto rendered = [&](const Words& more, double start) {
        Words words{"render", "av.mkv", "--vcodec", "mpeg4", "--acodec", "flac", "-y", "-o", "out.mkv"};
        words.insert(words.end(), more.begin(), more.end());
        const Result result = weft(words);
        EXPECT_EQ(result.status, 0) << result.err;
        return apart("out.mkv", start);
    };
    const double in_the_file = apart("av.mkv", 0); // the first picture of the flash is up to one late itself
    EXPECT_NEAR(rendered({}, 0), in_the_file, 0.5 * 1001 / 30000);
    EXPECT_NEAR(rendered({"--start", "590s"}, 590), in_the_file, 0.5 * 1001 / 30000);
}

// A song with a cover: that is what there is to see, for as long as the song lasts.
TEST_F(Sound, ACoverIsShownForAsLongAsItSounds) {
    ffmpeg_clip("cover.png", "color=red:s=60x40:r=1", {"-frames:v", "1"});
    for (const std::string name : {"song.mp3", "song.m4a", "song.flac"}) {
        ffmpeg({"-f", "lavfi", "-i", "sine=440:d=1.2:r=48000", "-i", "cover.png", "-map", "0", "-map", "1",
                "-c:v", "mjpeg", "-disposition:v", "attached_pic", name});
        const Result result = weft({"render", name, "-y", "-o", "out.mp4"});
        EXPECT_EQ(result.status, 0) << result.err;
        EXPECT_EQ(ffprobe("out.mp4", "stream=width,height"), "60\n40\n");
        const int frames = std::stoi(ffprobe("out.mp4", "stream=nb_read_frames"));
        EXPECT_GE(frames, 30) << name; // encoders add a little
        EXPECT_LE(frames, 32) << name;
        EXPECT_RGB(decoded("out.mp4", 60, 40).centre(29), ({254, 0, 0}), 6);
        EXPECT_GT(level(samples("out.mp4"), 0.2, 0.8), 0.05);
        const Shown sized = shown({name, "--size", "80x40"}, 80, 40);
        EXPECT_RGB(sized.centre(), ({254, 0, 0}), 6);
        EXPECT_RGB(sized.at(0, 2, 20), ({0, 0, 0}), 1); // contained
    }
    // One song after another, with their covers.
    const Shown both = shown({"song.flac", "song.flac", "--transition", "fade:0.2s"}, 60, 40);
    EXPECT_EQ(both.frames(), 55);
    // Beside pictures it is sound.
    ffmpeg_clip("film.mp4", "color=blue:s=64x64:r=25:d=1", {"-c:v", "libx264"});
    EXPECT_RGB(shown({"film.mp4", "song.flac", "--duration", "0.2"}, 64, 64).at(0, 4, 4), ({0, 0, 254}), 4);
    // Over and over.
    pipeline("duration: 3s\ninputs: {a: {url: song.flac, end: loop}}\n");
    ASSERT_EQ(weft({"render", "pipeline.yaml", "-y", "-o", "out.mkv"}).status, 0);
    EXPECT_EQ(ffprobe("out.mkv", "stream=nb_read_frames"), "75\n");
    EXPECT_GT(level(samples("out.mkv"), 2.5, 0.4), 0.05);
}
