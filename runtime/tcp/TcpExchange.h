// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bytes between ranks over TCP connections, one between any two of them. The
// thread that calls sends and receives: there is no other.
#ifndef TERT_TCP_TCPEXCHANGE_H
#define TERT_TCP_TCPEXCHANGE_H

#include "launch/Socket.h"
#include "program/Exchange.h"

#include <mutex>

namespace tert::tcp {

class TcpExchange final : public Exchange {
public:
  /// Connects the members of the group; all of them call it.
  TcpExchange(Group group, const Rendezvous &rendezvous);

  void run(const ExchangeCall &call, bool isNew, const std::vector<Sent> &sends,
           const std::vector<Received> &receives) override;

  std::string failure() override;
  void abort(const std::string &reason) noexcept override;

private:
  class Round;

  void throwIfFailed();
  /// Tells all others what this rank calls, and compares it with theirs.
  void agree(const ExchangeCall &call);

  const Group group;
  const std::chrono::milliseconds timeout;
  std::vector<launch::Socket> sockets; ///< by place
  launch::Socket wakeEnd, wake;        ///< a pipe; abort() writes to it
  /// Messages of a rank to another one carry their number.
  uint64_t numRounds = 0;
  uint64_t numCalls = 0;

  /// Guards what follows, which other threads use to end what is under way.
  std::mutex mutex;
  std::string failed;
  bool isAborted = false;
};

} // namespace tert::tcp

#endif // TERT_TCP_TCPEXCHANGE_H
