#include "bench/tune_flow.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "engine/recorder.hpp"
#include "engine/sinks.hpp"

namespace weft::bench {
namespace {

constexpr int preloaded = 6;    // pictures of each stream
constexpr int64_t compared = 8; // pictures whose hashes must agree
constexpr int64_t most_frames = 2000;

struct Stop {};

class FlowTuner {
  public:
    FlowTuner(const graph::PipelineSpec& spec, const graph::FilterLibrary& library,
              const std::string& prelude, const engine::RunOptions& run, const TuneOptions& options,
              const Stopped& stopped)
        : spec_(spec), library_(library), prelude_(prelude), run_(run), options_(options), stopped_(stopped) {
    }

    FlowFinding find() {
        FlowVariant rule;
        expected_ = hashes(rule, &finding_.rule);
        // Long enough to be steady for a batch's time.
        frames_ = 40;
        const double once = ms_per_frame(rule);
        frames_ = std::clamp(static_cast<int64_t>(8 * options_.ms / std::max(once, 1e-3)), int64_t{40},
                             most_frames);
        finding_.variants.push_back(rule);
        FlowVariant best = better(rule, slots());
        best = better(best, paths(best.slots));
        if (best.slots != rule.slots || best.upload != rule.upload) confirm(rule, best);
        return std::move(finding_);
    }

  private:
    struct Runner {
        FlowVariant variant;
        std::vector<double> ms;
    };

    std::vector<FlowVariant> slots() const {
        std::vector<FlowVariant> out;
        for (const int count : {3, 4})
            out.push_back({.slots = count});
        return out;
    }

    std::vector<FlowVariant> paths(int count) const {
        std::vector<FlowVariant> out;
        for (const std::string& text : gpu::upload_path_names())
            if (const gpu::UploadPath path = *gpu::parse_upload_path(text);
                path != gpu::UploadPath::automatic && text != finding_.rule)
                out.push_back({.upload = path, .slots = count});
        return out;
    }

    engine::RunReport run(const FlowVariant& variant, int64_t frames,
                          std::vector<std::unique_ptr<engine::FrameSink>> sinks, engine::Trace* trace) {
        if (stopped_()) throw Stop{};
        engine::RunOptions run = run_;
        run.upload = variant.upload;
        run.buffers = variant.slots;
        run.preload = preloaded;
        run.most_frames = frames;
        run.trace = trace;
        engine::RunReport report = engine::run(spec_, library_, prelude_, sinks, run);
        if (report.interrupted) throw Stop{};
        if (report.failure) std::rethrow_exception(report.failure);
        return report;
    }

    double ms_per_frame(const FlowVariant& variant) {
        engine::Pace pace;
        std::vector<std::unique_ptr<engine::FrameSink>> sinks;
        sinks.push_back(engine::make_null_sink());
        run(variant, frames_, std::move(sinks), &pace);
        const std::vector<Nanoseconds> delivered = pace.delivered();
        // Without the pictures with which rings fill and empty.
        const size_t cut = 8;
        if (delivered.size() <= 2 * cut + 1)
            throw Error(ErrorKind::bad_input, "the pipeline is too short to be measured");
        const auto span = delivered[delivered.size() - 1 - cut] - delivered[cut];
        return std::chrono::duration<double, std::milli>(span).count() /
               static_cast<double>(delivered.size() - 1 - 2 * cut);
    }

    std::vector<std::string> hashes(const FlowVariant& variant, std::string* upload = nullptr) {
        std::vector<std::string> lines;
        std::vector<std::unique_ptr<engine::FrameSink>> sinks;
        sinks.push_back(engine::make_hash_sink([&](const std::string& line) { lines.push_back(line); }));
        const engine::RunReport report = run(variant, compared, std::move(sinks), nullptr);
        if (upload != nullptr) *upload = gpu::name(report.plan.upload);
        return lines;
    }

    void take_turns(std::vector<Runner*> runners, int rounds) {
        for (int round = 0; round < rounds; ++round) {
            for (Runner* runner : runners)
                runner->ms.push_back(ms_per_frame(runner->variant));
            std::rotate(runners.begin(), runners.begin() + 1, runners.end());
        }
    }

    FlowVariant better(const FlowVariant& from, const std::vector<FlowVariant>& candidates) {
        Runner base{from, {}};
        std::vector<Runner> others;
        for (const FlowVariant& candidate : candidates) {
            Runner& other = others.emplace_back(Runner{candidate, {}});
            try {
                if (hashes(candidate) != expected_) other.variant.refusal = "paints other pictures";
            } catch (const Error& error) {
                if (error.kind() == ErrorKind::unsupported) {
                    others.pop_back(); // this device has no such path
                    continue;
                }
                other.variant.refusal = describe(error);
            }
        }
        std::vector<Runner*> runners{&base};
        for (Runner& other : others)
            if (other.variant.refusal.empty()) runners.push_back(&other);
        if (runners.size() > 1) take_turns(runners, options_.rounds);
        if (finding_.variants.front().ms.median == 0 && !base.ms.empty())
            finding_.variants.front().ms = spread(base.ms);
        FlowVariant best = from;
        double best_gain = 0;
        for (Runner& other : others) {
            if (other.variant.refusal.empty()) {
                other.variant.ms = spread(other.ms);
                other.variant.gain = saved(base.ms, other.ms);
                if (const double gain = gain_of(base.ms, other.ms); gain > best_gain) {
                    best_gain = gain;
                    best = other.variant;
                }
            }
            finding_.variants.push_back(other.variant);
        }
        return best;
    }

    void confirm(const FlowVariant& rule, const FlowVariant& best) {
        Runner one{rule, {}}, other{best, {}};
        take_turns({&one, &other}, 2 * options_.rounds);
        finding_.gain = gain_of(one.ms, other.ms);
        if (finding_.gain == 0) return;
        finding_.upload = best.upload;
        finding_.slots = best.slots == rule.slots ? 0 : best.slots;
    }

    const graph::PipelineSpec& spec_;
    const graph::FilterLibrary& library_;
    const std::string& prelude_;
    const engine::RunOptions& run_;
    const TuneOptions& options_;
    const Stopped& stopped_;
    FlowFinding finding_;
    std::vector<std::string> expected_;
    int64_t frames_ = 0;
};

} // namespace

std::optional<FlowFinding> tune_flow(const graph::PipelineSpec& spec, const graph::FilterLibrary& library,
                                     const std::string& prelude, const engine::RunOptions& run,
                                     const TuneOptions& options, const Stopped& stopped) {
    try {
        return FlowTuner(spec, library, prelude, run, options, stopped).find();
    } catch (const Stop&) {
        return std::nullopt;
    }
}

} // namespace weft::bench
