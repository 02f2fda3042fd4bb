// Which picture of a clip is due when. In every clip picture n has luma 16 + 2 n (or 16 + n).
#include "engine/stream.hpp"

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "engine_clips.hpp"
#include "gpu/host_memory.hpp"
#include "support/device.hpp"

namespace weft::engine {
namespace {

using test::code_clip;
using test::Folder;

// Memory for decoders. Counts what came back while its copy waited: pictures 0 and 1 of a code clip.
class WatchedMemory final : public FrameAllocator {
  public:
    FrameBlock acquire(size_t bytes) override {
        auto* const memory = new gpu::HostMemory(bytes);
        return {memory->data(), memory->bytes(), memory};
    }
    void release(FrameBlock block) noexcept override {
        if (copies_wait && (block.data[0] == 16 || block.data[0] == 18)) ++too_early;
        delete static_cast<gpu::HostMemory*>(block.cookie);
    }
    std::atomic<bool> copies_wait{true};
    std::atomic<int> too_early{0};
};

// Holds up the copy queue until it is opened.
class Gate {
  public:
    Gate() : event_(test::device().context()) {
        const std::vector<cl::Event> wait{event_};
        test::device().up().enqueueBarrierWithWaitList(&wait);
        test::device().up().flush();
    }
    void open() { event_.setStatus(CL_COMPLETE); }

