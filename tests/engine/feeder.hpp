// A server on this machine that sends a file as a live source does: up to a place, and then nothing, or less.
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>
#include <tuple>

#include <sys/socket.h>
#include <unistd.h>

#include "engine/listening.hpp"

namespace weft::test {

class Feeder {
  public:
    enum class Then {
        freeze, // the connection stays, silent
        reset,  // it breaks: the reader meets an error
        close   // it ends in order
    };
    // The first connection is sent `share` of the bytes, and then that happens; every later one is sent all.
    Feeder(std::string bytes, double share, Then then)
        : bytes_(std::move(bytes)), share_(share), then_(then) {
        std::tie(socket_, port_) = listen_here(4);
        thread_ = std::thread([this] { serve(); });
    }
    ~Feeder() {
        {
            const std::lock_guard lock(mutex_);
            over_ = true;
        }
        changed_.notify_all();
        ::shutdown(socket_, SHUT_RDWR);
        if (const int open = connection_; open >= 0) ::shutdown(open, SHUT_RDWR);
        thread_.join();
        ::close(socket_);
    }
    std::string url() const { return "tcp://127.0.0.1:" + std::to_string(port_); }

  private:
    void serve() {
        for (bool first = true;; first = false) {
            const int connection = ::accept(socket_, nullptr, nullptr);
            if (connection < 0) return;
            connection_ = connection;
            const size_t end =
                first ? static_cast<size_t>(static_cast<double>(bytes_.size()) * share_) : bytes_.size();
            for (size_t at = 0; at < end;) {
                const ssize_t sent = ::send(connection, bytes_.data() + at, end - at, MSG_NOSIGNAL);
                if (sent <= 0) break;
                at += static_cast<size_t>(sent);
            }
            std::unique_lock lock(mutex_);
            if (first && then_ == Then::freeze) changed_.wait(lock, [&] { return over_; });
            if (first && then_ == Then::reset) {
                // The reset throws away what the reader has not taken, who may have a busy machine.
                changed_.wait_for(lock, std::chrono::milliseconds(1500), [&] { return over_; });
                const linger at_once{1, 0};
                ::setsockopt(connection, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
            }
            connection_ = -1;
            ::close(connection);
            if (over_) return;
        }
    }

    std::string bytes_;
    double share_;
    Then then_;
    int socket_ = -1;
    int port_ = 0;
    std::atomic<int> connection_{-1};
    std::mutex mutex_;
    std::condition_variable changed_;
    bool over_ = false;
    std::thread thread_;
};

} // namespace weft::test
