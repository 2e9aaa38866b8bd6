// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bodies of collective ops.
#ifndef TERT_COLLECTIVES_COLLECTIVECALL_H
#define TERT_COLLECTIVES_COLLECTIVECALL_H

#include "program/Context.h"

namespace tert {

/// The name of a call without a site.
inline const char *nameOf(int32_t kind) {
  switch (kind) {
  case TERT_ALL_REDUCE:
    return "tert.all_reduce";
  case TERT_REDUCE_SCATTER:
    return "tert.reduce_scatter";
  case TERT_ALL_GATHER:
    return "tert.all_gather";
  case TERT_ALL_TO_ALL:
    return "tert.all_to_all";
  }
  return "tert.collective";
}

/// Runs a collective, or starts it.
inline void run(Communicator &communicator, const tert_site &site,
                const Collective &collective, int32_t async) {
  if (async)
    communicator.start(site, collective);
  else
    communicator.run(site, collective);
}

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
