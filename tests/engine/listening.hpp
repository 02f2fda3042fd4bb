// A socket of this machine alone that servers for tests accept connections on.
#pragma once

#include <utility>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "base/error.hpp"

namespace weft::test {

// The socket and its port. Errors : resource.
inline std::pair<int, int> listen_here(int backlog) {
    const int listener = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    auto* const plain = reinterpret_cast<sockaddr*>(&address);
    if (::bind(listener, plain, length) != 0 || ::listen(listener, backlog) != 0 ||
        ::getsockname(listener, plain, &length) != 0)
        throw Error(ErrorKind::resource, "no socket for a test");
    return {listener, ntohs(address.sin_port)};
}

} // namespace weft::test
