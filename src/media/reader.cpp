#include "media/reader_private.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "base/format.hpp"
#include "base/log.hpp"
#include "media/file_end_private.hpp"

namespace weft::media {

bool is_address(const std::string& url) {
    const size_t colon = url.find("://");
    if (colon == std::string::npos || colon == 0) return false;
    return std::all_of(url.begin(), url.begin() + static_cast<std::ptrdiff_t>(colon), [](unsigned char c) {
        return std::isalnum(c) != 0 || c == '+' || c == '-' || c == '.';
    });
}

namespace {

constexpr size_t reserve_bytes = size_t{16} << 20;

// Demuxers such as lavfi or v4l2 read no file: their "path" is a description.
bool reads_no_file(const std::string& format) {
    if (format.empty()) return false;
    if (format == "lavfi") return true;
    const AVInputFormat* input = av_find_input_format(format.c_str());
    return input != nullptr && (input->flags & AVFMT_NOFILE) != 0 && format != "image2";
}

Nanoseconds now() {
    return std::chrono::steady_clock::now().time_since_epoch();
}
int64_t now_ns() {
    return now().count();
}

void check_local_file(const std::string& url) {
    std::error_code error;
    const auto status = std::filesystem::status(url, error);
    if (!std::filesystem::exists(status)) throw Error(ErrorKind::not_found, url + ": no such file");
    if (std::filesystem::is_directory(status))
        throw Error(ErrorKind::bad_input, url + ": is a folder, not a media file");
    if (std::filesystem::is_regular_file(status) && std::filesystem::file_size(url, error) == 0 && !error)
        throw Error(ErrorKind::bad_input, url + ": the file is empty");
}

} // namespace

std::string av_url(const std::string& url, const std::string& format) {
    if (url == "-") return "pipe:0";
    if (is_address(url) || reads_no_file(format)) return url;
    return "file:" + url;
}

Reader::Reader(const std::string& url, const InputOptions& options, const std::atomic<bool>& stop)
    : options_(options), url_(url), stop_(stop) {
    route_av_log();
    local_ = url != "-" && !is_address(url) && !reads_no_file(options.format);
    if (local_) check_local_file(url);
    std::error_code ignored;
    waits_ = !local_ || !std::filesystem::is_regular_file(url, ignored);
    // Whoever feeds a pipe may take its time; an address that is silent is a broken one.
    const bool pipe_in = url == "-" || (local_ && waits_);
    if (!pipe_in) deadline_ns_ = now_ns() + static_cast<int64_t>(options.open_timeout_seconds * 1e9);
    if (pipe_in && !reads_no_file(options.format))
        pipe_ = std::make_unique<WaitingFile>(url, [this] { return given_up(); });
    try {
        open(url);
    } catch (...) {
        avformat_close_input(&context_);
        throw;
    }
    deadline_ns_ = 0;
    const bool pipe = context_->pb != nullptr && (context_->pb->seekable & AVIO_SEEKABLE_NORMAL) == 0;
    seekable_ = local_ ? !pipe : (url != "-" && !pipe && context_->duration != AV_NOPTS_VALUE);
    if (reads_no_file(options.format) && options.format == "lavfi") seekable_ = true;
    if (local_ && !waits_) raw_.emplace(*context_);
}

void Reader::open(const std::string& url) {
    context_ = avformat_alloc_context();
    if (context_ == nullptr) throw Error(ErrorKind::resource, url + ": out of memory");
    context_->interrupt_callback = {&Reader::interrupted, this};
    if (pipe_) context_->pb = pipe_->io();
    const AVInputFormat* format = nullptr;
    if (!options_.format.empty()) {
        format = av_find_input_format(options_.format.c_str());
        if (format == nullptr)
            throw Error(ErrorKind::usage, url + ": there is no input format '" + options_.format + "'");
    }
    Dictionary dictionary;
    // "l%d.png" is a file of that name, not a series.
    if (local_) dictionary.set("pattern_type", "none");
    for (const auto& [key, value] : options_.options)
        dictionary.set(key, value);
    std::string address = av_url(url, options_.format);
    // What is before it is a file of its own.
    const auto torn = local_ && !waits_ ? torn_fragment(url) : std::nullopt;
    ends_in_fragment_ = torn.has_value();
    if (torn && !torn->holds_media)
        address = fmt::format("subfile,,start,0,end,{},,:{}", torn->begins, address);
    const LogCapture capture;
    int code = avformat_open_input(&context_, address.c_str(), format, dictionary.address());
    if (code < 0) {
        if (code == AVERROR_EXIT) throw gave_up(url);
        throw Error(kind_of(code), url + ": cannot be opened as audio or video: " + capture.reason(code));
    }
    for (const auto& [key, value] : options_.options)
        if (dictionary.has(key))
            throw Error(ErrorKind::usage,
                        url + ": the " + context_->iformat->name + " input has no option '" + key + "'");
    code = avformat_find_stream_info(context_, nullptr);
    // Interrupted, it makes do with what there is.
    if (given_up() || code == AVERROR_EXIT) throw gave_up(url);
    if (code < 0)
        throw Error(kind_of(code), url + ": cannot be read as audio or video: " + capture.reason(code));
}

Reader::~Reader() {
    closing_ = true;
    wake();
    if (thread_.joinable()) thread_.join();
    avformat_close_input(&context_);
}

bool Reader::given_up() const {
    const int64_t deadline = deadline_ns_.load(std::memory_order_relaxed);
    // A file on a disk is read to the end of what was asked for: its pictures come in no time.
    return stop_.load(std::memory_order_relaxed) || closing_.load(std::memory_order_relaxed) ||
           (deadline != 0 && now_ns() > deadline) || (waits_ && options_.cancelled && options_.cancelled());
}

int Reader::interrupted(void* self) {
    return static_cast<const Reader*>(self)->given_up() ? 1 : 0;
}

Error Reader::gave_up(const std::string& url) const {
    const bool asked = stop_ || (options_.cancelled && options_.cancelled());
    return Error(ErrorKind::bad_input,
                 url + (asked ? ": interrupted while it was being opened"
                              : ": cannot be opened as audio or video: no answer in time"));
}

void Reader::wake() {
    { const std::lock_guard lock(mutex_); }
    changed_.notify_all();
}

bool Reader::started() const {
    const std::lock_guard lock(mutex_);
    return thread_.joinable();
}

std::vector<Rational> Reader::look_ahead(int index, size_t packets) {
    std::vector<Rational> times;
    size_t count = 0;
    const auto note = [&](const AVPacket& packet) {
        if (packet.stream_index != index) return;
        ++count;
        const int64_t time = packet.pts != AV_NOPTS_VALUE ? packet.pts : packet.dts;
        if (time != AV_NOPTS_VALUE) times.push_back(seconds(time, context_->streams[index]->time_base));
    };
    size_t bytes = 0;
    for (const auto& packet : ahead_) {
        note(*packet);
        bytes += static_cast<size_t>(packet->size);
    }
    while (count < packets && bytes < (size_t{16} << 20)) {
        Av<AVPacket> packet = new_packet();
        if (av_read_frame(context_, packet.get()) < 0) break;
        bytes += static_cast<size_t>(packet->size);
        note(*packet);
        ahead_.push_back(std::move(packet));
    }
    std::sort(times.begin(), times.end());
    return times;
}

bool Reader::is_torn(const AVPacket& packet) const {
    return (packet.flags & AV_PKT_FLAG_CORRUPT) != 0 && local_ && !waits_ && context_->pb != nullptr &&
           avio_feof(context_->pb) != 0;
}

std::optional<Rational> Reader::measure_end(int index, Rational rate) {
    for (unsigned i = 0; i < context_->nb_streams; ++i)
        context_->streams[i]->discard = static_cast<int>(i) == index ? AVDISCARD_DEFAULT : AVDISCARD_ALL;
    const AVStream& stream = *context_->streams[index];
    if (const auto last = last_within(stream, context_->pb != nullptr ? avio_size(context_->pb) : 0))
        avformat_seek_file(context_, index, INT64_MIN, *last, *last, 0);
    std::optional<Rational> end;
    int64_t untimed = 0;
    const Av<AVPacket> packet = new_packet();
    while (av_read_frame(context_, packet.get()) >= 0) {
        if (packet->stream_index == index && (packet->flags & AV_PKT_FLAG_DISCARD) == 0 &&
            !is_torn(*packet)) {
            const int64_t time = packet->pts != AV_NOPTS_VALUE ? packet->pts : packet->dts;
            if (time == AV_NOPTS_VALUE) {
                ++untimed;
            } else {
                Rational until = seconds(time, stream.time_base);
                if (packet->duration > 0)
                    until = until + seconds(packet->duration, stream.time_base);
                else if (rate > Rational(0))
                    until = until + Rational(1) / rate;
                if (!end || until > *end) end = until;
            }
        }
        av_packet_unref(packet.get());
    }
    if (!end && untimed > 0 && rate > Rational(0)) end = Rational(untimed) / rate;
    return end;
}

void Reader::select(int index, FrameMemory* memory, std::shared_ptr<PacketWatch> watch) {
    {
        const std::lock_guard lock(mutex_);
        queues_[index].reserved = false;
        queues_[index].memory = memory;
        queues_[index].watch = std::move(watch);
        selection_changed_ = true;
    }
    changed_.notify_all();
}

void Reader::reserve(int index) {
    const std::lock_guard lock(mutex_);
    queues_[index].reserved = true;
}

void Reader::unselect(int index) {
    {
        std::unique_lock lock(mutex_);
        const auto found = queues_.find(index);
        if (found == queues_.end()) return;
        total_bytes_ -= found->second.bytes;
        queues_.erase(found);
        selection_changed_ = true;
        changed_.wait(lock, [&] { return !lent_; });
    }
    changed_.notify_all();
}

bool Reader::has(int index) const {
    const std::lock_guard lock(mutex_);
    const auto found = queues_.find(index);
    return found != queues_.end() && !found->second.reserved;
}

size_t Reader::selected() const {
    const std::lock_guard lock(mutex_);
    return static_cast<size_t>(std::count_if(queues_.begin(), queues_.end(),
                                             [](const auto& each) { return !each.second.reserved; }));
}

bool Reader::full(int index, const Queue& queue) const {
    if (queue.packets.size() < 2) return false;
    // Pictures as large as they will be decoded need no head start, and are better used while they are in a
    // cache.
    if (context_->streams[index]->codecpar->codec_id == AV_CODEC_ID_RAWVIDEO) return true;
    if (queue.bytes >= options_.queue_bytes) return true;
    const int64_t first = queue.packets.front()->dts;
    const int64_t last = queue.packets.back()->dts;
    if (first == AV_NOPTS_VALUE || last == AV_NOPTS_VALUE) return queue.packets.size() > 500;
    return static_cast<double>(last - first) * av_q2d(context_->streams[index]->time_base) >=
           options_.queue_seconds;
}

bool Reader::at_hard_bound() const {
    return total_bytes_ >= options_.hard_bytes;
}

bool Reader::room() const {
    bool any = false, any_full = false, any_empty = false;
    for (const auto& [index, queue] : queues_) {
        if (queue.reserved) continue;
        if (queue.waiting) return true;
        any = true;
        any_full = any_full || full(index, queue);
        any_empty = any_empty || queue.packets.empty();
    }
    if (at_hard_bound()) return false;
    return any && (!any_full || any_empty);
}

Reader::Got Reader::pop(int index, Av<AVPacket>& packet, bool may_starve) {
    std::unique_lock lock(mutex_);
    if (!thread_.joinable()) thread_ = std::thread([this] { run(); });
    std::optional<Nanoseconds> waiting;
    while (true) {
        if (stop_) return Got::stopped;
        const auto found = queues_.find(index);
        WEFT_CHECK(found != queues_.end());
        Queue& queue = found->second;
        const bool over = !queue.packets.empty() || end_;
        if (over && waiting && queue.watch) queue.watch->waited(*waiting, now());
        if (!queue.packets.empty()) {
            packet = std::move(queue.packets.front());
            queue.packets.pop_front();
            const size_t bytes = static_cast<size_t>(packet->size);
            queue.bytes -= bytes;
            total_bytes_ -= bytes;
            lock.unlock();
            changed_.notify_all();
            return Got::packet;
        }
        if (end_) {
            if (error_ != 0)
                throw Error(ErrorKind::bad_input, url_ + ": reading broke off: " + av_text(error_));
            return Got::end;
        }
        if (may_starve && at_hard_bound()) return Got::starved;
        queue.waiting = true;
        if (!waiting) waiting = now();
        changed_.notify_all();
        changed_.wait(lock);
        if (const auto again = queues_.find(index); again != queues_.end()) again->second.waiting = false;
    }
}

FileEnd Reader::file_end(int index) const {
    const std::lock_guard lock(mutex_);
    const auto found = queues_.find(index);
    return found == queues_.end() ? FileEnd{} : found->second.end;
}

bool Reader::seek(int index, int64_t timestamp) {
    std::unique_lock lock(mutex_);
    if (!thread_.joinable()) thread_ = std::thread([this] { run(); });
    seek_ = SeekRequest{index, timestamp};
    seek_done_ = false;
    changed_.notify_all();
    changed_.wait(lock, [&] { return seek_done_ || stop_; });
    return seek_done_ && seek_ok_;
}

void Reader::do_seek() { // on the thread, without the lock
    const SeekRequest request = *seek_;
    const int code =
        avformat_seek_file(context_, request.index, INT64_MIN, request.timestamp, request.timestamp, 0);
    const std::lock_guard lock(mutex_);
    ahead_.clear();
    if (raw_) raw_->forget();
    for (auto& [index, queue] : queues_) {
        queue.packets.clear();
        queue.bytes = 0;
        queue.end = {};
    }
    total_bytes_ = 0;
    end_ = torn_ = false;
    error_ = 0;
    seek_.reset();
    seek_ok_ = code >= 0;
    seek_done_ = true;
}

void Reader::take_in(Av<AVPacket> packet, Nanoseconds begun, Nanoseconds done) {
    const std::lock_guard lock(mutex_);
    const auto found = queues_.find(packet->stream_index);
    if (found == queues_.end()) return;
    if (found->second.watch) found->second.watch->read(begun, done);
    const size_t bytes = static_cast<size_t>(packet->size);
    found->second.bytes += bytes;
    total_bytes_ += bytes;
    Queue& queue = found->second;
    queue.any = true;
    queue.packets.push_back(std::move(packet));
    while (queue.reserved && queue.bytes > reserve_bytes) {
        const size_t oldest = static_cast<size_t>(queue.packets.front()->size);
        queue.packets.pop_front();
        queue.bytes -= oldest;
        total_bytes_ -= oldest;
    }
}

int Reader::read(AVPacket& packet, FrameMemory* memory) {
    if (raw_ && memory != nullptr)
        if (const auto code = raw_->read(packet, *memory)) return *code;
    const int code = av_read_frame(context_, &packet);
    if (raw_ && code >= 0) raw_->follow(packet);
    return code;
}

// The file ended within a packet: what decoders would make of the rest is not what the picture was. A
// stream's only packet stays.
bool Reader::throw_away_torn(const AVPacket& packet) {
    if (!is_torn(packet)) return false;
    const std::lock_guard lock(mutex_);
    torn_ = true;
    const auto found = queues_.find(packet.stream_index);
    if (found == queues_.end() || !found->second.any) return false;
    found->second.end.torn = true;
    return true;
}

int64_t Reader::place() const {
    return context_->pb == nullptr ? 0 : avio_tell(context_->pb);
}

// Some demuxers say EIO when nothing is left of a file, and when not all of a packet is.
int Reader::take_for_end(int code, int64_t before) {
    AVIOContext* file = context_->pb;
    if (code != AVERROR(EIO) || !local_ || waits_ || file == nullptr || file->error < 0 ||
        avio_feof(file) == 0)
        return code;
    if (before < avio_size(file)) {
        const std::lock_guard lock(mutex_);
        torn_ = true;
    }
    return AVERROR_EOF;
}

void Reader::look_at_end(int code) { // on the thread, without the lock
    if (!local_ || waits_ || context_->pb == nullptr || given_up()) return;
    const int64_t bytes = avio_size(context_->pb);
    if (bytes <= 0) return;
    const std::optional<int64_t> declared = declared_bytes(url_);
    const bool open = torn_fragment(url_).has_value();
    const std::lock_guard lock(mutex_);
    for (auto& [index, queue] : queues_) {
        queue.end.cut = torn_ || code == AVERROR_INVALIDDATA || (declared && *declared > bytes) || open;
        queue.end.open = open;
        queue.end.beyond = packets_beyond(*context_->streams[index], bytes);
    }
}

void Reader::run() {
    int failures = 0;
    while (true) {
        bool seeking = false;
        FrameMemory* memory = nullptr;
        {
            std::unique_lock lock(mutex_);
            changed_.wait(lock, [&] { return stop_ || closing_ || seek_.has_value() || (!end_ && room()); });
            if (stop_ || closing_) {
                lock.unlock();
                changed_.notify_all();
                return;
            }
            if (selection_changed_) {
                for (unsigned i = 0; i < context_->nb_streams; ++i) {
                    const bool wanted = queues_.contains(static_cast<int>(i));
                    context_->streams[i]->discard = wanted ? AVDISCARD_DEFAULT : AVDISCARD_ALL;
                }
                selection_changed_ = false;
            }
            seeking = seek_.has_value();
            if (raw_ && !seeking && !queues_.empty()) memory = queues_.begin()->second.memory;
            lent_ = memory != nullptr;
        }
        if (seeking) {
            do_seek();
            failures = 0;
            changed_.notify_all();
            continue;
        }
        Av<AVPacket> packet;
        int code = 0;
        const Nanoseconds begun = now();
        const int64_t before = place();
        if (!ahead_.empty()) {
            packet = std::move(ahead_.front());
            ahead_.pop_front();
        } else {
            packet.reset(av_packet_alloc());
            code = packet ? read(*packet, memory) : AVERROR(ENOMEM);
        }
        const Nanoseconds done = now();
        if (code >= 0 && !throw_away_torn(*packet)) take_in(std::move(packet), begun, done);
        packet.reset();
        if (memory != nullptr) {
            const std::lock_guard lock(mutex_);
            lent_ = false;
        }
        changed_.notify_all();
        if (code >= 0) {
            failures = 0;
            continue;
        }
        // A damaged stretch of a file may be followed by good packets; a broken connection is not.
        if ((code == AVERROR(EAGAIN) && !given_up()) ||
            (local_ && code == AVERROR_INVALIDDATA && ++failures < 100)) {
            if (code == AVERROR(EAGAIN)) std::this_thread::sleep_for(std::chrono::milliseconds(5));
            continue;
        }
        code = take_for_end(code, before);
        look_at_end(code);
        {
            const std::lock_guard lock(mutex_);
            end_ = true;
            const bool quiet = code == AVERROR_EOF || given_up() || (local_ && code == AVERROR_INVALIDDATA);
            error_ = quiet ? 0 : code;
        }
        changed_.notify_all();
    }
}

} // namespace weft::media
