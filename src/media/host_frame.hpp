// One decoded picture in host memory.
#pragma once

#include <memory>

#include "base/rational.hpp"
#include "colour/picture_format.hpp"

namespace weft::media {

// One decoded picture. Move-only; the memory lives until the frame is destroyed (and the codec needs it no
// more). May be destroyed on any thread. Never write into the planes: the codec may still predict from them.
class HostFrame {
  public:
    HostFrame(HostFrame&&) noexcept;
    HostFrame& operator=(HostFrame&&) noexcept;
    ~HostFrame();

    // Planes of the visible picture: the codec's crop is applied to the pointers. `block` is the allocator's
    // block when the codec wrote into one. Pitches may be negative, and differ from frame to frame.
    const colour::HostPlanes& planes() const;
    // Of this very picture: may change in mid-stream. Equal formats are the same pointer.
    const std::shared_ptr<const colour::PictureFormat>& format() const;
    Rational pts() const;      // seconds from the stream's zero
    Rational duration() const; // seconds; a guess from the rate when the file does not say
    bool key() const;
    bool interlaced() const;
    bool top_field_first() const;
    // The same picture in the same memory, due at another time. Errors : resource.
    HostFrame again(Rational pts) const;

    struct Impl;
    explicit HostFrame(std::unique_ptr<Impl> impl); // for this module

  private:
    std::unique_ptr<Impl> impl_;
};

} // namespace weft::media
