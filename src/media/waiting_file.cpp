#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include "media/waiting_file_private.hpp"

namespace weft::media {
namespace {

constexpr int look_up_ms = 100;
constexpr int buffer_bytes = 64 << 10;

} // namespace

WaitingFile::WaitingFile(const std::string& path, std::function<bool()> interrupted)
    : interrupted_(std::move(interrupted)) {
    if (path == "-") {
        handle_ = STDIN_FILENO;
    } else {
        // Without O_NONBLOCK open() itself waits for a writer.
        handle_ = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
        if (handle_ < 0) {
            const int code = errno;
            throw Error(kind_of(AVERROR(code)), path + ": cannot be opened: " + std::strerror(code));
        }
        own_handle_ = true;
    }
    auto* buffer = static_cast<unsigned char*>(av_malloc(buffer_bytes));
    if (buffer != nullptr)
        io_ = avio_alloc_context(buffer, buffer_bytes, 0, this, &WaitingFile::read, nullptr, nullptr);
    if (io_ == nullptr) {
        av_free(buffer);
        if (own_handle_) ::close(handle_);
        throw Error(ErrorKind::resource, path + ": out of memory");
    }
    io_->seekable = 0;
}

WaitingFile::~WaitingFile() {
    av_freep(&io_->buffer); // FFmpeg may have replaced the one it was given
    avio_context_free(&io_);
    if (own_handle_) ::close(handle_);
}

int WaitingFile::read(void* self, uint8_t* buffer, int size) {
    auto& file = *static_cast<WaitingFile*>(self);
    while (!file.interrupted_()) {
        pollfd wait{file.handle_, POLLIN, 0};
        const int ready = ::poll(&wait, 1, look_up_ms);
        if (ready == 0 || (ready < 0 && errno == EINTR)) continue;
        if (ready < 0) return AVERROR(errno);
        if ((wait.revents & POLLNVAL) != 0) return AVERROR(EBADF);
        const ssize_t got = ::read(file.handle_, buffer, static_cast<size_t>(size));
        if (got > 0) return static_cast<int>(got);
        if (got == 0) return AVERROR_EOF;
        if (errno != EAGAIN && errno != EINTR) return AVERROR(errno);
    }
    return AVERROR_EXIT;
}

} // namespace weft::media
