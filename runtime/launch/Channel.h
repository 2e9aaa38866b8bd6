// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Connections whose two sides have proven to each other that they know a key,
// and what waits for them at a port that anybody reaches. Each side says a
// random number first; with both numbers and the key each makes the codes of
// all that it says from then on, and checks those of the other side.

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
  Seal out;

  /// The frame with its code; frames are sent in this order.
  std::string sealed(const std::string &frame) {
    return frame + out.next(frame);
  }
};

/// Connects to an Acceptor of the same key, trying again until the deadline
/// while nobody listens, or whoever does has no room; says `hello`, and waits
/// until that is welcome. Fails with the reason that the other side gives if it
/// knows the key. `who` should answer, for messages: "rank 0".
Expected<Channel> connectTo(const Endpoint &endpoint, const std::string &who,
                            const Key &key, const Packer &hello,
                            Clock::time_point deadline);

/// Listens. What strangers send is bounded in size and time, and ends nothing
/// but their own connections.
class Acceptor {
public:
  /// Someone who knows the key and has not been answered yet.
  struct Arrival {
    Channel channel;
    std::string hello; ///< The payload.
  };

  /// `warn` hears of the first stranger that has said something.
  Acceptor(Socket listener, const Key &key,
           std::function<void(const std::string &)> warn = {});

  /// What to wait for, tick() at most, before take().
  void addTo(std::vector<pollfd> &polled) const;
  static constexpr std::chrono::milliseconds tick{100};
  /// Those that have come.
  std::vector<Arrival> take(Clock::time_point now);
  /// Nobody comes any more.
  void close();

  /// Connections at a time of which it is not known whose they are.
  static constexpr size_t mostStrangers = 256;

private:
  struct Stranger {
    Socket socket;
    Inbox in;
    std::string challenge;
    std::optional<Seal> out;
    Clock::time_point opened;
  };
  bool isFull() const { return strangers.size() >= mostStrangers; }
  void accept(Clock::time_point now);
  bool listenTo(Stranger &stranger, std::vector<Arrival> &arrivals);
  void refuse(Stranger &stranger, const std::string &why);

  Socket listener;
  const Key key;
  const std::function<void(const std::string &)> warn;
  std::list<Stranger> strangers;
  bool warned = false;
};

} // namespace tert::launch

#endif // TERT_LAUNCH_CHANNEL_H
