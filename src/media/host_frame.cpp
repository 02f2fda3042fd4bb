#include "media/host_frame_private.hpp"

namespace weft::media {

HostFrame::HostFrame(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
HostFrame::HostFrame(HostFrame&&) noexcept = default;
HostFrame& HostFrame::operator=(HostFrame&&) noexcept = default;
HostFrame::~HostFrame() = default;
const colour::HostPlanes& HostFrame::planes() const {
    return impl_->planes;
}
const std::shared_ptr<const colour::PictureFormat>& HostFrame::format() const {
    return impl_->format;
}
Rational HostFrame::pts() const {
    return impl_->pts;
}
Rational HostFrame::duration() const {
    return impl_->duration;
}
bool HostFrame::key() const {
    return impl_->key;
}
bool HostFrame::interlaced() const {
    return impl_->interlaced;
}
bool HostFrame::top_field_first() const {
    return impl_->top_field_first;
}

} // namespace weft::media
