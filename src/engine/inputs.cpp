#include "engine/inputs_private.hpp"

#include <algorithm>
#include <cmath>
#include <thread>

#include "base/error.hpp"
#include "base/log.hpp"

namespace weft::engine {
namespace {

graph::InputFacts facts_about(const graph::InputSpec& spec, const media::Input& input,
                              const media::VideoDecoder* video) {
    graph::InputFacts facts;
    if (video != nullptr) {
        facts.format = video->format();
        facts.still = video->still();
        facts.interlaced = video->interlaced();
        facts.may_have_fields = video->may_have_fields();
        if (!facts.still) {
            const media::StreamInfo& stream = video->stream();
            facts.duration = graph::trimmed_duration(spec, stream.length());
            // Less than what delays a stream is how decoders come by their first picture.
            if (video->first() > Rational(1, 10)) facts.first = video->first();
        }
    }
    if (const auto audio = input.choose(media::StreamKind::audio, spec.audio_stream)) {
        const media::StreamInfo& stream = input.stream(*audio);
        facts.has_audio = true;
        facts.audio_duration = graph::trimmed_duration(spec, stream.length());
    }
    return facts;
}

// Pictures that are there and cannot be shown are no reason to go on with the sound alone.
void refuse_unusable_video(const media::Input& input) {
    const media::InputInfo& info = input.info();
    for (const media::StreamInfo& stream : info.streams) {
        if (stream.kind != media::StreamKind::video || stream.problem.empty() || stream.cover) continue;
        const bool index_behind = !info.seekable && info.container.find("mp4") != std::string::npos;
        throw Error(
            ErrorKind::unsupported,
            info.url + ": video stream " + std::to_string(stream.index) + " (" + stream.codec +
                "): " + stream.problem +
                (index_behind ? "; an MP4 whose index is at its end cannot come through a pipe" : ""));
    }
}

media::VideoOptions video_options(const graph::InputSpec& spec, const std::string& stream,
                                  OpenedInput& opened, Trace* trace) {
    media::VideoOptions options;
    if (trace != nullptr) options.watch = opened.reading = std::make_shared<Reading>(*trace);
    options.stream = stream;
    options.matrix = spec.matrix;
    options.range = spec.range;
    options.rate = spec.rate;
    return options;
}

// stream  : as InputSpec::video_stream
// streams : how many decode at the same time
void open_decoder(OpenedInput& opened, const graph::InputSpec& spec, const std::string& stream,
                  size_t streams, Trace* trace) {
    media::VideoOptions options = video_options(spec, stream, opened, trace);
    // With as many streams as cores, a thread each decodes faster than threads inside the codecs.
    const size_t cores = std::max(std::thread::hardware_concurrency(), 1U);
    options.threads = streams >= cores ? 1 : 0;
    opened.memory = std::make_shared<gpu::HostBlocks>();
    options.allocator = opened.memory.get();
    opened.decoder = std::make_unique<media::VideoDecoder>(opened.input, options);
}

} // namespace

void Inputs::equip(OpenedInput& opened, const graph::InputSpec& spec) const {
    if (!make_uploader_ || !opened.decoder) return;
    opened.uploader = make_uploader_(opened.memory);
    const bool replaced =
        spec.late == graph::LateRule::placeholder || spec.on_error == graph::ErrorRule::placeholder;
    if (replaced)
        opened.placeholder =
            std::make_shared<Placeholder>(spec.name, opened.decoder->format(), make_uploader_(nullptr));
}

bool Inputs::can_break(int input) const {
    const auto index = static_cast<size_t>(input);
    const bool address = spec_.inputs.at(index).url.find("://") != std::string::npos;
    return address || (readers_[index] && !readers_[index]->info().seekable);
}

bool Inputs::seekable() const {
    return std::all_of(readers_.begin(), readers_.end(),
                       [](const auto& reader) { return !reader || reader->info().seekable; });
}

void Inputs::refuse_moves(const graph::Timeline& timeline) const {
    std::vector<Error> errors;
    for (const graph::StreamUse& use : timeline.streams) {
        const auto index = static_cast<size_t>(use.input);
        if (!readers_[index] || readers_[index]->info().seekable || facts_[index].still) continue;
        const graph::InputSpec& spec = spec_.inputs[index];
        const auto refuse = [&](const std::string& what, const std::string& allowed) {
            errors.emplace_back(ErrorKind::usage,
                                spec.url + ": input '" + spec.name + "' " + what +
                                    ", but it is a pipe or a live address and can only be read on; " +
                                    allowed,
                                spec.place);
        };
        if (use.loop)
            refuse("is to loop", "its end may be hold, hide or stop");
        else if (use.start > Rational(0))
            refuse("is to begin at " + std::to_string(use.start.value()) + " s",
                   "it is shown from its beginning, without start");
    }
    if (!errors.empty()) throw Errors(std::move(errors));
}

OpenAgain Inputs::opener(int input) const {
    const auto index = static_cast<size_t>(input);
    const graph::InputSpec& spec = spec_.inputs.at(index);
    return [this, &spec, index](FrameAllocator* allocator, std::function<bool()> cancelled) {
        media::InputOptions options = options_;
        options.cancelled = std::move(cancelled);
        OpenedInput opened;
        opened.input = std::make_shared<media::Input>(spec.url, options);
        media::VideoOptions video = video_options(spec, video_streams_.at(index), opened, trace_);
        video.allocator = allocator;
        opened.decoder = std::make_unique<media::VideoDecoder>(opened.input, video);
        return opened;
    };
}

InputReaders::InputReaders(const graph::PipelineSpec& spec, std::function<bool()> cancelled, Trace* trace)
    : trace_(trace) {
    options_.cancelled = std::move(cancelled);
    for (const graph::InputSpec& input : spec.inputs)
        opening_.push_back(
            std::async(std::launch::async, [&input, streams = spec.inputs.size(), options = options_, trace] {
                OpenedInput opened;
                opened.input = std::make_shared<media::Input>(input.url, options);
                if (opened.input->choose(media::StreamKind::video, input.video_stream))
                    open_decoder(opened, input, input.video_stream, streams, trace);
                else
                    refuse_unusable_video(*opened.input);
                return opened;
            }));
}

Inputs::Inputs(const graph::PipelineSpec& spec, InputReaders& readers, const MakeUploader& make_uploader,
               bool endless)
    : spec_(spec), make_uploader_(make_uploader), options_(readers.options()), trace_(readers.trace()) {
    const size_t count = spec.inputs.size();
    readers_.resize(count);
    opened_.resize(count);
    facts_.resize(count);
    for (const graph::InputSpec& input : spec.inputs)
        video_streams_.push_back(input.video_stream);
    std::vector<Error> errors;
    for (size_t i = 0; i < count; ++i) {
        const graph::InputSpec& input = spec.inputs[i];
        try {
            OpenedInput opened = readers.take(i);
            equip(opened, input);
            facts_[i] = facts_about(input, *opened.input, opened.decoder.get());
            if (endless) facts_[i].duration.reset();
            readers_[i] = opened.input;
            if (opened.decoder) opened_[i] = std::move(opened);
        } catch (const Error& error) {
            if (input.required)
                errors.emplace_back(error.kind(), error.message(),
                                    error.place().known() ? error.place() : input.place);
            else
                notes_.push_back("input '" + input.name +
                                 "' is missing and not required: left out: " + error.message());
        }
    }
    if (!errors.empty()) throw Errors(std::move(errors));
    take_covers();
    note_rates();
    for (const auto& opened : opened_) {
        if (!opened) continue;
        const media::StreamInfo& stream = opened->decoder->stream();
        if (!stream.warning.empty())
            log("engine").warn("{}: video stream {} ({}): {}", opened->input->info().url, stream.index,
                               stream.codec, stream.warning);
    }
}

Inputs::~Inputs() = default;

// The cover of a song is shown where nothing else has a picture; beside films it only sounds.
void Inputs::take_covers() {
    if (std::any_of(facts_.begin(), facts_.end(), [](const auto& facts) { return facts.format.valid(); }))
        return;
    for (size_t i = 0; i < readers_.size(); ++i) {
        const std::optional<int> cover = readers_[i] ? readers_[i]->cover() : std::nullopt;
        if (!cover) continue;
        const graph::InputSpec& input = spec_.inputs[i];
        try {
            OpenedInput opened;
            opened.input = readers_[i];
            open_decoder(opened, input, std::to_string(*cover), readers_.size(), trace_);
            equip(opened, input);
            facts_[i] = facts_about(input, *opened.input, opened.decoder.get());
            opened_[i] = std::move(opened);
            video_streams_[i] = std::to_string(*cover);
        } catch (const Error& error) {
            notes_.push_back("input '" + input.name + "': its cover is not shown: " + error.message());
        }
    }
}

// A rate that neither FFmpeg's guess nor the average explains is a choice that somebody may want to change.
void Inputs::note_rates() {
    const auto near = [](Rational a, Rational b) { return std::abs(a.value() / b.value() - 1) <= 0.01; };
    const auto text = [](Rational rate) { return rate > Rational(0) ? rate.text() : "unknown"; };
    for (size_t i = 0; i < opened_.size(); ++i) {
        if (!opened_[i] || opened_[i]->decoder->still() || spec_.inputs[i].rate) continue;
        const media::StreamInfo& stream = opened_[i]->decoder->stream();
        const Rational rate = stream.format.rate;
        if (near(stream.base_rate, rate) || near(stream.average_rate, rate)) continue;
        notes_.push_back(
            spec_.inputs[i].url + ": read as " + rate.text() + " pictures a second by its times, " +
            (stream.variable_rate ? "which vary" : "which are steady") +
            " (guessed by FFmpeg: " + text(stream.base_rate) + ", on average: " + text(stream.average_rate) +
            "); 'rate' of the input or --rate says another");
    }
}

std::future<OpenedInput> Inputs::take(int input, int streams) {
    const auto index = static_cast<size_t>(input);
    if (opened_.at(index)) {
        std::promise<OpenedInput> ready;
        ready.set_value(std::move(*opened_[index]));
        opened_[index].reset();
        return ready.get_future();
    }
    WEFT_CHECK(readers_[index] != nullptr);
    return std::async(std::launch::async, [this, index, streams] {
        OpenedInput opened;
        opened.input = readers_[index];
        open_decoder(opened, spec_.inputs[index], video_streams_[index],
                     static_cast<size_t>(std::max(streams, 1)), trace_);
        equip(opened, spec_.inputs[index]);
        return opened;
    });
}

void Inputs::let_go(const std::vector<int>& inputs) {
    for (const int input : inputs) {
        const auto index = static_cast<size_t>(input);
        // An address that cannot be opened twice keeps what it has.
        if (readers_[index] && readers_[index]->info().seekable) opened_[index].reset();
    }
}

std::shared_ptr<media::Input> Inputs::reader(int input) const {
    const auto& reader = readers_.at(static_cast<size_t>(input));
    return reader && !reader->info().seekable ? reader : nullptr;
}

bool Inputs::any_pipe() const {
    for (size_t i = 0; i < readers_.size(); ++i) {
        const bool unknown = facts_[i].format.valid() && !facts_[i].still && !facts_[i].duration;
        const std::string& url = spec_.inputs[i].url;
        if (unknown && readers_[i] && !readers_[i]->info().seekable && url.find("://") == std::string::npos)
            return true;
    }
    return false;
}

void Inputs::stop() {
    for (const auto& reader : readers_)
        if (reader) reader->stop();
}

} // namespace weft::engine
