// Where finished pictures go. A sink has its own ring and its own thread; what it does never holds up another
// sink.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/rational.hpp"
#include "colour/picture_format.hpp"
#include "gpu/device.hpp"
#include "gpu/picture.hpp"
#include "media/audio_mixer.hpp"

namespace weft::engine {

// The right to one slot of a sink's ring. The slot goes back to the conductor when the lease ends; from any
// thread.
class SlotLease {
  public:
    using Give = void (*)(void* owner, size_t slot) noexcept;
    SlotLease() = default;
    SlotLease(Give give, void* owner, size_t slot) : give_(give), owner_(owner), slot_(slot) {}
    SlotLease(SlotLease&& other) noexcept { swap(other); }
    SlotLease& operator=(SlotLease&& other) noexcept {
        SlotLease moved(std::move(other));
        swap(moved);
        return *this;
    }
    ~SlotLease() { end(); }
    void end() noexcept {
        if (give_ != nullptr) std::exchange(give_, nullptr)(owner_, slot_);
    }

  private:
    void swap(SlotLease& other) noexcept {
        std::swap(give_, other.give_);
        std::swap(owner_, other.owner_);
        std::swap(slot_, other.slot_);
    }
    Give give_ = nullptr;
    void* owner_ = nullptr;
    size_t slot_ = 0;
};

// One finished picture. Everything in it is complete and readable when a sink gets it, until `lease` ends.
struct OutputFrame {
    int64_t index = 0; // 0, 1, 2, ... in the order shown; live, numbers may be missing
    Rational time;     // media time on the canvas, in seconds
    const colour::PictureFormat* format = nullptr; // the sink's own; outlives the run
    colour::HostPlanes host; // the planes in host memory; no data where the sink painted into own_pictures()
    gpu::PictureRef device;  // the same picture on the device
    size_t slot = 0;         // which of the ring's pictures, 0 .. ring size - 1
    SlotLease lease;
};

// How a run ended for its sinks.
enum class Ending {
    complete,    // every frame was submitted
    interrupted, // the user stopped it: what there is must be finished and playable
    failed       // the run broke after its first frame: keep what can be kept, named as partial
};

// Counted by the engine, completed by the sink.
struct SinkReport {
    std::string name;
    int64_t frames = 0;  // submitted
    int64_t dropped = 0; // a live sink was not ready
    int64_t bytes = 0;   // written
    std::string file;    // what was written in the end; "" when nothing is a file
    std::string error;   // why the sink failed; "" when it did not
    bool partial = false;
};

// Implemented by this module (null, hash, encode) and by present (window).
//   threads: wanted_format, own_pictures, offer_sound and prepare on the thread of run(); submit and finish
//   on the sink's own.
class FrameSink {
  public:
    virtual ~FrameSink() = default;
    // For people: "out.mp4", "window".
    virtual std::string name() const = 0;
    // The form the sink wants its pictures in. `canvas` is that of the run: size, rate and colour resolved,
    // pixels unset. Called once, before the first frame. The engine may enlarge width and height by one where
    // chroma is subsampled, see graph::OutputForm.
    virtual colour::PictureFormat wanted_format(const colour::PictureFormat& canvas) = 0;
    // A sink that shows: it gets the newest picture and misses others. Else it gets every one and may block.
    virtual bool drops() const { return false; }
    // Pictures of its ring, at least 2.
    virtual int ring_size() const { return 3; }
    // Device memory of the sink's own to be painted into, `count` pictures of `format` (display interop).
    // Empty: the engine makes the pictures, with host planes.
    virtual std::vector<gpu::PictureRef> own_pictures(gpu::Device& device,
                                                      const colour::PictureFormat& format, int count) {
        (void)device, (void)format, (void)count;
        return {};
    }
    // The sound of the run, before prepare(); every sink makes a mixer of its own of it. Empty: silent.
    virtual void offer_sound(const std::vector<media::MixUse>& uses) { (void)uses; }
    // The final form and the number of frames to come (-1: unknown). Opens files.
    virtual void prepare(const colour::PictureFormat& format, int64_t frames) { (void)format, (void)frames; }
    // One picture, in order. May keep the frame (move it) beyond the call, as long as it does not keep all of
    // them. Errors : any Error ends this sink alone: finish(failed) follows.
    virtual void submit(OutputFrame frame) = 0;
    // After the last submit; also when prepare() or submit() failed. Every lease must have ended on return.
    virtual void finish(Ending ending) { (void)ending; }
    // Adds bytes, file and the like to what the engine counted. After finish().
    virtual void report(SinkReport& report) const { (void)report; }
};

} // namespace weft::engine
