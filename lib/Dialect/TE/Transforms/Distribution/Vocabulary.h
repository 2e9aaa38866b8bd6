// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The classes that a model tells apart in its last layer, in a form that ranks
// can share.

#ifndef TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_VOCABULARY_H
#define TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_VOCABULARY_H

#include "Distribution/RequestedCuts.h"
#include "te/Dialect/TE/IR/TE.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir::te {

/// Finds linear layers whose result only losses read, or nobody but who runs
/// the model. Where ranks do not divide their features the layer's weight gets
/// more of them, and so does an embedding that shares it: rows of zeros, for
/// logits that add nothing to a softmax. Tables that are looked up alone, and
/// whose rows the user wants shared, get such rows as well.
class Vocabulary {
public:
  Vocabulary(func::FuncOp function, int64_t ranks,
             const RequestedCuts &requested);

  ArrayRef<Value> getLogits() const { return logits; }
  /// The first dimension of a parameter before it was padded.
  std::optional<int64_t> getUnpadded(Value parameter) const {
    auto it = unpadded.find(parameter);
    return it == unpadded.end() ? std::nullopt
                                : std::optional<int64_t>(it->second);
  }

private:
  bool isHead(MatmulOp op);
  void padTable(Value table, int64_t size);
  void pad(MatmulOp op, int64_t size);

  func::FuncOp function;
  int64_t ranks;
  const RequestedCuts &requested;
  SmallVector<Value> logits;
  llvm::DenseMap<Value, int64_t> unpadded;
};

/// Of heads whose classes ranks share in `function`: gives the logits of each
/// rank a number of columns that tensor cores take.
void padRankClasses(func::FuncOp function);

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_VOCABULARY_H
