// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The connections between the members of a group.
#ifndef TERT_TCP_CONNECTIONS_H
#define TERT_TCP_CONNECTIONS_H

#include "launch/Socket.h"
#include "program/Communicator.h"

namespace tert::tcp {

/// One to every other member, by place; none at the own one. All members call
/// it, and nobody else gets in: each listens until those behind it have come,
/// connects to those before it, and takes only who knows the job's secret.
/// Throws TERT_PEER_ERROR where a member does not come within the timeout.
std::vector<launch::Socket> connectAll(const Group &group,
                                       const Rendezvous &rendezvous);

} // namespace tert::tcp

#endif // TERT_TCP_CONNECTIONS_H
