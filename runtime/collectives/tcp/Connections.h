// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The connections between the members of a group.
#ifndef TERT_COLLECTIVES_TCP_CONNECTIONS_H
#define TERT_COLLECTIVES_TCP_CONNECTIONS_H

#include "collectives/Communicator.h"
#include "launch/Socket.h"

namespace tert::tcp {

/// One connection to every other member, by index; none at the own one. All
/// members call it, and no other process is admitted: each listens until the
/// later members have connected, connects to the earlier ones, and accepts only
/// members that know the job's secret. Throws TERT_PEER_ERROR if a member does
/// not connect within the timeout.
std::vector<launch::Socket> connectAll(const Group &group,
                                       const Rendezvous &rendezvous);

} // namespace tert::tcp

#endif // TERT_COLLECTIVES_TCP_CONNECTIONS_H
