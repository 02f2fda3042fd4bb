// One use of an input: its decoder on a thread of its own, and the ring of pictures that are on the device.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/ring.hpp"
#include "colour/picture_format.hpp"
#include "engine/placeholder.hpp"
#include "engine/reading.hpp"
#include "engine/trace.hpp"
#include "gpu/upload.hpp"
#include "media/sound_relay.hpp"
#include "media/video_decoder.hpp"

namespace weft::engine {

// What a stream reads, opened. Members are in the order in which they depend on each other.
struct OpenedInput {
    std::shared_ptr<media::Input> input;
    std::shared_ptr<gpu::HostBlocks> memory; // of the decoder, until the uploader has it
    std::unique_ptr<gpu::Uploader> uploader; // hands the decoder its memory
    std::unique_ptr<media::VideoDecoder> decoder;
    std::shared_ptr<const Placeholder> placeholder; // where a rule of the input asks for one
    std::shared_ptr<Reading> reading;               // where somebody measures
};

// Opens a broken input anew: its decoder writes into the allocator's memory; `cancelled` ends the waiting.
// Errors : as media::Input and VideoDecoder; then it is tried again.
using OpenAgain = std::function<OpenedInput(FrameAllocator* allocator, std::function<bool()> cancelled)>;

// How canvas time and input time go together for one use; see graph::StreamUse.
struct StreamTimes {
    Rational from;                  // canvas time at which the use begins
    Rational start;                 // input time shown then
    std::optional<Rational> length; // canvas time it lasts
    Rational loop_start;            // where a loop begins again, input time
    std::optional<Rational> end;    // the input's trimmed end, input time; none: where the file ends
    std::optional<Rational> wanted; // input time up to which it would be shown; none: to its end
    bool loop = false;
};

// Which pictures are taken for pairs of fields.
enum class Fields { ignored, as_marked, always };

struct StreamSettings {
    std::string name;
    StreamTimes times;
    Rational rate{25};            // ticks per second of the canvas
    std::optional<int64_t> ticks; // of the run; none: endless
    // That the run was asked for: an input that is cut short may be what ends it before.
    std::optional<int64_t> ticks_asked;
    int slots = 2;
    // Set: an input that breaks off or ends is opened anew this often until it is there again. Its next
    // picture is then due at once (live), or where the last one ended.
    std::optional<Rational> reconnect;
    OpenAgain open_again;
    std::shared_ptr<media::SoundRelay> sound = {}; // told of every new connection; nullptr: nobody listens
    bool on_demand = false;                        // a picture comes up only when ask() or due() wants one
    int preload = 0; // pictures to decode once and show in turn, without end; 0: decode all
    // So many pictures before and behind the one that is due are kept too, each in a slot more, and none is
    // left out because no tick shows it.
    int neighbours = 0;
    // Pictures that are pairs of fields have one more neighbour kept on each side.
    Fields fields = Fields::ignored;
    bool early = false; // uses may end before their kernels are complete, where the upload path can do it
    Trace* trace = nullptr;
};

// One picture on the device, due from `from` until `until` in canvas time.
struct StreamSlot {
    std::optional<media::HostFrame> frame; // kept for as long as the device may read it
    gpu::Upload upload;
    std::shared_ptr<const colour::PictureFormat> format;
    Rational from;
    std::optional<Rational> until; // none: for ever
    // Of the last picture: where it ends by its own duration, and whether the input broke off behind it.
    std::optional<Rational> ends;
    bool broken = false; // with `until`: what follows comes only with a new connection
    int64_t number = 0;
    bool joins = false; // it follows picture number - 1 of the input without a jump
    uint64_t generation = 0;
    // Ticks in flight that read it, and one until the conductor has gone on to a later picture.
    std::atomic<int> users{0};
    std::atomic<bool> read{false}; // by the device at least once, so that the upload is over
    // Of the kernels that read it and may not be complete; what comes up next into the slot waits for it.
    cl::Event last_read;
};

struct StreamCounts {
    int64_t decoded = 0, uploaded = 0, skipped = 0, damaged = 0, bytes = 0;
    int64_t connections_lost = 0;
    int64_t missing = 0;    // pictures that would have been shown, but the file is cut short
    bool cut_short = false; // so it is, also where none can be counted
};

// threads: due(), ask(), seek() and keep_from() by the conductor; end_use(), drop_use() and stop() from
// anywhere.
class Stream {
  public:
    // Takes an opened input and starts decoding into the ring.
    Stream(OpenedInput opened, StreamSettings settings);
    ~Stream(); // stops; no use may be outstanding
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;

