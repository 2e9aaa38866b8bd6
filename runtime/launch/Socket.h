// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stream sockets of TCP, IPv4 and IPv6.

#ifndef TERT_LAUNCH_SOCKET_H
#define TERT_LAUNCH_SOCKET_H

#include "launch/Endpoint.h"
#include "support/Descriptor.h"

#include <chrono>
#include <string>
#include <utility>

namespace tert::launch {

using Clock = std::chrono::steady_clock;

/// An open socket, or none. All are non-blocking and close-on-exec.
class Socket : public session::Descriptor {
public:
  using Descriptor::Descriptor;

  /// The port that it is bound to.
  uint16_t port() const;
  /// Address of the other side: "10.0.0.7:41234".
  std::string peer() const;

  /// An endpoint for connections from this host: the socket's address, or
  /// "localhost" if it is bound to all interfaces.
  Endpoint local() const;

  /// Listens at the endpoint's port (0: a free one): on the loopback interface
  /// if the name is a loopback name, at the given address if it is one of this
  /// host, otherwise on all interfaces.
  static Expected<Socket> listen(const Endpoint &endpoint);
  /// The next connection, if there is one.
  Socket accept() const;
  /// Connects, and retries until the deadline while nobody listens or the name
  /// cannot be resolved yet.
  static Expected<Socket> connect(const Endpoint &endpoint,
                                  Clock::time_point deadline);

  /// Sends all bytes, waiting for buffer space until the deadline.
  Error send(const std::string &bytes, Clock::time_point deadline) const;
  /// Appends available bytes, limited so that one busy connection does not
  /// starve the others. Returns false if the connection was closed or broke.
  bool receive(std::string &bytes, size_t most = 65536) const;
};

/// Waits until the descriptor is readable (or writable) or the deadline passes.
bool waitFor(int descriptor, short events, Clock::time_point deadline);

} // namespace tert::launch

#endif // TERT_LAUNCH_SOCKET_H
