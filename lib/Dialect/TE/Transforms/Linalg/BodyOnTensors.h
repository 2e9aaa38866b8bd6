// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rewrites the body of a structured op as ops on whole tensors, the form that
// te-raise matches.

#ifndef TE_LIB_DIALECT_TE_TRANSFORMS_LINALG_BODYONTENSORS_H
#define TE_LIB_DIALECT_TE_TRANSFORMS_LINALG_BODYONTENSORS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallBitVector.h"

#include <optional>

namespace mlir::te {

/// A value that the body computes in every iteration: a tensor of the loops it
/// depends on, in order.
struct LoopTensor {
  Value tensor; ///< null for the counter of a loop, plus `offset`
  llvm::SmallBitVector loops;
  int64_t offset = 0;

  bool isCounter() const { return !tensor; }
};

/// Writes the ops of one linalg.generic's body as tensor ops before it. They
/// are dead until something reads them; an unsupported body is left alone.
class BodyOnTensors {
public:
  BodyOnTensors(OpBuilder &builder, linalg::GenericOp op);

  /// Reads the operands and writes all ops of the body, except `without` and
  /// the terminator. Returns false if one of them is not supported.
  bool write(Operation *without = nullptr);

  /// `value` of the body as a tensor of all loops; null if it was not written.
  Value getOnAllLoops(Value value);

private:
  using Loops = llvm::SmallBitVector;

  std::optional<LoopTensor> readOperand(Value operand, AffineMap map);
  std::optional<LoopTensor> find(Value value);
  std::optional<LoopTensor> compute(Operation *op);
  LoopTensor asCounter(LoopTensor value) const;
  /// Elements of a tensor at computed positions: rows of a table.
  std::optional<LoopTensor> lookUp(tensor::ExtractOp op);
  /// `value` broadcast along the loops that it lacks.
  Value spread(const LoopTensor &value, const Loops &loops);
  Value makeCounter(const LoopTensor &counter);
  /// Elements of `tensor`, with shape `shape`, starting at `offsets`.
  Value slice(Value tensor, ArrayRef<int64_t> offsets, ArrayRef<int64_t> shape);
  /// A tensor whose dimensions walk `order`, transposed to ascending order.
  LoopTensor sorted(Value tensor, ArrayRef<unsigned> order);
  SmallVector<int64_t> shapeOf(const Loops &loops) const;
  Value splat(ArrayRef<int64_t> shape, TypedAttr element);

  OpBuilder &builder;
  Location loc;
  linalg::GenericOp op;
  SmallVector<int64_t> sizes;
  llvm::DenseMap<Value, LoopTensor> values;
};

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_LINALG_BODYONTENSORS_H
