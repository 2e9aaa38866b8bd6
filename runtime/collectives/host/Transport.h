// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Interface of transport libraries such as libtert-tcp, for ranks with tensors
// in host memory: they transfer bytes, and leave the arithmetic to the backend.
#ifndef TERT_COLLECTIVES_HOST_TRANSPORT_H
#define TERT_COLLECTIVES_HOST_TRANSPORT_H

#include "collectives/CallSignature.h"

#include <cstddef>
#include <memory>

namespace tert {

class Transport {
public:
  struct Sent {
    const void *data = nullptr;
    size_t bytes = 0;
  };
  struct Received {
    void *data = nullptr;
    size_t bytes = 0;
  };

  virtual ~Transport() = default;

  /// Sends sends[r] to member r of the group and receives receives[r] from it.
  /// The own entries are ignored; empty entries, which are empty on both sides,
  /// are skipped. Throws TERT_PEER_ERROR if a member is gone or late, or makes
  /// another call than `call`. `isNew` is false for the second and later rounds
  /// of a call.
  virtual void run(const CallSignature &call, bool isNew,
                   const std::vector<Sent> &sends,
                   const std::vector<Received> &receives) = 0;

  // See Communicator.
  virtual std::string failure() = 0;
  virtual void abort(const std::string &reason) noexcept = 0;
};

/// Type of the function that such a library exports as
/// TERT_TRANSPORT_FACTORY_SYMBOL. It connects the members of a group, all of
/// which call it, or writes the reason of failure to `message`.
using TransportFactory = tert_status (*)(int32_t interfaceVersion,
                                         const Group *group,
                                         const Rendezvous *rendezvous,
                                         Transport **transport, char *message,
                                         size_t messageSize);
#define TERT_TRANSPORT_FACTORY_SYMBOL "tert_create_transport"

/// Loads libtert-LIBRARY.so and connects the members. Throws if either fails.
std::unique_ptr<Transport> createTransport(const Group &group,
                                           const Rendezvous &rendezvous);

} // namespace tert

#endif // TERT_COLLECTIVES_HOST_TRANSPORT_H
