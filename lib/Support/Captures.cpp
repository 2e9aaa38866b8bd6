// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "te/Support/Captures.h"

#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::te;

SmallVector<Value> mlir::te::getCapturedValues(Operation *op) {
  if (op->getNumRegions() == 0)
    return {};
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(op->getRegions(), captured);
  return captured.takeVector();
}

SmallVector<Value> mlir::te::getReadValues(Operation *op) {
  SmallVector<Value> values(op->getOperands());
  llvm::append_range(values, getCapturedValues(op));
  return values;
}
