// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums between layers: biases and residual connections.

#include "Linalg/Linalg.h"

#include "Raise/LoopLabels.h"
#include "Raise/Matchers.h"

#include "te/Dialect/TE/IR/Cotangent.h"
#include "te/Dialect/TE/IR/Slices.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace mlir::te;

/// A sum inside a formula stays arithmetic like the rest of it.
static bool isFormula(Value value) {
  Operation *op = value.getDefiningOp();
  return op && (OpTrait::hasElementwiseMappableTraits(op) ||
                op->hasTrait<OpTrait::ConstantLike>());
}

/// The rows, [rows, columns], that `value` broadcasts along leading dimensions
/// only; null if it does not.
static Value getRepeatedRows(OpBuilder &builder, Location loc, Value value) {
  auto broadcast = value.getDefiningOp<linalg::BroadcastOp>();
  auto type = cast<RankedTensorType>(value.getType());
  if (!broadcast || !broadcast.hasPureTensorSemantics())
    return {};
  int64_t added = broadcast.getDimensions().size();
  if (added == type.getRank() ||
      !llvm::equal(broadcast.getDimensions(), llvm::seq<int64_t>(0, added)))
    return {};
  return collapseToMatrix(builder, loc,
                          reshapeTo(builder, loc, broadcast.getInput(),
                                    type.getShape().drop_front(added)));
}

static LogicalResult sumOfTensors(arith::AddFOp op, PatternRewriter &rewriter) {
  auto type = dyn_cast<RankedTensorType>(op.getType());
  if (!type || type.getRank() == 0 || !type.hasStaticShape() ||
      !(type.getElementType().isF32() || type.getElementType().isBF16()) ||
      isFormula(op.getLhs()) || isFormula(op.getRhs()))
    return rewriter.notifyMatchFailure(op, "part of a formula");
  Location loc = op.getLoc();
  Value a = op.getLhs(), b = op.getRhs();
  Value rows = getRepeatedRows(rewriter, loc, b);
  if (!rows) {
    rows = getRepeatedRows(rewriter, loc, a);
    if (rows)
      std::swap(a, b);
  }
  if (!rows)
    rows = collapseToMatrix(rewriter, loc, b);
  Value matrix = collapseToMatrix(rewriter, loc, a);
  Value y = AddOp::create(rewriter, loc, matrix.getType(), matrix, rows);
  rewriter.replaceOp(op, expandFromMatrix(rewriter, loc, y, type.getShape()));
  return success();
}

void mlir::te::populateSumPatterns(RewritePatternSet &patterns) {
  patterns.add(sumOfTensors);
}
