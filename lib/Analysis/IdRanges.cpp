// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "te/Analysis/IdRanges.h"

#include "te/Dialect/TE/IR/TE.h"
#include "te/Support/SkipOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <algorithm>

using namespace mlir;
using namespace mlir::te;

void mlir::te::declareIdRanges(ModuleOp module) {
  for (auto function : module.getOps<func::FuncOp>()) {
    // The number of rows that each argument indexes.
    SmallVector<int64_t> rows(function.getNumArguments(), -1);
    function.walk([&](EmbeddingOp op) {
      auto ids = dyn_cast<BlockArgument>(
          skipOps<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(op.getIds()));
      if (!ids || ids.getOwner()->getParentOp() != function)
        return;
      int64_t &known = rows[ids.getArgNumber()];
      int64_t count = op.getTable().getType().getDimSize(0);
      known = known < 0 ? count : std::min(known, count);
    });
    for (auto [i, count] : llvm::enumerate(rows))
      if (count > 0 && function.getArgAttr(i, kInputAttr) &&
          !function.getArgAttr(i, kRangeAttr))
        function.setArgAttr(
            i, kRangeAttr,
            DenseI64ArrayAttr::get(function.getContext(), {0, count}));
  }
}
