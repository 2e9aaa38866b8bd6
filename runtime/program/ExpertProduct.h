// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sizes of tert_expert_matmul and tert_scaled_expert_matmul, for the checks
// and for all backends.
#ifndef TERT_PROGRAM_EXPERTPRODUCT_H
#define TERT_PROGRAM_EXPERTPRODUCT_H

#include "program/Tensor.h"

namespace tert {

/// d [rows, n] is made of a [rows, k], row by row, and of [k, n] for each
/// expert; with wgrad, d [m, n] for each expert is made of a [rows, m] and b
/// [rows, n].
struct ExpertProduct {
  bool wgrad;
  /// b, or both operands if `scaled`, have the summed dimension last.
  bool transposeB, scaled;
  int64_t rows, experts, m, n, k;

  /// Multiplications and additions if every row has an expert.
  double flops() const {
    return 2.0 * double(rows) * double(wgrad ? m : k) * double(n);
  }
};

/// The sizes that checked operands have. Without elements there are no experts.
inline ExpertProduct getExpertProduct(const tert_tensor &a,
                                      const tert_tensor &b,
                                      const tert_tensor &groups,
                                      const tert_tensor &d, bool transposeB,
                                      bool wgrad, bool scaled) {
  auto quotient = [](int64_t all, int64_t each) {
    return each ? all / each : 0;
  };
  ExpertProduct product = {wgrad, transposeB, scaled, sizeOf(groups, 0),
                           0,     0,          0,      0};
  product.n = sizeOf(d, 1);
  if (wgrad) {
    product.m = sizeOf(a, scaled ? 0 : 1);
    product.experts = quotient(sizeOf(d, 0), product.m);
  } else {
    product.k = sizeOf(a, 1);
    product.experts = transposeB
                          ? quotient(sizeOf(b, 0), product.n)
                          : quotient(sizeOf(b, scaled ? 1 : 0), product.k);
  }
  return product;
}

} // namespace tert

#endif // TERT_PROGRAM_EXPERTPRODUCT_H
