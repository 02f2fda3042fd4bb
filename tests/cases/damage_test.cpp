// Damaged files of every container, and damaged pipelines, manifests and tables: whatever is in them, the
// program says what is wrong and goes on or stops; it never crashes, hangs or fails by an exception of
// somebody else's. The damage is the same in every run.
#include <random>

#include "base/error.hpp"
#include "cases/cases.hpp"
#include "graph/filter_library.hpp"
#include "graph/pipeline_spec.hpp"
#include "graph/timeline.hpp"
#include "media/audio_decoder.hpp"
#include "media/video_decoder.hpp"
#include "support/temp_folder.hpp"

using namespace weft;
using namespace weft::test;

namespace {

constexpr int rounds = 12; // of each container and kind of text

// Flips up to twenty bits, cuts the end off, drops or repeats a piece.
std::string damaged(std::string bytes, std::mt19937& random) {
    const auto below = [&](size_t n) { return static_cast<size_t>(random()) % std::max<size_t>(n, 1); };
    for (size_t flips = below(21); flips > 0 && !bytes.empty(); --flips)
        bytes[below(bytes.size())] ^= static_cast<char>(1 << below(8));
    const size_t from = below(bytes.size()), length = below(bytes.size() / 8);
    switch (below(5)) {
    case 0:
        bytes.resize(from);
        break;
    case 1:
        bytes.erase(from, length);
        break;
    case 2:
        bytes.insert(from, bytes.substr(from, length));
        break;
    default:
        break;
    }
    return bytes;
}

// Decodes all there is, seeks into the middle and decodes again. Only our own Errors may come out.
void use_up(const std::string& file) {
    try {
        const auto input = std::make_shared<media::Input>(file);
        if (input->choose(media::StreamKind::video)) {
            media::VideoDecoder video(input);
            Rational last(-1);
            const auto run = [&] {
                for (int i = 0; i < 200; ++i) {
                    const auto frame = video.next();
                    if (!frame) return;
                    EXPECT_TRUE(frame->format()->valid());
                    EXPECT_GT(frame->pts(), last); // times rise, whatever the file says
                    last = frame->pts();
                }
            };
            run();
            video.seek(Rational(1, 5));
            last = Rational(-1000);
            run();
        }
        if (input->choose(media::StreamKind::audio)) {
            media::AudioDecoder audio(input);
            for (int i = 0; i < 200 && audio.next(); ++i) {
            }
        }
    } catch (const Error& error) {
        EXPECT_NE(error.kind(), ErrorKind::internal) << error.what();
    }
}

// The Errors of a reader of texts; anything else fails the test.
template<class Read>
void must_answer(Read&& read, const std::string& text) {
    try {
        read();
    } catch (const Errors& errors) {
        for (const Error& error : errors.all())
            EXPECT_NE(error.kind(), ErrorKind::internal) << error.what() << "\n" << text;
    } catch (const Error& error) {
        EXPECT_NE(error.kind(), ErrorKind::internal) << error.what() << "\n" << text;
    }
}

const char* const pipeline_text =
    "weft: 1\n"
    "canvas: {size: 1920x1080, rate: 30000/1001, background: \"#101010\", light: linear}\n"
    "inputs:\n"
    "  left: {url: left.mp4, start: 2.5s, offset: 40ms, end: loop, volume: -6dB, late: hide}\n"
    "  right: {url: 'tcp://host:1', reconnect: 2s, required: false, filters: [{crop: {w: iw/2}}]}\n"
    "tracks:\n"
    "  show:\n"
    "    - {play: left, for: 5s, filters: [{eq: {saturation: 1.2}}]}\n"
    "    - {transition: wipeleft, duration: 1s, softness: 0.1, ease: cubic}\n"
    "    - {play: right}\n"
    "layers:\n"
    "  - {from: show, fit: cover}\n"
    "  - {from: right, rect: [10%, 60, 576, 324], opacity: 0.5, at: 1:02.5}\n"
    "outputs:\n"
    "  - {file: out.mp4, video: {codec: libx264, crf: 18}}\n";

class Damaged : public Cases {};

} // namespace

