// The decode thread's side of a stream: from the decoder to published slots.
#include <algorithm>
#include <utility>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "engine/stream.hpp"

namespace weft::engine {

bool Stream::interrupted() const {
    return demand_->stop || demand_->generation.load(std::memory_order_relaxed) != working_generation_;
}

void Stream::work() noexcept {
    while (!demand_->stop) {
        try {
            decode_all();
        } catch (...) {
            // Sent elsewhere meanwhile, it begins anew there: that due() must not meet what failed here.
            const std::lock_guard lock(mutex_);
            if (!interrupted()) ring_.close(std::current_exception());
        }
        wait_for_seek();
    }
    ended_ = true;
}

void Stream::wait_for_seek() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return interrupted(); });
}

void Stream::decode_all() {
    Rational target;
    {
        const std::lock_guard lock(mutex_);
        working_generation_ = demand_->generation;
        target = seek_target_;
    }
    start_at(target);
    for (;;) {
        try {
            decode_to_end();
            if (!settings_.reconnect || cut_) return;
        } catch (const std::exception& error) {
            if (!settings_.reconnect || interrupted()) throw;
            log("engine").debug("{}: {}", settings_.name, describe(error));
        }
        if (!connect_again()) return;
    }
}

bool Stream::connect_again() {
    if (interrupted()) return false;
    ++connections_lost_;
    log("engine").warn("{}: the connection is lost, trying every {} s", settings_.name,
                       settings_.reconnect->value());
    for (;;) {
        {
            std::unique_lock lock(mutex_);
            if (changed_.wait_for(lock, settings_.reconnect->nanoseconds(), [&] { return interrupted(); }))
                return false;
        }
        try {
            const auto opening = std::make_shared<std::atomic<bool>>(true);
            OpenedInput fresh = settings_.open_again(
                opened_.uploader->allocator(), [demand = demand_, at = working_generation_, opening] {
                    return demand->stop || (*opening && demand->generation != at);
                });
            *opening = false;
            damaged_before_ = damaged_;
            opened_.decoder = std::move(fresh.decoder);
            opened_.input = std::move(fresh.input);
            opened_.reading = std::move(fresh.reading);
            if (opened_.reading) opened_.reading->name(settings_.name);
        } catch (const std::exception& error) {
            if (interrupted()) return false;
            log("engine").debug("{}: {}", settings_.name, describe(error));
            continue;
        }
        log("engine").info("{}: connected again", settings_.name);
        const Rational now = Rational(earliest_tick_.load(std::memory_order_relaxed)) / settings_.rate;
        jumped_ = true;
        resume_at_ = std::max(now, last_end_ ? *last_end_ + shift_ : settings_.times.from);
        return true;
    }
}

void Stream::decode_to_end() {
    std::optional<Placed> pending;
    int behind_cut = 0; // pictures that no tick shows
    behind_fields_ = false;
    while (!interrupted()) {
        std::optional<Placed> following;
        try {
            following = next();
        } catch (const std::exception& error) {
            if (!pending) throw;
            // The good pictures first: the last one stays, marked, and then the reason.
            log("engine").debug("{}: {}", settings_.name, describe(error));
            {
                const std::lock_guard lock(mutex_);
                why_broken_ = std::current_exception();
            }
            publish_last(std::move(*pending), true);
            throw;
        }
        damaged_ = damaged_before_ + opened_.decoder->errors();
        if (!following) {
            if (pending) publish_last(std::move(*pending), settings_.reconnect && !cut_);
            return;
        }
        if (pending) {
            if (!is_wanted(*pending, *following))
                ++skipped_;
            else if (!publish(std::move(*pending), following->from))
                return;
            // Nothing of what follows is shown; neighbours are still read beside the last that is.
            cut_ = settings_.ticks && (following->from * settings_.rate).ceil() >= *settings_.ticks;
            if (cut_ && ++behind_cut >= reach()) {
                if (settings_.neighbours > 0 || behind_fields_) publish_last(std::move(*following), false);
                return;
            }
        }
        pending = std::move(following);
    }
}

bool Stream::publish_last(Placed placed, bool broken) {
    std::optional<Rational> until; // what a new connection brings is late from then on
    if (settings_.reconnect && broken) until = placed.from + std::max(placed.frame.duration(), Rational(0));
    return publish(std::move(placed), until, broken);
}

