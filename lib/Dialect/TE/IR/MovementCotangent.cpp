// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "te/Dialect/TE/IR/MovementCotangent.h"

#include "mlir/Dialect/Shard/IR/ShardOps.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::te;

RankedTensorType mlir::te::typeOfCotangent(Value x, Value cotangent) {
  return cast<RankedTensorType>(x.getType())
      .clone(getElementTypeOrSelf(cotangent));
}

Value mlir::te::getTermsOfUnreadSum(Value cotangent, StringRef grid,
                                    ArrayRef<int16_t> axes) {
  auto sum = cotangent.getDefiningOp<shard::AllReduceOp>();
  if (!sum || !sum->use_empty() || sum.getGrid() != grid ||
      sum.getGridAxes() != axes ||
      sum.getReduction() != shard::ReductionKind::Sum)
    return {};
  return sum.getInput();
}
