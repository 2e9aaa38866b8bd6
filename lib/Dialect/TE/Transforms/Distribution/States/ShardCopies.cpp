// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Distribution/States/ShardCopies.h"

using namespace mlir;
using namespace mlir::te;

RankedTensorType mlir::te::getShardCopyType(const FlatShards &parts,
                                            RankedTensorType whole,
                                            bool columnwise) {
  SmallVector<int64_t> shape(parts.getPart());
  // Rows are padded by the op that makes them.
  if (parts.isInRows())
    shape.back() = whole.getDimSize(columnwise ? 0 : 1);
  return RankedTensorType::get(shape, whole.getElementType());
}

Value mlir::te::gatherCopy(OpBuilder &builder, Location loc,
                           const FlatShards &parts, Value part,
                           RankedTensorType whole) {
  SmallVector<int64_t> shape(parts.getWhole());
  if (parts.isInRows())
    shape.back() = cast<RankedTensorType>(part.getType()).getShape().back();
  Value all = FlatShards(shape, parts.getAxis()).gather(builder, loc, part);
  return padTo(builder, loc, all, whole.getShape());
}
