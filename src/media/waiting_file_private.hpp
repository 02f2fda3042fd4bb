// A pipe, terminal or device file that is read without ever waiting for it deaf.
#pragma once

#include <functional>
#include <string>

#include "media/av_private.hpp"

namespace weft::media {

// FFmpeg's own file protocol sits in open() and read() until somebody writes, whatever its interrupt callback
// says. Here both wait in poll() and ask `interrupted` ten times a second.
//   threads : one at a time
class WaitingFile {
  public:
    // `path` : "-" is standard input. Returns at once, also when nobody writes to the pipe yet.
    // Errors : not_found, bad_input or resource naming the file.
    WaitingFile(const std::string& path, std::function<bool()> interrupted);
    ~WaitingFile();
    WaitingFile(const WaitingFile&) = delete;
    WaitingFile& operator=(const WaitingFile&) = delete;

    // Stays ours; not to be closed by the one that reads. Not seekable.
    AVIOContext* io() { return io_; }

  private:
    static int read(void* self, uint8_t* buffer, int size);

    std::function<bool()> interrupted_;
    int handle_ = -1;
    bool own_handle_ = false;
    AVIOContext* io_ = nullptr;
};

} // namespace weft::media
