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

HostFrame HostFrame::again(Rational pts) const {
    auto impl = std::make_unique<Impl>();
    impl->frame = new_frame();
    if (av_frame_ref(impl->frame.get(), impl_->frame.get()) < 0)
        throw Error(ErrorKind::resource, "out of memory for another handle of a picture");
    impl->planes = impl_->planes;
    impl->format = impl_->format;
    impl->pts = pts;
    impl->duration = impl_->duration;
    impl->key = impl_->key;
    impl->interlaced = impl_->interlaced;
    impl->top_field_first = impl_->top_field_first;
    return HostFrame(std::move(impl));
}

} // namespace weft::media
