// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// all_slice: copies this rank's shard out of a replicated tensor.

#include "program/Check.h"
#include "program/Context.h"
#include "tert/ops.h"

using namespace tert;

/// The elements of a contiguous tensor as one dimension.
static tert_layout flatten(const tert_tensor &tensor) {
  tert_layout layout = {};
  layout.dtype = dtypeOf(tensor);
  layout.rank = 1;
  layout.sizes[0] = numElements(tensor);
  layout.strides[0] = 1;
  return layout;
}

tert_status tert_all_slice(tert_context *context, const tert_site *site,
                           const tert_tensor *x, const tert_tensor *y,
                           int32_t axes) {
  return callOp(
      context, site, "tert.all_slice",
      [&](Backend &backend, const tert_site &at) {
        int32_t rank = 0, ranks = 1;
        if (context->job) {
          const Group &group = context->job->along(axes).getGroup();
          rank = group.rank;
          ranks = group.size();
        }
        Operand whole("x", x), part("y", y);
        whole.isContiguous();
        part.isContiguous().hasDtype(dtypeOf(*x));
        int64_t wanted = 0;
        if (__builtin_mul_overflow(numElements(*y), ranks, &wanted) ||
            numElements(*x) != wanted)
          whole.fail("of " + std::to_string(ranks) +
                     " times the elements of 'y', " + describe(*y));
        if (numElements(*y) == 0)
          return;
        const tert_layout layout = flatten(*y);
        const int64_t bytes = layout.sizes[0] * bytesOf(layout.dtype);
        backend.copy(at, {static_cast<char *>(x->data) + rank * bytes, &layout},
                     {y->data, &layout});
      },
      [&] { return moves({y, y}); });
}
