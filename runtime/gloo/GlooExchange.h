// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bytes between ranks over Gloo's TCP connections.
//
// Of Gloo only the connections and their buffers are used, and none of its
// collectives: with a buffer for each rank, whoever waits knows for whom.
#ifndef TERT_GLOO_GLOOEXCHANGE_H
#define TERT_GLOO_GLOOEXCHANGE_H

#include "program/Exchange.h"

#include <gloo/rendezvous/context.h>
#include <gloo/transport/unbound_buffer.h>

#include <memory>
#include <mutex>

namespace tert::gloo {

class GlooExchange final : public Exchange {
public:
  /// Connects the members of the group; all of them call it.
  GlooExchange(Group group, const Rendezvous &rendezvous);

  void run(const ExchangeCall &call, bool isNew, const std::vector<Sent> &sends,
           const std::vector<Received> &receives) override;

  std::string failure() override;
  void abort(const std::string &reason) noexcept override;

private:
  using Buffer = ::gloo::transport::UnboundBuffer;
  class Round;

  void throwIfFailed();
  /// Tells all others what this rank calls, and compares it with theirs.
  void agree(const ExchangeCall &call);

  const Group group;
  const std::chrono::milliseconds timeout;
  std::shared_ptr<::gloo::rendezvous::Context> context;
  /// Messages of a rank to another one carry their number.
  uint64_t numRounds = 0;
  uint64_t numCalls = 0;

  /// Guards what follows, which other threads use to end what is under way.
  std::mutex mutex;
  std::string failed;
  bool isAborted = false;
  Round *underWay = nullptr;
};

} // namespace tert::gloo

#endif // TERT_GLOO_GLOOEXCHANGE_H
