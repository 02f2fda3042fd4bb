#include <cerrno>
#include <cstdio>
#include <cstring>

#include "media/encoder_private.hpp"
#include "media/file_writer_private.hpp"
#include "media/target_private.hpp"

namespace weft::media {
namespace {

// "out%04d.png" with one %d or %0Nd: the number, counted from 1 as FFmpeg does. "%%" is a percent sign.
class NumberedName {
  public:
    explicit NumberedName(const std::string& pattern) {
        for (size_t i = 0; i < pattern.size(); ++i) {
            if (pattern[i] != '%') {
                text() += pattern[i];
                continue;
            }
            size_t end = i + 1;
            while (end < pattern.size() && std::isdigit(static_cast<unsigned char>(pattern[end])) != 0)
                ++end;
            const std::string digits = pattern.substr(i + 1, end - i - 1);
            if (end < pattern.size() && pattern[end] == '%' && digits.empty()) {
                text() += '%';
            } else if (end < pattern.size() && pattern[end] == 'd' && !numbered_ && digits.size() <= 2) {
                numbered_ = true;
                width_ = digits.empty() ? 0 : static_cast<size_t>(std::stoi(digits));
            } else {
                throw Error(ErrorKind::usage,
                            pattern + ": allowed is one %d or %04d for the number, and %% for %");
            }
            i = end;
        }
    }
    bool numbered() const { return numbered_; }
    std::string operator()(int64_t number) const {
        if (!numbered_) return before_;
        std::string digits = std::to_string(number);
        if (digits.size() < width_) digits.insert(0, width_ - digits.size(), '0');
        return before_ + digits + after_;
    }

  private:
    std::string& text() { return numbered_ ? after_ : before_; }
    std::string before_, after_;
    bool numbered_ = false;
    size_t width_ = 0;
};

class PngWriter final : public VideoWriter {
  public:
    PngWriter(const OutputSettings& settings, OutputChoice choice, const colour::PictureFormat& format)
        : choice_(std::move(choice)), format_(format), pattern_(settings.target), name_(settings.target),
          encoder_(Encoder::video(settings, choice_, format, false)) {
        const std::string first = name_(1);
        const Target trial(first); // the folder must be there
        std::FILE* file = std::fopen(trial.path().c_str(), "wb");
        if (file == nullptr) fail(first, "cannot be opened for writing");
        std::fclose(file);
    }
    ~PngWriter() override {
        if (finished_) return;
        std::error_code error;
        for (int64_t i = 1; i <= pictures_; ++i)
            std::filesystem::remove(name_(i), error);
    }

    const OutputChoice& choice() const override { return choice_; }
    int64_t frames_written() const override { return frames_; }
    int64_t bytes_written() const override { return bytes_; }

    void write_video(const colour::HostPlanes& planes, int64_t, std::function<void()> release) override {
        const Av<AVFrame> frame = borrow_planes(planes, format_, frames_, std::move(release));
        if (!name_.numbered() && frames_ > 0)
            throw Error(ErrorKind::usage, pattern_ + ": holds one picture; name the series like out%04d.png");
        ++frames_;
        encoder_.encode(frame.get(), [this](AVPacket& packet) { store(packet); });
    }
    void write_audio(const float*, size_t) override {
        fail_check("pictures hold no sound", __FILE__, __LINE__);
    }

    void finish() override {
        encoder_.encode(nullptr, [this](AVPacket& packet) { store(packet); });
        finished_ = true;
    }
    std::string finish_partial() noexcept override { // every picture that is there is whole
        try {
            finish();
        } catch (...) {
        }
        finished_ = true;
        return pictures_ > 0 ? pattern_ : std::string();
    }

  private:
    [[noreturn]] static void fail(const std::string& file, const std::string& what) {
        const int code = errno;
        throw Error(kind_of(AVERROR(code)), file + ": " + what + ": " + std::strerror(code));
    }
    void store(const AVPacket& packet) {
        Target target(name_(pictures_ + 1));
        std::FILE* file = std::fopen(target.path().c_str(), "wb");
        if (file == nullptr) fail(target.name(), "cannot be opened for writing");
        const size_t size = static_cast<size_t>(packet.size);
        const bool written = std::fwrite(packet.data, 1, size, file) == size;
        if (std::fclose(file) != 0 || !written) fail(target.name(), "cannot be written");
        target.commit();
        ++pictures_;
        bytes_ += packet.size;
    }

    OutputChoice choice_;
    colour::PictureFormat format_;
    std::string pattern_;
    NumberedName name_;
    Encoder encoder_;
    int64_t frames_ = 0, pictures_ = 0, bytes_ = 0;
    bool finished_ = false;
};

} // namespace

std::unique_ptr<VideoWriter> make_png_writer(const OutputSettings& settings, OutputChoice choice,
                                             const colour::PictureFormat& format) {
    return std::make_unique<PngWriter>(settings, std::move(choice), format);
}

} // namespace weft::media