  private:
    cl::UserEvent event_;
};

std::unique_ptr<Stream> open(const std::string& file, StreamSettings settings) {
    OpenedInput opened;
    opened.input = std::make_shared<media::Input>(file);
    opened.uploader = std::make_unique<gpu::Uploader>(
        test::device(), gpu::choose_upload_path(test::device(), gpu::UploadPath::automatic), settings.slots);
    media::VideoOptions options;
    options.allocator = opened.uploader->allocator();
    opened.decoder = std::make_unique<media::VideoDecoder>(opened.input, options);
    return std::make_unique<Stream>(std::move(opened), std::move(settings));
}

StreamSettings at_rate(Rational rate, int slots = 2) {
    StreamSettings settings;
    settings.name = "clip";
    settings.rate = rate;
    settings.slots = slots;
    return settings;
}

// Luma of what is due at each of `count` ticks from `first` on.
std::vector<int> luma(Stream& stream, Rational rate, int count, int first = 0) {
    std::vector<int> values;
    for (int tick = first; tick < first + count; ++tick) {
        const StreamSlot* slot = stream.due(Rational(tick) / rate);
        values.push_back(slot != nullptr ? slot->frame->planes().data[0][0] : -1);
    }
    return values;
}

TEST(Stream, EveryPictureOnceAtItsOwnRateWithAnyNumberOfSlots) {
    const Folder folder;
    const std::string clip = code_clip(folder / "a.mp4", 30);
    for (const int slots : {1, 2, 3}) {
        const auto stream = open(clip, at_rate(30, slots));
        const auto values = luma(*stream, 30, 30);
        for (int n = 0; n < 30; ++n)
            EXPECT_EQ(values[static_cast<size_t>(n)], 16 + 2 * n) << slots << " slots";
        EXPECT_EQ(stream->counts().uploaded, 30);
        EXPECT_EQ(stream->counts().skipped, 0);
    }
}

TEST(Stream, TwiceTheRateShowsEveryPictureTwice) {
    const Folder folder;
    const auto stream = open(code_clip(folder / "a.mp4", 10), at_rate(60));
    const auto values = luma(*stream, 60, 20);
    for (int k = 0; k < 20; ++k)
        EXPECT_EQ(values[static_cast<size_t>(k)], 16 + 2 * (k / 2));
}

TEST(Stream, AThirdOfTheRateTakesUpAThirdOfThePictures) {
    const Folder folder;
    StreamSettings settings = at_rate(10);
    settings.ticks = 10;
    const auto stream = open(code_clip(folder / "a.mp4", 30), settings);
    const auto values = luma(*stream, 10, 10);
    for (int k = 0; k < 10; ++k)
        EXPECT_EQ(values[static_cast<size_t>(k)], 16 + 2 * 3 * k);
    // The last picture stays for ever and is taken up although it is due at no tick.
    EXPECT_LE(stream->counts().uploaded, 11);
    EXPECT_GE(stream->counts().skipped, 18);
}

// "2 3 | 4 | 5 6": the numbers of the neighbours around the one that is due.
std::string around(const Stream& stream, const StreamSlot* due) {
    std::string text;
    std::vector<StreamSlot*> before = stream.before();
    for (auto slot = before.rbegin(); slot != before.rend(); ++slot)
        text += std::to_string((*slot)->number) + " ";
    text += "| " + std::to_string(due->number) + " |";
    for (const StreamSlot* slot : stream.behind())
        text += " " + std::to_string(slot->number);
    return text;
}

std::vector<std::string> all_around(Stream& stream, int rate, int ticks) {
    std::vector<std::string> seen;
    for (int tick = 0; tick < ticks; ++tick) {
        const StreamSlot* due = stream.due(Rational(tick, rate));
        seen.push_back(around(stream, due));
    }
    return seen;
}

using Lines = std::vector<std::string>;

// Neighbours in the input, not on the canvas, and with as few slots as there can be.
TEST(Stream, ThePicturesAroundTheOneThatIsDueAreThere) {
    const Folder folder;
    const std::string clip = code_clip(folder / "clip.mkv", 7, "30");
    for (const int slots : {1, 2}) {
        SCOPED_TRACE(slots);
        StreamSettings settings = at_rate(10, slots);
        settings.neighbours = 1;
        EXPECT_EQ(all_around(*open(clip, settings), 10, 3), (Lines{"| 0 | 1", "2 | 3 | 4", "5 | 6 |"}));
        settings.neighbours = 2;
        EXPECT_EQ(all_around(*open(clip, settings), 10, 3),
                  (Lines{"| 0 | 1 2", "1 2 | 3 | 4 5", "4 5 | 6 |"}));
        settings = at_rate(30, slots);
        settings.neighbours = 3;
        EXPECT_EQ(all_around(*open(clip, settings), 30, 7),
                  (Lines{"| 0 | 1 2 3", "0 | 1 | 2 3 4", "0 1 | 2 | 3 4 5", "0 1 2 | 3 | 4 5 6",
                         "1 2 3 | 4 | 5 6", "2 3 4 | 5 | 6", "3 4 5 | 6 |"}));
    }
}

// What is behind the last tick of a run is read beside it all the same.
TEST(Stream, NeighboursReachBehindTheRun) {
    const Folder folder;
    StreamSettings settings = at_rate(30);
    settings.neighbours = 2;
    settings.ticks = 3;
    const auto stream = open(code_clip(folder / "clip.mkv", 9, "30"), settings);
    EXPECT_EQ(all_around(*stream, 30, 3), (Lines{"| 0 | 1 2", "0 | 1 | 2 3", "0 1 | 2 | 3 4"}));
}

TEST(Stream, NeighboursDoNotReachOverAJump) {
    const Folder folder;
    StreamSettings settings = at_rate(30);
    settings.neighbours = 1;
    settings.times.loop = true;
    settings.times.end = Rational(3, 30);
    const auto stream = open(code_clip(folder / "clip.mkv", 3, "30"), settings);
    EXPECT_EQ(all_around(*stream, 30, 5), (Lines{"| 0 | 1", "0 | 1 | 2", "1 | 2 |", "| 3 | 4", "3 | 4 | 5"}));
    stream->seek(Rational(1, 30));
    stream->due(Rational(1, 30));
    EXPECT_TRUE(stream->before().empty());
    EXPECT_EQ(stream->behind().size(), 1U);
}

// Six whole pictures, six pairs of fields, six whole ones, as broadcasts change from one to the other.
std::string changing_clip(const Folder& folder) {
    const auto part = [&](const std::string& name, const std::string& source, const std::string& fields) {
        test::run_command("ffmpeg -v error -y -f lavfi -i '" + source + "' -c:v libx264 -qp 0 -bf 0 " +
                          fields + " " + (folder / name));
    };
    part("a.ts", "testsrc2=s=96x64:r=25:d=0.24,format=yuv420p", "");
    part("b.ts", "testsrc2=s=96x64:r=50:d=0.24,format=yuv420p,tinterlace=interleave_top,setfield=tff",
         "-flags +ildct+ilme -output_ts_offset 0.24");
    part("c.ts", "testsrc2=s=96x64:r=25:d=0.24,format=yuv420p", "-output_ts_offset 0.48");
    test::run_command("cd " + (folder / "") + " && cat a.ts b.ts c.ts > all.ts");
    return folder / "all.ts";
}

TEST(Stream, OnlyFieldsHaveTheirNeighboursKept) {
    const Folder folder;
    const std::string clip = changing_clip(folder);
    StreamSettings settings = at_rate(25);
    settings.fields = Fields::as_marked;
    const auto every = open(clip, settings);
    for (int tick = 0; tick < 18; ++tick) {
        const StreamSlot* due = every->due(Rational(tick, 25));
        ASSERT_EQ(due->number, tick);
        EXPECT_EQ(every->fields(*due), tick >= 6 && tick < 12);
        if (!every->fields(*due)) continue;
        EXPECT_EQ(around(*every, due),
                  std::to_string(tick - 1) + " | " + std::to_string(tick) + " | " + std::to_string(tick + 1));
    }
    // Where every third is shown, of whole pictures only these come up, and those beside fields.
    settings = at_rate(Rational(25, 3));
    settings.fields = Fields::as_marked;
    const auto third = open(clip, settings);
    for (int tick = 0; tick < 6; ++tick)
        EXPECT_EQ(third->due(Rational(3 * tick, 25))->number, 3 * tick);
    // Of 18, two whole ones at either side and eight beside fields; the last two may still be on their way.
    EXPECT_GE(third->counts().skipped, 18 - (2 + 8 + 2) - 2);
    EXPECT_LE(third->counts().skipped, 18 - (2 + 8 + 2));
}

// Milliseconds in the file: 67/1000 counts as 2/30.
TEST(Stream, RoundedTimesCountAsTheTimesMeant) {
    const Folder folder;
    const auto stream = open(code_clip(folder / "a.mkv", 30), at_rate(30));
    const auto values = luma(*stream, 30, 30);
    for (int n = 0; n < 30; ++n)
        EXPECT_EQ(values[static_cast<size_t>(n)], 16 + 2 * n) << n;
}

TEST(Stream, VariableRateFollowsTheTimesOfThePictures) {
    // Every third picture of the first 60, then all; 16 + n each, as ffmpeg's select makes it.
    const Folder folder;
    const std::string clip = folder / "vfr.mp4";
    test::run_command(
        "ffmpeg -v error -y -f lavfi -i color=black:s=64x64:r=30:d=4 -vf "
        "\"geq=lum='16+N':cb=128:cr=128,select='if(lt(n,60),not(mod(n,3)),1)'\" -vsync vfr -c:v "
        "libx264 -qp 0 " +
        clip);
    const auto stream = open(clip, at_rate(30));
    const auto values = luma(*stream, 30, 120);
    for (int k = 0; k < 120; ++k)
        EXPECT_EQ(values[static_cast<size_t>(k)] - 16, k < 60 ? k / 3 * 3 : k) << k;
}

TEST(Stream, StartAndOffsetMoveTheClip) {
    const Folder folder;
    const std::string clip = code_clip(folder / "a.mp4", 30);
    StreamSettings settings = at_rate(30);
    settings.times.start = Rational(1, 2);
    settings.times.from = Rational(1, 3); // ten ticks later
    const auto stream = open(clip, settings);
    EXPECT_EQ(luma(*stream, 30, 1, 10), std::vector<int>{16 + 2 * 15});
    EXPECT_EQ(luma(*stream, 30, 1, 20), std::vector<int>{16 + 2 * 25});
    // Past its end it shows its last picture.
    EXPECT_EQ(luma(*stream, 30, 2, 60), (std::vector<int>{16 + 2 * 29, 16 + 2 * 29}));
}

TEST(Stream, ALoopGoesOnFromItsStart) {
    const Folder folder;
    StreamSettings settings = at_rate(30);
    settings.times.loop = true;
    settings.times.end = Rational(1, 2); // 15 pictures a round
    const auto stream = open(code_clip(folder / "a.mp4", 30), settings);
    const auto values = luma(*stream, 30, 50);
    for (int k = 0; k < 50; ++k)
        EXPECT_EQ(values[static_cast<size_t>(k)], 16 + 2 * (k % 15)) << k;
}

TEST(Stream, ALoopWithoutAKnownEndTurnsWhereTheFileEnds) {
    const Folder folder;
    StreamSettings settings = at_rate(30);
    settings.times.loop = true;
    settings.times.start = Rational(1, 3);
    const auto stream = open(code_clip(folder / "a.mp4", 30), settings);
    const auto values = luma(*stream, 30, 60);
    for (int k = 0; k < 60; ++k)
        EXPECT_EQ(values[static_cast<size_t>(k)], 16 + 2 * ((10 + k) % 30)) << k;
}

TEST(Stream, SeeksForwardsBackwardsAndBehindTheEnd) {
    const Folder folder;
    const auto stream = open(code_clip(folder / "a.mp4", 90), at_rate(30));
    EXPECT_EQ(luma(*stream, 30, 2), (std::vector<int>{16, 18}));
    for (const int to : {60, 10, 85, 0}) {
        stream->seek(Rational(to, 30));
        EXPECT_EQ(luma(*stream, 30, 3, to), (std::vector<int>{16 + 2 * to, 18 + 2 * to, 20 + 2 * to})) << to;
    }
    luma(*stream, 30, 90);
    stream->seek(Rational(50, 30));
    EXPECT_EQ(luma(*stream, 30, 1, 50), std::vector<int>{16 + 2 * 50});
}

// Thirty good pictures, then more packets that cannot be decoded than a stream may have in a row.
std::string breaking_clip(const std::string& file) {
    test::run_command(
        "ffmpeg -v error -y -f lavfi -i color=black:s=16x16:r=30 -vf "
        "\"geq=lum='16+2*N':cb=128:cr=128\" -frames:v 640 -c:v mjpeg -q:v 1 -movflags +faststart " +
        file);
    const std::string place = test::run_command(
        "ffprobe -v error -select_streams v -read_intervals %+#31 -show_entries packet=pos -of csv=p=0 " +
        file + " | tail -n 1");
    std::fstream bytes(file, std::ios::in | std::ios::out | std::ios::binary);
    const auto length = static_cast<std::streamoff>(std::filesystem::file_size(file));
    const std::streamoff from = std::stol(place);
    bytes.seekp(from);
    bytes << std::string(static_cast<size_t>(length - from), '\0');
    return file;
}

TEST(Stream, ASeekLeavesTheReasonBehindForWhichItBrokeOff) {
    const Folder folder;
    const auto stream = open(breaking_clip(folder / "a.mov"), at_rate(30));
    for (int again = 0; again < 3; ++again) {
        const StreamSlot* const last = stream->due(Rational(20));
        ASSERT_NE(last, nullptr);
        EXPECT_TRUE(last->broken);
        while (stream->error() == nullptr)
            std::this_thread::yield();
        stream->seek(Rational(0));
        const StreamSlot* const first = stream->due(Rational(0));
        ASSERT_NE(first, nullptr);
        EXPECT_FALSE(first->broken);
        EXPECT_EQ(stream->error(), nullptr);
    }
}

TEST(Stream, PicturesTooLateForTheDemandAreNotTakenUp) {
    const Folder folder;
    const auto stream = open(code_clip(folder / "a.mp4", 60), at_rate(30));
    ASSERT_EQ(luma(*stream, 30, 1), std::vector<int>{16});
    stream->keep_from(50);
    EXPECT_EQ(luma(*stream, 30, 10, 50).back(), 16 + 2 * 59);
    EXPECT_GE(stream->counts().skipped, 40);
}

TEST(Stream, AUsedSlotIsNotFilledAgainBeforeItsLastUseEnds) {
    const Folder folder;
    const auto stream = open(code_clip(folder / "a.mp4", 30), at_rate(30));
    StreamSlot* const first = stream->due(0);
    stream->begin_use(*first);
    StreamSlot* const second = stream->due(Rational(1, 30));
    EXPECT_NE(first, second);
    EXPECT_EQ(first->frame->planes().data[0][0], 16);
    // Only the other slot is left; it goes on with it.
    EXPECT_EQ(luma(*stream, 30, 1, 2), std::vector<int>{20});
    EXPECT_EQ(first->frame->planes().data[0][0], 16);
    stream->end_use(*first);
    EXPECT_EQ(luma(*stream, 30, 1, 3), std::vector<int>{22});
}

TEST(Stream, APatienceOfNothingGivesWhatThereIs) {
    const Folder folder;
    const auto stream = open(code_clip(folder / "a.mp4", 30), at_rate(30));
    ASSERT_EQ(luma(*stream, 30, 1), std::vector<int>{16});
    // Far ahead of what is decoded, the pictures at hand are shown.
    const StreamSlot* slot = stream->due(Rational(29, 30), Nanoseconds(0));
    ASSERT_NE(slot, nullptr);
    EXPECT_LE(slot->frame->planes().data[0][0], 16 + 2 * 29);
}

// Pictures that were sent to the device and are not wanted any more stay where they are until they were
// copied.
TEST(Stream, UnreadPicturesOutliveTheirCopies) {
    const Folder folder;
    const std::string clip = folder / "a.mkv"; // of a codec that keeps no picture
    test::run_command("ffmpeg -v error -y -i " + code_clip(folder / "a.mp4", 30) +
                      " -c:v huffyuv -pix_fmt yuv422p " + clip);
    for (const bool by_seek : {true, false}) {
        WatchedMemory memory;
        {
            OpenedInput opened;
            opened.input = std::make_shared<media::Input>(clip);
            opened.uploader = std::make_unique<gpu::Uploader>(test::device(), gpu::UploadPath::direct, 2);
            media::VideoOptions options;
            options.allocator = &memory;
            opened.decoder = std::make_unique<media::VideoDecoder>(opened.input, options);
            Gate gate;
            auto stream = std::make_unique<Stream>(std::move(opened), at_rate(30));
            while (stream->counts().uploaded < 2)
                std::this_thread::yield();
            std::thread copier([&] {
                std::this_thread::sleep_for(std::chrono::milliseconds(50));
                memory.copies_wait = false;
                gate.open();
            });
            if (by_seek)
                stream->seek(Rational(1, 2));
            else
                stream.reset();
            copier.join();
        }
        EXPECT_EQ(memory.too_early, 0) << (by_seek ? "by a seek" : "by the stream's end");
    }
}

// They are shown over and over: memory that was written before the device started would slow every copy.
TEST(Stream, PreloadedPicturesLieInTheDevicesMemory) {
    const Folder folder;
    OpenedInput opened;
    opened.input = std::make_shared<media::Input>(code_clip(folder / "a.mp4", 30));
    opened.memory = std::make_shared<gpu::HostBlocks>();
    media::VideoOptions options;
    options.allocator = opened.memory.get();
    options.threads = 4; // some pictures are on their way when the first one is there
    opened.decoder = std::make_unique<media::VideoDecoder>(opened.input, options);
    opened.uploader =
        std::make_unique<gpu::Uploader>(test::device(), gpu::UploadPath::direct, 2, opened.memory);
    StreamSettings settings = at_rate(30);
    settings.preload = 8;
    Stream stream(std::move(opened), settings);
    for (int tick = 0; tick < 8; ++tick) {
        const StreamSlot* const slot = stream.due(Rational(tick, 30));
        ASSERT_NE(slot, nullptr);
        const void* const block = slot->frame->planes().block.cookie;
        ASSERT_NE(block, nullptr);
        EXPECT_NE(static_cast<const gpu::HostBlocks::Block*>(block)->pinned, nullptr) << tick;
        EXPECT_EQ(slot->frame->pts(), Rational(tick, 30));
    }
}

TEST(Stream, StoppingEndsAWait) {
    const Folder folder;
    const auto stream = open(code_clip(folder / "a.mp4", 30), at_rate(30, 1));
    StreamSlot* const held = stream->due(0);
    stream->begin_use(*held); // the only slot
    std::thread stopper([&] { stream->stop(); });
    EXPECT_EQ(stream->due(Rational(5, 30)), nullptr);
    stopper.join();
    stream->end_use(*held);
}

} // namespace
} // namespace weft::engine
