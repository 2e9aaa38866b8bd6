// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The largest elements of rows, in order.

#include "ModuleImporter.h"

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::stablehlo_import;

static LogicalResult importTopK(ModuleImporter &importer, const HloOp &op) {
  auto k = op.getInt("k");
  if (op->getNumOperands() != 1 || op->getNumResults() != 2 || !k)
    return importer.unsupported(op, "it has no number of elements to take");
  auto type = op.getOperandType(0);
  SmallVector<int64_t> shape(type.getShape());
  if (shape.empty() || *k < 1 || *k > shape.back() ||
      type.getElementType().isInteger(1))
    return importer.unsupported(op, "it takes more elements than there are");
  shape.back() = *k;
  if (op.getType() != type.clone(shape) ||
      op.getType(1).getShape() != ArrayRef<int64_t>(shape) ||
      !op.getType(1).getElementType().isInteger())
    return importer.unsupported(op, "its types do not fit its operand");
  Value x = importer.getValue(op, 0);
  if (!x)
    return failure();
  TensorMath math(importer, op.getLoc());
  auto [values, positions] =
      math.topK(x, type.getRank() - 1, *k, /*largest=*/true);
  importer.defineAt(op, 0, values);
  importer.defineAt(op, 1,
                    math.convert(positions, op.getType(1).getElementType()));
  return success();
}

void mlir::te::stablehlo_import::populateOrderHandlers(HandlerTable &table) {
  table["chlo.top_k"] = importTopK;
}
