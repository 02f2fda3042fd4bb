#include "media/picture_filters.hpp"

#include "base/format.hpp"
#include "media/av_private.hpp"

namespace weft::media {
namespace {

struct FreeGraph {
    void operator()(AVFilterGraph* it) const { avfilter_graph_free(&it); }
};
struct FreeEnds {
    void operator()(AVFilterInOut* ends) const { avfilter_inout_free(&ends); }
};
using Ends = std::unique_ptr<AVFilterInOut, FreeEnds>;

AVPixelFormat format_of(const std::string& name) {
    const AVPixelFormat format = av_get_pix_fmt(name.c_str());
    if (format == AV_PIX_FMT_NONE)
        throw Error(ErrorKind::unsupported, fmt::format("FFmpeg does not know the pixel format '{}'", name));
    return format;
}

// Says what the pictures' colours are. Said by the pictures or by their source, it depends on FFmpeg's
// version who listens.
std::string colour_filter(const colour::PictureFormat& format) {
    const AvColour colour =
        av_colour(format.colour, format.pixels.model == colour::Model::ycbcr, format.pixels.subsampled());
    return fmt::format("setparams=colorspace={}:range={}:color_trc={}:color_primaries={}",
                       av_color_space_name(colour.matrix), av_color_range_name(colour.range),
                       av_color_transfer_name(colour.transfer), av_color_primaries_name(colour.primaries));
}

// The caller's memory outlives every frame made of it.
void keep(void* /*opaque*/, uint8_t* /*data*/) {}

} // namespace

bool ffmpeg_has_filter(const std::string& name) {
    return avfilter_get_by_name(name.c_str()) != nullptr;
}

struct PictureFilters::Impl {
    std::string chain;
    std::unique_ptr<AVFilterGraph, FreeGraph> graph{avfilter_graph_alloc()};
    std::vector<AVFilterContext*> in;
    std::vector<colour::PictureFormat> formats;
    AVFilterContext* out = nullptr;
    Av<AVFrame> got = new_frame();
    int64_t fed = 0;

    void check(int code, const LogCapture& log) const {
        if (code < 0) throw Error(kind_of(code), fmt::format("FFmpeg's '{}': {}", chain, log.reason(code)));
    }

    void add_source(const colour::PictureFormat& format, const LogCapture& log) {
        const std::string words =
            fmt::format("video_size={}x{}:pix_fmt={}:time_base={}/{}:frame_rate={}/{}:pixel_aspect=1/1",
                        format.width, format.height, static_cast<int>(format_of(format.pixels.name)),
                        format.rate.den, format.rate.num, format.rate.num, format.rate.den);
        AVFilterContext* made = nullptr;
        check(avfilter_graph_create_filter(&made, avfilter_get_by_name("buffer"),
                                           fmt::format("in{}", in.size()).c_str(), words.c_str(), nullptr,
                                           graph.get()),
              log);
        in.push_back(made);
        formats.push_back(format);
    }

    Av<AVFrame> frame_of(const colour::HostPlanes& planes, const colour::PictureFormat& format) const {
        Av<AVFrame> frame = new_frame();
        frame->width = format.width;
        frame->height = format.height;
        frame->format = format_of(format.pixels.name);
        if (format.pixels.subsampled())
            frame->chroma_location =
                av_colour(format.colour, format.pixels.model == colour::Model::ycbcr, true).chroma;
        frame->sample_aspect_ratio = {1, 1};
        frame->pts = fed;
        for (int p = 0; p < format.pixels.plane_count; ++p) {
            const auto i = static_cast<size_t>(p);
            const int bytes = planes.pitch[i] * format.pixels.plane_lines(p, format.height);
            auto* data = const_cast<uint8_t*>(planes.data[i]); // NOLINT: marked read-only below
            frame->data[i] = data;
            frame->linesize[i] = planes.pitch[i];
            frame->buf[i] =
                av_buffer_create(data, static_cast<size_t>(bytes), keep, nullptr, AV_BUFFER_FLAG_READONLY);
            if (frame->buf[i] == nullptr)
                throw Error(ErrorKind::resource, "out of memory for a picture of FFmpeg's");
        }
        return frame;
    }

