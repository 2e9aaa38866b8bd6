// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Transfers bytes between ranks over TCP connections, one for every pair. The
// calling thread sends and receives: there is no other.
#ifndef TERT_COLLECTIVES_TCP_TCPTRANSPORT_H
#define TERT_COLLECTIVES_TCP_TCPTRANSPORT_H

#include "collectives/host/Transport.h"
#include "launch/Socket.h"

#include <mutex>

namespace tert::tcp {

class TcpTransport final : public Transport {
public:
  /// Connects the members of the group; all of them call it.
  TcpTransport(Group group, const Rendezvous &rendezvous);

  void run(const CallSignature &call, bool isNew,
           const std::vector<Sent> &sends,
           const std::vector<Received> &receives) override;

  std::string failure() override;
  void abort(const std::string &reason) noexcept override;

private:
  class Round;

  void throwIfFailed();
  /// Announces this rank's call to all others, and compares it with theirs.
  void agree(const CallSignature &call);

  const Group group;
  const std::chrono::milliseconds timeout;
  std::vector<launch::Socket> sockets; ///< by member index
  launch::Socket wakeEnd, wake;        ///< a pipe; abort() writes to it
  /// A message carries the number of its round.
  uint64_t numRounds = 0;
  uint64_t numCalls = 0;

  /// Guards the members below, which other threads use to abort.
  std::mutex mutex;
  std::string failed;
  bool isAborted = false;
};

} // namespace tert::tcp

#endif // TERT_COLLECTIVES_TCP_TCPTRANSPORT_H