TEST_F(Damaged, FilesOfEveryContainer) {
    const std::string source = "testsrc2=s=96x64:r=25:d=0.6", sound = "sine=440:d=0.6";
    struct Kind {
        std::string name;
        Words codecs;
    };
    const std::vector<Kind> kinds{{"a.mp4", {"-c:v", "libx264", "-c:a", "aac"}},
                                  {"a.mkv", {"-c:v", "libx264", "-c:a", "flac"}},
                                  {"a.webm", {"-c:v", "libvpx-vp9", "-cpu-used", "8", "-c:a", "libopus"}},
                                  {"a.ts", {"-c:v", "mpeg2video", "-c:a", "mp2"}},
                                  {"a.avi", {"-c:v", "mpeg4", "-c:a", "mp2"}},
                                  {"a.mov", {"-c:v", "mjpeg", "-c:a", "pcm_s16le"}},
                                  {"a.flv", {"-c:v", "flv1", "-c:a", "aac"}},
                                  {"a.nut", {"-c:v", "ffv1", "-c:a", "pcm_s16le"}},
                                  {"a.y4m", {"-an", "-pix_fmt", "yuv420p"}},
                                  {"a.gif", {"-an"}}};
    std::mt19937 random(1);
    for (const Kind& kind : kinds) {
        Words words{"-f", "lavfi", "-i", source, "-f", "lavfi", "-i", sound};
        words.insert(words.end(), kind.codecs.begin(), kind.codecs.end());
        words.push_back(kind.name);
        ffmpeg(words);
        const std::string whole = read_file(at(kind.name));
        for (int round = 0; round < rounds; ++round) {
            SCOPED_TRACE(kind.name + " in round " + std::to_string(round));
            const std::string file = at("damaged" + kind.name.substr(1)).string();
            write_file(file, damaged(whole, random));
            use_up(file);
        }
    }
}

TEST_F(Damaged, PipelineFiles) {
    std::mt19937 random(2);
    for (int round = 0; round < 40 * rounds; ++round) {
        const std::string text = damaged(pipeline_text, random);
        must_answer([&] { graph::parse_pipeline(text, "pipeline.yaml"); }, text);
    }
}

// Every filter and transition there is in turn, and every second time its kernel's text as well.
TEST_F(Damaged, Manifests) {
    std::mt19937 random(3);
    const std::filesystem::path filters = std::string(WEFT_SOURCE_DIR) + "/filters";
    std::vector<std::filesystem::path> manifests;
    for (const char* kind : {"picture", "transition"})
        for (const auto& entry : std::filesystem::directory_iterator(filters / kind))
            if (entry.path().extension() == ".yaml") manifests.push_back(entry.path());
    std::sort(manifests.begin(), manifests.end());
    ASSERT_GT(manifests.size(), 20U);
    for (int round = 0; round < 30 * rounds; ++round) {
        const std::filesystem::path manifest = manifests[static_cast<size_t>(round) % manifests.size()];
        const std::string kind = manifest.parent_path().filename(), name = manifest.stem();
        std::filesystem::path kernel = manifest;
        kernel.replace_extension(".cl");
        const TempFolder folder;
        std::filesystem::create_directory(folder.path() / kind);
        const std::string text = damaged(read_file(manifest), random);
        folder.write(kind + "/" + name + ".yaml", text);
        if (std::filesystem::exists(kernel)) {
            const std::string whole = read_file(kernel);
            folder.write(kind + "/" + name + ".cl", round % 2 == 0 ? whole : damaged(whole, random));
        }
        must_answer(
            [&] {
                graph::FilterLibrary({folder.path().string()})
                    .find(kind == "picture" ? graph::FilterKind::picture : graph::FilterKind::transition,
                          name);
            },
            text);
    }
}

TEST_F(Damaged, Tables) {
    std::mt19937 random(4);
    const std::string files = std::string(WEFT_SOURCE_DIR) + "/tests/media_files/";
    const std::vector<std::string> tables{read_file(files + "cube_1d_size4.cube"),
                                          read_file(files + "cube_3d_size2_no_newline.cube"),
                                          read_file(files + "cube_iridas_3d_domain.cube")};
    const graph::FilterLibrary library({std::string(WEFT_SOURCE_DIR) + "/filters"});
    const TempFolder folder;
    write_file(folder.path() / "p.yaml", "weft: 1\ninputs: {a: {url: a.mp4}}\nlayers: [{from: a, filters: "
                                         "[{lut3d: {file: " +
                                             folder.file("a.cube") + "}}]}]\n");
    graph::InputFacts facts;
    facts.format.width = facts.format.height = 16;
    facts.format.pixels = colour::pixel_format("yuv420p");
    facts.duration = Rational(1);
    for (int round = 0; round < 30 * rounds; ++round) {
        const std::string rows = damaged(tables[static_cast<size_t>(round) % tables.size()], random);
        folder.write("a.cube", rows);
        must_answer(
            [&] {
                graph::resolve_timeline(graph::load_pipeline(folder.file("p.yaml")), {facts}, library, {});
            },
            rows);
    }
}

TEST_F(Damaged, AWrongEndingMattersNot) {
    make_clip("a.mp4", "color=red:s=64x64:r=25:d=0.2");
    std::filesystem::rename(at("a.mp4"), at("a.avi"));
    const Shown out = shown({"a.avi"}, 64, 64);
    EXPECT_EQ(out.frames(), 5);
    EXPECT_RGB(out.centre(), ({254, 0, 0}), 3);
}
