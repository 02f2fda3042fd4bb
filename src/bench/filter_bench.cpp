#include "bench/filter_bench.hpp"

#include <bit>
#include <cmath>

#include "base/error.hpp"
#include "base/format.hpp"
#include "bench/content.hpp"
#include "media/picture_filters.hpp"

namespace weft::bench {
namespace {

constexpr int most_pictures = 3000;
// The picture that is compared: in the middle of a loop; of a transition, half-way.
constexpr int shown = 13, shown_of = 26;
constexpr double most_beyond_one = 1e-4;

// The samples of component c of a picture without gaps, as codes.
std::vector<double> samples(const colour::PictureFormat& format, const std::vector<uint8_t>& bytes, int c) {
    const colour::PixelFormat& pixels = format.pixels;
    const colour::Component& component = pixels.components[static_cast<size_t>(c)];
    size_t begin = 0;
    for (int p = 0; p < component.plane; ++p)
        begin += static_cast<size_t>(pixels.plane_line_bytes(p, format.width)) *
                 static_cast<size_t>(pixels.plane_lines(p, format.height));
    const auto line = static_cast<size_t>(pixels.plane_line_bytes(component.plane, format.width));
    std::vector<double> out;
    for (int y = 0; y < pixels.component_height(c, format.height); ++y)
        for (int x = 0; x < pixels.component_width(c, format.width); ++x) {
            const uint8_t* at = bytes.data() + begin + static_cast<size_t>(y) * line +
                                static_cast<size_t>(x) * component.step + component.offset;
            uint32_t word = 0;
            for (int byte = 0; byte < pixels.sample_bytes(); ++byte)
                word |= static_cast<uint32_t>(at[byte]) << (8 * byte);
            out.push_back(pixels.is_float ? std::bit_cast<float>(word) * 255.0
                                          : word >> component.shift & ((uint32_t{1} << component.depth) - 1));
        }
    return out;
}

Agreement compare(const colour::PictureFormat& format, const std::vector<uint8_t>& a,
                  const std::vector<uint8_t>& b) {
    Agreement found;
    double count = 0, beyond = 0;
    for (int c = 0; c < format.pixels.component_count; ++c) {
        const std::vector<double> left = samples(format, a, c), right = samples(format, b, c);
        for (size_t i = 0; i < left.size(); ++i) {
            const double difference = std::abs(left[i] - right[i]);
            found.worst = std::max(found.worst, difference);
            beyond += difference > 1;
        }
        count += static_cast<double>(left.size());
    }
    found.beyond_one = beyond / count;
    found.good = found.beyond_one <= most_beyond_one;
    return found;
}

double psnr(const colour::PictureFormat& format, const std::vector<uint8_t>& a,
            const std::vector<uint8_t>& b) {
    if (a.size() != b.size())
        throw Error(ErrorKind::internal,
                    fmt::format("FFmpeg's picture has {} bytes, weft's {}", b.size(), a.size()));
    const std::vector<double> left = samples(format, a, 0), right = samples(format, b, 0);
    double sum = 0;
    for (size_t i = 0; i < left.size(); ++i)
        sum += (left[i] - right[i]) * (left[i] - right[i]);
    const double peak = format.pixels.is_float ? 255 : std::exp2(format.pixels.depth()) - 1;
    return sum > 0 ? 10 * std::log10(peak * peak * static_cast<double>(left.size()) / sum) : 100;
}

// FFmpeg's filter on the same loops.
class Ffmpeg {
  public:
    Ffmpeg(Rig& rig, const FilterCase& filter) : filter_(filter), loops_(loops_of(rig, filter.scene)) {}

    Cost batch(int count) {
        const auto filters = open(count);
        const CostMeter meter;
        for (int fed = 0, done = 0; done < count; ++fed) {
            feed(*filters, fed);
            while (done < count && filters->skip())
                ++done;
        }
        return meter.spent() / count;
    }

    std::vector<uint8_t> picture(int number, int count) {
        const auto filters = open(count);
        for (int fed = 0, taken = 0;; ++fed) {
            feed(*filters, fed);
            while (auto planes = filters->take())
                if (taken++ == number) return *planes;
        }
    }

