#include "present/window_sink.hpp"

namespace weft::present {

colour::PictureFormat WindowSink::wanted_format(const colour::PictureFormat& canvas) {
    using namespace colour;
    PictureFormat format = canvas;
    format.pixels = pixel_format("rgba");
    format.colour.matrix = Matrix::rgb;
    format.colour.range = Range::full;
    // A display takes SDR values as they are, whatever SDR curve they were made for; HDR is brought down to
    // it.
    if (canvas.colour.transfer == Transfer::pq || canvas.colour.transfer == Transfer::hlg)
        format.colour.transfer = Transfer::srgb;
    if (!same_primaries(canvas.colour.primaries, Primaries::bt709))
        format.colour.primaries = Primaries::bt709;
    format.sample_aspect = 1;
    return format;
}

std::vector<gpu::PictureRef> WindowSink::own_pictures(gpu::Device& device, const colour::PictureFormat&,
                                                      int) {
    shares_host_memory_ = device.traits().shares_host_memory;
    return {};
}

void WindowSink::submit(engine::OutputFrame frame) {
    PresentFrame shown;
    shown.index = frame.index;
    shown.time = frame.time.nanoseconds();
    shown.picture = {frame.host.data[0], frame.host.pitch[0], frame.format->width, frame.format->height};
    shown.lease = std::move(frame.lease);
    queue_.push(std::move(shown));
}

void WindowSink::finish(engine::Ending) {
    queue_.finish();
}

} // namespace weft::present
