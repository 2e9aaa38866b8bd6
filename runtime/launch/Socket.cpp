// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "launch/Socket.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

using namespace tert::launch;
using namespace std::chrono_literals;

namespace {
using Addresses = std::unique_ptr<addrinfo, void (*)(addrinfo *)>;

/// Addresses of a name, or of all interfaces (null).
Addresses resolve(const char *host, uint16_t port, int flags, int &code) {
  addrinfo hints = {};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = flags | AI_NUMERICSERV;
  addrinfo *found = nullptr;
  code = ::getaddrinfo(host, std::to_string(port).c_str(), &hints, &found);
  return Addresses(code == 0 ? found : nullptr, [](addrinfo *list) {
    if (list)
      ::freeaddrinfo(list);
  });
}

Socket open(const addrinfo &address) {
  return Socket(::socket(address.ai_family,
                         address.ai_socktype | SOCK_NONBLOCK | SOCK_CLOEXEC,
                         address.ai_protocol));
}

void set(const Socket &socket, int level, int option, int value) {
  // A failure costs speed at most.
  ::setsockopt(socket.get(), level, option, &value, sizeof(value));
}

/// One attempt at one address; returns errno on failure.
int tryToConnect(const Socket &socket, const addrinfo &address,
                 Clock::time_point deadline) {
  if (::connect(socket.get(), address.ai_addr, address.ai_addrlen) == 0)
    return 0;
  if (errno != EINPROGRESS)
    return errno;
  if (!waitFor(socket.get(), POLLOUT, deadline))
    return ETIMEDOUT;
  int error = 0;
  socklen_t size = sizeof(error);
  ::getsockopt(socket.get(), SOL_SOCKET, SO_ERROR, &error, &size);
  return error;
}

/// A socket that connects to a local port without a listener may be assigned
/// that very port, and then connects to itself.
bool isItself(const Socket &socket) {
  sockaddr_storage own = {}, other = {};
  socklen_t ownSize = sizeof(own), otherSize = sizeof(other);
  return ::getsockname(socket.get(), reinterpret_cast<sockaddr *>(&own),
                       &ownSize) == 0 &&
         ::getpeername(socket.get(), reinterpret_cast<sockaddr *>(&other),
                       &otherSize) == 0 &&
         ownSize == otherSize && std::memcmp(&own, &other, ownSize) == 0;
}

/// Listens at the first possible address; `error` is the reason if there is
/// none.
Socket listenAt(const addrinfo *addresses, int &error) {
  // An IPv6 socket also accepts IPv4 connections.
  for (int family : {AF_INET6, AF_INET})
    for (const addrinfo *address = addresses; address;
         address = address->ai_next) {
      if (address->ai_family != family)
        continue;
      Socket socket = open(*address);
      if (!socket) {
        error = errno;
        continue;
      }
      set(socket, SOL_SOCKET, SO_REUSEADDR, 1);
      if (family == AF_INET6)
        set(socket, IPPROTO_IPV6, IPV6_V6ONLY, 0);
      if (::bind(socket.get(), address->ai_addr, address->ai_addrlen) == 0 &&
          ::listen(socket.get(), SOMAXCONN) == 0)
        return socket;
      error = errno;
    }
  return Socket();
}
} // namespace

bool tert::launch::waitFor(int descriptor, short events,
                           Clock::time_point deadline) {
  while (true) {
    auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        deadline - Clock::now());
    pollfd entry = {descriptor, events, 0};
    int ready = ::poll(
        &entry, 1,
        static_cast<int>(std::clamp<int64_t>(left.count() + 1, 0, INT32_MAX)));
    if (ready > 0)
      return true;
    if (ready < 0 && errno == EINTR)
      continue;
    return false;
  }
}

uint16_t Socket::port() const {
  sockaddr_storage address = {};
  socklen_t size = sizeof(address);
  ::getsockname(get(), reinterpret_cast<sockaddr *>(&address), &size);
  if (address.ss_family == AF_INET6)
    return ntohs(reinterpret_cast<sockaddr_in6 &>(address).sin6_port);
  return ntohs(reinterpret_cast<sockaddr_in &>(address).sin_port);
}

