// The conductor's side of a stream: which slot is due, and who still reads it.
#include "engine/stream.hpp"

#include <algorithm>
#include <utility>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/log.hpp"

namespace weft::engine {
namespace {

std::vector<std::unique_ptr<StreamSlot>> make_slots(int count) {
    std::vector<std::unique_ptr<StreamSlot>> slots;
    for (int i = 0; i < count; ++i) {
        slots.push_back(std::make_unique<StreamSlot>());
        slots.back()->number = i;
    }
    return slots;
}

} // namespace

Stream::Stream(OpenedInput opened, StreamSettings settings)
    : settings_(std::move(settings)), opened_(std::move(opened)),
      ring_(make_slots(settings_.slots + 2 * reach())) {
    WEFT_CHECK(opened_.decoder && opened_.uploader && settings_.slots > 0);
    opened_.uploader->reserve(static_cast<int>(ring_.capacity()));
    slack_ = opened_.decoder->slack();
    if (opened_.reading) opened_.reading->name(settings_.name);
    if (settings_.preload > 0 && !opened_.decoder->still()) {
        settings_.times.loop = false;
        settings_.times.end.reset();
    }
    seek_target_ = std::max(settings_.times.from, Rational(0));
    thread_ = std::thread([this] { work(); });
}

Stream::~Stream() {
    stop();
    thread_.join();
    let_go();
    drop_published();
}

void Stream::stop() noexcept {
    demand_->stop = true;
    ring_.stop();
    // The input may be shared with another use; only a decode that waits for packets could hold us up, and
    // the input's owner stops those.
    const std::lock_guard lock(mutex_);
    changed_.notify_all();
}

int Stream::reach() const {
    return settings_.neighbours + (settings_.fields == Fields::ignored ? 0 : 1);
}

bool Stream::has_fields(const media::HostFrame& frame) const {
    return settings_.fields == Fields::always ||
           (settings_.fields == Fields::as_marked && frame.interlaced());
}

// How many neighbours the picture that is due needs.
int Stream::reach_now() const {
    // A neighbour that is fields needs one more than it is away.
    return settings_.neighbours > 0 || has_fields(*current_->frame) ? reach() : 0;
}

void Stream::trim_before(size_t count) {
    for (; before_.size() > count; before_.pop_back())
        drop_use(*before_.back());
}

void Stream::let_go() {
    trim_before(0);
    if (current_ != nullptr) drop_use(*std::exchange(current_, nullptr));
    for (StreamSlot* slot : behind_)
        drop_use(*slot);
    behind_.clear();
}

void Stream::drop_published() {
    while (const auto index = ring_.take())
        drop_use(*ring_[*index]);
}

// The next picture of this place in the input.
StreamSlot* Stream::take() {
    while (const auto index = ring_.take()) {
        StreamSlot& slot = *ring_[*index];
        if (slot.generation == demand_->generation.load(std::memory_order_relaxed)) return &slot;
        drop_use(slot);
    }
    return nullptr;
}

void Stream::step() {
    before_.push_front(current_);
    trim_before(static_cast<size_t>(reach()));
    current_ = behind_.front();
    behind_.pop_front();
}

StreamSlot* Stream::due(Rational t, Nanoseconds patience) {
    const bool waits = patience == Nanoseconds::max();
    const auto deadline = waits ? Nanoseconds::max() : SteadyClock().now() + patience;
    for (;;) {
        const bool found = current_ != nullptr && (!current_->until || t < *current_->until);
        if (found) {
            const StreamSlot& newest = behind_.empty() ? *current_ : *behind_.back();
            const bool last = !newest.until || newest.broken;
            if (last || static_cast<int>(behind_.size()) >= reach_now()) return current_;
        } else if (current_ != nullptr) {
            if (!behind_.empty()) {
                step();
                continue;
            }
            // What follows is decoded already, so the current picture is over and its slot may be needed for
            // it. Live, it stays to be held when what follows is late, unless it has the only slot.
            if (reach() > 0)
                trim_before(static_cast<size_t>(reach()) - 1);
            else if (waits || ring_.capacity() == 1)
                let_go();
        }
        const bool closed = ring_.closed(); // before the look that finds nothing
        if (StreamSlot* slot = take()) {
            if (reach() > 0 && current_ != nullptr) {
                behind_.push_back(slot);
            } else {
                let_go();
                current_ = slot;
            }
            continue;
        }
        if (closed && ring_.error() && current_ == nullptr) std::rethrow_exception(ring_.error());
        if (demand_->stop || closed) return current_;
        ask();
        if (waits) {
            ring_.wait_published(1);
            continue;
        }
        const Nanoseconds left = deadline - SteadyClock().now();
        if (left <= Nanoseconds(0) || !ring_.wait_published(1, left)) return current_;
    }
}

void Stream::ask() {
    if (!settings_.on_demand) return;
    {
        const std::lock_guard lock(mutex_);
        if (asked_ || ring_.size() > 0) return;
        asked_ = true;
    }
    changed_.notify_all();
}

namespace {

bool adjacent(const StreamSlot* first, const StreamSlot* second) {
    return first != nullptr && second != nullptr && second->joins && second->number == first->number + 1 &&
           first->format == second->format;
}

} // namespace

std::vector<StreamSlot*> Stream::before() const {
    std::vector<StreamSlot*> slots;
    for (StreamSlot* slot : before_) {
        if (!adjacent(slot, slots.empty() ? current_ : slots.back())) break;
        slots.push_back(slot);
    }
    return slots;
}

std::vector<StreamSlot*> Stream::behind() const {
    std::vector<StreamSlot*> slots;
    for (StreamSlot* slot : behind_) {
        if (!adjacent(slots.empty() ? current_ : slots.back(), slot)) break;
        slots.push_back(slot);
    }
    return slots;
}

void Stream::begin_use(StreamSlot& slot) {
    slot.users.fetch_add(1, std::memory_order_relaxed);
}

void Stream::end_use(StreamSlot& slot) noexcept {
    slot.read.store(true, std::memory_order_relaxed);
    drop_use(slot);
}

void Stream::end_use_behind(StreamSlot& slot, const cl::Event& done) {
    slot.last_read = done;
    end_use(slot);
}

bool Stream::may_end_early() {
    if (!settings_.early || !opened_.uploader->waits_on_device()) return false;
    forget_read();
    const std::lock_guard lock(being_read_mutex_);
    // The slot in use becomes one more.
    return being_read_.size() + 1 < gpu::Uploader::most_read_behind;
}

// Lets go of the memory of pictures that the device has read.
void Stream::forget_read() {
    const std::lock_guard lock(being_read_mutex_);
    while (!being_read_.empty() &&
           being_read_.front().until.getInfo<CL_EVENT_COMMAND_EXECUTION_STATUS>() <= CL_COMPLETE)
        being_read_.pop_front();
    if (settings_.early) opened_.uploader->set_read_behind(being_read_.size());
}

void Stream::drop_use(StreamSlot& slot) noexcept {
    if (slot.users.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
    // Copies come up in order, so whatever is shown next waits for this one in any case.
    if (!slot.read.load(std::memory_order_relaxed) && slot.upload.ready() != nullptr) {
        try {
            slot.upload.ready.wait();
        } catch (const cl::Error& error) {
            log("engine").debug("{}: a picture that nobody read: {}", settings_.name, error.what());
        }
    }
    if (slot.last_read() != nullptr && slot.frame) {
        const std::lock_guard lock(being_read_mutex_);
        being_read_.push_back({slot.last_read, std::move(*slot.frame)});
        opened_.uploader->set_read_behind(being_read_.size());
    }
    slot.frame.reset();
    slot.upload.ready = cl::Event();
    for (size_t i = 0; i < ring_.capacity(); ++i)
        if (ring_[i].get() == &slot) ring_.retire(i);
}

void Stream::seek(Rational t) {
    let_go();
    {
        const std::lock_guard lock(mutex_);
        seek_target_ = t;
        demand_->generation.fetch_add(1);
        why_broken_ = nullptr;
        ring_.reopen();
        // Slots of the old place that wait to be taken hold up the thread, which goes to the new one only
        // with the lock: none of there is among them.
        drop_published();
    }
    earliest_tick_ = 0;
    changed_.notify_all();
}

std::exception_ptr Stream::error() const {
    if (std::exception_ptr error = ring_.error()) return error;
    const std::lock_guard lock(mutex_);
    return why_broken_;
}

StreamCounts Stream::counts() const {
    return {decoded_, uploaded_, skipped_, damaged_, bytes_, connections_lost_, missing_, cut_short_};
}

} // namespace weft::engine
