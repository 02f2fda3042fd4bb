// What `weft render` asks of OpenCL while pictures flow, seen from outside by count_layer.cpp.
#include <cstdint>
#include <fstream>
#include <set>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/ffmpeg.hpp"
#include "support/temp_folder.hpp"

namespace weft::test {
namespace {

constexpr int frames = 120;
constexpr int streams = 4;

// Allowed while pictures flow: arguments of the passes, commands that wait for nobody, what hands them to the
// device and says when they are done, and the counting of handles.
const std::set<std::string> allowed{
    "clSetKernelArg",           "clEnqueueNDRangeKernel", "clEnqueueWriteBuffer",
    "clEnqueueWriteBufferRect", "clEnqueueReadBuffer",    "clFlush",
    "clSetEventCallback",       "clGetEventInfo",         "clRetainEvent",
    "clReleaseEvent",           "clRetainMemObject",      "clReleaseMemObject",
};

class Clips : public testing::Test {
  protected:
    // Four clips of different contents, made once for all upload paths.
    static void SetUpTestSuite() {
        folder_ = new TempFolder;
        for (int i = 0; i < streams; ++i)
            run_command("ffmpeg -v error -y -f lavfi -i testsrc2=s=320x180:r=30 -vf hue=h=" +
                        std::to_string(90 * i) + " -frames:v " + std::to_string(frames) +
                        " -c:v libx264 -preset ultrafast -pix_fmt yuv420p " + shell_quoted(clip(i)));
    }
    static void TearDownTestSuite() {
        delete folder_;
        folder_ = nullptr;
    }
    static std::string clip(int i) { return folder_->file("clip" + std::to_string(i) + ".mp4"); }

    // The counts of a grid of the four clips that goes nowhere.
    static nlohmann::json counts_of_grid(const std::string& upload) {
        const std::string file = folder_->file("counts-" + upload + ".json");
        std::string command = "OPENCL_LAYERS=" + shell_quoted(WEFT_COUNT_LAYER) +
                              " WEFT_COUNT_FILE=" + shell_quoted(file) + " WEFT_COUNT_SKIP=20 " +
                              shell_quoted(std::string(WEFT_BIN_DIR) + "/weft") + " render";
        for (int i = 0; i < streams; ++i)
            command += " " + shell_quoted(clip(i));
        run_command(command + " --layout grid --filter eq=contrast=1.2 --filter gblur=sigma=1 --upload " +
                    upload + " -o null: --progress none");
        std::ifstream in(file);
        EXPECT_TRUE(in.good()) << "no counts: does the OpenCL loader know OPENCL_LAYERS?";
        return nlohmann::json::parse(in);
    }

    // The counts of so many pictures under `weft profile`, whose queues and trace note the times of every
    // command.
    static nlohmann::json counts_of_profile(int pictures) {
        const std::string file = folder_->file("counts-profile.json");
        run_command(
            "OPENCL_LAYERS=" + shell_quoted(WEFT_COUNT_LAYER) + " WEFT_COUNT_FILE=" + shell_quoted(file) +
            " " + shell_quoted(std::string(WEFT_BIN_DIR) + "/weft") + " profile " + shell_quoted(clip(0)) +
            " --filter eq=contrast=1.2 --filter gblur=sigma=1 --upload pageable --rounds 1 --preload 4"
            " --schedule overlapped --frames " +
            std::to_string(pictures) + " --progress none");
        std::ifstream in(file);
        return nlohmann::json::parse(in);
    }

  private:
    static TempFolder* folder_;
};
TempFolder* Clips::folder_ = nullptr;

class SteadyState : public Clips, public testing::WithParamInterface<const char*> {};
using Profiled = Clips;

void expect_nothing_waits_allocates_or_builds(const nlohmann::json& counts) {
    const int64_t launches = counts["steady_launches"];
    ASSERT_GE(launches, frames - 2 * 20 - 10) << counts.dump(1);
    EXPECT_TRUE(counts["blocking"]["steady"].empty()) << counts["blocking"]["steady"];
    for (const auto& [call, count] : counts["steady"].items())
        EXPECT_TRUE(allowed.contains(call))
            << call << ": " << count << " times in " << launches << " launches";
}

// A tick sets the places of the pictures and its own values, nothing that stays the same.
void expect_arguments_set_only_where_they_change(const nlohmann::json& counts) {
    const int64_t launches = counts["steady_launches"];
    // Buffer, offset and pitch of three planes of four streams and one output, and the tick's values.
    constexpr int64_t places = 3 * 3 * (streams + 1) + 1;
    EXPECT_LE(counts["steady"].value("clSetKernelArg", int64_t{0}), launches * places) << counts.dump(1);
    // Each stream's upload, the kernels, the way down.
    EXPECT_LE(counts["steady"].value("clFlush", int64_t{0}), launches * (streams + 2)) << counts.dump(1);
}

void expect_everything_given_back(const nlohmann::json& counts) {
    for (const auto& [kind, count] : counts["objects"].items()) {
        const int64_t taken = count["created"].get<int64_t>() + count["retained"].get<int64_t>();
        EXPECT_EQ(taken, count["released"].get<int64_t>()) << kind << ": " << count;
    }
    EXPECT_GT(counts["objects"]["event"]["created"], 0);
    EXPECT_GT(counts["objects"]["memory"]["created"], 0);
}

TEST_P(SteadyState, only_enqueues) {
    const nlohmann::json counts = counts_of_grid(GetParam());
    expect_nothing_waits_allocates_or_builds(counts);
    expect_arguments_set_only_where_they_change(counts);
    expect_everything_given_back(counts);
}

// Events that are kept until the end of a run to be asked for their times keep buffers alive with them. Some
// hundred wait for the thread that asks, which may come late.
TEST_F(Profiled, holds_no_more_after_more_pictures) {
    const nlohmann::json some = counts_of_profile(100), many = counts_of_profile(1000);
    expect_everything_given_back(some);
    expect_everything_given_back(many);
    EXPECT_GT(many["objects"]["event"]["created"].get<int64_t>(), 3000);
    for (const auto& [kind, count] : many["objects"].items())
        EXPECT_LE(count["most"].get<int64_t>(), some["objects"][kind]["most"].get<int64_t>() + 500) << kind;
}

INSTANTIATE_TEST_SUITE_P(upload, SteadyState, testing::Values("host", "pinned", "pageable", "direct"),
                         [](const auto& test) { return std::string(test.param); });

} // namespace
} // namespace weft::test
