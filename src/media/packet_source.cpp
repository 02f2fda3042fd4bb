#include "media/packet_source_private.hpp"

#include <algorithm>

#include "base/log.hpp"

namespace weft::media {

std::shared_ptr<Reader> Input::Impl::new_reader() {
    auto reader = std::make_shared<Reader>(url, options, stop);
    std::erase_if(readers, [](const auto& weak) { return weak.expired(); });
    readers.push_back(reader);
    return reader;
}

PacketSource::PacketSource(std::shared_ptr<Input> input, int index, FrameMemory* memory,
                           std::shared_ptr<PacketWatch> watch)
    : input_(std::move(input)), index_(index), memory_(memory), watch_(std::move(watch)) {
    Input::Impl& impl = input_->impl();
    const std::lock_guard lock(impl.mutex);
    const bool taken = impl.shared->has(index);
    if (!impl.shared->seekable()) {
        if (taken)
            throw Error(ErrorKind::unsupported, impl.url + ": cannot be opened twice, so stream " +
                                                    std::to_string(index) + " can have only one use");
        reader_ = impl.shared;
    } else {
        reader_ = taken || impl.shared->started() ? impl.new_reader() : impl.shared;
    }
    if (static_cast<unsigned>(index) >= reader_->context().nb_streams)
        throw Error(ErrorKind::bad_input, impl.url + ": stream " + std::to_string(index) + " is gone");
    reader_->select(index, memory_, watch_);
}

PacketSource::~PacketSource() {
    leave();
}

void PacketSource::leave() {
    if (reader_) reader_->unselect(index_);
    reader_.reset();
}

void PacketSource::take_own() {
    Input::Impl& impl = input_->impl();
    std::shared_ptr<Reader> own;
    {
        const std::lock_guard lock(impl.mutex);
        own = impl.new_reader();
    }
    if (static_cast<unsigned>(index_) >= own->context().nb_streams)
        throw Error(ErrorKind::bad_input, impl.url + ": stream " + std::to_string(index_) + " is gone");
    leave();
    reader_ = std::move(own);
    reader_->select(index_, memory_, watch_);
}

Av<AVPacket> PacketSource::pop() {
    Av<AVPacket> packet;
    while (true) {
        const bool may_starve = reader_->seekable() && reader_->selected() > 1;
        switch (reader_->pop(index_, packet, may_starve)) {
        case Reader::Got::packet:
            fresh_ = false;
            if (packet->dts != AV_NOPTS_VALUE) last_dts_ = packet->dts;
            return packet;
        case Reader::Got::end:
        case Reader::Got::stopped:
            return {};
        case Reader::Got::starved: {
            // The other streams of this file are far ahead: read on alone, from where this one stands.
            log("media").debug("{}: stream {} reads on by itself", input_->info().url, index_);
            const int64_t reached = last_dts_;
            take_own();
            if (reached == AV_NOPTS_VALUE) break;
            if (!reader_->seek(index_, reached)) take_own();
            while (reader_->pop(index_, packet, false) == Reader::Got::packet) {
                if (packet->dts == AV_NOPTS_VALUE || packet->dts <= reached) continue;
                last_dts_ = packet->dts;
                return packet;
            }
            return {};
        }
        }
    }
}

bool PacketSource::seek(int64_t timestamp) {
    if (!reader_->seekable())
        throw Error(ErrorKind::unsupported, input_->info().url + ": this input cannot seek");
    if (reader_->selected() > 1) take_own();
    fresh_ = false;
    last_dts_ = AV_NOPTS_VALUE;
    return reader_->seek(index_, timestamp);
}

void PacketSource::rewind() {
    if (fresh_) return;
    if (!reader_->seekable())
        throw Error(ErrorKind::unsupported, input_->info().url + ": this input cannot seek");
    take_own();
    fresh_ = true;
    last_dts_ = AV_NOPTS_VALUE;
}

} // namespace weft::media
