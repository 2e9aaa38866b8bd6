// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Address at which other ranks reach this one.
#ifndef TERT_COLLECTIVES_TCP_ADDRESS_H
#define TERT_COLLECTIVES_TCP_ADDRESS_H

#include "collectives/Communicator.h"

namespace tert::tcp {

/// The loopback address if all members of the group share one; otherwise the
/// address of the interface with the default route, or else of any interface
/// that is up.
std::string addressFor(const Group &group, const Store &store);

} // namespace tert::tcp

#endif // TERT_COLLECTIVES_TCP_ADDRESS_H
