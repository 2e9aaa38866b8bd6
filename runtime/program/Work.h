// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lower bounds of a call's work: bytes of memory traffic, operations of matrix
// products. Profiles compare them with a device's peak rates.
#ifndef TERT_PROGRAM_WORK_H
#define TERT_PROGRAM_WORK_H

#include "tert/types.h"

#include <initializer_list>

namespace tert {

struct Work {
  double bytes = 0;
  double flops = 0;
  tert_dtype math = TERT_F32; ///< operand type of the products

  /// Adds work that only moves bytes.
  Work operator+(const Work &other) const {
    return {bytes + other.bytes, flops, math};
  }
};

/// Highest measured rates of a device; 0 if unknown.
struct Ceilings {
  double fp8Flops = 0, bf16Flops = 0, f32Flops = 0; ///< per second
  double bytes = 0;                                 ///< per second
};

/// Lower bound of the time for the work; 0 if the rate is unknown.
double floorSeconds(const Work &work, const Ceilings &ceilings);

/// Reads or writes every element of the tensors once. Null tensors are skipped;
/// a tensor that is read and written is listed twice.
Work moves(std::initializer_list<const tert_tensor *> tensors);

/// Writes the requested quantized outputs.
Work writes(const tert_quantized *quantized);

/// Moves the tensors, and multiplies `math` operands.
Work multiplies(double flops, tert_dtype math,
                std::initializer_list<const tert_tensor *> tensors);

/// Operations of attention: `products` of two operations each per query, key
/// and element of a head, half of them masked if causal, and at most `window`
/// keys per query unless that is 0.
double attentionFlops(const tert_tensor &q, const tert_tensor &k,
                      int32_t layout, bool causal, int64_t window,
                      int products);

} // namespace tert

#endif // TERT_PROGRAM_WORK_H
