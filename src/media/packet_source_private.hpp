// One decoder's own position in an input: which reader serves it, and how it moves.
#pragma once

#include <memory>
#include <vector>

#include "media/input.hpp"
#include "media/reader_private.hpp"

namespace weft::media {

struct Input::Impl {
    std::atomic<bool> stop{false};
    std::string url;
    InputOptions options;
    InputInfo info;
    std::optional<int> best_video, best_audio;
    std::mutex mutex;
    std::shared_ptr<Reader> shared;             // the one that looked at the file; decoders join it at first
    std::vector<std::weak_ptr<Reader>> readers; // all, to be woken by stop()

    std::shared_ptr<Reader> new_reader();
};

// One thread at a time, beside Input::stop().
class PacketSource {
  public:
    // memory, watch: see Reader::select(); nullptr for what is no picture.
    PacketSource(std::shared_ptr<Input> input, int index, FrameMemory* memory = nullptr,
                 std::shared_ptr<PacketWatch> watch = nullptr);
    ~PacketSource();
    PacketSource(const PacketSource&) = delete;
    PacketSource& operator=(const PacketSource&) = delete;

    AVStream& stream() { return *reader_->context().streams[index_]; }
    AVFormatContext& context() { return reader_->context(); }
    bool seekable() const { return reader_->seekable(); }

    // Empty at the end, and after Input::stop(). Errors : bad_input when the connection broke.
    Av<AVPacket> pop();
    FileEnd file_end() const { return reader_->file_end(index_); } // after the end
    // To the last key frame at or before `timestamp` (stream's time base). False when the container cannot.
    bool seek(int64_t timestamp);
    // To the very first packet. Errors : unsupported when the input cannot be opened twice.
    void rewind();

  private:
    void leave();
    void take_own();

    std::shared_ptr<Input> input_;
    int index_;
    FrameMemory* memory_;
    std::shared_ptr<PacketWatch> watch_;
    std::shared_ptr<Reader> reader_;
    bool fresh_ = true; // nothing popped since the first packet of the file
    int64_t last_dts_ = AV_NOPTS_VALUE;
};

} // namespace weft::media
