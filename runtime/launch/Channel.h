// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mutually authenticated connections, and a listener that accepts them at a
// public port. Each side first sends a random number. From both numbers and the
// shared key each derives the codes of all its further messages, and checks
// those of the other side.

#ifndef TERT_LAUNCH_CHANNEL_H
#define TERT_LAUNCH_CHANNEL_H

#include "launch/Message.h"
#include "launch/Socket.h"

#include <functional>
#include <list>
#include <vector>

struct pollfd;

namespace tert::launch {

struct Channel {
  Socket socket;
  Inbox in;
  FrameAuthenticator out;

  /// The frame with its code; frames are sent in the order of these calls.
  std::string sealed(const std::string &frame) {
    return frame + out.next(frame);
  }
};

/// Connects to an Acceptor with the same key, and retries until the deadline
/// while nobody listens or the acceptor is full; sends `hello`, and waits until
/// it is accepted. Fails with the other side's reason if that side knows the
/// key. `who` names the other side in messages: "rank 0".
Expected<Channel> connectTo(const Endpoint &endpoint, const std::string &who,
                            const Key &key, const Packer &hello,
                            Clock::time_point deadline);

/// Listens. Data from unauthenticated connections is limited in size and time,
/// and errors affect only their own connection.
class Acceptor {
public:
  /// An authenticated connection that has not been answered yet.
  struct Arrival {
    Channel channel;
    std::string hello; ///< The payload.
  };

  /// Calls `warn` for the first unauthenticated connection that sent something.
  Acceptor(Socket listener, const Key &key,
           std::function<void(const std::string &)> warn = {});

  /// Adds the descriptors to poll, for at most tick(), before take().
  void addTo(std::vector<pollfd> &polled) const;
  static constexpr std::chrono::milliseconds tick{100};
  /// Connections that have arrived.
  std::vector<Arrival> take(Clock::time_point now);
  /// Accepts no further connections.
  void close();

  /// Maximum number of unauthenticated connections.
  static constexpr size_t maxPendingConnections = 256;

private:
  struct PendingConnection {
    Socket socket;
    Inbox in;
    std::string challenge;
    std::optional<FrameAuthenticator> out;
    Clock::time_point opened;
  };
  bool isFull() const {
    return pendingConnections.size() >= maxPendingConnections;
  }
  void accept(Clock::time_point now);
  bool listenTo(PendingConnection &stranger, std::vector<Arrival> &arrivals);
  void refuse(PendingConnection &stranger, const std::string &why);

  Socket listener;
  const Key key;
  const std::function<void(const std::string &)> warn;
  std::list<PendingConnection> pendingConnections;
  bool warned = false;
};

} // namespace tert::launch

#endif // TERT_LAUNCH_CHANNEL_H
