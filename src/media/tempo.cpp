#include "media/tempo.hpp"

#include <algorithm>
#include <cstring>
#include <string>

#include "base/format.hpp"
#include "media/av_private.hpp"

namespace weft::media {
namespace {

constexpr int rate = 48000;
constexpr int chunk = 1024;

void check(int code, const char* what) {
    if (code < 0)
        throw Error(code == AVERROR(ENOMEM) ? ErrorKind::resource : ErrorKind::internal,
                    std::string("sound at another speed: ") + what + ": " + av_text(code));
}

} // namespace

struct Tempo::Impl {
    struct FreeGraph {
        void operator()(AVFilterGraph* it) const { avfilter_graph_free(&it); }
    };
    Pull source;
    std::unique_ptr<AVFilterGraph, FreeGraph> graph{avfilter_graph_alloc()};
    AVFilterContext* in = nullptr;
    AVFilterContext* out = nullptr;
    Av<AVFrame> got = new_frame();
    int offset = 0; // frames of `got` that are used up
    int64_t fed = 0;

    void feed() {
        Av<AVFrame> frame = new_frame();
        frame->format = AV_SAMPLE_FMT_FLT;
        frame->sample_rate = rate;
        frame->nb_samples = chunk;
        av_channel_layout_default(&frame->ch_layout, 2);
        check(av_frame_get_buffer(frame.get(), 0), "memory");
        source(reinterpret_cast<float*>(frame->data[0]), chunk);
        frame->pts = fed;
        fed += chunk;
        check(av_buffersrc_add_frame(in, frame.get()), "atempo");
    }
};

Tempo::Tempo(double speed, Pull pull) : impl_(std::make_unique<Impl>()) {
    route_av_log();
    Impl& impl = *impl_;
    impl.source = std::move(pull);
    if (!impl.graph) throw Error(ErrorKind::resource, "out of memory for sound at another speed");
    AVFilterGraph* graph = impl.graph.get();
    const auto make = [&](AVFilterContext** made, const char* filter, const char* name, const char* args) {
        check(avfilter_graph_create_filter(made, avfilter_get_by_name(filter), name, args, nullptr, graph),
              filter);
    };
    make(&impl.in, "abuffer", "in",
         "sample_rate=48000:sample_fmt=flt:channel_layout=stereo:time_base=1/48000");
    make(&impl.out, "abuffersink", "out", nullptr);
    AVFilterContext* last = impl.in;
    const auto append = [&](const char* filter, const std::string& args) {
        AVFilterContext* next = nullptr;
        make(&next, filter, nullptr, args.c_str());
        check(avfilter_link(last, 0, next, 0), filter);
        last = next;
    };
    // atempo goes down to a half; slower is several of them.
    for (; speed < 0.5; speed /= 0.5)
        append("atempo", "0.5");
    append("atempo", fmt::format("{:.6f}", speed));
    append("aformat", "sample_fmts=flt");
    check(avfilter_link(last, 0, impl.out, 0), "abuffersink");
    check(avfilter_graph_config(graph, nullptr), "atempo");
}

Tempo::~Tempo() = default;

void Tempo::pull(float* interleaved, size_t frames) {
    Impl& impl = *impl_;
    size_t done = 0;
    while (done < frames) {
        if (impl.offset < impl.got->nb_samples) {
            const size_t n = std::min(frames - done, static_cast<size_t>(impl.got->nb_samples - impl.offset));
            std::memcpy(interleaved + 2 * done,
                        reinterpret_cast<const float*>(impl.got->data[0]) + 2 * impl.offset,
                        n * 2 * sizeof(float));
            impl.offset += static_cast<int>(n);
            done += n;
            continue;
        }
        av_frame_unref(impl.got.get());
        impl.offset = 0;
        const int code = av_buffersink_get_frame(impl.out, impl.got.get());
        if (code == AVERROR(EAGAIN))
            impl.feed();
        else
            check(code, "atempo");
    }
}

} // namespace weft::media