// Where on the input the canvas time lies, loops counted, and the decoder there.
void Stream::start_at(Rational canvas) {
    const StreamTimes& times = settings_.times;
    Rational position = times.start + std::max(canvas - times.from, Rational(0));
    shift_ = times.from - times.start;
    if (times.loop && times.end && *times.end > times.loop_start && position >= *times.end) {
        const Rational round = *times.end - times.loop_start;
        const Rational rounds((position - times.loop_start).num == 0
                                  ? int64_t{0}
                                  : ((position - times.loop_start) / round).floor());
        position = position - rounds * round;
        shift_ = shift_ + rounds * round;
    }
    any_in_loop_ = cut_ = false;
    jumped_ = true;
    last_end_.reset();
    resume_at_.reset();
    // Preloaded pictures stay for good: not in the memory that was there before the device was, which copies
    // slowly.
    const bool anew =
        settings_.preload > 0 && kept_.empty() && !opened_.decoder->still() && opened_.input->info().seekable;
    if (anew) opened_.decoder->next();
    if (position > Rational(0) || working_generation_ > 0 || anew) opened_.decoder->seek(position);
}

std::optional<media::HostFrame> Stream::decode() {
    if (opened_.reading) opened_.reading->take_waits(); // of opening and seeking
    const Nanoseconds begun = SteadyClock().now();
    auto frame = settings_.preload > 0 ? replay() : opened_.decoder->next();
    trace_decode(begun);
    if (frame) {
        decoded_.fetch_add(1, std::memory_order_relaxed);
        any_in_loop_ = true;
        last_end_ = frame->pts() + std::max(frame->duration(), Rational(0));
    }
    return frame;
}

// What it takes to come by packets is no decoding.
void Stream::trace_decode(Nanoseconds begun) {
    if (settings_.trace == nullptr) return;
    const Nanoseconds done = SteadyClock().now();
    const auto tell = [&](Stage stage, Nanoseconds from, Nanoseconds until) {
        settings_.trace->host(stage, settings_.name, number_, from, until);
    };
    if (opened_.reading)
        for (const Interval& wait : opened_.reading->take_waits()) {
            tell(Stage::decode, begun, wait.begin);
            tell(Stage::await, wait.begin, wait.end);
            begun = wait.end;
        }
    tell(Stage::decode, begun, done);
}

// The first pictures, decoded before any is shown, over and over as if they went on.
std::optional<media::HostFrame> Stream::replay() {
    while (kept_.empty() || (replayed_ == 0 && kept_.size() < static_cast<size_t>(settings_.preload))) {
        auto frame = opened_.decoder->next();
        if (!frame) break;
        kept_.push_back(std::move(*frame));
    }
    if (kept_.empty() || (opened_.decoder->still() && replayed_ > 0)) return std::nullopt;
    const media::HostFrame& last = kept_.back();
    // A file that gives its last picture no duration still goes on.
    const Rational round = last.pts() + std::max(last.duration(), Rational(1, 1000)) - kept_.front().pts();
    const auto rounds = static_cast<int64_t>(replayed_ / kept_.size());
    const media::HostFrame& frame = kept_[replayed_ % kept_.size()];
    ++replayed_;
    return frame.again(frame.pts() + Rational(rounds) * round);
}

std::optional<Stream::Placed> Stream::next() {
    const StreamTimes& times = settings_.times;
    auto frame = decode();
    // A picture within the slack of the end belongs to what follows it.
    const bool past = frame && times.end && frame->pts() >= *times.end - slack_;
    if (!frame || past) {
        cut_ = past;
        if (!frame) note_missing();
        return times.loop && !opened_.decoder->still() ? looped() : std::nullopt;
    }
    if (resume_at_) {
        const Rational at = *std::exchange(resume_at_, std::nullopt);
        shift_ = at - frame->pts();
        if (settings_.sound) settings_.sound->connect({opened_.input, at, frame->pts()});
    }
    const Rational from = frame->pts() + shift_;
    // A live source never ends; the run does.
    const bool behind_run =
        settings_.reconnect && settings_.ticks && from * settings_.rate >= Rational(*settings_.ticks);
    if (behind_run || (times.length && from >= times.from + *times.length)) {
        cut_ = true;
        return std::nullopt;
    }
    return Placed{std::move(*frame), from - slack_, number_++, !std::exchange(jumped_, false)};
}

