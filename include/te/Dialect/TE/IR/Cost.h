// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a kernel does, and what that takes: the data types of the cost
// interfaces.

#ifndef TE_DIALECT_TE_IR_COST_H
#define TE_DIALECT_TE_IR_COST_H

#include "mlir/IR/Types.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <optional>

namespace mlir::te {

/// d[m,n] = op(a)[m,k] · op(b)[k,n] + bias[n] (+ d[m,n]) with row-major
/// operands of these element types.
struct MatrixProduct {
  int64_t m = 0, n = 0, k = 0;
  Type a, b, d;
  bool transposeA = false, transposeB = false;
  bool hasBias = false, addToD = false;
  /// FP8: sums stay in the tensor cores' own precision.
  bool fastAccumulate = false;

  double getFlops() const { return 2.0 * double(m) * double(n) * double(k); }
  /// Of operands and result, each moved once.
  double getBytes() const;
};

/// What one kernel has to do at the least.
struct Work {
  /// What the kernel is known as: an op's name without its dialect.
  StringRef kernel;
  /// What it does besides, in alphabetical order: "dbias", "quantize". Of a
  /// product of FP8 copies with several scales each, which those are.
  SmallVector<StringRef, 2> extras;
  /// Through memory.
  double bytes = 0;
  /// Of matrix products, and what they multiply.
  double flops = 0;
  Type math;
  /// Set for a matrix product.
  std::optional<MatrixProduct> product;

  /// Enters it in its place.
  void addExtra(StringRef extra);
  /// "activation_grad+dbias+quantize"
  std::string getName() const;

  static Work ofProduct(StringRef kernel, const MatrixProduct &product);
};

/// Time, and whether it was taken from a measurement of just this or follows
/// from measurements of other things.
struct Cost {
  double seconds = 0;
  bool hasMeasured = false, hasEstimated = false;

  static Cost measured(double seconds) { return {seconds, true, false}; }
  static Cost estimated(double seconds) { return {seconds, false, true}; }

  Cost &operator+=(const Cost &other) {
    seconds += other.seconds;
    hasMeasured |= other.hasMeasured;
    hasEstimated |= other.hasEstimated;
    return *this;
  }
  double getMicroseconds() const { return seconds * 1e6; }
};

/// The kernel that quantizes with scales [r, c] of a copy's own blocks, which
/// it finds itself: "quantize_rows" reads the matrix twice, "quantize_blocks"
/// once.
StringRef getBlockQuantization(ArrayRef<int64_t> scales);

/// What an update of parameters and states of these types does besides moving
/// them: "fp8" if it rounds states to FP8, "bf16" if it rounds to bf16 alone.
/// Stochastic rounding takes longer than moving what it saves. Empty in f32.
StringRef getUpdateRounding(TypeRange params, TypeRange states);

/// What a product of copies with scales of these shapes does besides:
/// "row_scales", "vector_scales" for 1 x 128 elements in both, "block_scales"
/// if one has 128 x 128. Empty for one scale each.
StringRef getScaledProduct(ArrayRef<int64_t> a, ArrayRef<int64_t> aScales,
                           ArrayRef<int64_t> b, ArrayRef<int64_t> bScales);

/// Bytes of a shaped value of static shape; 0 for any other.
double getBytes(Type type);

} // namespace mlir::te

#endif // TE_DIALECT_TE_IR_COST_H
