// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the te ops' interface methods have in common.

#ifndef TE_LIB_DIALECT_TE_IR_OPMETHODS_H
#define TE_LIB_DIALECT_TE_IR_OPMETHODS_H

#include "te/Dialect/TE/IR/TE.h"

namespace mlir::te {

//===-- Differentiation ---------------------------------------------------===//

/// The type of a parameter's gradient, whatever the parameter is stored in.
inline RankedTensorType f32Like(Value value) {
  return cast<RankedTensorType>(value.getType())
      .clone(Float32Type::get(value.getContext()));
}

/// Fails unless `differentiable` is the only result that has a cotangent. The
/// others are saved tensors: nothing but the op's own gradient reads them.
LogicalResult onlyCotangentOf(Operation *op, Value differentiable,
                              ValueRange cotangents);

//===-- Cost --------------------------------------------------------------===//

/// Every tensor is moved once.
Work moves(Operation *op);

/// What else the kernel of an op that moves data does in the same pass.
Work movesAndMore(Operation *op, bool sumsRows, bool quantizes);

//===-- Quantized results, sums of rows -----------------------------------===//

inline Type amaxType(OpBuilder &builder) {
  return RankedTensorType::get({}, builder.getF32Type());
}

/// Hands the uses of a producer's other results to its quantizing twin.
template <typename OpTy>
QuantizedResults finish(RewriterBase &rewriter, OpTy from, OpTy to, Value kept,
                        ArrayRef<std::pair<Value, Value>> others) {
  to->setDiscardableAttrs(from->getDiscardableAttrDictionary());
  for (auto [oldValue, newValue] : others)
    if (oldValue)
      rewriter.replaceAllUsesWith(oldValue, newValue);
  return {to.getRowwise(), to.getColumnwise(), to.getAmax(), kept};
}

inline Type typeOf(Value value) { return value ? value.getType() : Type(); }

/// Replaces `from` by `to`, which has its results and the sum behind them.
template <typename OpTy>
Value finishSum(RewriterBase &rewriter, OpTy from, OpTy to) {
  to->setDiscardableAttrs(from->getDiscardableAttrDictionary());
  rewriter.replaceOp(from, to->getResults().drop_back());
  return to.getDbias();
}

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_IR_OPMETHODS_H