    // The picture due at canvas time t; the first one for a time before it. Waits until it is there, at most
    // `patience`; then, or after the input broke off, the last picture there was. nullptr when there is none
    // (patience at an end, or stopped). The slot stays valid until the next call and while uses of it last.
    // Errors : what ended the decode thread before its first picture.
    StreamSlot* due(Rational t, Nanoseconds patience = Nanoseconds::max());
    // On demand: one more picture may come up, unless one is there already that nobody took.
    void ask();
    // Pictures on the device that due() has not taken yet.
    int ready() const { return static_cast<int>(ring_.size()); }
    // Around what due() gave: its neighbours in the input, of the same format, the nearest first. Fewer than
    // are kept where the input begins, ends, jumps or changes, or where it is late. Valid for as long as what
    // due() gave.
    std::vector<StreamSlot*> before() const;
    std::vector<StreamSlot*> behind() const;
    // Whether its lines are taken for those of two fields.
    bool fields(const StreamSlot& slot) const { return has_fields(*slot.frame); }
    // A tick reads the slot; end_use() once the device has read it, drop_use() when it never will. A picture
    // that nobody read keeps the last one who drops it until it has come up: the device may be copying it.
    void begin_use(StreamSlot& slot);
    void end_use(StreamSlot& slot) noexcept;
    // Instead of end_use(), where may_end_early(): kernels that end with `done` are enqueued and read the
    // slot. The next picture may be enqueued into it, so that the copy queue has work whenever the device
    // could do it.
    bool may_end_early();
    void end_use_behind(StreamSlot& slot, const cl::Event& done);
    void drop_use(StreamSlot& slot) noexcept;

    // Pictures over before tick `tick` need not be uploaded any more.
    void keep_from(int64_t tick) { earliest_tick_.store(tick, std::memory_order_relaxed); }
    // From here on the pictures from canvas time t on; error() is forgotten. Errors : none here; the ring
    // carries them.
    void seek(Rational t);
    // Ends the thread soon; due() gives what there is.
    void stop() noexcept;
    // Whether the thread has ended, so that the destructor waits for nothing: a frozen input holds it up.
    bool ended() const { return ended_; }

    // Why decoding ended before its time; nullptr when it did not (yet).
    std::exception_ptr error() const;
    StreamCounts counts() const;
    const std::string& name() const { return settings_.name; }
    size_t slots() const { return ring_.capacity(); }
    gpu::UploadPath upload_path() const { return opened_.uploader->path(); }
    size_t device_bytes() const { return opened_.uploader->bytes(); }

  private:
    // A decoded picture with its place on the canvas.
    struct Placed {
        media::HostFrame frame;
        Rational from;
        int64_t number = 0;
        bool joins = true;
    };
    void work() noexcept;
    void decode_all();
    void decode_to_end();
    bool connect_again(); // false once stopped or sent elsewhere
    void start_at(Rational canvas);
    std::optional<Placed> next();
    std::optional<media::HostFrame> decode();
    void trace_decode(Nanoseconds begun);
    std::optional<media::HostFrame> replay();
    std::optional<Placed> looped();
    void note_missing();
    bool is_wanted(const Placed& placed, const Placed& following);
    bool wait_until_asked();
    // False once stopped or sent elsewhere. Without `until` it is the last picture.
    bool publish(Placed placed, std::optional<Rational> until, bool broken = false);
    bool publish_last(Placed placed, bool broken);
    bool interrupted() const;
    void wait_for_seek();
    StreamSlot* take();
    void step();
    void let_go();
    // Keeps the nearest `count` before the one that is due.
    void trim_before(size_t count);
    int reach() const; // neighbours that are kept on each side, at most
    int reach_now() const;
    bool has_fields(const media::HostFrame& frame) const;
    void drop_published();
    void forget_read(); // by the conductor alone, each time that it wants to end a use early

    StreamSettings settings_;
    OpenedInput opened_;
    Ring<std::unique_ptr<StreamSlot>> ring_; // behind opened_: frames end before the uploader

    // The conductor's demand.
    struct Demand {
        std::atomic<uint64_t> generation{0}; // counts seeks
        std::atomic<bool> stop{false};
    };
    std::atomic<int64_t> earliest_tick_{0};
    // Sound may read on from a connection that this stream has made, when the stream is gone.
    const std::shared_ptr<Demand> demand_ = std::make_shared<Demand>();
    std::atomic<bool> ended_{false};
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    Rational seek_target_;
    std::exception_ptr why_broken_; // told before the last picture is published
    bool asked_ = false;            // on demand: a picture is wanted or on its way
    // Pictures whose slots went on before the device had read them, in order; at most
    // gpu::Uploader::most_read_behind.
    struct BeingRead {
        cl::Event until;
        media::HostFrame frame;
    };
    std::mutex being_read_mutex_;
    std::deque<BeingRead> being_read_;

    // The decode thread's.
    uint64_t working_generation_ = 0;
    Rational shift_; // canvas time = input time + shift_, grows with every loop
    Rational slack_;
    std::optional<Rational> last_end_; // input time, of the last picture decoded
    int64_t number_ = 0;
    bool any_in_loop_ = false;
    bool cut_ = false;                   // ended where the pipeline says, not where the input does
    std::optional<Rational> resume_at_;  // canvas time of the next picture, the first of a new connection
    int64_t damaged_before_ = 0;         // of earlier connections
    std::vector<media::HostFrame> kept_; // preloaded
    size_t replayed_ = 0;                // of kept_, rounds counted
    bool jumped_ = true;                 // to what is decoded next
    bool behind_fields_ = false;         // what was decoded before the pending one was fields

    // The conductor's.
    StreamSlot* current_ = nullptr;
    std::deque<StreamSlot*> before_, behind_; // the nearest first

    std::atomic<int64_t> decoded_{0}, uploaded_{0}, skipped_{0}, damaged_{0}, bytes_{0}, connections_lost_{0},
        missing_{0};
    std::atomic<bool> cut_short_{false};
    std::thread thread_; // last: it uses all of the above
};

} // namespace weft::engine
