// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bodies of collective ops.
#ifndef TERT_PROGRAM_COLLECTIVECALL_H
#define TERT_PROGRAM_COLLECTIVECALL_H

#include "program/Context.h"

namespace tert {

/// Body of an op. `body` gets the backend, the communicator along `axes` and
/// the site.
template <typename Fn, typename WorkFn>
tert_status callCollective(tert_context *context, const tert_site *site,
                           const char *op, int32_t axes, const Fn &body,
                           const WorkFn &work) {
  return callOp(
      context, site, op,
      [&](Backend &backend, const tert_site &at) {
        if (context->job)
          return body(backend, context->job->along(axes), at);
        AloneCommunicator communicator(groupWithoutJob(), backend);
        body(backend, communicator, at);
      },
      work);
}

} // namespace tert

#endif // TERT_PROGRAM_COLLECTIVECALL_H