std::string Socket::peer() const {
  sockaddr_storage address = {};
  socklen_t size = sizeof(address);
  char host[NI_MAXHOST] = "?", port[NI_MAXSERV] = "?";
  auto *generic = reinterpret_cast<sockaddr *>(&address);
  if (::getpeername(get(), generic, &size) == 0)
    ::getnameinfo(generic, size, host, sizeof(host), port, sizeof(port),
                  NI_NUMERICHOST | NI_NUMERICSERV);
  return std::string(host) + ":" + port;
}

Endpoint Socket::local() const {
  sockaddr_storage address = {};
  socklen_t size = sizeof(address);
  char host[NI_MAXHOST] = "";
  auto *generic = reinterpret_cast<sockaddr *>(&address);
  if (::getsockname(get(), generic, &size) == 0)
    ::getnameinfo(generic, size, host, sizeof(host), nullptr, 0,
                  NI_NUMERICHOST);
  const std::string text = host;
  const bool isAny = text.empty() || text == "::" || text == "0.0.0.0";
  return {isAny ? "localhost" : text, port()};
}

Expected<Socket> Socket::listen(const Endpoint &endpoint) {
  int code = 0, error = 0;
  // A name's address may differ between hosts: on its own host it often is the
  // loopback address.
  const bool isGiven = endpoint.isLoopback() || endpoint.isAddress();
  Addresses addresses = resolve(isGiven ? endpoint.host.c_str() : nullptr,
                                endpoint.port, AI_PASSIVE, code);
  Socket listener = listenAt(addresses.get(), error);
  // An address that is forwarded here, such as one of a service, need not be
  // local.
  if (!listener && error == EADDRNOTAVAIL && !endpoint.isLoopback()) {
    addresses = resolve(nullptr, endpoint.port, AI_PASSIVE, code);
    listener = listenAt(addresses.get(), error);
  }
  if (listener)
    return listener;
  std::string why = code ? ::gai_strerror(code) : std::strerror(error);
  return Error("cannot listen at " + endpoint.text() + ": " + why);
}

Socket Socket::accept() const {
  Socket socket(
      ::accept4(get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
  if (socket)
    set(socket, IPPROTO_TCP, TCP_NODELAY, 1);
  return socket;
}

Expected<Socket> Socket::connect(const Endpoint &endpoint,
                                 Clock::time_point deadline) {
  std::string why;
  for (auto pause = 20ms;; pause = std::min(2 * pause, 500ms)) {
    int code = 0;
    Addresses addresses =
        resolve(endpoint.host.c_str(), endpoint.port, 0, code);
    if (code)
      why = ::gai_strerror(code);
    for (const addrinfo *address = addresses.get(); address;
         address = address->ai_next) {
      Socket socket = open(*address);
      int error = socket ? tryToConnect(socket, *address, deadline) : errno;
      if (error == 0 && isItself(socket))
        error = ECONNREFUSED;
      if (error == 0) {
        set(socket, IPPROTO_TCP, TCP_NODELAY, 1);
        return socket;
      }
      why = std::strerror(error);
    }
    if (Clock::now() + pause >= deadline)
      return Error("no answer from " + endpoint.text() + ": " + why +
                   ". Was it started on that host, and does nothing block the "
                   "port?");
    std::this_thread::sleep_for(pause);
  }
}

Error Socket::send(const std::string &bytes, Clock::time_point deadline) const {
  size_t sent = 0;
  while (sent < bytes.size()) {
    ssize_t count =
        ::send(get(), bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
    if (count >= 0)
      sent += static_cast<size_t>(count);
    else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      if (!waitFor(get(), POLLOUT, deadline))
        return Error("the connection takes nothing more");
    } else if (errno != EINTR)
      return Error(std::strerror(errno));
  }
  return Error::success();
}

bool Socket::receive(std::string &bytes, size_t most) const {
  char buffer[65536];
  while (true) {
    ssize_t count = ::recv(get(), buffer, std::min(most, sizeof(buffer)), 0);
    if (count > 0) {
      bytes.append(buffer, static_cast<size_t>(count));
      return true;
    }
    if (count < 0 && errno == EINTR)
      continue;
    return count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
  }
}
