// A web server on this machine with one file, which can be asked for from any byte on; it can fall silent.
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include <sys/socket.h>
#include <unistd.h>

#include "engine/listening.hpp"

namespace weft::test {

class RangeServer {
  public:
    explicit RangeServer(std::string bytes) : bytes_(std::move(bytes)) {
        std::tie(socket_, port_) = listen_here(8);
        accepting_ = std::thread([this] { accept_all(); });
    }
    ~RangeServer() {
        ::shutdown(socket_, SHUT_RDWR);
        accepting_.join();
        {
            const std::lock_guard lock(mutex_);
            over_ = true;
            for (const int connection : connections_)
                ::shutdown(connection, SHUT_RDWR);
        }
        changed_.notify_all();
        for (std::thread& thread : serving_)
            thread.join();
        for (const int connection : connections_)
            ::close(connection);
        ::close(socket_);
    }
    std::string url() const { return "http://127.0.0.1:" + std::to_string(port_) + "/clip.mov"; }
    // What is asked for from here on is not answered, until go_on().
    void fall_silent() { set_silent(true); }
    void go_on() { set_silent(false); }

  private:
    void set_silent(bool silent) {
        {
            const std::lock_guard lock(mutex_);
            silent_ = silent;
        }
        changed_.notify_all();
    }
    void accept_all() {
        for (;;) {
            const int connection = ::accept(socket_, nullptr, nullptr);
            if (connection < 0) return;
            const std::lock_guard lock(mutex_);
            connections_.push_back(connection);
            serving_.emplace_back([this, connection] { serve(connection); });
        }
    }
    void serve(int connection) {
        std::string request;
        while (request.find("\r\n\r\n") == std::string::npos) {
            char piece[1024];
            const ssize_t got = ::recv(connection, piece, sizeof piece, 0);
            if (got <= 0) return;
            request.append(piece, static_cast<size_t>(got));
        }
        {
            std::unique_lock lock(mutex_);
            changed_.wait(lock, [&] { return over_ || !silent_; });
            if (over_) return;
        }
        const size_t range = request.find("bytes=");
        const size_t from = range == std::string::npos ? 0 : std::stoull(request.substr(range + 6));
        const std::string size = std::to_string(bytes_.size());
        const std::string head =
            "HTTP/1.1 206 Partial Content\r\nAccept-Ranges: bytes\r\nContent-Range: bytes " +
            std::to_string(from) + "-" + std::to_string(bytes_.size() - 1) + "/" + size +
            "\r\nContent-Length: " + std::to_string(bytes_.size() - from) + "\r\nConnection: close\r\n\r\n";
        send_all(connection, head.data(), head.size());
        send_all(connection, bytes_.data() + from, bytes_.size() - from);
        ::shutdown(connection, SHUT_WR);
    }
    static void send_all(int connection, const char* bytes, size_t count) {
        while (count > 0) {
            const ssize_t sent = ::send(connection, bytes, count, MSG_NOSIGNAL);
            if (sent <= 0) return;
            bytes += sent;
            count -= static_cast<size_t>(sent);
        }
    }

    std::string bytes_;
    int socket_ = -1, port_ = 0;
    std::mutex mutex_;
    std::condition_variable changed_;
    bool silent_ = false, over_ = false;
    std::vector<int> connections_;
    std::vector<std::thread> serving_;
    std::thread accepting_;
};

} // namespace weft::test
