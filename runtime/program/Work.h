// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a call has to do at the least: bytes through memory, operations of
// matrix products. Profiles set it against what a device can do.
#ifndef TERT_PROGRAM_WORK_H
#define TERT_PROGRAM_WORK_H

#include "tert/types.h"

#include <initializer_list>

namespace tert {

struct Work {
  double bytes = 0;
  double flops = 0;
  tert_dtype math = TERT_F32; ///< what the products multiply

  /// With what only moves bytes.
  Work operator+(const Work &other) const {
    return {bytes + other.bytes, flops, math};
  }
};

/// The fastest a device was seen to go; 0 where that is not known.
struct Ceilings {
  double fp8Flops = 0, bf16Flops = 0, f32Flops = 0; ///< per second
  double bytes = 0;                                 ///< per second
};

/// The least time that the work takes; 0 where the ceiling is not known.
double floorSeconds(const Work &work, const Ceilings &ceilings);

/// Reads or writes every element of the tensors once. Null tensors are left
/// out; one that is read and written is named twice.
Work moves(std::initializer_list<const tert_tensor *> tensors);

/// Writes the copies that an op quantizes into, if there are any.
Work writes(const tert_quantized *quantized);

/// Moves them, and products of `math` operands.
Work multiplies(double flops, tert_dtype math,
                std::initializer_list<const tert_tensor *> tensors);

/// Products of attention per query, key and element of a head: `products` of
/// two operations each, half of them masked if causal, and at most `window`
/// keys a query where that is not 0.
double attentionFlops(const tert_tensor &q, const tert_tensor &k,
                      int32_t layout, bool causal, int64_t window,
                      int products);

} // namespace tert

#endif // TERT_PROGRAM_WORK_H
