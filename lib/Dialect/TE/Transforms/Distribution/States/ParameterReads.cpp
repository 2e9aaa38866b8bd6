// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Distribution/States/ParameterReads.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "te-shard-states"

using namespace mlir;
using namespace mlir::te;

Type mlir::te::getReadType(OpOperand &use) {
  Operation *user = use.getOwner();
  Type own = getElementTypeOrSelf(use.get().getType());
  if (isa<arith::TruncFOp>(user))
    return getElementTypeOrSelf(user->getResult(0).getType());
  if (auto lookup = dyn_cast<EmbeddingOp>(user);
      lookup && &lookup.getTableMutable() == &use) {
    Type result = getElementTypeOrSelf(lookup.getY().getType());
    return result.getIntOrFloatBitWidth() < own.getIntOrFloatBitWidth() ? result
                                                                        : own;
  }
  if (!isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(user))
    return own;
  Type common;
  for (OpOperand &next : user->getResult(0).getUses()) {
    Type type = getReadType(next);
    if (common && type != common)
      return own;
    common = type;
  }
  return common ? common : own;
}

SmallVector<std::pair<OpOperand *, Type>>
mlir::te::findParameterReads(BlockArgument parameter) {
  SmallVector<std::pair<OpOperand *, Type>> reads;
  for (OpOperand &use : parameter.getUses()) {
    // Readers of a truncated value can read a truncated copy.
    if (!isa<arith::TruncFOp>(use.getOwner())) {
      reads.push_back({&use, getReadType(use)});
      continue;
    }
    Value truncated = use.getOwner()->getResult(0);
    for (OpOperand &next : truncated.getUses())
      reads.push_back({&next, getElementTypeOrSelf(truncated.getType())});
  }
  return reads;
}

void mlir::te::readInstead(RewriterBase &rewriter, OpOperand &use,
                           Value value) {
  Operation *user = use.getOwner();
  Type type = getElementTypeOrSelf(value.getType());
  if (type == getElementTypeOrSelf(use.get().getType()) ||
      isa<EmbeddingOp>(user)) {
    use.set(value);
    return;
  }
  if (isa<arith::TruncFOp>(user)) {
    user->getResult(0).replaceAllUsesWith(value);
    return;
  }
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(user);
  Operation *reshape = rewriter.clone(*user);
  reshape->setOperand(0, value);
  Value result = reshape->getResult(0);
  result.setType(cast<RankedTensorType>(result.getType()).clone(type));
  for (OpOperand &next :
       llvm::make_early_inc_range(user->getResult(0).getUses()))
    readInstead(rewriter, next, result);
}

/// Looked-up rows take two collectives, a gather of ids and a reduce-scatter of
/// rows: faster than gathering the table if it has this many times more rows.
static constexpr int64_t kFewRows = 2;

bool mlir::te::isFewRows(EmbeddingOp op, const FlatShards &parts) {
  // The table already has its shard's type.
  const int64_t rows =
      cast<RankedTensorType>(op.getIds().getType()).getDimSize(0);
  const bool isFew =
      getElementTypeOrSelf(op.getTable().getType()).isF32() &&
      kFewRows * parts.getAxis().ranks * rows <= parts.getWhole().front();
  LDBG() << (isFew ? "gathers rows: " : "gathers the table: ") << op;
  return isFew;
}
