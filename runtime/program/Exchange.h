// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What libraries such as libtert-tcp do for ranks whose tensors lie in the
// host's memory: they carry bytes, and leave the arithmetic to the backend.
#ifndef TERT_PROGRAM_EXCHANGE_H
#define TERT_PROGRAM_EXCHANGE_H

#include "program/ExchangeCall.h"

#include <cstddef>
#include <memory>

namespace tert {

class Exchange {
public:
  struct Sent {
    const void *data = nullptr;
    size_t bytes = 0;
  };
  struct Received {
    void *data = nullptr;
    size_t bytes = 0;
  };

  virtual ~Exchange() = default;

  /// Sends sends[r] to member r of the group and receives receives[r] from it;
  /// the own entries are not looked at, and neither are empty ones, which are
  /// empty on both sides. Throws TERT_PEER_ERROR where a member is gone or
  /// does not come in time, and where one makes another call than `call`.
  /// `isNew` is false for the second and later exchanges of a call.
  virtual void run(const ExchangeCall &call, bool isNew,
                   const std::vector<Sent> &sends,
                   const std::vector<Received> &receives) = 0;

  // As those of Communicator.
  virtual std::string failure() = 0;
  virtual void abort(const std::string &reason) noexcept = 0;
};

/// What such a library exports under TERT_EXCHANGE_FACTORY_SYMBOL: connects the
/// members of a group, which all call it, or writes to `message` why it cannot.
using ExchangeFactory = tert_status (*)(int32_t interfaceVersion,
                                        const Group *group,
                                        const Rendezvous *rendezvous,
                                        Exchange **exchange, char *message,
                                        size_t messageSize);
#define TERT_EXCHANGE_FACTORY_SYMBOL "tert_create_exchange"

/// Loads libtert-LIBRARY.so and connects the members. Throws when either fails.
std::unique_ptr<Exchange> createExchange(const Group &group,
                                         const Rendezvous &rendezvous);

} // namespace tert

#endif // TERT_PROGRAM_EXCHANGE_H
