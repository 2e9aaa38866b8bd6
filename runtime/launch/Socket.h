// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stream sockets of TCP, IPv4 and IPv6.

#ifndef TERT_LAUNCH_SOCKET_H
#define TERT_LAUNCH_SOCKET_H

#include "launch/Endpoint.h"

#include <chrono>
#include <string>
#include <utility>

namespace tert::launch {

using Clock = std::chrono::steady_clock;

/// An open socket, or none. All are non-blocking, and closed in programs that
/// this one executes.
class Socket {
public:
  Socket() = default;
  explicit Socket(int descriptor) : descriptor(descriptor) {}
  Socket(Socket &&other) noexcept
      : descriptor(std::exchange(other.descriptor, -1)) {}
  Socket &operator=(Socket &&other) noexcept {
    std::swap(descriptor, other.descriptor);
    return *this;
  }
  ~Socket() { close(); }

  explicit operator bool() const { return descriptor >= 0; }
  int get() const { return descriptor; }
  void close();
  /// The port that it is bound to.
  uint16_t port() const;
  /// Who is on the other side: "10.0.0.7:41234".
  std::string peer() const;

  /// Where it is reached from this host: its address, or "localhost" if it is
  /// bound to all of them.
  Endpoint local() const;

  /// Listens at the endpoint's port (0: one that is free): on this host alone
  /// if that is what its name means, at the address that it is if it is one of
  /// this host, else on all interfaces.
  static Expected<Socket> listen(const Endpoint &endpoint);
  /// The next connection; none if nobody knocks.
  Socket accept() const;
  /// Connects, trying again until the deadline while nobody listens or the name
  /// is not known yet.
  static Expected<Socket> connect(const Endpoint &endpoint,
                                  Clock::time_point deadline);

  /// Sends all of it, waiting for room until the deadline.
  Error send(const std::string &bytes, Clock::time_point deadline) const;
  /// Appends what there is to read, so much at a time that one busy connection
  /// does not starve the others; false when the other side has closed, or the
  /// connection broke.
  bool receive(std::string &bytes, size_t most = 65536) const;

private:
  int descriptor = -1;
};

/// Waits until the descriptor can be read (or written) or the deadline is over.
bool waitFor(int descriptor, short events, Clock::time_point deadline);

} // namespace tert::launch

#endif // TERT_LAUNCH_SOCKET_H