  private:
    std::unique_ptr<media::PictureFilters> open(int count) const {
        std::string chain = filter_.ffmpeg;
        const std::string word = "$DURATION";
        if (const size_t at = chain.find(word); at != std::string::npos)
            chain.replace(at, word.size(), fmt::format("{}", count / filter_.scene.rate.value()));
        return std::make_unique<media::PictureFilters>(chain, filter_.scene.streams,
                                                       filter_.scene.outputs.front().format.pixels.name);
    }

    void feed(media::PictureFilters& filters, int number) const {
        // A filter that swallows everything would keep us for ever.
        WEFT_CHECK(number < 2 * most_pictures);
        std::vector<colour::HostPlanes> planes;
        for (const Loop* loop : loops_)
            planes.push_back(loop->host(number));
        filters.feed(planes);
    }

    const FilterCase& filter_;
    std::vector<const Loop*> loops_;
};

graph::Plan plan_of(Rig& rig, const FilterCase& filter) {
    return graph::make_plan(filter.scene, rig.device.traits(), rig.planner);
}

// The same picture by another way.
graph::Plan other_plan(Rig& rig, const FilterCase& filter) {
    DeviceTraits traits = rig.device.traits();
    traits.kind = traits.kind == DeviceKind::cpu ? DeviceKind::gpu : DeviceKind::cpu;
    graph::PlannerOptions options = rig.planner;
    options.fuse = false;
    options.shapes.clear();
    return graph::make_plan(filter.scene, traits, options);
}

void measure(Rig& rig, const FilterCase& filter, const FilterOptions& options, FilterRow& row) {
    PlanSide weft(rig, filter.scene, plan_of(rig, filter));
    row.bytes = weft.bytes();
    row.passes = weft.plan().passes.size();
    CopySide copy(rig.device, row.bytes);
    const auto ours = [&](int n) { return weft.batch(n); };
    const auto copies = [&](int n) { return copy.batch(n); };
    const int count = count_for(options.ms, ours, loop_length, most_pictures);
    const int copy_count = count_for(options.ms / 3, copies, loop_length, most_pictures);
    const colour::PictureFormat& output = filter.scene.outputs.front().format;
    const std::vector<uint8_t> picture = weft.picture(shown, shown_of);
    if (options.check)
        row.check = compare(output, picture,
                            PlanSide(rig, filter.scene, other_plan(rig, filter)).picture(shown, shown_of));

    std::optional<Ffmpeg> ffmpeg;
    int ffmpeg_count = 0;
    if (options.ffmpeg && !filter.ffmpeg.empty()) {
        try {
            ffmpeg.emplace(rig, filter);
            row.ffmpeg.emplace().psnr_db = psnr(output, picture, ffmpeg->picture(shown, shown_of));
            ffmpeg_count = count_for(
                options.ms, [&](int n) { return ffmpeg->batch(n); }, loop_length, most_pictures);
        } catch (const Error& refusal) {
            row.ffmpeg.reset();
            ffmpeg.reset();
            row.ffmpeg_refusal = describe(refusal);
        }
    }
    std::vector<Cost> weft_costs, copy_costs, ffmpeg_costs;
    for (int round = 0; round < options.rounds; ++round) {
        weft_costs.push_back(weft.batch(count));
        copy_costs.push_back(copy.batch(copy_count));
        if (ffmpeg) ffmpeg_costs.push_back(ffmpeg->batch(ffmpeg_count));
    }
    row.weft = spread(weft_costs);
    row.copy = spread(copy_costs);
    if (row.ffmpeg) row.ffmpeg->cost = spread(ffmpeg_costs);
}

} // namespace

FilterRow measure_filter(Rig& rig, const FilterCase& filter, const FilterOptions& options) {
    FilterRow row;
    row.title = filter.title;
    row.chain = filter.chain;
    row.ffmpeg_chain = filter.ffmpeg;
    try {
        measure(rig, filter, options, row);
    } catch (const cl::Error& error) {
        row.error = fmt::format("{}: {}", error.what(), gpu::cl_error_name(error.err()));
    } catch (const Error& error) {
        row.error = describe(error);
    }
    return row;
}

} // namespace weft::bench
