// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "te/Dialect/TE/Transforms/Training/Training.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace mlir::te;

namespace {
struct Readers {
  bool norm = false;
  bool embedding = false;
};
} // namespace

/// Finds out what reads `value`, looking through ops that only rearrange or
/// convert it.
static void findReaders(Value value, Readers &readers) {
  for (OpOperand &use : value.getUses()) {
    Operation *user = use.getOwner();
    if (auto norm = dyn_cast<LayerNormOp>(user)) {
      readers.norm |= norm.getGamma() == value || norm.getBeta() == value;
    } else if (isa<EmbeddingOp, AddOp>(user)) {
      // A parameter that is added as a whole is a table of positions.
      readers.embedding = true;
    } else if (isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp,
                   tensor::ExtractSliceOp, arith::ExtFOp, arith::TruncFOp>(
                   user)) {
      findReaders(user->getResult(0), readers);
    } else if (auto transpose = dyn_cast<linalg::TransposeOp>(user)) {
      if (transpose.getInput() == value)
        findReaders(transpose->getResult(0), readers);
    }
  }
}

bool mlir::te::isDecayed(Value param, const NoDecayPolicy &policy) {
  Readers readers;
  findReaders(param, readers);
  if (readers.norm)
    return !policy.norms;
  if (readers.embedding)
    return !policy.embeddings;
  return cast<RankedTensorType>(param.getType()).getRank() > 1 ||
         !policy.biases;
}
