// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sizes of tert_scan.
#ifndef TERT_PROGRAM_SCANSHAPE_H
#define TERT_PROGRAM_SCANSHAPE_H

#include "program/Tensor.h"

namespace tert {

struct ScanShape {
  /// Of tensors of the right rank; `keys` may be null. `groups` is 0 if the
  /// state has no numbers.
  ScanShape(const tert_tensor &x, const tert_tensor &states,
            const tert_tensor *keys, int64_t chunk)
      : batch(sizeOf(x, 0)), tokens(sizeOf(x, 1)), channels(sizeOf(x, 2)),
        size(sizeOf(states, 3)), groups(1), chunk(chunk),
        chunks((tokens + chunk - 1) / chunk) {
    if (keys && rankOf(*keys) == 3)
      groups = size > 0 ? sizeOf(*keys, 2) / size : 0;
  }

  int64_t groupChannels() const { return channels / groups; }

  int64_t batch, tokens, channels;
  int64_t size;   ///< numbers of a channel's state
  int64_t groups; ///< of channels with keys and queries of their own
  int64_t chunk, chunks;
};

} // namespace tert

#endif // TERT_PROGRAM_SCANSHAPE_H
