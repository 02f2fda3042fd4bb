// Generated clips for the engine's tests, and runs of small pipelines over them.
#pragma once

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/data_dirs.hpp"
#include "engine/run.hpp"
#include "engine/sinks.hpp"
#include "graph/planner.hpp"
#include "support/ffmpeg.hpp"

namespace weft::test {

// A folder that goes with its owner.
class Folder {
  public:
    Folder() {
        std::string name = (std::filesystem::temp_directory_path() / "weft-engine-XXXXXX").string();
        if (mkdtemp(name.data()) == nullptr) throw Error(ErrorKind::resource, "no temporary folder");
        path_ = name;
    }
    ~Folder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    std::string operator/(const std::string& name) const { return (path_ / name).string(); }

  private:
    std::filesystem::path path_;
};

// A code clip: every sample of picture n has luma `first` + `step` * n, chroma 128. Lossless.
inline std::string code_clip(const std::string& file, int frames, const std::string& rate = "30",
                             int step = 2, int first = 16, const std::string& size = "64x64") {
    run_command("ffmpeg -v error -y -f lavfi -i 'color=black:s=" + size + ":r=" + rate + "' -vf \"geq=lum='" +
                std::to_string(first) + "+" + std::to_string(step) + "*N':cb=128:cr=128\" -frames:v " +
                std::to_string(frames) + " -c:v libx264 -qp 0 -pix_fmt yuv420p " + shell_quoted(file));
    return file;
}

// Takes pictures of one pixel format; what it does with them is for others to say.
class PlainSink : public engine::FrameSink {
  public:
    explicit PlainSink(std::string pixels = "yuv420p") : pixels_(std::move(pixels)) {}
    std::string name() const override { return "test"; }
    colour::PictureFormat wanted_format(const colour::PictureFormat& canvas) override {
        colour::PictureFormat format = canvas;
        format.pixels = colour::pixel_format(pixels_);
        return format;
    }

  private:
    std::string pixels_;
};

// Keeps the first luma sample of every picture, and what was said about the end.
class ProbeSink final : public PlainSink {
  public:
    using PlainSink::PlainSink;
    void submit(engine::OutputFrame frame) override {
        indices.push_back(frame.index);
        const auto middle = static_cast<ptrdiff_t>(frame.format->height / 2) * frame.host.pitch[0];
        left.push_back(frame.host.data[0][middle + 2]);
        right.push_back(frame.host.data[0][middle + frame.format->width - 3]);
    }
    void finish(engine::Ending how) override { endings.push_back(how); }

    std::vector<int64_t> indices;
    std::vector<int> left, right; // luma near both ends of the middle line
    std::vector<engine::Ending> endings;
};

struct RunResult {
    engine::RunReport report;
    std::vector<std::string> lines; // of the hash sink
};

inline const graph::FilterLibrary& library() {
    static const graph::FilterLibrary shared({std::string(WEFT_SOURCE_DIR) + "/filters"});
    return shared;
}

inline const std::string& prelude() {
    static const std::string text = graph::load_prelude(std::string(WEFT_SOURCE_DIR) + "/kernels");
    return text;
}

inline engine::RunReport run_with(const graph::PipelineSpec& spec,
                                  const std::vector<std::unique_ptr<engine::FrameSink>>& sinks,
                                  const engine::RunOptions& options = {}) {
    return engine::run(spec, library(), prelude(), sinks, options);
}

// One probe over a pipeline; the sink is kept by the result.
struct Probed {
    engine::RunReport report;
    std::unique_ptr<engine::FrameSink> owner;
    const ProbeSink& sink() const { return static_cast<const ProbeSink&>(*owner); }
};
inline Probed probe(const graph::PipelineSpec& spec, const engine::RunOptions& options = {}) {
    std::vector<std::unique_ptr<engine::FrameSink>> sinks;
    sinks.push_back(std::make_unique<ProbeSink>());
    Probed probed;
    probed.report = run_with(spec, sinks, options);
    probed.owner = std::move(sinks.front());
    return probed;
}

inline RunResult hashed(const graph::PipelineSpec& spec, const engine::RunOptions& options = {}) {
    RunResult result;
    std::vector<std::unique_ptr<engine::FrameSink>> sinks;
    sinks.push_back(engine::make_hash_sink([&](const std::string& line) { result.lines.push_back(line); }));
    result.report = run_with(spec, sinks, options);
    return result;
}

} // namespace weft::test
