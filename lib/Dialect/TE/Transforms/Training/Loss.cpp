// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "te/Dialect/TE/IR/Cotangent.h"
#include "te/Dialect/TE/Transforms/Training/Training.h"

using namespace mlir;
using namespace mlir::te;

Value mlir::te::buildCausalLabels(OpBuilder &builder, Location loc, Value ids,
                                  const LossOptions &options) {
  return ShiftLabelsOp::create(builder, loc, ids.getType(), ids,
                               options.ignoreIndex);
}

FailureOr<CrossEntropyOp>
mlir::te::buildCrossEntropy(OpBuilder &builder, Location loc, Value logits,
                            Value labels, const LossOptions &options) {
  auto logitsType = cast<RankedTensorType>(logits.getType());
  auto labelsType = cast<RankedTensorType>(labels.getType());
  if (logitsType.getRank() < 2)
    return emitError(loc) << "the logits are " << logitsType
                          << "; a cross-entropy needs [..., classes]";
  int64_t rows = logitsType.getNumElements() /
                 std::max<int64_t>(logitsType.getShape().back(), 1);
  if (labelsType.getNumElements() != rows)
    return emitError(loc) << "the logits " << logitsType << " have " << rows
                          << " rows, but there are "
                          << labelsType.getNumElements() << " labels ("
                          << labelsType << ")";
  Value matrix = collapseToMatrix(builder, loc, logits);
  if (labelsType.getRank() != 1) {
    ReassociationIndices all =
        llvm::to_vector(llvm::seq<int64_t>(0, labelsType.getRank()));
    labels = tensor::CollapseShapeOp::create(
        builder, loc, labelsType.clone({rows}), labels,
        ArrayRef<ReassociationIndices>{all});
  }
  return CrossEntropyOp::create(builder, loc, matrix, labels,
                                options.ignoreIndex, options.reduction);
}
