// What a run tells of its packets.
#include "engine/reading.hpp"

#include <atomic>
#include <chrono>
#include <fstream>
#include <sstream>
#include <thread>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "engine/recorder.hpp"
#include "engine_clips.hpp"

namespace weft::engine {
namespace {

using test::code_clip;
using test::Folder;

std::vector<Record> records(const Recording& recording, Stage stage, const std::string& stream) {
    std::vector<Record> out;
    for (const Record& record : recording.host)
        if (record.stage == stage && record.what == stream) out.push_back(record);
    return out;
}

// The encoder makes one packet of each picture.
TEST(Reading, EveryPacketIsToldUnderTheNameOfItsStream) {
    const Folder folder;
    const std::string a = code_clip(folder / "a.mp4", 20), b = code_clip(folder / "b.mp4", 30);
    Recorder recorder;
    RunOptions options;
    options.profiling = true;
    options.trace = &recorder;
    test::hashed(graph::parse_pipeline("weft: 1\ncanvas: {size: 128x64}\ninputs: {left: {url: " + a +
                                           "}, right: {url: " + b +
                                           "}}\nlayers: [{from: left, rect: [0, 0, 64, 64]}, "
                                           "{from: right, rect: [64, 0, 64, 64]}]\n",
                                       "test.yaml"),
                 options);
    const Recording recording = recorder.take();
    for (const auto& [stream, packets] : {std::pair{"left", 20}, {"right", 30}}) {
        const auto reads = records(recording, Stage::read, stream);
        ASSERT_EQ(std::ssize(reads), packets) << stream;
        for (int i = 0; i < packets; ++i) {
            EXPECT_EQ(reads[static_cast<size_t>(i)].frame, i);
            EXPECT_LE(reads[static_cast<size_t>(i)].begin, reads[static_cast<size_t>(i)].end);
        }
    }
}

// Shows when pictures have come.
class CountingSink final : public test::PlainSink {
  public:
    void submit(OutputFrame) override { ++pictures; }
    std::atomic<int> pictures{0};
};

// A pipe whose writer stops in the middle until pictures of the first part have come out.
TEST(Reading, DecodingThatStandsStillForWantOfPacketsIsNoDecoding) {
    const Folder folder;
    const std::string pipe = folder / "pipe";
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    // Stored as they are, so that opening it needs few of them.
    const std::string stream = folder / "stream.nut";
    test::run_command("ffmpeg -v error -y -i " + code_clip(folder / "a.mp4", 60) + " -c:v rawvideo " +
                      stream);
    std::ostringstream bytes;
    bytes << std::ifstream(stream, std::ios::binary).rdbuf();
    std::vector<std::unique_ptr<FrameSink>> sinks;
    sinks.push_back(std::make_unique<CountingSink>());
    const auto& pictures = static_cast<const CountingSink&>(*sinks.front()).pictures;
    std::thread writer([&] {
        std::ofstream out(pipe, std::ios::binary);
        const std::string all = bytes.str();
        const size_t part = all.size() * 2 / 3;
        out << all.substr(0, part) << std::flush;
        using namespace std::chrono_literals;
        for (int i = 0; i < 1000 && pictures == 0; ++i)
            std::this_thread::sleep_for(10ms);
        std::this_thread::sleep_for(300ms);
        out << all.substr(part);
    });
    Recorder recorder;
    RunOptions options;
    options.profiling = true;
    options.trace = &recorder;
    const RunReport report =
        test::run_with(graph::parse_pipeline(
                           "weft: 1\ninputs: {a: {url: " + pipe + "}}\nlayers: [{from: a}]\n", "test.yaml"),
                       sinks, options);
    writer.join();
    EXPECT_EQ(report.frames, 60);
    const Recording recording = recorder.take();
    const auto reads = records(recording, Stage::read, "a"), waits = records(recording, Stage::await, "a"),
               decodes = records(recording, Stage::decode, "a");
    EXPECT_EQ(reads.size(), 60u);
    ASSERT_FALSE(waits.empty());
    const auto longest =
        std::max_element(waits.begin(), waits.end(), [](const Record& one, const Record& other) {
            return one.end - one.begin < other.end - other.begin;
        });
    EXPECT_TRUE(std::any_of(reads.begin(), reads.end(), [&](const Record& read) {
        return read.end > longest->begin && read.end <= longest->end;
    }));
    for (const Record& wait : waits)
        for (const Record& decode : decodes)
            EXPECT_TRUE(decode.end <= wait.begin || decode.begin >= wait.end);
}

} // namespace
} // namespace weft::engine
