// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The classes of a model's last layer, padded to a shardable number.

#ifndef TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_PROPAGATION_VOCABULARY_H
#define TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_PROPAGATION_VOCABULARY_H

#include "Distribution/Propagation/RequestedShards.h"
#include "te/Dialect/TE/IR/TE.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir::te {

/// Finds linear layers whose result is read only by losses or returned. If the
/// ranks do not divide the features, pads the layer's weight, and an embedding
/// that shares it, with rows of zeros: their logits add nothing to a softmax.
/// Tables that are only looked up, and whose rows the user shards, get such
/// rows as well.
class Vocabulary {
public:
  Vocabulary(func::FuncOp function, int64_t ranks,
             const RequestedShards &requested);

  ArrayRef<Value> getLogits() const { return logits; }
  /// The first dimension of a parameter before padding.
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
  const RequestedShards &requested;
  SmallVector<Value> logits;
  llvm::DenseMap<Value, int64_t> unpadded;
};

/// For heads with sharded classes in `function`: pads the logits of each rank
/// to a number of columns that suits tensor cores.
void padRankClasses(func::FuncOp function);

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_PROPAGATION_VOCABULARY_H
