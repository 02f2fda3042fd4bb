#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include <unistd.h>

#include "base/error.hpp"
#include "media/av_private.hpp"
#include "media/file_writer_private.hpp"
#include "media/target_private.hpp"

namespace weft::media {

std::string y4m_chroma(const std::string& pixel_format, colour::ChromaSite site) {
    const std::string base = pixel_format.starts_with("yuvj") ? "yuv" + pixel_format.substr(4) : pixel_format;
    if (base == "gray") return "mono";
    if (base == "yuva444p") return "444alpha";
    if (base == "yuv420p") {
        if (site == colour::ChromaSite::left) return "420mpeg2";
        return site == colour::ChromaSite::top_left ? "420paldv" : "420jpeg";
    }
    if (base == "yuv411p" || base == "yuv422p" || base == "yuv444p") return base.substr(3, 3);
    for (const char* depth : {"9", "10", "12", "14", "16"}) {
        if (base == std::string("gray") + depth + "le") return std::string("mono") + depth;
        for (const char* sampling : {"420", "422", "444"})
            if (base == std::string("yuv") + sampling + "p" + depth + "le")
                return std::string(sampling) + "p" + depth;
    }
    return "";
}

namespace {

struct CloseFile {
    void operator()(std::FILE* file) const {
        if (file != stdout) std::fclose(file);
    }
};

class RawWriter final : public VideoWriter {
  public:
    RawWriter(const OutputSettings& settings, OutputChoice choice, const colour::PictureFormat& format)
        : choice_(std::move(choice)), format_(format), target_(settings.target) {
        file_.reset(settings.target == "-" ? stdout : std::fopen(target_.path().c_str(), "wb"));
        if (!file_) fail("cannot be opened for writing");
        if (choice_.muxer == "y4m") put_header();
    }
    ~RawWriter() override { file_.reset(); }

    const OutputChoice& choice() const override { return choice_; }
    int64_t frames_written() const override { return frames_; }
    int64_t bytes_written() const override { return bytes_; }

    void write_video(const colour::HostPlanes& planes, int64_t, std::function<void()> release) override {
        struct AtEnd { // the planes are read in this very call
            std::function<void()>& call;
            ~AtEnd() {
                if (call) call();
            }
        } const at_end{release};
        if (choice_.muxer == "y4m") put("FRAME\n", 6);
        for (int plane = 0; plane < format_.pixels.plane_count; ++plane) {
            const size_t line_bytes =
                static_cast<size_t>(format_.pixels.plane_line_bytes(plane, format_.width));
            const int lines = format_.pixels.plane_lines(plane, format_.height);
            const uint8_t* line = planes.data[static_cast<size_t>(plane)];
            const ptrdiff_t pitch = planes.pitch[static_cast<size_t>(plane)];
            if (pitch == static_cast<ptrdiff_t>(line_bytes)) {
                put(line, line_bytes * static_cast<size_t>(lines));
                continue;
            }
            for (int y = 0; y < lines; ++y, line += pitch)
                put(line, line_bytes);
        }
        ++frames_;
    }

    void write_audio(const float*, size_t) override {
        fail_check("raw output holds no sound", __FILE__, __LINE__);
    }

    void finish() override {
        close();
        target_.commit();
    }

    std::string finish_partial() noexcept override {
        try {
            close();
        } catch (...) { // a pipe that broke, a full disk: whole pictures before it are still good
        }
        if (frames_ == 0) {
            target_.discard();
            return {};
        }
        return target_.commit_partial();
    }

  private:
    [[noreturn]] void fail(const std::string& what) const {
        const int code = errno;
        throw Error(kind_of(AVERROR(code)), target_.name() + ": " + what + ": " + std::strerror(code));
    }
    void put(const void* bytes, size_t count) {
        if (std::fwrite(bytes, 1, count, file_.get()) != count) fail("cannot be written");
        bytes_ += static_cast<int64_t>(count);
    }
    void put_header();
    void close() {
        if (!file_) return;
        const bool ok = std::fflush(file_.get()) == 0;
        const int code = errno;
        file_.reset();
        errno = code;
        if (!ok) fail("cannot be written");
    }

    OutputChoice choice_;
    colour::PictureFormat format_;
    Target target_;
    std::unique_ptr<std::FILE, CloseFile> file_;
    int64_t frames_ = 0, bytes_ = 0;
};

// Source : the y4m format as mjpegtools and FFmpeg's yuv4mpegenc write it.
void RawWriter::put_header() {
    const std::string chroma = y4m_chroma(format_.pixels.name, format_.colour.chroma);
    const Rational rate = format_.rate > Rational(0) ? format_.rate : Rational(25);
    std::string header = "YUV4MPEG2 W" + std::to_string(format_.width) + " H" +
                         std::to_string(format_.height) + " F" + std::to_string(rate.num) + ":" +
                         std::to_string(rate.den) + " Ip A" + std::to_string(format_.sample_aspect.num) +
                         ":" + std::to_string(format_.sample_aspect.den) + " C" + chroma;
    if (chroma[0] == '4') {
        std::string upper = chroma == "444alpha" ? "444" : chroma;
        for (char& c : upper)
            c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
        header += " XYSCSS=" + upper;
    }
    header += format_.colour.range == colour::Range::full ? " XCOLORRANGE=FULL" : " XCOLORRANGE=LIMITED";
    header += "\n";
    put(header.data(), header.size());
}

} // namespace

std::unique_ptr<VideoWriter> make_raw_writer(const OutputSettings& settings, OutputChoice choice,
                                             const colour::PictureFormat& format) {
    return std::make_unique<RawWriter>(settings, std::move(choice), format);
}

} // namespace weft::media
