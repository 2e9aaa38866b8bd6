// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bodies of collective ops.
#ifndef TERT_COLLECTIVES_COLLECTIVECALL_H
#define TERT_COLLECTIVES_COLLECTIVECALL_H

#include "program/Context.h"

namespace tert {

/// Communicator::run or start.
using CollectiveMethod = void (Communicator::*)(const tert_site &,
                                                const Collective &);

/// Body of an op. `body` gets the communicator along `axes` and the call.
template <typename Fn>
tert_status callCollective(tert_context *context, const tert_site *site,
                           const char *name, int32_t axes, const Fn &body) {
  return callOp(context, site, name, [&](OpCall &op) {
    if (context->job)
      return body(context->job->along(axes), op);
    AloneCommunicator communicator(groupWithoutJob(), op.backend);
    body(communicator, op);
  });
}

} // namespace tert

#endif // TERT_COLLECTIVES_COLLECTIVECALL_H
