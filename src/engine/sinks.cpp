#include "engine/sinks.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "engine/md5.hpp"
#include "engine/run.hpp"

namespace weft::engine {
namespace {

colour::PictureFormat form_of(const colour::PictureFormat& canvas, const std::string& pixels) {
    colour::PictureFormat format = canvas;
    format.pixels = colour::pixel_format(pixels);
    format.colour.range = colour::Range::unspecified;
    format.colour.chroma = colour::ChromaSite::unspecified;
    if (format.pixels.model == colour::Model::rgb) {
        format.colour.matrix = colour::Matrix::rgb;
        format.colour.range = colour::Range::full;
    }
    return format;
}

class NullSink final : public FrameSink {
  public:
    explicit NullSink(std::string pixels) : pixels_(std::move(pixels)) {}
    std::string name() const override { return "null"; }
    colour::PictureFormat wanted_format(const colour::PictureFormat& canvas) override {
        return form_of(canvas, pixels_);
    }
    void submit(OutputFrame) override {}

  private:
    std::string pixels_;
};

class HashSink final : public FrameSink {
  public:
    HashSink(std::function<void(const std::string&)> line, std::string pixels)
        : line_(std::move(line)), pixels_(std::move(pixels)) {}
    std::string name() const override { return "hash"; }
    colour::PictureFormat wanted_format(const colour::PictureFormat& canvas) override {
        return form_of(canvas, pixels_);
    }
    void submit(OutputFrame frame) override {
        Md5 hash;
        const colour::PictureFormat& format = *frame.format;
        for (int plane = 0; plane < format.pixels.plane_count; ++plane) {
            const auto index = static_cast<size_t>(plane);
            const auto bytes = static_cast<size_t>(format.pixels.plane_line_bytes(plane, format.width));
            for (int y = 0; y < format.pixels.plane_lines(plane, format.height); ++y) {
                const uint8_t* const line =
                    frame.host.data[index] + static_cast<ptrdiff_t>(y) * frame.host.pitch[index];
                hash.add(line, bytes);
                total_.add(line, bytes);
            }
        }
        line_(std::to_string(frame.index) + " " + hash.hex());
    }
    void finish(Ending ending) override {
        if (ending != Ending::failed) line_("total " + total_.hex());
    }

  private:
    std::function<void(const std::string&)> line_;
    std::string pixels_;
    Md5 total_;
};

} // namespace

std::unique_ptr<FrameSink> make_null_sink(const std::string& pixel_format) {
    return std::make_unique<NullSink>(pixel_format);
}

std::unique_ptr<FrameSink> make_hash_sink(std::function<void(const std::string&)> line,
                                          const std::string& pixel_format) {
    return std::make_unique<HashSink>(std::move(line), pixel_format);
}

std::vector<std::unique_ptr<FrameSink>> make_sinks(const std::vector<graph::OutputSpec>& outputs,
                                                   const RunOptions& options) {
    std::vector<std::unique_ptr<FrameSink>> sinks;
    for (const graph::OutputSpec& output : outputs) {
        const std::string pixels = output.video.pix_fmt.empty() ? "yuv420p" : output.video.pix_fmt;
        switch (output.kind) {
        case graph::OutputKind::window:
            break;
        case graph::OutputKind::null:
            sinks.push_back(make_null_sink(pixels));
            break;
        case graph::OutputKind::hash:
            sinks.push_back(make_hash_sink(
                [](const std::string& line) {
                    if (std::fputs((line + "\n").c_str(), stdout) < 0 || std::fflush(stdout) != 0)
                        throw Error(ErrorKind::resource, std::string("standard output cannot be written: ") +
                                                             std::strerror(errno));
                },
                pixels));
            break;
        case graph::OutputKind::file:
            sinks.push_back(make_encode_sink(output, {options.reproducible}));
            break;
        }
    }
    return sinks;
}

} // namespace weft::engine