// Only what lies before the end of this use and of the run is missed.
void Stream::note_missing() {
    if (!opened_.decoder->cut_short() || !last_end_) return;
    int64_t wanted = INT64_MAX;
    const auto limit = [&](Rational end) {
        const int64_t left = ((end - *last_end_) * opened_.decoder->format().rate).round();
        wanted = std::clamp<int64_t>(left, 0, wanted);
    };
    if (settings_.times.wanted) limit(*settings_.times.wanted);
    if (settings_.ticks_asked && !settings_.times.loop)
        limit(Rational(*settings_.ticks_asked) / settings_.rate - shift_);
    if (wanted == 0) return;
    cut_short_ = true;
    missing_ = std::max<int64_t>(missing_, std::min(wanted, opened_.decoder->missing()));
}

std::optional<Stream::Placed> Stream::looped() {
    const StreamTimes& times = settings_.times;
    const std::optional<Rational> end = times.end ? times.end : last_end_;
    // A round without a picture would go on for ever.
    if (!any_in_loop_ || !end || *end <= times.loop_start) return std::nullopt;
    shift_ = shift_ + (*end - times.loop_start);
    any_in_loop_ = false;
    jumped_ = true;
    opened_.decoder->seek(times.loop_start);
    auto frame = decode();
    if (!frame) return std::nullopt;
    // The picture due at the loop's start may begin before it; on the canvas it begins with the round.
    const Rational from = std::max(frame->pts(), times.loop_start) + shift_;
    if (times.length && from >= times.from + *times.length) return std::nullopt;
    return Placed{std::move(*frame), from - slack_, number_++, !std::exchange(jumped_, false)};
}

// Whether a picture is shown, or read beside one that is.
bool Stream::is_wanted(const Placed& placed, const Placed& following) {
    const bool fields = has_fields(placed.frame);
    const bool beside = settings_.neighbours > 0 || fields || has_fields(following.frame) || behind_fields_;
    behind_fields_ = fields;
    const int64_t first = std::max<int64_t>((placed.from * settings_.rate).ceil(), 0);
    const int64_t behind = (following.from * settings_.rate).ceil(); // the first tick after it
    if (beside) {
        // The first one that is not over may need those before it.
        return reach() > 1 || behind >= earliest_tick_.load(std::memory_order_relaxed);
    }
    if (settings_.ticks && first >= *settings_.ticks) return false;
    return first < behind && behind - 1 >= earliest_tick_.load(std::memory_order_relaxed);
}

bool Stream::wait_until_asked() {
    if (!settings_.on_demand) return true;
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return asked_ || interrupted(); });
    return !interrupted();
}

bool Stream::publish(Placed placed, std::optional<Rational> until, bool broken) {
    std::optional<size_t> index;
    {
        const Stretch stretch(settings_.trace, Stage::wait, settings_.name, placed.number);
        if (wait_until_asked()) index = ring_.claim();
    }
    if (!index) return false;
    if (interrupted()) {
        ring_.cancel(*index);
        return false;
    }
    StreamSlot& slot = *ring_[*index];
    try {
        const Stretch stretch(settings_.trace, Stage::enqueue, settings_.name, placed.number);
        slot.format = placed.frame.format();
        slot.upload = opened_.uploader->upload(static_cast<int>(*index), placed.frame.planes(), *slot.format,
                                               std::exchange(slot.last_read, cl::Event()));
    } catch (...) {
        ring_.cancel(*index);
        throw;
    }
    if (settings_.trace != nullptr)
        for (const gpu::Copy& copy : slot.upload.copies)
            settings_.trace->device(Stage::upload, settings_.name, placed.number,
                                    {static_cast<double>(copy.bytes), 0}, copy.event);
    slot.upload.copies.clear();
    uploaded_.fetch_add(1, std::memory_order_relaxed);
    bytes_.fetch_add(static_cast<int64_t>(slot.upload.bytes), std::memory_order_relaxed);
    slot.frame = std::move(placed.frame);
    slot.from = placed.from;
    slot.until = until;
    slot.ends.reset();
    if (!until) slot.ends = placed.from + std::max(slot.frame->duration(), Rational(0));
    slot.broken = broken;
    slot.number = placed.number;
    slot.joins = placed.joins;
    slot.generation = working_generation_;
    slot.read = false;
    slot.users = 1;
    const std::lock_guard lock(mutex_);
    ring_.publish(*index);
    asked_ = false;
    return true;
}

} // namespace weft::engine
