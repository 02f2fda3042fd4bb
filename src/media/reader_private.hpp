// One opened container and the thread that reads it into a packet queue per selected stream.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "media/av_private.hpp"
#include "media/input.hpp"
#include "media/packet_watch.hpp"
#include "media/raw_frames_private.hpp"
#include "media/waiting_file_private.hpp"

namespace weft::media {

// "file:..." for a path, "pipe:0" for "-", an address unchanged.
std::string av_url(const std::string& url, const std::string& format);
bool is_address(const std::string& url); // "scheme://..."

// What the end of a file on a disk shows once it was reached.
struct FileEnd {
    bool cut = false;   // before the end that the container declares, or within a packet
    bool torn = false;  // this stream's last packet is not whole; it was thrown away
    bool open = false;  // and nothing tells how much would follow
    int64_t beyond = 0; // packets of the stream that the container's index names and the file does not hold
};

// The file is opened and its first packets are looked at by the constructor; the thread starts with the first
// pop() or seek(). select() and unselect() from any thread; one consumer a stream.
class Reader {
  public:
    enum class Got { packet, end, starved, stopped };

    // Errors : as Input's constructor, without the judgement on streams.
    Reader(const std::string& url, const InputOptions& options, const std::atomic<bool>& stop);
    ~Reader();
    Reader(const Reader&) = delete;
    Reader& operator=(const Reader&) = delete;

    AVFormatContext& context() { return *context_; } // before the thread has started
    bool started() const;
    bool seekable() const { return seekable_; }
    bool ends_in_fragment() const { return ends_in_fragment_; } // a file on a disk; see torn_fragment()

    // Reads up to `packets` packets of a stream ahead, before the thread starts, and returns their decoding
    // or presentation times in order of presentation, seconds. The packets are delivered later as usual.
    std::vector<Rational> look_ahead(int index, size_t packets);
    // The end of the last whole packet of a stream, seconds on the container's clock; nullopt when there is
    // none with a time. `rate` counts packets that have no time. Reads a fresh reader to its end, from the
    // last key frame on where the container's index says which packets the file holds.
    std::optional<Rational> measure_end(int index, Rational rate);

    // memory: where pictures that lie in the file as they are may be read to; it is used until unselect().
    // watch: told of the stream's packets until then
    void select(int index, FrameMemory* memory = nullptr, std::shared_ptr<PacketWatch> watch = nullptr);
    // Keeps the stream's packets for a decoder that may come later, the newest 16 MiB of them; never holds up
    // reading.
    void reserve(int index);
    void unselect(int index);
    bool has(int index) const; // selected
    size_t selected() const;

    // The next packet of a selected stream; waits. `starved`: every queue is at its hard bound and this one
    // is empty; only said to those that can be given a reader of their own (`may_starve`). Errors : bad_input
    // when the connection broke (after the good packets).
    Got pop(int index, Av<AVPacket>& packet, bool may_starve);
    // After pop() said `end`.
    FileEnd file_end(int index) const;

    // Moves the whole reader to the last key frame of the stream at or before `timestamp` (its own time base)
    // and drops what is queued. False when the container cannot; then the position is undefined.
    bool seek(int index, int64_t timestamp);

    void wake(); // after the stop flag was set

  private:
    struct Queue {
        std::deque<Av<AVPacket>> packets;
        size_t bytes = 0;
        bool waiting = false;
        bool reserved = false;
        bool any = false; // had a packet
        FileEnd end;
        FrameMemory* memory = nullptr;
        std::shared_ptr<PacketWatch> watch;
    };
    static int interrupted(void* self);
    bool given_up() const; // stopped, closing, cancelled or past the deadline
    Error gave_up(const std::string& url) const;
    void open(const std::string& url);
    void run();
    bool room() const; // with the lock held: whether to read on
    bool at_hard_bound() const;
    bool full(int index, const Queue& queue) const;
    int read(AVPacket& packet, FrameMemory* memory);
    void take_in(Av<AVPacket> packet, Nanoseconds begun, Nanoseconds done);
    bool is_torn(const AVPacket& packet) const; // the file ended within it
    bool throw_away_torn(const AVPacket& packet);
    int64_t place() const;                      // in the file, of what is read next
    int take_for_end(int code, int64_t before); // `before`: place() before the read that gave `code`
    void look_at_end(int code);
    void do_seek();

    InputOptions options_;
    std::string url_;
    const std::atomic<bool>& stop_;
    std::atomic<bool> closing_{false};
    std::atomic<int64_t> deadline_ns_{0};
    std::unique_ptr<WaitingFile> pipe_; // what `context_` reads when the file is none that lies on a disk
    AVFormatContext* context_ = nullptr;
    bool seekable_ = false;
    bool ends_in_fragment_ = false;
    bool local_ = true;
    bool waits_ = true; // others decide when data comes: an address, a pipe, a device
    std::deque<Av<AVPacket>> ahead_;
    std::optional<RawFrames> raw_; // none for what does not lie on a disk: a read would hold up unselect()

    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::map<int, Queue> queues_;
    size_t total_bytes_ = 0;
    bool selection_changed_ = true;
    bool torn_ = false; // a packet of any stream
    bool lent_ = false; // the thread is using a queue's memory
    bool end_ = false;
    int error_ = 0;
    struct SeekRequest {
        int index;
        int64_t timestamp;
    };
    std::optional<SeekRequest> seek_;
    bool seek_done_ = false;
    bool seek_ok_ = false;
    std::thread thread_;
};

} // namespace weft::media