    bool next() {
        av_frame_unref(got.get());
        const LogCapture log;
        const int code = av_buffersink_get_frame(out, got.get());
        if (code == AVERROR(EAGAIN) || code == AVERROR_EOF) return false;
        check(code, log);
        return true;
    }
};

PictureFilters::PictureFilters(const std::string& chain, const std::vector<colour::PictureFormat>& inputs,
                               const std::string& output)
    : impl_(std::make_unique<Impl>()) {
    route_av_log();
    const LogCapture log;
    Impl& impl = *impl_;
    impl.chain = chain;
    if (!impl.graph) throw Error(ErrorKind::resource, "out of memory for FFmpeg's filters");
    for (const colour::PictureFormat& format : inputs)
        impl.add_source(format, log);
    impl.check(avfilter_graph_create_filter(&impl.out, avfilter_get_by_name("buffersink"), "out", nullptr,
                                            nullptr, impl.graph.get()),
               log);
    // The names are seen from the chain: its inputs are what the sources put out.
    Ends sources, sink(avfilter_inout_alloc());
    for (size_t i = impl.in.size(); i-- > 0;) {
        Ends one(avfilter_inout_alloc());
        if (!one || !sink) throw Error(ErrorKind::resource, "out of memory for FFmpeg's filters");
        one->name = av_strdup(fmt::format("in{}", i).c_str());
        one->filter_ctx = impl.in[i];
        one->next = sources.release();
        sources = std::move(one);
    }
    sink->name = av_strdup("out");
    sink->filter_ctx = impl.out;
    std::string text, tagged;
    for (size_t i = 0; i < impl.in.size(); ++i) {
        text += fmt::format("[in{0}]{1}[tagged{0}];", i, colour_filter(inputs[i]));
        tagged += fmt::format("[tagged{}]", i);
    }
    text += tagged + fmt::format("{},format={}[out]", chain, av_get_pix_fmt_name(format_of(output)));
    AVFilterInOut* open_outputs = sources.release();
    AVFilterInOut* open_inputs = sink.release();
    const int parsed =
        avfilter_graph_parse_ptr(impl.graph.get(), text.c_str(), &open_inputs, &open_outputs, nullptr);
    const Ends left_outputs(open_outputs), left_inputs(open_inputs);
    impl.check(parsed, log);
    impl.check(avfilter_graph_config(impl.graph.get(), nullptr), log);
}

PictureFilters::~PictureFilters() = default;

void PictureFilters::feed(const std::vector<colour::HostPlanes>& pictures) {
    const LogCapture log;
    WEFT_CHECK(pictures.size() == impl_->in.size());
    for (size_t i = 0; i < pictures.size(); ++i) {
        const Av<AVFrame> frame = impl_->frame_of(pictures[i], impl_->formats[i]);
        impl_->check(av_buffersrc_add_frame(impl_->in[i], frame.get()), log);
    }
    ++impl_->fed;
}

bool PictureFilters::skip() {
    return impl_->next();
}

std::optional<std::vector<uint8_t>> PictureFilters::take() {
    if (!impl_->next()) return std::nullopt;
    const AVFrame& frame = *impl_->got;
    const auto format = static_cast<AVPixelFormat>(frame.format);
    const int bytes = av_image_get_buffer_size(format, frame.width, frame.height, 1);
    if (bytes < 0) throw Error(ErrorKind::internal, "a picture of FFmpeg's without a size");
    std::vector<uint8_t> out(static_cast<size_t>(bytes));
    av_image_copy_to_buffer(out.data(), bytes, frame.data, frame.linesize, format, frame.width, frame.height,
                            1);
    return out;
}

} // namespace weft::media
