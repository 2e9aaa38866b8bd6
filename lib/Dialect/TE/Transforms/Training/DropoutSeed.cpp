// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Training/DropoutSeed.h"

#include "te/Dialect/TE/IR/Cotangent.h"
#include "te/Dialect/TE/IR/LayerOps.h"

using namespace mlir;
using namespace mlir::te;

/// Dropout ops without a seed, in order.
static SmallVector<DropoutOp> findDropouts(func::FuncOp function) {
  SmallVector<DropoutOp> ops;
  function.walk([&](DropoutOp op) {
    if (!op.getSeed())
      ops.push_back(op);
  });
  return ops;
}

LogicalResult mlir::te::addDropoutSeed(EntryEditor &entry) {
  SmallVector<DropoutOp> ops = findDropouts(entry.getFunction());
  if (ops.empty())
    return success();
  auto type = RankedTensorType::get({}, entry.getBuilder().getI64Type());
  Value seed;
  for (const EntryValue &scalar : entry.getValues(BoundaryRole::Scalar))
    if (scalar.name() == kDropoutSeed && scalar.type() == type)
      seed = scalar.value;
  if (!seed)
    seed = entry.addArgument(
        entry.getLoc(), type,
        {entry.attr(kScalarAttr, kDropoutSeed),
         entry.attr(kDefaultAttr, entry.getBuilder().getI64IntegerAttr(0))},
        /*behind=*/{kInputAttr, kScalarAttr});
  for (DropoutOp op : ops)
    op.getSeedMutable().assign(seed);
  // Names collide if the model has an input of this name.
  return success(succeeded(EntryInterface::get(entry.getFunction())));
}

void mlir::te::removeDropout(func::FuncOp function) {
  for (DropoutOp op : findDropouts(function)) {
    OpBuilder builder(op);
    op.getY().replaceAllUsesWith(convertElementType(
        builder, op.getLoc(), op.getX(), op.getType().getElementType()));
    op.erase();
  }
}
